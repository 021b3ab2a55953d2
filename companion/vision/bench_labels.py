"""Labelled folders that ``companion bench`` measures on.

Two kinds are understood: ``labels.json``, a list of photographs of any deck of coloured cards with
digits (``{image, set, width, cards: [{face, colour, value, quad, visible}]}``), and the workshop's
``labels.jsonl``, one made picture a line
(``{image, width, slices, cards: [{card, quad, visible}]}``). A label without corners, as of a card
all but buried in a heap, can be paired with nothing and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import BadInput, NotFound, UnknownCard
from companion.rules.cards import VALUES, Card, Colour, NumberCard, parse_card
from companion.vision.score import HALF_IN_SIGHT, TrueCard
from companion.vision.values import Quad

_STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture with what is true of it.

    Attributes:
        path: the picture's file.
        slices: what the picture is like, to score by: ``set``, ``lamp``, ``tilt`` …
        cards: every card in it.
        least_visible: cards with less in sight need not be found.
        width_px: width of the picture.
    """

    path: Path
    slices: Mapping[str, str | float]
    cards: tuple[TrueCard, ...]
    least_visible: float
    width_px: int = 0


def load_labels(folder: Path) -> tuple[LabelledPicture, ...]:
    """Every labelled picture of a folder.

    Raises:
        NotFound: the folder has neither ``labels.json`` nor ``labels.jsonl``.
        BadInput: the labels are not as described above.
    """
    photos, made = folder / "labels.json", folder / "labels.jsonl"
    source = photos if photos.is_file() else made
    try:
        text = source.read_text(encoding="utf-8")
    except OSError:
        raise NotFound(f"{folder} has no labels.json and no labels.jsonl") from None
    try:
        if source == photos:
            return tuple(_photo(folder, record) for record in json.loads(text))
        return tuple(_made(folder, json.loads(line)) for line in text.splitlines() if line.strip())
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{source} cannot be read as labels: {error!r}") from None


def _photo(folder: Path, record: Mapping[str, Any]) -> LabelledPicture:
    cards = tuple(
        TrueCard(
            card=_photographed(label),
            quad_px=_quad(label["quad"]),
            visible=float(label.get("visible", 1.0)),
            text=_name(label),
        )
        for label in record["cards"]
        if label["quad"] is not None
    )
    slices = {"set": str(record.get("set", "all"))}
    return LabelledPicture(folder / record["image"], slices, cards, 0.0, int(record["width"]))


def _photographed(label: Mapping[str, Any]) -> Card | None:
    """Our card that looks most like it: a coloured front with a value 1-6, or none."""
    if label["face"] != "front" or label["colour"] is None or label["value"] not in VALUES:
        return None
    return NumberCard(Colour(label["colour"]), int(label["value"]))


def _name(label: Mapping[str, Any]) -> str:
    symbol = label["value"] if label["value"] is not None else label.get("symbol")
    words = (label["colour"], symbol, "back" if label["face"] == "back" else None)
    return " ".join(str(word) for word in words if word is not None)


def _made(folder: Path, record: Mapping[str, Any]) -> LabelledPicture:
    cards = tuple(
        TrueCard(
            card=_made_card(label["card"]),
            quad_px=_quad(label["quad"]),
            visible=float(label["visible"]),
            text=str(label["card"]),
        )
        for label in record["cards"]
    )
    slices = dict(record.get("slices", {}))
    width_px = int(record["width"])
    return LabelledPicture(folder / record["image"], slices, cards, HALF_IN_SIGHT, width_px)


def _made_card(text: str) -> Card | None:
    if text == _STRANGER:
        return None
    try:
        return parse_card(text)
    except UnknownCard:
        raise ValueError(f"unknown card {text!r}") from None


def _quad(corners: Iterable[Iterable[float]]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)
