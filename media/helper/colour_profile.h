#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perilune::helper {

/// Converts rows from a picture's ICC profile to sRGB: perceptual intent, no black point compensation. False
/// where there is nothing to do: the profile is sRGB itself, is damaged, or is of another space than the
/// pixels.
class ColourProfile {
public:
    enum class Space { Gray, Rgb, Cmyk };

    ColourProfile() = default;
    ColourProfile(const std::vector<std::uint8_t> &profile, Space space);

    explicit operator bool() const { return m_transform != nullptr; }

    /// `pixels` pixels of 8-bit channels, without alpha; CMYK as inks. `rgb` must not overlap `from`.
    void toSrgb(const std::uint8_t *from, std::uint8_t *rgb, std::size_t pixels) const;

private:
    std::shared_ptr<void> m_transform;
};

} // namespace perilune::helper
