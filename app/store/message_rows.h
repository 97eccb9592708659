#pragma once

#include "app/store/blob_folder.h"
#include "app/store/database.h"
#include "app/store/statement.h"
#include "app/store/stored_types.h"
#include "engine/base/result.h"

#include <span>
#include <string_view>
#include <vector>

namespace perilune {

/// Which messages to read.
struct MessageScope {
    enum class By { Message, Conversation };
    By by = By::Conversation;
    std::int64_t id = 0;
};

/// The messages of `scope` with parts and statistics, in order of their numbers; branches in the bin left
/// out. What can't be read of a message, and media files that are missing, are told in its `note`.
Result<std::vector<StoredMessage>> readMessages(Database &database, const BlobFolder &blobs,
                                                MessageScope scope);

/// The one message `id`, or NotFound.
Result<StoredMessage> readMessage(Database &database, const BlobFolder &blobs, MessageId id);

/// A media part's file as the store has it, in the order of the message's media parts.
using MessageBlobs = std::vector<BlobFolder::Blob>;

/// Inserts a row for `message` and one for each part. `blobs` are those of its media. Inside a transaction.
Result<MessageId> insertMessage(Database &database, ConversationId conversation, MessageId parent,
                                const Message &message, const MessageBlobs &blobs);

/// Inserts the part number `position` of a message.
Status insertPart(Database &database, MessageId message, std::int64_t position, const Part &part,
                  const BlobFolder::Blob *blob);

/// The pieces of an unfinished answer as parts: neighbours of one kind are joined, tool calls stand alone.
Result<std::vector<Part>> joinPieces(Database &database, MessageId message);

Status insertPieces(Database &database, MessageId message, std::span<const ReplyPiece> pieces);
Status insertStats(Database &database, MessageId message, const ReplyStats &stats);

/// The choice of a medium: its columns, in the order in which they are read, and its values are bound.
constexpr const char *kChoiceColumns =
    "media_detail, media_fit, media_first_frame, media_from_s, media_to_s, media_max_frames";
/// From the columns of `row` from `first` on.
MediaChoice choiceOf(const Statement &row, int first);
const char *detailName(const MediaChoice &choice);
const char *fitName(const MediaChoice &choice);

const char *roleName(Role role);
Role roleFromName(std::string_view name);
const char *stateName(MessageState state);
MessageState stateFromName(std::string_view name);
const char *finishName(ReplySummary::Finish finish);

/// A few words for a conversation that begins with `message`; empty where it has none.
std::string titleFor(const Message &message);

} // namespace perilune
