// Chat: a long conversation is read where it is looked at.
#include "ui/viewmodel/chat.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::size_t kRowsAtOnce = 12; // of a short conversation
constexpr std::size_t kMostWaiting = 8; // chunks that were asked for last; who scrolled past needs no other

void addUnread(std::span<const MessageHead> heads, std::vector<TranscriptRow> &rows)
{
    for (const MessageHead &head : heads)
        std::ranges::move(unreadRows(head.id, head.role), std::back_inserter(rows));
}

/// What is nearest to the message `focus` comes to the end, where it is taken from.
template <typename Rows>
void sortFor(MessageId focus, std::vector<Rows> &later)
{
    std::ranges::stable_sort(later, std::greater(), [focus](const Rows &rows) {
        return rows.message > focus ? rows.message - focus : focus - rows.message;
    });
}

} // namespace

/// On the store thread: parsing takes longer than the window may stand still. Each message has an entry.
std::vector<Chat::MessageRows> Chat::readChunk(ConversationStore &store, std::span<const MessageHead> heads,
                                               Role next, std::vector<StoredMessage> &read)
{
    std::vector<StoredMessage> messages = readWords(store, heads);
    std::vector<MessageRows> apart;
    apart.reserve(messages.size());
    for (const StoredMessage &message : messages)
        apart.push_back({message.id, {}});
    auto of = apart.begin();
    for (TranscriptRow &row : rowsOf(std::span<const StoredMessage>(messages), next)) {
        while (of + 1 != apart.end() && of->message < row.message)
            ++of; // the actions of an answer that called tools stand with its last result
        of->rows.push_back(std::move(row));
    }
    std::ranges::move(messages, std::back_inserter(read));
    return apart;
}

Result<Chat::Loaded> Chat::load(ConversationStore &store, ConversationId id)
{
    return loadAt(store, id, 0);
}

Result<Chat::Loaded> Chat::loadAt(ConversationStore &store, ConversationId id, MessageId wanted)
{
    Result<PathOutline> outline = readOutline(store, id);
    if (!outline)
        return std::move(outline).error();
    Loaded loaded{.outline = *std::move(outline), .read = {}, .rows = {}, .later = {}};
    const std::span<const MessageHead> path = loaded.outline.path;
    const auto at = std::ranges::find(path, wanted, &MessageHead::id) - path.begin();
    std::vector<MessageRows> read;
    std::size_t rows = 0;
    for (const Chunk &chunk : openedChunks(path, static_cast<std::size_t>(at))) {
        for (MessageRows &message : readChunk(store, path.subspan(chunk.first, chunk.second - chunk.first),
                                              roleAfter(path, chunk), loaded.read)) {
            rows += message.rows.size();
            read.push_back(std::move(message));
        }
    }
    auto next = read.begin();
    for (const MessageHead &head : path) {
        const bool isRead = next != read.end() && next->message == head.id;
        // One message at once; the others follow a bit at a time, for drawing them takes time, too.
        if (isRead && (rows <= kRowsAtOnce || head.id == wanted || head.id == path.back().id)) {
            std::ranges::move(next->rows, std::back_inserter(loaded.rows));
        } else {
            addUnread(std::span(&head, 1), loaded.rows);
            if (isRead)
                loaded.later.push_back(std::move(*next));
        }
        if (isRead)
            ++next;
    }
    if (!path.empty())
        sortFor(wanted != 0 ? wanted : path.back().id, loaded.later);
    return loaded;
}

void Chat::read(qint64 message)
{
    const bool there = rowsShown() && m_path.head(message) != nullptr && m_path.message(message) == nullptr;
    if (!there)
        return;
    const auto same = [this, chunk = m_path.chunkOf(message)](MessageId other) {
        return m_path.head(other) && m_path.chunkOf(other) == chunk;
    };
    if (same(m_reading) || std::ranges::any_of(m_toRead, same))
        return;
    m_toRead.push_back(message);
    if (m_toRead.size() > kMostWaiting)
        m_toRead.erase(m_toRead.begin());
    readNext();
}

void Chat::readNext()
{
    if (m_reading != 0 || m_toRead.empty())
        return;
    const MessageId asked = m_toRead.back(); // what was asked for last is in view
    m_toRead.pop_back();
    if (!rowsShown() || !m_path.head(asked)) {
        readNext();
        return;
    }
    m_reading = asked;
    const Chunk chunk = m_path.chunkOf(asked);
    const std::vector<MessageHead> &path = m_path.heads();
    std::vector<MessageHead> heads(path.begin() + static_cast<std::ptrdiff_t>(chunk.first),
                                   path.begin() + static_cast<std::ptrdiff_t>(chunk.second));
    store().ask(
        [heads = std::move(heads), next = roleAfter(path, chunk)](ConversationStore &store) {
            Loaded loaded;
            loaded.later = readChunk(store, heads, next, loaded.read);
            return loaded;
        },
        [self = QPointer(this), question = m_question](Loaded loaded) {
            if (!self)
                return;
            const MessageId asked = std::exchange(self->m_reading, 0);
            if (question == self->m_question && self->rowsShown() && self->m_path.head(asked))
                self->showChunk(asked, std::move(loaded));
            self->readNext();
        });
}

void Chat::showChunk(MessageId asked, Loaded loaded)
{
    // An answer made again meanwhile has taken the place of some of it.
    if (!std::ranges::equal(m_path.idsOf(m_path.chunkOf(asked)), loaded.read, {}, {}, &StoredMessage::id))
        return;
    m_near = asked;
    m_path.keep(std::move(loaded.read));
    sortFor(asked, loaded.later);
    std::ranges::move(loaded.later, std::back_inserter(m_later));
    forgetFar();
    showLater();
}

/// One message after the other, each in a turn of its own: making the items of many rows would hold the
/// window.
void Chat::showLater()
{
    if (m_laterComes || m_later.empty())
        return;
    m_laterComes = true;
    QTimer::singleShot(1, this, &Chat::showNext);
}

void Chat::showNext()
{
    m_laterComes = false;
    if (m_later.empty())
        return;
    MessageRows next = std::move(m_later.back());
    m_later.pop_back();
    if (m_path.message(next.message)) {
        replaceRows(std::span(&next.message, 1), std::move(next.rows));
        for (const auto &[turn, call] : m_calls) {
            if (call.message == next.message)
                m_transcript.setStep(call.message, call.index, call.step);
        }
    }
    showLater();
}

void Chat::forgetFar()
{
    for (const Chunk &far : m_path.tooMany(m_near, m_foundMessage)) {
        // What was read and not shown yet is skipped, for its words are forgotten.
        std::vector<TranscriptRow> rows;
        addUnread(std::span(m_path.heads()).subspan(far.first, far.second - far.first), rows);
        replaceRows(m_path.idsOf(far), std::move(rows));
        m_path.forget(far);
    }
}

void Chat::replaceRows(std::span<const MessageId> messages, std::vector<TranscriptRow> rows)
{
    const int more = m_transcript.replaceMessages(messages, std::move(rows));
    if (LiveReply *live = liveIn(m_conversation))
        live->move(more);
}

} // namespace perilune::ui
