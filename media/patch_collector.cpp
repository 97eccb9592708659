#include "media/patch_collector.h"

#include "engine/base/check.h"
#include "media/patches.h"

#include <array>
#include <span>

namespace perilune {

namespace {

constexpr std::size_t kPatchValues = std::size_t{3} * 14 * 14;

} // namespace

PatchCollector::PatchCollector(const MediaConfig &config, std::uint64_t patches, bool keepValues)
    : m_config(config),
      m_keepValues(keepValues)
{
    if (keepValues)
        m_values.reserve(patches * kPatchValues);
    // Equal bytes are equal values only under the same normalisation.
    m_digest.add(std::as_bytes(std::span(config.mean)));
    m_digest.add(std::as_bytes(std::span(config.standardDeviation)));
}

void PatchCollector::add(const Picture &picture)
{
    m_digest.add(std::as_bytes(std::span(picture.rgb)));
    m_patches += std::uint64_t{picture.width / 14} * (picture.height / 14);
    if (m_keepValues)
        appendPatches(picture, m_config, m_values);
}

std::shared_ptr<const VisionPatches> PatchCollector::finish(VisionPatches::Kind kind,
                                                            std::vector<PatchGrid> grids,
                                                            std::vector<std::string> timestamps)
{
    std::uint64_t patches = 0;
    for (const PatchGrid &grid : grids) {
        patches += grid.patches();
        const std::array<std::uint32_t, 3> sizes{grid.frames, grid.rows, grid.columns};
        m_digest.add(std::as_bytes(std::span(sizes)));
    }
    CHECK(patches == m_patches);

    auto made = std::make_shared<VisionPatches>();
    made->kind = kind;
    made->grids = std::move(grids);
    made->timestamps = std::move(timestamps);
    made->pixelValues = std::move(m_values);
    made->contentId = m_digest.finishHex();
    return made;
}

} // namespace perilune
