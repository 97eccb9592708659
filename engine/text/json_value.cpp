#include "engine/text/json_value.h"

#include "engine/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>

namespace perilune {

namespace {

JsonValue ofKind(JsonValue::Kind kind)
{
    JsonValue value;
    value.kind = kind;
    return value;
}

} // namespace

JsonValue JsonValue::array()
{
    return ofKind(Kind::Array);
}

JsonValue JsonValue::object()
{
    return ofKind(Kind::Object);
}

JsonValue JsonValue::string(std::string text)
{
    JsonValue value = ofKind(Kind::String);
    value.text = std::move(text);
    return value;
}

JsonValue JsonValue::boolean_(bool value)
{
    JsonValue json = ofKind(Kind::Boolean);
    json.boolean = value;
    return json;
}

JsonValue JsonValue::integer(long long value)
{
    JsonValue json = ofKind(Kind::Integer);
    json.text = std::to_string(value);
    return json;
}

void JsonValue::add(std::string key, JsonValue value)
{
    members.push_back({std::move(key), std::move(value)});
}

bool JsonValue::truthy() const
{
    switch (kind) {
    case Kind::Null: return false;
    case Kind::Boolean: return boolean;
    case Kind::Integer: return text != "0";
    case Kind::Float: return number != 0;
    case Kind::String: return !text.empty();
    case Kind::Array: return !items.empty();
    case Kind::Object: return !members.empty();
    }
    return false;
}

const JsonValue *JsonValue::find(std::string_view key) const
{
    for (const Member &member : members) {
        if (member.first == key)
            return &member.second;
    }
    return nullptr;
}

void sortKeys(JsonValue &value)
{
    // Bytes of UTF-8 sort as the code points do.
    std::ranges::sort(value.members, {}, &JsonValue::Member::first);
    for (JsonValue::Member &member : value.members)
        sortKeys(member.second);
    for (JsonValue &item : value.items)
        sortKeys(item);
}

namespace {

/// Recursive descent over valid UTF-8. The first fault ends it; m_fault then says what and where.
class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<JsonValue> document()
    {
        JsonValue value;
        skipSpace();
        if (parseValue(value, 0)) {
            skipSpace();
            if (m_at == m_text.size())
                return value;
            fail("there is more text behind the end of the JSON value");
        }
        return Error{ErrorCode::InvalidInput, place() + ": " + m_fault};
    }

private:
    bool fail(std::string what)
    {
        m_fault = std::move(what);
        return false;
    }

    std::string place() const
    {
        const std::string_view before = m_text.substr(0, m_at);
        const auto line = std::ranges::count(before, '\n') + 1;
        const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
        return "line " + std::to_string(line) + ", column " + std::to_string(m_at - lineStart + 1);
    }

    bool atEnd() const { return m_at == m_text.size(); }
    char peek() const { return atEnd() ? '\0' : m_text[m_at]; }

