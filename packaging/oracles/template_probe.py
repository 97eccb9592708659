#!/usr/bin/env python3
"""Compares a chat template with our rendering, conversation by conversation, and can record it as known.

    template_probe.py FOLDER                 the template of a model folder, for the family that the folder is
    template_probe.py FILE --family NAME     a template by itself
    template_probe.py --all                  templates/NAME.jinja beside this, for all six families, the demo model's, and
                                             the reference prompts of tests/data/text/chat against templates/NAME.jinja

Renders with Jinja2 as Hugging Face sets it up, and with `perilune-cli render`. The conversations are a fixed list, in which each
role, part, switch and kind of argument comes alone, and --random N more, made by --seed. What a template refuses isn't compared.
Ends with 1 where a prompt differs, and shows the first differences. --record ORIGIN writes an equal template's SHA-256 into
engine/text/known_templates.cpp. Needs jinja2 (3.1.6 was used) from PyPI and a built perilune-cli.
"""
import argparse
import hashlib
import itertools
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import jinja2
import jinja2.ext
import jinja2.sandbox

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "engine/text/known_templates.cpp"
FAMILIES = {"k25": "K25", "k26": "K26", "k2": "K2", "k2_thinking": "K2Thinking", "kimi_vl": "KimiVl", "moonlight": "Moonlight"}
SWITCHES = {"k25": ["thinking"], "k26": ["thinking", "preserve_thinking"]}


def compiled(text):
    """The template in the environment of Hugging Face's apply_chat_template."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                                               extensions=["jinja2.ext.loopcontrols"])

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    def refuse(message):
        raise jinja2.exceptions.TemplateError(message)

    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = refuse
    return environment.from_string(text)


def template_of(folder):
    """Text of a folder's template, found as the program finds it."""
    if (folder / "chat_template.jinja").exists():
        return (folder / "chat_template.jinja").read_bytes().decode()
    for name in ["chat_template.json", "tokenizer_config.json"]:
        if (folder / name).exists():
            value = json.loads((folder / name).read_text(encoding="utf8")).get("chat_template")
            if isinstance(value, list):
                value = next((entry["template"] for entry in value if entry.get("name") == "default"), None)
            if value is not None:
                return value
    sys.exit(f"template_probe: {folder} has no chat template")


def key_sorted(value):
    if isinstance(value, dict):
        return {key: key_sorted(value[key]) for key in sorted(value)}
    return [key_sorted(item) for item in value] if isinstance(value, list) else value


# --- conversations -----------------------------------------------------------------------------------------------

WORDS = ["Hello", " two  spaces ", "line\nline\n", "\n", "", "日本語 ünï 🙂", "<|im_end|>", "</think>", "{{ x }}", "{% if %}", "\"quoted\" \\ <b>&amp;",
         "\t", "a" * 300, "\r\n", "<think>x</think>"]
ARGUMENTS = ["{}", "", "not json", '{"a": 1}', {}, {"b": 1, "a": "ü"}, {"n": 2.0, "e": 1e-9, "big": 12345678901234567890, "neg": -0.5},
             {"t": True, "f": False, "z": None, "deep": {"list": [1, [2, {"k": "</x>"}]]}}]
PARAMETERS = [{"type": "object", "properties": {"city": {"type": "string", "description": "Where.\nTwo lines"}}, "required": ["city"]},
              {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "default": 3}, "of": {"enum": ["x", "y", None]}}},
              {"properties": {"x": {"oneOf": [{"type": "string"}]}}}, {}, None,
              {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "number"}}}, "additionalProperties": False}]
NAMES = ["get_weather", "find.it", "ünï"]
PICTURES = [{"type": "image", "image": "a.png"}, {"type": "image_url", "image_url": {"url": "file:///a.png"}}, {"type": "image_url", "image_url": "a.png"}]
CLIPS = [{"type": "video_url", "video_url": {"url": "file:///a.mp4"}}, {"type": "video", "video": "a.mp4"}]


