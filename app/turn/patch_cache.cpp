#include "app/turn/patch_cache.h"

#include <algorithm>
#include <utility>

namespace perilune {

std::shared_ptr<const VisionPatches> PatchCache::find(const MediaPart &part)
{
    const auto found = std::ranges::find_if(m_entries, [&part](const Entry &entry) {
        return entry.kind == part.kind && entry.path == part.path && entry.choice == part.choice;
    });
    if (found == m_entries.end())
        return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, found);
    return found->patches;
}

void PatchCache::insert(const MediaPart &part, std::shared_ptr<const VisionPatches> patches)
{
    if (!patches || find(part))
        return;
    m_entries.push_front({part.kind, part.path, part.choice, std::move(patches)});
    m_bytes += bytes(m_entries.front());
    while (m_bytes > m_maxBytes && m_entries.size() > 1) { // the newest stays, however large
        m_bytes -= bytes(m_entries.back());
        m_entries.pop_back();
    }
}

void PatchCache::clear()
{
    m_entries.clear();
    m_bytes = 0;
}

} // namespace perilune
