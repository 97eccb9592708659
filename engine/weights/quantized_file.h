#pragma once

#include "engine/weights/checkpoint.h"
#include "engine/weights/quantize.h"
#include "engine/weights/safetensors.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace perilune {

/// What quantizing a checkpoint made, kept so that the next start maps it instead. A safetensors file: the
/// data and the scales of each matrix under names of their own, then a checksum of each, then what it was
/// made of. One file for a folder and a choice of formats; when the source changes it is replaced.

/// The file's name, for a folder and a choice.
std::string quantizedFileName(const std::string &folder, const QuantizeOptions &options);

/// What the result depends on, as a hash: this format's version, the choice, and of each file of the
/// checkpoint its path, size, times of change (also of what `touch` sets back) and header.
std::string quantizedSource(const Checkpoint &checkpoint, const QuantizeOptions &options);

/// A file as it was kept. Its header is checked when it is opened, the data of a tensor by isWhole().
class QuantizedFile {
public:
    /// NotFound where there is none, InvalidInput where it was made of another source, else Corrupt or Io: a
    /// sentence that names it.
    static Result<std::shared_ptr<const QuantizedFile>> open(const std::string &path,
                                                             const std::string &source);

    const std::string &path() const { return m_file->path(); }
    /// Null where there is none of that name.
    const StoredTensor *find(std::string_view name) const { return m_file->find(name); }
    /// Whether the bytes of `tensor`, which is of this file, can be read and are those that were written.
    /// Reads them all.
    bool isWhole(const StoredTensor &tensor) const;

private:
    explicit QuantizedFile(std::shared_ptr<const SafetensorsFile> file) : m_file(std::move(file)) {}
    std::shared_ptr<const SafetensorsFile> m_file;
    std::vector<std::uint32_t> m_checksums; // of the tensors, in their order
};

struct QuantizedEntry {
    std::string name;
    StoredType type = StoredType::I8;
    std::vector<std::uint64_t> shape;
    std::uint64_t bytes() const;
};

/// Writes such a file while a model loads. A failure doesn't end the loading: it is told by finish().
class QuantizedFileWriter {
public:
    /// Begins a file beside `path`. Makes its folder, and takes the disk space at once where that can be
    /// done.
    QuantizedFileWriter(std::string path, std::string source, std::vector<QuantizedEntry> entries);
    /// Takes the unfinished file away.
    ~QuantizedFileWriter();
    QuantizedFileWriter(const QuantizedFileWriter &) = delete;
    QuantizedFileWriter &operator=(const QuantizedFileWriter &) = delete;

    /// The bytes of all entries, one behind the other, in any pieces.
    void append(std::span<const std::byte> bytes);
    /// Gives the file its name. NoSpace or Io, with a sentence, where it could not be kept.
    Status finish();

private:
    bool openAlone();
    void begin();
    void write(const void *bytes, std::size_t count);
    void fail(int reason);

    const std::string m_path, m_partial, m_source;
    const std::vector<QuantizedEntry> m_entries;
    std::FILE *m_file = nullptr;
    Status m_status = Done{};
    std::vector<std::uint32_t> m_checksums;
    std::uint64_t m_left = 0; // bytes of the entry that m_checksums.back() is of
};

} // namespace perilune
