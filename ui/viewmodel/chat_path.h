#pragma once

#include "app/store/path_outline.h"

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace perilune::ui {

/// Messages of a path that are read, shown and forgotten together: positions from and to. A result of a tool
/// is never parted from its call.
using Chunk = std::pair<std::size_t, std::size_t>;
constexpr std::size_t kChunkMessages = 16; ///< more only where results follow

/// The chunk that position `at` of `path` is in.
Chunk chunkAt(std::span<const MessageHead> path, std::size_t at);
/// Who speaks after `chunk`; the person where nobody does yet.
Role roleAfter(std::span<const MessageHead> path, Chunk chunk);

/// The chunks that are read when a conversation opens, in order: those at its end, the one with the person's
/// last message, and those around position `wanted`. Their number doesn't grow with the conversation.
std::vector<Chunk> openedChunks(std::span<const MessageHead> path, std::size_t wanted);

/// The messages in view, from the first one to the end of the branch: all of them by their numbers, their
/// words only where they were read and not forgotten since.
class ChatPath {
public:
    bool empty() const { return m_heads.empty(); }
    const std::vector<MessageHead> &heads() const { return m_heads; }
    /// The last message; 0 where there is none.
    MessageId last() const { return m_heads.empty() ? 0 : m_heads.back().id; }

    void reset(std::vector<MessageHead> heads, std::vector<StoredMessage> read);
    /// Adds a message that came at the end.
    void push(StoredMessage message);
    void popLast();
    /// Drops what follows `parent` (0: everything) and gives the first that went; 0 where nothing did.
    MessageId dropAfter(MessageId parent);

    /// Null where there is no such message.
    const MessageHead *head(MessageId message) const;
    /// With its words; null where it isn't read.
    const StoredMessage *message(MessageId message) const;
    /// The last message of that role; 0 where there is none.
    MessageId lastOf(Role role) const;
    /// The last message that is no result of a tool; empty where there is none, or it isn't read.
    std::span<const StoredMessage> lastNoResult() const;

    /// The chunk of `message`, which must be in the path.
    Chunk chunkOf(MessageId message) const;
    std::vector<MessageId> idsOf(Chunk chunk) const;
    void keep(std::vector<StoredMessage> read);

    /// Where much is read: the chunks to forget, the farthest from `near` first. What was opened at the end
    /// and the chunk of `kept` aren't among them.
    std::vector<Chunk> tooMany(MessageId near, MessageId kept) const;
    void forget(Chunk chunk);
    /// How many messages have their words here.
    std::size_t readCount() const { return m_read.size(); }

private:
    std::vector<MessageHead>::const_iterator find(MessageId message) const;

    std::vector<MessageHead> m_heads;
    std::map<MessageId, StoredMessage> m_read;
};

} // namespace perilune::ui
