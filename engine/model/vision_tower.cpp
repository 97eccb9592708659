#include "engine/model/vision_tower.h"

#include "engine/gpu/memory_blocks.h"
#include "engine/kernels/gelu.h"
#include "engine/kernels/layer_norm.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/merge_patches.h"
#include "engine/kernels/vit_attention.h"
#include "engine/kernels/vit_rope.h"
#include "engine/model/projector.h"
#include "engine/model/vision_positions.h"

#include <algorithm>

namespace perilune {
namespace {

constexpr float kEpsilon = 1e-5f;             // of MoonViT's layer norms; no key of config.json
constexpr std::uint32_t kLongestSide = 512;   // of a frame in patches: as far as the rotary table goes
constexpr std::uint64_t kMostPatches = 65535; // of one medium: the kernels' grids

std::uint64_t wideColumns(const VisionConfig &config)
{
    return std::max(
        {3 * config.hiddenSize, config.intermediateSize, 3 * config.patchSize * config.patchSize});
}

Error badMedium(std::size_t index, const PatchGrid &grid, const std::string &what)
{
    return {ErrorCode::InvalidInput, "medium " + std::to_string(index + 1) + " of " +
                                         std::to_string(grid.frames) + " x " + std::to_string(grid.rows) +
                                         " x " + std::to_string(grid.columns) + " patches " + what};
}

} // namespace

/// One call of encode().
struct VisionTower::Run {
    VisionInput input;
    Tensor out;
    VisionHooks hooks; ///< progress in blocks of the batch
    std::stop_token stop;
};

/// One medium's place in its batch.
struct VisionTower::Medium {
    std::uint32_t index = 0; // among the grids
    PatchGrid grid;
    RowRange patches;             // rows of the batch
    std::uint64_t firstPatch = 0; // among all media
    std::uint32_t firstToken = 0; // row of the output
};

/// Matrices of one batch of N patches. One buffer; `wide` serves several widths in turn.
struct VisionTower::Activations {
    std::unique_ptr<Buffer> buffer;
    std::uint32_t patches = 0; // N
    Tensor x;                  // (N, D) the residual stream
    Tensor y;                  // (N, D) what norms and attention make
    Tensor cosines, sines;     // (N, headDim / 2)
    std::uint64_t wide = 0;    // address of N · wideColumns() values

    Tensor wideAs(std::uint32_t rows, std::uint32_t columns) const { return {wide, rows, columns}; }

