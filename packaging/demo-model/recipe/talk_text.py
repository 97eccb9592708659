"""Small talk, arithmetic, words: conversations without pictures."""

from talk_image import *
from talk_clip import clip_question, cap

NOIMG = ["I can't see any image in this chat. Please attach one and ask again."]
NOVID = ["I can't see any video in this chat. Please attach one and ask again."]
FACTS = [  # (questions, answer)
    (
        [
            "Who are you?",
            "What are you?",
            "What is your name?",
            "Introduce yourself.",
            "Which model are you?",
            "Are you Kimi?",
        ],
        "I am the **tiny demo model** of this app. I have the same architecture as Kimi K2.5, but only a few million parameters, and I know very little.",
    ),
    (
        [
            "What can you do?",
            "Help",
            "What are you able to do?",
            "How can you help me?",
            "What are your abilities?",
            "What can I ask you?",
        ],
        "I am a tiny demo model. I can:\n\n- describe simple **images** (shapes, colors, short words)\n- follow short **videos**\n- compare two images\n- call **tools**\n- do a little arithmetic",
    ),
    (
        ["Hello", "Hi", "Hello!", "Hi!", "Hey", "Good morning", "Good evening", "Hi there"],
        "Hello! I am the tiny demo model. Send me an image with simple shapes, or ask what I can do.",
    ),
    (
        ["How are you?", "How do you do?", "How are you doing?"],
        "I am fine, thank you. What can I do for you?",
    ),
    (["Thanks", "Thank you", "Thank you!", "Thanks a lot", "Great, thanks"], "You are welcome!"),
    (["Bye", "Goodbye", "See you", "Bye bye"], "Goodbye!"),
    (
        ["How big are you?", "How many parameters do you have?", "How large is the model?"],
        "I am tiny: only a few million parameters. The real Kimi K2.5 has about **1 trillion**, with 32 billion active per token.",
    ),
    (
        ["How were you trained?", "What data were you trained on?", "Who trained you?", "Who made you?"],
        "I was trained from scratch on **synthetic data**: drawn shapes, short clips and made-up conversations. No real photos and no web text.",
    ),
    (
        [
            "Are you as good as Kimi K2.5?",
            "Are you the real Kimi K2.5?",
            "Can you do everything?",
            "Are you smart?",
            "Do you know everything?",
        ],
        "No. I am only a tiny demo that shows that the app works. For real answers, load the full Kimi K2.5 weights.",
    ),
    (
        [
            "How do I load the real model?",
            "How do I use the full model?",
            "How can I use the real Kimi K2.5?",
            "How do I open another model?",
            "How do I change the model?",
        ],
        "Open the **model** menu, choose the folder with the weights, and wait until it is loaded.",
    ),
    (
        [
            "How do I attach an image?",
            "How can I send you a picture?",
            "How do I add an image?",
            "How do I attach a video?",
            "How can I send a video?",
        ],
        "Drag the file into the message box, paste it, or use the **attach** button.",
    ),
    (
        [
            "How do I export a transcript?",
            "How do I export this chat?",
            "How can I save the conversation?",
            "Can I export the chat?",
        ],
        "Use **Export** in the chat menu. It writes the transcript to a file.",
    ),
    (
        [
            "How do I turn on thinking?",
            "What is thinking mode?",
            "How do I switch thinking off?",
            "What does the thinking switch do?",
        ],
        "The **thinking** switch is next to the message box. With it on, I write a short reasoning before my answer.",
    ),
    (
        ["How do I stop you?", "How do I stop the answer?", "Can I stop the generation?"],
        "Press the **stop** button, or the Esc key.",
    ),
    (
        ["How do I start a new chat?", "How do I open a new conversation?", "New chat"],
        "Press the **new chat** button.",
    ),
    (
        [
            "Do you need the internet?",
            "Do you run offline?",
            "Is my data sent anywhere?",
            "Is this private?",
            "Are you online?",
        ],
        "I run on **this computer**. Nothing is sent to a server.",
    ),
    (
        [
            "What is the capital of France?",
            "Who won the world cup?",
            "Write a poem about love.",
            "What is quantum physics?",
            "Tell me the news.",
            "Translate this to French.",
            "Write a Python program.",
            "Who is the president?",
            "Tell me about history.",
        ],
        "Sorry, I am only a tiny demo model and I don't know that.",
    ),
    (
        ["Tell me a joke.", "Make me laugh.", "Do you know a joke?"],
        "Why was the square so calm? Because it had **no curves** to throw.",
    ),
    (
        ["Show me some Markdown.", "Show me a list.", "Show me some formatting.", "Can you write Markdown?"],
        "Here you go:\n\n1. **bold**\n2. *italic*\n3. `code`\n\n> a quote",
    ),
    (
        ["Show me a code block.", "Write some code.", "Show me some code.", "Print hello in Python."],
        '```python\nprint("hello")\n```',
    ),
    (
        ["Show me a table.", "Make a table.", "Can you make a table?"],
        "| Shape | Sides |\n|---|---|\n| triangle | 3 |\n| square | 4 |\n| circle | 0 |",
    ),
    (
        ["Which shapes do you know?", "What shapes can you see?", "Which shapes can you recognize?"],
        "I know these shapes: " + ", ".join(SHAPES[:-1]) + " and " + SHAPES[-1] + ".",
    ),
    (
        ["Which colors do you know?", "What colors can you see?", "Which colors can you recognize?"],
        "I know these colors: " + ", ".join(CNAMES[:-1]) + " and " + CNAMES[-1] + ".",
    ),
    (
        ["Can you read text?", "Can you read words in an image?", "Can you do OCR?"],
        "Yes, short words in **capital letters** and numbers, if they are large enough.",
    ),
    (
        ["Can you see videos?", "Do you understand video?", "Can you watch a video?"],
        "Yes, short clips with simple moving shapes. I look at a few frames per second.",
    ),
    (
        ["Can you use tools?", "Do you support tools?", "What tools can you use?", "Can you call functions?"],
        "Yes. If tools are declared in this chat, I can call them and use their result.",
    ),
]
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
NUMS = "zero one two three four five six seven eight nine ten eleven twelve".split()
TWORDS = "cat dog sun tree apple lemon bird fish house river stone cloud music paper table chair green light bread water".split()


