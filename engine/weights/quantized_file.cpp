#include "engine/weights/quantized_file.h"

#include "engine/base/sha256.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace perilune {

namespace fs = std::filesystem;

namespace {

// Part of what a file is made of: another layout, or other numbers from the same source, must be another
// version.
constexpr const char *kVersion = "perilune quantized weights 1";
constexpr const char *kChecksums = "perilune.checksums";
constexpr const char *kSource = "perilune.source";
constexpr std::uint64_t kPage = 4096; // the data starts at a multiple of it

std::uint32_t checksumOf(std::span<const std::byte> bytes, std::uint32_t before = 0)
{
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size()));
}

std::string headerText(const std::vector<QuantizedEntry> &entries, const std::string &source)
{
    auto header = nlohmann::ordered_json::object();
    std::uint64_t offset = 0;
    const auto add = [&](const QuantizedEntry &entry) {
        header[entry.name] = {
            {"dtype",        nameOf(entry.type)              },
            {"shape",        entry.shape                     },
            {"data_offsets", {offset, offset + entry.bytes()}}
        };
        offset += entry.bytes();
    };
    std::for_each(entries.begin(), entries.end(), add);
    add({kChecksums, StoredType::U32, {entries.size()}});
    add({kSource, StoredType::U8, {source.size()}});
    std::string text = header.dump();
    text.append((kPage - (8 + text.size()) % kPage) % kPage, ' ');
    return text;
}

std::string timeText(const timespec &time)
{
    return std::to_string(time.tv_sec) + '.' + std::to_string(time.tv_nsec);
}

} // namespace

std::string quantizedFileName(const std::string &folder, const QuantizeOptions &options)
{
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(folder, ignored);
    Sha256 hash;
    hash.add(whole.string() + '\n' + options.text());
    return "quantized-" + hash.finishHex().substr(0, 32) + ".safetensors";
}

std::string quantizedSource(const Checkpoint &checkpoint, const QuantizeOptions &options)
{
    Sha256 hash;
    hash.add(std::string(kVersion) + '\n' + options.text() + '\n');
    for (const std::shared_ptr<const SafetensorsFile> &file : checkpoint.files()) {
        std::error_code ignored;
        struct stat info{};
        stat(file->path().c_str(), &info);
        hash.add(fs::weakly_canonical(file->path(), ignored).string() + '\n' + std::to_string(info.st_size) +
                 ' ' + timeText(info.st_mtim) + ' ' + timeText(info.st_ctim) + '\n');
        // A file that can't be read again won't be loaded either.
        const Result<std::string> header = file->header();
        hash.add(header ? *header : header.error().message);
    }
    return hash.finishHex();
}

Result<std::shared_ptr<const QuantizedFile>> QuantizedFile::open(const std::string &path,
                                                                 const std::string &source)
{
    Result<std::shared_ptr<const SafetensorsFile>> file = SafetensorsFile::open(path);
    if (!file)
        return std::move(file).error();
    const StoredTensor *made = (*file)->find(kSource), *checksums = (*file)->find(kChecksums);
    if (!made || !checksums || (*file)->tensors().size() < 2 ||
        checksums->bytes != ((*file)->tensors().size() - 2) * sizeof(std::uint32_t))
        return Error{ErrorCode::Corrupt, path + " holds no quantized weights"};
    if (made->bytes != source.size())
        return Error{ErrorCode::InvalidInput, path + " was made of weights that have changed since"};
    const Result<std::vector<std::byte>> madeOf = bytesOf(*made), sums = bytesOf(*checksums);
    if (!madeOf || !sums)
        return madeOf ? sums.error() : madeOf.error();
    if (!std::ranges::equal(*madeOf, std::as_bytes(std::span(source))))
        return Error{ErrorCode::InvalidInput, path + " was made of weights that have changed since"};
    std::shared_ptr<QuantizedFile> result(new QuantizedFile(*std::move(file)));
    result->m_checksums.resize(sums->size() / sizeof(std::uint32_t));
    std::ranges::copy(*sums, std::as_writable_bytes(std::span(result->m_checksums)).begin());
    return std::shared_ptr<const QuantizedFile>(std::move(result));
}

bool QuantizedFile::isWhole(const StoredTensor &tensor) const
{
    const auto index = static_cast<std::size_t>(&tensor - m_file->tensors().data());
    CHECK(index < m_file->tensors().size());
    if (index >= m_checksums.size())
        return false;
    constexpr std::uint64_t kSlice = 8 << 20;
    std::vector<std::byte> slice;
    std::uint32_t checksum = 0;
    for (std::uint64_t done = 0; done < tensor.bytes; done += slice.size()) {
        slice.resize(std::min(kSlice, tensor.bytes - done));
        if (!tensor.read(done, slice))
            return false;
        checksum = checksumOf(slice, checksum);
    }
    return checksum == m_checksums[index];
}

