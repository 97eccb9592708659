#include "engine/weights/upload.h"

#include "engine/gpu/memory_blocks.h"

#include <algorithm>

namespace perilune {

namespace {

constexpr std::size_t kSlice = 8 << 20;      // a stop is heard after each
constexpr std::uint64_t kRowsTogether = 128; // rows of a block of FP8 scales; cuts lie between such blocks

} // namespace

Status takeSlices(std::span<const std::byte> bytes, const UploadPart::Take &take)
{
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), kSlice);
        if (Status taken = take(bytes.first(count)); !taken)
            return taken;
        bytes = bytes.subspan(count);
    }
    return Done{};
}

Status takeStored(const StoredTensor &tensor, std::uint64_t all, PartRows rows, const UploadPart::Take &take)
{
    std::uint64_t first = tensor.bytes / all * rows.first;
    std::uint64_t left = tensor.bytes / all * rows.count;
    std::vector<std::byte> slice;
    while (left > 0) {
        slice.resize(std::min<std::uint64_t>(left, kSlice));
        if (Status read = tensor.read(first, slice); !read)
            return read;
        if (Status taken = take(slice); !taken)
            return taken;
        first += slice.size();
        left -= slice.size();
    }
    return Done{};
}

UploadPart UploadPart::stored(const StoredTensor &tensor, std::uint64_t rows, Placed placed)
{
    const auto read = [&tensor, rows](PartRows range, const Take &take) {
        return takeStored(tensor, rows, range, take);
    };
    return streamed(tensor.bytes, rows, read, std::move(placed));
}

UploadPart UploadPart::expanded(const StoredMatrix &matrix, Placed placed)
{
    const auto read = [matrix](PartRows rows, const Take &take) -> Status {
        std::vector<float> row(matrix.columns);
        for (std::uint64_t i = 0; i < rows.count; ++i) {
            if (Status expanded = expandRow(matrix, rows.first + i, row); !expanded)
                return expanded;
            if (Status taken = take(std::as_bytes(std::span(row))); !taken)
                return taken;
        }
        return Done{};
    };
    return streamed(matrix.rows * matrix.columns * sizeof(float), matrix.rows, read, std::move(placed));
}

UploadPart UploadPart::streamed(std::uint64_t bytes, std::uint64_t rows, Read read, Placed placed)
{
    CHECK(rows > 0 && bytes % rows == 0);
    UploadPart part;
    part.m_bytes = bytes;
    part.m_rows = rows;
    part.m_placed = std::move(placed);
    part.m_read = std::move(read);
    return part;
}

UploadPart UploadPart::made(std::uint64_t bytes, const std::function<std::vector<std::byte>()> &make,
                            Placed placed)
{
    const auto read = [bytes, make](PartRows, const Take &take) {
        const std::vector<std::byte> all = make();
        CHECK(all.size() == bytes);
        return takeSlices(all, take);
    };
    return streamed(bytes, 1, read, std::move(placed));
}

Status UploadPart::read(PartRows rows, const Take &take) const
{
    return m_read(rows, take);
}

Uploader::Uploader(Device &device, std::uint64_t total, const Progress &progress, std::stop_token stop)
    : m_device(device),
      m_total(total),
      m_progress(progress),
      m_stop(std::move(stop)),
      m_most(device.info().largestAllocation ? device.info().largestAllocation : UINT64_MAX)
{
}

Result<std::vector<Uploader::Block>> Uploader::cut(const std::string &purpose,
                                                   std::span<const UploadPart> parts) const
{
    std::vector<Block> blocks;
    for (const UploadPart &part : parts) {
        if (alignedBytes(part.bytes()) <= m_most) {
            blocks.push_back({
                &part, {0, part.rows()}
            });
            continue;
        }
        const std::uint64_t most = m_most / alignedBytes(1) * alignedBytes(1);
        const std::uint64_t rows = most / part.bytesOf({0, 1}) / kRowsTogether * kRowsTogether;
        if (rows == 0)
            return Error{ErrorCode::OutOfMemory,
                         "one tensor of " + purpose + " has " + std::to_string(part.bytes()) +
                             " bytes, more than the " + std::to_string(m_most) + " that " +
                             m_device.info().name + " allocates at once, and can't be split"};
        for (std::uint64_t first = 0; first < part.rows(); first += rows)
            blocks.push_back({
                &part, {first, std::min(rows, part.rows() - first)}
            });
    }
    return blocks;
}

Status Uploader::upload(const std::string &purpose, MemoryKind kind, std::span<const UploadPart> parts,
                        std::vector<std::unique_ptr<Buffer>> &buffers)
{
    const Result<std::vector<Block>> blocks = cut(purpose, parts);
    if (!blocks)
        return blocks.error();
    std::size_t first = 0;
    while (first < blocks->size()) {
        std::uint64_t bytes = 0;
        std::size_t end = first;
        for (; end < blocks->size(); ++end) {
            const Block &block = (*blocks)[end];
            const std::uint64_t more = alignedBytes(block.part->bytesOf(block.rows));
            if (end > first && more > m_most - bytes)
                break;
            bytes += more;
        }
        if (bytes > 0) {
            auto buffer = m_device.allocate(bytes, kind, purpose);
            if (!buffer)
                return std::move(buffer).error();
            buffers.push_back(*std::move(buffer));
            if (Status filled = fill(*buffers.back(), std::span(*blocks).subspan(first, end - first));
                !filled)
                return filled;
        }
        first = end;
    }
    return Done{};
}

Status Uploader::fill(const Buffer &buffer, std::span<const Block> blocks)
{
    std::uint64_t address = buffer.address();
    for (const Block &block : blocks) {
        block.part->place(address, block.rows);
        address += alignedBytes(block.part->bytesOf(block.rows));
    }
    m_destination = buffer.address();
    for (const Block &block : blocks) {
        const auto take = [this](std::span<const std::byte> bytes) { return append(bytes); };
        if (Status read = block.part->read(block.rows, take); !read)
            return read;
        const std::uint64_t bytes = block.part->bytesOf(block.rows);
        m_slice.resize(m_slice.size() + alignedBytes(bytes) - bytes);
    }
    return flush();
}

Status Uploader::append(std::span<const std::byte> bytes)
{
    m_slice.insert(m_slice.end(), bytes.begin(), bytes.end());
    return m_slice.size() >= kSlice ? flush() : Status(Done{});
}

Status Uploader::flush()
{
    if (m_stop.stop_requested())
        return Error{ErrorCode::Cancelled, "loading was stopped"};
    if (Status uploaded = m_device.upload(m_destination, m_slice); !uploaded)
        return uploaded;
    m_destination += m_slice.size();
    m_done += m_slice.size();
    m_slice.clear();
    if (m_progress)
        m_progress(m_done, m_total);
    return Done{};
}

} // namespace perilune