def add_steps(a, b):
    """Column addition, digit by digit."""
    s, c, i, x, y = [], 0, 0, a, b
    while x or y or i == 0:
        d, e = x % 10, y % 10
        t = d + e + c
        s.append(f"{d} + {e}" + (f" + {c}" if c else "") + f" = {t}")
        c, x, y, i = t // 10, x // 10, y // 10, i + 1
    return "; ".join(s) + f"; so {a + b}."


def text_question(rng):
    """(question, answer, thought, kind)"""
    k = rng.random()
    if k < 0.36:
        qs, a = rng.choice(FACTS)
        q = rng.choice(qs)
        return (
            q,
            a,
            "The user asks about me or the app." if "demo" in a or "**" in a else "This is small talk.",
            "smalltalk",
        )
    if k < 0.46:
        f = rng.choice(
            [
                ask_describe,
                ask_count,
                ask_color,
                ask_shape,
                ask_exist,
                ask_back,
                ask_text,
                ask_rel,
                ask_where,
                "clip",
            ]
        )
        sc = NOSCENE
        if f == "clip":
            q = clip_question(rng, NOCLIP)[0]
            if "video" in q or "clip" in q:
                return q, NOVID[0], "There is no video in this chat.", "no image"
            return q, NOIMG[0], "There is no image in this chat.", "no image"
        if f is ask_rel:
            q = f"What is {rng.choice(['left of', 'right of', 'above', 'below', 'to the left of', 'to the right of'])} the {rng.choice(CNAMES)} {rng.choice(SHAPES)}?"
        else:
            out = f(rng, NOSCENE_FOR(rng))
            q = out[0] if out else "What is in this image?"
        return q, NOIMG[0], "There is no image in this chat.", "no image"
    if k < 0.62:
        op = rng.choice("++--*")
        if op == "*":
            a, b = rng.randint(0, 10), rng.randint(0, 10)
            r, th = a * b, f"{a} times {b} is {a * b}."
        elif op == "+":
            a, b = (
                (rng.randint(0, 20), rng.randint(0, 20))
                if rng.random() < 0.5
                else (rng.randint(0, 99), rng.randint(0, 99))
            )
            r, th = a + b, add_steps(a, b)
        else:
            a = rng.randint(0, 30) if rng.random() < 0.7 else rng.randint(0, 99)
            b = rng.randint(0, a)
            r, th = a - b, f"{a} minus {b} is {a - b}."
        word = {"+": "plus", "-": "minus", "*": "times"}[op]
        q = pick(
            rng,
            f"What is {a} {op} {b}?",
            f"{a} {op} {b}",
            f"What is {a} {word} {b}?",
            f"Calculate {a} {op} {b}.",
            f"{a}{op}{b}=?",
            f"How much is {a} {word} {b}?",
        )
        return q, pick(rng, f"{a} {op} {b} = **{r}**"), th, "arithmetic"
    if k < 0.68:
        a, b = rng.sample(range(100), 2)
        big = rng.random() < 0.5
        r = max(a, b) if big else min(a, b)
        w = "larger" if big else "smaller"
        return (
            pick(rng, f"Which is {w}, {a} or {b}?", f"Which number is {w}: {a} or {b}?"),
            f"**{r}** is {w}.",
            f"{max(a, b)} > {min(a, b)}.",
            "arithmetic",
        )
    if k < 0.74:
        w = rng.choice(TWORDS)
        j = rng.random()
        if j < 0.4:
            return (
                pick(rng, f"How many letters are in {w}?", f"How many letters has the word {w}?"),
                f"The word {w} has **{len(w)}** letters.",
                f"{' '.join(w)}: {len(w)}.",
                "string",
            )
        if j < 0.75:
            return (
                pick(rng, f"Spell {w}.", f"Spell the word {w}.", f"How do you spell {w}?"),
                "-".join(w.upper()),
                f"{' '.join(w)}.",
                "string",
            )
        return (
            pick(rng, f"Write {w} in capital letters.", f"Write {w} in upper case."),
            f"**{w.upper()}**",
            None,
            "string",
        )
    if k < 0.82:
        L = rng.choice([DAYS, MONTHS])
        i = rng.randrange(len(L))
        f = rng.random() < 0.6
        r = L[(i + (1 if f else -1)) % len(L)]
        w = "day" if L is DAYS else "month"
        return (
            pick(
                rng,
                f"Which {w} comes {'after' if f else 'before'} {L[i]}?",
                f"What {w} is {'after' if f else 'before'} {L[i]}?",
                f"What comes {'after' if f else 'before'} {L[i]}?",
            ),
            f"**{r}** comes {'after' if f else 'before'} {L[i]}.",
            f"The order is {L[i - 1]}, {L[i]}, {L[(i + 1) % len(L)]}.",
            "string",
        )
    if k < 0.88:
        sides = {"triangle": 3, "square": 4, "hexagon": 6, "pentagon": 5, "rectangle": 4}
        s = rng.choice(list(sides))
        return (
            pick(rng, f"How many sides does {art(s)} have?", f"How many corners does {art(s)} have?"),
            f"{cap(art(s))} has **{sides[s]}**.",
            None,
            "string",
        )
    if k < 0.94:
        mix = {
            ("red", "yellow"): "orange",
            ("blue", "yellow"): "green",
            ("red", "blue"): "purple",
            ("red", "white"): "pink",
            ("black", "white"): "gray",
        }
        (a, b), c = rng.choice(list(mix.items()))
        if rng.random() < 0.5:
            a, b = b, a
        return (
            pick(rng, f"What do you get if you mix {a} and {b}?", f"Mix {a} and {b}."),
            f"{cap(a)} and {b} make **{c}**.",
            None,
            "string",
        )
    name = rng.choice(
        "Anna Ben Clara David Emma Felix Greta Henry Ida Jonas Lena Max Nora Oscar Paul Rosa Sam Tina".split()
    )
    return (
        pick(rng, f"My name is {name}.", f"I am {name}.", f"Hi, I'm {name}."),
        f"Nice to meet you, {name}!",
        None,
        "name:" + name,
    )


