#include "engine/text/json_value.h"
#include "engine/text/utf8.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace perilune {

std::string pythonFloat(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::array<char, 40> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    const std::string_view shortest(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));

    // "-d.ddde±xx" into sign, digits and exponent; Python writes small exponents out.
    const bool negative = shortest[0] == '-';
    const std::size_t mark = shortest.find('e');
    std::string digits;
    for (const char c : shortest.substr(0, mark)) {
        if (c >= '0' && c <= '9')
            digits += c;
    }
    int exponent = 0;
    const std::size_t signLength = shortest[mark + 1] == '+' ? 1 : 0;
    std::from_chars(shortest.data() + mark + 1 + signLength, shortest.data() + shortest.size(), exponent);

    std::string text = negative ? "-" : "";
    const auto count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        text += digits[0];
        if (count > 1)
            text.append(".").append(digits, 1);
        const std::string power = std::to_string(std::abs(exponent));
        return text + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
    }
    if (exponent < 0)
        return text + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    if (count <= exponent + 1)
        return text + digits + std::string(static_cast<std::size_t>(exponent) + 1 - digits.size(), '0') +
               ".0";
    const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
    return text + digits.substr(0, whole) + "." + digits.substr(whole);
}

namespace {

void appendHex(std::string &out, const char *format, std::uint32_t value)
{
    std::array<char, 16> buffer;
    out.append(buffer.data(),
               static_cast<std::size_t>(std::snprintf(buffer.data(), buffer.size(), format, value)));
}

void appendQuoted(std::string &out, std::string_view text)
{
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                appendHex(out, "\\u%04x", static_cast<unsigned char>(c));
            else
                out += c;
        }
    }
    out += '"';
}

std::string jsonFloat(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value < 0 ? "-Infinity" : "Infinity";
    return pythonFloat(value);
}

void appendJson(std::string &out, const JsonValue &value, const JsonStyle &style)
{
    using Kind = JsonValue::Kind;
    switch (value.kind) {
    case Kind::Null: out += "null"; return;
    case Kind::Boolean: out += value.boolean ? "true" : "false"; return;
    case Kind::Integer: out += value.text; return;
    case Kind::Float: out += jsonFloat(value.number); return;
    case Kind::String: appendQuoted(out, value.text); return;
    case Kind::Array: {
        out += '[';
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            out += i > 0 ? style.itemSeparator : "";
            appendJson(out, value.items[i], style);
        }
        out += ']';
        return;
    }
    case Kind::Object: {
        out += '{';
        for (std::size_t i = 0; i < value.members.size(); ++i) {
            out += i > 0 ? style.itemSeparator : "";
            appendQuoted(out, value.members[i].first);
            out += style.keySeparator;
            appendJson(out, value.members[i].second, style);
        }
        out += '}';
        return;
    }
    }
}

/// What str.isprintable denies: controls, formats, separators but the space, private use and non-characters.
/// Unassigned code points are taken for printable.
bool isPrintable(std::uint32_t point)
{
    return !(point < 0x20 || (point >= 0x7F && point <= 0xA0) || point == 0xAD ||
             (point >= 0x600 && point <= 0x605) || point == 0x61C || point == 0x6DD || point == 0x70F ||
             point == 0x1680 || point == 0x180E || (point >= 0x2000 && point <= 0x200F) ||
             (point >= 0x2028 && point <= 0x202F) || (point >= 0x205F && point <= 0x206F) ||
             point == 0x3000 || (point >= 0xE000 && point <= 0xF8FF) || point == 0xFEFF ||
             (point >= 0xFFF0 && point <= 0xFFFB) || (point & 0xFFFE) == 0xFFFE || point >= 0xE0000);
}

std::string reprOfString(std::string_view text)
{
    const char quote =
        text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
    std::string out(1, quote);
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = utf8Step(text.substr(at));
        const std::uint32_t point = step.point;
        if (point == static_cast<unsigned char>(quote) || point == '\\')
            out += {'\\', static_cast<char>(point)};
        else if (point == '\n')
            out += "\\n";
        else if (point == '\r')
            out += "\\r";
        else if (point == '\t')
            out += "\\t";
        else if (isPrintable(point))
            out += text.substr(at, step.length);
        else
            appendHex(out, point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x", point);
        at += step.length;
    }
    return out + quote;
}

} // namespace

std::string toJson(const JsonValue &value, const JsonStyle &style)
{
    std::string out;
    if (style.sortKeys) {
        JsonValue sorted = value;
        sortKeys(sorted);
        appendJson(out, sorted, style);
    } else {
        appendJson(out, value, style);
    }
    return out;
}

std::string pythonStr(const JsonValue &value)
{
    return value.is(JsonValue::Kind::String) ? value.text : pythonRepr(value);
}

std::string pythonRepr(const JsonValue &value)
{
    using Kind = JsonValue::Kind;
    std::string out;
    switch (value.kind) {
    case Kind::Null: return "None";
    case Kind::Boolean: return value.boolean ? "True" : "False";
    case Kind::Integer: return value.text;
    case Kind::Float: return pythonFloat(value.number);
    case Kind::String: return reprOfString(value.text);
    case Kind::Array:
        for (const JsonValue &item : value.items)
            out += (out.empty() ? "" : ", ") + pythonRepr(item);
        return "[" + out + "]";
    case Kind::Object:
        for (const JsonValue::Member &member : value.members)
            out += (out.empty() ? "" : ", ") + reprOfString(member.first) + ": " + pythonRepr(member.second);
        return "{" + out + "}";
    }
    return out;
}

} // namespace perilune
