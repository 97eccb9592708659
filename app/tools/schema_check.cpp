#include "app/tools/schema_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

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

Status check(const JsonValue &schema, const JsonValue &value, const std::string &place);

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

Status checkObject(const JsonValue &schema, const JsonValue &value, const std::string &place)
{
    if (const JsonValue *required = schema.find("required")) {
        for (const JsonValue &key : required->items) {
            if (!value.find(key.text))
                return mismatch(inside(place, key.text), "is missing");
        }
    }
    const JsonValue *properties = schema.find("properties");
    const JsonValue *others = schema.find("additionalProperties");
    for (const JsonValue::Member &member : value.members) {
        const JsonValue *known = properties ? properties->find(member.first) : nullptr;
        if (!known && others && others->is(Kind::Boolean) && !others->boolean)
            return mismatch(inside(place, member.first), "there is no such parameter");
        if (const JsonValue *rule = known ? known : others) {
            if (Status fits = check(*rule, member.second, inside(place, member.first)); !fits)
                return fits;
        }
    }
    return Done{};
}

Status checkArray(const JsonValue &schema, const JsonValue &value, const std::string &place)
{
    if (Status fits = checkLength(value.items.size(), limit(schema, "minItems"), limit(schema, "maxItems"),
                                  place, "items");
        !fits)
        return fits;
    const JsonValue *items = schema.find("items");
    for (std::size_t i = 0; items && i < value.items.size(); ++i) {
        if (Status fits = check(*items, value.items[i], place + '[' + std::to_string(i) + ']'); !fits)
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

Status check(const JsonValue &schema, const JsonValue &value, const std::string &place)
{
    if (schema.is(Kind::Boolean))
        return schema.boolean ? Status(Done{}) : mismatch(place, "nothing is allowed here");
    for (const auto rule : {checkType, checkValues, checkAlternatives}) {
        if (Status fits = rule(schema, value, place); !fits)
            return fits;
    }
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

} // namespace

Status checkSchema(const JsonValue &schema, const JsonValue &value)
{
    return check(schema, value, {});
}

} // namespace perilune
