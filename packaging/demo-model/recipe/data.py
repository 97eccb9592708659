"""Micro-batches: pool items + freshly written conversations -> tensors."""

import glob, pickle, random
import numpy as np
import torch
from chat import Tok, layout
from scenes import PATCH, VGRID, POS, GRIDS, GRID_W, finish, random_clip, scene_for_grid
from talk import copy_talk, image_talk, multi_pair, multi_talk, clip_talk, text_talk, tool_talk, with_system
from talk import reword

# What is asked how often: kinds of micro-batches, and kinds of questions about a picture against IMG_ASKS.
DIETS = {
    "even": {"mix": {"img": 68, "clip": 14, "text": 3, "tool": 11, "copy": 4}, "favour": {}, "reword": 0.0},
    "weak": {
        "mix": {"img": 54, "pair": 9, "clip": 13, "text": 4, "tool": 18, "copy": 2},
        "favour": {
            "relation": 2.4,
            "exist": 2.5,
            "describe": 1.8,
            "color": 1.4,
            "where": 1.3,
            "ocr": 0.1,
            "table": 0,
        },
        "reword": 0.3,
    },
}


def patchify(a):
    """uint8 [..., H, W, 3] -> float [..., gh*gw, 588], channel-major patches, (x/255 - 0.5) / 0.5"""
    a = np.ascontiguousarray(a)
    *b, H, W, _ = a.shape
    gh, gw = H // PATCH, W // PATCH
    a = (
        a.reshape(-1, gh, PATCH, gw, PATCH, 3)
        .transpose(0, 1, 3, 5, 2, 4)
        .reshape(*b, gh * gw, 3 * PATCH * PATCH)
    )
    return torch.from_numpy(np.ascontiguousarray(a)).float().div_(127.5).sub_(1)