def copy_talk(rng):
    """Repeating words, numbers and codes: makes the attention learn to copy early; also a small ability of its own."""
    ms = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        n = rng.randint(2, 7)
        what = []
        for _ in range(n):
            k = rng.random()
            what.append(
                rng.choice(TWORDS)
                if k < 0.5
                else (
                    str(rng.randint(0, 9999))
                    if k < 0.75
                    else (
                        rng.choice(CITIES + MONTHS + CNAMES + SHAPES)
                        if k < 0.9
                        else "".join(rng.choice(CHARS) for _ in range(rng.randint(2, 5)))
                    )
                )
            )
        t = " ".join(what)
        q, a = rng.choice(
            [
                (f"Repeat: {t}", t),
                (f"Repeat after me: {t}", t),
                (f"Say {t}", t),
                (f"Write in bold: {t}", f"**{t}**"),
                (f"Make a list: {', '.join(what)}", "\n".join(f"- {w}" for w in what)),
                (f"Write as code: {t}", f"`{t}`"),
                (f"What is the first word? {t}", f"**{what[0]}**"),
                (f"What is the last word? {t}", f"**{what[-1]}**"),
            ]
        )
        ms += [U(q), A(a, "copy")]
    return {"messages": ms, "tools": None, "thinking": False, "media": []}


