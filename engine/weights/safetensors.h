#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perilune {

/// Element types that a safetensors header may name.
enum class StoredType : std::uint8_t {
    F64,
    F32,
    F16,
    BF16,
    F8E4M3,
    F8E5M2,
    I64,
    I32,
    I16,
    I8,
    U64,
    U32,
    U16,
    U8,
    Bool
};

/// As the header spells it ("F8_E4M3").
std::string_view nameOf(StoredType type);
std::uint64_t bytesOf(StoredType type);

class SafetensorsFile;

/// A tensor of a file: its header entry, and where its bytes lie.
struct StoredTensor {
    std::string name;
    StoredType type = StoredType::F32;
    std::vector<std::uint64_t> shape;      ///< empty for a scalar
    std::uint64_t bytes = 0;               ///< row-major, little-endian
    std::uint64_t offset = 0;              ///< of the first, in the file
    const SafetensorsFile *file = nullptr; ///< outlives the tensor

    std::uint64_t elements() const;
    /// Its bytes from `first` on, as many as `out` has: at most to its end. Corrupt where the file has become
    /// shorter since it was opened, Io where it can't be read; the sentence names file and tensor. Any
    /// thread.
    Status read(std::uint64_t first, std::span<std::byte> out) const;
};

/// "(12288, 1536)", for messages.
std::string shapeText(std::span<const std::uint64_t> shape);

/// A safetensors file, held open. The header is checked whole before anything is handed out: its length,
/// its JSON (depth, size, duplicate names), every type, shape and byte range; ranges must fill the
/// data part without gap or overlap. Data is read when it is asked for, and never mapped: touching a page
/// that a file has lost meanwhile would end the process.
class SafetensorsFile {
public:
    /// Corrupt, NotFound or Io, naming the file, the place in it, what was expected and what was found.
    static Result<std::shared_ptr<const SafetensorsFile>> open(const std::string &path);

    ~SafetensorsFile();
    SafetensorsFile(const SafetensorsFile &) = delete;
    SafetensorsFile &operator=(const SafetensorsFile &) = delete;

    const std::string &path() const { return m_path; }
    /// The JSON of the header, read again.
    Result<std::string> header() const;
    /// In the order of their bytes.
    std::span<const StoredTensor> tensors() const { return m_tensors; }
    /// Null where there is none of that name.
    const StoredTensor *find(std::string_view name) const;

private:
    SafetensorsFile() = default;
    Status openFile();
    Status readHeader();
    Status readAt(std::uint64_t offset, std::span<std::byte> out, std::string_view what) const;
    friend struct StoredTensor;

    std::string m_path;
    int m_descriptor = -1;
    std::uint64_t m_size = 0; // when it was opened
    std::uint64_t m_headerLength = 0;
    std::vector<StoredTensor> m_tensors;
    std::unordered_map<std::string_view, std::size_t> m_byName; // keys live in m_tensors
};

/// All bytes of a tensor.
Result<std::vector<std::byte>> bytesOf(const StoredTensor &tensor);
/// The elements as f32, exactly: F32, F16 and BF16 only.
Result<std::vector<float>> floatsOf(const StoredTensor &tensor);
/// The elements as integers: I64 and I32 only.
Result<std::vector<std::int64_t>> integersOf(const StoredTensor &tensor);

} // namespace perilune
