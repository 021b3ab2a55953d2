"""More things that are no cards, for training alone: most have a card's shape, size or rim.

What the eyes invent on a table they have never met is seldom paper or a cup: it is a key of a
keyboard, a book with a picture, a case, a plain card, a patch of light. Each drawer varies its
proportions, colours and marks widely, and many draw large figures, as boxes and covers carry them.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.vision.values import Image

from .clutter import Ink, Thing, ink, rounded, sheet

_FACES = (0, 1, 2, 3, 4, 6, 7)
"""OpenCV's own typefaces."""


def draw_rich_thing(rng: np.random.Generator) -> Thing:
    """Draw one thing of those that look like a card in one way or another."""
    return _DRAWERS[int(rng.integers(len(_DRAWERS)))](rng)


def _dye(rng: np.random.Generator, low: int = 0, high: int = 256) -> Ink:
    """A random opaque colour, bright or greyish, RGBA."""
    vivid = np.array(ink(rng, low, high)[:3], np.float64)
    r, g, b = vivid + (vivid.mean() - vivid) * rng.uniform(0, 1)
    return (int(r), int(g), int(b), 255)


def _write(rgba: Image, rng: np.random.Generator, text: str, colour: Ink) -> None:
    """Write a text in some typeface anywhere on a thing, as large as fits."""
    height, width = rgba.shape[:2]
    face, thick = int(rng.choice(_FACES)), int(rng.integers(2, 9))
    (wide, high), _ = cv2.getTextSize(text, face, 1.0, 1)
    most = min(0.9 * width / max(1, wide), 0.9 * height / max(1, high))
    scale = most * float(rng.uniform(0.2, 1.0))
    x = int(rng.uniform(0.05, max(0.06, 0.95 - scale * wide / width)) * width)
    y = int(rng.uniform(min(0.95, scale * high / height + 0.03), 0.96) * height)
    cv2.putText(rgba, text, (x, y), face, scale, colour, thick, cv2.LINE_AA)


def _word(rng: np.random.Generator, letters: int) -> str:
    return "".join(chr(65 + int(rng.integers(26))) for _ in range(letters))


def _figures(rng: np.random.Generator) -> str:
    """More digits than a card shows: a lone one on a coloured sheet might well be a card."""
    return str(int(rng.integers(11, 2000)))


def _digit(rng: np.random.Generator) -> str:
    return str(int(rng.integers(0, 10)))


def _picture(rng: np.random.Generator, height: int, width: int) -> Image:
    """Something like a photograph or a painting: soft patches of a few colours, RGBA."""
    cells = int(rng.integers(3, 9))
    coarse = rng.integers(0, 256, (cells, cells, 3)).astype(np.uint8)
    mixed = cv2.addWeighted(coarse, 0.6, np.full_like(coarse, _dye(rng)[:3]), 0.4, 0)
    way = cv2.INTER_CUBIC if rng.random() < 0.8 else cv2.INTER_NEAREST
    soft = cv2.resize(mixed, (width, height), interpolation=way)
    return np.asarray(np.dstack([soft, np.full((height, width), 255, np.uint8)]), np.uint8)


def _into(rgba: Image, part: Image, rng: np.random.Generator) -> None:
    """Lay a picture somewhere into a thing, in place."""
    height, width = rgba.shape[:2]
    high, wide = (int(side * rng.uniform(0.35, 0.9)) for side in (height, width))
    y, x = int(rng.uniform(0, height - high)), int(rng.uniform(0, width - wide))
    rgba[y : y + high, x : x + wide] = cv2.resize(part, (wide, high))


def _size(rng: np.random.Generator, rgba: Image, least: float, most: float) -> tuple[float, float]:
    """Width and height in card widths, of a thing whose short side lies between two bounds."""
    height, width = rgba.shape[:2]
    short = float(np.exp(rng.uniform(np.log(least), np.log(most))))
    scale = short / min(height, width)
    return width * scale, height * scale


