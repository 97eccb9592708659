#include "engine/weights/safetensors.h"

#include "engine/base/bfloat16.h"
#include "engine/base/shortened.h"
#include "engine/weights/float16.h"
#include "engine/weights/safetensors_header.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <iterator>
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

/// The elements of a tensor whose type is as wide as T.
template <typename T>
Result<std::vector<T>> elementsOf(const StoredTensor &tensor)
{
    std::vector<T> values;
    try { // the header may promise anything where the file has holes
        values.resize(tensor.elements());
    } catch (const std::exception &) {
        return Error{ErrorCode::OutOfMemory, "main memory does not hold " + tensor.name + ", which has " +
                                                 std::to_string(tensor.bytes) + " bytes"};
    }
    if (Status read = tensor.read(0, std::as_writable_bytes(std::span(values))); !read)
        return std::move(read).error();
    return values;
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
    return bytes / bytesOf(type);
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
    if (Status opened = file->openFile(); !opened)
        return std::move(opened).error();
    if (Status read = file->readHeader(); !read)
        return std::move(read).error();
    return std::shared_ptr<const SafetensorsFile>(std::move(file));
}

SafetensorsFile::~SafetensorsFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

Status SafetensorsFile::openFile()
{
    // Without O_NONBLOCK the opening of a pipe waits for somebody to write into it.
    m_descriptor = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0) {
        const int reason = errno;
        return Error{reason == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                     m_path + " can't be opened: " + std::generic_category().message(reason)};
    }
    struct stat info{};
    if (fstat(m_descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return Error{ErrorCode::InvalidInput, m_path + " is not a file"};
    m_size = static_cast<std::uint64_t>(info.st_size);
    if (m_size < 8)
        return corrupt(
            m_path, "a safetensors file starts with 8 bytes that give the header's length, but there are " +
                        std::to_string(m_size));
    return Done{};
}

Status SafetensorsFile::readAt(std::uint64_t offset, std::span<std::byte> out, std::string_view what) const
{
    while (!out.empty()) {
        const ssize_t count = pread(m_descriptor, out.data(), out.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return Error{ErrorCode::Io, m_path + ": " + std::string(what) +
                                            " can't be read: " + std::generic_category().message(errno)};
        if (count == 0)
            return corrupt(m_path, "the file ends at byte " + std::to_string(offset) + ", within " +
                                       std::string(what) + ", but had " + std::to_string(m_size) +
                                       " bytes when it was opened");
        offset += static_cast<std::uint64_t>(count);
        out = out.subspan(static_cast<std::size_t>(count));
    }
    return Done{};
}

Status StoredTensor::read(std::uint64_t first, std::span<std::byte> out) const
{
    CHECK(file && first <= bytes && out.size() <= bytes - first);
    return file->readAt(offset + first, out, "tensor " + shortened(name));
}

Status SafetensorsFile::readHeader()
{
    if (Status read = readAt(0, std::as_writable_bytes(std::span(&m_headerLength, 1)), "the header's length");
        !read)
        return read;
    if (m_headerLength > kLongestHeader)
        return corrupt(m_path, "the header's length is given as " + std::to_string(m_headerLength) +
                                   " bytes, more than the " + std::to_string(kLongestHeader) +
                                   " that the format allows");
    if (m_headerLength > m_size - 8)
        return corrupt(m_path, "the header's length is given as " + std::to_string(m_headerLength) +
                                   " bytes, but after it there are only " + std::to_string(m_size - 8));
    const Result<std::string> text = header();
    if (!text)
        return text.error();
    Result<std::vector<HeaderEntry>> entries = parseSafetensorsHeader(*text);
    if (!entries)
        return corrupt(m_path, entries.error().message);

    const std::uint64_t data = m_size - 8 - m_headerLength;
    std::stable_sort(entries->begin(), entries->end(), [](const HeaderEntry &a, const HeaderEntry &b) {
        return a.begin < b.begin || (a.begin == b.begin && a.end < b.end);
    });
    std::uint64_t reached = 0;
    for (const HeaderEntry &entry : *entries) {
        const std::string tensor = "tensor " + shortened(entry.name);
        const auto *known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [&](const TypeName &type) { return type.name == entry.type; });
        if (known == std::end(kTypes))
            return corrupt(m_path, tensor + " has the unknown type \"" + shortened(entry.type) + "\"");
        const auto type = static_cast<StoredType>(known - std::begin(kTypes));
        const std::string range = std::to_string(entry.begin) + " to " + std::to_string(entry.end);
        if (entry.begin > entry.end || entry.end > data)
            return corrupt(m_path, tensor + " is said to lie at bytes " + range +
                                       " of the data, but the data has " + std::to_string(data));
        std::uint64_t bytes = 0;
        if (!bytesOfEntry(entry, type, bytes) || bytes != entry.end - entry.begin)
            return corrupt(m_path, tensor + " lies at bytes " + range + ", which does not fit " + entry.type +
                                       " " + shapeText(entry.shape));
        if (entry.begin != reached)
            return corrupt(m_path, tensor + " starts at byte " + std::to_string(entry.begin) +
                                       " of the data, but the tensor before it ends at " +
                                       std::to_string(reached));
        reached = entry.end;
        m_tensors.push_back({entry.name, type, entry.shape, bytes, 8 + m_headerLength + entry.begin, this});
    }
    if (reached != data)
        return corrupt(m_path, "the last tensor ends at byte " + std::to_string(reached) +
                                   " of the data, but the data has " + std::to_string(data));
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
        m_byName.emplace(m_tensors[i].name, i);
    return Done{};
}

Result<std::string> SafetensorsFile::header() const
{
    std::string text(m_headerLength, '\0');
    if (Status read = readAt(8, std::as_writable_bytes(std::span(text)), "the header"); !read)
        return std::move(read).error();
    return text;
}

const StoredTensor *SafetensorsFile::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_tensors[found->second];
}

namespace {

template <typename To, typename From, typename Convert>
Result<std::vector<To>> converted(const StoredTensor &tensor, const Convert &convert)
{
    const Result<std::vector<From>> stored = elementsOf<From>(tensor);
    if (!stored)
        return stored.error();
    std::vector<To> values;
    values.reserve(stored->size());
    std::ranges::transform(*stored, std::back_inserter(values), convert);
    return values;
}

Error otherType(const StoredTensor &tensor, const std::string &expected)
{
    return {ErrorCode::InvalidInput,
            tensor.name + " is " + std::string(nameOf(tensor.type)) + ", but " + expected + " is expected"};
}

} // namespace

Result<std::vector<std::byte>> bytesOf(const StoredTensor &tensor)
{
    std::vector<std::byte> bytes(tensor.bytes);
    if (Status read = tensor.read(0, bytes); !read)
        return std::move(read).error();
    return bytes;
}

Result<std::vector<float>> floatsOf(const StoredTensor &tensor)
{
    switch (tensor.type) {
    case StoredType::F32: return elementsOf<float>(tensor);
    case StoredType::BF16: return converted<float, std::uint16_t>(tensor, fromBfloat16);
    case StoredType::F16: return converted<float, std::uint16_t>(tensor, fromFloat16);
    default: return otherType(tensor, "F32, F16 or BF16");
    }
}

Result<std::vector<std::int64_t>> integersOf(const StoredTensor &tensor)
{
    switch (tensor.type) {
    case StoredType::I64: return elementsOf<std::int64_t>(tensor);
    case StoredType::I32:
        return converted<std::int64_t, std::int32_t>(tensor, [](std::int32_t n) { return std::int64_t{n}; });
    default: return otherType(tensor, "I64 or I32");
    }
}

} // namespace perilune
