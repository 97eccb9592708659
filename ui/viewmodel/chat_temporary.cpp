// Chat: chats that leave no trace on the disk.
#include "ui/viewmodel/chat.h"

#include <QPointer>

#include <utility>

namespace perilune::ui {
namespace {

constexpr ConversationId kAnyTemporary = INT64_MAX; // names their store

/// Takes a temporary chat out of memory.
void forgetForGood(ConversationStore &store, ConversationId id)
{
    if (id != 0 && store.remove(id))
        (void)store.emptyBin(nowMs() + 1);
}

} // namespace

void Chat::openTemporary()
{
    if (temporary() && empty())
        return;
    if (m_temporary != 0)
        m_services.turns->stop(m_services.turns->turnIn(m_temporary));
    m_services.storeOf(kAnyTemporary)
        .ask(
            [old = std::exchange(m_temporary, 0)](ConversationStore &store) {
                forgetForGood(store, old);
                return store.create();
            },
            [self = QPointer(this)](const Result<ConversationId> &id) {
                if (!self)
                    return;
                if (!id) {
                    self->report(id.error());
                    return;
                }
                if (self->temporary())
                    self->m_conversation = 0; // that one is gone: there is no way back to it
                self->m_temporary = *id;
                self->open(*id);
            });
}

void Chat::returnToTemporary()
{
    if (m_temporary != 0)
        open(m_temporary);
}

void Chat::fetchTitle(ConversationId conversation)
{
    m_services.storeOf(conversation)
        .ask([conversation](ConversationStore &store) { return readOutline(store, conversation); },
             [self = QPointer(this), conversation](const Result<PathOutline> &outline) {
                 if (self && outline)
                     self->setTitle(conversation, QString::fromStdString(outline->title));
             });
}

void Chat::keepTemporary()
{
    if (!temporary() || empty() || busy() || !rowsShown())
        return;
    struct Whole {
        StoredConversation conversation;
        std::vector<StoredMessage> tree;
    };
    store().ask(
        [id = m_conversation](ConversationStore &store) -> Result<Whole> {
            Result<StoredConversation> conversation = store.load(id);
            if (!conversation)
                return std::move(conversation).error();
            Result<std::vector<StoredMessage>> tree = store.loadTree(id);
            if (!tree)
                return std::move(tree).error();
            return Whole{*std::move(conversation), *std::move(tree)};
        },
        [self = QPointer(this), id = m_conversation](Result<Whole> whole) {
            if (!self)
                return;
            if (!whole) {
                self->report(whole.error());
                return;
            }
            self->m_services.storeOf(0).ask(
                [whole = *std::move(whole)](ConversationStore &store) {
                    const std::vector<StoredMessage> &path = whole.conversation.path;
                    return store.import(whole.conversation.row.title, whole.conversation.systemPrompt,
                                        whole.tree, path.empty() ? 0 : path.back().id);
                },
                [self, id](const Result<ConversationId> &kept) {
                    if (!self)
                        return;
                    if (!kept) {
                        self->report(kept.error());
                        return;
                    }
                    if (self->m_conversation == id) {
                        self->m_services.composer->adopt(*kept); // what is being written comes along
                        self->m_conversation = 0; // it isn't left, it goes on under another number
                        self->open(*kept);
                    }
                    self->m_temporary = 0;
                    self->m_services.storeOf(id).run(
                        [id](ConversationStore &store) { forgetForGood(store, id); });
                    emit self->listChanged();
                });
        });
}

} // namespace perilune::ui
