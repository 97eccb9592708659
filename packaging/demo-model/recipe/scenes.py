"""Synthetic pictures and clips: random scenes of coloured shapes and printed words.

Nothing is downloaded.  Every picture is drawn with Pillow at twice the size, shrunk, then roughened
(background gradients, noise, blur, JPEG artefacts, brightness).  Along with the pixels we keep
  * the scene description (used by talk.py to write questions and right answers), and
  * one label row per 14x14 patch (shape, colour, size-at-centre, character-at-centre), used only by the
    auxiliary losses that train the vision tower.
"""

import io, math, random
import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageFilter

PATCH = 14
SHAPES = ["circle", "square", "triangle", "star", "diamond", "cross", "ring", "heart"]
COLORS = {
    "red": (220, 30, 35),
    "green": (35, 160, 55),
    "blue": (35, 75, 220),
    "yellow": (250, 215, 30),
    "orange": (250, 135, 20),
    "purple": (130, 45, 170),
    "pink": (250, 130, 190),
    "black": (15, 15, 18),
    "white": (250, 250, 250),
    "cyan": (30, 205, 225),
}
CNAMES = list(COLORS)
BACKS = {
    "white": (248, 248, 248),
    "gray": (150, 150, 150),
    "black": (18, 18, 20),
    "light blue": (190, 215, 245),
    "beige": (240, 228, 200),
    "dark blue": (20, 30, 80),
    "light green": (200, 235, 200),
}
BNAMES = list(BACKS)
BWEIGHT = [5, 1.2, 1.5, 1, 1, 1, 1]
BAD = {
    ("white", "white"),
    ("white", "beige"),
    ("black", "black"),
    ("black", "dark blue"),
    ("blue", "dark blue"),
    ("cyan", "light blue"),
    ("purple", "dark blue"),
    ("white", "light blue"),
    ("white", "light green"),
    ("yellow", "white"),
    ("yellow", "beige"),
}
CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
FONTS = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf",
]
WORDS = (
    "HELLO CAT DOG SUN MOON TREE FISH BIRD STOP GO EXIT OPEN CLOSED SALE CAFE HOTEL TAXI BUS PARK ZOO MILK TEA "
    "BREAD APPLE LEMON PIZZA MUSIC BOOK HOUSE RIVER GREEN BLACK QUIET JUMP WAVE FOX KING QUEEN GATE NORTH SOUTH "
    "EAST WEST LEFT RIGHT UP DOWN YES NO KIMI DEMO VULKAN QT TEXT IMAGE VIDEO CHAT MODEL LIGHT HEAVY"
).split()
POS = [
    ["top left", "top", "top right"],
    ["left", "center", "right"],
    ["bottom left", "bottom", "bottom right"],
]
_fc = {}


def font(path, size):
    k = (path, size)
    if k not in _fc:
        _fc[k] = ImageFont.truetype(path, size)
    return _fc[k]


def polygon(shape, cx, cy, r, rot):
    def at(a, q):
        return (cx + q * math.cos(a + rot), cy + q * math.sin(a + rot))

    P = math.pi
    if shape == "square":
        return [at(P / 4 + i * P / 2, r * 1.2) for i in range(4)]
    if shape == "diamond":
        return [at(i * P / 2, r * (1.25 if i % 2 else 0.85)) for i in range(4)]
    if shape == "triangle":
        return [at(-P / 2 + i * 2 * P / 3, r * 1.2) for i in range(3)]
    if shape == "star":
        return [at(-P / 2 + i * P / 5, r * (1.2 if i % 2 == 0 else 0.5)) for i in range(10)]
    if shape == "cross":
        w = 0.36
        q = [
            (-w, -1.1),
            (w, -1.1),
            (w, -w),
            (1.1, -w),
            (1.1, w),
            (w, w),
            (w, 1.1),
            (-w, 1.1),
            (-w, w),
            (-1.1, w),
            (-1.1, -w),
            (-w, -w),
        ]
        c, s = math.cos(rot), math.sin(rot)
        return [(cx + r * (x * c - y * s), cy + r * (x * s + y * c)) for x, y in q]
    if shape == "heart":
        out = []
        for i in range(24):
            t = 2 * P * i / 24
            x = 16 * math.sin(t) ** 3
            y = -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t))
            out.append((cx + r * x / 15, cy + r * (y + 2) / 15))
        return out


