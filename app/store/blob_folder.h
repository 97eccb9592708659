#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// Files named by the SHA-256 of their bytes. A file under its name is whole: it is written beside, brought
/// to the disk, and renamed. Equal bytes are kept once.
class BlobFolder {
public:
    struct Blob {
        std::string sha256; ///< 64 hex digits, lower case
        std::uint64_t bytes = 0;
        std::filesystem::path path;
    };

    explicit BlobFolder(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// Copies `file` in. A file that is one of ours already is not copied again.
    Result<Blob> add(const std::filesystem::path &file) const;

    /// The same for bytes in memory.
    Result<Blob> addBytes(std::string_view bytes) const;

    /// Whether `bytes` more could be written: NoSpace where the disk is full.
    Status hasRoom(std::uint64_t bytes) const;

    std::filesystem::path pathOf(const std::string &sha256) const;

    /// Reads the blob and compares: NotFound where it is missing, Corrupt where its bytes are others.
    Status verify(const std::string &sha256) const;

    Status remove(const std::string &sha256) const;

    /// The names of all blobs. Unfinished copies are not among them.
    Result<std::vector<std::string>> all() const;

    const std::filesystem::path &folder() const { return m_folder; }

private:
    std::filesystem::path m_folder;
};

/// SHA-256 of a file's bytes in hex, and their number.
Result<BlobFolder::Blob> hashFile(const std::filesystem::path &file);

} // namespace perilune
