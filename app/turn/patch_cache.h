#pragma once

#include "engine/api/message.h"

#include <cstdint>
#include <list>
#include <memory>
#include <string>

namespace perilune {

/// The patches of the media that were used last, so that each turn doesn't decode the whole conversation's
/// pictures again. One thread.
class PatchCache {
public:
    explicit PatchCache(std::uint64_t maxBytes) : m_maxBytes(maxBytes) {}

    /// Null where it isn't there: that file, taken as that kind and by that choice.
    std::shared_ptr<const VisionPatches> find(const MediaPart &part);
    /// Keeps `patches` for `part`, whatever patches it has itself.
    void insert(const MediaPart &part, std::shared_ptr<const VisionPatches> patches);
    void clear();

private:
    struct Entry {
        MediaPart::Kind kind{};
        std::string path;
        MediaChoice choice;
        std::shared_ptr<const VisionPatches> patches;
    };
    static std::uint64_t bytes(const Entry &entry)
    {
        return entry.patches->pixelValues.size() * sizeof(float);
    }

    std::uint64_t m_maxBytes;
    std::uint64_t m_bytes = 0;
    std::list<Entry> m_entries; // the last used first
};

} // namespace perilune
