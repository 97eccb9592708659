#pragma once

#include "media/prepare.h"

#include "tests/media/clip_maker.h"

#include <array>

namespace perilune::test {

inline PrepareOptions withPixels()
{
    PrepareOptions options;
    options.as = PrepareOptions::As::Video;
    options.wantPixels = true;
    return options;
}

/// Where a point of the upright picture lies in one that was turned clockwise by `degrees`.
inline std::array<std::uint32_t, 2> turned(std::uint32_t x, std::uint32_t y, const Picture &picture,
                                           int degrees)
{
    switch (degrees) {
    case 90: return {picture.width - 1 - y, x};
    case 180: return {picture.width - 1 - x, picture.height - 1 - y};
    case 270: return {y, picture.height - 1 - x};
    default: return {x, y};
    }
}

/// The number that drawCode() wrote; -1 where it can't be read.
inline int codeOf(const Picture &frame, int degrees = 0)
{
    int number = 0;
    for (std::uint32_t bit = 0; bit < kCodeBits; ++bit) {
        const auto light = [&](std::uint32_t row) {
            const std::uint32_t half = kCodeBlock / 2;
            const auto [x, y] = turned(bit * kCodeBlock + half, row * kCodeBlock + half, frame, degrees);
            return frame.rgb[(y * frame.width + x) * 3 + 1] >= 128;
        };
        if (light(0) == light(1))
            return -1;
        number = number * 2 + light(0);
    }
    return number;
}

inline ClipPlan numbered(std::size_t frames)
{
    ClipPlan plan;
    plan.ticks = steadyTicks(frames);
    plan.draw = [](std::size_t number, AVFrame &frame) {
        drawCode(frame, static_cast<unsigned>(number));
        for (int y = 40; y < 56; ++y) { // something that moves
            for (int x = 0; x < 16; ++x)
                setSample(frame, 0, static_cast<int>(number * 3 % 140) + x, y, 200);
        }
    };
    return plan;
}

} // namespace perilune::test
