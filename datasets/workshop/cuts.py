"""Cuts for the reader, straight from drawn decks: one card, its surroundings, light and camera.

A whole scene costs a second; a cut costs a few milliseconds, so that the reader can meet
thousands of decks. The cut itself is made by the runtime's own :func:`cut_card`, round a quad that
is off by what a detector's oriented rectangle is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.corners import as_quad
from companion.vision.cut import cut_card
from companion.vision.values import Image
from datasets.workshop.lamps import Lamps, shine
from datasets.workshop.lens import Sensor, expose, project
from datasets.workshop.tables import TableTop

Matrix: TypeAlias = npt.NDArray[np.float64]

CUT_PX = (96, 128)
"""Width and height of a cut."""

CLOSE_PX = (192, 256)
"""Width and height of a cut for the closer look."""

MARGIN = 0.08
"""How much more than the card a cut shows on each side, as a share of the card."""

_FINE_FROM_PX = 70
"""Smaller cards are drawn at twice the size, so that their edges are smooth."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One made cut.

    Attributes:
        bgr: uint8 array of shape (128, 96, 3), or (256, 192, 3) for a closer look.
        text: the card's text, or ``stranger``.
        visible: share of the card that is in sight, 0-1.
        short_side_px: size of the card in the picture that the cut was made from.
    """

    bgr: Image
    text: str
    visible: float
    short_side_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """What one cut is made of.

    Attributes:
        face: RGBA picture (h, w, 4) of the card to be read.
        text: its text.
        others: RGBA pictures of cards that may lie under, beside and upon it.
        table: the surface.
    """

    face: Image
    text: str
    others: Sequence[Image]
    table: TableTop


@dataclass(frozen=True, slots=True)
class Cover:
    """How cards lie upon the one to be read.

    Attributes:
        share: how often one does.
        second: how often a second one does, where one does.
        far: nearest and farthest that its middle lies from the card's, in short sides.
        fingers: how often a finger lies on the card.
    """

    share: float
    second: float
    far: tuple[float, float]
    fingers: float


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a cut is, and how large the cards that are cut.

    Attributes:
        cut_px: width and height of the cut.
        card_px: smallest and largest short side of a card in its picture.
    """

    cut_px: tuple[int, int]
    card_px: tuple[float, float]


PLAIN = Sizes(CUT_PX, (18.0, 150.0))
CLOSE = Sizes(CLOSE_PX, (44.0, 240.0))

IN_SIGHT = Cover(0.3, 0.0, (0.65, 1.25), 0.08)
HALF_COVERED = Cover(0.9, 0.25, (0.48, 1.05), 0.08)


def make_cut(
    sitting: Sitting, rng: np.random.Generator, cover: Cover = IN_SIGHT, sizes: Sizes = PLAIN
) -> Cut:
    """Lay the card down, put others round it, light it, look at it and cut it out."""
    size_px = float(np.exp(rng.uniform(*np.log(sizes.card_px))))
    finer = 2 if size_px < _FINE_FROM_PX else 1
    heading = rng.uniform(0, 2 * np.pi)
    view = _view(size_px * finer, rng)
    quad = project(view, _placed(sitting.face, heading, np.zeros(2)))
    bgr, gloss = _lay_table(sitting.table, view, rng)
    for _ in range(int(rng.choice(4, p=(0.5, 0.25, 0.15, 0.1)))):
        other = _any(sitting.others, rng)
        _lay(bgr, gloss, other, project(view, _placed(other, *_beside(heading, rng))))
    seen = _lay(bgr, gloss, sitting.face, quad)
    whole = max(1.0, float(seen.sum()))
    if rng.random() < cover.share:
        for _ in range(1 + (cover.second > 0 and rng.random() < cover.second)):
            other = _any(sitting.others, rng)
            upper = project(view, _placed(other, *_upon(heading, cover.far, rng)))
            seen = seen * (1 - _lay(bgr, gloss, other, upper))
    if rng.random() < cover.fingers:
        seen = seen * (1 - _finger(bgr, gloss, quad, rng))
    lit = _lit(bgr, gloss, rng)
    if finer > 1:
        lit = _resized(lit, 0.5)
    bgr = expose(lit, _sensor(size_px, rng), rng)
    bgr, quad = _at_edge(bgr, quad / finer, rng)
    off = as_detected(quad, rng)
    cut = cut_card(bgr, as_quad(off), sizes.cut_px, MARGIN)
    return Cut(cut, sitting.text, float(seen.sum()) / whole, size_px)


def _resized(picture: Image, factor: float) -> Image:
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _any(pictures: Sequence[Image], rng: np.random.Generator) -> Image:
    return pictures[int(rng.integers(len(pictures)))]


