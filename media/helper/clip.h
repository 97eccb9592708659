#pragma once

#include "engine/base/result.h"
#include "media/helper/channel.h"
#include "media/helper/source_file.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perilune::helper {

/// A clip that is open: all its frames are known by their times, and any of them can be had.
class Clip {
public:
    virtual ~Clip() = default;

    virtual const protocol::ClipInfo &info() const = 0;

    /// Sends the frames at `indices` (rising), each with FrameStart and Rows; leaves out what can't be
    /// decoded.
    virtual Status send(const std::vector<std::uint32_t> &indices, Channel &channel) = 0;
};

} // namespace perilune::helper
