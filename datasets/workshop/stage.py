"""What a picture is made of while it is made: the deck, the canvas, and the cards laid on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

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
from .deck import draw_deck
from .labels import STRANGER
from .lens import Matrix
from .recipe import Recipe
from .strangers import STRANGERS, draw_stranger

TARGET_FACES: tuple[Card, ...] = tuple(TargetBack(target) for target in TARGETS)
TWEAK_FACES: tuple[Card, ...] = tuple(TweakCard(kind) for kind in Tweak)
NUMBER_FACES: tuple[Card, ...] = tuple(NumberCard(c, v) for c in Colour for v in VALUES)


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
class Drawn:
    """A card's picture: which card (None for a stranger), its RGBA, and the side that shows."""

    card: Card | None
    rgba: Image
    face: Face


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


class _DrawnArt:
    """Decks drawn by the workshop; the last few are kept, since neighbours share them."""

    def __init__(self) -> None:
        self._keep = lru_cache(maxsize=3)(draw_deck)

    def deck(self, seed: int, split: str) -> DeckFaces:
        return self._keep(seed, split)

    def stranger(self, rng: np.random.Generator, split: str) -> tuple[Image, Face]:
        names = list(STRANGERS)
        shares = np.array([STRANGERS[name][1] for name in names])
        kind = names[int(rng.choice(len(names), p=shares / shares.sum()))]
        face = Face.TWEAK_BACK if kind == "back" else Face.NUMBER
        return draw_stranger(rng, split, kind), face


@lru_cache(maxsize=1)
def drawn_art() -> Art:
    """The workshop's own decks and strangers."""
    return _DrawnArt()


def any_card(stage: Stage, all_strangers: bool = False) -> Drawn:
    """Draw a card: mostly number cards, some of every other side, some strangers."""
    rng = stage.rng
    if all_strangers or rng.random() < stage.recipe.strangers:
        rgba, face = stage.art.stranger(rng, stage.recipe.split)
        return Drawn(None, rgba, face)
    kind = rng.random()
    if kind < 0.7:
        card = NUMBER_FACES[int(rng.integers(len(NUMBER_FACES)))]
    elif kind < 0.83:
        card = TARGET_FACES[int(rng.integers(len(TARGET_FACES)))]
    elif kind < 0.93:
        card = TWEAK_FACES[int(rng.integers(len(TWEAK_FACES)))]
    else:
        card = TweakBack() if kind < 0.97 else BlueSeven()
    return drawn(stage, card)


def drawn(stage: Stage, card: Card) -> Drawn:
    """A card of the stage's deck."""
    return Drawn(card, stage.deck.face(card), card.face)


def put_card(stage: Stage, spot: Spot, card: Drawn) -> None:
    """Lay one card with its contact shadow, perhaps slightly bent, and note it."""
    rng, canvas, rgba = stage.rng, stage.canvas, card.rgba
    height, width = rgba.shape[:2]
    size = (1.0, height / width)
    quad = canvas.quad_px(spot, size)
    lift = rng.uniform(0.3, 1.5)
    shift = (stage.light_from[0] * lift, stage.light_from[1] * lift)
    canvas.shade(quad, shift, stage.card_px * rng.uniform(0.006, 0.04), rng.uniform(0.3, 0.8))
    number = len(stage.laid) + 1
    gloss = float(rng.uniform(0, 1))
    if rng.random() < 0.4:
        small = shrink(rgba, quad)
        rim = 2 * round(MARGIN * small.shape[1]) / small.shape[1]
        bowed = bend(small, float(rng.normal(0, 0.012)))
        canvas.lay(bowed, spot, (1 + rim, size[1] + rim), (number, gloss))
    else:
        canvas.lay(rgba, spot, size, (number, gloss))
    stage.laid.append(Laid(number, str(card.card or STRANGER), card.face, quad))
