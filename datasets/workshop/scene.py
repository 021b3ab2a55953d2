"""One made picture: table, things, cards, hands, then lamps, lens and sensor, with its labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from companion.rules.cards import (
    TARGETS,
    VALUES,
    BlueSeven,
    Card,
    Colour,
    Face,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
)
from companion.vision.values import Image

from .canvas import MARGIN, Canvas, Spot, bend, shrink
from .clutter import draw_thing
from .deck import draw_deck
from .hands import SIZE, THUMB_SIZE, TIP, draw_hand, draw_skin, draw_thumb
from .labels import STRANGER, Label, Picture, Slice
from .lamps import Lamps, shine
from .lens import Barrel, Camera, Matrix, Pose, Sensor, blur_far, expose
from .recipe import Recipe
from .spread import WAYS, Wish, any_point, arrange
from .strangers import STRANGERS, draw_stranger
from .tables import TableTop, draw_table

_TARGET_FACES: tuple[Card, ...] = tuple(TargetBack(target) for target in TARGETS)
_TWEAK_FACES: tuple[Card, ...] = tuple(TweakCard(kind) for kind in Tweak)
_NUMBER_FACES: tuple[Card, ...] = tuple(NumberCard(c, v) for c in Colour for v in VALUES)


class DeckFaces(Protocol):
    """A drawn deck: every card's picture."""

    def face(self, card: Card) -> Image:
        """RGBA uint8 (height, width, 4), rounded corners in alpha."""
        ...


class Art(Protocol):
    """Where decks and strangers come from."""

    def deck(self, seed: int, split: str) -> DeckFaces:
        """The deck of this number."""
        ...

    def stranger(self, rng: np.random.Generator, split: str) -> tuple[Image, Face]:
        """A card that is none of ours, and the side that it most resembles."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A card on the canvas: its number in the map, what it is, where, and its drawn area."""

    number: int
    card: str
    face: Face
    quad: Matrix


@dataclass(slots=True, eq=False)
class Stage:
    """One picture in the making."""

    recipe: Recipe
    rng: np.random.Generator
    canvas: Canvas
    deck: DeckFaces
    art: Art
    card_px: float
    light_from: tuple[float, float]
    laid: list[Laid] = field(default_factory=list)

    @property
    def aspect(self) -> float:
        """Height of this deck's cards in widths."""
        height, width = self.deck.face(BlueSeven()).shape[:2]
        return float(height / width)


def make_scene(recipe: Recipe, index: int, art: Art | None = None) -> Picture:
    """Make picture ``index`` of a recipe; nothing but (seed, index) decides what it shows."""
    rng = np.random.default_rng([recipe.seed, index])
    art = art or drawn_art()
    deck_seed = recipe.seed * 100_000 + index // recipe.pictures_a_deck
    width_px, height_px = _frame_size(rng, recipe)
    count, pose = _pose(rng, recipe, min(width_px, height_px), width_px * height_px)
    camera = Camera.over(width_px, height_px, pose)
    table = draw_table(rng, recipe.split)
    canvas = Canvas(_spread_table(rng, table, camera, pose.card_px), table.gloss, camera)
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.005, 0.05) * pose.card_px
    stage = Stage(
        recipe=recipe,
        rng=rng,
        canvas=canvas,
        deck=art.deck(deck_seed, recipe.split),
        art=art,
        card_px=pose.card_px,
        light_from=(float(reach * np.cos(angle)), float(reach * np.sin(angle))),
    )
    hand = rng.random() < recipe.hand
    held = hand and count in (1, 2) and rng.random() < 0.6
    _strew(stage, count - held)
    if held:
        _hold(stage)
    elif hand:
        _reach_in(stage)
    return _photograph(stage, {"table": table.name, "tilt": round(pose.tilt_deg), "hand": hand})


