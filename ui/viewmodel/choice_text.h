#pragma once

#include "engine/api/message.h"

#include <QString>

namespace perilune::ui {

/// What was chosen of a picture or clip, for a line below it: "Low detail · 0.5 to 1.5 s · at most 4 frames,
/// evenly spread". Empty where all of it is to be seen.
QString choiceText(const MediaPart &part);

/// "Low detail"; empty where it is full.
QString detailText(MediaChoice::Detail detail);

} // namespace perilune::ui