std::uint64_t QuantizedEntry::bytes() const
{
    std::uint64_t result = bytesOf(type);
    for (const std::uint64_t size : shape)
        result *= size;
    return result;
}

QuantizedFileWriter::QuantizedFileWriter(std::string path, std::string source,
                                         std::vector<QuantizedEntry> entries)
    : m_path(std::move(path)),
      m_partial(m_path + ".partial"),
      m_source(std::move(source)),
      m_entries(std::move(entries))
{
    std::error_code ignored;
    fs::create_directories(fs::path(m_path).parent_path(), ignored);
    if (openAlone())
        begin();
}

QuantizedFileWriter::~QuantizedFileWriter()
{
    if (!m_file)
        return;
    std::fclose(m_file);
    std::remove(m_partial.c_str());
}

/// One name for whoever writes, so that what a crash left behind is overwritten; the lock keeps others off.
bool QuantizedFileWriter::openAlone()
{
    const int descriptor = ::open(m_partial.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        fail(errno);
        return false;
    }
    struct stat opened{}, named{};
    const bool mine = flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0 &&
                      stat(m_partial.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
    if (!mine || ftruncate(descriptor, 0) != 0) {
        close(descriptor);
        m_status =
            Error{ErrorCode::Io, "the quantized weights are not kept: another program is writing " + m_path};
        return false;
    }
    m_file = fdopen(descriptor, "wb");
    if (!m_file) {
        const int reason = errno;
        close(descriptor);
        std::remove(m_partial.c_str());
        fail(reason);
    }
    return m_file != nullptr;
}

void QuantizedFileWriter::begin()
{
    const std::string header = headerText(m_entries, m_source);
    const std::uint64_t length = header.size();
    std::uint64_t bytes = 8 + length + m_entries.size() * sizeof(std::uint32_t) + m_source.size();
    for (const QuantizedEntry &entry : m_entries)
        bytes += entry.bytes();
    // A full disk should show before hours of work; a file system that can't say so shows it while writing.
    if (fallocate(fileno(m_file), 0, 0, static_cast<off_t>(bytes)) != 0 && errno != EOPNOTSUPP &&
        errno != ENOSYS)
        return fail(errno);
    write(&length, sizeof length);
    write(header.data(), header.size());
}

void QuantizedFileWriter::write(const void *bytes, std::size_t count)
{
    if (m_file && std::fwrite(bytes, 1, count, m_file) != count)
        fail(errno);
}

void QuantizedFileWriter::fail(int reason)
{
    m_status = Error{
        reason == ENOSPC || reason == EDQUOT || reason == EFBIG ? ErrorCode::NoSpace : ErrorCode::Io,
        "the quantized weights can't be kept in " + m_path + ": " + std::generic_category().message(reason)};
    if (!m_file)
        return;
    std::fclose(m_file);
    m_file = nullptr;
    std::remove(m_partial.c_str());
}

void QuantizedFileWriter::append(std::span<const std::byte> bytes)
{
    while (m_file && !bytes.empty()) {
        if (m_left == 0) {
            CHECK(m_checksums.size() < m_entries.size());
            m_left = m_entries[m_checksums.size()].bytes();
            m_checksums.push_back(0);
        }
        const std::size_t count = std::min<std::uint64_t>(bytes.size(), m_left);
        m_checksums.back() = checksumOf(bytes.first(count), m_checksums.back());
        write(bytes.data(), count);
        m_left -= count;
        bytes = bytes.subspan(count);
    }
}

Status QuantizedFileWriter::finish()
{
    if (!m_file)
        return m_status;
    CHECK(m_left == 0 && m_checksums.size() == m_entries.size());
    write(m_checksums.data(), m_checksums.size() * sizeof(std::uint32_t));
    write(m_source.data(), m_source.size());
    if (!m_file)
        return m_status;
    // Renamed while the lock is held: once it is given back the name is whoever's that writes next.
    if (std::fflush(m_file) != 0 || std::rename(m_partial.c_str(), m_path.c_str()) != 0) {
        fail(errno);
        return m_status;
    }
    if (std::fclose(std::exchange(m_file, nullptr)) != 0) {
        fail(errno);
        std::remove(m_path.c_str());
    }
    return m_status;
}

} // namespace perilune
