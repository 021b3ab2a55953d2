"""Takes the picture: lamps on the laid canvas, lens, sensor; and labels what is in it."""

from __future__ import annotations

import cv2
import numpy as np

from .labels import Label, Picture, Slice
from .lamps import Lamps, shine
from .lens import Barrel, Sensor, blur_far, expose
from .recipe import Recipe
from .stage import Stage


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


def photograph(stage: Stage, slices: dict[str, Slice]) -> Picture:
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
