#pragma once

#include "engine/base/whole_characters.h"

#include <string>
#include <string_view>

namespace perilune {

/// A name, a type or a value out of a file, as a sentence may quote it: cut after `most` bytes.
inline std::string shortened(std::string_view text, std::size_t most = 60)
{
    return text.size() > most ? std::string(text.substr(0, wholeUpTo(text, most))) + "…" : std::string(text);
}

} // namespace perilune