class _DrawnArt:
    """Decks drawn by the workshop; the last few are kept, since neighbours share them."""

    def __init__(self) -> None:
        self._keep = lru_cache(maxsize=3)(draw_deck)

    def deck(self, seed: int, split: str) -> DeckFaces:
        return self._keep(seed, split)

    def stranger(self, rng: np.random.Generator, split: str) -> tuple[Image, Face]:
        seed = int(rng.integers(2**32))
        names = list(STRANGERS)
        shares = np.array([STRANGERS[name][1] for name in names])
        # The kind is the first thing that draw_stranger draws, so that a twin draws it too.
        kind = names[int(np.random.default_rng(seed).choice(len(names), p=shares / shares.sum()))]
        face = Face.TWEAK_BACK if kind == "back" else Face.NUMBER
        return draw_stranger(np.random.default_rng(seed), split), face


@lru_cache(maxsize=1)
def drawn_art() -> Art:
    """The workshop's own decks and strangers."""
    return _DrawnArt()


def _frame_size(rng: np.random.Generator, recipe: Recipe) -> tuple[int, int]:
    weights = np.array([weight for _, _, weight in recipe.sizes])
    width, height, _ = recipe.sizes[int(rng.choice(len(weights), p=weights / weights.sum()))]
    return width, height


def _pose(rng: np.random.Generator, recipe: Recipe, side_px: int, area_px: int) -> tuple[int, Pose]:
    """How many cards, and a camera near enough that they fill the picture but fit in."""
    fewest, most = recipe.cards
    if rng.random() < 0.25:
        count = int(rng.integers(fewest, min(most, max(fewest, 2)) + 1))
    else:
        count = int(rng.integers(max(1, fewest), most + 1))
    room = (0.6 if count <= 2 else 0.42) * area_px / (1.4 * max(1, count))
    low, high = (px * side_px / 720 for px in recipe.card_px)
    high = max(low, min(high, float(np.sqrt(room))))
    low = max(low, 0.35 * high) if rng.random() < 0.75 else low
    return count, Pose(
        card_px=float(np.exp(rng.uniform(np.log(low), np.log(high)))),
        tilt_deg=float(rng.uniform(*recipe.tilt_deg) * rng.choice((0.4, 1.0))),
        roll_deg=float(rng.normal(0, 7) if rng.random() < 0.85 else rng.uniform(0, 360)),
        zoom=float(rng.uniform(0.75, 1.5)),
    )


def _spread_table(
    rng: np.random.Generator, table: TableTop, camera: Camera, card_px: float
) -> Image:
    """The table's texture as the camera sees it."""
    height, width = table.bgr.shape[:2]
    scale = card_px * rng.uniform(0.8, 1.6)
    turn = rng.choice((0.0, 90.0)) + rng.normal(0, 15)
    cos, sin = scale * np.cos(np.radians(turn)), scale * np.sin(np.radians(turn))
    to_texture = np.array([[cos, -sin, width / 2], [sin, cos, height / 2], [0, 0, 1]])
    to_px = camera.plane(0.0) @ np.linalg.inv(to_texture)
    seen = cv2.warpPerspective(
        table.bgr, to_px, (camera.width_px, camera.height_px), borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, np.uint8)


def _strew(stage: Stage, count: int) -> None:
    """Lay things and cards: things, stacks, cards, and small things partly over cards."""
    rng, recipe = stage.rng, stage.recipe
    cluttered = rng.random() < recipe.clutter
    for _ in range(int(rng.integers(1, 6)) if cluttered else 0):
        _put_thing(stage, small=False)
    stacks = min(count, int(rng.integers(1, 3))) if count > 2 and rng.random() < 0.4 else 0
    way = "scatter" if rng.random() < 0.5 else WAYS[int(rng.integers(len(WAYS)))]
    overlap = 0.0 if rng.random() < 0.5 else float(rng.uniform(0, recipe.overlap))
    spots = arrange(rng, stage.canvas.camera, Wish(count, way, overlap, stage.aspect))
    foreign = rng.random() < 0.04
    for number, spot in enumerate(spots):
        if number < stacks:
            _put_stack(stage, spot)
        else:
            put_card(stage, spot, *_any_card(stage, foreign))
    for _ in range(int(rng.integers(1, 3)) if cluttered and rng.random() < 0.25 else 0):
        _put_thing(stage, small=True)


