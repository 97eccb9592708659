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
