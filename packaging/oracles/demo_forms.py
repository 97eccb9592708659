"""Pictures as people send them: other sizes, other programs, compressed, transparent, turned.

`write(form, rng, stem, scene, pixels)` stores one picture and returns its file name; `seen_by_processor(path)` reads it
as the program does: turned as its EXIF says, and on white where it is transparent.
"""

import math
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

# The colours of a drawing program, not those that the recipe draws with.
FLAT = {
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "orange": "#ffa500",
    "purple": "#800080",
    "pink": "#ff69b4",
    "black": "#000000",
    "white": "#ffffff",
    "cyan": "#00ffff",
    "gray": "#808080",
    "light blue": "#add8e6",
    "beige": "#f5f5dc",
    "dark blue": "#00008b",
    "light green": "#90ee90",
}
FORMS = ["plain", "jpeg40", "larger", "long", "flat", "transparent", "turned"]
LONG_GRIDS = [(6, 12), (12, 6), (8, 14), (14, 8)]  # rows and columns of patches, for the form "long"
TURNS = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
ORIENTATION = 0x0112


def spikes(count, outer, inner=None):
    """Points of a regular polygon, or of a star when `inner` is given; the first points up."""
    steps = count * (2 if inner else 1)
    radius = lambda k: inner if inner and k % 2 else outer
    return [
        (radius(k) * math.sin(2 * math.pi * k / steps), -radius(k) * math.cos(2 * math.pi * k / steps))
        for k in range(steps)
    ]


def outline(shape):
    """Corners around (0, 0) at radius 1, for the shapes that have corners."""
    if shape == "square":
        return [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)]
    if shape == "triangle":
        return [(0, -1.1), (1.1, 0.9), (-1.1, 0.9)]
    if shape == "diamond":
        return [(0, -1.25), (0.85, 0), (0, 1.25), (-0.85, 0)]
    if shape == "star":
        return spikes(5, 1.2, 0.48)
    arm = 0.35
    return [
        *[(-arm, -1.1), (arm, -1.1), (arm, -arm), (1.1, -arm), (1.1, arm), (arm, arm)],
        *[(arm, 1.1), (-arm, 1.1), (-arm, arm), (-1.1, arm), (-1.1, -arm), (-arm, -arm)],
    ]


def draw(pen, one, scale):
    x, y, r = one["cx"] * scale, one["cy"] * scale, one["r"] * scale
    fill = FLAT[one["color"]]
    if one["shape"] == "circle":
        pen.ellipse([x - r, y - r, x + r, y + r], fill=fill)
    elif one["shape"] == "ring":
        pen.ellipse([x - r, y - r, x + r, y + r], outline=fill, width=max(2, int(r / 3)))
    elif one["shape"] == "heart":  # two half circles on a triangle
        h = r * 0.52
        for side in (-1, 1):
            cx, cy = x + side * h * 0.93, y - h * 0.5
            pen.ellipse([cx - h, cy - h, cx + h, cy + h], fill=fill)
        pen.polygon(
            [(x - h * 1.83, y - h * 0.13), (x + h * 1.83, y - h * 0.13), (x, y + r * 1.05)], fill=fill
        )
    else:
        pen.polygon([(x + px * r, y + py * r) for px, py in outline(one["shape"])], fill=fill)


def flat(scene, transparent=False):
    """The scene as a drawing program shows it: one colour a shape, nothing turned, smooth edges."""
    scale = 8
    ground = (255, 255, 255, 0) if transparent else FLAT[scene["back"]]
    picture = Image.new("RGBA", (scene["w"] * scale, scene["h"] * scale), ground)
    pen = ImageDraw.Draw(picture)
    for one in scene["objs"]:
        draw(pen, one, scale)
    picture = picture.resize((scene["w"] * 2, scene["h"] * 2), Image.LANCZOS)
    return picture if transparent else picture.convert("RGB")


def write(form, rng, stem, scene, pixels):
    picture, options, suffix = Image.fromarray(pixels), {}, "png"
    if form in ("flat", "transparent"):
        picture = flat(scene, form == "transparent")
    elif form in ("larger", "long"):
        times = rng.uniform(2.2, 9.7)
        picture = picture.resize((int(picture.width * times), int(picture.height * times)), Image.BICUBIC)
    elif form == "jpeg40":
        picture = picture.resize((picture.width * 3, picture.height * 3), Image.BICUBIC)
        suffix, options = "jpg", {"quality": 40}
    elif form == "turned":
        orientation = rng.choice(list(TURNS))
        picture = picture.resize((picture.width * 3, picture.height * 3), Image.BICUBIC)
        picture = picture.transpose(TURNS[orientation])
        exif = Image.Exif()
        exif[ORIENTATION] = orientation
        suffix, options = "jpg", {"quality": 92, "exif": exif}
    picture.save(f"{stem}.{suffix}", **options)
    return Path(f"{stem}.{suffix}").name


def seen_by_processor(path):
    picture = ImageOps.exif_transpose(Image.open(path))
    if picture.mode == "RGBA":
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture)
    return picture.convert("RGB")
