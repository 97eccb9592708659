// Chat: the branches of a conversation.
#include "ui/viewmodel/chat.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace perilune::ui {

const StoredMessage *Chat::changeable(qint64 message) const
{
    return busy() || !rowsShown() ? nullptr : m_path.message(message);
}

void Chat::showBranch(qint64 message, int step)
{
    const StoredMessage *shown = changeable(message);
    if (!shown)
        return;
    m_wanted = {};
    reload(m_rowsOf,
           [message, parent = shown->parent, step](ConversationStore &store,
                                                   ConversationId id) -> Result<Loaded> {
               const Result<std::vector<MessageId>> siblings = store.children(id, parent);
               if (!siblings)
                   return siblings.error();
               const auto own = std::ranges::find(*siblings, message);
               const auto wanted = own - siblings->begin() + step;
               if (wanted >= 0 && wanted < std::ssize(*siblings)) {
                   Status selected = store.selectBranch((*siblings)[static_cast<std::size_t>(wanted)]);
                   if (!selected)
                       return std::move(selected).error();
               }
               return load(store, id);
           });
}

QString Chat::wordsOf(qint64 message) const
{
    const StoredMessage *found = m_path.message(message);
    return found ? ui::copyText(found->message) : QString();
}

bool Chat::isFromPerson(qint64 message) const
{
    const MessageHead *found = m_path.head(message);
    return found && found->role == Role::User;
}

qint64 Chat::lastMessage(bool answers) const
{
    return rowsShown() ? m_path.lastOf(answers ? Role::Assistant : Role::User) : 0;
}

void Chat::edit(qint64 message, const QString &words)
{
    const StoredMessage *old = changeable(message);
    if (!old || words.trimmed().isEmpty())
        return;
    Message edited = old->message;
    // Its pictures stay, the words are one part, thoughts were of the old answer.
    std::erase_if(edited.parts, [](const Part &part) { return !std::holds_alternative<MediaPart>(part); });
    edited.parts.emplace_back(TextPart{words.trimmed().toStdString()});
    if (edited.role == Role::User) {
        const TurnId turn = m_services.turns->start({.conversation = m_conversation,
                                                     .parent = old->parent,
                                                     .message = edited,
                                                     .options = options(),
                                                     .keepsDraft = true});
        m_unstored.emplace(turn, Unstored{.conversation = m_conversation, .message = std::move(edited)});
        follow(turn);
        return;
    }
    reload(m_rowsOf,
           [parent = old->parent, edited](ConversationStore &store, ConversationId id) -> Result<Loaded> {
               Result<StoredMessage> stored = store.append(id, parent, edited);
               if (!stored)
                   return std::move(stored).error();
               return load(store, id);
           });
}

void Chat::fork(qint64 message)
{
    if (!changeable(message))
        return;
    store().ask([message](ConversationStore &store) { return store.fork(message); },
                [self = QPointer(this)](Result<ConversationId> id) {
                    if (!self)
                        return;
                    if (!id) {
                        self->report(id.error());
                        return;
                    }
                    self->open(*id);
                    emit self->listChanged();
                });
}

void Chat::removeMessage(qint64 message)
{
    if (!changeable(message))
        return;
    store().ask([message](ConversationStore &store) { return store.removeBranch(message); },
                [self = QPointer(this), message, id = m_conversation](const Status &status) {
                    if (!self)
                        return;
                    if (!status) {
                        self->report(status.error());
                        return;
                    }
                    self->m_removed = {message};
                    self->m_removedFrom = id;
                    emit self->removed(tr("The message is in the bin, with what followed it."));
                    if (id == self->m_conversation)
                        self->reload(self->m_rowsOf, &Chat::load);
                });
}

void Chat::keepOnlyThis()
{
    if (busy() || !rowsShown() || m_conversation == 0)
        return;
    store().ask([id = m_conversation](ConversationStore &store) { return store.keepOnlyPath(id); },
                [self = QPointer(this), id = m_conversation](Result<std::vector<MessageId>> gone) {
                    if (!self)
                        return;
                    if (!gone) {
                        self->report(gone.error());
                        return;
                    }
                    self->m_removed = *std::move(gone);
                    self->m_removedFrom = id;
                    emit self->removed(tr("The other branches are in the bin."));
                    if (id == self->m_conversation)
                        self->reload(self->m_rowsOf, &Chat::load);
                });
}

void Chat::undoRemove()
{
    if (m_removed.empty())
        return;
    m_services.storeOf(m_removedFrom)
        .ask([messages = std::exchange(m_removed, {})](
                 ConversationStore &store) { return store.restoreBranches(messages); },
             [self = QPointer(this), id = m_removedFrom](const Status &status) {
                 if (!self)
                     return;
                 if (!status)
                     self->report(status.error());
                 if (id == self->m_conversation && !self->busy())
                     self->reload(self->m_rowsOf, &Chat::load);
             });
}

void Chat::openAt(qint64 conversation, qint64 message, const QString &words)
{
    if (message == 0) {
        open(conversation);
        return;
    }
    const auto how = [message](ConversationStore &store, ConversationId id) -> Result<Loaded> {
        Result<Loaded> loaded = loadAt(store, id, message);
        if (!loaded || std::ranges::binary_search(loaded->outline.path, message, {}, &MessageHead::id))
            return loaded;
        // On another branch; a store that can only be read shows what it shows.
        if (!store.selectBranch(message))
            return loaded;
        return loadAt(store, id, message);
    };
    openWith(conversation, {message, words}, how);
}

} // namespace perilune::ui
