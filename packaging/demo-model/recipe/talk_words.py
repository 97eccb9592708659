"""Words that all questions share."""

import json, random
from scenes import *

PL = {"cross": "crosses"}
SAYPOS = {
    "center": "in the center",
    "left": "on the left",
    "right": "on the right",
    "top": "at the top",
    "bottom": "at the bottom",
}


def sp(p):
    return SAYPOS.get(p, "at the " + p)


def pl(s):
    return PL.get(s, s + "s")


def art(x):
    return ("an " if x[0] in "aeiou" else "a ") + x


def full(o):
    return o["color"] + " " + o["shape"]


def count(n, noun, nouns):
    return f"**{n}** {noun if n == 1 else nouns}"


def pick(rng, *a):
    return rng.choice(a)


def U(text):
    return {"role": "user", "content": [{"text": text}]}


def A(text, kind, think=None):
    return {"role": "assistant", "content": text, "kind": kind, "think": think}


CITIES = (
    "Paris London Berlin Tokyo Rome Madrid Oslo Vienna Cairo Lima Delhi Seoul Boston Dublin Prague Zurich "
    "Athens Moscow Beijing Sydney"
).split()


LEADS = [
    "Please tell me: ",
    "Tell me, ",
    "Hey, ",
    "Can you tell me: ",
    "Look at this. ",
    "I want to know: ",
    "Quick question: ",
    "ok, ",
    "hi! ",
]
TAILS = [" Thanks.", " please", " Thank you!", "?", " :)"]
SWAPS = [
    ("Is there", "Is there by any chance"),
    ("Is there", "Does it have"),
    ("Is there", "Can you find"),
    ("Do you see", "Can you spot"),
    ("What color is", "what's the colour of"),
    ("What color is", "Tell me the color of"),
    ("Which color does the", "What colour does the"),
    ("What shape is", "Which kind of shape is"),
    ("Where is", "Where's"),
    ("Where is", "Where can I find"),
    ("How many", "What is the number of"),
    ("to the left of", "on the left side of"),
    ("to the right of", "on the right side of"),
    ("above", "over"),
    ("below", "under"),
    ("below", "beneath"),
    ("What is", "What's"),
    ("What happens", "What goes on"),
    ("image", "picture"),
    ("image", "photo"),
    ("video", "clip"),
    ("shapes", "objects"),
    ("difference", "change"),
    ("How big", "How large"),
]


def slip(rng, q):
    """A typing slip: two letters swapped, one doubled or one left out, never in the first letter of a word."""
    at = [i for i in range(1, len(q) - 1) if q[i - 1 : i + 2].isalpha() and q[i - 1 : i + 2].islower()]
    if not at:
        return q
    i = rng.choice(at)
    return rng.choice([q[:i] + q[i + 1] + q[i] + q[i + 2 :], q[:i] + q[i] + q[i:], q[:i] + q[i + 1 :]])


def reword(rng, q):
    """The same question in looser words; for training only, so that the tables keep their questions."""
    fits = [(a, b) for a, b in SWAPS if a in q]
    if fits and rng.random() < 0.6:
        q = q.replace(*rng.choice(fits), 1)
    if rng.random() < 0.2:
        q = rng.choice(LEADS) + q
    if rng.random() < 0.15:
        q += rng.choice(TAILS)
    if rng.random() < 0.15:
        q = q.lower()
    return slip(rng, q) if rng.random() < 0.1 else q
