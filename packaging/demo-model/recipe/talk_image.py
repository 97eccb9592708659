"""Questions about one picture, and their right answers."""

from talk_words import *


def seen(sc):
    o = sc["objs"]
    s = "I see " + (", ".join(f"{art(full(x))} ({x['pos']})" for x in o) if o else "no shapes")
    if sc["text"]:
        s += f", and the text {sc['text']['s']}" if o else f" but the text {sc['text']['s']}"
    return s + "."


def ask_describe(rng, sc):
    q = pick(
        rng,
        "Describe the image.",
        "Describe this picture.",
        "What do you see?",
        "What is in this image?",
        "What's in the picture?",
        "Tell me what you see.",
        "Please describe the image.",
        "What does the image show?",
        "Describe it.",
    )
    o, t = sc["objs"], sc["text"]
    n = len(o)
    lines = [f"- {art(x['size'] + ' ' + full(x))} {sp(x['pos'])}" for x in o]
    b = f"on {art(sc['back'])} background"
    if n == 0 and t:
        return q, f"The image shows the text **{t['s']}** {b}.", None
    if n == 0:
        return q, f"The image is empty: there is only {art(sc['back'])} background.", None
    if n == 1 and not t:
        x = o[0]
        return q, f"The image shows {art(x['size'] + ' ' + full(x))} {sp(x['pos'])}, {b}.", None
    head = f"The image shows **{n} shape{'s' * (n > 1)}** {b}:\n\n" + "\n".join(lines)
    if t:
        head += f"\n\nIt also has the text **{t['s']}**."
    return q, head, None


def ask_count(rng, sc):
    o = sc["objs"]
    k = rng.random()
    think = seen(sc)
    if k < 0.5:
        q = pick(
            rng,
            "How many shapes are there?",
            "How many objects are in the image?",
            "Count the shapes.",
            "How many shapes do you see?",
            "How many things are there?",
        )
        n = len(o)
        return (
            q,
            (
                f"There {'is' if n == 1 else 'are'} {count(n, 'shape', 'shapes')}."
                if n
                else "There are no shapes."
            ),
            think + f" That makes {n}.",
        )
    if k < 0.75:
        s = rng.choice(o)["shape"] if o and rng.random() < 0.75 else rng.choice(SHAPES)
        m = [x for x in o if x["shape"] == s]
        q = pick(rng, f"How many {pl(s)} are there?", f"How many {pl(s)} do you see?", f"Count the {pl(s)}.")
        a = (
            f"There {'is' if len(m) == 1 else 'are'} {count(len(m), s, pl(s))}."
            if m
            else f"There are no {pl(s)}."
        )
        return q, a, think + f" The number of {pl(s)} is {len(m)}."
    c = rng.choice(o)["color"] if o and rng.random() < 0.75 else rng.choice(CNAMES)
    m = [x for x in o if x["color"] == c]
    q = pick(
        rng, f"How many {c} shapes are there?", f"How many {c} objects do you see?", f"Count the {c} shapes."
    )
    a = (
        f"There {'is' if len(m) == 1 else 'are'} {count(len(m), c + ' shape', c + ' shapes')}."
        if m
        else f"There are no {c} shapes."
    )
    return q, a, think + f" The number of {c} shapes is {len(m)}."


def uniq(objs, key):
    c = {}
    for o in objs:
        c.setdefault(o[key], []).append(o)
    return [v[0] for v in c.values() if len(v) == 1]


def ask_color(rng, sc):
    u = uniq(sc["objs"], "shape")
    if not u or rng.random() < 0.08:
        s = [s for s in SHAPES if all(o["shape"] != s for o in sc["objs"])]
        s = rng.choice(s)
        return (
            pick(rng, f"What color is the {s}?", f"Which color does the {s} have?"),
            f"There is no {s} in the image.",
            seen(sc) + f" I do not see {art(s)}.",
        )
    x = rng.choice(u)
    sc["focus"] = x
    q = pick(
        rng,
        f"What color is the {x['shape']}?",
        f"What is the color of the {x['shape']}?",
        f"Which color does the {x['shape']} have?",
        f"What colour is the {x['shape']}?",
        f"Color of the {x['shape']}?",
    )
    return q, f"The {x['shape']} is **{x['color']}**.", seen(sc) + f" The {x['shape']} is {x['color']}."


