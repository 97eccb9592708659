#include "app/cli/model_input.h"

#include "engine/weights/safetensors.h"

namespace perilune::cli {

namespace {

using Shape = std::vector<std::uint64_t>;

Error wrong(const std::string &path, const std::string &what)
{
    return {ErrorCode::InvalidInput, path + ": " + what};
}

Result<std::vector<std::uint32_t>> tokensOf(const std::string &path, const StoredTensor &tensor,
                                            const ModelConfig &config)
{
    const Result<std::vector<std::int64_t>> ids = integersOf(tensor);
    if (!ids)
        return wrong(path, ids.error().message);
    std::vector<std::uint32_t> tokens;
    for (const std::int64_t id : *ids) {
        if (id < 0 || id >= config.decoder.vocabSize)
            return wrong(path, "input_ids has the id " + std::to_string(id) + " at place " +
                                   std::to_string(tokens.size()) + ", but the vocabulary has " +
                                   std::to_string(config.decoder.vocabSize));
        tokens.push_back(static_cast<std::uint32_t>(id));
    }
    if (tokens.empty())
        return wrong(path, "input_ids is empty");
    return tokens;
}

Result<std::vector<PatchGrid>> gridsOf(const std::string &path, const StoredTensor &tensor)
{
    if (tensor.shape.size() != 2 || tensor.shape[1] != 3)
        return wrong(path, "grid_thws is " + shapeText(tensor.shape) + ", but (media, 3) is expected");
    const Result<std::vector<std::int64_t>> sizes = integersOf(tensor);
    if (!sizes)
        return wrong(path, sizes.error().message);
    std::vector<PatchGrid> grids;
    for (std::size_t i = 0; i < sizes->size(); i += 3) {
        for (std::size_t k = i; k < i + 3; ++k) {
            if ((*sizes)[k] < 1 || (*sizes)[k] > 4096)
                return wrong(path, "grid_thws has the size " + std::to_string((*sizes)[k]) + " for medium " +
                                       std::to_string(i / 3));
        }
        grids.push_back({static_cast<std::uint32_t>((*sizes)[i]), static_cast<std::uint32_t>((*sizes)[i + 1]),
                         static_cast<std::uint32_t>((*sizes)[i + 2])});
    }
    return grids;
}

/// Gives each medium its positions: placeholders of the prompt, in order.
Status placeMedia(const std::string &path, const std::vector<PatchGrid> &grids, std::uint32_t placeholder,
                  const VisionConfig &vision, ModelInput &input)
{
    const std::uint64_t patch = 3ull * vision.patchSize * vision.patchSize;
    std::uint64_t position = 0, value = 0, places = 0, needed = 0;
    for (const std::uint32_t token : input.prompt.tokens)
        places += token == placeholder;
    for (const PatchGrid &grid : grids)
        needed += grid.tokens();
    if (places != needed)
        return wrong(path, "input_ids has " + std::to_string(places) +
                               " media placeholders, but the grids make " + std::to_string(needed) + " rows");
    for (std::size_t m = 0; m < grids.size(); ++m) {
        const PatchGrid &grid = grids[m];
        while (position < input.prompt.tokens.size() && input.prompt.tokens[position] != placeholder)
            ++position;
        for (std::uint64_t row = 0; row < grid.tokens(); ++row) {
            if (position + row >= input.prompt.tokens.size() ||
                input.prompt.tokens[position + row] != placeholder)
                return wrong(path, "medium " + std::to_string(m) + " needs " + std::to_string(grid.tokens()) +
                                       " placeholders in a row");
        }
        input.prompt.media.push_back({static_cast<std::uint32_t>(position), grid,
                                      std::span(input.pixelValues).subspan(value, grid.patches() * patch),
                                      "input " + std::to_string(m)});
        position += grid.tokens();
        value += grid.patches() * patch;
    }
    return Done{};
}

Status readMedia(const std::string &path, const SafetensorsFile &file, const ModelConfig &config,
                 ModelInput &input)
{
    const StoredTensor *pixels = file.find("pixel_values");
    const StoredTensor *sizes = file.find("grid_thws");
    if (!pixels && !sizes)
        return Done{};
    if (!pixels || !sizes)
        return wrong(path, "pixel_values and grid_thws must come together");
    if (!config.vision)
        return Error{ErrorCode::Unsupported, path + " has pictures, but the model can't see them"};
    const Result<std::vector<PatchGrid>> grids = gridsOf(path, *sizes);
    if (!grids)
        return grids.error();
    std::uint64_t patches = 0;
    for (const PatchGrid &grid : *grids)
        patches += grid.patches();
    const Shape expected{patches, 3, config.vision->patchSize, config.vision->patchSize};
    if (pixels->shape != expected)
        return wrong(path, "pixel_values is " + shapeText(pixels->shape) + ", but the grids make it " +
                               shapeText(expected));
    Result<std::vector<float>> values = floatsOf(*pixels);
    if (!values)
        return wrong(path, values.error().message);
    input.pixelValues = *std::move(values);
    return placeMedia(path, *grids, config.mediaPlaceholderTokenId, *config.vision, input);
}

Result<const StoredTensor *> inputIds(const std::string &path, const SafetensorsFile &file,
                                      std::size_t dimensions)
{
    const StoredTensor *ids = file.find("input_ids");
    if (!ids)
        return wrong(path, "input_ids is missing");
    if (ids->shape.size() != dimensions)
        return wrong(path, "input_ids is " + shapeText(ids->shape) + ", but " + std::to_string(dimensions) +
                               (dimensions == 1 ? " dimension is" : " dimensions are") + " expected");
    return ids;
}

} // namespace

Result<std::unique_ptr<ModelInput>> readModelInput(const std::string &path, const ModelConfig &config)
{
    const auto file = SafetensorsFile::open(path);
    if (!file)
        return file.error();
    const Result<const StoredTensor *> ids = inputIds(path, **file, 1);
    if (!ids)
        return ids.error();
    Result<std::vector<std::uint32_t>> tokens = tokensOf(path, **ids, config);
    if (!tokens)
        return std::move(tokens).error();
    auto input = std::make_unique<ModelInput>();
    input->prompt.tokens = *std::move(tokens);
    if (Status media = readMedia(path, **file, config, *input); !media)
        return std::move(media).error();
    return input;
}

Result<TokenRows> readTokenRows(const std::string &path, const ModelConfig &config)
{
    const auto file = SafetensorsFile::open(path);
    if (!file)
        return file.error();
    const Result<const StoredTensor *> ids = inputIds(path, **file, 2);
    if (!ids)
        return ids.error();
    const Result<std::vector<std::uint32_t>> tokens = tokensOf(path, **ids, config);
    if (!tokens)
        return tokens.error();
    TokenRows result;
    result.columns = (*ids)->shape[1];
    for (std::size_t first = 0; first < tokens->size(); first += result.columns)
        result.rows.emplace_back(tokens->begin() + static_cast<std::ptrdiff_t>(first),
                                 tokens->begin() + static_cast<std::ptrdiff_t>(first + result.columns));
    return result;
}

} // namespace perilune::cli