    void skipSpace()
    {
        while (!atEnd() && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }

    bool take(std::string_view word)
    {
        if (!m_text.substr(m_at).starts_with(word))
            return false;
        m_at += word.size();
        return true;
    }

    bool parseValue(JsonValue &value, int depth)
    {
        using Kind = JsonValue::Kind;
        if (depth >= kJsonDepth)
            return fail("lists and objects are nested more than " + std::to_string(kJsonDepth) + " deep");
        switch (peek()) {
        case '{': return parseObject(value, depth);
        case '[': return parseArray(value, depth);
        case '"': value.kind = Kind::String; return parseString(value.text);
        default: break;
        }
        if (take("null"))
            return true;
        if (take("true")) {
            value = JsonValue::boolean_(true);
            return true;
        }
        if (take("false")) {
            value = JsonValue::boolean_(false);
            return true;
        }
        return parseNumber(value);
    }

    bool parseArray(JsonValue &value, int depth)
    {
        value.kind = JsonValue::Kind::Array;
        ++m_at;
        skipSpace();
        if (take("]"))
            return true;
        for (;;) {
            skipSpace();
            if (!parseValue(value.items.emplace_back(), depth + 1))
                return false;
            skipSpace();
            if (take("]"))
                return true;
            if (!take(","))
                return fail("expected a comma or ] in a list");
        }
    }

    bool parseObject(JsonValue &value, int depth)
    {
        value.kind = JsonValue::Kind::Object;
        ++m_at;
        skipSpace();
        if (take("}"))
            return true;
        std::unordered_map<std::string, std::size_t> places; // of the keys; a repeated key replaces the value
        for (;;) {
            skipSpace();
            std::string key;
            if (peek() != '"')
                return fail("expected a key in quotes");
            if (!parseString(key))
                return false;
            skipSpace();
            if (!take(":"))
                return fail("expected a colon behind the key");
            skipSpace();
            JsonValue member;
            if (!parseValue(member, depth + 1))
                return false;
            const auto [place, isNew] = places.try_emplace(key, value.members.size());
            if (isNew)
                value.add(std::move(key), std::move(member));
            else
                value.members[place->second].second = std::move(member);
            skipSpace();
            if (take("}"))
                return true;
            if (!take(","))
                return fail("expected a comma or } in an object");
        }
    }

    bool parseString(std::string &text)
    {
        ++m_at;
        for (;;) {
            const std::size_t plain = m_at;
            while (!atEnd() && peek() != '"' && peek() != '\\' && static_cast<unsigned char>(peek()) >= 0x20)
                ++m_at;
            text += m_text.substr(plain, m_at - plain);
            if (atEnd())
                return fail("a string has no closing quote");
            if (take("\""))
                return true;
            if (!take("\\"))
                return fail("a control character stands in a string");
            if (!parseEscape(text))
                return false;
        }
    }

    bool parseEscape(std::string &text)
    {
        static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (const std::size_t which = letters.find(peek()); which != std::string_view::npos && !atEnd()) {
            text += meanings[which];
            ++m_at;
            return true;
        }
        if (!take("u"))
            return fail("unknown escape in a string");
        const std::optional<std::uint32_t> unit = hexUnit();
        if (!unit)
            return fail("\\u needs four hexadecimal digits");
        std::uint32_t point = *unit;
        if (point >= 0xD800 && point <= 0xDBFF && m_text.substr(m_at).starts_with("\\u")) {
            const std::size_t before = m_at;
            m_at += 2;
            const std::optional<std::uint32_t> low = hexUnit();
            if (low && *low >= 0xDC00 && *low <= 0xDFFF)
                point = 0x10000 + ((point - 0xD800) << 10) + (*low - 0xDC00);
            else
                m_at = before;
        }
        appendUtf8(text, point >= 0xD800 && point <= 0xDFFF ? 0xFFFD : point);
        return true;
    }

    std::optional<std::uint32_t> hexUnit()
    {
        std::uint32_t unit = 0;
        const char *begin = m_text.data() + m_at;
        const char *end = m_text.data() + std::min(m_at + 4, m_text.size());
        const auto [stop, fault] = std::from_chars(begin, end, unit, 16);
        if (fault != std::errc() || stop != begin + 4)
            return std::nullopt;
        m_at += 4;
        return unit;
    }

    bool parseNumber(JsonValue &value)
    {
        using Kind = JsonValue::Kind;
        static constexpr double infinity = std::numeric_limits<double>::infinity();
        const std::pair<std::string_view, double> words[] = {
            {"NaN",       std::numeric_limits<double>::quiet_NaN()},
            {"Infinity",  infinity                                },
            {"-Infinity", -infinity                               }
        };
        for (const auto &[word, meaning] : words) {
            if (take(word)) {
                value.kind = Kind::Float;
                value.number = meaning;
                return true;
            }
        }
        const std::size_t start = m_at;
        take("-");
        const std::size_t whole = digits();
        if (whole == 0 || (whole > 1 && m_text[m_at - whole] == '0')) {
            m_at = start;
            return fail(atEnd() ? "the text ends where a value is expected" : "expected a value");
        }
        bool isFloat = false;
        const auto part = [&](std::size_t behindMark) {
            const std::size_t before = m_at;
            m_at += behindMark;
            if (digits() == 0)
                m_at = before;
            else
                isFloat = true;
        };
        if (peek() == '.')
            part(1);
        if (peek() == 'e' || peek() == 'E') {
            const bool hasSign =
                m_at + 1 < m_text.size() && (m_text[m_at + 1] == '-' || m_text[m_at + 1] == '+');
            part(hasSign ? 2 : 1);
        }
        const std::string_view number = m_text.substr(start, m_at - start);
        value.kind = isFloat ? Kind::Float : Kind::Integer;
        if (isFloat)
            value.number = toDouble(number);
        else
            value.text = number == "-0" ? "0" : number;
        return true;
    }

    std::size_t digits()
    {
        const std::size_t start = m_at;
        while (peek() >= '0' && peek() <= '9')
            ++m_at;
        return m_at - start;
    }

    static double toDouble(std::string_view number)
    {
        double value = 0;
        const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (fault != std::errc::result_out_of_range)
            return value;
        // Far too large or far too small: the place of the first digit that is not zero tells which.
        const bool negative = number[0] == '-';
        const std::string_view digits =
            number.substr(negative ? 1 : 0, number.find_first_of("eE") - (negative ? 1 : 0));
        const auto point = static_cast<long>(std::min(digits.find('.'), digits.size()));
        const auto first = static_cast<long>(digits.find_first_of("123456789"));
        long exponent = 0;
        if (const std::size_t mark = number.find_first_of("eE"); mark != std::string_view::npos) {
            const bool plus = number[mark + 1] == '+';
            const auto read = std::from_chars(number.data() + mark + (plus ? 2 : 1), end, exponent);
            if (read.ec != std::errc())
                exponent = number[mark + 1] == '-' ? -1'000'000'000 : 1'000'000'000;
        }
        const double size = point - first + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
        return negative ? -size : size;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_fault;
};

} // namespace

Result<JsonValue> parseJson(std::string_view text)
{
    if (isValidUtf8(text))
        return Parser(text).document();
    return Parser(repairedUtf8(text)).document();
}

} // namespace perilune
