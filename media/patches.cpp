#include "media/patches.h"

#include "engine/base/check.h"

#include <array>
#include <cstddef>

namespace perilune {

namespace {

constexpr std::size_t kPatch = 14, kPatchPixels = kPatch * kPatch;

using Table = std::array<std::array<float, 256>, 3>; // (channel, 8-bit value)

Table normalisation(const MediaConfig &config)
{
    Table table{};
    for (std::size_t c = 0; c < 3; ++c) {
        const float scale = 1.0f / config.standardDeviation[c];
        for (std::size_t v = 0; v < 256; ++v)
            table[c][v] = (float(v) / 255.0f - config.mean[c]) * scale;
    }
    return table;
}

} // namespace

void appendPatches(const Picture &picture, const MediaConfig &config, std::vector<float> &values)
{
    CHECK(picture.width % kPatch == 0 && picture.height % kPatch == 0);
    const Table table = normalisation(config);
    const std::size_t columns = picture.width / kPatch, rows = picture.height / kPatch;
    const std::size_t start = values.size(), patchValues = 3 * kPatchPixels;
    values.resize(start + rows * columns * patchValues);

    for (std::size_t y = 0; y < picture.height; ++y) {
        const std::uint8_t *pixel = &picture.rgb[y * picture.width * 3];
        float *out = &values[start + y / kPatch * columns * patchValues + y % kPatch * kPatch];
        for (std::size_t column = 0; column < columns; ++column, out += patchValues) {
            for (std::size_t x = 0; x < kPatch; ++x, pixel += 3) {
                out[x] = table[0][pixel[0]];
                out[kPatchPixels + x] = table[1][pixel[1]];
                out[2 * kPatchPixels + x] = table[2][pixel[2]];
            }
        }
    }
}

} // namespace perilune