def draw_shape(d, o, fill, s=1.0, hole=None):
    cx, cy, r = o["cx"] * s, o["cy"] * s, o["r"] * s
    if o["shape"] == "circle":
        d.ellipse([cx - r, cy - r, cx + r, cy + r], fill=fill)
    elif o["shape"] == "ring":
        d.ellipse([cx - r, cy - r, cx + r, cy + r], outline=fill, width=max(2, int(r * 0.36)))
    else:
        d.polygon(polygon(o["shape"], cx, cy, r, o["rot"]), fill=fill)


def jitter(rng, c, a=14):
    return tuple(max(0, min(255, v + rng.randint(-a, a))) for v in c)


def region(o, w, h):
    x, y = o["cx"] / w, o["cy"] / h
    return POS[0 if y < 0.36 else (2 if y > 0.64 else 1)][0 if x < 0.36 else (2 if x > 0.64 else 1)]


def place(rng, objs, w, h, r, tries=40):
    """A free spot whose 3x3 region is unambiguous (its centre keeps away from the region borders)."""
    for _ in range(tries):
        cx, cy = rng.uniform(r + 1, w - r - 1), rng.uniform(r + 1, h - r - 1)
        if any(abs(cx / w - b) < 0.035 or abs(cy / h - b) < 0.035 for b in (0.36, 0.64)):
            continue
        if all(math.hypot(cx - o["cx"], cy - o["cy"]) > (r + o["r"]) * 1.12 + 2 for o in objs):
            return cx, cy
    return None


def random_scene(rng, w, h, n=None, text=None, back=None, avoid_dup=True):
    back = back or rng.choices(BNAMES, BWEIGHT)[0]
    n = n if n is not None else rng.choices([1, 2, 3, 4, 5, 6], [20, 24, 24, 16, 9, 7])[0]
    m = min(w, h)
    sc = {"w": w, "h": h, "back": back, "objs": [], "text": None}
    if text:
        sc["text"] = make_text(rng, w, h, text, back)
    for _ in range(n):
        size = rng.choice(["small", "large"]) if n <= 4 else "small" if rng.random() < 0.7 else "large"
        r = m * (rng.uniform(0.075, 0.10) if size == "small" else rng.uniform(0.155, 0.20))
        blockers = sc["objs"] + (sc["text"]["block"] if sc["text"] else [])
        at = place(rng, blockers, w, h, r)
        if at is None:
            continue
        for _ in range(20):
            shape, color = rng.choice(SHAPES), rng.choice(CNAMES)
            if (color, back) in BAD:
                continue
            if avoid_dup and any(o["shape"] == shape and o["color"] == color for o in sc["objs"]):
                continue
            break
        else:
            continue
        o = {
            "shape": shape,
            "color": color,
            "size": size,
            "cx": at[0],
            "cy": at[1],
            "r": r,
            "rot": rng.uniform(-0.2, 0.2) if shape not in ("heart", "diamond") else rng.uniform(-0.1, 0.1),
            "rgb": jitter(rng, COLORS[color]),
        }
        o["pos"] = region(o, w, h)
        sc["objs"].append(o)
    order = {p: i for i, p in enumerate(sum(POS, []))}
    sc["objs"].sort(key=lambda o: (order[o["pos"]], o["cx"]))
    return sc


