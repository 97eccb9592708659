"""The hand-written questions of demo_questions.txt: putting one in place of the recipe's, and telling that they are new.

Needs the recipe on the path of modules.
"""

import json
import random
import re
from collections import defaultdict
from pathlib import Path

import demo_facts

HERE = Path(__file__).resolve().parent

COLOR = r"red|green|blue|yellow|orange|purple|pink|black|white|cyan"
SHAPE = r"circle|square|triangle|star|diamond|cross|ring|heart"
NAME = rf"(?:(?:{COLOR}) )?(?:{SHAPE})\b"
SIDE = r"to the left of|to the right of|left of|right of|above|below"
# Kind of question -> how the recipe asks it; the groups fill the places in the hand-written one.
PATTERNS = {
    "count": r"(?:how many|count the) (?P<things>[a-z ]*?)(?: are there| are in the image| do you see)?\W*$",
    "color": rf"colou?r.* the (?P<shape>{SHAPE})\b|^colou?r of the (?P<shape2>{SHAPE})\b",
    "shape": rf"(?:which|what) (?:shape )?is (?:the )?(?P<color>{COLOR})\b",
    "where": rf"^(?:where|what is the position|in which part).* the (?P<object>{NAME})",
    "exist": rf"^(?:is there|do you see|can you see) (?P<a>an? {NAME})",
    "size": rf"(?:big|size|small).* the (?P<object>{NAME})|^is the (?P<object2>{NAME}) (?:small|big)",
    "relation": rf"^(?:what|which) .*?(?P<side>{SIDE}) the (?P<object>{NAME})",
    "side": rf"^is the (?P<first>{NAME}) (?P<side>{SIDE}) the (?P<second>{NAME})",
    "follow-up where": r"where is it|position",
    "follow-up size": r"big is it|small or large",
    "follow-up color": r"color",
    "follow-up relation": rf"(?P<side>{SIDE}) it",
    "direction": rf" the (?P<shape>{SHAPE}) (?:move|go)",
    "video color": rf"the (?P<shape>{SHAPE})(?: have)? at the end",
    "first": r"\bfirst\b",
    "last": r"last|then|at the end",
    "which": rf"image (?:has|shows|is) (?P<a>an? {NAME})",
}
# Ability -> the kinds of questions it may turn out to be
KINDS = {
    "relation": ["side", "relation"],
    "follow-up": ["follow-up where", "follow-up size", "follow-up color", "follow-up relation"],
    "video: direction": ["direction"],
    "video: color": ["video color"],
    "video: order": ["first", "last"],
    "compare: which": ["which"],
}
# These take any hand-written question of their kind.
FREE = {
    "describe": "describe",
    "background": "background",
    "compare: difference": "difference",
    "compare: more": "more",
    "video: what happens": "story",
    "video: which moves": "mover",
    "no image": "no image",
}


def hand_written(path=HERE / "demo_questions.txt"):
    """Kind -> questions. A kind stands in brackets above its questions, one a line."""
    result, kind = defaultdict(list), ""
    for line in path.read_text().splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            result[kind].append(line)
    return result


def in_hand_words(rng, ability, question, hand):
    """The question in words written by hand, or None where the recipe's kind has none."""
    ability = demo_facts.kind_of(ability)
    if ability in FREE:
        return rng.choice(hand[FREE[ability]])
    for kind in KINDS.get(ability, [ability]):
        found = re.search(PATTERNS[kind], question, re.I) if kind in PATTERNS else None
        if found:
            slots = {key.rstrip("2"): value for key, value in found.groupdict().items() if value}
            if slots.get("side") in ("left of", "right of"):
                slots["side"] = "to the " + slots["side"]
            return rng.choice(hand[kind]).format(**slots)
    return None


def tool_in_hand_words(rng, sample, hand):
    """A question for the tool that the sample calls."""
    from talk_tool import NAMES

    call = sample["messages"][-1]["tool_calls"][0]["function"]
    tool = next(tool for tool, names in NAMES.items() if call["name"] in names)
    values = list(json.loads(call["arguments"]).values())
    return rng.choice(hand[f"tool {tool}"]).format(value=values[0] if values else "")


def hand_talk(rng, ability, hand):
    """Questions about the program, and questions beyond it: both have fixed answers."""
    from talk_text import FACTS

    answers = {question: answer for questions, answer in FACTS for question in questions}
    if ability == "beyond":
        question, answer = rng.choice(hand["beyond"]), answers["Tell me the news."]
    else:
        kinds = sorted(kind for kind in hand if kind.startswith("about: "))
        kind = rng.choices(kinds, [len(hand[kind]) for kind in kinds])[0]
        question, answer = rng.choice(hand[kind]), answers[kind.removeprefix("about: ")]
    messages = [
        {"role": "user", "content": [{"text": question}]},
        {"role": "assistant", "content": answer, "kind": "smalltalk", "think": None},
    ]
    return {"messages": messages, "tools": None, "thinking": False, "media": []}


# ---------------------------------------------------------------- hand-written means: not in training
def bare(question):
    """A question without its objects, capitals and marks, so that two wordings can be compared."""
    question = re.sub(rf"\b(?:an? )?{NAME}", "N", question.lower())
    question = re.sub(rf"\b(?:{COLOR})\b", "N", question)
    question = re.sub(rf"\b(?:{SIDE})\b", "S", question)
    question = re.sub(rf"\b(?:(?:N )?(?:shapes|objects|things|(?:{SHAPE})s|crosses))\b", "T", question)
    return " ".join(re.findall(r"[\w']+", question))


def asked_in_training(count=4000):
    """The questions that the recipe asks, loosened as in training, without their objects."""
    from data import DIETS, looser
    from talk import (
        clip_talk,
        image_talk,
        multi_pair,
        multi_talk,
        random_clip,
        random_scene,
        text_talk,
        tool_talk,
    )

    rng, result = random.Random(1), set()
    clips = [random_clip(rng)[1] for _ in range(60)]
    for number in range(count):
        samples = [image_talk(rng, random_scene(rng, 140, 140)), clip_talk(rng, rng.choice(clips))]
        samples += [multi_talk(rng, *multi_pair(rng, (8, 8))), text_talk(rng), tool_talk(rng)]
        for share in (0, max(diet["reword"] for diet in DIETS.values())):
            for sample in samples:
                for message in looser(rng, sample, share)["messages"]:
                    if message["role"] == "user":
                        result |= {bare(part["text"]) for part in message["content"] if "text" in part}
    return result


FILLING = {"shape": "star", "color": "red", "object": "star", "a": "a star", "things": "shapes"}
FILLING |= {"side": "above", "first": "star", "second": "ring", "value": "5"}


def check_questions():
    """Names hand-written questions that training asks too, or that stand there twice. Returns how many."""
    known, wrong, seen = asked_in_training(), 0, set()
    for kind, questions in hand_written().items():
        for question in questions:
            form = bare(question.format(**FILLING))
            twice = (kind, question.lower().rstrip(".?!")) in seen
            if form in known or twice:
                print(f"[{kind}] {question}{' (twice)' if twice else ' (in training)'}")
                wrong += 1
            seen.add((kind, question.lower().rstrip(".?!")))
    print(f"{wrong} questions are not new")
    return wrong
