#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace perilune {

/// How much of a picture or clip a person wants the model to see. What doesn't apply to it changes nothing.
struct MediaChoice {
    /// Full: as much as the model takes. Medium and Low: about a quarter and a sixteenth of those tokens, for
    /// each picture or frame.
    enum class Detail { Full, Medium, Low };
    /// How a clip is made to fit where it may not have as many frames as the model would take: fewer, spread
    /// evenly, or only its beginning.
    enum class Fit { Thin, Trim };

    Detail detail = Detail::Full;
    Fit fit = Fit::Thin;
    bool firstFrame = false;                          ///< of an animation: its first frame, as a picture
    std::optional<double> fromSeconds{}, toSeconds{}; ///< only this part of a clip, from its start
    std::optional<std::uint32_t> maxFrames{};         ///< of a clip, above 0; see fit

    bool operator==(const MediaChoice &) const = default;
};

// What files and the command line call them, in the order of the enumerators.
inline constexpr std::array kDetailNames = {"full", "medium", "low"};
inline constexpr std::array kFitNames = {"thin", "trim"};

} // namespace perilune
