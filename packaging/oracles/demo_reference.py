#!/usr/bin/env python3
"""Asks the recipe's torch model new questions and writes questions, media and answers to a folder.

    demo_reference.py OUT [--cases 330] [--seed 20261130] [--model DIR] [--abilities A,B,…]

OUT gets NNN.json (a conversation as `perilune-cli chat --conversation` reads it), the media it names, and
reference.json with the answers. The pixels come from the written files and go through Pillow as the specification of
K2.5's processor says, so that the engine is compared over the same path from file to answer.
Needs the environment of packaging/demo-model/recipe/README.md, and ffmpeg for clips.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "demo-model" / "recipe"))

import numpy as np
import torch
from PIL import Image

import evaluate
from chat import layout
from data import patchify

MAX_TOKENS = 200

# How a picture is stored, and how often. Larger pictures make the resize matter.
FORMS = [
    ("png", 1, 5),
    ("png", 3, 2),
    ("png", 7, 1),
    ("webp", 1, 1),
    ("webp", 2, 1),
    ("jpg", 1, 1),
    ("jpg", 4, 1),
]


# ---------------------------------------------------------------- media as the processor sees them
def target_size(width, height, limit, side, patch=14):
    """The size after the resize: never larger than the picture, within `limit` patches and `side` patches a side."""
    patches = max(1, width // patch) * max(1, height // patch)
    scale = min(1.0, math.sqrt(limit / patches), side * patch / width, side * patch / height)
    new_width = min(max(1, int(width * scale)), side * patch)
    new_height = min(max(1, int(height * scale)), side * patch)
    return new_width, new_height


def prepare(picture, limit, side):
    """RGB picture -> uint8 [H, W, 3], resized (horizontally first, then vertically) and padded to multiples of 28."""
    width, height = target_size(*picture.size, limit, side)
    if picture.width != width:
        picture = picture.resize((width, picture.height), Image.BICUBIC)
    if picture.height != height:
        picture = picture.resize((width, height), Image.BICUBIC)
    pixels = np.asarray(picture)
    return np.pad(pixels, ((0, -height % 28), (0, -width % 28), (0, 0)))


def frames_of(path):
    """All frames of a clip, uint8 [T, H, W, 3]."""
    probe = [
        "ffprobe",
        "-v",
        "error",
        "-select_streams",
        "v",
        "-show_entries",
        "stream=width,height",
        "-of",
        "csv=p=0",
    ]
    width, height = map(int, subprocess.check_output([*probe, path], text=True).strip().split(",")[:2])
    decode = ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    return np.frombuffer(subprocess.check_output(decode), np.uint8).reshape(-1, height, width, 3)


def write_clip(path, frames):
    """Losslessly and in RGB, two frames a second, so that decoding is exact and every frame is sampled."""
    height, width = frames.shape[1:3]
    encode = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"]
    encode += ["-r", "2", "-i", "-", "-c:v", "libx264rgb", "-qp", "0", path]
    subprocess.run(encode, input=frames.tobytes(), check=True)


def write_picture(rng, stem, pixels):
    """Stores the picture in one of FORMS; returns its file name."""
    suffix, times, _ = rng.choices(FORMS, [form[2] for form in FORMS])[0]
    picture = Image.fromarray(pixels)
    if times > 1:
        larger = (
            picture.width * times + rng.randint(0, times),
            picture.height * times + rng.randint(0, times),
        )
        picture = picture.resize(larger, Image.BICUBIC)
    options = {"webp": {"lossless": True}, "jpg": {"quality": 95, "subsampling": 0}}.get(suffix, {})
    picture.save(f"{stem}.{suffix}", **options)
    return Path(f"{stem}.{suffix}").name


def crop_padding(pixels):
    """Takes off the black edge that the recipe draws where the processor pads, if there is one."""
    height = int(np.flatnonzero(pixels.any((1, 2))).max()) + 1
    width = int(np.flatnonzero(pixels.any((0, 2))).max()) + 1
    return pixels[:height, :width]


def store_media(rng, out, number, media, config):
    """Writes the media of a case; returns their names and the pixels that the model gets. `config`: media_proc_cfg."""
    names, prepared = [], []
    for index, (kind, pixels) in enumerate(media):
        stem = f"{out}/{number:03d}_{index}"
        if kind == "image":
            name = write_picture(rng, stem, crop_padding(pixels))
            picture = Image.open(f"{out}/{name}").convert("RGB")
            prepared.append(
                (kind, prepare(picture, config["in_patch_limit"], config["patch_limit_on_one_side"]))
            )
        else:
            name = f"{number:03d}_{index}.mp4"
            write_clip(f"{out}/{name}", pixels)
            frames = frames_of(f"{out}/{name}")
            assert (frames == pixels).all(), "the clip is not lossless"
            limit, side = config["in_patch_limit_each_frame"], config["patch_limit_on_one_side"]
            prepared.append(
                (kind, np.stack([prepare(Image.fromarray(frame), limit, side) for frame in frames]))
            )
        names.append(name)
    return names, prepared


# ---------------------------------------------------------------- conversations
def openai_messages(sample, names):
    """The messages before the answer, in OpenAI's format with media as files."""
    result = []
    for message in sample["messages"][:-1]:
        entry = {"role": message["role"]}
        content = message["content"]
        if isinstance(content, list):
            parts = []
            for part in content:
                if "text" in part:
                    parts.append({"type": "text", "text": part["text"]})
                elif "image" in part:
                    parts.append({"type": "image_url", "image_url": {"url": names[part["image"]]}})
                else:
                    parts.append({"type": "video_url", "video_url": {"url": names[part["video"]]}})
            content = parts
        entry["content"] = content
        for key in ("name", "tool_call_id"):
            if key in message:
                entry[key] = message[key]
        if message.get("think"):
            entry["reasoning_content"] = message["think"]
        if message.get("tool_calls"):
            entry["tool_calls"] = [
                {"id": call["id"], "type": "function", "function": call["function"]}
                for call in message["tool_calls"]
            ]
        result.append(entry)
    return result


