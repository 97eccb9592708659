#pragma once

#include <cstdint>
#include <vector>

namespace perilune {

struct ResampleAxis;

/// Narrows (or widens) one row of pixels by the weights of an axis. The same sums, whatever the processor;
/// with AVX2 four weights at a time.
class RowNarrower {
public:
    RowNarrower() = default;
    explicit RowNarrower(const ResampleAxis &axis, std::uint32_t width);

    /// row (width, 3) to out (outputs, 3).
    void narrow(const ResampleAxis &axis, const std::uint8_t *row, std::uint8_t *out);

private:
    std::uint32_t m_width = 0;
    // For AVX2, empty without it. A weight w is kept as w = high * 2048 + low, in 16 bits each, because
    // products of 16-bit numbers come in pairs and at once; the sum of both parts is the same number.
    std::vector<std::int16_t> m_quads; ///< (outputs, groups, 8): four high parts, four low parts
    std::uint32_t m_groups = 0;        ///< of four inputs, for each output
    std::vector<std::uint8_t> m_row;   ///< the row, with room to read beyond its end
};

} // namespace perilune
