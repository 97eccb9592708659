#include "engine/session/dispatch_collector.h"

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
    constexpr std::uint64_t kAlignment = 256;
    auto buffer = std::make_unique<PretendedBuffer>(m_next, bytes, kind);
    m_next += (bytes + kAlignment) / kAlignment * kAlignment;
    return std::unique_ptr<Buffer>(std::move(buffer));
}

void DispatchCollector::dispatch(const Dispatch &dispatch)
{
    if (!m_seen.insert({dispatch.code.data(), dispatch.constants}).second)
        return;
    m_dispatches.push_back({.name = dispatch.name,
                            .code = dispatch.code,
                            .groups = dispatch.groups,
                            .constants = dispatch.constants,
                            .params = {},
                            .reads = {},
                            .writes = {}});
}

} // namespace perilune
