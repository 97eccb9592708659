#include "media/helper/frame_converter.h"

#include "media/helper/orientation.h"

extern "C" {
#include <libavutil/mastering_display_metadata.h>
}

#include <cstring>

namespace perilune::helper {

namespace {

constexpr int kHdHeight = 720; // from here on, unmarked video is BT.709

/// Large frames are made smaller for the model; what the careful way of scaling FFmpeg has would gain for
/// them is lost then, and it takes ten times as long.
constexpr int kCarefulHeight = 720;

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

std::optional<ToneMap::Transfer> highRange(const AVFrame &frame)
{
    if (frame.color_trc == AVCOL_TRC_SMPTE2084)
        return ToneMap::Transfer::Pq;
    if (frame.color_trc == AVCOL_TRC_ARIB_STD_B67)
        return ToneMap::Transfer::Hlg;
    return std::nullopt;
}

/// How bright its brightest pixels are, as far as the video says so.
double peakNits(const AVFrame &frame)
{
    if (const auto *side = av_frame_get_side_data(&frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)) {
        const auto *light = reinterpret_cast<const AVContentLightMetadata *>(side->data);
        if (light->MaxCLL > 0)
            return light->MaxCLL;
    }
    if (const auto *side = av_frame_get_side_data(&frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)) {
        const auto *display = reinterpret_cast<const AVMasteringDisplayMetadata *>(side->data);
        if (display->has_luminance && display->max_luminance.num > 0 && display->max_luminance.den > 0)
            return av_q2d(display->max_luminance);
    }
    return ToneMap::kUsualPeakNits;
}

bool isInterlaced(const AVFrame &frame)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
}

bool upperFieldIsFirst(const AVFrame &frame)
{
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
    return (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame.top_field_first != 0;
#endif
}

/// The rows to scale: all of a frame, or those of its earlier field.
struct Rows {
    const std::uint8_t *data[4];
    int linesize[4];
    int height;
};

Rows rowsOf(const AVFrame &frame, bool field)
{
    Rows rows{{}, {}, frame.height};
    const bool lower = field && !upperFieldIsFirst(frame);
    for (int plane = 0; plane < 4; ++plane) {
        rows.data[plane] = frame.data[plane];
        rows.linesize[plane] = frame.linesize[plane];
        if (field && frame.data[plane]) {
            rows.data[plane] += lower ? frame.linesize[plane] : 0;
            rows.linesize[plane] *= 2;
        }
    }
    if (field)
        rows.height /= 2;
    return rows;
}

/// A field as a frame of half the height makes sense only where planes hold rows of samples, and of the
/// chroma, too, each field has rows of its own.
bool canTakeField(const AVFrame &frame)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    return description && !(description->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM)) &&
           frame.height >= 4 && frame.height % 4 == 0;
}

} // namespace

void FrameConverter::setColours(const AVFrame &frame)
{
    int space = frame.colorspace;
    if (space == AVCOL_SPC_UNSPECIFIED && m_toneMap)
        space = AVCOL_SPC_BT2020_NCL;
    if (space == AVCOL_SPC_UNSPECIFIED)
        space = m_app && frame.height >= kHdHeight ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    const int full = frame.color_range == AVCOL_RANGE_JPEG ? 1 : 0;
    // Fails for formats that are RGB already, which have nothing to set.
    sws_setColorspaceDetails(m_scaler.get(), sws_getCoefficients(space), full,
                             sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
}

void FrameConverter::chooseToneMap(const AVFrame &frame)
{
    const auto transfer = m_app ? highRange(frame) : std::nullopt;
    if (!transfer)
        m_toneMap.reset();
    else if (!m_toneMap)
        m_toneMap.emplace(*transfer, peakNits(frame)); // that of the first frame serves them all
}

/// The frame in the size of the stream and another format; empty where that can't be.
Frame FrameConverter::scaled(const AVFrame &frame, AVPixelFormat target)
{
    const bool field = m_app && isInterlaced(frame) && canTakeField(frame);
    const Rows rows = rowsOf(frame, field);
    const bool careful = m_height < kCarefulHeight || m_toneMap;
    const int flags = SWS_BICUBIC | (careful ? SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT : 0);
    m_scaler.reset(sws_getCachedContext(m_scaler.release(), frame.width, rows.height,
                                        static_cast<AVPixelFormat>(frame.format), m_width, m_height, target,
                                        flags, nullptr, nullptr, nullptr));
    Frame made(av_frame_alloc());
    made->format = target;
    made->width = m_width;
    made->height = m_height;
    if (!m_scaler || av_frame_get_buffer(made.get(), 0) < 0)
        return {};
    setColours(frame);
    if (sws_scale(m_scaler.get(), rows.data, rows.linesize, 0, rows.height, made->data, made->linesize) <= 0)
        return {};
    return made;
}

std::vector<std::uint8_t> FrameConverter::convert(const AVFrame &frame)
{
    if (frame.width <= 0 || frame.height <= 0 || frame.format < 0)
        return {};
    chooseToneMap(frame);
    const bool alpha = m_app && hasAlpha(frame.format) && !m_toneMap;
    const Frame made = scaled(frame, m_toneMap ? AV_PIX_FMT_RGB48
                                     : alpha   ? AV_PIX_FMT_RGBA
                                               : AV_PIX_FMT_RGB24);
    if (!made)
        return {};

    const auto width = static_cast<std::size_t>(m_width), height = static_cast<std::size_t>(m_height);
    std::vector<std::uint8_t> rgb(width * height * 3);
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint8_t *row = made->data[0] + static_cast<std::ptrdiff_t>(y) * made->linesize[0];
        std::uint8_t *out = &rgb[y * width * 3];
        if (m_toneMap) {
            m_toneMap->map(reinterpret_cast<const std::uint16_t *>(row), width, out);
            continue;
        }
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
