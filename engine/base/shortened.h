#pragma once

#include "engine/base/shown_name.h"
#include "engine/base/whole_characters.h"

#include <string>
#include <string_view>

namespace perilune {

/// A name, a type or a value out of a file, as a sentence may quote it: cut after `most` bytes, in one line,
/// and as it is (see shownName()).
inline std::string shortened(std::string_view text, std::size_t most = 60)
{
    return text.size() > most ? shownName(text.substr(0, wholeUpTo(text, most))) + "…" : shownName(text);
}

} // namespace perilune
