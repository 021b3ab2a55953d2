"""Which round clips to make: a TOML file, and what is drawn from its seed for each clip."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.errors import BadInput
from companion.rules.editions import Edition, parse_edition

from .lamps import Lamps
from .recipe import SPLITS, read_as

MISTAKES = ("wrong sum", "false tweak")
"""What players say wrongly; every clip has them wherever a turn allows it."""
MISHAPS = ("nudge", "bump", "sleeve", "lamp")
"""What happens to cards, camera and light although nobody plays; each clip has some of them."""


@dataclass(frozen=True, slots=True)
class RoundsRecipe:
    """What the clips of one folder shall be like.

    Attributes:
        name: the folder's name.
        seed: clip i is drawn from (seed, i) alone.
        rounds: how many clips.
        split: whose decks and tables are used.
        turns: fewest and most turns that a clip shows of its round.
        mishaps: how many of the mishaps a clip has, each once.
        players: numbers of players, taken in turn.
        editions: editions, taken in turn.
        tilt_deg: camera tilt.
        kelvin: colour of the lamps.
        fps: pictures a second.
        width_px, height_px: size of the pictures.
        idle_minutes: length of the clip in which nobody plays; 0: none.
        idle_fps: its pictures a second.
        idle_pause_s: seconds between one hand and the next there, at least and at most.
        crf: H.264's quality, smaller is better.
    """

    name: str
    seed: int
    rounds: int
    split: str = "test"
    turns: tuple[int, int] = (7, 10)
    mishaps: int = 2
    players: tuple[int, ...] = (2, 3, 4, 5, 6)
    editions: tuple[str, ...] = ("65", "72")
    tilt_deg: tuple[float, float] = (0.0, 28.0)
    kelvin: tuple[float, float] = (2700.0, 6500.0)
    fps: int = 10
    width_px: int = 1280
    height_px: int = 720
    idle_minutes: float = 10.0
    idle_fps: int = 5
    idle_pause_s: tuple[float, float] = (8.0, 30.0)
    crf: int = 22

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise BadInput(f"a recipe's split is one of {', '.join(SPLITS)}, not {self.split!r}")
        if self.rounds < 1 or not self.players or not self.editions:
            raise BadInput(f"recipe {self.name!r} wants a round, a number of players, an edition")
        if not all(2 <= players <= 6 for players in self.players):
            raise BadInput(f"recipe {self.name!r}: a round has 2 to 6 players")
        for edition in self.editions:
            parse_edition(edition)


def read_rounds_recipe(path: Path) -> RoundsRecipe:
    """Read a TOML file of round clips.

    Raises:
        BadInput: no such file, broken TOML, an unknown or missing key, a value out of range.
    """
    return read_as(RoundsRecipe, path, "a recipe of rounds")


@dataclass(frozen=True, slots=True)
class ClipDraw:
    """What one clip is made of.

    Attributes:
        index: number of the clip in its recipe.
        seed: of everything that is drawn for it later.
        players: how many play.
        edition: which box.
        turns: how many turns are shown.
        part: where in its round the clip lies, 0 from the deal to 1 until the end.
        slips: what goes wrong.
        tilt_deg, roll_deg, zoom: the camera.
        lamps: the light.
    """

    index: int
    seed: tuple[int, int]
    players: int
    edition: Edition
    turns: int
    part: float
    slips: tuple[str, ...]
    tilt_deg: float
    roll_deg: float
    zoom: float
    lamps: Lamps

    def rng(self, purpose: int) -> np.random.Generator:
        """A source of chance of its own for each purpose."""
        return np.random.default_rng([*self.seed, purpose])


def draw_clip(recipe: RoundsRecipe, index: int) -> ClipDraw:
    """Draw clip ``index``; editions, players, parts and slips go round so that all come up."""
    rng = np.random.default_rng([recipe.seed, index])
    kinds = len(recipe.editions)
    start = index % len(MISHAPS)
    slips = MISTAKES + (MISHAPS[start:] + MISHAPS[:start])[: recipe.mishaps]
    return ClipDraw(
        index=index,
        seed=(recipe.seed, index),
        players=recipe.players[index % len(recipe.players)],
        edition=parse_edition(recipe.editions[index // len(recipe.players) % kinds]),
        turns=int(rng.integers(recipe.turns[0], recipe.turns[1] + 1)),
        part=(0.0, float(rng.uniform(0.2, 0.8)), 1.0)[index % 3],
        slips=slips,
        tilt_deg=float(rng.uniform(*recipe.tilt_deg)),
        roll_deg=float(rng.normal(0, 2.5)),
        zoom=float(rng.uniform(0.9, 1.4)),
        lamps=_lamps(rng, recipe),
    )


def _lamps(rng: np.random.Generator, recipe: RoundsRecipe) -> Lamps:
    first = float(rng.uniform(*recipe.kelvin))
    second = float(rng.uniform(*recipe.kelvin)) if rng.random() < 0.25 else first
    return Lamps(
        kelvin=(first, second),
        exposure=float(rng.uniform(0.35, 0.6) if rng.random() < 0.2 else rng.uniform(0.75, 1.3)),
        cast=float(rng.uniform(0.05, 0.5)),
        falloff=float(rng.uniform(0, 0.35)),
        vignette=float(rng.uniform(0, 0.25)),
        hard_shadow=float(rng.uniform(0.2, 0.5) if rng.random() < 0.2 else 0.0),
        glare=float(rng.uniform(0.1, 0.35) if rng.random() < 0.2 else 0.0),
        saturation=float(rng.uniform(0.9, 1.15)),
    )
