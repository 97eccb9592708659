#include "engine/weights/safetensors.h"

#include "engine/base/bfloat16.h"
#include "engine/weights/float16.h"
#include "engine/weights/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace perilune {

namespace {

struct TypeName {
    std::string_view name;
    std::uint64_t bytes;
};

// In the order of StoredType.
constexpr TypeName kTypes[] = {
    {"F64",     8},
    {"F32",     4},
    {"F16",     2},
    {"BF16",    2},
    {"F8_E4M3", 1},
    {"F8_E5M2", 1},
    {"I64",     8},
    {"I32",     4},
    {"I16",     2},
    {"I8",      1},
    {"U64",     8},
    {"U32",     4},
    {"U16",     2},
    {"U8",      1},
    {"BOOL",    1},
};

Error corrupt(const std::string &path, const std::string &what)
{
    return {ErrorCode::Corrupt, path + ": " + what};
}

/// The bytes that `entry` describes, or false where the product doesn't fit.
bool bytesOfEntry(const HeaderEntry &entry, StoredType type, std::uint64_t &bytes)
{
    bytes = bytesOf(type);
    for (const std::uint64_t size : entry.shape) {
        if (__builtin_mul_overflow(bytes, size, &bytes))
            return false;
    }
    return true;
}

template <typename T>
T readAt(std::span<const std::byte> data, std::uint64_t index)
{
    T value; // the data part may start at any byte, so elements need not be aligned
    std::memcpy(&value, data.data() + index * sizeof(T), sizeof(T));
    return value;
}

} // namespace

std::string_view nameOf(StoredType type)
{
    return kTypes[static_cast<std::size_t>(type)].name;
}

std::uint64_t bytesOf(StoredType type)
{
    return kTypes[static_cast<std::size_t>(type)].bytes;
}

std::uint64_t StoredTensor::elements() const
{
    return data.size() / bytesOf(type);
}

std::string shapeText(std::span<const std::uint64_t> shape)
{
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + ")";
}

Result<std::shared_ptr<const SafetensorsFile>> SafetensorsFile::open(const std::string &path)
{
    std::shared_ptr<SafetensorsFile> file(new SafetensorsFile);
    file->m_path = path;
    if (Status mapped = file->map(); !mapped)
        return std::move(mapped).error();
    if (Status read = file->readHeader(); !read)
        return std::move(read).error();
    return std::shared_ptr<const SafetensorsFile>(std::move(file));
}

SafetensorsFile::~SafetensorsFile()
{
    if (!m_bytes.empty())
        munmap(const_cast<std::byte *>(m_bytes.data()), m_bytes.size());
}

Status SafetensorsFile::map()
{
    // Without O_NONBLOCK the opening of a pipe waits for somebody to write into it.
    const int descriptor = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        const int reason = errno;
        return Error{reason == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                     m_path + " can't be opened: " + std::generic_category().message(reason)};
    }
    struct stat info{};
    const bool regular = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    const auto size = regular ? static_cast<std::size_t>(info.st_size) : 0;
    void *address = size >= 8 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    const int reason = errno;
    close(descriptor);
    if (!regular)
        return Error{ErrorCode::InvalidInput, m_path + " is not a file"};
    if (size < 8)
        return corrupt(
            m_path, "a safetensors file starts with 8 bytes that give the header's length, but there are " +
                        std::to_string(size));
    if (address == MAP_FAILED)
        return Error{reason == ENOMEM ? ErrorCode::OutOfMemory : ErrorCode::Io,
                     m_path + " can't be mapped: " + std::generic_category().message(reason)};
    m_bytes = {static_cast<const std::byte *>(address), size};
    return Done{};
}

