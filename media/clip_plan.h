#pragma once

#include "engine/base/result.h"
#include "media/clip_choices.h"
#include "media/geometry.h"
#include "media/prepare.h"
#include "media/protocol.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perilune {

/// Which frames to take, when each is shown, and what becomes of it.
struct ClipSchedule {
    std::vector<std::uint32_t> indices;
    std::vector<double> seconds;
    std::vector<ResizePlan> plans; ///< of each frame, by the size of its chunk

    std::uint64_t patches() const;
    std::uint64_t tokens(std::uint32_t framesPerChunk) const;
};

struct ClipPlan {
    ClipSchedule schedule;
    ClipCost cost; ///< of the schedule
    ClipChoices choices;
    std::vector<std::string> notes; ///< for people
};

/// Plans a clip. Errors go on after the file's name: where no frame lies in the wanted part, where the model
/// can't take the shape, and in Hf mode where it is too much.
Result<ClipPlan> planClip(const protocol::ClipInfo &clip, const MediaConfig &config,
                          const PrepareOptions &options);

/// What `plan` makes of a picture or frame at the detail that was asked for: the same shape, fewer patches.
Result<ResizePlan> planWithDetail(MediaChoice::Detail detail, const MediaConfig &config,
                                  const std::function<Result<ResizePlan>(const MediaConfig &)> &plan);

/// What other choices would come to for a picture of that size, and for a clip. Of an animation too, taken as
/// a clip or as its first frame.
CostOf pictureCosts(std::uint32_t width, std::uint32_t height, const MediaConfig &config);
CostOf clipCosts(const protocol::ClipInfo &clip, const MediaConfig &config, const PrepareOptions &options);

} // namespace perilune
