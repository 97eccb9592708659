"""Draw pools of pictures, picture pairs and clips to disk (uint8 + descriptions); questions are written later, at training time.

usage: pools.py DIR SEED N_SHARDS         each shard: 1000 pictures, 250 pairs, 250 clips
       pools.py DIR SEED N_SHARDS dense   each shard: 1000 crowded pictures (vision stage only)
"""

import os, pickle, random, sys, time
from scenes import *
from talk import multi_pair


def picture(rng):
    g = rng.choices(GRIDS, GRID_W)[0]
    text = random_text(rng) if rng.random() < 0.38 else None
    n = rng.choice([0, 0, 1, 1, 2, 2, 3]) if text else (0 if rng.random() < 0.02 else None)
    sc = scene_for_grid(rng, g, text=text, n=n)
    a, lab = finish(rng, sc, g)
    return g, a, sc, lab


def pair(rng):
    g = rng.choice([(6, 6), (8, 8), (8, 8)])
    a, b, d = multi_pair(rng, g)
    x, la = finish(rng, a, g)
    y, lb = finish(rng, b, g)
    return g, x, y, a, b, d, la, lb


def dense(out, seed, n):
    os.makedirs(out, exist_ok=True)
    for k in range(n):
        rng = random.Random(seed * 900007 + k)
        d = {"img": [crowded(rng) for _ in range(1000)], "pair": [], "clip": []}
        with open(f"{out}/d{seed}_{k:03d}.pkl.tmp", "wb") as f:
            pickle.dump(d, f, 4)
        os.rename(f"{out}/d{seed}_{k:03d}.pkl.tmp", f"{out}/d{seed}_{k:03d}.pkl")
        print(k, flush=True)


def main(out, seed, n):
    os.makedirs(out, exist_ok=True)
    for k in range(n):
        rng = random.Random(seed * 100003 + k)
        t = time.time()
        d = {
            "img": [picture(rng) for _ in range(1000)],
            "pair": [pair(rng) for _ in range(250)],
            "clip": [random_clip(rng) for _ in range(250)],
        }
        p = f"{out}/{seed}_{k:03d}.pkl"
        with open(p + ".tmp", "wb") as f:
            pickle.dump(d, f, 4)
        os.rename(p + ".tmp", p)
        print(p, round(time.time() - t, 1), "s", flush=True)


if __name__ == "__main__":
    (dense if "dense" in sys.argv[4:] else main)(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
