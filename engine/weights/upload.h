#pragma once

#include "engine/gpu/device.h"
#include "engine/weights/expand.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// Rows [first, first + count) of a part.
struct PartRows {
    std::uint64_t first = 0, count = 1;
};

/// A contiguous piece of device memory: where its bytes come from, and who wants to know where it lies. A
/// part of several rows may be cut between them where the device allocates less at once.
class UploadPart {
public:
    using Placed = std::function<void(ByteRange range, PartRows rows)>;
    /// Takes bytes in order, or refuses and so ends the reading.
    using Take = std::function<Status(std::span<const std::byte>)>;
    using Read = std::function<Status(PartRows rows, const Take &take)>;

    /// The bytes of a file as they are; the tensor outlives the part.
    static UploadPart stored(const StoredTensor &tensor, std::uint64_t rows, Placed placed);
    /// A matrix expanded to f32 row by row.
    static UploadPart expanded(const StoredMatrix &matrix, Placed placed);
    /// `rows` of equal size in `bytes`, which `read` gives: each row once, in order.
    static UploadPart streamed(std::uint64_t bytes, std::uint64_t rows, Read read, Placed placed);
    /// Bytes that exist only once the parts before it have been placed and read.
    static UploadPart made(std::uint64_t bytes, const std::function<std::vector<std::byte>()> &make,
                           Placed placed);

    std::uint64_t bytes() const { return m_bytes; }
    std::uint64_t rows() const { return m_rows; }
    std::uint64_t bytesOf(PartRows rows) const { return m_bytes / m_rows * rows.count; }
    void place(std::uint64_t address, PartRows rows) const { m_placed({address, bytesOf(rows)}, rows); }

    /// Hands the bytes of some rows, in order, to `take`, until it refuses.
    Status read(PartRows rows, const Take &take) const;

private:
    std::uint64_t m_bytes = 0, m_rows = 1;
    Placed m_placed;
    Read m_read;
};

/// Hands `bytes` to `take` in slices, so that a stop is heard.
Status takeSlices(std::span<const std::byte> bytes, const UploadPart::Take &take);
/// The same with the bytes of some of a tensor's `all` equal rows, read slice by slice.
Status takeStored(const StoredTensor &tensor, std::uint64_t all, PartRows rows, const UploadPart::Take &take);

/// Places parts in allocations, each where a vector read is aligned, and copies them there in slices, so that
/// progress moves and a stop is heard.
class Uploader {
public:
    using Progress = std::function<void(std::uint64_t, std::uint64_t)>;
    Uploader(Device &device, std::uint64_t total, const Progress &progress, std::stop_token stop);

    /// Uploads one group to memory of `kind`; `purpose` names it in messages. `buffers` gets the allocations.
    Status upload(const std::string &purpose, MemoryKind kind, std::span<const UploadPart> parts,
                  std::vector<std::unique_ptr<Buffer>> &buffers);

private:
    struct Block { ///< what stands in one allocation
        const UploadPart *part;
        PartRows rows;
    };
    Result<std::vector<Block>> cut(const std::string &purpose, std::span<const UploadPart> parts) const;
    Status fill(const Buffer &buffer, std::span<const Block> blocks);
    Status append(std::span<const std::byte> bytes);
    Status flush();

    Device &m_device;
    std::uint64_t m_total = 0, m_done = 0;
    const Progress &m_progress;
    std::stop_token m_stop;
    std::uint64_t m_most = 0; // bytes of an allocation
    std::vector<std::byte> m_slice;
    std::uint64_t m_destination = 0; // of the slice's first byte
};

} // namespace perilune
