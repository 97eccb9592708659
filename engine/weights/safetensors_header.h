#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// The format's own limit on the length of a header, in bytes.
constexpr std::uint64_t kLongestHeader = 100'000'000;

/// One tensor as the header gives it; nothing of it is checked yet but that it is all there.
struct HeaderEntry {
    std::string name;
    std::string type;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0; ///< in the data part
};

/// Reads the JSON of a header as a stream, so that neither depth nor repetition can hurt. The error's
/// sentence begins with the place in the header.
Result<std::vector<HeaderEntry>> parseSafetensorsHeader(std::string_view json);

} // namespace perilune
