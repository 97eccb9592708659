#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace perilune {

/// Tells the living writers of a folder from the dead: each holds a lock on a file of its own for as long as
/// it lives, and the kernel lets go of it however the program ends.
class WriterLock {
public:
    WriterLock() = default; ///< holds nothing
    ~WriterLock();
    WriterLock(WriterLock &&other) noexcept;
    WriterLock &operator=(WriterLock &&other) noexcept;

    /// Makes a new file in `folder` and locks it.
    static Result<WriterLock> take(const std::filesystem::path &folder);

    /// What names this writer; empty where nothing is held.
    const std::string &name() const { return m_name; }

    /// Whether the writer that had `name` in `folder` still lives.
    static bool alive(const std::filesystem::path &folder, const std::string &name);

    /// Removes the files of the dead.
    static void sweep(const std::filesystem::path &folder);

private:
    std::filesystem::path m_folder;
    std::string m_name;
    int m_descriptor = -1;
};

} // namespace perilune