def _placed(face: Image, heading: float, place: Matrix) -> Matrix:
    """A card's corners on the table, in short sides, from its own top left clockwise."""
    half = face.shape[0] / face.shape[1] / 2
    card = np.array([(-0.5, -half), (0.5, -half), (0.5, half), (-0.5, half)])
    cos, sin = np.cos(heading), np.sin(heading)
    return np.asarray(card @ np.array([[cos, sin], [-sin, cos]]) + place)


def _beside(heading: float, rng: np.random.Generator) -> tuple[float, Matrix]:
    """Where a card under or beside this one lies: square with it, or any way round."""
    turn = heading + (rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi))
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.15, 1.6)
    return turn, np.array([np.cos(angle), np.sin(angle)]) * far


def _upon(
    heading: float, far_from: tuple[float, float], rng: np.random.Generator
) -> tuple[float, Matrix]:
    """Where a card upon this one lies."""
    turn = heading + (rng.normal(0, 0.1) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi))
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(*far_from)
    return turn, np.array([np.cos(angle), 1.2 * np.sin(angle)]) * far


def _view(size_px: float, rng: np.random.Generator) -> Matrix:
    """A homography from the table to a square canvas, the card in its middle."""
    tilt = np.radians(rng.uniform(0, 48)) if rng.random() < 0.6 else rng.normal(0, 0.08)
    axis, far = rng.uniform(0, 2 * np.pi), rng.uniform(4, 20)
    lean = np.array([np.cos(axis), np.sin(axis)]) * np.sin(tilt) / far
    squash = np.eye(2) - np.outer(lean, lean) / max(1e-9, lean @ lean) * (1 - np.cos(tilt))
    side = 2.0 * np.ceil(1.15 * size_px)
    view = np.eye(3)
    view[:2, :2] = squash * size_px
    view[2, :2] = lean
    return np.asarray(np.array([[1, 0, side / 2], [0, 1, side / 2], [0, 0, 1]]) @ view)


def _lay_table(
    table: TableTop, view: Matrix, rng: np.random.Generator
) -> tuple[Image, npt.NDArray[np.uint8]]:
    """The table as the camera sees it, and how much of a lamp it mirrors."""
    side = round(2 * view[0, 2])
    height, width = table.bgr.shape[:2]
    scale = float(np.exp(rng.uniform(np.log(40), np.log(220))))
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    middle = (rng.uniform(0.2, 0.8, 2) * (width, height)).astype(int)
    reach = int(1.7 * scale)
    left, top = np.maximum(0, middle - reach)
    texture = table.bgr[top : middle[1] + reach, left : middle[0] + reach]
    place = middle - (left, top)
    to_texture = np.array([[cos, -sin, place[0]], [sin, cos, place[1]], [0, 0, 1]])
    shrink = scale * 2.3 / side
    if shrink > 1.5:
        texture = _resized(texture, 1 / shrink)
        to_texture = np.diag([1 / shrink, 1 / shrink, 1]) @ to_texture
    to_canvas = view @ np.linalg.inv(to_texture)
    bgr = cv2.warpPerspective(texture, to_canvas, (side, side), borderMode=cv2.BORDER_REFLECT)
    gloss = np.full((side, side), round(min(1.0, table.gloss) * 255), np.uint8)
    return np.asarray(bgr, np.uint8), gloss


def _lay(
    bgr: Image, gloss: npt.NDArray[np.uint8], face: Image, quad: Matrix
) -> npt.NDArray[np.float32]:
    """Lay an RGBA card on the picture, with the shadow at its foot; its coverage (h, w), 0-1."""
    side = bgr.shape[0]
    short = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    shrink = min(1.0, 1.25 * max(short, side / 4) / face.shape[1])
    small = face
    if shrink < 0.9:
        small = _resized(face, shrink)
    h, w = small.shape[:2]
    corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    seen = cv2.warpPerspective(small, warp, (side, side), flags=cv2.INTER_LINEAR)
    alpha = seen[..., 3].astype(np.float32) / 255
    reach = round(0.1 * short) + 2
    low = np.clip(quad.min(axis=0).astype(int) - reach, 0, side - 1)
    high = np.clip(quad.max(axis=0).astype(int) + reach, low + 1, side)
    part = slice(low[1], high[1]), slice(low[0], high[0])
    cover = alpha[part]
    shade = cv2.GaussianBlur(cover, (0, 0), max(0.5, 0.025 * short)) * 0.45
    under = bgr[part] * (1 - shade * (1 - cover))[..., None]
    mixed = under * (1 - cover[..., None]) + seen[part][..., 2::-1] * cover[..., None]
    bgr[part] = mixed.astype(np.uint8)
    gloss[part] = (gloss[part] * (1 - cover) + 150 * cover).astype(np.uint8)
    return np.asarray(alpha, np.float32)


