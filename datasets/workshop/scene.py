"""One made picture: table, things, cards, hands, then lamps, lens and sensor, with its labels."""

from __future__ import annotations

import cv2
import numpy as np

from companion.rules.cards import Card, TweakBack
from companion.vision.values import Image

from .canvas import Canvas, Spot
from .clutter import draw_thing
from .clutter_rich import draw_rich_thing
from .labels import Picture
from .lens import Camera, Pose
from .photograph import photograph
from .reach import hold, reach_in
from .recipe import Recipe
from .spread import WAYS, Wish, any_point, arrange
from .stage import (
    NUMBER_FACES,
    TARGET_FACES,
    Art,
    Stage,
    any_card,
    drawn,
    drawn_art,
    put_card,
)
from .tables import TableTop, draw_table


def make_scene(recipe: Recipe, index: int, art: Art | None = None) -> Picture:
    """Make picture ``index`` of a recipe; nothing but (seed, index) decides what it shows."""
    rng = np.random.default_rng([recipe.seed, index])
    art = art or drawn_art()
    deck_seed = recipe.seed * 100_000 + index // recipe.pictures_a_deck
    width_px, height_px = _frame_size(rng, recipe)
    count, pose = _pose(rng, recipe, min(width_px, height_px), width_px * height_px)
    camera = Camera.over(width_px, height_px, pose)
    table = draw_table(rng, recipe.split)
    canvas = Canvas(spread_table(rng, table, camera, pose.card_px), table.gloss, camera)
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
        hold(stage)
    elif hand:
        reach_in(stage)
    return photograph(stage, {"table": table.name, "tilt": round(pose.tilt_deg), "hand": hand})


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


def spread_table(
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
    stacks = (
        min(count, int(rng.integers(1, 3))) if count > 2 and rng.random() < recipe.stacks else 0
    )
    way = "scatter" if rng.random() < 0.5 else WAYS[int(rng.integers(len(WAYS)))]
    overlap = 0.0 if rng.random() < 0.5 else float(rng.uniform(0, recipe.overlap))
    spots = arrange(rng, stage.canvas.camera, Wish(count, way, overlap, stage.aspect))
    foreign = rng.random() < 0.04
    for number, spot in enumerate(spots):
        if number < stacks:
            _put_stack(stage, spot)
        else:
            put_card(stage, spot, any_card(stage, foreign))
    for _ in range(int(rng.integers(1, 3)) if cluttered and rng.random() < 0.25 else 0):
        _put_thing(stage, small=True)


def _put_stack(stage: Stage, spot: Spot) -> None:
    """A deck: edges of cards upwards, each a little off, and a card on top."""
    rng, canvas = stage.rng, stage.canvas
    back = rng.random()
    if back < 0.6:
        card: Card = TARGET_FACES[int(rng.integers(len(TARGET_FACES)))]
    elif back < 0.85:
        card = TweakBack()
    else:
        card = NUMBER_FACES[int(rng.integers(len(NUMBER_FACES)))]
    fewest, most = stage.recipe.stack_layers
    layers, mess = int(rng.integers(fewest, most + 1)), rng.uniform(0.002, 0.03)
    size = (1.0, stage.aspect)
    foot = canvas.quad_px(spot, size)
    reach = stage.recipe.stack_shadow * layers + 0.5
    shift = (stage.light_from[0] * (1 + reach), stage.light_from[1] * (1 + reach))
    canvas.shade(foot, shift, stage.card_px * rng.uniform(0.03, 0.08), rng.uniform(0.4, 0.9))
    bright, top = int(rng.integers(150, 235)), spot
    for layer in range(layers):
        dx, dy, turn = rng.normal(0, mess, 3)
        top = Spot(spot.x + dx, spot.y + dy, spot.turn_deg + 40 * turn, 0.012 * layer)
        grey = bright - 70 * (layer % 2)
        canvas.slab(canvas.quad_px(top, size), (grey, grey, grey))
    put_card(stage, top, drawn(stage, card))


def _put_thing(stage: Stage, small: bool) -> None:
    rng, canvas = stage.rng, stage.canvas
    wanted = 0.0 if small else stage.recipe.rich
    rich = wanted > 0 and rng.random() < wanted
    thing = draw_rich_thing(rng) if rich else draw_thing(rng, small)
    x, y = any_point(rng, canvas.camera, -0.05)
    spot = Spot(float(x), float(y), float(rng.uniform(0, 360)))
    if min(thing.size) > 0.6:
        blur = stage.card_px * rng.uniform(0.03, 0.1)
        canvas.shade(canvas.quad_px(spot, thing.size), stage.light_from, blur, 0.4)
    canvas.lay(thing.rgba, spot, thing.size, (-1, thing.gloss))
