#pragma once

#include "engine/base/result.h"
#include "media/helper/channel.h"
#include "media/helper/colour_profile.h"
#include "media/helper/source_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune::helper {

/// How a decoder's rows are laid out.
enum class Layout {
    Gray8,
    GrayAlpha8,
    Rgb8,
    Rgba8,
    Gray16, ///< two bytes, of this machine's order
    Cmyk8,  ///< inks: 255 is full
};

std::size_t bytesPerPixel(Layout layout);

/// What a decoder knows when it begins.
struct PictureForm {
    std::uint32_t width = 0, height = 0;
    Layout layout = Layout::Rgb8;
    std::uint32_t orientation = 1;        ///< EXIF, 1 to 8
    std::vector<std::uint8_t> profile{};  ///< ICC; empty where there is none
    std::optional<std::uint32_t> clear{}; ///< the gray value that means transparent
    std::vector<std::string> notes{};
};

/// Checks a picture's size against the limit, before anything is allocated for it.
Status checkSize(std::uint64_t width, std::uint64_t height, std::uint64_t maxPixels);

/// The sentence for a picture that ends too early, and for one that contradicts itself.
Error cutOff();
Error damaged();

/// Takes rows as decoders have them and sends them as people see them: 8-bit sRGB. With `app`, upright, on
/// white where transparent, and converted from the picture's own colour profile. Without, as Pillow's
/// convert("RGB") has it.
class PictureOutput {
public:
    PictureOutput(Channel &channel, const protocol::Request &request) : m_channel(channel), m_request(request)
    {
    }

    Status start(PictureForm form);

    /// Whole rows, from the top, (rows, width, bytesPerPixel).
    void add(const std::uint8_t *rows, std::size_t count);

    /// Once, after the last row.
    void finish();

    std::uint64_t maxPixels() const { return m_request.maxPixels; }
    bool app() const { return m_request.app; }

private:
    // One row of the decoder's to RGB.
    void convert(const std::uint8_t *row, std::uint8_t *rgb);
    void convertByProfile(const std::uint8_t *row, std::uint8_t *rgb);
    void convertGray16(const std::uint8_t *row, std::uint8_t *rgb) const;
    void convertPlainly(const std::uint8_t *row, std::uint8_t *rgb) const;
    void putOnWhite(const std::uint8_t *row, std::uint8_t *rgb) const;
    void clearToWhite(const std::uint8_t *row, std::uint8_t *rgb) const;

    Channel &m_channel;
    const protocol::Request &m_request;
    PictureForm m_form;
    ColourProfile m_profile;
    bool m_turn = false;                 // rows are kept until all are there
    std::vector<std::uint8_t> m_rows;    // RGB, not sent yet
    std::vector<std::uint8_t> m_colours; // one row, without alpha, for the profile
};

} // namespace perilune::helper
