#pragma once

#include <string>
#include <string_view>

namespace perilune {

/// The character that an entity of HTML ("&amp;", "&#8212;", "&#x41;") stands for, as UTF-8. One that we
/// don't know stays as it is written.
std::string entityText(std::string_view entity);

} // namespace perilune
