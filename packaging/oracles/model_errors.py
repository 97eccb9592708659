#!/usr/bin/env python3
"""The worst difference of every array of the tiny checkpoints from the reference, on each Vulkan driver.

    python3 -m venv v && v/bin/pip install numpy safetensors
    v/bin/python packaging/oracles/model_errors.py [--driver NAME=ICD.json]… [--activations f32|f16]… [CHECKPOINT…]

Runs `perilune-cli forward`, `generate` and `classify` on the prompts and media of tests/data/model (its README says what
made the numbers) and prints a table in Markdown: for each checkpoint and kind of array the worst absolute difference
over all prompts, layers and media; with routers, whether every choice is the same; with greedy, whether every token
is. "dequantized" weights and so on are tests of their own. Exits with 1 where something is beyond what that README
asks for: with f32 2e-3 everywhere, choices and tokens equal; with f16 0.5 (0.05 rms) for logits and hidden states,
choices equal where the margin is 0.005 or more, tokens equal.
Without --driver: every ICD of the system that is software, and SwiftShader where Debian's chromium is installed.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from safetensors.numpy import load_file, save_file

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "tests/data/model")
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
SWIFTSHADER = "/usr/lib/chromium/libvk_swiftshader.so"


class Engine:
    """perilune-cli on one driver and kind of activations."""

    def __init__(self, cli, icd, activations, folder):
        self.cli, self.folder = cli, folder
        self.options = ["--activations", activations]
        self.environment = {**os.environ, "VK_ICD_FILENAMES": icd, "VK_DRIVER_FILES": icd}

    def run(self, command, model, arrays, options):
        given = os.path.join(self.folder, "in.safetensors")
        save_file({k: np.ascontiguousarray(v) for k, v in arrays.items()}, given)
        line = [self.cli, command, "--model", model, "--input", given] + self.options + options
        ran = subprocess.run(line, capture_output=True, text=True, env=self.environment)
        if ran.returncode != 0:
            sys.exit(f"{' '.join(line)}: {ran.stderr.strip()}")
        return ran.stdout

    def forward(self, model, arrays, *options):
        dump = os.path.join(self.folder, "out.safetensors")
        self.run("forward", model, arrays, ["--dump", dump, *options])
        return load_file(dump)


class Table:
    """Worst differences by kind of array; what is beyond its bound stands in `faults`."""

    def __init__(self, activations):
        self.half = activations == "f16"
        self.worst, self.equal, self.faults = {}, {}, []

    def near(self, kind, name, actual, expected, half_bound=0.5):
        if actual is None or actual.shape != expected.shape:
            self.faults.append(f"{name} is missing or has another shape")
            return
        error = np.abs(actual.astype(np.float64) - expected)
        worst = float(error.max()) if np.isfinite(error).all() else float("inf")
        self.worst[kind] = max(self.worst.get(kind, 0.0), worst)
        rms = float(np.sqrt((error ** 2).mean()))
        if worst > (half_bound if self.half else 2e-3) or (self.half and rms > half_bound / 10):
            self.faults.append(f"{name}: {worst:.3g}, rms {rms:.3g}")

    def same(self, kind, name, equal, of=1):
        seen = self.equal.setdefault(kind, [0, 0])
        seen[0] += int(equal)
        seen[1] += of
        if equal != of:
            self.faults.append(f"{name}: {equal} of {of} equal")


def grid(golden, medium):
    if medium + ".grid_thw" in golden:
        return golden[medium + ".grid_thw"]
    return np.concatenate([[1], golden[medium + ".grid_hw"]])


def prompt_arrays(golden, prompt):
    arrays = {"input_ids": golden[prompt + ".input_ids"]}
    if prompt + ".media_index" in golden:
        media = [f"v{i}" for i in golden[prompt + ".media_index"]]
        arrays["pixel_values"] = np.concatenate([golden[m + ".pixel_values"] for m in media])
        arrays["grid_thws"] = np.stack([grid(golden, m) for m in media]).astype(np.int64)
    return arrays


def compare_prompt(engine, model, golden, prompt, table):
    arrays = prompt_arrays(golden, prompt)
    out = engine.forward(model, arrays, "--layers")
    embedded = golden.get(prompt + ".inputs_embeds", golden.get(prompt + ".embed"))
    table.near("inputs_embeds", prompt + ".embed", out.get("inputs_embeds"), embedded, 0.05)
    for name in ("final_norm", "logits"):
        table.near(name, f"{prompt}.{name}", out.get(name), golden[f"{prompt}.{name}"])
    for key in sorted(golden):
        kind, _, rest = key[len(prompt) + 1:].partition(".") if key.startswith(prompt + ".") else ("", "", "")
        if kind == "block":
            table.near("hidden", key, out.get("hidden." + rest), golden[key])
        if kind == "router" and rest.endswith(".ids"):
            layer = rest.split(".")[0]
            chosen = out[f"router.{layer}.ids"]
            clear = golden[f"{prompt}.router.{layer}.margin"] >= (0.005 if table.half else 0)
            same = (chosen == golden[key]).all(axis=1)
            table.same("router ids", key, int(same[clear].sum()), int(clear.sum()))
            table.near("router weights", f"{prompt}.router.{layer}.weights", out[f"router.{layer}.weights"][same],
                       golden[f"{prompt}.router.{layer}.weights"][same], 0.05)
    if prompt + ".greedy.tokens" in golden:
        text = engine.run("generate", model, arrays, ["--max-tokens", "16", "--ignore-eos", "--json"])
        expected = golden[prompt + ".greedy.tokens"].tolist()
        equal = sum(a == b for a, b in zip(json.loads(text)["ids"], expected))
        table.same("greedy tokens", prompt + ".greedy", equal, len(expected))


def compare_vision(engine, model, golden, table):
    media = sorted({k.split(".")[0] for k in golden if k.endswith(".pixel_values")}, key=lambda name: int(name[1:]))
    if not media:
        return
    placeholder = json.load(open(os.path.join(model, "config.json"))).get("media_placeholder_token_id", 163605)
    grids = np.stack([grid(golden, m) for m in media]).astype(np.int64)
    tokens = int((grids[:, 1] * grids[:, 2] // 4).sum())
    out = engine.forward(model, {
        "input_ids": np.array([placeholder] * tokens + [1], np.int64),
        "pixel_values": np.concatenate([golden[m + ".pixel_values"] for m in media]),
        "grid_thws": grids}, "--vision")
    for number, medium in enumerate(media):
        for key in sorted(golden):
            stage = key[len(medium) + 1:] if key.startswith(medium + ".") else ""
            if stage in ("patch_embed", "final", "merged", "projected") or stage.startswith("block."):
                kind = "vision " + ("block" if stage.startswith("block.") else stage)
                table.near(kind, key, out.get(f"vision.{number}.{stage}"), golden[key], 0.08)


def compare_classes(engine, model, golden, table):
    for case in sorted({k.split(".")[0] for k in golden}):
        text = engine.run("classify", model, {"input_ids": golden[case + ".input_ids"]}, ["--json"])
        logits = np.array(json.loads(text)["logits"])
        table.near("pooled_logits", case + ".pooled_logits", logits, golden[case + ".pooled_logits"])


def compare(engine, checkpoint, activations):
    model = os.path.join(DATA, checkpoint)
    golden = load_file(os.path.join(model, "golden.safetensors"))
    table = Table(activations)
    if any(key.endswith(".pooled_logits") for key in golden):
        compare_classes(engine, model, golden, table)
        return table
    for prompt in sorted({k.split(".")[0] for k in golden if k[0] in "pm" and k.endswith(".input_ids")}):
        compare_prompt(engine, model, golden, prompt, table)
    compare_vision(engine, model, golden, table)
    return table


def drivers(given, folder):
    if given:
        return dict(entry.split("=", 1) for entry in given)
    found = {"lavapipe": LAVAPIPE} if os.path.exists(LAVAPIPE) else {}
    if os.path.exists(SWIFTSHADER):
        found["SwiftShader"] = os.path.join(folder, "swiftshader.json")
        with open(found["SwiftShader"], "w") as file:
            json.dump({"file_format_version": "1.0.0", "ICD": {"library_path": SWIFTSHADER, "api_version": "1.3.0"}}, file)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs="*")
    parser.add_argument("--driver", action="append", default=[])
    parser.add_argument("--activations", action="append", choices=["f32", "f16"])
    parser.add_argument("--cli", default=os.path.join(ROOT, "build/release/bin/perilune-cli"))
    arguments = parser.parse_args()
    names = arguments.checkpoints or sorted(os.path.basename(p) for p in glob.glob(os.path.join(DATA, "tiny-*")))
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        columns = [(driver, icd, kind) for driver, icd in drivers(arguments.driver, folder).items()
                   for kind in arguments.activations or ["f32", "f16"]]
        print("| checkpoint | array | " + " | ".join(f"{driver}, {kind}" for driver, _, kind in columns) + " |")
        print("|---|---|" + "---|" * len(columns))
        for name in names:
            tables = []
            for driver, icd, kind in columns:
                tables.append(compare(Engine(arguments.cli, icd, kind, folder), name, kind))
                faults += [f"{driver}, {kind}, {name}: {fault}" for fault in tables[-1].faults]
            for array in tables[0].worst:
                print(f"| {name} | {array} | " + " | ".join(f"{t.worst[array]:.2g}" for t in tables) + " |")
            for array in tables[0].equal:
                print(f"| {name} | {array} | " + " | ".join("{} of {}".format(*t.equal[array]) for t in tables) + " |",
                      flush=True)
    print()
    print("\n".join(faults) if faults else "Everything is within its bounds.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
