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

/// A contiguous piece of device memory: where its bytes come from, and who wants to know where it lies.
class UploadPart {
public:
    using Placed = std::function<void(ByteRange)>;

    /// The mapped bytes as they are.
    static UploadPart raw(std::span<const std::byte> bytes, Placed placed);
    /// A matrix expanded to f32 row by row.
    static UploadPart expanded(const StoredMatrix &matrix, Placed placed);
    /// Bytes that exist only once the parts before it have been placed.
    static UploadPart made(std::uint64_t bytes, std::function<std::span<const std::byte>()> make,
                           Placed placed);

    std::uint64_t bytes() const { return m_bytes; }
    void place(std::uint64_t address) const { m_placed({address, m_bytes}); }

    /// Hands the part's bytes, in order, to `take`, until it refuses.
    Status read(const std::function<Status(std::span<const std::byte>)> &take) const;

private:
    std::uint64_t m_bytes = 0;
    Placed m_placed;
    std::span<const std::byte> m_raw;
    StoredMatrix m_matrix;
    std::function<std::span<const std::byte>()> m_make;
};

/// Bytes that a part of `bytes` takes in an allocation: parts start where vector reads are aligned.
std::uint64_t alignedForUpload(std::uint64_t bytes);

/// Places parts in allocations and copies them there in slices, so that progress moves and a stop is heard.
class Uploader {
public:
    using Progress = std::function<void(std::uint64_t, std::uint64_t)>;
    Uploader(Device &device, std::uint64_t total, const Progress &progress, std::stop_token stop);

    /// Uploads one group; `purpose` names it in messages. `buffers` gets the allocations.
    Status upload(const std::string &purpose, std::span<const UploadPart> parts,
                  std::vector<std::unique_ptr<Buffer>> &buffers);

private:
    Status fill(const Buffer &buffer, std::span<const UploadPart> parts);
    Status append(std::span<const std::byte> bytes);
    Status flush();

    Device &m_device;
    std::uint64_t m_total = 0, m_done = 0;
    const Progress &m_progress;
    std::stop_token m_stop;
    std::vector<std::byte> m_slice;
    std::uint64_t m_destination = 0; // of the slice's first byte
};

} // namespace perilune
