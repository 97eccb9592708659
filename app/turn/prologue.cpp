#include "app/turn/prologue.h"

#include "app/turn/reply_task.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

std::vector<ReplyPiece> piecesOf(const Message &message)
{
    std::vector<ReplyPiece> pieces;
    for (const Part &part : message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            pieces.push_back({ReplyPiece::Kind::Text, words->text, {}, {}});
        else if (const auto *thought = std::get_if<ThinkingPart>(&part))
            pieces.push_back({ReplyPiece::Kind::Thinking, thought->text, {}, {}});
    }
    return pieces;
}

} // namespace

Result<Prologue> prepareReply(ConversationStore &store, ConversationId conversation, MessageId question)
{
    const Result<std::string> prompt = store.systemPrompt(conversation);
    if (!prompt)
        return prompt.error();
    const Result<std::vector<StoredMessage>> path = store.loadPath(question);
    if (!path)
        return path.error();
    const Result<MessageId> reply = store.beginReply(conversation, question);
    if (!reply)
        return reply.error();
    Result<StoredMessage> stored = store.message(*reply);
    if (!stored)
        return std::move(stored).error();
    return Prologue{requestMessages(*prompt, *path), std::move(*stored)};
}

Result<Prologue> prepareContinuation(ConversationStore &store, ConversationId conversation, MessageId cut)
{
    const Result<StoredMessage> old = store.message(cut);
    if (!old)
        return old.error();
    if (!canGoOn(*old))
        return Error{ErrorCode::InvalidInput, "this answer can't be continued"};
    Result<Prologue> prologue = prepareReply(store, conversation, old->parent);
    if (!prologue)
        return prologue;
    // Kept at once: nothing that was said is ever in memory only.
    if (Status kept = store.checkpointReply(prologue->reply.id, piecesOf(old->message)); !kept)
        return std::move(kept).error();
    prologue->reply.message.parts = old->message.parts;
    prologue->messages.push_back(old->message);
    prologue->continues = true;
    return prologue;
}

bool canGoOn(const StoredMessage &reply)
{
    const bool cut = reply.state == MessageState::Cancelled || reply.state == MessageState::Failed ||
                     (reply.stats && reply.stats->summary.finish == ReplySummary::Finish::Length);
    const bool calls = std::ranges::any_of(
        reply.message.parts, [](const Part &part) { return std::holds_alternative<ToolCallPart>(part); });
    return reply.message.role == Role::Assistant && reply.state != MessageState::Streaming && cut && !calls &&
           !reply.message.parts.empty();
}

} // namespace perilune
