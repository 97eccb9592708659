#pragma once

#include "engine/base/result.h"
#include "engine/gpu/tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perilune {

/// What a matrix is for: the choice of what to quantize is made by these.
enum class WeightPart : std::uint8_t {
    Experts,   ///< routed experts
    Shared,    ///< experts that every token passes
    Dense,     ///< the feed-forward of layers without experts
    Attention, ///< projections of queries and keys, and the output; not kv_b_proj, which is small
    Head,      ///< of the vocabulary, or of the classes
    Other,     ///< routers, vision: never quantized
};

/// Which parts to quantize while loading, and how; nothing by default.
struct QuantizeOptions {
    /// By WeightPart, but Other: Int4, Int8, or none to leave the part as it is stored.
    std::array<std::optional<WeightFormat>, 5> formats;

    bool any() const;
    std::optional<WeightFormat> of(WeightPart part) const;
    /// "experts=int4,head=int8": parts in a fixed order, so that equal choices have equal texts.
    std::string text() const;
};

/// Reads "int4", "int8" (for every part) or a list such as "experts=int4,attention=int8,head=none"; a later
/// entry overrides an earlier one. InvalidInput names the entry and what it may be.
Result<QuantizeOptions> parseQuantizeOptions(std::string_view text);

/// Bytes that a quantized matrix takes, as WeightMatrix describes them.
struct QuantizedBytes {
    std::uint64_t dataOfRow = 0, scalesOfRow = 0;
};

/// `format` is Int4, for which columns are a multiple of 32, or Int8.
QuantizedBytes quantizedBytes(WeightFormat format, std::uint64_t columns);

/// Quantizes one row, symmetrically in groups of 32 with a BF16 scale each.
///
/// Int4 tries several scales for a group and keeps the one with the smallest squared error; the largest
/// value may become -8. Int8 maps the largest magnitude to 127. The error of a value is at most half a scale
/// (int4: of the group's largest value, somewhat more where that helps the others). A group with a value that
/// isn't finite becomes NaN throughout, so that it shows.
///
/// `data` and `scales` have the bytes that quantizedBytes() gives for one row.
void quantizeRow(std::span<const float> values, WeightFormat format, std::span<std::byte> data,
                 std::span<std::byte> scales);

} // namespace perilune
