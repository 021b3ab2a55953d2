"""Recipes: a TOML file that says which pictures to make; the same recipe gives the same bytes."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from companion.errors import BadInput

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

SPLITS = ("train", "val", "test")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the pictures of one folder shall be like.

    Shares are 0-1 of the pictures; pairs are the ends of a range.

    Attributes:
        name: the folder's name.
        split: whose decks and tables are used: train, val or test.
        seed: picture i is drawn from (seed, i) alone.
        pictures: how many.
        pictures_a_deck: neighbours that share a deck.
        sizes: (width, height, weight) of the pictures, in pixels.
        cards: fewest and most cards in a picture.
        card_px: short side of a card in the middle of a picture whose short side is 720.
        overlap: how much of a scattered card its neighbours may cover.
        strangers: share of the cards that are none of ours.
        tilt_deg: camera tilt.
        kelvin: colour of the lamps.
        mixed, dim, hard_shadow, glare, hand, clutter, distortion: shares of the pictures with it.
        rich: share of the things that look like a card in one way or another; for training alone.
        roughness: 0 spares the sensor's faults, 1 has them all.
        stacks: share of the pictures of more than two cards with a deck or two among them.
        stack_layers: fewest and most layers of a deck, each 0.012 of a card's width thick.
        stack_shadow: how much farther a deck's shadow reaches with each layer.
    """

    name: str
    split: str
    seed: int
    pictures: int
    pictures_a_deck: int = 8
    sizes: tuple[tuple[int, int, float], ...] = ((1280, 720, 1.0),)
    cards: tuple[int, int] = (0, 20)
    card_px: tuple[float, float] = (24.0, 480.0)
    overlap: float = 0.6
    strangers: float = 0.08
    tilt_deg: tuple[float, float] = (0.0, 45.0)
    kelvin: tuple[float, float] = (2700.0, 6500.0)
    mixed: float = 0.2
    dim: float = 0.2
    hard_shadow: float = 0.25
    glare: float = 0.3
    hand: float = 0.25
    clutter: float = 0.5
    distortion: float = 0.35
    rich: float = 0.0
    roughness: float = 1.0
    stacks: float = 0.4
    stack_layers: tuple[int, int] = (3, 21)
    stack_shadow: float = 0.004

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise BadInput(f"a recipe's split is one of {', '.join(SPLITS)}, not {self.split!r}")
        if self.pictures < 1 or self.pictures_a_deck < 1:
            raise BadInput(f"recipe {self.name!r} wants at least one picture and one a deck")


_FOLDERS = {
    "train": ("train*", "close*", "clutter*", "heap*", "deck*", "table*", "tray*"),
    "val": ("val*",),
    "test": ("test*",),
}
"""Names of the folders of made pictures, by split."""


def folders_of(pictures: Path, split: str) -> list[Path]:
    """The folders of a split's made pictures that are there, with ``labels.jsonl``."""
    found = (path for name in _FOLDERS[split] for path in sorted(pictures.glob(name)))
    return [path for path in found if (path / "labels.jsonl").is_file()]


def read_recipe(path: Path) -> Recipe:
    """Read a recipe's TOML file.

    Raises:
        BadInput: no such file, broken TOML, an unknown or missing key, a value out of range.
    """
    return read_as(Recipe, path, "a recipe")


def read_as(kind: type[T], path: Path, what: str) -> T:
    """Read a TOML file as a dataclass whose fields are its keys; lists become tuples.

    Args:
        kind: the dataclass; fields without a default must be there.
        path: the file.
        what: its name in errors, such as "a recipe".

    Raises:
        BadInput: no such file, broken TOML, an unknown or missing key, a value out of range.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(
            f"no recipe at {path}: wanted a TOML file, as in datasets/recipes"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} is no TOML: {error}") from error
    known = [field.name for field in fields(kind)]
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise BadInput(f"{path}: {key!r} is no key of {what}{hint}")
    for field in fields(kind):
        wanted = field.default is MISSING and field.default_factory is MISSING
        if wanted and field.name not in table:
            raise BadInput(f"{path}: {what} needs {field.name!r}")
    return kind(**{key: _tuples(value) for key, value in table.items()})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
