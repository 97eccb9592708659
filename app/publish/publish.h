#pragma once

#include "app/export/document.h"
#include "app/store/conversation_store.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

enum class ExportFormat { Markdown, Html, Pdf, Json };

/// "markdown", "html", "pdf", "json".
const char *formatName(ExportFormat format);
std::optional<ExportFormat> formatFromName(std::string_view name);
/// ".md", ".html", ".pdf", ".json".
const char *fileEnding(ExportFormat format);

/// A chat as the store has it.
struct ChatToPublish {
    StoredConversation conversation;
    std::vector<StoredMessage> tree; ///< all branches
    std::string folder;              ///< its folder's name; empty: in none
};

/// On the store's thread.
Result<ChatToPublish> loadChat(ConversationStore &store, ConversationId id);

struct PublishOptions {
    ExportFormat format = ExportFormat::Markdown;
    ExportChoices choices{};
    /// Called after each message; any thread that publishes. May be empty.
    std::function<void(std::size_t done, std::size_t all)> progress{};
    std::stop_token stop{};
    FormulaOf
        formula{}; ///< for HTML and PDF, called on the thread that publishes; empty: LaTeX stays as it is
};

struct Published {
    std::filesystem::path file;
    /// What the person should know (a picture that is missing, letters without a font), a sentence each.
    std::vector<std::string> notes{};
};

/// Writes the chat into the file `place`, which is whole or, where an Error comes back, as it was. Markdown
/// gets its pictures and clips into a folder beside it ("chat.md" and "chat_media"). Blocking; any thread.
/// Cancelled where it was stopped, NoSpace where the disk is full.
Result<Published> publishChat(const ChatToPublish &chat, const PublishOptions &options,
                              const std::filesystem::path &place);

/// The same into `write`, for a pipe; pictures of Markdown are links to the store's files.
Result<Published> publishTo(const std::function<Status(std::string_view)> &write, const ChatToPublish &chat,
                            const PublishOptions &options);

/// A name for the chat's file, from its title, that every system takes; with `ending`.
std::string fileNameFor(const ConversationRow &row, const std::string &ending);

/// A place in `folder` under that name where no file is yet: with a number where need be.
std::filesystem::path freePlace(const std::filesystem::path &folder, const ConversationRow &row,
                                ExportFormat format);

} // namespace perilune