def _any_card(stage: Stage, all_strangers: bool) -> tuple[Card | None, Image, Face]:
    rng = stage.rng
    if all_strangers or rng.random() < stage.recipe.strangers:
        rgba, face = stage.art.stranger(rng, stage.recipe.split)
        return None, rgba, face
    kind = rng.random()
    if kind < 0.7:
        card = _NUMBER_FACES[int(rng.integers(len(_NUMBER_FACES)))]
    elif kind < 0.83:
        card = _TARGET_FACES[int(rng.integers(len(_TARGET_FACES)))]
    elif kind < 0.93:
        card = _TWEAK_FACES[int(rng.integers(len(_TWEAK_FACES)))]
    else:
        card = TweakBack() if kind < 0.97 else BlueSeven()
    return card, stage.deck.face(card), card.face


def put_card(stage: Stage, spot: Spot, card: Card | None, rgba: Image, face: Face) -> None:
    """Lay one card with its contact shadow, perhaps slightly bent, and note it."""
    rng, canvas = stage.rng, stage.canvas
    height, width = rgba.shape[:2]
    size = (1.0, height / width)
    quad = canvas.quad_px(spot, size)
    lift = rng.uniform(0.3, 1.5)
    shift = (stage.light_from[0] * lift, stage.light_from[1] * lift)
    canvas.shade(quad, shift, stage.card_px * rng.uniform(0.006, 0.04), rng.uniform(0.3, 0.8))
    number = len(stage.laid) + 1
    gloss = float(rng.uniform(0, 1))
    if rng.random() < 0.4:
        card_rgba = shrink(rgba, quad)
        rim = 2 * round(MARGIN * card_rgba.shape[1]) / card_rgba.shape[1]
        bowed = bend(card_rgba, float(rng.normal(0, 0.012)))
        canvas.lay(bowed, spot, (1 + rim, size[1] + rim), (number, gloss))
    else:
        canvas.lay(rgba, spot, size, (number, gloss))
    stage.laid.append(Laid(number, str(card) if card else STRANGER, face, quad))


def _put_stack(stage: Stage, spot: Spot) -> None:
    """A deck: edges of cards upwards, each a little off, and a card on top."""
    rng, canvas = stage.rng, stage.canvas
    back = rng.random()
    if back < 0.6:
        card: Card = _TARGET_FACES[int(rng.integers(len(_TARGET_FACES)))]
    elif back < 0.85:
        card = TweakBack()
    else:
        card = _NUMBER_FACES[int(rng.integers(len(_NUMBER_FACES)))]
    layers, mess = int(rng.integers(3, 22)), rng.uniform(0.002, 0.03)
    size = (1.0, stage.aspect)
    foot = canvas.quad_px(spot, size)
    reach = 0.004 * layers + 0.5
    shift = (stage.light_from[0] * (1 + reach), stage.light_from[1] * (1 + reach))
    canvas.shade(foot, shift, stage.card_px * rng.uniform(0.03, 0.08), rng.uniform(0.4, 0.9))
    bright, top = int(rng.integers(150, 235)), spot
    for layer in range(layers):
        dx, dy, turn = rng.normal(0, mess, 3)
        top = Spot(spot.x + dx, spot.y + dy, spot.turn_deg + 40 * turn, 0.012 * layer)
        grey = bright - 70 * (layer % 2)
        canvas.slab(canvas.quad_px(top, size), (grey, grey, grey))
    put_card(stage, top, card, stage.deck.face(card), card.face)


