#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perilune {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces; how they are cut makes no difference.
class Sha256 {
public:
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }

    /// The digest of all that was added, in lower-case hex. Nothing may be added afterwards.
    std::string finishHex();

private:
    void block(const std::uint8_t *bytes);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> m_tail{};
    std::size_t m_tailSize = 0;
    std::uint64_t m_total = 0; // bytes
};

} // namespace perilune
