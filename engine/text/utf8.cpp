#include "engine/text/utf8.h"

#include <cstring>

namespace perilune {

namespace {

unsigned byteAt(std::string_view text, std::size_t index)
{
    return static_cast<unsigned char>(text[index]);
}

} // namespace

bool isValidUtf8(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        if (text.size() - at >= 8) { // most text is ASCII for long stretches
            std::uint64_t eight = 0;
            std::memcpy(&eight, text.data() + at, 8);
            if ((eight & 0x8080808080808080u) == 0) {
                at += 8;
                continue;
            }
        }
        const Utf8Step step = utf8Step(text.substr(at));
        if (step.kind != Utf8Step::Kind::Valid)
            return false;
        at += step.length;
    }
    return true;
}

std::string repairedUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = utf8Step(text);
        if (step.kind == Utf8Step::Kind::Valid)
            out += text.substr(0, step.length);
        else
            out += "\xEF\xBF\xBD";
        text.remove_prefix(step.length);
    }
    return out;
}

std::size_t incompleteUtf8Tail(std::string_view text)
{
    for (std::size_t length = 1; length <= 3 && length <= text.size(); ++length) {
        const std::string_view tail = text.substr(text.size() - length);
        if ((byteAt(tail, 0) & 0xC0) == 0x80)
            continue; // a continuation byte: its lead is further left
        return utf8Step(tail).kind == Utf8Step::Kind::Incomplete ? length : 0;
    }
    return 0;
}

void appendUtf8(std::string &text, std::uint32_t point)
{
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (point < 0x80) {
        add(point);
    } else if (point < 0x800) {
        add(0xC0 | point >> 6);
        add(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        add(0xE0 | point >> 12);
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    }
}

bool isPythonSpace(std::uint32_t point)
{
    return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 ||
           point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
           point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

std::size_t leadingSpace(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const Utf8Step step = utf8Step(text.substr(at));
        if (step.kind != Utf8Step::Kind::Valid || !isPythonSpace(step.point))
            break;
        at += step.length;
    }
    return at;
}

std::size_t trailingSpace(std::string_view text)
{
    std::size_t end = text.size();
    while (end > 0) {
        std::size_t begin = end - 1;
        while (begin > 0 && end - begin < 4 && (byteAt(text, begin) & 0xC0) == 0x80)
            --begin;
        const Utf8Step step = utf8Step(text.substr(begin, end - begin));
        if (step.kind != Utf8Step::Kind::Valid || step.length != end - begin || !isPythonSpace(step.point))
            break;
        end = begin;
    }
    return text.size() - end;
}

std::string_view trimmed(std::string_view text)
{
    text.remove_prefix(leadingSpace(text));
    text.remove_suffix(trailingSpace(text));
    return text;
}

} // namespace perilune
