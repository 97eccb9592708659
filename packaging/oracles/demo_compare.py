#!/usr/bin/env python3
"""Asks the engine what demo_reference.py asked the torch model, and reports the share of equal answers.

    demo_compare.py FOLDER [--cli PROGRAM] [--model DIR] [--only ABILITY] [--jobs N]

FOLDER is what demo_reference.py wrote. An answer is equal when thinking, content, tool calls and the reason for
the end all are. Exits with 1 where fewer than 99 % are. Needs nothing but Python.
"""

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def ask(options, max_tokens, case):
    """The engine's answer to a case, as the reference has it, or what went wrong."""
    command = [options.cli, "chat", "--conversation", f"{options.folder}/{case['case']}.json", "--json"]
    command += ["--temperature", "0", "--max-tokens", str(max_tokens)]
    command += ["--thinking", "on" if case["thinking_on"] else "off"]
    if options.model:
        command += ["--model", options.model]
    ended = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if ended.returncode != 0:
        return {"error": ended.stderr.strip().splitlines()[-1:] or [f"status {ended.returncode}"]}
    reply = json.loads(ended.stdout)
    calls = [{"id": call["id"], "arguments": call["arguments"]} for call in reply.get("tool_calls") or []]
    finish = "stop" if reply["finish"] == "tool_calls" else reply["finish"]
    return {
        "thinking": (reply.get("thinking") or "").rstrip(),
        "content": reply.get("content") or "",
        "tool_calls": calls,
        "finish": finish,
        "prompt_tokens": reply.get("usage", {}).get("prompt_tokens"),
    }


def differences(case, reply):
    if "error" in reply:
        return ["error"]
    return [key for key in ("thinking", "content", "tool_calls", "finish") if reply[key] != case[key]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--cli", default=str(HERE.parent.parent / "build/release/bin/perilune-cli"))
    parser.add_argument("--model")
    parser.add_argument("--only", help="a word of the abilities to ask about")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    reference = json.loads(Path(options.folder, "reference.json").read_text())
    cases = [case for case in reference["cases"] if not options.only or options.only in case["ability"]]

    begin = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        replies = list(pool.map(lambda case: ask(options, reference["max_tokens"], case), cases))

    kinds = {"picture": [0, 0], "clip": [0, 0], "text": [0, 0]}
    for case, reply in zip(cases, replies):
        media = case["media"]
        kind = "text" if not media else "clip" if media[0].endswith(".mp4") else "picture"
        different = differences(case, reply)
        kinds[kind][1] += 1
        kinds[kind][0] += not different
        if different:
            print(
                f"{case['case']} ({case['ability']}): {', '.join(different)} differ; smallest lead in the reference {case['smallest_lead']}"
            )
            for key in different:
                print(f"    reference {case.get(key)!r}\n    engine    {reply[key]!r}")
        elif reply["prompt_tokens"] != case["prompt_tokens"]:
            print(
                f"{case['case']}: equal, but {reply['prompt_tokens']} prompt tokens in place of {case['prompt_tokens']}"
            )
    equal = sum(right for right, _ in kinds.values())
    for kind, (right, total) in kinds.items():
        print(f"{kind:8} {right} of {total} equal")
    print(
        f"{equal} of {len(cases)} answers equal ({100 * equal / max(1, len(cases)):.1f} %), {time.monotonic() - begin:.0f} s"
    )
    sys.exit(0 if equal >= 0.99 * len(cases) else 1)


if __name__ == "__main__":
    main()