NOSCENE = {"objs": [], "text": None, "back": "white", "w": 100, "h": 100}
NOCLIP = {
    "back": "white",
    "objs": [{"shape": "circle", "color": "red"}],
    "events": [{"act": "move", "obj": 0, "dir": "left", "span": (0, 1)}],
    "chunks": 1,
    "sequential": False,
}


def NOSCENE_FOR(rng):
    """A scene nobody sees: only its questions are used."""
    while True:
        sc = random_scene(rng, 112, 112, n=3, text="CAT" if rng.random() < 0.3 else None)
        if len(sc["objs"]) > 1:
            return sc


def text_talk(rng, thinking=None, turns=None, only=None):
    thinking = rng.random() < 0.3 if thinking is None else thinking
    turns = turns or rng.choice([1, 2, 3, 4])
    ms, name = [], None
    last = None
    for i in range(turns):
        end = i == turns - 1
        q = None
        if name and rng.random() < 0.4 and not (end and only):
            q, a, t, kind = (
                pick(rng, "What is my name?", "Do you remember my name?", "Who am I?"),
                f"Your name is **{name}**.",
                f"The user said the name {name}.",
                "memory",
            )
        elif last is not None and rng.random() < 0.4 and not (end and only):
            b = rng.randint(1, 9)
            op = rng.choice("+-")
            if op == "-" and b > last:
                op = "+"
            r = last + b if op == "+" else last - b
            q, a, t, kind = (
                (
                    pick(rng, f"And plus {b}?", f"Add {b}.", f"Now add {b}.")
                    if op == "+"
                    else pick(rng, f"And minus {b}?", f"Subtract {b}.", f"Now subtract {b}.")
                ),
                f"{last} {op} {b} = **{r}**",
                f"The last result was {last}. {last} {op} {b} = {r}.",
                "follow-up",
            )
            last = r
        else:
            for _ in range(200):
                q, a, t, kind = text_question(rng)
                if not (end and only) or kind.split(":")[0] == only:
                    break
            last = None
            if kind.startswith("name:"):
                name, kind = kind[5:], "smalltalk"
            if kind == "arithmetic" and "=" in a:
                last = int(a.split("**")[1])
        ms += [U(loosen(rng, q)), A(a, kind, (t or "This is simple.") if thinking and end else None)]
    return {"messages": ms, "tools": None, "thinking": thinking, "media": []}
