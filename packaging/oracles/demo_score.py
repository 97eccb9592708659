#!/usr/bin/env python3
"""Scores the demo model by the facts in its answers, through the engine and through the recipe's torch model.

    demo_score.py OUT [--cases 150] [--model DIR] [--cli PROGRAM] [--sides engine,reference] [--abilities A,B,…]
                      [--hand] [--form plain] [--seed 7]
    demo_score.py OUT --table [--beside OTHER]

Every case is a new drawing and a question about it; the same seed gives the same cases for every model. --hand takes
the questions from demo_questions.txt, which no training has seen; --form stores the pictures in one of the forms of
demo_forms.py. OUT gets the cases and answers.jsonl, a line per answer, and a second call goes on where the first was
ended. --table prints what is known so far, beside the table of another folder if one is named.
Needs the environment of packaging/demo-model/recipe/README.md, and ffmpeg for clips.
"""

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "demo-model" / "recipe")]

import demo_facts
import demo_hand

ABILITIES = [
    *("one object: color", "one object: shape", "one object: where", "one object: describe"),
    *("two objects: color", "two objects: shape", "describe", "count", "color", "shape", "where", "exist"),
    *(
        "size",
        "relation",
        "background",
        "follow-up",
        "compare: difference",
        "compare: which",
        "compare: more",
    ),
    *("video: what happens", "video: direction", "video: which moves", "video: color", "video: order"),
    *("small talk", "no image", "tool: call", "tool: answer", "tool: call + thinking"),
]
OF_PICTURES = ABILITIES[: ABILITIES.index("compare: difference")]
MAX_TOKENS = 200


# ---------------------------------------------------------------- cases
def question_of(sample):
    parts = [m for m in sample["messages"] if m["role"] == "user"][-1]["content"]
    return next(part for part in reversed(parts) if "text" in part)


def make(options, ability, number):
    """A case of an ability: (sample, media), the same for every model."""
    import evaluate

    hand = demo_hand.hand_written() if options.hand else None
    for attempt in range(200):
        rng = random.Random(f"{options.seed} {ability} {number} {attempt}")
        if options.hand and ability in ("small talk", "beyond"):
            return demo_hand.hand_talk(rng, ability, hand), []
        sample, media = evaluate.item(ability, rng)
        scene = sample["media"][0][1] if sample["media"] else {}
        if scene.get("text") or options.form == "transparent" and scene.get("back") != "white":
            continue
        if options.hand:
            if ability.startswith("tool"):
                question = demo_hand.tool_in_hand_words(rng, sample, hand)
            else:
                question = demo_hand.in_hand_words(rng, ability, question_of(sample)["text"], hand)
            if question is None:
                continue
            question_of(sample)["text"] = question
        return sample, media
    raise SystemExit(f"no case of '{ability}' fits")


# ---------------------------------------------------------------- asking
def store(options, stem, sample, media, config):
    """Writes a case; returns the media as the processor hands them to the model."""
    import demo_forms
    import demo_reference as reference
    import numpy as np

    names, prepared = [], []
    side = config["patch_limit_on_one_side"]
    for index, (kind, pixels) in enumerate(media):
        at = f"{options.out}/{stem}_{index}"
        if kind == "image":
            scene = sample["media"][index][1]
            rng = random.Random(f"{options.seed} {stem} {index}")
            names.append(demo_forms.write(options.form, rng, at, scene, reference.crop_padding(pixels)))
            picture = demo_forms.seen_by_processor(f"{options.out}/{names[-1]}")
            prepared.append((kind, reference.prepare(picture, config["in_patch_limit"], side)))
        else:
            names.append(f"{stem}_{index}.mp4")
            reference.write_clip(f"{at}.mp4", pixels)
            limit = config["in_patch_limit_each_frame"]
            frames = [reference.prepare(reference.Image.fromarray(f), limit, side) for f in pixels]
            prepared.append((kind, np.stack(frames)))
    conversation = {"messages": reference.openai_messages(sample, names)}
    if sample["tools"]:
        conversation["tools"] = sample["tools"]
    Path(options.out, f"{stem}.json").write_text(json.dumps(conversation))
    return prepared


def ask_reference(model, tok, sample, prepared):
    import demo_reference as reference

    ids, _, finish, _ = reference.answer(model, tok, sample, prepared)
    return {**reference.parts_of(tok.decode(ids), sample["thinking"]), "finish": finish}


def ask_engine(options, stem, sample):
    import demo_compare

    case = {"case": stem, "thinking_on": sample["thinking"]}
    ways = SimpleNamespace(cli=options.cli, folder=options.out, model=options.model)
    return demo_compare.ask(ways, MAX_TOKENS, case)


def judge(ability, sample, got):
    """Right by its facts, and with a thought exactly where thinking is on."""
    if "error" in got or bool(got["thinking"].strip()) != bool(sample["thinking"]):
        return False
    if ability == "beyond":
        return bool(re.search(r"don't know|can't|cannot|only a tiny demo", got["content"]))
    expected = sample["messages"][-1]
    calls = [{"id": c["id"], "arguments": c["function"]["arguments"]} for c in expected.get("tool_calls", [])]
    return demo_facts.right(ability, expected["content"], got["content"], calls, got["tool_calls"])