def ask_shape(rng, sc):
    u = uniq(sc["objs"], "color")
    if not u or rng.random() < 0.08:
        c = rng.choice([c for c in CNAMES if all(o["color"] != c for o in sc["objs"])])
        return (
            pick(rng, f"What shape is {c}?", f"Which shape is {c}?"),
            f"There is no {c} shape in the image.",
            seen(sc) + f" Nothing is {c}.",
        )
    x = rng.choice(u)
    sc["focus"] = x
    q = pick(
        rng,
        f"What shape is {x['color']}?",
        f"Which shape is {x['color']}?",
        f"What is the {x['color']} object?",
        f"What is the {x['color']} shape?",
        f"What shape is the {x['color']} one?",
    )
    return (
        q,
        f"The {x['color']} shape is {art('**' + x['shape'] + '**') if False else 'a **' + x['shape'] + '**'}.",
        seen(sc) + f" The {x['color']} one is the {x['shape']}.",
    )


def ref(rng, sc, x):
    """A short unambiguous name."""
    same_s = sum(o["shape"] == x["shape"] for o in sc["objs"])
    return x["shape"] if same_s == 1 and rng.random() < 0.5 else full(x)


def ask_where(rng, sc):
    x = rng.choice(sc["objs"])
    sc["focus"] = x
    n = ref(rng, sc, x)
    q = pick(
        rng,
        f"Where is the {n}?",
        f"Where do you see the {n}?",
        f"What is the position of the {n}?",
        f"In which part of the image is the {n}?",
    )
    return (
        q,
        f"The {n} is {sp(x['pos']).replace('the ', 'the **', 1)}**.",
        seen(sc) + f" The {n} is {sp(x['pos'])}.",
    )


def ask_at(rng, sc):
    p = rng.choice(sc["objs"])["pos"] if sc["objs"] and rng.random() < 0.8 else rng.choice(sum(POS, []))
    m = [o for o in sc["objs"] if o["pos"] == p]
    q = pick(rng, f"What is {sp(p)}?", f"What do you see {sp(p)}?", f"Which shape is {sp(p)}?")
    if not m:
        return q, f"There is no shape {sp(p)}.", seen(sc) + f" Nothing is {sp(p)}."
    if len(m) == 1:
        sc["focus"] = m[0]
    return q, "There is " + " and ".join(art(full(o)) for o in m) + f" {sp(p)}.", None


def ask_exist(rng, sc):
    if sc["objs"] and rng.random() < 0.5:
        x = rng.choice(sc["objs"])
        sc["focus"] = x
        n = full(x)
        return (
            pick(rng, f"Is there {art(n)}?", f"Do you see {art(n)}?", f"Can you see {art(n)} in the image?"),
            f"Yes, there is {art(n)} {sp(x['pos'])}.",
            seen(sc) + " Yes, it is there.",
        )
    for _ in range(9):
        s, c = rng.choice(SHAPES), rng.choice(CNAMES)
        if sc["objs"] and rng.random() < 0.6:
            s, c = (
                (rng.choice(sc["objs"])["shape"], c)
                if rng.random() < 0.5
                else (s, rng.choice(sc["objs"])["color"])
            )
        if not any(o["shape"] == s and o["color"] == c for o in sc["objs"]):
            break
    else:
        return ask_count(rng, sc)
    n = c + " " + s
    return (
        pick(rng, f"Is there {art(n)}?", f"Do you see {art(n)}?", f"Can you see {art(n)} in the image?"),
        f"No, there is no {n} in the image.",
        seen(sc) + f" I do not see {art(n)}.",
    )


def ask_size(rng, sc):
    x = rng.choice(sc["objs"])
    sc["focus"] = x
    n = ref(rng, sc, x)
    q = pick(
        rng,
        f"How big is the {n}?",
        f"Is the {n} small or large?",
        f"What size is the {n}?",
        f"Is the {n} big or small?",
    )
    return q, f"The {n} is **{x['size']}**.", None


REL = {
    "left of": ("to the left of", 0, -1),
    "right of": ("to the right of", 0, 1),
    "above": ("above", 1, -1),
    "below": ("below", 1, 1),
}


def side(sc, a, b):
    """Is a left of / right of / above / below b -> margin in units of the picture, per relation."""
    dx, dy = (a["cx"] - b["cx"]) / sc["w"], (a["cy"] - b["cy"]) / sc["h"]
    return {"left of": -dx, "right of": dx, "above": -dy, "below": dy}


