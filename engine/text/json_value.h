#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune {

/// A JSON value as Python's json module sees it, because the reference templates are Python: keys keep their
/// order, whole numbers their digits however many, other numbers are doubles that may be infinite or NaN.
/// (General JSON libraries turn large whole numbers into doubles, refuse 1e400 and lone surrogates, and write
/// numbers in another form.)
class JsonValue {
public:
    enum class Kind { Null, Boolean, Integer, Float, String, Array, Object };
    struct Member; ///< {first: key, second: value}

    Kind kind = Kind::Null;
    bool boolean = false;
    double number = 0;            ///< for Float
    std::string text;             ///< of a String, or the digits of an Integer
    std::vector<JsonValue> items; ///< of an Array
    std::vector<Member> members;  ///< of an Object, in order; a key comes once

    static JsonValue string(std::string text);
    static JsonValue boolean_(bool value);
    static JsonValue integer(long long value);
    static JsonValue array();
    static JsonValue object();

    bool is(Kind other) const { return kind == other; }
    bool isNumber() const { return is(Kind::Integer) || is(Kind::Float); }

    /// Whether Python takes the value for true: not null, false, zero or empty.
    bool truthy() const;

    /// The member `key` of an object; null pointer where there is none or this is no object.
    const JsonValue *find(std::string_view key) const;

    /// Appends a member.
    void add(std::string key, JsonValue value);
};

struct JsonValue::Member {
    std::string first;
    JsonValue second;
};

/// Parses one JSON document: what Python's json.loads takes, with NaN, Infinity, lone surrogates (U+FFFD) and
/// repeated keys (the last one counts). Bytes that are not UTF-8 become U+FFFD. InvalidInput names line and
/// column; depth is limited to kJsonDepth.
Result<JsonValue> parseJson(std::string_view text);
constexpr int kJsonDepth = 128;

struct JsonStyle {
    std::string_view itemSeparator = ", ", keySeparator = ": ";
    bool sortKeys = false; ///< by code point, at every depth
};
constexpr JsonStyle kCompactSorted{",", ":", true};
constexpr JsonStyle kCompact{",", ":", false};

/// As json.dumps with ensure_ascii off. The value's own order of keys unless the style sorts.
std::string toJson(const JsonValue &value, const JsonStyle &style = {});

/// As Python's str() and repr() print the value: True, None, 1e-09, ['a'].
std::string pythonStr(const JsonValue &value);
std::string pythonRepr(const JsonValue &value);

/// The shortest digits that read back as `value`, in Python's form: 1.0, 1e-09, 1e+16, inf, nan.
std::string pythonFloat(double value);

/// Sorts the keys of every object within `value` by code point.
void sortKeys(JsonValue &value);

} // namespace perilune
