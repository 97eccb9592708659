#pragma once

#include "media/helper/ffmpeg.h"
#include "media/helper/tone_map.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace perilune::helper {

/// Turns decoded frames into upright 8-bit RGB of one size.
class FrameConverter {
public:
    /// `width` and `height` are those of the stream, before `orientation` (EXIF, 1 to 8) is applied. With
    /// `app`, transparent places become white, unmarked colours of large frames are taken for those of HD
    /// video, high dynamic range becomes sRGB, and of interlaced frames the earlier field is taken.
    FrameConverter(int width, int height, std::uint32_t orientation, bool app)
        : m_width(width),
          m_height(height),
          m_orientation(orientation),
          m_app(app)
    {
    }

    /// (height, width, 3), with the two swapped from orientation 5 on; empty where the frame can't be
    /// converted.
    std::vector<std::uint8_t> convert(const AVFrame &frame);

private:
    Frame scaled(const AVFrame &frame, AVPixelFormat target);
    void setColours(const AVFrame &frame);
    void chooseToneMap(const AVFrame &frame);

    int m_width, m_height;
    std::uint32_t m_orientation;
    bool m_app;
    Scaler m_scaler;
    std::optional<ToneMap> m_toneMap; // of frames with high dynamic range
};

} // namespace perilune::helper
