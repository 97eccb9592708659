#pragma once

#include "engine/gpu/device.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace perilune {

/// The bytes of a parameter struct, as Dispatch takes them. `params` must live until dispatch() returns.
template <typename Params>
std::span<const std::byte> pushed(const Params &params)
{
    static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= 128 && sizeof(Params) % 4 == 0);
    return std::as_bytes(std::span(&params, 1));
}

inline std::uint32_t ceilDivide(std::uint64_t value, std::uint64_t step)
{
    return static_cast<std::uint32_t>((value + step - 1) / step);
}

/// The bytes of `count` rows from row `first` on.
inline ByteRange rows(const Tensor &tensor, std::uint32_t first, std::uint32_t count)
{
    const std::uint64_t rowBytes = std::uint64_t{tensor.columns} * bytesOf(tensor.type);
    return {tensor.address + first * rowBytes, count * rowBytes};
}

inline bool overlap(ByteRange a, ByteRange b)
{
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

/// On devices of the kind "cpu" a workgroup is a loop of one core: small ones need fewer barriers.
inline bool runsOnCpu(const Device &device)
{
    return device.info().kind == "cpu";
}

} // namespace perilune
