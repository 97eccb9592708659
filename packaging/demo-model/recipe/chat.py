"""Tokenizer (byte-level BPE in tiktoken.model form, K2.5 pre-split pattern and special tokens) and the K2.5 chat layout."""

import base64, collections, json, os, random
import regex

PAT = "|".join(
    [
        r"""[\p{Han}]+""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    ]
)
# offset from the first special id (K2.5: 163584)
SPECIAL = {
    0: "[BOS]",
    1: "[EOS]",
    2: "<|im_end|>",
    3: "<|im_user|>",
    4: "<|im_assistant|>",
    6: "<|start_header_id|>",
    7: "<|end_header_id|>",
    9: "[EOT]",
    10: "<|im_system|>",
    11: "<|tool_calls_section_begin|>",
    12: "<|tool_calls_section_end|>",
    13: "<|tool_call_begin|>",
    14: "<|tool_call_argument_begin|>",
    15: "<|tool_call_end|>",
    17: "<|im_middle|>",
    18: "<|media_begin|>",
    19: "<|media_content|>",
    20: "<|media_end|>",
    21: "<|media_pad|>",
    22: "<think>",
    23: "</think>",
    254: "[UNK]",
    255: "[PAD]",
}
# Offsets that decoding without special tokens keeps, as in K2.5: the markers of tool calls and of thinking.
PLAIN = {11, 12, 13, 14, 15, 22, 23}
N_SPECIAL = 256


def train_bpe(texts, n_merges):
    """Plain BPE over pre-split words.  Digits and pairs of capitals never merge: numbers and printed words stay spelled out."""
    pat = regex.compile(PAT, regex.V1)
    words = collections.Counter()
    for t in texts:
        words.update(m.group(0).encode() for m in pat.finditer(t))
    toks = {w: [bytes([b]) for b in w] for w in words}

    def allowed(a, b):
        c = a + b
        if any(48 <= x <= 57 for x in c):
            return False
        return sum(65 <= x <= 90 for x in c) < 2

    ranks = {bytes([i]): i for i in range(256)}
    for _ in range(n_merges):
        pairs = collections.Counter()
        for w, t in toks.items():
            f = words[w]
            for a, b in zip(t, t[1:]):
                pairs[a, b] += f
        best = None
        for p, f in pairs.items():
            if f >= 2 and p[0] + p[1] not in ranks and allowed(*p) and (best is None or (f, p) > best):
                best = (f, p)
        if best is None:
            break
        a, b = best[1]
        c = a + b
        ranks[c] = len(ranks)
        for w, t in toks.items():
            if a in t:
                i, out = 0, []
                while i < len(t):
                    if i + 1 < len(t) and t[i] == a and t[i + 1] == b:
                        out.append(c)
                        i += 2
                    else:
                        out.append(t[i])
                        i += 1
                toks[w] = out
    return ranks


class Tok:
    def __init__(self, path):
        import tiktoken

        ranks = {}
        for line in open(path, "rb"):
            a, b = line.split()
            ranks[base64.b64decode(a)] = int(b)
        self.n_base = n = len(ranks)
        self.special = {SPECIAL.get(i, f"<|reserved_token_{n + i}|>"): n + i for i in range(N_SPECIAL)}
        self.enc = tiktoken.Encoding("demo", pat_str=PAT, mergeable_ranks=ranks, special_tokens=self.special)
        self.vocab = n + N_SPECIAL
        self.cache = {}
        for k in (
            "<|im_end|>",
            "<|im_user|>",
            "<|im_assistant|>",
            "<|im_system|>",
            "<|im_middle|>",
            "<|media_begin|>",
            "<|media_content|>",
            "<|media_pad|>",
            "<|media_end|>",
            "<think>",
            "</think>",
            "<|tool_calls_section_begin|>",
            "<|tool_calls_section_end|>",
            "<|tool_call_begin|>",
            "<|tool_call_argument_begin|>",
            "<|tool_call_end|>",
            "[PAD]",
            "[EOS]",
        ):
            setattr(self, k.strip("<|>[]").replace("/", "end_"), self.special[k])

    def __call__(self, text):
        r = self.cache.get(text)
        if r is None:
            r = self.enc.encode_ordinary(text)
            if len(self.cache) < 200000:
                self.cache[text] = r
        return r

    def decode(self, ids):
        return self.enc.decode(ids)


def stamp(ms):
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"


def layout(tok, sample, media_tokens, rng=None, ts=None, prompt_only=False):
    """-> ids, supervised flags, kinds per token (index into ability list or -1).
    media_tokens[k]: list of placeholder counts, one per image / per video chunk."""
    from talk import tools_to_ts

    ids, sup = [], []

    def put(x, s=0):
        ids.extend(x)
        sup.extend([s] * len(x))

    if sample["tools"]:
        put(
            [
                tok.im_system,
                *tok("tool_declare"),
                tok.im_middle,
                *tok(tools_to_ts(sample["tools"])),
                tok.im_end,
            ]
        )
    nl = True if rng is None else rng.random() < 0.85
    span = 2000 if rng is None else rng.choice([2000, 2000, rng.randint(300, 4200)])
    ms = sample["messages"]
    for i, m in enumerate(ms):
        r = m["role"]
        if r == "system":
            put([tok.im_system, *tok("system"), tok.im_middle, *tok(m["content"]), tok.im_end])
        elif r == "tool":
            nm = m["name"] if rng is None or rng.random() < 0.6 else "tool"
            put(
                [
                    tok.im_system,
                    *tok(nm),
                    tok.im_middle,
                    *tok(f"## Return of {m['tool_call_id']}\n{m['content']}"),
                    tok.im_end,
                ]
            )
        elif r == "user":
            put([tok.im_user, *tok("user"), tok.im_middle])
            text = ""
            for p in m["content"]:
                if "text" in p:
                    text += p["text"]
                    continue
                if text:
                    put(tok(text))
                    text = ""
                k = p.get("image", p.get("video"))
                word = "image" if "image" in p else "video"
                for j, n in enumerate(media_tokens[k]):
                    if word == "video":
                        put(tok(stamp(j * span)))
                    put(
                        [tok.media_begin, *tok(word), tok.media_content]
                        + [tok.media_pad] * n
                        + [tok.media_end]
                    )
                text = "\n" if nl else ""
            put(tok(text))
            put([tok.im_end])
        else:
            if prompt_only and i == len(ms) - 1:
                put([tok.im_assistant, *tok("assistant"), tok.im_middle, tok.think])
                if not sample["thinking"]:
                    put([tok.end_think])
                break
            put([tok.im_assistant, *tok("assistant"), tok.im_middle, tok.think])
            if m.get("think"):
                put(tok(m["think"]), 1)
                put([tok.end_think], 1)
            else:
                put([tok.end_think], 0)
            put(tok(m["content"]), 1)
            if m.get("tool_calls"):
                put([tok.tool_calls_section_begin], 1)
                for c in m["tool_calls"]:
                    put(
                        [
                            tok.tool_call_begin,
                            *tok(c["id"]),
                            tok.tool_call_argument_begin,
                            *tok(c["function"]["arguments"]),
                            tok.tool_call_end,
                        ],
                        1,
                    )
                put([tok.tool_calls_section_end], 1)
            put([tok.im_end], 1)
    return ids, sup


def build_tokenizer(path, merges=1200, n=12000):
    from talk import (
        image_talk,
        multi_talk,
        multi_pair,
        clip_talk,
        text_talk,
        tool_talk,
        with_system,
        tools_to_ts,
        random_text,
        FACTS,
        MONTHS,
        DAYS,
        CITIES,
        SYSTEMS,
    )
    from scenes import random_scene, random_clip, WORDS

    rng = random.Random(11)
    texts = []
    for i in range(n):
        k = rng.random()
        if k < 0.35:
            s = image_talk(
                rng, random_scene(rng, 140, 140, text=random_text(rng) if rng.random() < 0.2 else None)
            )
        elif k < 0.45:
            s = multi_talk(rng, *multi_pair(rng, (8, 8)))
        elif k < 0.5:
            s = clip_talk(rng, random_clip_meta(rng))
        elif k < 0.8:
            s = text_talk(rng)
        else:
            s = tool_talk(rng)
            texts.append(tools_to_ts(s["tools"]))
        for m in s["messages"]:
            texts += (
                [m["content"]]
                if isinstance(m["content"], str)
                else [p["text"] for p in m["content"] if "text" in p]
            )
            if m.get("think"):
                texts.append(m["think"])
            if m["role"] == "tool":
                texts.append(f"## Return of {m['tool_call_id']}\n{m['content']}")
            for c in m.get("tool_calls", []):
                texts += [c["id"], c["function"]["arguments"]]
    for q, a in FACTS:
        texts += q * 30 + [a] * 30
    texts += ["system", "user", "assistant", "tool_declare", "image", "video", *SYSTEMS] * 50
    ranks = train_bpe(texts, merges)
    with open(path, "wb") as f:
        for b, r in sorted(ranks.items(), key=lambda x: x[1]):
            f.write(base64.b64encode(b) + b" " + str(r).encode() + b"\n")
    return len(ranks)


def random_clip_meta(rng):
    from scenes import SHAPES, CNAMES, DIRS

    o = [{"shape": a, "color": b} for a, b in zip(rng.sample(SHAPES, 2), rng.sample(CNAMES, 2))]
    acts = rng.choices(["move", "color", "grow", "shrink", "appear", "vanish"], k=2)
    e = [
        {"act": a, "obj": i, "dir": rng.choice(list(DIRS)), "to": rng.choice(CNAMES), "span": (0, 1)}
        for i, a in enumerate(acts)
    ]
    return {"back": "white", "objs": o, "events": e, "chunks": 2, "sequential": True}


if __name__ == "__main__":
    import sys, time

    t = time.time()
    print(build_tokenizer(sys.argv[1]), "ranks", time.time() - t, "s")
