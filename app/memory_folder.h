#pragma once

#include <filesystem>

namespace perilune {

/// A folder of one's own that lies in memory (a tmpfs of the person, or of the system), and goes with this
/// object; what a killed program left goes when the next one begins.
class MemoryFolder {
public:
    MemoryFolder();
    ~MemoryFolder();
    MemoryFolder(const MemoryFolder &) = delete;
    MemoryFolder &operator=(const MemoryFolder &) = delete;

    /// Empty where the system has no such place.
    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
    int m_lock = -1; ///< says that we live
};

} // namespace perilune
