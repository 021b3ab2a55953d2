"""Hands in a picture: some reach in from an edge, some hold a card up."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.values import Image

from .canvas import Canvas, Spot
from .hands import SIZE, THUMB_SIZE, TIP, draw_hand, draw_skin, draw_thumb
from .lens import Matrix
from .spread import any_point
from .stage import Stage, any_card, put_card


def reach_in(stage: Stage) -> None:
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


def hold(stage: Stage) -> None:
    """A card held up in a hand: fingers behind it, the thumb over its rim."""
    rng, canvas = stage.rng, stage.canvas
    x, y = any_point(rng, canvas.camera, 0.3)
    turn, skin = float(rng.normal(0, 30)), draw_skin(rng)
    down = np.radians(turn + 90)
    way, rim = np.array([np.cos(down), np.sin(down)]), stage.aspect / 2
    at = np.array([x, y])
    put_hand(canvas, draw_hand(rng, skin), at + way * rng.uniform(-0.2, 0.5), turn)
    card = any_card(stage)
    flip = float(rng.choice((0.0, 90.0, 180.0), p=(0.6, 0.1, 0.3)) + rng.normal(0, 6))
    put_card(stage, Spot(float(x), float(y), turn + flip), card)
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
