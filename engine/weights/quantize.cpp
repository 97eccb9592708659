#include "engine/weights/quantize.h"

#include "engine/base/bfloat16.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kGroup = 32; // columns that share a scale
constexpr std::uint16_t kNan = 0x7fc0;
constexpr float kSmallestScale = 0x1p-126f; // devices may take smaller ones for 0

struct PartName {
    std::string_view name;
    WeightPart part;
};
constexpr PartName kParts[] = {
    {"experts",   WeightPart::Experts  },
    {"shared",    WeightPart::Shared   },
    {"dense",     WeightPart::Dense    },
    {"attention", WeightPart::Attention},
    {"head",      WeightPart::Head     },
};
constexpr const char *kExpected =
    "expected are int4 or int8 for everything, or a list such as experts=int4,attention=int8 of the parts "
    "experts, shared, dense, attention and head with int4, int8 or none";

using Group = std::array<float, kGroup>;
using Quanta = std::array<float, kGroup>; // whole numbers

/// The nearest whole number, for magnitudes below 2^22; written so that compilers vectorize it.
float nearest(float value)
{
    constexpr float kShift = 0x1.8p23f;
    return (value + kShift) - kShift;
}

/// The group's value of the largest magnitude; NaN where one isn't finite.
float largest(const Group &group)
{
    std::uint32_t most = 0;
    for (const float value : group)
        most = std::max(most, std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
    if (most >= 0x7f800000u)
        return std::bit_cast<float>(0x7fc00000u);
    for (const float value : group) {
        if ((std::bit_cast<std::uint32_t>(value) & 0x7fffffffu) == most)
            return value;
    }
    return 0;
}

void divide(const Group &group, float scale, float least, float most, Quanta &quanta)
{
    const float inverse = 1.0f / scale;
    for (std::size_t i = 0; i < kGroup; ++i)
        quanta[i] = std::min(std::max(nearest(group[i] * inverse), least), most);
}

/// What a group becomes: its scale as BF16 and whole numbers.
struct Quantized {
    std::uint16_t scale = 0;
    Quanta quanta{};
};

Quantized unscalable(float value)
{
    return {std::isnan(value) ? kNan : std::uint16_t{0}, {}};
}

Quantized quantize8(const Group &group)
{
    const float most = largest(group);
    const std::uint16_t scale = toBfloat16(std::abs(most) / 127.0f);
    if (!(fromBfloat16(scale) >= kSmallestScale))
        return unscalable(most);
    Quantized result;
    result.scale = scale;
    divide(group, fromBfloat16(scale), -127.0f, 127.0f, result.quanta);
    return result;
}

Quantized quantize4(const Group &group)
{
    const float most = largest(group);
    if (!(std::abs(most) / 16.0f >= kSmallestScale))
        return unscalable(most);
    // What the largest value is divided by: -8 uses the whole range; more clips it in favour of the others.
    constexpr float kDivisors[] = {-8.0f, -7.0f, -7.5f, -8.5f, -9.0f, 7.0f};
    Quantized best, tried;
    float least = INFINITY;
    for (const float divisor : kDivisors) {
        tried.scale = toBfloat16(most / divisor);
        const float scale = fromBfloat16(tried.scale);
        divide(group, scale, -8.0f, 7.0f, tried.quanta);
        // In units of the largest value, so that neither huge nor tiny groups leave the range of f32. In
        // lanes, so that compilers vectorize the sum.
        const float inverse = 1.0f / scale;
        std::array<float, 8> sums{};
        for (std::size_t i = 0; i < kGroup; ++i) {
            const float error = group[i] * inverse - tried.quanta[i];
            sums[i % sums.size()] += error * error;
        }
        float sum = 0;
        for (const float part : sums)
            sum += part;
        sum *= (scale / most) * (scale / most);
        if (sum < least) {
            least = sum;
            best = tried;
        }
    }
    return best;
}

} // namespace