def _put_thing(stage: Stage, small: bool) -> None:
    rng, canvas = stage.rng, stage.canvas
    thing = draw_thing(rng, small)
    x, y = any_point(rng, canvas.camera, -0.05)
    spot = Spot(float(x), float(y), float(rng.uniform(0, 360)))
    if min(thing.size) > 0.6:
        blur = stage.card_px * rng.uniform(0.03, 0.1)
        canvas.shade(canvas.quad_px(spot, thing.size), stage.light_from, blur, 0.4)
    canvas.lay(thing.rgba, spot, thing.size, (-1, thing.gloss))


def _reach_in(stage: Stage) -> None:
    """One or two hands from the picture's edge; some fingers come to lie over a card."""
    rng, canvas = stage.rng, stage.canvas
    for _ in range(1 if rng.random() < 0.75 else 2):
        if stage.laid and rng.random() < 0.7:
            quad = stage.laid[int(rng.integers(len(stage.laid)))].quad
            aim = quad.mean(0) + rng.normal(0, 0.45, 2) * stage.card_px
        else:
            aim = rng.uniform(0.1, 0.9, 2) * (canvas.camera.width_px, canvas.camera.height_px)
        turn = _inwards(canvas, aim) + rng.normal(0, 25)
        put_hand(canvas, draw_hand(rng), canvas.camera.on_table(aim[None])[0], float(turn))


def _hold(stage: Stage) -> None:
    """A card held up in a hand: fingers behind it, the thumb over its rim."""
    rng, canvas = stage.rng, stage.canvas
    x, y = any_point(rng, canvas.camera, 0.3)
    turn, skin = float(rng.normal(0, 30)), draw_skin(rng)
    down = np.radians(turn + 90)
    way, rim = np.array([np.cos(down), np.sin(down)]), stage.aspect / 2
    at = np.array([x, y])
    put_hand(canvas, draw_hand(rng, skin), at + way * rng.uniform(-0.2, 0.5), turn)
    card, rgba, face = _any_card(stage, all_strangers=False)
    flip = float(rng.choice((0.0, 90.0, 180.0), p=(0.6, 0.1, 0.3)) + rng.normal(0, 6))
    put_card(stage, Spot(float(x), float(y), turn + flip, 0.0), card, rgba, face)
    side = np.array([-way[1], way[0]]) * rng.uniform(-0.4, 0.4)
    tip = at + way * (rim - rng.uniform(0.1, 0.4)) + side
    middle = tip + way * (THUMB_SIZE[1] / 2 - 0.75)
    spot = Spot(float(middle[0]), float(middle[1]), turn, 0.0)
    canvas.lay(draw_thumb(rng, skin), spot, THUMB_SIZE, (-2, 0.05))


def _inwards(canvas: Canvas, aim_px: Matrix) -> float:
    """The turn of a hand that comes in over the nearest edge, in degrees; the bottom is near."""
    x, y = aim_px / (canvas.camera.width_px, canvas.camera.height_px)
    away = {0.0: 0.6 * (1 - y), 90.0: x, 180.0: 1.4 * y, 270.0: 1 - x}
    return min(away, key=lambda turn: away[turn])


def put_hand(canvas: Canvas, rgba: Image, aim: Matrix, turn_deg: float) -> None:
    """Lay a hand whose fingertips are at ``aim`` on the table, with its shadow under it."""
    turn = np.radians(turn_deg)
    dx, dy = SIZE[0] / 2 - TIP[0], SIZE[1] / 2 - TIP[1]
    x = float(aim[0] + np.cos(turn) * dx - np.sin(turn) * dy)
    y = float(aim[1] + np.sin(turn) * dx + np.cos(turn) * dy)
    dark = np.zeros_like(rgba)
    dark[..., 3] = cv2.GaussianBlur(rgba[..., 3], (0, 0), 9) // 3
    canvas.lay(dark, Spot(x + 0.12, y + 0.12, turn_deg, 0.0), SIZE, (0, 0.0))
    canvas.lay(rgba, Spot(x, y, turn_deg, 0.25), SIZE, (-2, 0.05))


