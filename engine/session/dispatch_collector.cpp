#include "engine/session/dispatch_collector.h"

#include "engine/gpu/memory_blocks.h"

#include <algorithm>

namespace perilune {

namespace {

class PretendedBuffer : public Buffer {
public:
    PretendedBuffer(std::uint64_t address, std::uint64_t bytes, MemoryKind kind)
        : m_address(address),
          m_bytes(bytes),
          m_memory(kind == MemoryKind::Host ? bytes : 0)
    {
    }
    std::uint64_t address() const override { return m_address; }
    std::uint64_t bytes() const override { return m_bytes; }
    std::byte *mapped() const override { return m_memory.empty() ? nullptr : m_memory.data(); }

private:
    std::uint64_t m_address, m_bytes;
    mutable std::vector<std::byte> m_memory; // the pointer is the buffer's, as on a real device
};

} // namespace

Result<std::unique_ptr<Buffer>> DispatchCollector::allocate(std::uint64_t bytes, MemoryKind kind,
                                                            std::string_view)
{
    auto buffer = std::make_unique<PretendedBuffer>(m_next, bytes, kind);
    m_next += alignedBytes(bytes + 1); // so that neighbours never touch
    return std::unique_ptr<Buffer>(std::move(buffer));
}

void DispatchCollector::dispatch(const Dispatch &dispatch)
{
    const auto [place, isNew] =
        m_seen.try_emplace({dispatch.code.data(), dispatch.constants}, m_dispatches.size());
    if (!isNew) {
        std::array<std::uint32_t, 3> &groups = m_dispatches[place->second].groups;
        for (std::size_t i = 0; i < groups.size(); ++i)
            groups[i] = std::max(groups[i], dispatch.groups[i]);
        return;
    }
    m_dispatches.push_back({.name = dispatch.name,
                            .code = dispatch.code,
                            .groups = dispatch.groups,
                            .constants = dispatch.constants,
                            .params = {},
                            .reads = {},
                            .writes = {}});
}

} // namespace perilune
