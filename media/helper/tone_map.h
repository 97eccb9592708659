#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perilune::helper {

/// From high dynamic range video (BT.2100, with the primaries of BT.2020) to sRGB.
///
/// White is 203 nits, the brightness of paper in such video (ITU-R BT.2408). What is darker than about half
/// of that stays as it is; what is brighter is compressed up to the peak by the curve of ITU-R BT.2390, by
/// the brightest channel of a pixel so that hues stay. What sRGB can't show is cut off.
class ToneMap {
public:
    enum class Transfer { Pq, Hlg };

    static constexpr double kWhiteNits = 203, kUsualPeakNits = 1000;

    /// `peakNits` is the brightest that PQ video holds. HLG is relative: its peak is taken for 1000 nits.
    ToneMap(Transfer transfer, double peakNits);

    double peakNits() const { return m_peak; }

    /// `pixels` of 3 16-bit samples each, as stored (not linear), to 3 bytes each.
    void map(const std::uint16_t *row, std::size_t pixels, std::uint8_t *out) const;

private:
    float gain(float nits) const;

    double m_peak;
    bool m_hlg;
    std::vector<float> m_linear; // of each 16-bit sample: nits (PQ), light of the scene from 0 to 1 (HLG)
    std::vector<float> m_gain;   // by the square root of a brightness: what to multiply it by
    std::vector<float> m_system; // HLG: by the square root of a scene's luminance: nits for each unit of it
    std::vector<std::uint8_t> m_srgb; // by light from 0 to 1
};

} // namespace perilune::helper
