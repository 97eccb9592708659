#!/usr/bin/env python3
"""Writes engine/text/unicode_tables.cpp: the character classes of the tokenizer's pre-tokenization pattern.

Needs tiktoken 0.14.0 from PyPI, whose regular expressions (Unicode 16.0) are the reference: each class is found
by asking them about every code point, so no copy of the Unicode database is needed. Run it from anywhere:

    python3 -m venv v && v/bin/pip install tiktoken==0.14.0 && v/bin/python packaging/oracles/unicode_tables.py

With --json it prints the ranges of each class instead of writing the file.
"""

import json
import os
import sys

import tiktoken

EVERY = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF)

# The bits of unicode_tables.h.
CLASSES = {
    "Han": r"\p{Han}",
    "Upper": r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]",
    "Lower": r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]",
    "Letter": r"\p{L}",
    "Number": r"\p{N}",
    "Space": r"\s",
    "LineBreak": r"[\r\n]",
}


def members(pattern):
    """Code points that `pattern` matches: text that an encoding's pattern doesn't match is dropped by it."""
    encoding = tiktoken.Encoding(
        "probe", pat_str=pattern + "+", special_tokens={}, mergeable_ranks={bytes([b]): b for b in range(256)}
    )
    found = set()
    for start in range(0, len(EVERY), 4096):
        found.update(map(ord, encoding.decode(encoding.encode_ordinary(EVERY[start : start + 4096]))))
    return found


def ranges(values):
    """[(first, last, value)] of the code points whose value is not zero."""
    out = []
    for point in sorted(values):
        value = values[point]
        if out and out[-1][1] == point - 1 and out[-1][2] == value:
            out[-1][1] = point
        else:
            out.append([point, point, value])
    return out


def main():
    classes = {name: members(pattern) for name, pattern in CLASSES.items()}
    # Python's str.isspace, by which long runs are cut before the pattern is applied.
    classes["PythonSpace"] = {point for point in map(ord, EVERY) if chr(point).isspace()}
    if "--json" in sys.argv:
        print(
            json.dumps(
                {name: [r[:2] for r in ranges(dict.fromkeys(found, 1))] for name, found in classes.items()}
            )
        )
        return
    values = {}
    for bit, found in enumerate(classes.values()):
        for point in found:
            values[point] = values.get(point, 0) | 1 << bit
    rows = ranges(values)
    path = os.path.join(os.path.dirname(__file__), "..", "..", "engine", "text", "unicode_tables.cpp")
    with open(path, "w") as out:
        out.write(
            "// Written by packaging/oracles/unicode_tables.py from Unicode 16.0 as tiktoken %s has it.\n"
            '#include "engine/text/unicode_tables.h"\n\nnamespace perilune {\n\n'
            "// clang-format off\nstatic constexpr CharClassRange kRanges[] = {\n" % tiktoken.__version__
        )
        line = ""
        for first, last, value in rows:
            entry = "{0x%x,0x%x,0x%x}," % (first, last, value)
            if len(line) + len(entry) > 108:
                out.write(line + "\n")
                line = ""
            line += entry
        out.write(
            line + "\n};\n// clang-format on\n\n"
            "const std::span<const CharClassRange> kCharClassRanges = kRanges;\n\n} // namespace perilune\n"
        )
    print(f"{len(rows)} ranges in {os.path.normpath(path)}")


if __name__ == "__main__":
    main()