def _labels(stage: Stage, lens: Barrel | None) -> tuple[Label, ...]:
    counts = np.bincount(np.maximum(stage.canvas.ids, 0).ravel(), minlength=len(stage.laid) + 1)
    labels = []
    for laid in stage.laid:
        area = float(cv2.contourArea(laid.quad.astype(np.float32))) * 0.985
        visible = min(1.0, float(counts[laid.number]) / max(area, 1.0))
        if visible < 0.02:
            continue
        quad = lens.move(laid.quad) if lens else laid.quad
        a, b, c, d = ((float(x), float(y)) for x, y in quad)
        labels.append(Label(laid.card, laid.face, (a, b, c, d), visible))
    return tuple(labels)


def _lamps(rng: np.random.Generator, recipe: Recipe) -> Lamps:
    kelvin = float(rng.uniform(*recipe.kelvin))
    second = float(rng.uniform(*recipe.kelvin)) if rng.random() < recipe.mixed else kelvin
    dim = rng.random() < recipe.dim
    return Lamps(
        kelvin=(kelvin, second),
        exposure=float(rng.uniform(0.16, 0.45) if dim else rng.uniform(0.6, 1.5)),
        cast=float(rng.uniform(-0.3, 0.55)),
        falloff=float(rng.uniform(0, 0.55)),
        vignette=float(rng.uniform(0, 0.4)),
        hard_shadow=float(rng.uniform(0.25, 0.65)) if rng.random() < recipe.hard_shadow else 0.0,
        glare=float(rng.uniform(0.15, 0.9)) if rng.random() < recipe.glare else 0.0,
        saturation=float(rng.uniform(0.75, 1.5)),
    )


def _sensor(rng: np.random.Generator, stage: Stage, dim: bool) -> Sensor:
    rough, px = stage.recipe.roughness, stage.card_px
    if rng.random() > rough:
        return Sensor(jpeg=int(rng.integers(80, 96)))
    return Sensor(
        blur_px=float(rng.uniform(0, 0.022) * px) if rng.random() < 0.4 else 0.0,
        shake_px=float(rng.uniform(0.01, 0.06) * px) if rng.random() < 0.15 else 0.0,
        resample=float(rng.uniform(0.5, 1)) if rng.random() < 0.3 and px > 40 else 1.0,
        noise=float(rng.uniform(0, 11 if dim else 6)) if rng.random() < 0.6 else 0.0,
        sharpen=float(rng.uniform(0, 1.1)) if rng.random() < 0.4 else 0.0,
        jpeg=int(rng.integers(35, 96)) if rng.random() < 0.6 else 0,
    )


def _photograph(stage: Stage, slices: dict[str, Slice]) -> Picture:
    """Light the canvas, put it through lens and sensor, and label it."""
    rng, canvas = stage.rng, stage.canvas
    lamps = _lamps(rng, stage.recipe)
    bgr = shine(canvas.bgr, canvas.gloss, lamps, rng)
    lens = None
    if rng.random() < stage.recipe.distortion:
        height, width = bgr.shape[:2]
        lens = Barrel(float(rng.uniform(-0.06, 0.1)), width, height)
        bgr = lens.bend(bgr)
    if rng.random() < 0.15 * stage.recipe.roughness:
        bgr = blur_far(bgr, rng, float(rng.uniform(0.01, 0.035)) * stage.card_px)
    bgr = expose(bgr, _sensor(rng, stage, lamps.light == "dim"), rng)
    labels = _labels(stage, lens)
    sides = [label.short_side_px for label in labels]
    seen = slices | {
        "lamp": lamps.name,
        "light": lamps.light,
        "glare": lamps.glare > 0,
        "overlap": round(1 - min((label.visible for label in labels), default=1.0), 2),
        "card_px": round(float(np.median(sides))) if sides else 0,
        "n_cards": len(labels),
    }
    return Picture(bgr, labels, seen)
