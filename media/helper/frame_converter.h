#pragma once

#include "media/helper/ffmpeg.h"

#include <cstdint>
#include <vector>

namespace perilune::helper {

/// Turns decoded frames into upright 8-bit RGB of one size.
class FrameConverter {
public:
    /// `width` and `height` are those of the stream, before `orientation` (EXIF, 1 to 8) is applied. With
    /// `app`, transparent places become white, and unmarked colours of large frames are taken for those of HD
    /// video.
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
    void setColours(const AVFrame &frame);

    int m_width, m_height;
    std::uint32_t m_orientation;
    bool m_app;
    Scaler m_scaler;
};

} // namespace perilune::helper