def score(options):
    import evaluate
    import torch

    torch.set_num_threads(1)
    if options.form == "long":
        from demo_forms import LONG_GRIDS

        evaluate.EVAL_GRIDS = LONG_GRIDS
    config = json.loads(Path(options.model, "preprocessor_config.json").read_text())["media_proc_cfg"]
    model, tok = evaluate.load(options.model)
    log = Path(options.out, "answers.jsonl")
    done = {(row["ability"], row["number"], row["side"]) for row in rows(options.out)}
    for number in range(options.cases):
        for ability in options.abilities:
            sides = [side for side in options.sides if (ability, number, side) not in done]
            if not sides:
                continue
            sample, media = make(options, ability, number)
            stem = re.sub(r"\W+", "_", ability) + f"_{number:03d}"
            prepared = store(options, stem, sample, media, config)
            for side in sides:
                if side == "engine":
                    got = ask_engine(options, stem, sample)
                else:
                    got = ask_reference(model, tok, sample, prepared)
                row = {"ability": ability, "number": number, "side": side}
                row |= {
                    "question": question_of(sample)["text"],
                    "expected": sample["messages"][-1]["content"],
                }
                row |= {"got": got, "right": judge(ability, sample, got)}
                with open(log, "a") as file:
                    file.write(json.dumps(row) + "\n")


# ---------------------------------------------------------------- the table
def rows(folder):
    log = Path(folder, "answers.jsonl")
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def shares(folder):
    """(ability, side) -> {case number: right}, and the share of equal answers of both sides."""
    result, texts = defaultdict(dict), defaultdict(dict)
    for row in rows(folder):
        result[row["ability"], row["side"]][row["number"]] = row["right"]
        got = row["got"]
        texts[row["ability"], row["number"]][row["side"]] = [
            (got.get(key) or "") for key in ("thinking", "content", "tool_calls")
        ]
    both = [sides for sides in texts.values() if len(sides) == 2]
    return result, (sum(s["engine"] == s["reference"] for s in both), len(both))


def percent(cases):
    return f"{100 * sum(cases.values()) / len(cases):.1f} %" if cases else ""


def table(folders):
    """Only cases that every folder has are counted, so that the columns compare the same questions."""
    known = [(Path(folder).name, *shares(folder)) for folder in folders]
    sides = sorted({side for _, result, _ in known for _, side in result})
    columns = [(name, side, result) for name, result, _ in known for side in sides]
    print("| ability | cases | " + " | ".join(f"{name}: {side}" for name, side, _ in columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    totals = [[] for _ in columns]
    for ability in dict.fromkeys(ability for _, result, _ in known for ability, _ in result):
        filled = [set(result[ability, side]) for _, side, result in columns if result[ability, side]]
        common = set.intersection(*filled)
        cells = []
        for column, (_, side, result) in enumerate(columns):
            cases = {number: result[ability, side][number] for number in common if result[ability, side]}
            totals[column] += [percent(cases)] if cases else []
            cells.append(percent(cases))
        print(f"| {ability} | {len(common)} | " + " | ".join(cells) + " |")
    mean = lambda cells: sum(float(cell.split()[0]) for cell in cells) / max(1, len(cells))
    print("| mean of the abilities | | " + " | ".join(f"{mean(cells):.1f} %" for cells in totals) + " |")
    for name, _, (equal, total) in known:
        if total:
            print(f"\n{name}: engine and reference give equal answers in {equal} of {total}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", help="a folder; with --check-questions it isn't used")
    parser.add_argument("--cases", type=int, default=150, help="of each ability")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--model", default=str(HERE.parent / "demo-model" / "model"))
    parser.add_argument("--cli", default=str(HERE.parent.parent / "build/release/bin/perilune-cli"))
    parser.add_argument("--sides", default="engine,reference")
    parser.add_argument("--abilities")
    parser.add_argument("--hand", action="store_true", help="questions written by hand")
    parser.add_argument("--form", default="plain", help="how pictures are stored: a name of demo_forms.FORMS")
    parser.add_argument("--table", action="store_true", help="print the table of OUT, and ask nothing")
    parser.add_argument("--check-questions", action="store_true", help="are the hand-written ones new?")
    parser.add_argument("--beside", action="append", default=[], help="another folder for the table")
    options = parser.parse_args()
    if options.check_questions:
        return bool(demo_hand.check_questions())
    if options.table:
        return table([options.out, *options.beside])
    usual = OF_PICTURES if options.form != "plain" else ABILITIES + ["beyond"] * options.hand
    if options.hand:
        usual = [ability for ability in usual if not ability.startswith("tool: answer")]
    options.abilities = options.abilities.split(",") if options.abilities else usual
    options.sides = options.sides.split(",")
    Path(options.out).mkdir(parents=True, exist_ok=True)
    return score(options)


if __name__ == "__main__":
    sys.exit(main())
