#pragma once

#include "media/helper/clip.h"

#include <cstdint>
#include <memory>

namespace perilune::helper {

/// The frames of an animation, one after another. Each is the whole picture, RGBA, rows from the top.
class FrameSource {
public:
    virtual ~FrameSource() = default;

    virtual std::uint32_t width() const = 0;
    virtual std::uint32_t height() const = 0;

    /// The next frame, which stays until the next call, and when it disappears; null where there is none, or
    /// it is damaged.
    virtual const std::uint8_t *next(double &untilSeconds) = 0;
    /// The next one is the first again.
    virtual void rewind() = 0;
};

/// A clip of what can only be decoded from its first frame on: once for its times, and once more for each
/// sending. With `app` on white where it is transparent. Corrupt where there is no frame.
Result<std::unique_ptr<Clip>> openSequentialClip(std::unique_ptr<FrameSource> frames, bool app,
                                                 Channel &channel);

} // namespace perilune::helper