def ask_rel(rng, sc):
    o = sc["objs"]
    if len(o) < 2:
        return None
    for _ in range(12):
        x = rng.choice(o)
        r = rng.choice(list(REL))
        others = [y for y in o if y is not x]
        m = [side(sc, y, x)[r] for y in others]
        if any(-0.02 < v < 0.12 for v in m):
            continue
        hit = [y for y, v in zip(others, m) if v >= 0.12]
        if len(hit) > 2:
            continue
        n = ref(rng, sc, x)
        say = REL[r][0]
        q = pick(
            rng,
            f"What is {say} the {n}?",
            f"Which shape is {say} the {n}?",
            f"What do you see {say} the {n}?",
            f"What is {r} the {n}?",
        )
        th = seen(sc) + f" The {n} is {sp(x['pos'])}."
        if not hit:
            return q, f"There is nothing {say} the {n}.", th + f" Nothing is {say} it."
        return (
            q,
            f"There is {' and '.join(art(full(y)) for y in hit)} {say} the {n}.",
            th
            + f" {' and '.join(full(y) for y in hit).capitalize()} {'is' if len(hit) == 1 else 'are'} {say} it.",
        )
    return None


def ask_yesrel(rng, sc):
    o = sc["objs"]
    if len(o) < 2:
        return None
    for _ in range(12):
        a, b = rng.sample(o, 2)
        r = rng.choice(list(REL))
        v = side(sc, a, b)[r]
        if abs(v) < 0.13:
            continue
        na, nb, say = ref(rng, sc, a), ref(rng, sc, b), REL[r][0]
        q = pick(rng, f"Is the {na} {say} the {nb}?", f"Is the {na} {r} the {nb}?")
        th = f"The {na} is {sp(a['pos'])}. The {nb} is {sp(b['pos'])}."
        if v > 0:
            return q, f"Yes, the {na} is {say} the {nb}.", th
        inv = {"left of": "right of", "right of": "left of", "above": "below", "below": "above"}[r]
        return q, f"No, the {na} is {REL[inv][0]} the {nb}.", th
    return None


def ask_back(rng, sc):
    return (
        pick(
            rng,
            "What color is the background?",
            "What is the background color?",
            "Which color is the background?",
        ),
        f"The background is **{sc['back']}**.",
        None,
    )


def ask_text(rng, sc):
    t = sc["text"]
    if not t:
        if rng.random() < 0.5:
            return None
        return (
            pick(
                rng,
                "What does the text say?",
                "Is there any text?",
                "Read the text.",
                "What is written in the image?",
            ),
            "There is no text in the image.",
            None,
        )
    s = t["s"]
    num = s.isdigit()
    if num:
        q = pick(
            rng,
            "What number is in the image?",
            "What is the number?",
            "Read the number.",
            "Which number do you see?",
            "What does the text say?",
            "What is written in the image?",
            "What does it say?",
        )
        return q, (f"The number is **{s}**." if "number" in q else f"The text says **{s}**."), None
    if rng.random() < 0.15:
        return (
            pick(rng, "What color is the text?", "Which color is the text?"),
            f"The text is **{t['color']}**.",
            None,
        )
    q = pick(
        rng,
        "What does the text say?",
        "Read the text.",
        "What is written in the image?",
        "What word is in the image?",
        "What does it say?",
        "Which word do you see?",
        "Can you read the text?",
        "Is there any text?",
    )
    return q, f"The text says **{s}**.", None


def ask_table(rng, sc):
    if not 1 <= len(sc["objs"]) <= 4:
        return None
    if rng.random() < 0.6:
        q = pick(
            rng, "Make a table of the shapes.", "List the shapes in a table.", "Show the shapes as a table."
        )
        return (
            q,
            "| Shape | Color | Position |\n|---|---|---|\n"
            + "\n".join(f"| {o['shape']} | {o['color']} | {o['pos']} |" for o in sc["objs"]),
            None,
        )
    q = pick(rng, "List the shapes as JSON.", "Give me the shapes as JSON.", "Write the shapes as JSON.")
    return (
        q,
        "```json\n[\n"
        + ",\n".join(f'  {{"shape": "{o["shape"]}", "color": "{o["color"]}"}}' for o in sc["objs"])
        + "\n]\n```",
        None,
    )


def ask_colors(rng, sc):
    if not sc["objs"]:
        return None
    cs = []
    for o in sc["objs"]:
        if o["color"] not in cs:
            cs.append(o["color"])
    return (
        pick(rng, "Which colors do you see?", "What colors are the shapes?", "List the colors."),
        "I see " + (cs[0] if len(cs) == 1 else ", ".join(cs[:-1]) + " and " + cs[-1]) + ".",
        None,
    )


