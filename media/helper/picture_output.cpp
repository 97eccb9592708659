#include "media/helper/picture_output.h"

#include "media/helper/orientation.h"

#include <algorithm>
#include <cstring>

namespace perilune::helper {

namespace {

constexpr std::uint64_t kLongestSide = 1u << 20; // pixels

/// round(a * b / 255), as Pillow has it.
std::uint8_t scaled(unsigned a, unsigned b)
{
    const unsigned t = a * b + 128;
    return static_cast<std::uint8_t>((t + (t >> 8)) >> 8);
}

std::uint8_t onWhite(unsigned colour, unsigned alpha)
{
    const unsigned t = colour * alpha + 255 * (255 - alpha) + 128;
    return static_cast<std::uint8_t>((t + (t >> 8)) >> 8);
}

bool hasAlpha(Layout layout)
{
    return layout == Layout::Rgba8 || layout == Layout::GrayAlpha8;
}

std::uint8_t withoutInk(unsigned white, unsigned ink)
{
    return static_cast<std::uint8_t>(white - scaled(ink, white));
}

} // namespace

std::size_t bytesPerPixel(Layout layout)
{
    switch (layout) {
    case Layout::Gray8: return 1;
    case Layout::GrayAlpha8:
    case Layout::Gray16: return 2;
    case Layout::Rgb8: return 3;
    case Layout::Rgba8:
    case Layout::Cmyk8: return 4;
    }
    return 0;
}

Error cutOff()
{
    return {ErrorCode::Corrupt, "is cut off: the file ends before the picture does"};
}

Error damaged()
{
    return {ErrorCode::Corrupt, "is damaged: its pixels can't be decoded"};
}

Status checkSize(std::uint64_t width, std::uint64_t height, std::uint64_t maxPixels)
{
    if (width == 0 || height == 0)
        return Error{ErrorCode::InvalidInput, "is " + std::to_string(width) + " x " + std::to_string(height) +
                                                  " pixels: there is nothing to see"};
    const std::string sides = std::to_string(width) + " x " + std::to_string(height);
    if (width > kLongestSide || height > kLongestSide) // which also keeps their product within 64 bits
        return Error{ErrorCode::InvalidInput, "is " + sides + " pixels, but no side may have more than " +
                                                  std::to_string(kLongestSide)};
    if (width * height > maxPixels) {
        return Error{ErrorCode::InvalidInput, "is " + sides + " pixels, more than the limit of " +
                                                  std::to_string(maxPixels / 1'000'000) + " million"};
    }
    return Done{};
}

Status PictureOutput::start(PictureForm form)
{
    m_form = std::move(form);
    if (auto fits = checkSize(m_form.width, m_form.height, m_request.maxPixels); !fits)
        return fits;
    if (!m_request.app)
        m_form.orientation = 1;
    if (m_request.app && !m_form.profile.empty()) {
        const auto space = m_form.layout == Layout::Cmyk8 ? ColourProfile::Space::Cmyk
                           : m_form.layout == Layout::Rgb8 || m_form.layout == Layout::Rgba8
                               ? ColourProfile::Space::Rgb
                               : ColourProfile::Space::Gray;
        if (m_form.layout != Layout::Gray16)
            m_profile = ColourProfile(m_form.profile, space);
    }
    m_turn = m_form.orientation != 1;
    if (m_turn)
        m_rows.reserve(std::size_t{m_form.width} * m_form.height * 3);
    const bool sideways = m_form.orientation >= 5;
    m_channel.send(protocol::Type::PictureStart,
                   pack(protocol::PictureStart{sideways ? m_form.height : m_form.width,
                                               sideways ? m_form.width : m_form.height, m_form.notes}));
    return Done{};
}

void PictureOutput::add(const std::uint8_t *rows, std::size_t count)
{
    const std::size_t rowBytes = std::size_t{m_form.width} * 3;
    const std::size_t step = std::size_t{m_form.width} * bytesPerPixel(m_form.layout);
    for (std::size_t i = 0; i < count; ++i) {
        m_rows.resize(m_rows.size() + rowBytes);
        convert(rows + i * step, m_rows.data() + m_rows.size() - rowBytes);
        if (!m_turn && m_rows.size() >= protocol::kRowsPayload) {
            m_channel.sendRows(m_rows, rowBytes);
            m_rows.clear();
        }
    }
}

void PictureOutput::finish()
{
    std::uint32_t width = m_form.width;
    if (m_turn) {
        m_rows = oriented(m_rows, m_form.width, m_form.height, m_form.orientation);
        if (m_form.orientation >= 5)
            width = m_form.height;
    }
    m_channel.sendRows(m_rows, std::size_t{width} * 3);
    m_rows.clear();
}

void PictureOutput::convert(const std::uint8_t *row, std::uint8_t *rgb)
{
    if (m_profile)
        convertByProfile(row, rgb);
    else if (m_form.layout == Layout::Gray16)
        convertGray16(row, rgb);
    else
        convertPlainly(row, rgb);
    if (!m_request.app)
        return;
    if (hasAlpha(m_form.layout))
        putOnWhite(row, rgb);
    else if (m_form.clear)
        clearToWhite(row, rgb);
}

void PictureOutput::convertByProfile(const std::uint8_t *row, std::uint8_t *rgb)
{
    const std::size_t size = bytesPerPixel(m_form.layout);
    const std::size_t colours = hasAlpha(m_form.layout) ? size - 1 : size;
    m_colours.resize(m_form.width * std::size_t{4});
    for (std::size_t x = 0; x < m_form.width; ++x)
        std::memcpy(&m_colours[x * colours], row + x * size, colours);
    m_profile.toSrgb(m_colours.data(), rgb, m_form.width);
}

void PictureOutput::convertGray16(const std::uint8_t *row, std::uint8_t *rgb) const
{
    for (std::size_t x = 0; x < m_form.width; ++x) {
        std::uint16_t value = 0;
        std::memcpy(&value, row + x * 2, 2);
        std::memset(rgb + x * 3, m_request.app ? value >> 8 : std::min<int>(value, 255), 3);
    }
}

void PictureOutput::convertPlainly(const std::uint8_t *row, std::uint8_t *rgb) const
{
    const std::size_t size = bytesPerPixel(m_form.layout);
    if (m_form.layout == Layout::Rgb8) {
        std::memcpy(rgb, row, std::size_t{m_form.width} * 3);
        return;
    }
    for (std::size_t x = 0; x < m_form.width; ++x, row += size, rgb += 3) {
        if (m_form.layout == Layout::Rgba8) {
            std::memcpy(rgb, row, 3);
        } else if (m_form.layout == Layout::Cmyk8) {
            for (std::size_t c = 0; c < 3; ++c)
                rgb[c] = withoutInk(255u - row[3], row[c]);
        } else {
            std::memset(rgb, row[0], 3);
        }
    }
}

void PictureOutput::putOnWhite(const std::uint8_t *row, std::uint8_t *rgb) const
{
    const std::size_t size = bytesPerPixel(m_form.layout);
    for (std::size_t x = 0; x < m_form.width; ++x) {
        for (std::size_t c = 0; c < 3; ++c)
            rgb[x * 3 + c] = onWhite(rgb[x * 3 + c], row[x * size + size - 1]);
    }
}

void PictureOutput::clearToWhite(const std::uint8_t *row, std::uint8_t *rgb) const
{
    for (std::size_t x = 0; x < m_form.width; ++x) {
        std::uint16_t value = row[x];
        if (m_form.layout == Layout::Gray16)
            std::memcpy(&value, row + x * 2, 2);
        if (m_form.clear == value)
            std::memset(rgb + x * 3, 255, 3);
    }
}

} // namespace perilune::helper
