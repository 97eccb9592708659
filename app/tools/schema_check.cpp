#include "app/tools/schema_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace perilune {

namespace {

using Kind = JsonValue::Kind;

Error mismatch(const std::string &place, const std::string &what)
{
    return {ErrorCode::InvalidInput, (place.empty() ? "the arguments" : place) + ": " + what};
}

std::string nameOf(const JsonValue &value)
{
    switch (value.kind) {
    case Kind::Null: return "null";
    case Kind::Boolean: return "true or false";
    case Kind::Integer: return "a whole number";
    case Kind::Float: return "a number";
    case Kind::String: return "a string";
    case Kind::Array: return "an array";
    case Kind::Object: return "an object";
    }
    return "";
}

std::string nameOfType(std::string_view type)
{
    if (type == "boolean")
        return "true or false";
    if (type == "integer")
        return "a whole number";
    if (type == "null")
        return "null";
    return (type == "array" || type == "object" ? "an " : "a ") + std::string(type);
}

double numberOf(const JsonValue &value)
{
    return value.is(Kind::Integer) ? std::strtod(value.text.c_str(), nullptr) : value.number;
}

bool isOfType(const JsonValue &value, std::string_view type)
{
    if (type == "integer")
        return value.is(Kind::Integer) || (value.is(Kind::Float) && std::isfinite(value.number) &&
                                           value.number == std::floor(value.number));
    if (type == "number") // NaN and Infinity are none in JSON
        return value.is(Kind::Integer) || (value.is(Kind::Float) && std::isfinite(value.number));
    return (type == "null" && value.is(Kind::Null)) || (type == "boolean" && value.is(Kind::Boolean)) ||
           (type == "string" && value.is(Kind::String)) || (type == "array" && value.is(Kind::Array)) ||
           (type == "object" && value.is(Kind::Object));
}

bool equal(const JsonValue &a, const JsonValue &b)
{
    if (a.isNumber() && b.isNumber())
        return a.kind == b.kind && a.is(Kind::Integer) ? a.text == b.text : numberOf(a) == numberOf(b);
    return a.kind == b.kind && toJson(a, kCompactSorted) == toJson(b, kCompactSorted);
}

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string inside(const std::string &place, const std::string &key)
{
    return place.empty() ? key : place + '.' + key;
}

Status checkType(const JsonValue &schema, const JsonValue &value, const std::string &place)
{
    const JsonValue *type = schema.find("type");
    if (!type)
        return Done{};
    if (type->is(Kind::String))
        return isOfType(value, type->text)
                   ? Status(Done{})
                   : mismatch(place, "expected " + nameOfType(type->text) + ", found " + nameOf(value));
    std::string expected;
    for (const JsonValue &one : type->items) {
        if (isOfType(value, one.text))
            return Done{};
        expected += (expected.empty() ? "" : " or ") + nameOfType(one.text);
    }
    return mismatch(place, "expected " + expected + ", found " + nameOf(value));
}

Status checkValues(const JsonValue &schema, const JsonValue &value, const std::string &place)
{
    if (const JsonValue *only = schema.find("const"); only && !equal(*only, value))
        return mismatch(place, "expected " + toJson(*only));
    const JsonValue *list = schema.find("enum");
    if (!list || std::ranges::any_of(list->items, [&](const JsonValue &one) { return equal(one, value); }))
        return Done{};
    std::string expected;
    for (const JsonValue &one : list->items)
        expected += (expected.empty() ? "" : ", ") + toJson(one);
    return mismatch(place, "expected one of " + expected);
}

/// The number under `key`, where there is one.
std::optional<double> limit(const JsonValue &schema, std::string_view key)
{
    const JsonValue *found = schema.find(key);
    return found && found->isNumber() ? std::optional(numberOf(*found)) : std::nullopt;
}

Status checkNumber(const JsonValue &schema, const JsonValue &value, const std::string &place)
{
    const double number = numberOf(value);
    if (const auto least = limit(schema, "minimum"); least && !(number >= *least))
        return mismatch(place, "must be at least " + toJson(*schema.find("minimum")));
    if (const auto most = limit(schema, "maximum"); most && !(number <= *most))
        return mismatch(place, "must be at most " + toJson(*schema.find("maximum")));
    if (const auto above = limit(schema, "exclusiveMinimum"); above && !(number > *above))
        return mismatch(place, "must be more than " + toJson(*schema.find("exclusiveMinimum")));
    if (const auto below = limit(schema, "exclusiveMaximum"); below && !(number < *below))
        return mismatch(place, "must be less than " + toJson(*schema.find("exclusiveMaximum")));
    return Done{};
}

Status checkLength(std::size_t length, std::optional<double> least, std::optional<double> most,
                   const std::string &place, const std::string &unit)
{
    if (least && static_cast<double>(length) < *least)
        return mismatch(
            place, "needs at least " +
                       std::to_string(static_cast<std::uint64_t>(std::clamp(std::ceil(*least), 0.0, 1e15))) +
                       ' ' + unit);
    if (most && static_cast<double>(length) > *most)
        return mismatch(place, "may have at most " +
                                   std::to_string(static_cast<std::uint64_t>(std::clamp(*most, 0.0, 1e15))) +
                                   ' ' + unit);
    return Done{};
}

/// Whether a pattern of patternProperties is about the name `key`; none where it can't be said.
std::optional<bool> isAbout(std::string_view pattern, std::string_view key)
{
    const bool begins = pattern.starts_with('^');
    if (begins)
        pattern.remove_prefix(1);
    const bool ends = pattern.ends_with('$') && !pattern.ends_with("\\$");
    if (ends)
        pattern.remove_suffix(1);
    if (pattern == ".*" || pattern == ".+")
        return pattern == ".*" || !key.empty();
    if (pattern.find_first_of("\\^$.|?*+()[]{}") != std::string_view::npos)
        return std::nullopt;
    if (begins && ends)
        return key == pattern;
    if (begins || ends)
        return begins ? key.starts_with(pattern) : key.ends_with(pattern);
    return key.find(pattern) != std::string_view::npos;
}

/// One check. Rules are followed into the schema's own definitions, within limits.
class Checker {
public:
    explicit Checker(const JsonValue &root) : m_root(root) {}

