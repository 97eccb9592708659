"""Questions about two or three pictures, and their right answers."""

from talk_image import *


def mutate(rng, sc):
    """A copy with one thing changed; returns (scene, sentence)."""
    import copy

    s = copy.deepcopy({k: v for k, v in sc.items() if k not in ("focus", "rel")})
    o = rng.choice(s["objs"])
    k = rng.random()
    if k < 0.4:
        c = rng.choice(
            [
                c
                for c in CNAMES
                if c != o["color"]
                and (c, s["back"]) not in BAD
                and not any(p["color"] == c for p in s["objs"])
            ]
        )
        line = f"The {o['shape']} is {o['color']} in image 1 and {c} in image 2."
        o["color"], o["rgb"] = c, jitter(rng, COLORS[c])
    elif k < 0.7:
        t = rng.choice([t for t in SHAPES if not any(p["shape"] == t for p in s["objs"])])
        line = f"The {o['color']} shape is a {o['shape']} in image 1 and a {t} in image 2."
        o["shape"] = t
    else:
        line = f"The {full(o)} is missing in image 2."
        s["objs"].remove(o)
    return s, line


def unique_scene(rng, w, h, n, back=None):
    """All shapes and all colours differ (keeps comparisons unambiguous)."""
    for _ in range(40):
        sc = random_scene(rng, w, h, n=n, back=back)
        o = sc["objs"]
        if len({x["shape"] for x in o}) == len(o) == len({x["color"] for x in o}) and o:
            return sc
    return random_scene(rng, w, h, n=1, back=back)


def multi_pair(rng, g):
    h, w = g[0] * PATCH, g[1] * PATCH
    a = unique_scene(rng, w, h, rng.choice([1, 2, 2, 3]))
    if rng.random() < 0.5:
        b, diff = mutate(rng, a)
        return a, b, diff
    if rng.random() < 0.12:
        return a, a, "same"
    return a, unique_scene(rng, w, h, rng.choice([1, 2, 3])), None


def short(sc):
    o = sc["objs"]
    return (
        "no shapes"
        if not o
        else (
            " and ".join(art(full(x)) for x in o)
            if len(o) < 3
            else ", ".join(art(full(x)) for x in o[:-1]) + " and " + art(full(o[-1]))
        )
    )


def multi_talk(rng, a, b, diff, thinking=None, turns=None, only_last=None):
    thinking = rng.random() < 0.2 if thinking is None else thinking
    ms = []
    turns = turns or rng.choice([2, 3, 3, 4])
    th = f"Image 1 shows {short(a)}. Image 2 shows {short(b)}."
    for i in range(turns):
        for _ in range(20):
            k = (
                only_last
                if only_last and i == turns - 1
                else rng.choice(["diff", "diff", "which", "more", "describe", "ask"])
            )
            t = th
            if k == "diff":
                q = pick(
                    rng,
                    "What is the difference?",
                    "What is different between the two images?",
                    "Compare the two images.",
                    "What changed?",
                    "What is the difference between the images?",
                )
                if diff == "same":
                    r = "Both images show the same: " + short(a) + "."
                elif diff:
                    r = diff
                else:
                    r = f"Image 1 shows {short(a)}. Image 2 shows {short(b)}."
                break
            if k == "which":
                (x, i1), (y, i2) = rng.choice([((a, 1), (b, 2)), ((b, 2), (a, 1))])
                if not x["objs"]:
                    continue
                o = rng.choice(x["objs"])
                n = rng.choice([full(o), o["shape"]])
                inn = any(n in (full(p), p["shape"]) for p in y["objs"])
                q = pick(
                    rng,
                    f"Which image has {art(n)}?",
                    f"Which image shows {art(n)}?",
                    f"In which image is {art(n)}?",
                )
                r = f"Both images show {art(n)}." if inn else f"**Image {i1}** shows {art(n)}."
                break
            if k == "more":
                q = pick(
                    rng,
                    "Which image has more shapes?",
                    "Where are more shapes?",
                    "Which picture has more objects?",
                )
                na, nb = len(a["objs"]), len(b["objs"])
                r = (
                    f"Both images have the same number of shapes: {na}."
                    if na == nb
                    else f"**Image {1 if na > nb else 2}** has more shapes ({max(na, nb)} and {min(na, nb)})."
                )
                t = th + f" The numbers are {na} and {nb}."
                break
            if k == "describe":
                j = rng.choice([1, 2])
                q = pick(
                    rng,
                    f"What is in image {j}?",
                    f"What does image {j} show?",
                    f"Describe image {j}.",
                    "What is in the first image?" if j == 1 else "What is in the second image?",
                )
                r = f"Image {j} shows {short(a if j == 1 else b)}."
                break
            j = rng.choice([1, 2])
            s = a if j == 1 else b
            u = uniq(s["objs"], "shape")
            if not u:
                continue
            o = rng.choice(u)
            q = f"What color is the {o['shape']} in image {j}?"
            r = f"The {o['shape']} in image {j} is **{o['color']}**."
            break
        u = U(loosen(rng, q))
        if not ms:
            u["content"] = [{"image": 0}, {"image": 1}] + u["content"]
        ms += [u, A(r, "compare", t if thinking and i == turns - 1 else None)]
    return {"messages": ms, "tools": None, "thinking": thinking, "media": [("image", a), ("image", b)]}
