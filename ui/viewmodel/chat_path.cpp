#include "ui/viewmodel/chat_path.h"

#include "engine/base/check.h"

#include <algorithm>
#include <set>

namespace perilune::ui {
namespace {

constexpr std::size_t kAtEnd = 24;     // messages that are read at the end: more than a view shows
constexpr std::size_t kAround = 8;     // messages before and after one that was searched for
constexpr std::size_t kMostRead = 480; // messages whose words are kept

/// The first position from `at` on that is no result of a tool.
std::size_t boundary(std::span<const MessageHead> path, std::size_t at)
{
    at = std::min(at, path.size());
    while (at > 0 && at < path.size() && path[at].role == Role::Tool)
        ++at;
    return at;
}

std::size_t lastPosition(std::span<const MessageHead> path, Role role)
{
    const auto found = std::ranges::find(path.rbegin(), path.rend(), role, &MessageHead::role);
    return found == path.rend() ? path.size() : static_cast<std::size_t>(path.rend() - found) - 1;
}

std::size_t beginOfEnd(std::span<const MessageHead> path)
{
    return path.empty() ? 0 : chunkAt(path, path.size() - std::min(path.size(), kAtEnd)).first;
}

} // namespace

Chunk chunkAt(std::span<const MessageHead> path, std::size_t at)
{
    CHECK(at < path.size());
    std::size_t number = at / kChunkMessages;
    std::size_t end = boundary(path, (number + 1) * kChunkMessages);
    std::size_t begin = boundary(path, number * kChunkMessages);
    while (begin > at) {
        end = begin;
        begin = boundary(path, --number * kChunkMessages);
    }
    return {begin, end};
}

Role roleAfter(std::span<const MessageHead> path, Chunk chunk)
{
    return chunk.second < path.size() ? path[chunk.second].role : Role::User;
}

std::vector<Chunk> openedChunks(std::span<const MessageHead> path, std::size_t wanted)
{
    std::set<Chunk> chunks;
    for (std::size_t at = beginOfEnd(path); at < path.size(); at = chunkAt(path, at).second)
        chunks.insert(chunkAt(path, at));
    if (const std::size_t person = lastPosition(path, Role::User); person < path.size())
        chunks.insert(chunkAt(path, person));
    if (wanted < path.size()) {
        for (const std::size_t at :
             {wanted - std::min(wanted, kAround), wanted, std::min(wanted + kAround, path.size() - 1)})
            chunks.insert(chunkAt(path, at));
    }
    return {chunks.begin(), chunks.end()};
}

void ChatPath::reset(std::vector<MessageHead> heads, std::vector<StoredMessage> read)
{
    m_heads = std::move(heads);
    m_read.clear();
    keep(std::move(read));
}

void ChatPath::push(StoredMessage message)
{
    m_heads.push_back({.id = message.id,
                       .parent = message.parent,
                       .role = message.message.role,
                       .state = message.state,
                       .branch = message.branch,
                       .branches = message.branches});
    m_read.insert_or_assign(message.id, std::move(message));
}

void ChatPath::popLast()
{
    CHECK(!m_heads.empty());
    m_read.erase(m_heads.back().id);
    m_heads.pop_back();
}

MessageId ChatPath::dropAfter(MessageId parent)
{
    const auto last = find(parent);
    const auto gone = parent == 0 ? m_heads.cbegin() : last == m_heads.cend() ? last : last + 1;
    if (gone == m_heads.cend())
        return 0;
    const MessageId first = gone->id;
    for (auto at = gone; at != m_heads.cend(); ++at)
        m_read.erase(at->id);
    m_heads.erase(gone, m_heads.cend());
    return first;
}

std::vector<MessageHead>::const_iterator ChatPath::find(MessageId message) const
{
    const auto found = std::ranges::lower_bound(m_heads, message, {}, &MessageHead::id);
    return found != m_heads.end() && found->id == message ? found : m_heads.end();
}

const MessageHead *ChatPath::head(MessageId message) const
{
    const auto found = find(message);
    return found == m_heads.end() ? nullptr : &*found;
}

const StoredMessage *ChatPath::message(MessageId message) const
{
    const auto found = m_read.find(message);
    return found == m_read.end() ? nullptr : &found->second;
}

MessageId ChatPath::lastOf(Role role) const
{
    const std::size_t at = lastPosition(m_heads, role);
    return at < m_heads.size() ? m_heads[at].id : 0;
}

std::span<const StoredMessage> ChatPath::lastNoResult() const
{
    const auto found = std::ranges::find_if(m_heads.rbegin(), m_heads.rend(),
                                            [](const MessageHead &head) { return head.role != Role::Tool; });
    const StoredMessage *read = found == m_heads.rend() ? nullptr : message(found->id);
    return read ? std::span(read, 1) : std::span<const StoredMessage>();
}

Chunk ChatPath::chunkOf(MessageId message) const
{
    const auto found = find(message);
    CHECK(found != m_heads.end());
    return chunkAt(m_heads, static_cast<std::size_t>(found - m_heads.begin()));
}

std::vector<MessageId> ChatPath::idsOf(Chunk chunk) const
{
    std::vector<MessageId> ids;
    for (std::size_t at = chunk.first; at < chunk.second; ++at)
        ids.push_back(m_heads[at].id);
    return ids;
}

void ChatPath::keep(std::vector<StoredMessage> read)
{
    for (StoredMessage &message : read) {
        const MessageId id = message.id;
        m_read.insert_or_assign(id, std::move(message));
    }
}

std::vector<Chunk> ChatPath::tooMany(MessageId near, MessageId kept) const
{
    if (m_read.size() <= kMostRead || find(near) == m_heads.end())
        return {};
    const auto here = static_cast<std::size_t>(find(near) - m_heads.begin());
    const std::vector<Chunk> opened = openedChunks(m_heads, m_heads.size());
    const std::size_t end = beginOfEnd(m_heads);
    std::vector<Chunk> chunks;
    for (std::size_t at = 0; at < end; at = chunkAt(m_heads, at).second) {
        const Chunk chunk = chunkAt(m_heads, at);
        const std::vector<MessageId> ids = idsOf(chunk);
        if (m_read.contains(ids.front()) && std::ranges::find(opened, chunk) == opened.end() &&
            std::ranges::find(ids, kept) == ids.end())
            chunks.push_back(chunk);
    }
    const auto distance = [here](const Chunk &chunk) {
        return chunk.first > here ? chunk.first - here : here - chunk.first;
    };
    std::ranges::sort(chunks, std::greater(), distance);
    std::size_t left = m_read.size();
    std::size_t count = 0;
    while (count < chunks.size() && left > kMostRead && distance(chunks[count]) > kMostRead / 4) {
        left -= std::min(left, chunks[count].second - chunks[count].first);
        ++count;
    }
    chunks.resize(count);
    return chunks;
}

void ChatPath::forget(Chunk chunk)
{
    for (const MessageId id : idsOf(chunk))
        m_read.erase(id);
}

} // namespace perilune::ui
