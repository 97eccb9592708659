"""Conversations with tools: choosing one, its arguments, using its result."""

from talk_text import *

NAMES = {
    "time": ["get_time", "current_time", "get_current_time", "clock"],
    "calc": ["calculator", "calculate", "calc", "evaluate"],
    "weather": ["get_weather", "weather", "current_weather", "weather_now"],
    "note": ["save_note", "add_note", "write_note", "create_note"],
    "dice": ["roll_dice", "dice", "roll_die"],
    "random": ["random_number", "get_random"],
    "read": ["read_file", "open_file"],
}
DESC = {
    "time": ["Get the current time in a city.", "Returns the local time.", "Current time."],
    "calc": ["Evaluate an arithmetic expression.", "A calculator.", "Calculates an expression."],
    "weather": ["Get the weather in a city.", "Current weather for a city."],
    "note": ["Save a note.", "Stores a short note."],
    "dice": ["Roll a die.", "Rolls dice."],
    "random": ["Get a random number."],
    "read": ["Read a text file.", "Returns the contents of a file."],
}
PARAM = {
    "time": ["city", "location", "place"],
    "calc": ["expression", "expr", "input"],
    "weather": ["city", "location"],
    "note": ["text", "note", "content"],
    "dice": [None, "sides"],
    "random": ["max"],
    "read": ["path", "file"],
}
PDESC = {
    "city": ["City name", "The city", None],
    "location": ["Place name", None],
    "place": ["Place", None],
    "expression": ["The expression to evaluate", "For example 2+2", None],
    "expr": [None],
    "input": [None],
    "text": ["The text", None],
    "note": [None],
    "content": [None],
    "sides": ["Number of sides", None],
    "max": ["Upper limit", None],
    "path": ["File path", None],
    "file": [None],
}


def make_tool(rng, t):
    name, p = rng.choice(NAMES[t]), rng.choice(PARAM[t])
    props = {}
    if p:
        props[p] = {"type": "integer" if t in ("dice", "random") else "string"}
        d = rng.choice(PDESC[p])
        if d:
            props[p]["description"] = d
    f = {
        "name": name,
        "description": rng.choice(DESC[t]),
        "parameters": {"type": "object", "properties": props, "required": [p] if p else []},
    }
    return {"type": "function", "function": f}, name, p


def tools_to_ts(tools):
    """The TypeScript-like declaration block used by the K2.5 template (flat schemas only)."""
    out = "# Tools\n\n## functions\nnamespace functions {\n"
    for t in tools:
        f = t["function"]
        if f.get("description"):
            out += "".join(f"// {l}\n" for l in f["description"].split("\n"))
        ps = f.get("parameters", {}).get("properties", {})
        req = f.get("parameters", {}).get("required", [])
        fields = []
        for n in sorted([p for p in ps if p in req]) + sorted([p for p in ps if p not in req]):
            c = f"  // {ps[n]['description']}\n" if ps[n].get("description") else ""
            ty = {"integer": "number"}.get(ps[n]["type"], ps[n]["type"])
            fields.append(c + f"  {n}{'' if n in req else '?'}: {ty}")
        body = "{\n" + ",\n".join(fields) + "\n}" if fields else "{}"
        out += f"type {f['name']} = (_: {body}) => any;\n"
    return out + "}\n"