@torch.no_grad()
def answer(model, tok, sample, media):
    """Greedy ids of the answer, and the smallest lead that a chosen token had over the next best."""
    feats, counts = evaluate.prompt_state(model, tok, sample, media)
    ids, _ = layout(tok, sample, counts, prompt_only=True)
    caches = [[] for _ in model.layers]
    hidden = model.hidden_states(torch.tensor([ids]), feats, tok.media_pad, torch.float32, caches)
    out, position, lead = [], len(ids), math.inf
    while len(out) < MAX_TOKENS:
        best = model.logits(hidden[:, -1], torch.float32)[0].topk(2)
        lead = min(lead, float(best.values[0] - best.values[1]))
        token = int(best.indices[0])
        if token in (tok.im_end, tok.EOS):
            return out, lead, "stop", len(ids)
        out.append(token)
        hidden = model.hidden_states(
            torch.tensor([[token]]), None, tok.media_pad, torch.float32, caches, start=position
        )
        position += 1
    return out, lead, "length", len(ids)


CALL = re.compile(r"<\|tool_call_begin\|>(.*?)<\|tool_call_argument_begin\|>(.*?)<\|tool_call_end\|>", re.S)


def parts_of(text, thinking):
    """The raw answer as thinking, content and tool calls."""
    thought = ""
    if thinking:
        thought, _, text = text.partition("</think>")
    calls = [{"id": i.strip(), "arguments": a.strip() or "{}"} for i, a in CALL.findall(text)]
    content = text.split("<|tool_calls_section_begin|>")[0]
    if calls and not content.strip():
        content = ""
    return {"thinking": thought.rstrip(), "content": content, "tool_calls": calls}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--cases", type=int, default=330)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--model", default=str(HERE.parent / "demo-model" / "model"))
    parser.add_argument(
        "--abilities", default=",".join(evaluate.ABILITIES), help="what to ask about, in turn"
    )
    options = parser.parse_args()
    abilities = options.abilities.split(",")
    torch.set_num_threads(1)
    os.makedirs(options.out, exist_ok=True)
    with open(f"{options.model}/preprocessor_config.json") as file:
        config = json.load(file)["media_proc_cfg"]
    model, tok = evaluate.load(options.model)

    cases = []
    for number in range(options.cases):
        rng = random.Random(options.seed * 1000 + number)
        ability = abilities[number % len(abilities)]
        sample, media = evaluate.item(ability, rng)
        names, prepared = store_media(rng, options.out, number, media, config)
        conversation = {"messages": openai_messages(sample, names)}
        if sample["tools"]:
            conversation["tools"] = sample["tools"]
        with open(f"{options.out}/{number:03d}.json", "w") as file:
            json.dump(conversation, file, indent=1)
        ids, lead, finish, prompt_tokens = answer(model, tok, sample, prepared)
        text = tok.decode(ids)
        case = {
            "case": f"{number:03d}",
            "ability": ability,
            "thinking_on": sample["thinking"],
            "media": names,
        }
        case |= {"ids": ids, "raw": text, **parts_of(text, sample["thinking"])}
        case |= {"finish": finish, "smallest_lead": round(lead, 5), "prompt_tokens": prompt_tokens}
        case["right"] = text + "<|im_end|>" == evaluate.reference(tok, sample)
        cases.append(case)
        if number % 20 == 19:
            print(f"{number + 1} of {options.cases}", flush=True)
    with open(f"{options.out}/reference.json", "w") as file:
        json.dump({"max_tokens": MAX_TOKENS, "cases": cases}, file, indent=1)
    print(f"{len(cases)} answers, {sum(case['right'] for case in cases)} right, in {options.out}")


if __name__ == "__main__":
    main()
