"""Questions about clips, and their right answers."""

from talk_image import *

FROMTO = {
    "right": "from left to right",
    "left": "from right to left",
    "up": "from bottom to top",
    "down": "from top to bottom",
}
TOWARD = {"right": "to the right", "left": "to the left", "up": "up", "down": "down"}


def event_line(m, e):
    o = m["objs"][e["obj"]]
    n = full(o)
    return {
        "move": lambda: f"the {n} moves {FROMTO[e['dir']]}",
        "color": lambda: f"the {n} turns {e['to']}",
        "grow": lambda: f"the {n} grows",
        "shrink": lambda: f"the {n} shrinks",
        "appear": lambda: f"the {n} appears",
        "vanish": lambda: f"the {n} disappears",
        "still": lambda: f"the {n} does not move",
    }[e["act"]]()


def cap(s):
    return s[0].upper() + s[1:]


def clip_story(m):
    e = m["events"]
    if m["sequential"]:
        return f"First {event_line(m, e[0])}, then {event_line(m, e[1])}."
    if len(e) == 1:
        return cap(event_line(m, e[0])) + "."
    return cap(event_line(m, e[0])) + f" and {event_line(m, e[1])}."


def clip_question(rng, m, only=None):
    e = m["events"]
    for _ in range(60):
        k = only or rng.choice(["story", "story", "dir", "dir", "who", "color", "order", "show", "end"])
        if k == "story":
            return (
                pick(
                    rng,
                    "What happens in the video?",
                    "Describe the video.",
                    "What is happening?",
                    "What do you see in the video?",
                    "What happens?",
                    "Describe the clip.",
                ),
                clip_story(m),
                None,
                "video",
            )
        if k == "dir":
            mv = [x for x in e if x["act"] == "move"]
            if not mv:
                if only:
                    only = None
                continue
            x = rng.choice(mv)
            s = m["objs"][x["obj"]]["shape"]
            return (
                pick(
                    rng,
                    f"In which direction does the {s} move?",
                    f"Where does the {s} move?",
                    f"Which way does the {s} go?",
                    f"Which direction does the {s} move?",
                ),
                f"The {s} moves **{TOWARD[x['dir']]}**.",
                f"At the start and at the end the {s} is in different places. It goes {FROMTO[x['dir']]}.",
                "video",
            )
        if k == "who":
            mv = [x for x in e if x["act"] == "move"]
            if len(mv) != 1:
                continue
            return (
                pick(rng, "Which shape moves?", "What moves?", "What is moving?"),
                f"The {full(m['objs'][mv[0]['obj']])} moves.",
                clip_story(m),
                "video",
            )
        if k == "color":
            x = rng.choice(e)
            o = m["objs"][x["obj"]]
            if x["act"] == "color":
                return (
                    pick(
                        rng,
                        f"What color is the {o['shape']} at the end?",
                        f"Which color does the {o['shape']} have at the end?",
                    ),
                    f"At the end the {o['shape']} is **{x['to']}**.",
                    clip_story(m),
                    "video",
                )
            return (
                f"What color is the {o['shape']}?",
                f"The {o['shape']} is **{o['color']}**.",
                clip_story(m),
                "video",
            )
        if k == "order" and m["sequential"]:
            j = rng.choice([0, 1])
            return (
                pick(
                    rng,
                    *(
                        ["What happens first?", "What comes first?"]
                        if j == 0
                        else ["What happens last?", "And what happens then?", "What happens at the end?"]
                    ),
                ),
                ("First " if j == 0 else "Then ") + event_line(m, e[j]) + ".",
                clip_story(m),
                "video order",
            )
        if k == "show":
            n = len(m["objs"])
            return (
                pick(
                    rng,
                    "Which shapes do you see?",
                    "What shapes are in the video?",
                    "Which objects are in the video?",
                ),
                "I see " + " and ".join(art(full(o)) for o in m["objs"]) + ".",
                None,
                "video",
            )
        if k == "end":
            x = rng.choice([0] if len(e) == 1 else [0, 1])
            o = m["objs"][x]
            ch = {"color": "changes its color", "grow": "gets bigger", "shrink": "gets smaller"}
            return (
                pick(rng, f"What happens to the {o['shape']}?", f"What does the {o['shape']} do?"),
                cap(event_line(m, e[x])) + ".",
                clip_story(m),
                "video",
            )
        if only:
            only = None
    return "What happens in the video?", clip_story(m), None, "video"


def clip_talk(rng, m, thinking=None, turns=None, only=None):
    thinking = rng.random() < 0.2 if thinking is None else thinking
    turns = turns or rng.choice([2, 3, 4])
    ms = []
    for i in range(turns):
        q, a, t, kind = clip_question(rng, m, only if i == turns - 1 else None)
        u = U(loosen(rng, q))
        if not ms:
            u["content"].insert(0, {"video": 0})
        ms += [u, A(a, kind, (t or clip_story(m)) if thinking and i == turns - 1 else None)]
    return {"messages": ms, "tools": None, "thinking": thinking, "media": [("video", m)]}
