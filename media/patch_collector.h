#pragma once

#include "engine/api/vision_patches.h"
#include "engine/base/sha256.h"
#include "media/media_config.h"
#include "media/picture.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perilune {

/// Gathers the patches of one picture, or of the frames of one clip, and the digest that names them.
class PatchCollector {
public:
    /// `patches` is how many will come in all. Without `keepValues` only their digest and number are kept.
    PatchCollector(const MediaConfig &config, std::uint64_t patches, bool keepValues);

    /// The next picture or frame, resized and padded.
    void add(const Picture &picture);

    /// Once. The grids must say how many patches were added.
    std::shared_ptr<const VisionPatches> finish(VisionPatches::Kind kind, std::vector<PatchGrid> grids,
                                                std::vector<std::string> timestamps);

private:
    MediaConfig m_config;
    bool m_keepValues;
    std::uint64_t m_patches = 0; // that have come
    Sha256 m_digest;
    std::vector<float> m_values;
};

} // namespace perilune
