"""The layouts by name, and which of them are kept for val and test."""

from __future__ import annotations

import numpy as np

from datasets.workshop import layouts_plain as plain
from datasets.workshop import layouts_shapes as shapes
from datasets.workshop.layouts_collage import collage
from datasets.workshop.layouts_ground import Layout

LAYOUTS: dict[str, Layout] = {
    "full": plain.full,
    "bordered": plain.bordered,
    "white card": plain.white_card,
    "white frame": plain.white_frame,
    "frame in frame": plain.frame_in_frame,
    "band": plain.band,
    "gradient": plain.gradient,
    "patterned": plain.patterned,
    "panel": plain.panel,
    "two halves": plain.two_halves,
    "pip count": plain.pip_count,
    "huge": plain.huge,
    "quarters": plain.quarters,
    "upright oval": shapes.upright_oval,
    "slanted oval": shapes.slanted_oval,
    "circle": shapes.circle_rays,
    "ring": shapes.ring,
    "badge": shapes.badge,
    "rounded window": shapes.rounded_window,
    "arch window": shapes.arch_window,
    "diagonal": shapes.diagonal,
    "corner triangles": shapes.corner_triangles,
    "pattern oval": shapes.pattern_oval,
    "small art": shapes.small_art,
    "blob": shapes.blob,
    "ribbon": shapes.ribbon,
    "collage": collage,
}

HELD_OUT: dict[str, tuple[str, ...]] = {
    "test": ("quarters", "arch window", "corner triangles"),
    "val": ("ribbon",),
    "train": ("collage",),
}
"""Layouts that only one split prints; every other layout is in all three."""

_OWN_SHARE = {"test": 0.5, "val": 0.33, "train": 0.45}

_WEIGHTS = {"slanted oval": 3.0, "upright oval": 1.5, "circle": 1.5, "bordered": 1.5, "full": 1.5}


def layouts_of(split: str) -> tuple[str, ...]:
    """Names of the layouts that a split may print, held-out ones last."""
    held = {name for names in HELD_OUT.values() for name in names}
    shared = tuple(name for name in LAYOUTS if name not in held)
    return shared + HELD_OUT.get(split, ())


def draw_layout(rng: np.random.Generator, split: str) -> str:
    """A layout's name; every other test deck and every third val deck has one kept for it."""
    own = HELD_OUT.get(split, ())
    if own and rng.random() < _OWN_SHARE[split]:
        return str(rng.choice(own))
    names = [name for name in layouts_of(split) if name not in own]
    weights = np.array([_WEIGHTS.get(name, 1.0) for name in names])
    return str(rng.choice(names, p=weights / weights.sum()))