bool QuantizeOptions::any() const
{
    return std::any_of(formats.begin(), formats.end(), [](const auto &format) { return format.has_value(); });
}

std::optional<WeightFormat> QuantizeOptions::of(WeightPart part) const
{
    return part == WeightPart::Other ? std::nullopt : formats[static_cast<std::size_t>(part)];
}

std::string QuantizeOptions::text() const
{
    std::string text;
    for (const PartName &part : kParts) {
        if (const std::optional<WeightFormat> format = of(part.part))
            text += (text.empty() ? "" : ",") + std::string(part.name) +
                    (*format == WeightFormat::Int4 ? "=int4" : "=int8");
    }
    return text;
}

Result<QuantizeOptions> parseQuantizeOptions(std::string_view text)
{
    QuantizeOptions options;
    std::array<bool, std::size(kParts)> named{};
    if (text.ends_with(','))
        return Error{ErrorCode::InvalidInput,
                     std::string("there is nothing behind the last comma: ") + kExpected};
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view entry = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
        const std::size_t equals = entry.find('=');
        const std::string_view name = equals == entry.npos ? "" : entry.substr(0, equals);
        const std::string_view value = equals == entry.npos ? entry : entry.substr(equals + 1);
        const bool none = value == "none";
        const auto *part = std::find_if(std::begin(kParts), std::end(kParts),
                                        [&](const PartName &p) { return p.name == name; });
        const bool known = equals == entry.npos || part != std::end(kParts);
        if (!known || (!none && value != "int4" && value != "int8"))
            return Error{ErrorCode::InvalidInput,
                         "\"" + std::string(entry) + "\" is nothing to quantize: " + kExpected};
        std::optional<WeightFormat> format;
        if (!none)
            format = value == "int4" ? WeightFormat::Int4 : WeightFormat::Int8;
        if (equals == entry.npos && entry.data() != text.data())
            return Error{ErrorCode::InvalidInput,
                         "\"" + std::string(entry) + "\" stands for everything and can only come first"};
        if (equals == entry.npos) {
            options.formats.fill(format);
            continue;
        }
        const auto index = static_cast<std::size_t>(part->part);
        if (std::exchange(named[index], true))
            return Error{ErrorCode::InvalidInput, std::string(name) + " is named twice in the list"};
        options.formats[index] = format;
    }
    return options;
}

QuantizedBytes quantizedBytes(WeightFormat format, std::uint64_t columns)
{
    if (format == WeightFormat::Int4) {
        CHECK(columns % kGroup == 0);
        return {columns / 2, columns / kGroup * 2};
    }
    CHECK(format == WeightFormat::Int8);
    return {columns, (columns + 63) / 64 * 4};
}

void quantizeRow(std::span<const float> values, WeightFormat format, std::span<std::byte> data,
                 std::span<std::byte> scales)
{
    const QuantizedBytes bytes = quantizedBytes(format, values.size());
    CHECK(data.size() == bytes.dataOfRow && scales.size() == bytes.scalesOfRow);
    std::fill(scales.begin(), scales.end(), std::byte{0}); // int8 may have a scale of no column
    for (std::size_t first = 0; first < values.size(); first += kGroup) {
        const std::size_t count = std::min(kGroup, values.size() - first);
        Group group{};
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, group.begin());
        const Quantized result = format == WeightFormat::Int4 ? quantize4(group) : quantize8(group);
        std::memcpy(scales.data() + first / kGroup * 2, &result.scale, 2);
        if (format == WeightFormat::Int4) {
            for (std::size_t i = 0; i < kGroup; i += 2) // the lower nibble first
                data[(first + i) / 2] =
                    static_cast<std::byte>((static_cast<int>(result.quanta[i]) + 8) |
                                           ((static_cast<int>(result.quanta[i + 1]) + 8) << 4));
        } else {
            for (std::size_t i = 0; i < count; ++i)
                data[first + i] = static_cast<std::byte>(static_cast<int>(result.quanta[i]));
        }
    }
}

} // namespace perilune
