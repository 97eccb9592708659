#!/usr/bin/env python3
"""Writes blocks.json: random Markdown and its top-level blocks, as commonmark.py divides it."""
import json
import random
import sys

import commonmark

LINES = ["", "", "", "text", "more *text* here", "# Heading", "#no heading", "###### six", "####### seven", "- item", "- ",
         "* star", "+ plus", "1. one", "2. two", "2) two", "10. ten", "  - nested", "    - deeper", "   continued",
         "    four", "      six", "\ttab", "> quote", ">", "> - item in quote", "> > twice", "```", "```cpp", "````", "~~~",
         "~~~~ python x", "``` `not` a fence", "---", "***", "===", "- - -", "| a | b |",
         "a | b", "| 1 | 2 |", "\\# escaped", "  ```", "   ```js", "1.", "-",
         "- # heading in item", "- ```", "> ```", "- > quote in item", "-     code in item", "text  ", "中文段落", "    ",
         "1986. a year", "-\ttabbed", "  text", "_emphasis_", "* * *x", "__ __ __",
         "1. do\n   ```sh\n   ls\n\n   pwd\n   ```"]
KINDS = {"block_quote": "quote", "code_block": "code", "thematic_break": "rule"}


def divide(source):
    blocks = []
    node = commonmark.Parser().parse(source).first_child
    while node:
        kind = KINDS.get(node.t, node.t)
        blocks.append([kind, node.literal] if kind == "code" else [kind])
        node = node.nxt
    return blocks


def main():
    rng = random.Random(20261130)
    cases = []
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1500):
        lines = [rng.choice(LINES) for _ in range(rng.randint(1, 14))]
        source = "\n".join(lines) + rng.choice(["", "\n"])
        cases.append([source, divide(source)])
    with open("blocks.json", "w", encoding="utf-8") as out:
        json.dump(cases, out, ensure_ascii=False, separators=(",", ":"))


main()