def follow_up(rng, sc):
    """Questions that only make sense after the turn before."""
    x = sc.get("focus")
    if x is None:
        return None
    k = rng.random()
    n = full(x)
    if k < 0.25:
        return (
            pick(rng, "And where is it?", "Where is it?", "And its position?"),
            f"It is {sp(x['pos'])}.",
            f"It means the {n}. The {n} is {sp(x['pos'])}.",
        )
    if k < 0.45:
        return (
            pick(rng, "And how big is it?", "Is it small or large?", "How big is it?"),
            f"It is **{x['size']}**.",
            f"It means the {n}. It is {x['size']}.",
        )
    if k < 0.65:
        return (
            pick(rng, "And what color is it?", "What color is it?", "And its color?"),
            f"It is **{x['color']}**.",
            f"It means the {n}. It is {x['color']}.",
        )
    r = rng.choice(list(REL))
    m = [side(sc, y, x)[r] for y in sc["objs"] if y is not x]
    if any(-0.02 < v < 0.12 for v in m):
        return None
    hit = [y for y in sc["objs"] if y is not x and side(sc, y, x)[r] >= 0.12]
    if len(hit) > 2:
        return None
    say = REL[r][0]
    q = pick(rng, f"And what is {say} it?", f"And what is {r} it?", f"What is {say} it?")
    th = f"It means the {n}, which is {sp(x['pos'])}. " + seen(sc)
    return (
        q,
        (
            f"There is {' and '.join(art(full(y)) for y in hit)} {say} it."
            if hit
            else f"There is nothing {say} it."
        ),
        th,
    )


IMG_ASKS = [
    (ask_describe, 3.0, "describe"),
    (ask_count, 2.4, "count"),
    (ask_color, 2, "color"),
    (ask_shape, 2, "shape"),
    (ask_where, 2, "where"),
    (ask_at, 1, "where"),
    (ask_exist, 1.6, "exist"),
    (ask_size, 1, "size"),
    (ask_rel, 2.2, "relation"),
    (ask_yesrel, 1.8, "relation"),
    (ask_back, 0.6, "background"),
    (ask_text, 1.2, "ocr"),
    (ask_table, 0.8, "table"),
    (ask_colors, 0.6, "color"),
]


def loosen(rng, q):
    """People are careless about capitals and question marks."""
    if rng.random() < 0.15:
        q = q[0].lower() + q[1:]
    if rng.random() < 0.12:
        q = q.rstrip("?.")
    return q


def image_question(rng, sc, only=None, favour=None):
    """`favour`: how much more often (or less) than usual a kind is asked about."""
    favour = favour or {}
    for _ in range(50):
        if only:
            opts = [a for a in IMG_ASKS if a[2] == only]
            f, _, kind = rng.choices(opts, [a[1] for a in opts])[0]
        else:
            w = [a[1] * (5 if sc["text"] and a[2] == "ocr" else 1) * favour.get(a[2], 1) for a in IMG_ASKS]
            f, _, kind = rng.choices(IMG_ASKS, w)[0]
        if not sc["objs"] and kind not in ("describe", "count", "ocr", "background", "exist"):
            continue
        out = f(rng, sc)
        if out:
            return (*out, kind)
    q, a, t = ask_describe(rng, sc)
    return q, a, t, "describe"


def image_talk(rng, sc, turns=None, only=None, thinking=None, favour=None):
    """Several questions about one picture; in thinking mode only the last turn carries its thought."""
    thinking = rng.random() < 0.25 if thinking is None else thinking
    turns = turns or rng.choices([2, 3, 4, 5], [1, 2, 3, 2])[0]
    sc = dict(sc)
    ms, asked = [], set()
    for i in range(turns):
        last = i == turns - 1
        out = None
        if ms and (only == "follow-up" and last or only is None and rng.random() < 0.22):
            out = follow_up(rng, sc)
            kind = "follow-up"
        if out is None:
            sc["focus"] = None
            q, a, t, kind = image_question(rng, sc, only if last and only != "follow-up" else None, favour)
        else:
            q, a, t = out
        if q in asked and not last:
            continue
        asked.add(q)
        u = U(loosen(rng, q))
        if not ms:
            u["content"].insert(0, {"image": 0})
        ms += [u, A(a, kind, t if thinking and last else None)]
    if thinking and ms[-1]["think"] is None:
        ms[-1]["think"] = seen(sc)
    return {"messages": ms, "tools": None, "thinking": thinking, "media": [("image", sc)]}
