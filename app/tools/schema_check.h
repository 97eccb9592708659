#pragma once

#include "engine/base/result.h"
#include "engine/text/json_value.h"

namespace perilune {

/// Checks `value` against a JSON schema. Understood: type, enum, const, properties, required,
/// additionalProperties, patternProperties, items, prefixItems, minItems, maxItems, minLength, maxLength (in
/// code points), minimum, maximum, exclusiveMinimum, exclusiveMaximum, anyOf, oneOf, allOf, $ref within the
/// schema, and true or false as a schema. Other keywords say nothing here, as JSON schema has it for unknown
/// ones, and neither does a $ref to elsewhere. `pattern` is among them, for a regular expression from
/// elsewhere can take for ever; of patternProperties, patterns that are plain words with or without ^ and $
/// are read, and others may be about any name: what has no other rule is let be. A schema that leads round in
/// circles, or takes more than about 100,000 steps, fits nothing. InvalidInput names the place: "expression:
/// expected a string, found a number".
Status checkSchema(const JsonValue &schema, const JsonValue &value);

} // namespace perilune
