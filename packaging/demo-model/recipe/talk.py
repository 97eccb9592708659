"""Conversations: questions and right answers about scenes, clips and text, as message lists.

A sample is {"messages": [...], "tools": [...] or None, "thinking": bool, "media": [...]}.
Message contents are lists of parts: {"image": k} / {"video": k} / {"text": "..."}.
Every assistant message is supervised.  `kind` on the last assistant message names the ability.
"""

import random
from talk_words import *
from talk_image import *
from talk_pair import *
from talk_clip import *
from talk_text import *
from talk_tool import *

SYSTEMS = [
    "You are Kimi, an AI assistant created by Moonshot AI.",
    "You are a helpful assistant.",
    "Answer briefly.",
    "You are the demo assistant of this app.",
    "You are Kimi, a helpful assistant.",
    "Be concise and friendly.",
]


def with_system(rng, s):
    if rng.random() < 0.3:
        s["messages"].insert(0, {"role": "system", "content": rng.choice(SYSTEMS)})
    return s
