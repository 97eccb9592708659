#!/usr/bin/env python3
"""Measures how much memory a film of two hours takes, and whether it stays within 300 MB.

    cmake --build build/release --target perilune-cli make_film
    python3 packaging/bench/film_memory.py [--build build/release] [--seconds 7200] [--fps 2] [--film FILE]

Makes the film (1920 x 1080, H.264, a few minutes; kept where --film names it), has perilune-cli media look at it in
several ways, and prints the peak resident memory of the program and of its decoder, each. Exits with 1 where one is
above the limit. Needs no Python package.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_MB = 300
SETTINGS = {"media_proc_cfg": {
    "in_patch_limit": 16384, "patch_size": 14, "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "merge_kernel_size": 2,
    "fixed_output_tokens": None, "patch_limit_on_one_side": 512, "in_patch_limit_each_frame": 4096,
    "in_patch_limit_video": None, "sample_fps": 2.0, "max_num_frames_each_video": None,
    "temporal_merge_kernel_size": 4, "timestamp_mode": "hh:mm:ss.fff", "config_type": "bench"}}


def peak(pid):
    """The most memory that a process has had so far, in MB; 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) / 1000 for line in file if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return file.read().split()
    except OSError:
        return []


def watched(command):
    """(what it printed, seconds, peak of the program, peak of its children)"""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    printed, own, theirs = [], 0, 0
    reader = threading.Thread(target=lambda: printed.append(process.stdout.read()))
    reader.start()
    while process.poll() is None:
        own = max(own, peak(process.pid))
        theirs = max([theirs] + [peak(child) for child in children(process.pid)])
        time.sleep(0.005)
    reader.join()
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    return printed[0], time.monotonic() - start, own, theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--seconds", type=int, default=7200)
    parser.add_argument("--fps", type=int, default=2)
    parser.add_argument("--film", help="where the film is, or is to be kept")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        film = options.film or os.path.join(folder, "film.mp4")
        if not os.path.exists(film):
            subprocess.run([os.path.join(options.build, "bin/make_film"), film, str(options.seconds),
                            str(options.fps), "1920", "1080", "0", "preset=ultrafast"], check=True)
        config = os.path.join(folder, "preprocessor_config.json")
        with open(config, "w") as file:
            json.dump(SETTINGS, file)
        dump = os.path.join(folder, "dump.safetensors")
        for name, extra in {"as it is": [], "64 frames": ["--max-frames", "64"],
                            "the first 64 frames": ["--max-frames", "64", "--fit", "trim"],
                            "64 frames, low detail, written out": ["--max-frames", "64", "--detail", "low", "--dump", dump],
                            "a minute of it, low detail": ["--from", "3600", "--to", "3660", "--detail", "low"],
                            }.items():
            printed, seconds, own, theirs = watched(
                [os.path.join(options.build, "bin/perilune-cli"), "media", "--json", "--config", config, *extra, film])
            item = json.loads(printed)["items"][0]
            fits = max(own, theirs) <= LIMIT_MB
            good = good and fits
            print(f"{name}: {len(item['frames'])} frames of {item['duration']:.0f} s in {seconds:.1f} s; program {own:.0f} MB, "
                  f"decoder {theirs:.0f} MB{'' if fits else ': more than ' + str(LIMIT_MB)}", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