def make_text(rng, w, h, text, back):
    dark = sum(BACKS[back]) > 380
    names = [
        c
        for c in (
            ["black", "blue", "red", "purple", "green"] if dark else ["white", "yellow", "cyan", "pink"]
        )
        if (c, back) not in BAD
    ]
    size = int(rng.uniform(0.17, 0.30) * min(w, h))
    f = rng.choice(FONTS)
    while size > 9 and font(f, size).getlength(text) > w * 0.92:
        size -= 1
    tw = font(f, size).getlength(text)
    x, y = rng.uniform(w * 0.03, max(w * 0.03, w - tw - w * 0.03)), rng.uniform(h * 0.04, h - size * 1.3)
    color = rng.choice(names)
    block = [
        {"cx": x + tw * (i + 0.5) / 5, "cy": y + size * 0.6, "r": max(size * 0.6, tw / 10)} for i in range(5)
    ]
    return {
        "s": text,
        "x": x,
        "y": y,
        "size": size,
        "font": f,
        "color": color,
        "rgb": jitter(rng, COLORS[color]),
        "block": block,
    }


def random_text(rng):
    k = rng.random()
    if k < 0.3:
        return rng.choice(WORDS)
    if k < 0.6:
        return "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 5)))
    if k < 0.9:
        return "".join(rng.choice(CHARS[:26]) for _ in range(rng.randint(2, 6)))
    return "".join(rng.choice(CHARS) for _ in range(rng.randint(3, 5)))


def background(rng, w, h, name):
    base = np.array(jitter(rng, BACKS[name], 8), np.float32)
    im = np.empty((h, w, 3), np.float32)
    im[:] = base
    k = rng.random()
    if k < 0.25:  # gentle gradient
        g = (
            np.linspace(-1, 1, w)[None, :, None]
            if rng.random() < 0.5
            else np.linspace(-1, 1, h)[:, None, None]
        )
        im = im + g * rng.uniform(4, 14)
    elif k < 0.35:  # faint stripes
        im[:: rng.choice([4, 6, 8])] += rng.uniform(-9, 9)
    return im


def render(rng, sc, rough=True):
    w, h = sc["w"], sc["h"]
    S = 2
    back = (
        background(rng, w * S, h * S, sc["back"])
        if rough
        else np.full((h * S, w * S, 3), BACKS[sc["back"]], np.float32)
    )
    im = Image.fromarray(np.clip(back, 0, 255).astype(np.uint8))
    d = ImageDraw.Draw(im)
    for o in sc["objs"]:
        draw_shape(d, o, o["rgb"], S)
    t = sc["text"]
    if t:
        d.text((t["x"] * S, t["y"] * S), t["s"], font=font(t["font"], t["size"] * S), fill=t["rgb"])
    im = im.resize((w, h), rng.choice([Image.BOX, Image.BILINEAR, Image.BICUBIC]))
    if rough:
        im = roughen(rng, im)
    return np.asarray(im)


def roughen(rng, im, jpeg=0.3):
    if rng.random() < 0.12:
        im = im.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.8)))
    if rng.random() < jpeg:
        b = io.BytesIO()
        im.save(b, "JPEG", quality=rng.randint(45, 92))
        im = Image.open(b).convert("RGB")
    if rng.random() < 0.5:
        a = np.asarray(im).astype(np.float32)
        a = (a - 128) * rng.uniform(0.88, 1.08) + 128 + rng.uniform(-10, 10)
        if rng.random() < 0.6:
            a += np.random.default_rng(rng.getrandbits(32)).standard_normal(
                a.shape, dtype=np.float32
            ) * rng.uniform(1, 7)
        im = Image.fromarray(np.clip(a, 0, 255).astype(np.uint8))
    return im


SIZES = {"small": 1, "large": 2}


