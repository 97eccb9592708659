#!/usr/bin/env python3
"""Random JSON schemas and values, with what the jsonschema package says of them.

    packaging/oracles/schema_cases.py [COUNT] > tests/data/tools/schema_cases.jsonl
    packaging/oracles/schema_cases.py --definitions [COUNT] > tests/data/tools/schema_definitions.jsonl

A line is {"schema": S, "value": V, "fits": b}; about half of the values fit. Only keywords that
app/tools/schema_check.h understands are used. Needs jsonschema (PyPI); the seed is fixed, so that the
same version gives the same file.
"""
import json
import random
import sys

from jsonschema import Draft202012Validator

random.seed(20261201)

WORDS = ["", "a", "é", "月🌙", "longer words", "1", "null", "\u0000", "<|im_end|>"]
KEYS = ["a", "b", "é", "type", ""]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


def number():
    return random.choice([-3, -1, 0, 1, 2, 2.0, 2.5, -0.5, 1e20, 7, 12345678901234567890])


def value(depth):
    kinds = ["null", "boolean", "number", "string"] + (["array", "object"] if depth else [])
    kind = random.choice(kinds)
    if kind == "null":
        return None
    if kind == "boolean":
        return random.choice([True, False])
    if kind == "number":
        return number()
    if kind == "string":
        return random.choice(WORDS)
    if kind == "array":
        return [value(depth - 1) for _ in range(random.randrange(4))]
    return {key: value(depth - 1) for key in random.sample(KEYS, random.randrange(4))}


def schema(depth):
    if random.random() < 0.07:
        return random.choice([True, False])
    made = {}
    if random.random() < 0.6:
        made["type"] = random.choice(TYPES) if random.random() < 0.8 else random.sample(TYPES, 2)
    keywords = ["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength",
                "maxLength", "minItems", "maxItems", "required", "pattern", "title"]
    if depth:
        keywords += ["properties", "additionalProperties", "items", "anyOf", "oneOf", "allOf"] * 2
    for key in random.sample(keywords, random.randrange(4)):
        made[key] = keyword(key, depth)
    return made


def keyword(key, depth):
    if key == "enum":
        return [value(1) for _ in range(1 + random.randrange(4))]
    if key == "const":
        return value(1)
    if key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        return number()
    if key in ("minLength", "maxLength", "minItems", "maxItems"):
        return random.randrange(4)
    if key == "required":
        return random.sample(KEYS, random.randrange(3))
    if key == "pattern":
        return "."  # says nothing here, and nothing against any word but the empty one
    if key == "title":
        return "anything"
    if key == "properties":
        return {name: schema(depth - 1) for name in random.sample(KEYS, random.randrange(4))}
    if key in ("additionalProperties", "items"):
        return schema(depth - 1)
    return [schema(depth - 1) for _ in range(1 + random.randrange(3))]


def without_pattern(made):
    """The schema as it is meant here: `pattern` is an unknown keyword."""
    if isinstance(made, list):
        return [without_pattern(one) for one in made]
    if not isinstance(made, dict):
        return made
    kept = {}
    for key, inner in made.items():
        if key in ("properties", "patternProperties", "$defs"):
            kept[key] = {name: without_pattern(one) for name, one in inner.items()}
        elif key in ("enum", "const"):
            kept[key] = inner
        elif key != "pattern":
            kept[key] = without_pattern(inner)
    return kept


def with_definitions():
    """A schema that leads to its own definitions, and has the keywords that go with them."""
    def rule():
        return random.choice([{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b~1c"}, {"$ref": "#/$defs/a%25"}, schema(1)])

    made = schema(1)
    made = made if isinstance(made, dict) else {}
    made["$defs"] = {"a": schema(1), "b/c": {"properties": {"a": {"$ref": "#"}}, "type": random.choice(TYPES)},
                     "a%": schema(0)}
    if random.random() < 0.5:
        made["properties"] = {name: rule() for name in random.sample(KEYS, 2)}
    if random.random() < 0.5:
        made["patternProperties"] = {random.choice(["^a", "b$", "^é$", "y", ".*", "^.+$"]): rule()}
    if random.random() < 0.5:
        made["additionalProperties"] = random.choice([False, False, rule()])
    if random.random() < 0.4:
        made["prefixItems"] = [rule() for _ in range(1 + random.randrange(2))]
    if random.random() < 0.4:
        made["items"] = random.choice([False, False, rule()])
    if random.random() < 0.3:
        made["allOf"] = [{"$ref": "#/$defs/a"}]
    return made


def main():
    arguments = sys.argv[1:]
    definitions = "--definitions" in arguments
    numbers = [int(one) for one in arguments if one != "--definitions"]
    wanted = numbers[0] if numbers else 1000
    counts = {True: 0, False: 0}
    while min(counts.values()) < wanted // 2:
        made, tried = with_definitions() if definitions else schema(2), value(2)
        fits = Draft202012Validator(without_pattern(made)).is_valid(tried)
        trivial = made in (True, False, {}) or (fits and "type" not in made and random.random() < 0.7)
        if trivial or counts[fits] >= wanted // 2:
            continue
        counts[fits] += 1
        print(json.dumps({"schema": made, "value": tried, "fits": fits}, ensure_ascii=False))


main()
