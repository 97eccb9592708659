// Declaring tools: the order of keys makes no difference, and what is written as JSON reads back.
#include "engine/text/json_value.h"
#include "engine/text/tool_declaration.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using namespace perilune;
using namespace perilune::fuzz;

namespace {

void reverseKeys(JsonValue &value)
{
    for (JsonValue &item : value.items)
        reverseKeys(item);
    for (JsonValue::Member &member : value.members)
        reverseKeys(member.second);
    std::reverse(value.members.begin(), value.members.end());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text = Input(data, size).rest();
    const Result<ToolDeclaration> declared = declareTools(text);
    const Result<std::string> compact = compactTools(text);
    Result<JsonValue> value = parseJson(text);
    require(value || !declared, "what is no JSON is refused");
    if (value) {
        const std::string written = toJson(*value);
        const Result<JsonValue> again = parseJson(written);
        require(again && toJson(*again) == written, "JSON that was written reads back");
        pythonStr(*value);
    }
    require(declared.has_value() == compact.has_value(), "both forms refuse the same");
    if (!declared) {
        requireSentence(declared.error().message);
        return 0;
    }
    require(!declared->jsonFallback || declared->text == *compact, "the fallback is the compact form");
    const auto same = [&](const std::string &other) {
        const Result<ToolDeclaration> twin = declareTools(other);
        return twin && twin->text == declared->text && twin->jsonFallback == declared->jsonFallback;
    };
    reverseKeys(*value);
    require(same(toJson(*value)), "the order of keys makes no difference");
    if (!compact->empty())
        require(same(*compact) && *compactTools(*compact) == *compact, "the compact form declares the same");
    return 0;
}