class Maker:
    """Random conversations that the reference takes: no null where a template would fail or print None."""

    def __init__(self, seed, family):
        self.rng = random.Random(seed)
        self.family = family

    def chance(self, share):
        return self.rng.random() < share

    def words(self):
        return "".join(self.rng.choices(WORDS, k=self.rng.choice([0, 1, 1, 1, 2, 3])))

    def part(self):
        kind = self.rng.random()
        if kind < 0.5:
            return {"type": "text", "text": self.words()}
        return dict(self.rng.choice(PICTURES if kind < 0.8 else CLIPS))

    def content(self):
        if self.chance(0.6):
            return self.words()
        return [self.part() for _ in range(self.rng.randrange(4))]

    def tool(self):
        function = {"name": self.rng.choice(NAMES)}
        if self.chance(0.7):
            function["description"] = self.words()
        if self.chance(0.8):
            function["parameters"] = self.rng.choice(PARAMETERS)
        return {"type": "function", "function": dict(self.rng.sample(list(function.items()), len(function)))}

    def call(self, number):
        name = self.rng.choice(NAMES)
        return {"id": self.rng.choice([f"functions.{name}:{number}", f"call_{number}"]), "type": "function",
                "function": {"name": name, "arguments": self.rng.choice(ARGUMENTS)}}

    def message(self):
        role = self.rng.choice(["system", "user", "user", "assistant", "assistant", "assistant", "tool", "tool", "developer", "critic"])
        message = {"role": role, "content": self.content()}
        if self.chance(0.15):
            message["name"] = self.rng.choice(["Ann", "", "<|im_end|>"])
        if role == "assistant":
            if self.chance(0.5):
                message["reasoning_content"] = self.words()
            if self.family == "k26" and self.chance(0.3):
                message["reasoning"] = self.words() or "r"
            if self.chance(0.5):
                message["tool_calls"] = [self.call(i) for i in range(self.rng.randrange(3))]
                if self.family not in ("kimi_vl", "moonlight") and self.chance(0.4):
                    message["content"] = None
        if role == "tool":
            message["tool_call_id"] = self.rng.choice(["functions.get_weather:0", "call_1", "", "<|im_end|>"])
        return message

    def conversation(self):
        made = {"messages": [self.message() for _ in range(self.rng.choice([0, 1, 1, 2, 3, 4, 6, 9]))],
                "tools": [self.tool() for _ in range(self.rng.randrange(1, 4))] if self.chance(0.4) else None,
                "add_generation_prompt": self.chance(0.7)}
        for switch in SWITCHES.get(self.family, []):
            if self.chance(0.6):
                made[switch] = self.chance(0.5)
        return made


def fixed(family):
    """Each thing by itself, before and behind an answer."""
    plain, answer = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes."}
    call = {"id": "functions.f:0", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    singles = [{"role": role, "content": "x"} for role in ["system", "user", "assistant", "developer"]]
    singles += [{"role": "user", "content": word} for word in WORDS]
    singles += [{"role": "user", "name": "Ann", "content": "x"}, {"role": "tool", "tool_call_id": "functions.f:0", "content": "r"}]
    singles += [{"role": "user", "content": [part, {"type": "text", "text": "t"}]} for part in PICTURES + CLIPS]
    singles += [{"role": "assistant", "content": "", "reasoning_content": " r "},
                {"role": "assistant", "content": "", "reasoning_content": "r", "tool_calls": [call]},
                {"role": "assistant", "content": "x", "tool_calls": []}]
    singles += [{"role": "assistant", "content": "x", "tool_calls": [{**call, "function": {"name": "f", "arguments": a}}]} for a in ARGUMENTS]
    tools = [[{"type": "function", "function": {"name": "f", "description": "d", "parameters": p}}] for p in PARAMETERS]
    talks = [([], None)] + [([plain], t) for t in tools]
    for single in singles:
        talks += [([single], None), ([plain, single], None), ([single, answer, plain], tools[0]), ([plain, answer, single], None)]
    switches = SWITCHES.get(family, [])
    for values in itertools.product(*([None, False, True] for _ in switches)):
        for generation in [True, False]:
            for messages, declared in talks:
                yield {"messages": messages, "tools": declared, "add_generation_prompt": generation,
                       **{s: v for s, v in zip(switches, values) if v is not None}}


# --- comparing ---------------------------------------------------------------------------------------------------


def lines(command, inputs):
    """What the command line answers to each input."""
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in inputs)
    ended = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf8")
    if ended.returncode != 0:
        sys.exit(f"template_probe: {' '.join(command)}: {ended.stderr.strip()}")
    return [json.loads(line) for line in ended.stdout.split("\n") if line]


def declarations(cli, family, talks):
    """The TypeScript of each conversation's tools; None where there is none."""
    declared = iter(lines([cli, "tools", "--lines", "--family", family], [{"tools": t["tools"]} for t in talks if t["tools"]]))
    found = [next(declared) if talk["tools"] else {} for talk in talks]
    return [None if one.get("json_fallback") else one.get("declaration") for one in found]


def rendered(template, talk, typescript):
    switches = {key: value for key, value in talk.items() if key not in ("messages", "tools")}
    return template.render(messages=talk["messages"], tools=key_sorted(talk["tools"]), tools_ts_str=typescript, **switches)


