#pragma once

#include "media/helper/channel.h"
#include "media/helper/clip.h"

#include <memory>

namespace perilune::helper {

/// JPEG XL that moves. Colours other than sRGB are converted where the decoder does it, as it does for lossy
/// files.
Result<std::unique_ptr<Clip>> openJxlAnimation(const SourceFile &file, const protocol::Request &request,
                                               Channel &channel);

} // namespace perilune::helper
