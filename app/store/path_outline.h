#pragma once

#include "app/store/conversation_store.h"

#include <span>
#include <string>
#include <vector>

namespace perilune {

/// A message without its words: what a long conversation's list is made of.
struct MessageHead {
    MessageId id = 0;
    MessageId parent = 0; ///< 0: it begins the conversation
    Role role = Role::User;
    MessageState state = MessageState::Complete;
    std::uint32_t branch = 0;   ///< as in StoredMessage
    std::uint32_t branches = 1; ///< as in StoredMessage
};

/// A conversation along the branch in view, without words.
struct PathOutline {
    std::string title;
    std::vector<MessageHead> path; ///< from the first message to the end of the branch; their numbers grow
};

/// Costs in proportion to the number of messages, however long they are. NotFound where there is none.
Result<PathOutline> readOutline(ConversationStore &store, ConversationId id);

/// The words of the messages in `heads`, in their order. What can't be read is told in a message's `note`.
std::vector<StoredMessage> readWords(ConversationStore &store, std::span<const MessageHead> heads);

} // namespace perilune
