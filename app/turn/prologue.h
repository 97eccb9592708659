#pragma once

#include "app/store/conversation_store.h"

#include <vector>

namespace perilune {

/// What a turn needs to begin its answer.
struct Prologue {
    std::vector<Message> messages;
    StoredMessage reply;    ///< begun in the store; of one that goes on, with what it begins with
    bool continues = false; ///< the last of `messages` is the beginning of the answer
};

/// Begins an answer to `question`. On the store's thread.
Result<Prologue> prepareReply(ConversationStore &store, ConversationId conversation, MessageId question);

/// Begins an answer beside `cut` that begins with what `cut` says: the old one stays as a branch.
Result<Prologue> prepareContinuation(ConversationStore &store, ConversationId conversation, MessageId cut);

/// Whether an answer ended before its end, with something in it that can go on.
bool canGoOn(const StoredMessage &reply);

} // namespace perilune
