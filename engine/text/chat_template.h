#pragma once

#include "engine/api/message.h"
#include "engine/base/result.h"
#include "engine/text/chat_family.h"
#include "engine/text/tokenizer.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

struct PromptOptions {
    std::optional<bool> thinking;    ///< unset: as the family's template does by itself (thinking on)
    bool preserveThinking = false;   ///< K2.6: keep the thinking of earlier turns
    bool addGenerationPrompt = true; ///< end with the opening of the assistant's turn
    /// The last message is the assistant's and is left open after its thinking or words, to be continued.
    /// Calls in it are left out.
    bool continueLast = false;
};

/// A stretch of a prompt, by where its words come from.
struct PromptSegment {
    enum class Kind {
        Literal, ///< written by the template: names of control tokens in it are control tokens
        Text,    ///< from people, files, tools or the model: names in it are plain words
        Media,   ///< the place of one picture or clip; `text` is what the template prints for it
    };
    Kind kind = Kind::Literal;
    std::string text;
    std::size_t media = 0; ///< for Media: index into the conversation's media in message order
    bool isVideo = false;  ///< for Media: a clip, to be replaced by its chunks
    bool operator==(const PromptSegment &) const = default;
};

/// Renders a conversation as the checkpoint's chat template does, byte for byte. `toolsJson` is a JSON array
/// of OpenAI tool schemas; empty or "[]" for none. Tools and media that the family's template ignores are
/// ignored. InvalidInput where the tools are not such an array.
Result<std::vector<PromptSegment>> renderPrompt(ChatFamily family, std::span<const Message> messages,
                                                std::string_view toolsJson, const PromptOptions &options);

/// What `continueLast` puts behind the opening of the assistant's turn for `message`.
std::vector<PromptSegment> beginningOf(ChatFamily family, const Message &message,
                                       std::optional<bool> thinking);

/// The pictures and clips of a conversation in the order in which PromptSegment::media counts them.
std::vector<const MediaPart *> mediaOf(std::span<const Message> messages);

/// Unsupported, naming the medium and the family, where a conversation holds media that the family can't
/// take.
Status checkMediaSupport(ChatFamily family, std::span<const Message> messages);

/// Puts the chunks of each clip in the place of its placeholder. `chunkTimestamps[i]` holds the start of each
/// chunk of medium i ("00:00:02.000"); it is not read for pictures. After this, one media_pad stands for each
/// picture and each chunk, in order. InvalidInput where the number of media differs from the prompt's.
Result<std::vector<PromptSegment>> expandMedia(std::vector<PromptSegment> segments,
                                               std::span<const std::vector<std::string>> chunkTimestamps);

/// expandMedia with the timestamps of the patches of `media` (see mediaOf); each clip must have its patches.
Result<std::vector<PromptSegment>> expandMedia(std::vector<PromptSegment> segments,
                                               std::span<const MediaPart *const> media);

/// The exact prompt text.
std::string promptText(std::span<const PromptSegment> segments);

enum class PromptMode {
    App,       ///< only the template makes control tokens
    Reference, ///< names in people's text count too, as in the reference; for comparison
};

/// Ids of a prompt, one media_pad for each picture or chunk. In App mode no text of Kind::Text ever gives an
/// id of a control token; where it holds no such names, both modes give the same ids.
std::vector<TokenId> tokenizePrompt(const Tokenizer &tokenizer, std::span<const PromptSegment> segments,
                                    PromptMode mode = PromptMode::App);

} // namespace perilune
