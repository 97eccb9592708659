#pragma once

#include "engine/api/media_choice.h"
#include "engine/base/result.h"

#include <QImage>

#include <stop_token>
#include <string>

namespace perilune::ui {

/// The image with its corners cut off round, transparent there.
QImage withRoundCorners(const QImage &image, double radius);

/// Frames of a clip side by side, evenly spread over the part that `choice` says, each `height` pixels high.
/// Blocking; errors as prepare().
Result<QImage> makeFilmstrip(const std::string &path, const MediaChoice &choice, int height,
                             std::stop_token stop);

} // namespace perilune::ui