Status SafetensorsFile::readHeader()
{
    const auto length = readAt<std::uint64_t>(m_bytes, 0);
    if (length > kLongestHeader)
        return corrupt(m_path, "the header's length is given as " + std::to_string(length) +
                                   " bytes, more than the " + std::to_string(kLongestHeader) +
                                   " that the format allows");
    if (length > m_bytes.size() - 8)
        return corrupt(m_path, "the header's length is given as " + std::to_string(length) +
                                   " bytes, but after it there are only " +
                                   std::to_string(m_bytes.size() - 8));
    Result<std::vector<HeaderEntry>> entries =
        parseSafetensorsHeader({reinterpret_cast<const char *>(m_bytes.data()) + 8, length});
    if (!entries)
        return corrupt(m_path, entries.error().message);

    const std::span<const std::byte> data = m_bytes.subspan(8 + length);
    std::stable_sort(entries->begin(), entries->end(), [](const HeaderEntry &a, const HeaderEntry &b) {
        return a.begin < b.begin || (a.begin == b.begin && a.end < b.end);
    });
    std::uint64_t reached = 0;
    for (const HeaderEntry &entry : *entries) {
        const auto *known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [&](const TypeName &type) { return type.name == entry.type; });
        if (known == std::end(kTypes))
            return corrupt(m_path, "tensor " + entry.name + " has the unknown type \"" + entry.type + "\"");
        const auto type = static_cast<StoredType>(known - std::begin(kTypes));
        const std::string range = std::to_string(entry.begin) + " to " + std::to_string(entry.end);
        if (entry.begin > entry.end || entry.end > data.size())
            return corrupt(m_path, "tensor " + entry.name + " is said to lie at bytes " + range +
                                       " of the data, but the data has " + std::to_string(data.size()));
        std::uint64_t bytes = 0;
        if (!bytesOfEntry(entry, type, bytes) || bytes != entry.end - entry.begin)
            return corrupt(m_path, "tensor " + entry.name + " lies at bytes " + range +
                                       ", which does not fit " + entry.type + " " + shapeText(entry.shape));
        if (entry.begin != reached)
            return corrupt(m_path, "tensor " + entry.name + " starts at byte " + std::to_string(entry.begin) +
                                       " of the data, but the tensor before it ends at " +
                                       std::to_string(reached));
        reached = entry.end;
        m_tensors.push_back({entry.name, type, entry.shape, data.subspan(entry.begin, bytes)});
    }
    if (reached != data.size())
        return corrupt(m_path, "the last tensor ends at byte " + std::to_string(reached) +
                                   " of the data, but the data has " + std::to_string(data.size()));
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
        m_byName.emplace(m_tensors[i].name, i);
    return Done{};
}

std::string_view SafetensorsFile::header() const
{
    return {reinterpret_cast<const char *>(m_bytes.data()) + 8, readAt<std::uint64_t>(m_bytes, 0)};
}

const StoredTensor *SafetensorsFile::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_tensors[found->second];
}

namespace {

/// Not memcpy, which an empty tensor's null pointers may not be given to.
template <typename Value>
void copyBytes(const StoredTensor &tensor, std::vector<Value> &values)
{
    std::ranges::copy(tensor.data, std::as_writable_bytes(std::span(values)).begin());
}

} // namespace

Result<std::vector<float>> floatsOf(const StoredTensor &tensor)
{
    std::vector<float> values(tensor.elements());
    switch (tensor.type) {
    case StoredType::F32: copyBytes(tensor, values); return values;
    case StoredType::BF16:
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = fromBfloat16(readAt<std::uint16_t>(tensor.data, i));
        return values;
    case StoredType::F16:
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = fromFloat16(readAt<std::uint16_t>(tensor.data, i));
        return values;
    default:
        return Error{ErrorCode::InvalidInput, tensor.name + " is " + std::string(nameOf(tensor.type)) +
                                                  ", but F32, F16 or BF16 is expected"};
    }
}

Result<std::vector<std::int64_t>> integersOf(const StoredTensor &tensor)
{
    std::vector<std::int64_t> values(tensor.elements());
    if (tensor.type == StoredType::I64) {
        copyBytes(tensor, values);
    } else if (tensor.type == StoredType::I32) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = readAt<std::int32_t>(tensor.data, i);
    } else {
        return Error{ErrorCode::InvalidInput, tensor.name + " is " + std::string(nameOf(tensor.type)) +
                                                  ", but I64 or I32 is expected"};
    }
    return values;
}

} // namespace perilune
