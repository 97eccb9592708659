"""Judges an answer of the demo model by the facts in it, not by its letters.

`right(ability, expected, got)` compares what two answers say: objects, colours, numbers, places, sizes, relations,
directions, events, order, the picture meant, the tool called and its arguments, the result used. What was asked for
has to be the same; what is said besides has to be in the expected answer too. Needs nothing but Python.
As a program it reads `[ability, expected, got]` as JSON and prints "right" or "wrong".
"""

import json
import re
import sys
from collections import Counter

SHAPES = "circle square triangle star diamond cross ring heart".split()
COLORS = "red green blue yellow orange purple pink black white cyan gray beige".split()
NUMBERS = "zero one two three four five six seven eight nine ten".split()
PLURALS = {shape + "s": shape for shape in SHAPES} | {"crosses": "cross"}
SPELLINGS = {"colour": "color", "colours": "colors", "grey": "gray", "centre": "center", "middle": "center"}

# Phrases that are one fact, longest first: (words, kind of fact, value)
PHRASES = [
    ("from left to right", "direction", "right"),
    ("from right to left", "direction", "left"),
    ("from bottom to top", "direction", "up"),
    ("from top to bottom", "direction", "down"),
    ("does not move", "event", "still"),
    ("gets bigger", "event", "grow"),
    ("gets smaller", "event", "shrink"),
    ("to the left of", "relation", "left"),
    ("to the right of", "relation", "right"),
    ("left of", "relation", "left"),
    ("right of", "relation", "right"),
    ("to the left", "direction", "left"),
    ("to the right", "direction", "right"),
    ("top left", "place", "top left"),
    ("top right", "place", "top right"),
    ("bottom left", "place", "bottom left"),
    ("bottom right", "place", "bottom right"),
    ("light blue", "color", "light blue"),
    ("dark blue", "color", "dark blue"),
    ("light green", "color", "light green"),
    ("both images", "image", "both"),
    ("first image", "image", "1"),
    ("second image", "image", "2"),
    ("image 1", "image", "1"),
    ("image 2", "image", "2"),
    ("is missing", "event", "missing"),
    ("the same", "event", "same"),
    ("more shapes", "event", "more"),
    ("above", "relation", "above"),
    ("below", "relation", "below"),
    ("center", "place", "center"),
    ("left", "place", "left"),
    ("right", "place", "right"),
    ("top", "place", "top"),
    ("bottom", "place", "bottom"),
    ("up", "direction", "up"),
    ("down", "direction", "down"),
    ("moves", "event", "move"),
    ("turns", "event", "turn"),
    ("grows", "event", "grow"),
    ("shrinks", "event", "shrink"),
    ("appears", "event", "appear"),
    ("disappears", "event", "vanish"),
    ("small", "size", "small"),
    ("large", "size", "large"),
    ("big", "size", "large"),
    ("yes", "verdict", "yes"),
    ("no", "verdict", "no"),
    ("not", "verdict", "no"),
    ("nothing", "verdict", "no"),
    ("none", "verdict", "no"),
    ("empty", "verdict", "no"),
    ("first", "order", "first"),
    ("then", "order", "then"),
    ("background", "thing", "background"),
]
PHRASES += [(color, "color", color) for color in COLORS]
PHRASES += [(shape, "shape", shape) for shape in SHAPES]
PHRASES += [(word, "number", str(value)) for value, word in enumerate(NUMBERS)]
PHRASES = [(words.split(), kind, value) for words, kind, value in PHRASES]

# What an ability's question asks for: these kinds of facts must be the same in both answers.
ASKED = {
    "color": ["verdict", "color"],
    "shape": ["verdict", "shape"],
    "where": ["verdict", "place", "object"],
    "exist": ["verdict"],
    "size": ["size"],
    "count": ["verdict", "number"],
    "relation": ["verdict", "relation", "object"],
    "background": ["color"],
    "follow-up": ["verdict", "place", "size", "color", "relation", "object"],
    "video: direction": ["direction"],
    "video: which moves": ["object"],
    "video: color": ["color"],
    "compare: which": ["image"],
    "compare: more": ["image", "number"],
    "table": ["object", "place"],
    "image + thinking": ["verdict", "place", "size", "color", "relation", "shape", "number"],
}
# Here a fact counts only together with those of the same clause (which object is where).
BOUND = {"describe", "video: what happens", "compare: difference"}
ORDERED = {"video: order"}


