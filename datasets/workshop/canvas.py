"""A picture in the making: sprites laid through the camera, with a map of what is on top where."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.values import Image

from .lens import Camera, Matrix, project

MARGIN = 0.04
"""Rim that is put round a card before it is bent, in shares of its width."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something lies: its middle on the table, its turn, its height, in card widths."""

    x: float
    y: float
    turn_deg: float
    z: float = 0.0


def seat(spot: Spot, size: tuple[float, float]) -> Matrix:
    """The homography from the unit square to the table for a thing of this width and height."""
    turn = np.radians(spot.turn_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    width, height = size
    x = spot.x - cos * width / 2 + sin * height / 2
    y = spot.y - sin * width / 2 - cos * height / 2
    return np.array([[cos * width, -sin * height, x], [sin * width, cos * height, y], [0, 0, 1]])


_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


class Canvas:
    """The picture before lamps and lens.

    Attributes:
        bgr: uint8 (height, width, 3).
        ids: int16 (height, width), number of the topmost thing, 0 for the table.
        gloss: uint8 (height, width), how much of a lamp is mirrored.
    """

    def __init__(self, bgr: Image, gloss: float, camera: Camera) -> None:
        self.bgr = bgr
        self.camera = camera
        self.ids: npt.NDArray[np.int16] = np.zeros(bgr.shape[:2], np.int16)
        self.gloss: Image = np.full(bgr.shape[:2], int(np.clip(gloss, 0, 1) * 255), np.uint8)

    def quad_px(self, spot: Spot, size: tuple[float, float]) -> Matrix:
        """Corners in the picture of a thing lying here, shape (4, 2), from its own top-left."""
        return project(self.camera.plane(spot.z), project(seat(spot, size), _CORNERS))

    def lay(
        self, rgba: Image, spot: Spot, size: tuple[float, float], tag: tuple[int, float]
    ) -> None:
        """Lay a sprite; ``tag`` is its number in :attr:`ids` and its gloss."""
        quad = self.quad_px(spot, size)
        box = _clip(quad, self.bgr.shape[:2], 2)
        if box is None:
            return
        x0, y0, x1, y1 = box
        sprite = shrink(rgba, quad)
        height, width = sprite.shape[:2]
        scale = np.diag([1 / width, 1 / height, 1.0])
        to_px = self.camera.plane(spot.z) @ seat(spot, size) @ scale
        half, back = np.eye(3), np.eye(3)
        half[:2, 2], back[:2, 2] = 0.5, (-0.5 - x0, -0.5 - y0)
        warped = cv2.warpPerspective(
            _premultiplied(sprite), back @ to_px @ half, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR
        )
        self._blend(np.asarray(warped, np.uint8), box, tag)

    def _blend(self, bgra: Image, box: tuple[int, int, int, int], tag: tuple[int, float]) -> None:
        x0, y0, x1, y1 = box
        under, alpha = self.bgr[y0:y1, x0:x1], bgra[..., 3:]
        rest = cv2.merge([255 - alpha[..., 0]] * 3)
        under[:] = cv2.add(bgra[..., :3], cv2.multiply(under, rest, scale=1 / 255))
        on_top = alpha[..., 0] > 127
        self.ids[y0:y1, x0:x1][on_top] = tag[0]
        self.gloss[y0:y1, x0:x1][on_top] = int(np.clip(tag[1], 0, 1) * 255)

    def shade(
        self, quad: Matrix, shift_px: tuple[float, float], blur_px: float, depth: float
    ) -> None:
        """Darken what lies under a thing: its outline, shifted and blurred."""
        outline = quad + np.array(shift_px)
        box = _clip(outline, self.bgr.shape[:2], int(3 * blur_px) + 2)
        if box is None:
            return
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline - (x0, y0)).astype(np.int32), 255)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.4, blur_px))
        keep = np.asarray(255 - depth * soft, np.uint8)
        under = self.bgr[y0:y1, x0:x1]
        under[:] = cv2.multiply(under, cv2.merge([keep] * 3), scale=1 / 255)

    def slab(self, quad: Matrix, bgr: tuple[int, int, int]) -> None:
        """Paint a plain quad: one edge of a stack."""
        cv2.fillConvexPoly(self.bgr, np.round(quad * 8).astype(np.int32), bgr, cv2.LINE_AA, 3)
        cv2.fillConvexPoly(self.ids, np.round(quad * 8).astype(np.int32), -1, cv2.LINE_8, 3)


def _clip(points: Matrix, shape: tuple[int, ...], margin: int) -> tuple[int, int, int, int] | None:
    """The box round points within the picture, None when they lie outside."""
    if not np.isfinite(points).all() or np.abs(points).max() > 20000:
        return None
    x0, y0 = np.floor(points.min(0)).astype(int) - margin
    x1, y1 = np.ceil(points.max(0)).astype(int) + margin
    box = (max(0, int(x0)), max(0, int(y0)), min(shape[1], int(x1)), min(shape[0], int(y1)))
    return box if box[2] > box[0] and box[3] > box[1] else None


def shrink(rgba: Image, quad: Matrix) -> Image:
    """A sprite no more than some 1.4 times as large as it will be drawn."""
    height, width = rgba.shape[:2]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    want = 1.4 * max(sides[[0, 2]].max() / width, sides[[1, 3]].max() / height)
    if want >= 0.9:
        return rgba
    size = (max(4, round(width * want)), max(4, round(height * want)))
    return np.asarray(cv2.resize(rgba, size, interpolation=cv2.INTER_AREA), np.uint8)


def _premultiplied(rgba: Image) -> Image:
    """RGBA to BGRA with colours multiplied by alpha, so that edges blend without a fringe."""
    alpha = rgba[..., 3]
    bgr = cv2.multiply(rgba[..., 2::-1].copy(), cv2.merge([alpha] * 3), scale=1 / 255)
    return np.dstack([np.asarray(bgr, np.uint8), alpha])


def bend(rgba: Image, bow: float) -> Image:
    """A card with its rim, bowed sideways by ``bow`` of its width, and shaded as a bent card is."""
    height, width = rgba.shape[:2]
    pad = round(MARGIN * width)
    rim = cv2.copyMakeBorder(rgba, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    x = np.arange(width + 2 * pad, dtype=np.float32)[None, :]
    y = np.arange(height + 2 * pad, dtype=np.float32)[:, None]
    push = bow * width * np.sin(np.pi * np.clip((y - pad) / height, 0, 1))
    map_x, map_y = np.broadcast_arrays(x - push, y)
    out = cv2.remap(rim, map_x.copy(), map_y.copy(), cv2.INTER_LINEAR)
    shade = 1 - 4 * abs(bow) * np.abs(np.cos(np.pi * (y - pad) / height))[..., None]
    out[..., :3] = np.clip(out[..., :3] * shade, 0, 255).astype(np.uint8)
    return np.asarray(out, np.uint8)