def _keys(rng: np.random.Generator) -> Thing:
    """Part of a keyboard, its keys with letters, from tiny to as large as a card."""
    rows, columns = int(rng.integers(2, 6)), int(rng.integers(3, 13))
    pitch, gap = 72, int(rng.integers(4, 16))
    dark = rng.random() < 0.6
    case = _dye(rng, 0, 80) if dark else _dye(rng, 120, 256)
    cap = _dye(rng, 0, 60) if dark else _dye(rng, 190, 256)
    mark: Ink = (230, 230, 230, 255) if dark else (40, 40, 45, 255)
    rgba = rounded(rows * pitch + 24, columns * pitch + 24, 10, case)
    for row in range(rows):
        for column in range(columns):
            x, y = 12 + column * pitch, 12 + row * pitch
            key = rounded(pitch - gap, pitch - gap, int(rng.integers(3, 12)), cap)
            figure = _word(rng, 1) if rng.random() < 0.7 else _digit(rng)
            at = (8, pitch - gap - 14) if rng.random() < 0.5 else (pitch // 3, pitch // 2)
            cv2.putText(key, figure, at, 0, float(rng.uniform(0.5, 1.0)), mark, 2, cv2.LINE_AA)
            _over(rgba, key, (x, y))
    key_width = float(np.exp(rng.uniform(np.log(0.3), np.log(1.3))))
    scale = key_width / (pitch - gap)
    return Thing(rgba, (rgba.shape[1] * scale, rgba.shape[0] * scale), float(rng.uniform(0, 0.5)))


def _over(rgba: Image, part: Image, at: tuple[int, int]) -> None:
    x, y = at
    spot = rgba[y : y + part.shape[0], x : x + part.shape[1]]
    drawn = part[: spot.shape[0], : spot.shape[1]]
    seen = drawn[..., 3] > 127
    spot[seen] = drawn[seen]


def _cover(rng: np.random.Generator) -> Thing:
    """A book, a magazine, a game's box: a picture, a title, a figure."""
    height, width = int(rng.integers(300, 460)), 300
    rgba = rounded(height, width, int(rng.integers(0, 14)) + 1, _dye(rng))
    for _ in range(int(rng.integers(0, 3))):
        _into(rgba, _picture(rng, 200, 200), rng)
    for _ in range(int(rng.integers(0, 4))):
        text = _figures(rng) if rng.random() < 0.4 else _word(rng, int(rng.integers(2, 8)))
        _write(rgba, rng, text, _dye(rng))
    if rng.random() < 0.4:
        rim = int(rng.integers(4, 30))
        cv2.rectangle(rgba, (rim, rim), (width - rim, height - rim), _dye(rng), max(2, rim // 3))
    return Thing(rgba, _size(rng, rgba, 0.7, 4.5), float(rng.uniform(0, 0.8)))


def _case(rng: np.random.Generator) -> Thing:
    """A dark or plain case: a wallet, a charger, a power bank, spectacles, a telephone's back."""
    height, width = int(rng.integers(220, 520)), 240
    dark = rng.random() < 0.65
    rgba = rounded(height, width, int(rng.integers(4, 60)), _dye(rng, 0, 70 if dark else 256))
    shade: Ink = _dye(rng, 0, 110)
    kind = rng.random()
    if kind < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            centre = (int(rng.integers(40, 200)), int(rng.integers(40, 120)))
            cv2.circle(rgba, centre, int(rng.integers(14, 34)), shade, -1, cv2.LINE_AA)
    elif kind < 0.55:
        rim = int(rng.integers(8, 26))
        cv2.rectangle(rgba, (rim, rim), (width - rim, height - rim), shade, 2)
    elif kind < 0.75:
        _write(rgba, rng, _word(rng, int(rng.integers(1, 6))), _dye(rng, 100, 256))
    return Thing(rgba, _size(rng, rgba, 0.5, 2.4), float(rng.uniform(0, 1)))


def _plain(rng: np.random.Generator) -> Thing:
    """A plain card, label or tile of one or two colours, with a rim or without, and no figure."""
    height, width = int(rng.integers(240, 420)), 260
    radius = int(rng.integers(1, 40))
    rgba = rounded(height, width, radius, _dye(rng, 0, 256))
    if rng.random() < 0.5:
        rim = int(rng.integers(6, 50))
        inner = rounded(height - 2 * rim, width - 2 * rim, max(1, radius - rim // 2), _dye(rng))
        _over(rgba, inner, (rim, rim))
    if rng.random() < 0.3:
        for y in range(60, height - 40, int(rng.integers(20, 44))):
            cv2.line(rgba, (24, y), (int(rng.integers(60, 236)), y), _dye(rng), 5, cv2.LINE_AA)
    return Thing(rgba, _size(rng, rgba, 0.45, 1.8), float(rng.uniform(0, 0.8)))


def _tiles(rng: np.random.Generator) -> Thing:
    """A mat, a board or a chocolate: equal tiles beside each other."""
    rows, columns = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    wide, high = 80, int(rng.integers(60, 130))
    joint = int(rng.integers(2, 14))
    rgba = sheet(rows * high + joint, columns * wide + joint, _dye(rng))
    inks = [_dye(rng) for _ in range(int(rng.integers(1, 4)))]
    for row in range(rows):
        for column in range(columns):
            x, y = joint + column * wide, joint + row * high
            colour = inks[int(rng.integers(len(inks)))]
            cv2.rectangle(rgba, (x, y), (x + wide - joint, y + high - joint), colour, -1)
            if rng.random() < 0.15:
                spot = rgba[y : y + high - joint, x : x + wide - joint]
                _write(spot, rng, _digit(rng), _dye(rng))
    tile = float(np.exp(rng.uniform(np.log(0.35), np.log(1.3)))) / wide
    return Thing(rgba, (rgba.shape[1] * tile, rgba.shape[0] * tile), float(rng.uniform(0, 0.6)))


def _print(rng: np.random.Generator) -> Thing:
    """A photograph on paper, a postcard or a stamp, with a white rim or without."""
    height, width = (300, 210) if rng.random() < 0.6 else (210, 300)
    rgba = sheet(height, width, (248, 247, 243, 255))
    rim = int(rng.integers(0, 26))
    rgba[rim : height - rim, rim : width - rim] = _picture(rng, height - 2 * rim, width - 2 * rim)
    if rng.random() < 0.25:
        _write(rgba, rng, _figures(rng), _dye(rng))
    return Thing(rgba, _size(rng, rgba, 0.5, 2.2), float(rng.uniform(0.1, 0.9)))


def _bank_card(rng: np.random.Generator) -> Thing:
    """A bank's or a member's card: rounded, broad, with a chip and digits in groups."""
    rgba = rounded(210, 333, 18, _dye(rng))
    if rng.random() < 0.4:
        _into(rgba, _picture(rng, 120, 160), rng)
    cv2.rectangle(rgba, (30, 70), (76, 108), (205, 180, 110, 255), -1)
    digits = " ".join(f"{int(rng.integers(0, 10000)):04d}" for _ in range(4))
    cv2.putText(rgba, digits, (26, 150), 0, 0.72, _dye(rng), 2, cv2.LINE_AA)
    if rng.random() < 0.6:
        _write(rgba[:60], rng, _word(rng, int(rng.integers(3, 7))), _dye(rng))
    return Thing(rgba, _size(rng, rgba, 0.8, 1.1), float(rng.uniform(0.2, 0.9)))


def _domino(rng: np.random.Generator) -> Thing:
    """A domino or a die."""
    halves = 2 if rng.random() < 0.6 else 1
    light = rng.random() < 0.6
    body: Ink = (240, 236, 225, 255) if light else _dye(rng, 0, 90)
    pip: Ink = _dye(rng, 0, 70) if light else (240, 240, 235, 255)
    rgba = rounded(120 * halves, 120, 14, body)
    spots = [(x, y) for x in (28, 60, 92) for y in (28, 60, 92)]
    for half in range(halves):
        for place in rng.permutation(9)[: int(rng.integers(0, 7))]:
            x, y = spots[int(place)]
            cv2.circle(rgba, (x, y + 120 * half), 11, pip, -1, cv2.LINE_AA)
    if halves == 2:
        cv2.line(rgba, (10, 120), (110, 120), pip, 3)
    return Thing(rgba, _size(rng, rgba, 0.25, 0.8), float(rng.uniform(0, 0.7)))


def _remote(rng: np.random.Generator) -> Thing:
    """A remote control or a calculator."""
    height, width = int(rng.integers(300, 640)), 200
    rgba = rounded(height, width, int(rng.integers(8, 50)), _dye(rng, 0, 110))
    top = 30
    if rng.random() < 0.5:
        cv2.rectangle(rgba, (20, 24), (180, 84), (150, 165, 140, 255), -1)
        cv2.putText(rgba, _figures(rng), (90, 74), 0, 1.4, (30, 35, 30, 255), 3, cv2.LINE_AA)
        top = 104
    key, mark = _dye(rng, 40, 220), _dye(rng, 0, 256)
    for y in range(top, height - 40, 44):
        for x in range(20, 160, 46):
            cv2.rectangle(rgba, (x, y), (x + 34, y + 30), key, -1)
            cv2.putText(rgba, _digit(rng), (x + 8, y + 24), 0, 0.7, mark, 2, cv2.LINE_AA)
    return Thing(rgba, _size(rng, rgba, 0.7, 1.5), float(rng.uniform(0, 0.6)))


def _packet(rng: np.random.Generator) -> Thing:
    """A packet of sweets, a tin, a sachet: bright, creased, with large letters."""
    height, width = int(rng.integers(240, 420)), int(rng.integers(200, 420))
    rgba = rounded(height, width, int(rng.integers(2, 70)), _dye(rng))
    top = int(rng.uniform(0.2, 0.8) * height)
    seen = rgba[:top, :, 3] > 0
    rgba[:top][seen] = _dye(rng)
    _write(rgba, rng, _word(rng, int(rng.integers(2, 7))), _dye(rng))
    if rng.random() < 0.5:
        middle = (int(rng.uniform(0.3, 0.7) * width), int(rng.uniform(0.3, 0.7) * height))
        axes = (int(rng.integers(20, 90)), int(rng.integers(20, 90)))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(rgba, middle, axes, turn, 0, 360, _dye(rng), int(rng.choice((-1, 6, 12))), 16)
    crease = rng.normal(0, 26, (6, 6)).astype(np.float32)
    soft = cv2.resize(crease, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    rgba[..., :3] = np.clip(rgba[..., :3] + soft, 0, 255).astype(np.uint8)
    return Thing(rgba, _size(rng, rgba, 0.6, 3.0), float(rng.uniform(0.2, 1)))


def _light(rng: np.random.Generator) -> Thing:
    """A patch of light through a window, or the shadow of something straight: half transparent."""
    height, width = int(rng.integers(200, 420)), int(rng.integers(140, 320))
    bright = rng.random() < 0.5
    colour: Ink = (255, 250, 235, 255) if bright else (8, 8, 12, 255)
    rgba = sheet(height, width, colour)
    rgba[..., 3] = int(rng.integers(40, 150))
    soft = int(rng.integers(1, 16)) * 2 + 1
    framed = cv2.copyMakeBorder(rgba[..., 3], soft, soft, soft, soft, cv2.BORDER_CONSTANT, value=0)
    alpha = cv2.GaussianBlur(framed, (soft, soft), 0)
    patch = sheet(alpha.shape[0], alpha.shape[1], colour)
    patch[..., 3] = alpha
    return Thing(patch, _size(rng, patch, 0.6, 3.0), 0.0)


def _squared(rng: np.random.Generator) -> Thing:
    """A squared or ruled notebook, a calendar, a puzzle of numbers."""
    rgba = rounded(420, 300, int(rng.integers(1, 20)), _dye(rng, 190, 256))
    step, line, pen = int(rng.integers(18, 70)), _dye(rng, 60, 200), _dye(rng, 0, 120)
    for at in range(step, 420, step):
        cv2.line(rgba, (0, at), (299, at), line, 1 + step // 30)
        if at < 300:
            cv2.line(rgba, (at, 0), (at, 419), line, 1 + step // 30)
    for y in range(step, 400, step):
        for x in range(0, 280, step):
            if step > 26 and rng.random() < 0.5:
                spot = (x + 5, y - 5)
                cv2.putText(rgba, _figures(rng)[:2], spot, 0, step / 60, pen, 2, cv2.LINE_AA)
    return Thing(rgba, _size(rng, rgba, 0.9, 3.6), 0.05)


_DRAWERS: tuple[Callable[[np.random.Generator], Thing], ...] = (
    _keys, _keys, _cover, _cover, _case, _case, _plain, _plain, _tiles, _print, _bank_card,
    _domino, _remote, _packet, _light, _squared,
)  # fmt: skip
