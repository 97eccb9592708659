#pragma once

#include "engine/api/chat_engine.h"
#include "engine/api/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// Row numbers; never reused, 0 is none.
using ConversationId = std::int64_t;
using MessageId = std::int64_t;
using FolderId = std::int64_t;

enum class MessageState {
    Streaming, ///< being written now, by this program or another that is alive
    Complete,
    Cancelled, ///< stopped by the person, or cut off by a crash; `note` says which
    Failed,    ///< the engine gave up; `note` says why
};

/// How an answer was made.
struct ReplyStats {
    std::string model, device;
    SamplingOptions sampling; ///< with the seed that was used
    bool thinking = true;
    std::uint32_t maxNewTokens = 0;
    ReplySummary summary;
    double firstTokenSeconds = 0; ///< from the start of the turn, media and loading included
};

/// A message as the store keeps it: one node of the conversation's tree.
struct StoredMessage {
    MessageId id = 0;
    ConversationId conversation = 0;
    MessageId parent = 0; ///< 0: it begins the conversation
    Message message;      ///< MediaPart::path names the store's own copy
    MessageState state = MessageState::Complete;
    std::string note;                           ///< a sentence where the state needs one, else empty
    std::int64_t createdMs = 0, finishedMs = 0; ///< Unix time, UTC; finished is 0 while streaming
    std::optional<ReplyStats> stats;
    std::uint32_t branch = 0;   ///< which of its siblings it is, 0 the oldest
    std::uint32_t branches = 1; ///< how many siblings there are, itself included
};

/// A line of the list of conversations.
struct ConversationRow {
    ConversationId id = 0;
    std::string title; ///< empty until something names it
    std::int64_t createdMs = 0, updatedMs = 0;
    std::int64_t deletedMs = 0;                ///< in the bin since; 0: not deleted
    std::uint64_t messages = 0;                ///< of all branches
    bool damaged = false;                      ///< something in it can't be read; the rest can
    std::int64_t pinnedMs = 0, archivedMs = 0; ///< since; 0: not
    FolderId folder = 0;                       ///< 0: in none
    std::vector<std::string> tags;             ///< by name
    std::int64_t pinOrder = 0; ///< among the pinned ones that were placed by hand, 1 the first; 0: it wasn't
};

struct FolderRow {
    FolderId id = 0;
    std::string name;
    std::uint64_t conversations = 0; ///< those in the bin left out
};

struct StoredConversation {
    ConversationRow row;
    std::string systemPrompt;
    std::vector<StoredMessage> path; ///< from the first message to the end of the branch in view
};

/// What was typed and attached but not sent.
struct Draft {
    std::string text;
    std::vector<MediaPart> media; ///< files where the person has them
    bool operator==(const Draft &) const = default;
};

/// A piece of an answer, in the order in which it arrived. Text of one kind in a row becomes one part.
struct ReplyPiece {
    enum class Kind { Text, Thinking, ToolCall };
    Kind kind = Kind::Text;
    std::string text; ///< of a tool call: its arguments
    std::string callId, callName;
};

/// Adds a piece to the parts of an answer: text continues a part of its kind, a tool call is its own.
void addPiece(std::vector<Part> &parts, const ReplyPiece &piece);

/// The piece that `event` is of an answer; none for Progress.
std::optional<ReplyPiece> pieceOf(const ReplyEvent &event);

/// How an answer ended.
struct ReplyOutcome {
    MessageState state = MessageState::Complete;
    std::string note;
    std::optional<ReplyStats> stats;
};

/// Now, as the store counts time: milliseconds since 1970, UTC.
std::int64_t nowMs();

} // namespace perilune