    Status check(const JsonValue &schema, const JsonValue &value, const std::string &place)
    {
        if (schema.is(Kind::Boolean))
            return schema.boolean ? Status(Done{}) : mismatch(place, "nothing is allowed here");
        if (++m_steps > kMostSteps || m_depth >= kDeepest)
            return tooMuch();
        ++m_depth;
        Status fits = checkAll(schema, value, place);
        --m_depth;
        return m_gaveUp ? tooMuch() : fits; // no "none of the forms" hides it
    }

private:
    static constexpr int kMostSteps = 100'000, kDeepest = 500;

    Status tooMuch()
    {
        m_gaveUp = true;
        return Error{ErrorCode::InvalidInput,
                     "the tool's JSON schema leads round in circles or takes too long to check"};
    }

    Status checkAll(const JsonValue &schema, const JsonValue &value, const std::string &place)
    {
        if (const JsonValue *named = schema.find("$ref"); named && named->is(Kind::String)) {
            if (const JsonValue *other = definition(named->text)) {
                if (Status fits = check(*other, value, place); !fits)
                    return fits;
            }
        }
        for (const auto rule : {checkType, checkValues}) {
            if (Status fits = rule(schema, value, place); !fits)
                return fits;
        }
        if (Status fits = checkAlternatives(schema, value, place); !fits)
            return fits;
        if (value.isNumber())
            return checkNumber(schema, value, place);
        if (value.is(Kind::String))
            return checkLength(codePoints(value.text), limit(schema, "minLength"), limit(schema, "maxLength"),
                               place, "characters");
        if (value.is(Kind::Object))
            return checkObject(schema, value, place);
        if (value.is(Kind::Array))
            return checkArray(schema, value, place);
        return Done{};
    }

    /// What "#/$defs/city" points at (a JSON pointer); null where it leads nowhere or elsewhere.
    const JsonValue *definition(std::string_view pointer) const
    {
        if (!pointer.starts_with('#'))
            return nullptr;
        pointer.remove_prefix(1);
        const JsonValue *at = &m_root;
        while (at && !pointer.empty()) {
            if (pointer.front() != '/')
                return nullptr;
            pointer.remove_prefix(1);
            const std::size_t end = std::min(pointer.find('/'), pointer.size());
            at = memberOf(*at, unescaped(pointer.substr(0, end)));
            pointer.remove_prefix(end);
        }
        return at;
    }

    static const JsonValue *memberOf(const JsonValue &value, const std::string &key)
    {
        if (!value.is(Kind::Array))
            return value.find(key);
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
        const bool known =
            error == std::errc() && end == key.data() + key.size() && index < value.items.size();
        return known ? &value.items[index] : nullptr;
    }

