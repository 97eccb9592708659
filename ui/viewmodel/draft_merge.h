#pragma once

#include "app/store/conversation_store.h"
#include "engine/api/message.h"

namespace perilune::ui {

/// What a message was before it was sent.
Draft draftOf(const Message &message);

/// One draft of two: the attachments of both, the words of `first`, an empty line, the words of `then`.
Draft merged(Draft first, const Draft &then);

/// Whether both would send the same: blanks around the words don't count.
bool sendsTheSame(const Draft &one, const Draft &other);

enum class Place { Before, After };

struct KeptDraft {
    Draft draft; ///< of the conversation, `returned` included
    bool saved = false;
};

/// Adds `returned` to the stored draft of `conversation`, unless it is that already.
KeptDraft keepInDraft(ConversationStore &store, ConversationId conversation, const Draft &returned,
                      Place place);

} // namespace perilune::ui
