#pragma once

#include "engine/base/check.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// What a matrix element is. A type exists because a checkpoint has it and a shader reads it.
enum class DType : std::uint8_t { F32, F16, BF16, U32 };

inline std::uint64_t bytesOf(DType type)
{
    return type == DType::F32 || type == DType::U32 ? 4 : 2;
}

/// Bytes [address, address + bytes) of device memory.
struct ByteRange {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// A matrix somewhere in device memory. Plain data: copying it copies no bytes, and whoever
/// allocated the buffer keeps it alive. Rows are contiguous; there are no strides.
struct Tensor {
    std::uint64_t address = 0; ///< device address, a multiple of 16
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    DType type = DType::F32;

    std::uint64_t elements() const { return std::uint64_t{rows} * columns; }
    std::uint64_t bytes() const { return elements() * bytesOf(type); }
    ByteRange range() const { return {address, bytes()}; }

    /// `count` rows from row `first` on. The caller sees to it that the address stays aligned.
    Tensor slice(std::uint32_t first, std::uint32_t count) const
    {
        CHECK(first <= rows && count <= rows - first);
        return {address + std::uint64_t{first} * columns * bytesOf(type), count, columns, type};
    }
};

/// How a weight matrix is stored on the device.
enum class WeightFormat : std::uint8_t {
    F32,
    F16,
    BF16,
    Int4, ///< 8 nibbles a word, lowest first, stored as q + 8; BF16 scale for each 32 columns
    Fp8,  ///< e4m3fn, 4 a word; F32 scale for each 128 x 128 block
    Int8, ///< signed, 4 a word; BF16 scale for each 32 columns, an even number of scales a row
};

/// A weight matrix (rows = outputs, columns = inputs), applied as y = x · Wᵀ.
struct WeightMatrix {
    WeightFormat format = WeightFormat::F32;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    ByteRange data;
    ByteRange scales; ///< Int4: BF16 (rows, columns / 32); Int8: BF16 (rows, 2 · ceil(columns / 64));
                      ///< Fp8: F32 (ceil(rows/128), ceil(columns/128)); else none
    /// Where the device allocates less at once than the matrix takes: blocks of its rows, in order. Then
    /// `data` is empty, and only matmul() takes the matrix.
    std::vector<WeightMatrix> pieces = {};
};

/// The routed experts of one layer: a table in device memory with the addresses of each
/// expert's matrices, so that experts may lie anywhere and be replaced one by one.
/// Row e of the table is six 64-bit addresses: gate, gate scales, up, up scales, down, down
/// scales (scales 0 where the format has none). All experts of a layer have one format.
struct ExpertTable {
    WeightFormat format = WeightFormat::Int4;
    std::uint32_t experts = 0;
    std::uint32_t hidden = 0;       ///< columns of gate and up, rows of down
    std::uint32_t intermediate = 0; ///< rows of gate and up, columns of down
    ByteRange table;                ///< (experts, 6) of 64-bit addresses
    ByteRange weights;              ///< one range that holds every matrix the table points to
};

} // namespace perilune
