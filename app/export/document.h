#pragma once

#include "app/export/drawn_formula.h"
#include "app/store/stored_types.h"
#include "engine/base/result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// What of a chat is exported, in any form.
struct ExportChoices {
    bool allBranches = false; ///< else the branch in view
    bool thinking = true;
    bool toolCalls = true; ///< and their results
    bool statistics = true;
};

/// A chat as it is exported: messages and parts that aren't wanted are left out already. An answer keeps its
/// statistics, which name the model; whether they are shown, `choices` says.
struct ExportedChat {
    StoredConversation conversation; ///< with the branch in view
    std::vector<StoredMessage>
        tree;             ///< parents before children; without allBranches the branch in view alone
    std::string folder{}; ///< its folder's name; empty: in none
    ExportChoices choices{};
};

/// Takes out of the chat what `choices` leave out. Where messages go (results of tools), what follows them
/// follows what they followed; `tree` must have parents before children.
ExportedChat chosen(StoredConversation conversation, std::vector<StoredMessage> tree,
                    const ExportChoices &choices);

/// Messages that are read one after another.
struct ExportSection {
    std::string heading; ///< empty for the branch in view, the first section
    std::vector<const StoredMessage *> messages;
};

/// The branch in view, then for each other branch what it adds, in the order in which they were begun.
/// Valid as long as `chat` is.
std::vector<ExportSection> sectionsOf(const ExportedChat &chat);

/// "You", the model's name, "Tool", …
std::string speakerOf(const StoredMessage &message);
/// Why the message is not what it should be ("stopped"); empty where all is well.
std::string noteOf(const StoredMessage &message);
/// How an answer was made, on one line.
std::string statisticsOf(const ReplyStats &stats);
/// The title, or a word in its place; without line ends.
std::string titleOf(const StoredConversation &conversation);
/// What the person called it, or a word in its place; without line ends.
std::string nameOf(const MediaPart &media);

/// `text` as UTF-8 that any reader takes: what is none, and control characters except line ends and tabs,
/// becomes U+FFFD; "\r\n" becomes "\n".
std::string cleanText(std::string_view text);
/// Which language's letters Han characters must have: "zh-Hans", "ja", "ko", or "" where there are none. A
/// guess by the other characters of the text.
std::string languageOf(std::string_view text);
/// Whether the first letter of the text goes from right to left.
bool goesLeftwards(std::string_view text);

/// Where a document goes.
struct ExportTarget {
    std::function<Status(std::string_view)> write;
    /// Called at the start, and after each message, at times more than once; what it answers (Cancelled, say)
    /// ends the export. May be empty.
    std::function<Status(std::size_t done, std::size_t all)> step{};
};

/// Calls target.step where there is one.
Status stepOf(const ExportTarget &target, std::size_t done, std::size_t all);

/// What writes the pieces of a document in one of its forms.
struct SectionWriter {
    std::function<Status(const std::string &heading)> heading; ///< of each section but the first
    std::function<Status(const StoredMessage &)> message;
};

/// Has all sections of the chat written, one message after another, and tells target.step of each.
Status walkSections(const ExportedChat &chat, const ExportTarget &target, const SectionWriter &writer);

/// A picture, or the first frame of a clip, as it is embedded.
struct EmbeddedPicture {
    std::uint32_t width = 0, height = 0; ///< pixels
    std::string jpeg;                    ///< the file's bytes
};
using PictureOf = std::function<Result<EmbeddedPicture>(const MediaPart &)>;

/// What a document takes from elsewhere to draw it. An empty function: words stand in the place.
struct Drawings {
    PictureOf picture{};
    FormulaOf formula{};
};

} // namespace perilune
