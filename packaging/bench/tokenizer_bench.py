#!/usr/bin/env python3
"""Times our tokenizer against tiktoken on the same text, one thread each, and checks that the ids are equal.

    cmake --build build/release --target tokenizer_bench
    python3 -m venv v && v/bin/pip install tiktoken==0.14.0 && v/bin/pip download --no-deps litellm jieba
    v/bin/python packaging/bench/tokenizer_bench.py --bench build/release/tests/tokenizer_bench \\
        --vocabulary litellm-*.whl --words jieba-*.tar.gz

The vocabulary is cl100k_base as litellm's wheel carries it, with our pattern. The texts, 10 MB each: English from Python's
own help topics, Chinese from the word list of jieba drawn by frequency, source code from Python's standard library; and
1 MB each of what could be slow. Repetitions of the two programs alternate; best and
median of processor time are printed. Fails where ids differ, where prose or code isn't encoded 1.5 times as fast as by
tiktoken, where a megabyte of one character or two takes more than 3 times as long as one of the faster prose, and where
one drawn at random takes more than 3 times as long as one of the slower.
"""
import argparse
import glob
import os
import pydoc_data.topics
import random
import statistics
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile

import tiktoken

CL100K = "litellm/litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
LEAST_RATIO = 1.5   # of tiktoken's time to ours, on prose and code
MOST_AWKWARD = 3.0  # of an awkward megabyte's time to prose's
PATTERN = "|".join([
    r"[\p{Han}]+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])


def english(size, rng):
    paragraphs = [p for topic in pydoc_data.topics.topics.values() for p in topic.split("\n\n") if len(p) > 80]
    parts, length = [], 0
    while length < size:
        parts.append(rng.choice(paragraphs))
        length += len(parts[-1]) + 2
    return "\n\n".join(parts)[:size]


def chinese(size, rng, archive):
    with tarfile.open(archive) as tar:
        name = next(n for n in tar.getnames() if n.endswith("jieba/dict.txt"))
        rows = [line.split() for line in tar.extractfile(name).read().decode("utf8").splitlines()]
    words = rng.choices([r[0] for r in rows], [int(r[1]) for r in rows], k=size // 4)
    parts, length = [], 0
    for i, word in enumerate(words):
        parts.append(word)
        if rng.random() < 0.12:
            parts.append(rng.choice("，，，。。、；：？！"))
        if rng.random() < 0.01:
            parts.append("\n")
        length += len(word.encode("utf8")) + 1
        if length > size:
            break
    return "".join(parts)


def code(size, rng):
    files = sorted(glob.glob(os.path.join(sysconfig.get_path("stdlib"), "**", "*.py"), recursive=True))
    rng.shuffle(files)
    parts, length = [], 0
    while length < size:
        for path in files:
            try:
                parts.append(open(path, encoding="utf8").read())
            except UnicodeDecodeError:
                continue
            length += len(parts[-1])
            if length >= size:
                break
    return "".join(parts)[:size]


def awkward(size):
    """1 MB each of what makes a careless tokenizer slow."""
    return {name: unit * (size // len(unit.encode("utf8"))) for name, unit in [
        ("one letter", "a"), ("two letters", "ab"), ("one emoji", "🙂"), ("spaces", " "), ("line feeds", "\n"),
        ("spaces, lines", " \n"), ("digits", "7"), ("combining marks", "\u0301"), ("marked capitals", "\u0301A"),
        ("one Han", "中"), ("capitals", "A"), ("punctuation", "!"), ("control names", "<|im_end|>"), ("apostrophes", "'")]}


def drawn(size, rng):
    """1 MB each without a word in it that could be remembered from the last time."""
    def of(characters):
        return "".join(rng.choices(characters, k=size // len(characters[-1].encode("utf8"))))
    return {"any letters": of("abcdefghijklmnopqrstuvwxyz"), "any white space": of(" \t\n\r"), "any digits": of("0123456789"),
            "any kana": of([chr(c) for c in range(0x3041, 0x30FF)]), "any Han": of([chr(c) for c in range(0x4E00, 0x9FFF)]),
            "any emoji": of([chr(c) for c in range(0x1F300, 0x1F650)])}


def runs(text, limit=25_000):
    """Cuts where a run of white-space or of other characters grows beyond `limit`."""
    if len(text) <= limit:
        return [text]
    cuts, start, length, space = [], 0, 0, None
    for i, c in enumerate(text):
        if c.isspace() == space:
            length += 1
            if length > limit:
                cuts.append(text[start:i])
                start, length = i, 1
        else:
            space, length = c.isspace(), 1
    return cuts + [text[start:]]


def ours(bench, folder, text, repetitions):
    path = os.path.join(folder, "text")
    with open(path, "w", encoding="utf8", newline="") as file:
        file.write(text)
    rows = subprocess.run([bench, folder, path, str(repetitions)], capture_output=True, check=True, text=True).stdout.split("\n")
    rows = [row.split() for row in rows if row]
    return [float(row[0]) for row in rows], int(rows[0][1]), int(rows[0][2])


def checksum(ids):
    total = 0
    for i in ids:
        total = (total * 31 + i) & 0xFFFFFFFFFFFFFFFF
    return total


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bench", required=True)
    arguments.add_argument("--vocabulary", required=True, help="litellm's wheel")
    arguments.add_argument("--words", required=True, help="jieba's source archive")
    arguments.add_argument("--megabytes", type=int, default=10)
    arguments.add_argument("--repetitions", type=int, default=5)
    options = arguments.parse_args()
    rng = random.Random(1)
    folder = tempfile.mkdtemp()
    with zipfile.ZipFile(options.vocabulary) as wheel, open(folder + "/tiktoken.model", "wb") as file:
        file.write(wheel.read(CL100K))
    from tiktoken.load import load_tiktoken_bpe
    encoding = tiktoken.Encoding("bench", pat_str=PATTERN, mergeable_ranks=load_tiktoken_bpe(folder + "/tiktoken.model"),
                                 special_tokens={})
    size = options.megabytes * 1_000_000
    texts = {"English prose": english(size, rng), "Chinese prose": chinese(size, rng, options.words), "source code": code(size, rng)}
    print(f"{'text':16} {'MB':>5} {'tokens':>9}  {'tiktoken MB/s':>14}  {'ours MB/s':>14}  {'ratio':>5}   (best, median of {options.repetitions})")
    failed = False
    prose = []  # seconds a megabyte
    random_texts = drawn(1_000_000, rng)
    for name, text in [*texts.items(), *awkward(1_000_000).items(), *random_texts.items()]:
        megabytes = len(text.encode("utf8")) / 1e6
        theirs, mine = [], []
        prepared = [p for b in range(0, len(text), 400_000) for p in runs(text[b:b + 400_000])]
        for _ in range(options.repetitions):
            start = time.thread_time()
            lists = [encoding.encode_ordinary(part) for part in prepared] # slicing in Python isn't timed
            theirs.append(time.thread_time() - start)
            seconds, count, total = ours(options.bench, folder, text, 1)
            mine += seconds
        ids = [i for part in lists for i in part]
        equal = len(ids) == count and checksum(ids) == total
        remark = "" if equal else "IDS DIFFER"
        mine_per_megabyte = statistics.median(mine) / megabytes
        if name in texts:
            if "prose" in name:
                prose.append(mine_per_megabyte)
            if statistics.median(theirs) < LEAST_RATIO * statistics.median(mine):
                remark += f" LESS THAN {LEAST_RATIO} TIMES AS FAST"
        elif mine_per_megabyte > MOST_AWKWARD * (max(prose) if name in random_texts else min(prose)):
            remark += f" MORE THAN {MOST_AWKWARD} TIMES AS LONG AS PROSE"
        failed |= remark != ""
        speed = lambda t: f"{megabytes / min(t):6.1f} {megabytes / statistics.median(t):7.1f}"
        print(f"{name:16} {megabytes:5.1f} {count:9}  {speed(theirs):>14}  {speed(mine):>14}  "
              f"{statistics.median(theirs) / statistics.median(mine):5.2f}   {remark}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