def _finger(
    bgr: Image, gloss: npt.NDArray[np.uint8], quad: Matrix, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """A finger that comes in over one edge of the card; its coverage (h, w), 0-1."""
    side = bgr.shape[0]
    middle = quad.mean(axis=0)
    corner = quad[int(rng.integers(4))]
    tip = middle + (corner - middle) * rng.uniform(0.45, 1.0)
    root = middle + (corner - middle) * 4 + rng.normal(0, side / 6, 2)
    thick = max(2, round(rng.uniform(0.2, 0.45) * side / 2.3))
    mask = np.zeros((side, side), np.uint8)
    cv2.line(mask, tip.astype(int).tolist(), root.astype(int).tolist(), 255, thick, cv2.LINE_AA)
    tone = rng.uniform(0.35, 1.0)
    skin = np.array([150, 175, 225]) * tone + rng.normal(0, 8, 3)
    cover = mask.astype(np.float32) / 255
    core = cv2.GaussianBlur(cover, (0, 0), thick / 4)
    colour = np.clip(skin * (0.6 + 0.45 * core[..., None]), 0, 255)
    bgr[:] = (bgr * (1 - cover[..., None]) + colour * cover[..., None]).astype(np.uint8)
    gloss[:] = (gloss * (1 - cover)).astype(np.uint8)
    return np.asarray(cover, np.float32)


def _lit(bgr: Image, gloss: npt.NDArray[np.uint8], rng: np.random.Generator) -> Image:
    """The picture under a random light, with the veil that glare lays over whole cards."""
    first = float(np.exp(rng.uniform(np.log(2600), np.log(7200))))
    second = (
        float(np.exp(rng.uniform(np.log(2600), np.log(7200)))) if rng.random() < 0.12 else first
    )
    lamps = Lamps(
        kelvin=(first, second),
        exposure=float(np.exp(rng.normal(-0.25, 0.42))),
        cast=float(rng.uniform(-0.25, 0.75)),
        falloff=float(rng.uniform(0, 0.5)),
        vignette=0.0,
        hard_shadow=float(rng.uniform(0.25, 0.75)) if rng.random() < 0.25 else 0.0,
        glare=float(rng.uniform(0.2, 1.4)) if rng.random() < 0.2 else 0.0,
        saturation=float(np.exp(rng.normal(0.05, 0.22))),
    )
    lit = shine(bgr, gloss, lamps, rng)
    if rng.random() < 0.15:
        veil = rng.uniform(0.05, 0.5)
        lit = np.asarray(lit * (1 - veil) + 255 * veil * rng.uniform(0.6, 1.0), np.float32)
        lit = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        curve = (np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.25)) * 255).astype(np.uint8)
        lit = np.asarray(cv2.LUT(lit, curve), np.uint8)
    return lit


def _sensor(size_px: float, rng: np.random.Generator) -> Sensor:
    """A random camera; blur grows with the card, so that small cards stay readable at all."""
    small = min(1.0, size_px / 60)
    return Sensor(
        blur_px=float(rng.uniform(0, 1.6)) * small if rng.random() < 0.6 else 0.0,
        shake_px=float(rng.uniform(1, 6)) * small if rng.random() < 0.12 else 0.0,
        resample=float(rng.uniform(0.5, 1)) if size_px > 50 and rng.random() < 0.3 else 1.0,
        noise=float(abs(rng.normal(0, 6))) if rng.random() < 0.7 else 0.0,
        sharpen=float(rng.uniform(0, 1.2)) if rng.random() < 0.35 else 0.0,
        jpeg=int(rng.integers(35, 97)) if rng.random() < 0.7 else 0,
    )


def _at_edge(bgr: Image, quad: Matrix, rng: np.random.Generator) -> tuple[Image, Matrix]:
    """Now and then, let the picture's edge cut a corner of the card off."""
    if rng.random() > 0.04:
        return bgr, quad
    left, top = np.maximum(0, quad.min(axis=0) + rng.uniform(-2, 0.2, 2) * np.ptp(quad, axis=0) / 2)
    return bgr[int(top) :, int(left) :].copy(), quad - (int(left), int(top))


def as_detected(quad: Matrix, rng: np.random.Generator) -> Matrix:
    """The quad as a detector would give it: an oriented rectangle, a little off, heading lost."""
    spread = 2.0 if rng.random() < 0.12 else 1.0
    if rng.random() < 0.3:
        width = np.linalg.norm(quad[1] - quad[0])
        off = quad + rng.normal(0, 0.02 * spread, (4, 2)) * width
        return np.asarray(np.roll(off, int(rng.integers(4)), axis=0))
    middle, size, turn_deg = cv2.minAreaRect(quad.astype(np.float32))
    grown = np.array(size) * np.exp(rng.normal(0.0, 0.035 * spread, 2))
    moved = np.array(middle) + rng.normal(0, 0.022 * spread, 2) * min(size)
    box = (tuple(moved.tolist()), tuple(grown.tolist()), turn_deg + rng.normal(0, 1.8 * spread))
    return np.asarray(np.roll(cv2.boxPoints(box), int(rng.integers(4)), axis=0), np.float64)
