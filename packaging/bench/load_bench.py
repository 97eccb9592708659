#!/usr/bin/env python3
"""How long a model takes to load, against dd reading the same bytes, from the disk and from memory.

    packaging/bench/load_bench.py MODEL [--quantize CHOICE]… [--reps N] [--cli PROGRAM]

For the model as it is stored, and for each CHOICE both the first start, which quantizes, and later ones, which take
what the first one kept. "cold" asks the system to forget the files first (posix_fadvise), "warm" has just read them.
A cache folder of its own is used and taken away at the end. Pipelines are compiled before anything is timed.
"""
import argparse
import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write_prompt(path):
    """A safetensors file with eight tokens."""
    ids = struct.pack("<8q", *range(1, 9))
    header = json.dumps({"input_ids": {"dtype": "I64", "shape": [8], "data_offsets": [0, len(ids)]}}).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + ids)


def forget(files):
    for name in files:
        descriptor = os.open(name, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def dd_seconds(files):
    start = time.perf_counter()
    for name in files:
        subprocess.run(["dd", "if=" + name, "of=/dev/null", "bs=8M"], check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = tempfile.mkdtemp(prefix="perilune-load-bench-", dir=arguments.scratch)
        self.prompt = os.path.join(self.folder, "prompt.safetensors")
        write_prompt(self.prompt)
        self.sources = sorted(glob.glob(os.path.join(arguments.model, "*.safetensors")))
        if not self.sources:
            sys.exit(f"{arguments.model} has no *.safetensors")

    def kept(self):
        return glob.glob(os.path.join(self.folder, "perilune", "quantized-*"))

    def load(self, choice):
        """What `generate` says of its loading."""
        command = [self.arguments.cli, "generate", "--model", self.arguments.model, "--input", self.prompt,
                   "--max-tokens", "1", "--ignore-eos", "--json"] + (["--quantize", choice] if choice else [])
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "XDG_CACHE_HOME": self.folder})
        if run.returncode != 0:
            sys.exit(f"{' '.join(command)}: {run.stderr.strip()}")
        if run.stderr.strip():
            print("   ", run.stderr.strip())
        return json.loads(run.stdout)

    def row(self, what, choice, files, cold, fresh=False):
        """Loading and dd in turn, the smallest of each."""
        loads, reads, memory = [], [], {}
        for _ in range(self.arguments.reps):
            if fresh:
                for name in self.kept():
                    os.remove(name)
            read = files()
            forget(read) if cold else dd_seconds(read)
            reads.append(dd_seconds(read))
            forget(read) if cold else dd_seconds(read)
            result = self.load(choice)
            loads.append(result["timing"]["load_s"])
            memory = result["memory"]
        size = sum(os.path.getsize(name) for name in read)
        share = memory["device_bytes"] / memory["planned_bytes"]
        print(f"| {what} | {'cold' if cold else 'warm'} | {size / 1e9:.2f} GB | {min(loads):.2f} s | {min(reads):.2f} s "
              f"| {memory['device_bytes'] / 1e9:.3f} GB, {share * 100 - 100:+.2f} % of the plan |", flush=True)

    def run(self):
        print("| what | files | bytes read | load | dd | device memory |\n|---|---|---|---|---|---|")
        self.load("")  # compiles
        for cold in (True, False):
            self.row("as stored", "", lambda: self.sources, cold)
        for choice in self.arguments.quantize:
            self.load(choice)
            for cold in (True, False):
                self.row(f"{choice}, first start", choice, lambda: self.sources, cold, fresh=True)
            # A later start reads what was kept, and of the source what isn't quantized.
            for cold in (True, False):
                self.row(f"{choice}, later start", choice, self.kept, cold)
            for name in self.kept():
                os.remove(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--quantize", action="append", default=[])
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--cli", default=os.path.join(ROOT, "build/release/bin/perilune-cli"))
    parser.add_argument("--scratch", default=None, help="where the cache folder is made; the platform's temporary folder")
    bench = Bench(parser.parse_args())
    try:
        bench.run()
    finally:
        shutil.rmtree(bench.folder)


if __name__ == "__main__":
    main()
