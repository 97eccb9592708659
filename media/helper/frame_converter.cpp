#include "media/helper/frame_converter.h"

#include "media/helper/orientation.h"

#include <cstring>

namespace perilune::helper {

namespace {

constexpr int kHdHeight = 720; // from here on, unmarked video is BT.709

std::uint8_t onWhite(unsigned colour, unsigned alpha)
{
    const unsigned t = colour * alpha + 255 * (255 - alpha) + 128;
    return static_cast<std::uint8_t>((t + (t >> 8)) >> 8);
}

bool hasAlpha(int format)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
    return description && ((description->flags & AV_PIX_FMT_FLAG_ALPHA) || format == AV_PIX_FMT_PAL8);
}

} // namespace

void FrameConverter::setColours(const AVFrame &frame)
{
    int space = frame.colorspace;
    if (space == AVCOL_SPC_UNSPECIFIED)
        space = m_app && frame.height >= kHdHeight ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    const int full = frame.color_range == AVCOL_RANGE_JPEG ? 1 : 0;
    // Fails for formats that are RGB already, which have nothing to set.
    sws_setColorspaceDetails(m_scaler.get(), sws_getCoefficients(space), full,
                             sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
}

std::vector<std::uint8_t> FrameConverter::convert(const AVFrame &frame)
{
    if (frame.width <= 0 || frame.height <= 0 || frame.format < 0)
        return {};
    const bool alpha = m_app && hasAlpha(frame.format);
    const AVPixelFormat target = alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    m_scaler.reset(sws_getCachedContext(
        m_scaler.release(), frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), m_width,
        m_height, target, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr, nullptr, nullptr));
    const Frame made(av_frame_alloc());
    made->format = target;
    made->width = m_width;
    made->height = m_height;
    if (!m_scaler || av_frame_get_buffer(made.get(), 0) < 0)
        return {};
    setColours(frame);
    if (sws_scale(m_scaler.get(), frame.data, frame.linesize, 0, frame.height, made->data, made->linesize) <=
        0)
        return {};

    const auto width = static_cast<std::size_t>(m_width), height = static_cast<std::size_t>(m_height);
    std::vector<std::uint8_t> rgb(width * height * 3);
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint8_t *row = made->data[0] + static_cast<std::ptrdiff_t>(y) * made->linesize[0];
        std::uint8_t *out = &rgb[y * width * 3];
        if (!alpha) {
            std::memcpy(out, row, width * 3);
            continue;
        }
        for (std::size_t x = 0; x < width; ++x) {
            for (std::size_t c = 0; c < 3; ++c)
                out[x * 3 + c] = onWhite(row[x * 4 + c], row[x * 4 + 3]);
        }
    }
    return oriented(rgb, static_cast<std::uint32_t>(m_width), static_cast<std::uint32_t>(m_height),
                    m_orientation);
}

} // namespace perilune::helper