class Pools:
    def __init__(self, pattern, limit=10**9):
        self.pattern, self.limit, self.seen = pattern, limit, set()
        self.img, self.pair, self.clip, self.easy = {}, {}, {}, {}
        self.refresh()

    def refresh(self):
        for p in sorted(glob.glob(self.pattern)):
            if p in self.seen or len(self.seen) >= self.limit:
                continue
            self.seen.add(p)
            d = pickle.load(open(p, "rb"))
            for x in d["img"]:
                if x[2] and (x[2]["text"] or len(x[2]["objs"]) > 4):
                    continue
                self.img.setdefault(x[0], []).append(x)
                if x[2] and 1 <= len(x[2]["objs"]) <= 2:
                    self.easy.setdefault(x[0], []).append(x)
            for x in d["pair"]:
                self.pair.setdefault(x[0], []).append(x)
            for x in d["clip"]:
                self.clip.setdefault(x[1]["chunks"], []).append(x)

    def grid(self, rng, d):
        ks = sorted(d)
        return rng.choices(ks, [len(d[k]) for k in ks])[0]

    def pictures(self, rng, n, easy):
        """Pictures of one patch grid; a share of `easy` batches has one or two objects."""
        src = self.easy if rng.random() < easy else self.img
        g = self.grid(rng, src)
        return g, rng.sample(src[g], min(n, len(src[g])))

    def pairs(self, rng, n):
        g = self.grid(rng, self.pair)
        return g, rng.sample(self.pair[g], min(n, len(self.pair[g])))

    def clips(self, rng, n):
        """Clips of one length -> (chunks, clips)"""
        c = rng.choices([1, 2, 3, 4], [50, 40, 6, 4])[0]
        c = c if len(self.clip.get(c, [])) >= n else 1
        return c, rng.sample(self.clip[c], min(n if c < 3 else n // 2, len(self.clip[c])))


class Fresh:
    """In place of pools: every batch is drawn when it is asked for. Needs no disk; drawing is a tenth of the work at most."""

    def refresh(self):
        pass

    def pictures(self, rng, n, easy):
        g = rng.choices(GRIDS, GRID_W)[0]
        counts = [1, 2] if rng.random() < easy else [1, 2, 3, 3, 4, 4]
        out = []
        for _ in range(n):
            sc = scene_for_grid(rng, g, n=0 if rng.random() < 0.02 else rng.choice(counts))
            out.append((g, *self.drawn(rng, sc, g)))
        return g, out

    def drawn(self, rng, sc, g):
        a, lab = finish(rng, sc, g)
        return a, sc, lab

    def pairs(self, rng, n):
        g = rng.choice([(6, 6), (8, 8), (8, 8)])
        out = []
        for _ in range(n):
            a, b, d = multi_pair(rng, g)
            (x, _, la), (y, _, lb) = self.drawn(rng, a, g), self.drawn(rng, b, g)
            out.append((g, x, y, a, b, d, la, lb))
        return g, out

    def clips(self, rng, n):
        c = rng.choices([1, 2, 3], [50, 44, 6])[0]
        return c, [random_clip(rng, c) for _ in range(n if c < 3 else n // 2)]


def vision_batch(rng, pools, n=48, crowd=None):
    if crowd is not None and rng.random() < 0.55:
        pools = crowd
    elif pools.clip and rng.random() < 0.3:
        c = rng.choice([1, 2]) if 2 in pools.clip else 1
        xs = rng.sample(pools.clip[c], min(n // 3, len(pools.clip[c])))
        j = [rng.randrange(c) for _ in xs]
        px = patchify(np.stack([x[0][k * 4 : k * 4 + 4] for x, k in zip(xs, j)]))
        lab = torch.from_numpy(np.stack([x[2][k] for x, k in zip(xs, j)])).long().view(len(xs), 2, *VGRID, 4)
        return px, VGRID, lab, True
    g = pools.grid(rng, pools.img)
    m = max(8, n * 80 // (g[0] * g[1]))
    xs = rng.sample(pools.img[g], min(m, len(pools.img[g])))
    px = patchify(np.stack([x[1] for x in xs]))[:, None]
    lab = torch.from_numpy(np.stack([x[3] for x in xs])).long().view(len(xs), 1, *g, 4)
    return px, g, lab, False


def regions(scenes, g):
    out = np.full((len(scenes), *g), -1, np.int64)
    names = sum(POS, [])
    for i, sc in enumerate(scenes):
        for o in sc["objs"]:
            out[i, min(g[0] - 1, int(o["cy"] // PATCH)), min(g[1] - 1, int(o["cx"] // PATCH))] = names.index(
                o["pos"]
            )
    return torch.from_numpy(out)


def motions(lab):
    """From the first- and last-frame labels of a chunk: where each object's centre goes."""
    out = np.full(lab.shape[0:1] + lab.shape[2:4], -1, np.int64)
    a = lab.numpy()
    for i in range(a.shape[0]):
        ends = {int(a[i, 1, y, x, 0]): (y, x) for y, x in zip(*np.nonzero(a[i, 1, :, :, 2]))}
        for y, x in zip(*np.nonzero(a[i, 0, :, :, 2])):
            e = ends.get(int(a[i, 0, y, x, 0]))
            if e is None:
                out[i, y, x] = 5
                continue
            dy, dx = e[0] - y, e[1] - x
            out[i, y, x] = (
                0 if dy == dx == 0 else (1 if dx > 0 else 2) if abs(dx) >= abs(dy) else (3 if dy < 0 else 4)
            )
    return torch.from_numpy(out)


def pack(tok, rows):
    S = max(len(r[0]) for r in rows)
    ids = torch.full((len(rows), S), tok.PAD, dtype=torch.long)
    tgt = torch.full((len(rows), S), -1, dtype=torch.long)
    for i, (a, s) in enumerate(rows):
        t = torch.tensor(a)
        ids[i, : len(a)] = t
        m = torch.tensor(s[1:], dtype=torch.bool)
        tgt[i, : len(a) - 1][m] = t[1:][m]
    return ids, tgt


def looser(rng, sample, share):
    """Puts a share of the questions about media into looser words."""
    for m in sample["messages"] if share else []:
        for part in m["content"] if m["role"] == "user" else []:
            if "text" in part and rng.random() < share:
                part["text"] = reword(rng, part["text"])
    return sample


def chat_batch(rng, tok, pools, kind, n=16, easy=0.0, diet=DIETS["even"]):
    """-> dict(ids, tgt, px, grid, lab): px [items, T, patches, 588] in reading order, or None"""
    row = lambda s, media: layout(tok, with_system(rng, looser(rng, s, diet["reword"])), media, rng)
    if kind == "text":
        rows = [layout(tok, with_system(rng, text_talk(rng)), [], rng) for _ in range(n * 2)]
    elif kind == "copy":
        rows = [layout(tok, copy_talk(rng), [], rng) for _ in range(n * 2)]
    elif kind == "tool":
        rows = [layout(tok, with_system(rng, tool_talk(rng)), [], rng) for _ in range(n)]
    if kind in ("text", "tool", "copy"):
        ids, tgt = pack(tok, rows)
        return {"ids": ids, "tgt": tgt, "px": None}
    if kind == "img":
        g, xs = pools.pictures(rng, n, easy)
        k = g[0] * g[1] // 4
        rows = [
            row(
                image_talk(
                    rng,
                    x[2],
                    turns=rng.choice([4, 5, 6]),
                    thinking=rng.random() < 0.1,
                    favour=diet["favour"],
                ),
                [[k]],
            )
            for x in xs
        ]
        where = regions([x[2] for x in xs], g)
        px = patchify(np.stack([x[1] for x in xs]))[:, None]
        lab = torch.from_numpy(np.stack([x[3] for x in xs])).long().view(len(xs), 1, *g, 4)
    elif kind == "pair":
        g, xs = pools.pairs(rng, n)
        k = g[0] * g[1] // 4
        rows = [row(multi_talk(rng, x[3], x[4], x[5]), [[k], [k]]) for x in xs]
        where = regions([y for x in xs for y in (x[3], x[4])], g)
        px = patchify(np.stack([y for x in xs for y in (x[1], x[2])]))[:, None]
        lab = (
            torch.from_numpy(np.stack([y for x in xs for y in (x[6], x[7])]))
            .long()
            .view(2 * len(xs), 1, *g, 4)
        )
    else:
        c, xs = pools.clips(rng, n)
        g = VGRID
        k = g[0] * g[1] // 4
        rows = [row(clip_talk(rng, x[1]), [[k] * c]) for x in xs]
        px = patchify(np.concatenate([x[0].reshape(c, 4, *x[0].shape[1:]) for x in xs]))
        lab = torch.from_numpy(np.concatenate([x[2] for x in xs])).long().view(-1, 2, *g, 4)
        where = motions(lab)
        if c > 1 and rng.random() < 0.3:  # a last chunk of three frames, as real clips have
            px = px.view(-1, c, *px.shape[1:])
            ids, tgt = pack(tok, rows)
            return {
                "ids": ids,
                "tgt": tgt,
                "px": px[:, :-1].flatten(0, 1),
                "tail": px[:, -1, :3],
                "grid": g,
                "lab": lab.view(-1, c, *lab.shape[1:])[:, :-1].flatten(0, 1),
                "where": where.view(-1, c, *where.shape[1:])[:, :-1].flatten(0, 1),
            }
    ids, tgt = pack(tok, rows)
    return {"ids": ids, "tgt": tgt, "px": px, "grid": g, "lab": lab, "where": where}
