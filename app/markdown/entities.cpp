#include "app/markdown/entities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace perilune {

namespace {

struct Entity {
    std::string_view name, text;
};

// Those that people and models write; HTML knows two thousand more.
constexpr std::array kEntities = {
    Entity{"amp",    "&"           },
    Entity{"lt",     "<"           },
    Entity{"gt",     ">"           },
    Entity{"quot",   "\""          },
    Entity{"apos",   "'"           },
    Entity{"nbsp",   "\xc2\xa0"    },
    Entity{"copy",   "©"           },
    Entity{"reg",    "®"           },
    Entity{"trade",  "™"           },
    Entity{"deg",    "°"           },
    Entity{"plusmn", "±"           },
    Entity{"times",  "×"           },
    Entity{"divide", "÷"           },
    Entity{"micro",  "µ"           },
    Entity{"middot", "·"           },
    Entity{"bull",   "•"           },
    Entity{"hellip", "…"           },
    Entity{"ndash",  "–"           },
    Entity{"mdash",  "—"           },
    Entity{"lsquo",  "‘"           },
    Entity{"rsquo",  "’"           },
    Entity{"ldquo",  "“"           },
    Entity{"rdquo",  "”"           },
    Entity{"laquo",  "«"           },
    Entity{"raquo",  "»"           },
    Entity{"larr",   "←"           },
    Entity{"uarr",   "↑"           },
    Entity{"rarr",   "→"           },
    Entity{"darr",   "↓"           },
    Entity{"harr",   "↔"           },
    Entity{"rArr",   "⇒"           },
    Entity{"hArr",   "⇔"           },
    Entity{"le",     "≤"           },
    Entity{"ge",     "≥"           },
    Entity{"ne",     "≠"           },
    Entity{"asymp",  "≈"           },
    Entity{"infin",  "∞"           },
    Entity{"sum",    "∑"           },
    Entity{"radic",  "√"           },
    Entity{"pi",     "π"           },
    Entity{"euro",   "€"           },
    Entity{"pound",  "£"           },
    Entity{"yen",    "¥"           },
    Entity{"sect",   "§"           },
    Entity{"para",   "¶"           },
    Entity{"check",  "✓"           },
    Entity{"zwj",    "\xe2\x80\x8d"},
    Entity{"zwnj",   "\xe2\x80\x8c"},
};

std::string utf8(std::uint32_t c)
{
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        c = 0xFFFD;
    std::string text;
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xC0 | c >> 6);
        add(0x80 | (c & 63));
    } else if (c < 0x10000) {
        add(0xE0 | c >> 12);
        add(0x80 | (c >> 6 & 63));
        add(0x80 | (c & 63));
    } else {
        add(0xF0 | c >> 18);
        add(0x80 | (c >> 12 & 63));
        add(0x80 | (c >> 6 & 63));
        add(0x80 | (c & 63));
    }
    return text;
}

} // namespace

namespace {

/// Control characters and noncharacters are none: what reads a document could take offence, or obey.
bool isText(std::uint32_t value)
{
    const bool control = (value < 0x20 && value != '\t' && value != '\n') || (value >= 0x7F && value <= 0x9F);
    const bool noncharacter = (value >= 0xFDD0 && value <= 0xFDEF) || (value & 0xFFFE) == 0xFFFE;
    return !control && !noncharacter;
}

} // namespace

std::string entityText(std::string_view entity)
{
    if (entity.size() < 3 || entity.front() != '&' || entity.back() != ';')
        return std::string(entity);
    const std::string_view name = entity.substr(1, entity.size() - 2);
    if (name.front() == '#') {
        const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
        const std::string_view digits = name.substr(hex ? 2 : 1);
        std::uint32_t value = 0;
        const auto read = std::from_chars(digits.begin(), digits.end(), value, hex ? 16 : 10);
        if (read.ec == std::errc::invalid_argument)
            return std::string(entity);
        return utf8(read.ec == std::errc() && isText(value) ? value : 0);
    }
    const auto *const found = std::ranges::find(kEntities, name, &Entity::name);
    return found == kEntities.end() ? std::string(entity) : std::string(found->text);
}

} // namespace perilune
