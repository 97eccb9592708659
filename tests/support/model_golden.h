#pragma once

#include "engine/session/opened_model.h"
#include "engine/session/session.h"
#include "engine/weights/safetensors.h"

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace perilune::test {

/// A tiny checkpoint of tests/data/model, opened on a device, with what the reference made of it.
struct GoldenModel {
    OpenedModel opened;
    std::shared_ptr<const SafetensorsFile> golden;

    static Result<std::unique_ptr<GoldenModel>> open(const std::string &name, std::uint32_t chunk,
                                                     bool halfCache = false)
    {
        const std::string folder = TEST_DATA_DIR "/model/" + name;
        OpenOptions options;
        options.folder = folder;
        options.context = 320;
        options.chunk = chunk;
        options.halfCache = halfCache;
        auto model = std::make_unique<GoldenModel>();
        Result<OpenedModel> opened = openModel(options, {}, {});
        if (!opened)
            return std::move(opened).error();
        model->opened = *std::move(opened);
        auto file = SafetensorsFile::open(folder + "/golden.safetensors");
        if (!file)
            return std::move(file).error();
        model->golden = *std::move(file);
        return model;
    }

    bool has(const std::string &name) const { return golden->find(name) != nullptr; }
    std::vector<float> floats(const std::string &name) const { return *floatsOf(*golden->find(name)); }
    std::vector<std::int64_t> integers(const std::string &name) const
    {
        return *integersOf(*golden->find(name));
    }

    /// "p0", "p1", …, and with media "mm0", ….
    std::vector<std::string> prompts() const
    {
        std::vector<std::string> names;
        for (const char *kind : {"p", "mm"}) {
            for (int i = 0; has(kind + std::to_string(i) + ".input_ids"); ++i)
                names.push_back(kind + std::to_string(i));
        }
        return names;
    }

    Session session() const
    {
        return {*opened.device, *opened.decoder, opened.tower.get(),
                opened.model->config().decoder.hiddenSize};
    }
};

/// A prompt of the goldens and the pixels that it points into.
struct GoldenPrompt {
    Prompt prompt;
    std::vector<std::vector<float>> pixels;

    GoldenPrompt(const GoldenModel &model, const std::string &name)
    {
        for (const std::int64_t id : model.integers(name + ".input_ids"))
            prompt.tokens.push_back(std::uint32_t(id));
        if (!model.has(name + ".media_index"))
            return;
        const std::uint32_t placeholder = model.opened.model->config().mediaPlaceholderTokenId;
        std::uint32_t position = 0;
        for (const std::int64_t medium : model.integers(name + ".media_index")) {
            const std::string v = "v" + std::to_string(medium);
            const bool timed = model.has(v + ".grid_thw");
            const auto size = model.integers(v + (timed ? ".grid_thw" : ".grid_hw"));
            const auto at = [&](std::size_t i) { return std::uint32_t(size[i]); };
            const PatchGrid grid = timed ? PatchGrid{at(0), at(1), at(2)} : PatchGrid{1, at(0), at(1)};
            while (prompt.tokens[position] != placeholder)
                ++position;
            pixels.push_back(model.floats(v + ".pixel_values"));
            prompt.media.push_back({position, grid, {}, v});
            position += std::uint32_t(grid.tokens());
        }
        for (std::size_t i = 0; i < pixels.size(); ++i)
            prompt.media[i].pixelValues = pixels[i];
    }
};

/// The largest difference of two arrays; infinite where their sizes differ or one is not finite.
inline double worstError(const std::vector<float> &actual, const std::vector<float> &expected)
{
    if (actual.size() != expected.size())
        return INFINITY;
    double worst = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double error = std::abs(double(actual[i]) - double(expected[i]));
        worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
    }
    return worst;
}

/// Everything that a forward pass shows of itself, gathered over its chunks.
struct Recorded {
    std::map<std::string, std::vector<float>> floats;
    std::map<std::uint32_t, std::vector<std::int64_t>> ids;
    std::map<std::uint32_t, std::vector<float>> weights;
    std::vector<float> logits;
    DecoderTap tap;

    Recorded()
    {
        tap.floats = [this](const std::string &name, std::span<const float> values) {
            floats[name].insert(floats[name].end(), values.begin(), values.end());
        };
        tap.norms = tap.floats;
        tap.router = [this](std::uint32_t layer, std::span<const std::uint32_t> chosen,
                            std::span<const float> weight) {
            ids[layer].insert(ids[layer].end(), chosen.begin(), chosen.end());
            weights[layer].insert(weights[layer].end(), weight.begin(), weight.end());
        };
    }
    Recorded(const Recorded &) = delete;
    Recorded &operator=(const Recorded &) = delete;

    SyncHooks hooks(Decoder &decoder)
    {
        SyncHooks hooks;
        hooks.decoderTap = &tap;
        hooks.chunkDone = [this, &decoder](std::uint32_t, std::uint32_t count) {
            return decoder.logitsOf(0, count, logits, {});
        };
        return hooks;
    }
};

} // namespace perilune::test
