#include "engine/weights/upload.h"

#include <algorithm>

namespace perilune {

namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::size_t kSlice = 8 << 20; // a stop is heard after each

} // namespace

std::uint64_t alignedForUpload(std::uint64_t bytes)
{
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

UploadPart UploadPart::raw(std::span<const std::byte> bytes, Placed placed)
{
    UploadPart part;
    part.m_bytes = bytes.size();
    part.m_placed = std::move(placed);
    part.m_raw = bytes;
    return part;
}

UploadPart UploadPart::expanded(const StoredMatrix &matrix, Placed placed)
{
    UploadPart part;
    part.m_bytes = matrix.rows * matrix.columns * sizeof(float);
    part.m_placed = std::move(placed);
    part.m_matrix = matrix;
    return part;
}

UploadPart UploadPart::made(std::uint64_t bytes, std::function<std::span<const std::byte>()> make,
                            Placed placed)
{
    UploadPart part;
    part.m_bytes = bytes;
    part.m_placed = std::move(placed);
    part.m_make = std::move(make);
    return part;
}

Status UploadPart::read(const std::function<Status(std::span<const std::byte>)> &take) const
{
    if (m_matrix.data) {
        std::vector<float> row(m_matrix.columns);
        for (std::uint64_t i = 0; i < m_matrix.rows; ++i) {
            expandRow(m_matrix, i, row);
            if (Status taken = take(std::as_bytes(std::span(row))); !taken)
                return taken;
        }
        return Done{};
    }
    std::span<const std::byte> rest = m_make ? m_make() : m_raw;
    CHECK(rest.size() == m_bytes);
    while (!rest.empty()) {
        const std::size_t count = std::min(rest.size(), kSlice);
        if (Status taken = take(rest.first(count)); !taken)
            return taken;
        rest = rest.subspan(count);
    }
    return Done{};
}

Uploader::Uploader(Device &device, std::uint64_t total, const Progress &progress, std::stop_token stop)
    : m_device(device),
      m_total(total),
      m_progress(progress),
      m_stop(std::move(stop))
{
}

Status Uploader::upload(const std::string &purpose, std::span<const UploadPart> parts,
                        std::vector<std::unique_ptr<Buffer>> &buffers)
{
    const std::uint64_t given = m_device.info().largestAllocation;
    const std::uint64_t most = given ? given : UINT64_MAX;
    std::size_t first = 0;
    while (first < parts.size()) {
        std::uint64_t bytes = 0;
        std::size_t end = first;
        for (; end < parts.size(); ++end) {
            const std::uint64_t more = alignedForUpload(parts[end].bytes());
            if (end > first && more > most - bytes)
                break;
            bytes += more;
        }
        if (bytes > most)
            return Error{ErrorCode::OutOfMemory, "one tensor of " + purpose + " has " +
                                                     std::to_string(bytes) + " bytes, more than the " +
                                                     std::to_string(most) + " that " + m_device.info().name +
                                                     " allocates at once"};
        if (bytes > 0) {
            auto buffer = m_device.allocate(bytes, MemoryKind::Device, purpose);
            if (!buffer)
                return std::move(buffer).error();
            buffers.push_back(*std::move(buffer));
            if (Status filled = fill(*buffers.back(), parts.subspan(first, end - first)); !filled)
                return filled;
        }
        first = end;
    }
    return Done{};
}

Status Uploader::fill(const Buffer &buffer, std::span<const UploadPart> parts)
{
    std::uint64_t address = buffer.address();
    for (const UploadPart &part : parts) {
        part.place(address);
        address += alignedForUpload(part.bytes());
    }
    m_destination = buffer.address();
    for (const UploadPart &part : parts) {
        if (Status read = part.read([this](std::span<const std::byte> bytes) { return append(bytes); });
            !read)
            return read;
        m_slice.resize(m_slice.size() + alignedForUpload(part.bytes()) - part.bytes());
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