def compare(cli, text, family, talks):
    """How many were compared, and the differences: (conversation, the template's prompt, ours)."""
    template = compiled(text)
    ours = lines([cli, "render", "--lines", "--family", family], talks)
    compared, differences = 0, []
    for talk, own, typescript in zip(talks, ours, declarations(cli, family, talks), strict=True):
        try:
            theirs = rendered(template, talk, typescript)
        except (jinja2.exceptions.TemplateError, TypeError, KeyError):
            continue
        compared += 1
        if own.get("prompt") != theirs:
            differences.append((talk, theirs, own.get("prompt", own)))
    return compared, differences


def against_reference(text, family):
    """The template against the reference prompts that the tests hold: (cases, those that differ)."""
    template, cases, differing = compiled(text), 0, []
    declared = {json.dumps(case["tools"], sort_keys=True): case.get("typescript")
                for case in map(json.loads, (ROOT / "tests/data/text/tools/cases.jsonl").read_bytes().splitlines())}
    for line in (ROOT / f"tests/data/text/chat/{family}.jsonl").read_bytes().split(b"\n"):
        case = json.loads(line) if line else {"error": ""}
        if "prompt" not in case or case.get("quirk"):
            continue
        typescript = declared.get(json.dumps(case["tools"], sort_keys=True))
        if case["tools"] and family in ("k25", "k26"):
            inside = re.match(r"<\|im_system\|>tool_declare<\|im_middle\|>(# Tools.*?)<\|im_end\|>", case["prompt"], re.S)
            typescript = typescript or (inside and inside[1])
        talk = {"messages": case["messages"], "tools": case["tools"], "add_generation_prompt": case["add_generation_prompt"], **case["kwargs"]}
        cases += 1
        if rendered(template, talk, typescript) != case["prompt"]:
            differing.append(case["id"])
    return cases, differing


def record(text, family, origin):
    """Adds a row to the program's table; rows are sorted."""
    row = f'    {{ChatFamily::{FAMILIES[family]}, "{hashlib.sha256(text.encode()).hexdigest()}", "{origin}"}},'
    source = TABLE.read_text()
    rows = set(re.findall(r"^    \{ChatFamily::.*\},$", source, re.M)) | {row}
    begin, end = source.index("kKnown[] = {\n") + len("kKnown[] = {\n"), source.index("};\n")
    TABLE.write_text(source[:begin] + "".join(r + "\n" for r in sorted(rows)) + source[end:])


def probe(options, name, text, family, origin=None):
    talks = list(fixed(family))
    maker = Maker(options.seed, family)
    talks += [maker.conversation() for _ in range(options.random)]
    compared, differences = compare(options.cli, text, family, talks)
    print(f"{name} ({family}): {compared} of {len(talks)} conversations compared, {len(differences)} differ; "
          f"SHA-256 {hashlib.sha256(text.encode()).hexdigest()}")
    for talk, theirs, own in sorted(differences, key=lambda d: len(json.dumps(d[0])))[:options.show]:
        print(f"  {json.dumps(talk, ensure_ascii=False)}\n    template: {theirs!r}\n    ours:     {own!r}")
    if origin and not differences:
        record(text, family, origin)
    return not differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("template", nargs="?", type=Path, help="a model folder, or a template's file")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--family", choices=FAMILIES)
    parser.add_argument("--random", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--record", metavar="ORIGIN")
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/perilune-cli"))
    options = parser.parse_args()
    if not options.all and (not options.template or (options.template.is_file() and not options.family)):
        parser.error("name a folder, or a file and its --family, or --all")
    equal = True
    if options.all:
        for family in FAMILIES:
            name = f"packaging/oracles/templates/{family}.jinja"
            text = (ROOT / name).read_bytes().decode()
            cases, differing = against_reference(text, family)
            print(f"{name}: {cases} reference prompts, {len(differing)} differ {differing[:5] or ''}")
            equal &= not differing
            equal &= probe(options, name, text, family, name if options.record else None)
        demo = "packaging/demo-model/model"
        equal &= probe(options, demo, template_of(ROOT / demo), "k25", demo if options.record else None)
    else:
        folder = options.template.is_dir()
        text = template_of(options.template) if folder else options.template.read_bytes().decode()
        family = options.family
        if not family:
            family = json.loads(subprocess.run([options.cli, "inspect", str(options.template), "--json"], capture_output=True,
                                               text=True).stdout)["family"]
        equal = probe(options, str(options.template), text, family, options.record)
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
