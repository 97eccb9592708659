// Writes a film for measurements: make_film FILE SECONDS FPS WIDTH HEIGHT MOTION [ENCODER-OPTION=VALUE …]
// Each frame carries its number and a square that moves over a pattern, which itself moves by MOTION pixels a
// frame; H.264 by libx264.
#include "tests/media/clip_maker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace perilune;

static void draw(std::size_t number, int motion, AVFrame &frame)
{
    const int shift = static_cast<int>(number) * motion;
    for (int y = 0; y < frame.height; ++y) {
        std::uint8_t *row = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
        for (int x = 0; x < frame.width; ++x)
            row[x] = static_cast<std::uint8_t>(32 + ((x + shift) / 8 * 7 + y / 8 * 13) % 192);
    }
    const int side = frame.height / 6;
    const int left = static_cast<int>(number * 3 % static_cast<std::size_t>(frame.width - side));
    for (int y = 2 * side; y < 3 * side; ++y)
        std::fill_n(frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0] + left, side,
                    std::uint8_t{235});
    test::drawCode(frame, static_cast<unsigned>(number));
}

int main(int count, char **values)
{
    if (count < 7) {
        std::puts("make_film FILE SECONDS FPS WIDTH HEIGHT MOTION [ENCODER-OPTION=VALUE ...]");
        return 2;
    }
    const int seconds = std::atoi(values[2]), fps = std::atoi(values[3]);
    test::ClipPlan plan;
    plan.width = std::atoi(values[4]);
    plan.height = std::atoi(values[5]);
    if (seconds <= 0 || fps <= 0 || plan.width < 128 || plan.height < 96) {
        std::puts("make_film: the numbers make no film");
        return 2;
    }
    plan.timeBase = {1, fps};
    plan.rate = {fps, 1};
    plan.keyEvery = 10 * fps;
    plan.betweens = -1; // the encoder's own idea
    plan.ticks = test::steadyTicks(static_cast<std::size_t>(seconds) * static_cast<std::size_t>(fps));
    for (int i = 7; i < count; ++i) {
        const std::string option = values[i];
        const std::size_t sign = option.find('=');
        if (sign != std::string::npos)
            plan.encoderOptions.emplace_back(option.substr(0, sign), option.substr(sign + 1));
    }
    plan.draw = [motion = std::atoi(values[6])](std::size_t number, AVFrame &frame) {
        draw(number, motion, frame);
    };
    test::writeClip(values[1], plan);
    return 0;
}
