#!/usr/bin/env python3
"""Writes what the fuzzers of tests/fuzz start from: a folder of small inputs and a list of words for each subject.

    make_seeds.py        writes beside itself, from the other folders of tests/data

The inputs are made of cases that the tests have anyway. A text input begins with the bytes that choose family and options.
"""
import hashlib
import json
import shutil
import struct
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent
MOST_BYTES = 4000  # of a seed; smaller ones make faster runs

MARKERS = ["<|im_end|>", "<|im_user|>", "<|im_system|>", "<|im_middle|>", "<|im_assistant|>", "[EOS]", "[EOT]", "[BOS]", "[PAD]",
           "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_section_begin|>",
           "<|tool_call_section_end|>", "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>",
           "<think>", "</think>", "\u25c1think\u25b7", "\u25c1/think\u25b7", "<|media_pad|>", "<|media_begin|>",
           "<|kimi_k25_video_placeholder|>", "<|reserved_token_4101|>"]
SCHEMA = ["type", "function", "name", "description", "parameters", "properties", "required", "enum", "items", "anyOf", "oneOf", "$ref",
          "$defs", "#/$defs/", "#", "default", "additionalProperties", "object", "array", "string", "number", "integer", "boolean",
          "null", "minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"]
MESSAGES = ["messages", "tools", "role", "content", "user", "assistant", "system", "tool", "tool_calls", "tool_call_id", "arguments",
            "reasoning_content", "reasoning", "id", "text", "image_url", "video_url", "image", "url", "name", "file://"]
SYNTAX = ['{"', '":', '","', '"}', "[]", "{}", "true", "false", "null", "NaN", "Infinity", "1e400", "-0", "\\u0000", "\\ud800", "\\n"]
CHARACTERS = ["\u4e2d", "\u0301", "\U0001f642", "\u3000", "\u00a0", "\u2028", "\u017f", "\u3007", "\u00b2", "\u01c5", "\ufffd", "\r\n", "'ll",
              "\x1c", "\x00"]
CONFIG = ["model_type", "kimi_k25", "kimi_vl", "kimi_k2", "deepseek_v3", "text_config", "vision_config", "quantization_config",
          "rope_scaling", "rope_parameters", "yarn", "linear", "dynamic", "compressed-tensors", "fp8", "n_group", "topk_group",
          "noaux_tc", "greedy", "group_limited_greedy", "sigmoid", "softmax", "4294967295", "4294967296", "18446744073709551615"]


def write(subject, seeds, words):
    folder = HERE / subject
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for seed in seeds:
        if len(seed) <= MOST_BYTES:
            (folder / hashlib.sha256(seed).hexdigest()[:12]).write_bytes(seed)
    quoted = ["".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in word.encode()) for word in words]
    (HERE / f"{subject}.dict").write_text("".join(f'"{word}"\n' for word in quoted))


def cases(name):
    return [json.loads(line) for line in (DATA / "text" / name).read_bytes().split(b"\n") if line]


def safetensors(tensors, metadata=None):
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, dtype, shape, raw in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def compact(value):
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


def main():
    texts = [one["text"].encode(errors="surrogatepass") for one in cases("tokenizer/cases.jsonl")]
    write("tokenizer", [b"\x00" + text for text in texts[::24]], MARKERS + CHARACTERS)

    replies = [bytes([i % 6 if i % 3 else 0, 7 - (not one["thinking_enabled"]) + 8 * (i % 5)]) + one["raw"].encode(errors="surrogatepass")
               for i, one in enumerate(cases("parse/cases.jsonl"))]
    write("reply_parser", replies[::3], MARKERS + ["functions.", "calc:0", ":1", "{}", '{"a":"', '"}', " ", "\n", "\u3000"])

    tools = [compact(one["tools"]) for one in cases("tools/cases.jsonl")]
    write("tool_declaration", tools[::5], SCHEMA + SYNTAX)

    families = ["k25", "k26", "k2", "k2_thinking", "kimi_vl", "moonlight"]
    talks = [bytes([number, i % 32]) + compact({"messages": one["messages"], "tools": one["tools"] or []})
             for number, family in enumerate(families) for i, one in enumerate(cases(f"chat/{family}.jsonl"))]
    write("conversation", talks[::13], MARKERS + MESSAGES + SCHEMA[:8] + SYNTAX)

    files = [safetensors([]), safetensors([("a", "F32", [2, 2], bytes(16)), ("b", "BF16", [3], bytes(6))], {"format": "pt"}),
             safetensors([("s", "I64", [], bytes(8)), ("e", "F16", [0, 4], b""), ("i", "I32", [1], bytes(4))]),
             safetensors([("w", "F8_E4M3", [4, 2], bytes(8)), ("w_scale_inv", "F32", [1, 1], bytes(4)), ("u", "U8", [1], b"x")])]
    types = ["F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL"]
    write("safetensors", files, types + SYNTAX + ["dtype", "shape", "data_offsets", "__metadata__", "18446744073709551615"])

    index = {"metadata": {"total_size": 10}, "weight_map": {"a.weight": "model-1-of-2.safetensors", "b": "model-2-of-2.safetensors"}}
    odd = [{"weight_map": {"a": "../x"}}, {"weight_map": {}}, {"weight_map": {"": "x"}, "metadata": {"total_size": -1}}]
    write("shard_index", [compact(one) for one in [index, *odd]], SYNTAX + ["weight_map", "metadata", "total_size", "../", "/", ".."])

    configs = [compact(json.loads(path.read_text())) for path in sorted((DATA / "model").glob("*/config.json"))]
    write("config", configs, CONFIG + SYNTAX)


if __name__ == "__main__":
    main()