def labels(sc, objs=None):
    """[gh*gw, 4] uint8: shape+1, colour+1, size at centre, character+1 at centre (0 = none)."""
    w, h = sc["w"], sc["h"]
    gw, gh = w // PATCH, h // PATCH
    out = np.zeros((gh, gw, 4), np.uint8)
    objs = sc["objs"] if objs is None else objs
    im = Image.new("L", (w // 2, h // 2))
    d = ImageDraw.Draw(im)
    for i, o in enumerate(objs):
        draw_shape(d, o, i + 1, 0.5)
    a = np.asarray(im)[: gh * 7, : gw * 7].reshape(gh, 7, gw, 7)
    best = np.full((gh, gw), 0.16, np.float32)
    for i, o in enumerate(objs):
        cov = (a == i + 1).mean((1, 3))
        m = cov > best
        best[m] = cov[m]
        out[m, 0] = SHAPES.index(o["shape"]) + 1
        out[m, 1] = CNAMES.index(o["color"]) + 1
        y, x = min(gh - 1, max(0, int(o["cy"] // PATCH))), min(gw - 1, max(0, int(o["cx"] // PATCH)))
        out[y, x, 2] = SIZES[o["size"]]
        out[y, x, 0], out[y, x, 1] = SHAPES.index(o["shape"]) + 1, CNAMES.index(o["color"]) + 1
    t = sc.get("text")
    if t:
        f = font(t["font"], t["size"])
        for i, ch in enumerate(t["s"]):
            x = t["x"] + f.getlength(t["s"][:i]) + f.getlength(ch) / 2
            y = t["y"] + t["size"] * 0.6
            out[min(gh - 1, int(y // PATCH)), min(gw - 1, int(x // PATCH)), 3] = CHARS.index(ch) + 1
    return out.reshape(gh * gw, 4)


# ---------------------------------------------------------------- pictures with a padded edge
def pad28(a):
    """The K2.5 image processor pads with zeros on the right and at the bottom to multiples of 28."""
    h, w = a.shape[:2]
    return np.pad(a, ((0, -h % 28), (0, -w % 28), (0, 0)))


GRIDS = [
    (8, 8),
    (10, 10),
    (8, 10),
    (10, 8),
    (8, 12),
    (12, 8),
    (6, 6),
    (8, 14),
    (10, 12),
    (12, 10),
    (14, 8),
]  # rows, columns of patches
GRID_W = [4, 5, 2, 2, 1.5, 1.5, 1.5, 1.5, 1.5, 1, 0.7]


def scene_for_grid(rng, g, **kw):
    """Draw for a patch grid; half the time the picture itself is a little smaller (zero padding up to the next 28 shows)."""
    h, w = g[0] * PATCH, g[1] * PATCH
    if rng.random() < 0.5 and g != (6, 6):
        h -= rng.randint(0, 27)
        w -= rng.randint(0, 27)
    return random_scene(rng, w, h, **kw)


def finish(rng, sc, g, rough=True):
    a = render(rng, sc, rough)
    h, w = g[0] * PATCH, g[1] * PATCH
    full = np.zeros((h, w, 3), np.uint8)
    full[: a.shape[0], : a.shape[1]] = a
    big = dict(sc, w=w, h=h)
    return full, labels(big)


# ---------------------------------------------------------------- clips
VGRID = (6, 6)
DIRS = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}


def random_clip(rng, chunks=None):
    """One or two objects; each does one thing, or (two-chunk clips) one thing after another."""
    h, w = VGRID[0] * PATCH, VGRID[1] * PATCH
    chunks = chunks or rng.choices([1, 2, 3, 4], [50, 35, 9, 6])[0]
    T = chunks * 4
    back = rng.choices(BNAMES, BWEIGHT)[0]
    n = 1 if rng.random() < 0.45 else 2
    objs, lanes = [], rng.sample([0, 1], 2)
    horizontal = rng.random() < 0.5  # lanes: two rows or two columns, so that nothing overlaps
    used = set()
    for i in range(n):
        while True:
            shape, color = rng.choice(SHAPES), rng.choice(CNAMES)
            if (color, back) not in BAD and shape not in used and color not in used:
                break
        used |= {shape, color}
        lane = (0.27 if lanes[i] == 0 else 0.73) if n == 2 else rng.uniform(0.3, 0.7)
        objs.append(
            {
                "shape": shape,
                "color": color,
                "size": "large",
                "rot": rng.uniform(-0.1, 0.1),
                "rgb": jitter(rng, COLORS[color]),
                "lane": lane,
                "r": w * rng.uniform(0.12, 0.16),
            }
        )
    acts = []
    kinds = ["move"] * 6 + ["color"] * 2 + ["grow", "shrink", "appear", "vanish"]
    if n == 1:
        acts = [rng.choice(kinds)]
    else:
        acts = [rng.choice(kinds), "still"]
        if chunks >= 2 and rng.random() < 0.6:
            acts = [rng.choice(kinds), rng.choice(kinds)]
    sequential = n == 2 and acts[1] != "still"
    ev = []
    for i, o in enumerate(objs):
        a = acts[i]
        e = {"act": a, "obj": i}
        if a == "move":
            d = (
                rng.choice(
                    ["left", "right"] if (horizontal or n == 1 and rng.random() < 0.5) else ["up", "down"]
                )
                if n == 2
                else rng.choice(list(DIRS))
            )
            e["dir"] = d
        if a == "color":
            while True:
                c = rng.choice(CNAMES)
                if c != o["color"] and c not in used and (c, back) not in BAD:
                    break
            used.add(c)
            e["to"] = c
            e["to_rgb"] = jitter(rng, COLORS[c])
        e["span"] = (0.0, 1.0) if not sequential else ((0.0, 0.5) if i == 0 else (0.5, 1.0))
        ev.append(e)
    frames, per = [], []
    for t in range(T):
        now = []
        for o, e in zip(objs, ev):
            s0, s1 = e["span"]
            u = t / max(1, T - 1)
            p = min(1.0, max(0.0, (u - s0) / (s1 - s0)))
            q = dict(o)
            lo, hi = 0.2, 0.8
            if e["act"] == "move":
                d = DIRS[e["dir"]]
                m = lo + (hi - lo) * p
                if d[0]:
                    q["cx"], q["cy"] = (m if d[0] > 0 else 1 - m) * w, o["lane"] * h
                else:
                    q["cx"], q["cy"] = o["lane"] * w, (m if d[1] > 0 else 1 - m) * h
            else:
                rest = o.setdefault("rest", rng.uniform(0.3, 0.7))
                q["cx"], q["cy"] = (rest * w, o["lane"] * h) if horizontal else (o["lane"] * w, rest * h)
            if e["act"] == "color" and p > 0.5:
                q["color"], q["rgb"] = e["to"], e["to_rgb"]
            if e["act"] == "grow":
                q["r"] = o["r"] * (0.55 + 0.75 * p)
            if e["act"] == "shrink":
                q["r"] = o["r"] * (1.3 - 0.75 * p)
            if (e["act"] == "appear" and p < 0.5) or (e["act"] == "vanish" and p > 0.5):
                continue
            now.append(q)
        per.append(now)
    style = rng.random()
    out = np.zeros((T, h, w, 3), np.uint8)
    bgseed = rng.getrandbits(30)
    qj = rng.random() < 0.3
    for t in range(T):
        sc = {"w": w, "h": h, "back": back, "objs": per[t], "text": None}
        r2 = random.Random(bgseed)
        im = Image.fromarray(np.clip(background(r2, w * 2, h * 2, back), 0, 255).astype(np.uint8))
        d = ImageDraw.Draw(im)
        for o in per[t]:
            draw_shape(d, o, o["rgb"], 2)
        im = im.resize((w, h), Image.BOX)
        if style < 0.5:
            im = roughen(random.Random(bgseed + (t if style < 0.3 else 0)), im, 0.25)
        out[t] = np.asarray(im)
    lab = np.zeros((chunks, 2, VGRID[0] * VGRID[1], 4), np.uint8)
    base = {"w": w, "h": h, "text": None}
    for c in range(chunks):
        lab[c, 0] = labels(base, per[c * 4])
        lab[c, 1] = labels(base, per[c * 4 + 3])
    keep = [{k: o[k] for k in ("shape", "color")} for o in objs]
    return (
        out,
        {
            "back": back,
            "objs": keep,
            "events": [{k: e[k] for k in ("act", "obj", "dir", "to", "span") if k in e} for e in ev],
            "chunks": chunks,
            "sequential": sequential,
        },
        lab,
    )


# ---------------------------------------------------------------- crowded pictures: dense labels for the vision stage
def crowded(rng):
    g = rng.choices(GRIDS, GRID_W)[0]
    h, w = g[0] * PATCH, g[1] * PATCH
    back = rng.choices(BNAMES, BWEIGHT)[0]
    sc = {"w": w, "h": h, "back": back, "objs": [], "text": None}
    m = min(w, h)
    chars = []
    if rng.random() < 0.6:
        y = rng.uniform(0, 6)
        while y < h - 14:
            size = int(rng.uniform(0.13, 0.30) * m)
            if y + size * 1.2 > h:
                break
            f, x = rng.choice(FONTS), rng.uniform(0, 10)
            color = rng.choice([c for c in CNAMES if (c, back) not in BAD])
            rgb = jitter(rng, COLORS[color])
            while True:
                ch = rng.choice(CHARS)
                a = font(f, size).getlength(ch)
                if x + a > w:
                    break
                chars.append((ch, x, y, a, size, f, rgb))
                x += a if rng.random() < 0.9 else a * 1.5
            y += size * rng.uniform(1.15, 1.4)
    else:
        for _ in range(14):
            r = m * (rng.uniform(0.075, 0.10) if rng.random() < 0.7 else rng.uniform(0.15, 0.19))
            at = place(rng, sc["objs"], w, h, r, 12)
            shape, color = rng.choice(SHAPES), rng.choice(CNAMES)
            if at is None or (color, back) in BAD:
                continue
            sc["objs"].append(
                {
                    "shape": shape,
                    "color": color,
                    "size": "small" if r < 0.12 * m else "large",
                    "cx": at[0],
                    "cy": at[1],
                    "r": r,
                    "rot": (
                        rng.uniform(-0.2, 0.2)
                        if shape not in ("heart", "diamond")
                        else rng.uniform(-0.1, 0.1)
                    ),
                    "rgb": jitter(rng, COLORS[color]),
                }
            )
    im = Image.fromarray(np.clip(background(rng, w * 2, h * 2, back), 0, 255).astype(np.uint8))
    d = ImageDraw.Draw(im)
    for o in sc["objs"]:
        draw_shape(d, o, o["rgb"], 2)
    for ch, x, y, a, size, f, rgb in chars:
        d.text((x * 2, y * 2), ch, font=font(f, size * 2), fill=rgb)
    im = roughen(rng, im.resize((w, h), rng.choice([Image.BOX, Image.BILINEAR, Image.BICUBIC])))
    lab = labels(sc).reshape(g[0], g[1], 4)
    for ch, x, y, a, size, f, rgb in chars:
        lab[min(g[0] - 1, int((y + size * 0.6) // PATCH)), min(g[1] - 1, int((x + a / 2) // PATCH)), 3] = (
            CHARS.index(ch) + 1
        )
    return g, np.asarray(im), None, lab.reshape(-1, 4)


if __name__ == "__main__":
    import time

    rng = random.Random(1)
    t = time.time()
    ims = []
    for i in range(200):
        g = rng.choices(GRIDS, GRID_W)[0]
        sc = scene_for_grid(rng, g, text=random_text(rng) if rng.random() < 0.35 else None)
        ims.append(finish(rng, sc, g)[0])
    print("ms per picture", (time.time() - t) / 200 * 1e3)
    t = time.time()
    cl = [random_clip(rng) for _ in range(40)]
    print("ms per clip", (time.time() - t) / 40 * 1e3)
    W = Image.new("RGB", (8 * 200, 4 * 172), (90, 0, 90))
    for i, a in enumerate(ims[:32]):
        W.paste(Image.fromarray(a), ((i % 8) * 200, (i // 8) * 172))
    W.save("sheet.png")
    W = Image.new("RGB", (16 * 86, 8 * 86), (90, 0, 90))
    for i, c in enumerate(cl[:8]):
        for t, f in enumerate(c[0][:16]):
            W.paste(Image.fromarray(f), (t * 86, i * 86))
        print(c[1])
    W.save("clips.png")