    /// Of a pointer's step: %25 for "%", then ~1 for "/" and ~0 for "~".
    static std::string unescaped(std::string_view step)
    {
        std::string bytes;
        for (std::size_t i = 0; i < step.size(); ++i) {
            unsigned code = 0;
            if (step[i] == '%' && i + 2 < step.size() &&
                std::from_chars(step.data() + i + 1, step.data() + i + 3, code, 16).ptr ==
                    step.data() + i + 3) {
                bytes += static_cast<char>(code);
                i += 2;
            } else {
                bytes += step[i];
            }
        }
        std::string key;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const bool escape =
                bytes[i] == '~' && i + 1 < bytes.size() && (bytes[i + 1] == '0' || bytes[i + 1] == '1');
            key += !escape ? bytes[i] : bytes[i + 1] == '0' ? '~' : '/';
            i += escape ? 1 : 0;
        }
        return key;
    }

    Status checkObject(const JsonValue &schema, const JsonValue &value, const std::string &place)
    {
        if (const JsonValue *required = schema.find("required")) {
            for (const JsonValue &key : required->items) {
                if (!value.find(key.text))
                    return mismatch(inside(place, key.text), "is missing");
            }
        }
        for (const JsonValue::Member &member : value.members) {
            if (Status fits = checkMember(schema, member, inside(place, member.first)); !fits)
                return fits;
        }
        return Done{};
    }

    Status checkMember(const JsonValue &schema, const JsonValue::Member &member, const std::string &place)
    {
        const JsonValue *properties = schema.find("properties");
        const JsonValue *known = properties ? properties->find(member.first) : nullptr;
        bool other = !known; // no rule is about it
        if (known) {
            if (Status fits = check(*known, member.second, place); !fits)
                return fits;
        }
        if (const JsonValue *patterns = schema.find("patternProperties")) {
            for (const JsonValue::Member &pattern : patterns->members) {
                const std::optional<bool> about = isAbout(pattern.first, member.first);
                other = other && about == std::optional(false);
                if (!about.value_or(false))
                    continue;
                if (Status fits = check(pattern.second, member.second, place); !fits)
                    return fits;
            }
        }
        const JsonValue *others = schema.find("additionalProperties");
        if (!other || !others)
            return Done{};
        if (others->is(Kind::Boolean) && !others->boolean)
            return mismatch(place, "there is no such parameter");
        return check(*others, member.second, place);
    }

    Status checkArray(const JsonValue &schema, const JsonValue &value, const std::string &place)
    {
        if (Status fits = checkLength(value.items.size(), limit(schema, "minItems"),
                                      limit(schema, "maxItems"), place, "items");
            !fits)
            return fits;
        // Older schemas have the list under "items", and what follows it under "additionalItems".
        const JsonValue *items = schema.find("items"), *first = schema.find("prefixItems");
        if (!first && items && items->is(Kind::Array)) {
            first = items;
            items = schema.find("additionalItems");
        }
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const bool listed = first && i < first->items.size();
            const JsonValue *rule = listed ? &first->items[i] : items;
            if (!rule)
                continue;
            if (Status fits = check(*rule, value.items[i], place + '[' + std::to_string(i) + ']'); !fits)
                return fits;
        }
        return Done{};
    }

    Status checkAlternatives(const JsonValue &schema, const JsonValue &value, const std::string &place)
    {
        if (const JsonValue *all = schema.find("allOf")) {
            for (const JsonValue &one : all->items) {
                if (Status fits = check(one, value, place); !fits)
                    return fits;
            }
        }
        for (const char *key : {"anyOf", "oneOf"}) {
            const JsonValue *list = schema.find(key);
            if (!list)
                continue;
            const auto fitting = std::ranges::count_if(
                list->items, [&](const JsonValue &one) { return check(one, value, place).has_value(); });
            if (fitting == 0 || (fitting > 1 && std::string_view(key) == "oneOf"))
                return mismatch(place, fitting == 0 ? "fits none of the forms that are allowed"
                                                    : "fits more than one of the forms that are allowed");
        }
        return Done{};
    }

    const JsonValue &m_root;
    int m_steps = 0, m_depth = 0;
    bool m_gaveUp = false;
};

} // namespace

Status checkSchema(const JsonValue &schema, const JsonValue &value)
{
    return Checker(schema).check(schema, value, {});
}

} // namespace perilune