def words_of(text):
    """Words, numbers and marks in today's spelling; "one" that stands for an object is left out."""
    text = re.sub(r"[*`|_]", " ", text.lower())
    found = re.findall(r"[a-z]+|\d+(?::\d+)?|[.,;:\n]", text)
    found = [SPELLINGS.get(word, word) for word in found]
    found = [PLURALS.get(word, word) for word in found]
    counted = {*SHAPES, *COLORS, "shape", "object", "thing", "small", "large", "big"}
    return [word for word, after in zip(found, [*found[1:], ""]) if word != "one" or after in counted]


def facts_of(words):
    """Words -> [(kind, value)] in reading order; ("cut", "") at the end of a clause."""
    facts, at = [], 0
    while at < len(words):
        for phrase, kind, value in PHRASES:
            if words[at : at + len(phrase)] == phrase:
                facts.append((kind, value))
                at += len(phrase)
                break
        else:
            if words[at].isdigit():
                facts.append(("number", words[at]))
            elif words[at] in (".", ",", ";", ":", "\n", "and", "but"):
                facts.append(("cut", ""))
            at += 1
    return facts


def clauses(text):
    """The facts of each clause, as a multiset of sorted tuples."""
    result, now = [], []
    for fact in [*facts_of(words_of(text)), ("cut", "")]:
        if fact[0] != "cut":
            now.append(fact)
        elif now:
            result.append(tuple(sorted(now)))
            now = []
    return result


def by_kind(text):
    """Kind of fact -> multiset of values. An object is a colour and the shape that follows it at once."""
    result, facts = {}, facts_of(words_of(text))
    for at, (kind, value) in enumerate(facts):
        result.setdefault(kind, Counter())[value] += 1
        if kind == "shape" and at and facts[at - 1][0] == "color":
            result.setdefault("object", Counter())[f"{facts[at - 1][1]} {value}"] += 1
        elif kind == "shape":
            result.setdefault("object", Counter())[value] += 1
    return result


def same_sentences(expected, got):
    """Free text: four of five words in common."""
    a, b = set(words_of(expected)) - set(".,;:\n"), set(words_of(got)) - set(".,;:\n")
    return len(a & b) >= 0.8 * len(a | b)


def marked(text):
    return [part.lower() for part in re.findall(r"\*\*?([^*]+)\*\*?", text)]


def result_used(expected, got):
    """A sentence about a tool's result: its numbers, what it sets off, and names."""
    numbers = lambda text: Counter(re.findall(r"-?\d+(?::\d+)?", text))
    names = set(re.findall(r"(?<!^)\b[A-Z][a-z]+", expected)) - {"I", "You", "The", "It"}
    plain = got.lower()
    return (
        numbers(expected) == numbers(got)
        and all(part in plain for part in marked(expected))
        and all(name in got for name in names)
    )


def argument(value):
    return re.sub(r"\s+", "", value).lower() if isinstance(value, str) else value


def call_of(call):
    """(name, arguments) of a call as conversations hold it: id functions.NAME:N, arguments as JSON text."""
    name = call["id"].removeprefix("functions.").rpartition(":")[0]
    try:
        arguments = json.loads(call["arguments"] or "{}")
    except ValueError:
        return name, call["arguments"]
    if not isinstance(arguments, dict):
        return name, arguments
    return name, {key: argument(value) for key, value in arguments.items()}


def kind_of(ability):
    """'two objects: color' is asked like 'color'."""
    return ability.split(": ")[1] if "object" in ability.split(":")[0] else ability


def no_claims_besides(expected, got, asked):
    """Everything said that wasn't asked for has to stand in the expected answer."""
    for kind, values in got.items():
        if kind in asked or kind in ("order", "thing", "event"):
            continue
        if kind == "object":
            continue  # judged by colour and shape
        if any(value not in expected.get(kind, {}) for value in values):
            return False
    return True


def right(ability, expected, got, expected_calls=(), got_calls=()):
    """Does `got` say what `expected` says, as far as the ability asks?"""
    ability = kind_of(ability)
    if expected_calls or got_calls:
        return [call_of(call) for call in expected_calls] == [call_of(call) for call in got_calls]
    if ability.startswith("tool"):
        return result_used(expected, got)
    if ability == "no image":
        says = lambda text: re.findall(
            r"\b(?:can't see|cannot see|no) .*?\b(image|picture|video|clip)", text.lower()
        )
        return bool(says(got)) and says(got) == says(expected)
    if ability in BOUND:
        return Counter(clauses(expected)) == Counter(clauses(got))
    if ability in ORDERED:
        return clauses(expected) == clauses(got)
    if ability not in ASKED:
        return same_sentences(expected, got)
    a, b, asked = by_kind(expected), by_kind(got), ASKED[ability]
    return all(a.get(kind) == b.get(kind) for kind in asked) and no_claims_besides(a, b, asked)


if __name__ == "__main__":
    print("right" if right(*json.load(sys.stdin)) else "wrong")