def tool_case(rng, t, p):
    """(question, arguments, result, answer)"""
    if t in ("time", "weather"):
        c = rng.choice(CITIES)
        if t == "time":
            v = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
            q = pick(
                rng,
                f"What time is it in {c}?",
                f"What is the time in {c}?",
                f"Tell me the time in {c}.",
                f"How late is it in {c}?",
                f"Time in {c}?",
            )
            return (
                q,
                {p: c},
                pick(rng, v, json.dumps({"time": v}), json.dumps({p: c, "time": v}), f"The time is {v}"),
                f"It is **{v}** in {c}.",
            )
        d, w = rng.randint(-5, 35), rng.choice("sunny cloudy rainy windy foggy snowy".split())
        q = pick(
            rng,
            f"What is the weather in {c}?",
            f"How is the weather in {c}?",
            f"Weather in {c}?",
            f"Tell me the weather in {c}.",
        )
        return (
            q,
            {p: c},
            pick(
                rng,
                json.dumps({"temperature": d, "condition": w}),
                f"{w}, {d} degrees",
                json.dumps({"condition": w, "temperature": d}),
            ),
            f"In {c} it is **{w}** with {d} degrees.",
        )
    if t == "calc":
        op = rng.choice("+-*/*+")
        a, b = rng.randint(2, 999), rng.randint(2, 999)
        if op == "/":
            a = b * rng.randint(2, 99)
        r = {"+": a + b, "-": a - b, "*": a * b, "/": a // b}[op]
        word = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}[op]
        q = pick(
            rng,
            f"What is {a} {op} {b}?",
            f"Calculate {a} {op} {b}.",
            f"What is {a} {word} {b}?",
            f"{a} {op} {b}",
            f"How much is {a} {word} {b}?",
        )
        return (
            q,
            {p: f"{a} {op} {b}"},
            pick(rng, str(r), json.dumps({"result": r}), f"{a} {op} {b} = {r}"),
            f"{a} {op} {b} = **{r}**",
        )
    if t == "note":
        s = pick(rng, "buy ", "call ", "find ", "read ") + rng.choice(
            "milk bread Anna Ben apples music water paper Clara books".split()
        )
        return (
            pick(rng, f"Save a note: {s}", f"Make a note: {s}", f"Write down: {s}", f"Note: {s}"),
            {p: s},
            pick(rng, "ok", "saved", '{"ok": true}'),
            f"I saved the note: *{s}*",
        )
    if t == "dice":
        v = rng.randint(1, 6)
        q = pick(rng, "Roll a die.", "Roll the dice.", "Throw a die.", "Please roll a die.")
        return (
            q,
            ({} if p is None else {p: 6}),
            pick(rng, str(v), json.dumps({"value": v}), json.dumps({"result": v})),
            f"You rolled a **{v}**.",
        )
    if t == "random":
        m = rng.choice([10, 20, 50, 100, 1000])
        v = rng.randint(1, m)
        return (
            pick(rng, f"Give me a random number up to {m}.", f"Pick a random number up to {m}."),
            {p: m},
            pick(rng, str(v), json.dumps({"value": v})),
            f"Your random number is **{v}**.",
        )
    f = rng.choice("notes todo readme list plan".split()) + rng.choice([".txt", ".md"])
    v = rng.choice(TWORDS) + " and " + rng.choice(TWORDS)
    return (
        pick(rng, f"What is in {f}?", f"Read {f}.", f"Show me {f}.", f"Open the file {f}."),
        {p: f},
        v,
        f"The file {f} says: {v}",
    )


NOTOOL = {
    "time": "get the time",
    "weather": "look up the weather",
    "note": "save notes",
    "read": "read files",
    "random": "get random numbers",
}


def tool_talk(rng, thinking=None, only=None):
    """`only`: 'call' (stop after the call), 'answer' (after the result), None (whole exchange)."""
    thinking = rng.random() < 0.35 if thinking is None else thinking
    kinds = rng.sample(list(NAMES), rng.choices([1, 2, 3, 4], [2, 4, 3, 1])[0])
    tools, use = [], {}
    for t in kinds:
        d, n, p = make_tool(rng, t)
        tools.append(d)
        use[t] = (n, p)
    ms, k = [], 0
    for i in range(1 if only else rng.choice([1, 1, 2])):
        r = rng.random()
        if r < 0.1 and not only:
            q, a, t, kind = text_question(rng)
            ms += [U(loosen(rng, q)), A(a, "smalltalk", "No tool is needed." if thinking else None)]
            if "calc" in use and kind == "arithmetic":
                ms = ms[:-2]
            continue
        if r < 0.18 and not only:
            t = rng.choice([x for x in NOTOOL if x not in use] or ["none"])
            if t != "none":
                q = tool_case(rng, t, "x")[0]
                ms += [
                    U(loosen(rng, q)),
                    A(
                        f"I don't have a tool to {NOTOOL[t]} in this chat.",
                        "no tool",
                        "No declared tool fits." if thinking else None,
                    ),
                ]
                continue
        t = rng.choice(kinds)
        n, p = use[t]
        q, args, res, ans = tool_case(rng, t, p)
        cid = f"functions.{n}:{k}"
        k += 1
        call = {
            "role": "assistant",
            "content": "",
            "kind": "tool call",
            "think": f"I need the tool {n}." if thinking else None,
            "tool_calls": [{"id": cid, "function": {"name": n, "arguments": json.dumps(args)}}],
        }
        ms += [U(loosen(rng, q) if t != "note" else q), call]
        if only == "call":
            break
        ms += [
            {"role": "tool", "tool_call_id": cid, "name": n, "content": res},
            A(ans, "tool answer", "The tool has answered." if thinking else None),
        ]
    if not ms:
        return tool_talk(rng, thinking, only)
    lastu = max(i for i, m in enumerate(ms) if m["role"] == "user")
    for m in ms[:lastu]:  # the template drops the thoughts of finished turns
        if m["role"] == "assistant":
            m["think"] = None
    return {"messages": ms, "tools": tools, "thinking": thinking, "media": []}
