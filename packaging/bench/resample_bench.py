#!/usr/bin/env python3
"""Times the resampling of a photo of 12 megapixels against Pillow's, one thread each, in alternating pairs.

    cmake --build build/release --target resample_timer
    python3 -m venv v && v/bin/pip install numpy 'pillow<13'
    v/bin/python packaging/bench/resample_bench.py [--build build/release] [--pairs 15]

Pixels in memory to pixels in memory, bicubic, from 4032 x 3024 to what the model takes and to a quarter and a
sixteenth of that. Prints both medians and the median of the pairs' ratios, and exits with 1 where a byte differs.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

SIZES = [(2069, 1551), (1034, 776), (517, 388)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--pairs", type=int, default=15)
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rng = np.random.default_rng(1)
    coarse = Image.fromarray(rng.integers(0, 256, (189, 252, 3), dtype=np.uint8)).resize((4032, 3024), Image.BICUBIC)
    pixels = np.clip(np.asarray(coarse, np.int16) + rng.normal(size=(3024, 4032, 1)) * 4, 0, 255).astype(np.uint8)
    photo = Image.fromarray(pixels)
    photo.load()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        raw, out = os.path.join(folder, "in"), os.path.join(folder, "out")
        pixels.tofile(raw)
        for size in SIZES:
            timer = subprocess.Popen([os.path.join(options.build, "bin/resample_timer"), raw, "4032", "3024",
                                      str(size[0]), str(size[1]), out], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     text=True)
            pairs = []
            for _ in range(options.pairs + 1):
                timer.stdin.write("\n")
                timer.stdin.flush()
                ours = float(timer.stdout.readline())
                start = time.perf_counter()
                theirs = photo.resize(size, Image.BICUBIC)
                pairs.append((ours, (time.perf_counter() - start) * 1e3))
            timer.stdin.close()
            timer.wait()
            equal = np.array_equal(np.fromfile(out, np.uint8), np.asarray(theirs).ravel())
            good = good and equal
            pairs = pairs[1:]  # the first pair warms up
            print(f"to {size[0]} x {size[1]}: ours {statistics.median(p[0] for p in pairs):.1f} ms (best {min(p[0] for p in pairs):.1f}), "
                  f"Pillow {statistics.median(p[1] for p in pairs):.1f} ms (best {min(p[1] for p in pairs):.1f}), "
                  f"{statistics.median(p[1] / p[0] for p in pairs):.2f} times as fast, "
                  f"{'every byte equal' if equal else 'NOT EQUAL'}", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
