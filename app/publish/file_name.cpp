#include "app/publish/file_name.h"

#include "app/export/document.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

/// Names of devices on Windows, whatever ending they have.
bool isReserved(const std::string &name)
{
    constexpr std::array names = {"con",  "prn",  "aux",  "nul",  "com1", "com2", "com3", "com4",
                                  "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3",
                                  "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"};
    std::string stem = name.substr(0, name.find('.'));
    std::ranges::transform(stem, stem.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return std::ranges::find(names, stem) != names.end();
}

} // namespace

std::string safeFileName(std::string_view text)
{
    constexpr std::size_t most = 100;
    std::string name;
    for (char c : cleanText(text)) {
        if (std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
            c = '_';
        if (c == '\n' || c == '\t')
            c = ' ';
        if (name.size() >= most && (static_cast<unsigned char>(c) & 0xC0) != 0x80)
            break;
        name += c;
    }
    const auto first = name.find_first_not_of(" .");
    name.erase(0, std::min(first, name.size()));
    const auto last = name.find_last_not_of(" .");
    name.erase(last == std::string::npos ? 0 : last + 1);
    if (name.empty())
        return "chat";
    return isReserved(name) ? "_" + name : name;
}

} // namespace perilune
