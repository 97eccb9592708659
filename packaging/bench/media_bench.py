#!/usr/bin/env python3
"""Times preparing pictures and clips against the usual Python way, on one core, in alternating pairs.

    cmake --build build/release --target make_film prepare_timer
    python3 -m venv v && v/bin/pip install numpy pillow opencv-python-headless
    v/bin/python packaging/bench/media_bench.py [--build build/release] [--pairs 5]

Photo: a drawn JPEG of 4032 x 3024 pixels, from the file to normalised patches; ours includes starting the program and
its decoder, theirs starts when Pillow and NumPy are loaded. Clip: a minute of 1080p30 H.264, once by x264's default
settings and once by its fastest, at two frames a second to patches; theirs is OpenCV's reader, which grabs every frame and retrieves the wanted ones. Prints
processor time and elapsed time, median and best of the pairs, and the median of the pairs' ratios.
"""
import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import cv2
import numpy as np
from PIL import Image

SETTINGS = {"media_proc_cfg": {
    "in_patch_limit": 16384, "patch_size": 14, "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "merge_kernel_size": 2,
    "fixed_output_tokens": None, "patch_limit_on_one_side": 512, "in_patch_limit_each_frame": 4096,
    "in_patch_limit_video": None, "sample_fps": 2.0, "max_num_frames_each_video": None,
    "temporal_merge_kernel_size": 4, "timestamp_mode": "hh:mm:ss.fff", "config_type": "bench"}}


def make_photo(path):
    rng = np.random.default_rng(1)
    coarse = rng.normal(size=(189, 252, 3)).astype(np.float32)
    photo = cv2.resize(coarse, (4032, 3024), interpolation=cv2.INTER_CUBIC) * 60 + 128
    photo += rng.normal(size=(3024, 4032, 1)).astype(np.float32) * 4
    Image.fromarray(np.clip(photo, 0, 255).astype(np.uint8)).save(path, quality=90)


def make_clip(path, build, preset):
    subprocess.run([os.path.join(build, "bin/make_film"), path, "60", "30", "1920", "1080", "2", "preset=" + preset],
                   check=True)


def patches(image, limit):
    """PIL image to (patches, 3, 14, 14), as the model's published preprocessing."""
    width, height = image.size
    scale = min(1.0, math.sqrt(limit / ((width // 14) * (height // 14))))
    image = image.resize((int(width * scale), int(height * scale)), Image.BICUBIC)
    pixels = np.asarray(image)
    pixels = np.pad(pixels, ((0, -pixels.shape[0] % 28), (0, -pixels.shape[1] % 28), (0, 0)))
    values = (pixels / 255.0).astype(np.float32)
    values = (values - np.float32(0.5)) * np.float32(2)
    rows, columns = values.shape[0] // 14, values.shape[1] // 14
    return np.ascontiguousarray(values.reshape(rows, 14, columns, 14, 3).transpose(0, 2, 4, 1, 3))


def their_photo(path):
    return patches(Image.open(path).convert("RGB"), 16384)


def their_clip(path):
    reader = cv2.VideoCapture(path)
    count, fps = int(reader.get(cv2.CAP_PROP_FRAME_COUNT)), reader.get(cv2.CAP_PROP_FPS)
    wanted = set(np.round(np.linspace(0, count - 1, max(1, round(count * 2 / fps)))).astype(int).tolist())
    result = []
    for index in range(count):
        if not reader.grab():
            break
        if index in wanted:
            frame = cv2.cvtColor(reader.retrieve()[1], cv2.COLOR_BGR2RGB)
            result.append(patches(Image.fromarray(frame), 4096))
    return result


def timed(action):
    """Processor time of this process and its children, and elapsed time, in seconds."""
    def now():
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(u.ru_utime + u.ru_stime for u in used), time.monotonic()
    before = now()
    action()
    after = now()
    return after[0] - before[0], after[1] - before[1]


def compare(name, ours, theirs, pairs):
    times = [(timed(ours), timed(theirs)) for _ in range(pairs + 1)][1:]  # the first pair warms up
    for i, what in enumerate(("processor", "elapsed")):
        a, b = [t[0][i] * 1e3 for t in times], [t[1][i] * 1e3 for t in times]
        ratio = statistics.median(y / x for x, y in zip(a, b))
        print(f"{name}, {what}: ours {statistics.median(a):.0f} ms (best {min(a):.0f}), "
              f"theirs {statistics.median(b):.0f} ms (best {min(b):.0f}), {ratio:.2f} times as fast", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--what", choices=["photo", "clip", "all"], default="all")
    parser.add_argument("--presets", default="medium,ultrafast", help="of x264, for the clips")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "preprocessor_config.json")
        with open(config, "w") as file:
            json.dump(SETTINGS, file)

        def ours(path):
            subprocess.run([os.path.join(options.build, "bin/prepare_timer"), config, path], check=True,
                           stdout=subprocess.DEVNULL)

        if options.what != "clip":
            photo = os.path.join(folder, "photo.jpg")
            make_photo(photo)
            compare("photo of 12 megapixels", lambda: ours(photo), lambda: their_photo(photo), options.pairs)
        if options.what != "photo":
            for preset in options.presets.split(","):
                clip = os.path.join(folder, preset + ".mp4")
                make_clip(clip, options.build, preset)
                compare(f"a minute of 1080p30 ({preset})", lambda: ours(clip), lambda: their_clip(clip), options.pairs)


if __name__ == "__main__":
    main()
