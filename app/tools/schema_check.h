#pragma once

#include "engine/base/result.h"
#include "engine/text/json_value.h"

namespace perilune {

/// Checks `value` against a JSON schema. Understood: type, enum, const, properties, required,
/// additionalProperties, items, minItems, maxItems, minLength, maxLength (in code points), minimum, maximum,
/// exclusiveMinimum, exclusiveMaximum, anyOf, oneOf, allOf, and true or false as a schema. Other keywords say
/// nothing here, as JSON schema has it for unknown ones; `pattern` is among them, for a regular expression
/// from elsewhere can take for ever. InvalidInput names the place: "expression: expected a string, found a
/// number".
Status checkSchema(const JsonValue &schema, const JsonValue &value);

} // namespace perilune