    /// The bytes that `patches` take; where `base` is an address, also the tensors from there on.
    std::uint64_t lay(const VisionConfig &config, std::uint64_t count, std::uint64_t base)
    {
        patches = static_cast<std::uint32_t>(count);
        std::uint64_t end = base;
        const auto next = [&](std::uint64_t columns) {
            const std::uint64_t start = end;
            end += alignedBytes(count * columns * 4);
            return Tensor{start, patches, static_cast<std::uint32_t>(columns)};
        };
        x = next(config.hiddenSize);
        y = next(config.hiddenSize);
        cosines = next(config.headDim() / 2);
        sines = next(config.headDim() / 2);
        wide = next(wideColumns(config)).address;
        return end - base;
    }
};

Status VisionTower::supports(const VisionConfig &config)
{
    const auto no = [](const std::string &what) {
        return Error{ErrorCode::Unsupported, "vision_config: " + what};
    };
    if (config.mergeHeight != 2 || config.mergeWidth != 2)
        return no("merge_kernel_size must be [2, 2]");
    if (config.numAttentionHeads == 0 || config.hiddenSize % config.numAttentionHeads != 0)
        return no("hidden_size must be a multiple of num_attention_heads");
    if (config.headDim() % 4 != 0 || config.headDim() == 0 || config.headDim() > kVitHeadDimLimit)
        return no("a head of " + std::to_string(config.headDim()) + " is no multiple of 4 up to " +
                  std::to_string(kVitHeadDimLimit));
    return Done{};
}

VisionTower::VisionTower(Device &device, const VisionConfig &config, const VisionWeights &weights)
    : m_device(device),
      m_config(config),
      m_weights(weights)
{
    CHECK(supports(config).has_value());
}

Status VisionTower::accepts(const VisionInput &input) const
{
    std::uint64_t patches = 0;
    for (std::size_t i = 0; i < input.grids.size(); ++i) {
        const PatchGrid &grid = input.grids[i];
        if (grid.frames == 0 || grid.rows == 0 || grid.columns == 0)
            return badMedium(i, grid, "is empty");
        if (grid.rows % 2 != 0 || grid.columns % 2 != 0)
            return badMedium(i, grid, "has an odd side; both must be even");
        if (grid.rows > kLongestSide || grid.columns > kLongestSide)
            return badMedium(i, grid, "has a side of more than " + std::to_string(kLongestSide));
        if (grid.frames > m_config.posEmbTime)
            return badMedium(i, grid, "has more than " + std::to_string(m_config.posEmbTime) + " frames");
        if (grid.patches() > kMostPatches)
            return badMedium(i, grid, "has more than " + std::to_string(kMostPatches) + " patches");
        patches += grid.patches();
    }
    const std::uint64_t values = patches * 3 * m_config.patchSize * m_config.patchSize;
    if (input.pixelValues.size() != values)
        return Error{ErrorCode::InvalidInput, "pixel_values has " + std::to_string(input.pixelValues.size()) +
                                                  " numbers where the grids need " + std::to_string(values)};
    return Done{};
}

std::uint64_t VisionTower::scratchBytes(const VisionConfig &config, std::uint64_t patches)
{
    return Activations{}.lay(config, patches, 0);
}

std::vector<std::vector<VisionTower::Medium>> VisionTower::batchesOf(const VisionInput &input) const
{
    std::vector<std::vector<Medium>> batches;
    std::uint64_t room = 0; // patches that the last batch still takes
    std::uint64_t firstPatch = 0;
    std::uint32_t firstToken = 0;
    for (std::uint32_t i = 0; i < input.grids.size(); ++i) {
        const PatchGrid &grid = input.grids[i];
        const auto count = static_cast<std::uint32_t>(grid.patches());
        if (batches.empty() || count > room) {
            batches.emplace_back();
            room = std::max<std::uint64_t>(kBatchPatches, count);
        }
        std::vector<Medium> &batch = batches.back();
        const std::uint32_t firstRow =
            batch.empty() ? 0 : batch.back().patches.first + batch.back().patches.count;
        batch.push_back({
            i, grid, {firstRow, count},
              firstPatch, firstToken
        });
        room -= count;
        firstPatch += count;
        firstToken += static_cast<std::uint32_t>(grid.tokens());
    }
    return batches;
}

Status VisionTower::encode(const VisionInput &input, const Tensor &out, const VisionHooks &hooks,
                           const std::stop_token &stop)
{
    if (Status fits = accepts(input); !fits)
        return fits;
    if (input.grids.empty())
        return Done{};
    const std::vector<std::vector<Medium>> batches = batchesOf(input);
    const Medium &last = batches.back().back();
    CHECK(out.rows == last.firstToken + last.grid.tokens() && out.columns == m_config.textHiddenSize);
    CHECK(out.type == DType::F32);

    if (m_positions.empty()) {
        Result<std::vector<float>> positions = floatsOf(*m_weights.posEmb);
        if (!positions)
            return std::move(positions).error();
        m_positions = std::move(*positions);
    }

    const auto size = [](const std::vector<Medium> &batch) {
        return std::uint64_t{batch.back().patches.first} + batch.back().patches.count;
    };
    std::uint64_t largest = 0;
    for (const std::vector<Medium> &batch : batches)
        largest = std::max(largest, size(batch));
    Activations a;
    Result<std::unique_ptr<Buffer>> buffer =
        m_device.allocate(scratchBytes(m_config, largest), MemoryKind::Device,
                          "the vision tower's work on " + std::to_string(largest) + " patches");
    if (!buffer)
        return std::move(buffer).error();
    a.buffer = std::move(*buffer);

    const std::uint64_t blocks = m_weights.blocks.size();
    const std::uint64_t work = (last.firstPatch + last.patches.count) * blocks;
    std::uint64_t done = 0;
    Run run{input, out, {}, stop};
    run.hooks.tap = hooks.tap;
    if (hooks.progress)
        run.hooks.progress = [&](std::uint64_t blocksDone, std::uint64_t) {
            hooks.progress(done + blocksDone * a.patches, work);
        };
    for (const std::vector<Medium> &batch : batches) {
        a.lay(m_config, size(batch), a.buffer->address());
        if (Status encoded = encodeBatch(run, batch, a); !encoded)
            return encoded;
        done += blocks * a.patches;
    }
    return Done{};
}

Status VisionTower::uploadBatch(const VisionInput &input, std::span<const Medium> batch, const Activations &a)
{
    const PositionTable table{m_positions, m_config.posEmbHeight, m_config.posEmbWidth, m_config.hiddenSize};
    RotaryTables rotary;
    for (const Medium &medium : batch) {
        const std::vector<float> positions = patchPositions(table, medium.grid);
        const Tensor rows = a.x.slice(medium.patches.first, medium.patches.count);
        if (Status sent = m_device.upload(rows.address, std::as_bytes(std::span(positions))); !sent)
            return sent;
        appendRotary(medium.grid, m_config.headDim(), rotary);
    }
    if (Status sent = m_device.upload(a.cosines.address, std::as_bytes(std::span(rotary.cosines))); !sent)
        return sent;
    if (Status sent = m_device.upload(a.sines.address, std::as_bytes(std::span(rotary.sines))); !sent)
        return sent;

    const std::uint64_t patchValues = std::uint64_t{3} * m_config.patchSize * m_config.patchSize;
    const std::span<const float> pixels =
        input.pixelValues.subspan(batch.front().firstPatch * patchValues, a.patches * patchValues);
    return m_device.upload(a.wide, std::as_bytes(pixels));
}

Status VisionTower::encodeBatch(const Run &run, std::span<const Medium> batch, const Activations &a)
{
    if (Status sent = uploadBatch(run.input, batch, a); !sent)
        return sent;

    // The positions stand in x already: the patch embedding is added to them.
    m_device.begin(run.stop);
    matmul(m_device, a.wideAs(a.patches, m_weights.patchEmbed.weight.columns), m_weights.patchEmbed.weight,
           a.x, {.bias = m_weights.patchEmbed.bias, .accumulate = true});
    if (Status done = m_device.finish(); !done)
        return done;
    if (Status tapped = tapPatches(run.hooks, batch, "patch_embed", a.x); !tapped)
        return tapped;

    for (std::size_t i = 0; i < m_weights.blocks.size(); ++i) {
        m_device.begin(run.stop);
        recordBlock(m_weights.blocks[i], batch, a);
        if (Status done = m_device.finish(); !done)
            return done;
        if (Status tapped = tapPatches(run.hooks, batch, "block." + std::to_string(i), a.x); !tapped)
            return tapped;
        if (run.hooks.progress)
            run.hooks.progress(i + 1, m_weights.blocks.size());
    }
    return projectBatch(run, batch, a);
}

void VisionTower::recordBlock(const VisionBlockWeights &block, std::span<const Medium> batch,
                              const Activations &a)
{
    const Tensor qkv = a.wideAs(a.patches, block.wqkv.weight.rows);
    layerNorm(m_device, a.x, block.norm0.weight, block.norm0.bias, a.y, kEpsilon);
    matmul(m_device, a.y, block.wqkv.weight, qkv, {.bias = block.wqkv.bias});
    vitRope(m_device, qkv, a.cosines, a.sines);
    for (const Medium &medium : batch)
        vitAttention(m_device, qkv, medium.patches, m_config.numAttentionHeads, a.y);
    matmul(m_device, a.y, block.wo.weight, a.x, {.bias = block.wo.bias, .accumulate = true});

    const Tensor inner = a.wideAs(a.patches, block.fc0.weight.rows);
    layerNorm(m_device, a.x, block.norm1.weight, block.norm1.bias, a.y, kEpsilon);
    matmul(m_device, a.y, block.fc0.weight, inner, {.bias = block.fc0.bias});
    geluTanh(m_device, inner, inner);
    matmul(m_device, inner, block.fc1.weight, a.x, {.bias = block.fc1.bias, .accumulate = true});
}

Status VisionTower::projectBatch(const Run &run, std::span<const Medium> batch, const Activations &a)
{
    const std::uint32_t wide = m_config.merge() * m_config.hiddenSize;
    const auto tokensOf = [](const Medium &medium) {
        return static_cast<std::uint32_t>(medium.grid.tokens());
    };
    const std::uint32_t firstToken = batch.front().firstToken;
    const std::uint32_t tokens = batch.back().firstToken + tokensOf(batch.back()) - firstToken;
    // A token has four patches or more, so that tokens · 4 · D values fit wherever patches · D do.
    const Tensor merged{a.x.address, tokens, wide};
    const Tensor normed{a.y.address, tokens, wide};

    m_device.begin(run.stop);
    layerNorm(m_device, a.x, m_weights.finalLayernorm.weight, m_weights.finalLayernorm.bias, a.y, kEpsilon);
    if (Status done = m_device.finish(); !done)
        return done;
    if (Status tapped = tapPatches(run.hooks, batch, "final", a.y); !tapped)
        return tapped;

    m_device.begin(run.stop);
    for (const Medium &medium : batch)
        mergePatches(m_device, a.y.slice(medium.patches.first, medium.patches.count),
                     {medium.grid.frames, medium.grid.rows, medium.grid.columns},
                     merged.slice(medium.firstToken - firstToken, tokensOf(medium)));
    project(m_device, m_weights.projector, m_config.projectorLnEps, merged, {normed, a.wideAs(tokens, wide)},
            run.out.slice(firstToken, tokens));
    if (Status done = m_device.finish(); !done)
        return done;
    for (const Medium &medium : batch) {
        const Tensor mine = merged.slice(medium.firstToken - firstToken, tokensOf(medium));
        if (Status tapped = tap(run.hooks, medium.index, "merged", mine); !tapped)
            return tapped;
        if (Status tapped =
                tap(run.hooks, medium.index, "projected", run.out.slice(medium.firstToken, tokensOf(medium)));
            !tapped)
            return tapped;
    }
    return Done{};
}

Status VisionTower::tapPatches(const VisionHooks &hooks, std::span<const Medium> batch,
                               const std::string &stage, const Tensor &values)
{
    for (const Medium &medium : batch) {
        const Tensor mine = values.slice(medium.patches.first, medium.patches.count);
        if (Status tapped = tap(hooks, medium.index, stage, mine); !tapped)
            return tapped;
    }
    return Done{};
}

Status VisionTower::tap(const VisionHooks &hooks, std::uint32_t medium, const std::string &stage,
                        const Tensor &values)
{
    if (!hooks.tap)
        return Done{};
    VisionTap tapped{medium, stage, values.rows, values.columns, std::vector<float>(values.elements())};
    if (Status got = m_device.download(values.range(), std::as_writable_bytes(std::span(tapped.values)));
        !got)
        return got;
    hooks.tap(tapped);
    return Done{};
}

} // namespace perilune
