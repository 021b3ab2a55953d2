"""Scenes and views made from texts and places, for stories about the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.rules.cards import parse_card
from companion.table.values import TableEvent, Zones
from companion.vision.values import Reading, Sighting, TableView, parse_reading
from tests.vision.stage import quad_at

Place = tuple[float, float]
DECK: Place = (500.0, 40.0)
ZONES = Zones(deck=((0.75, 0.05), (0.88, 0.05), (0.88, 0.38), (0.75, 0.38)))


def card(text: str, at: Place, found: float = 0.95) -> Sighting:
    return Sighting(quad_at(*at), parse_reading(text), found)


def reading(options: Mapping[str, float], sure: bool = False) -> Reading:
    return Reading(tuple((parse_card(text), p) for text, p in options.items()), sure=sure)


def read_as(sighting: Sighting, new: Reading) -> Sighting:
    return replace(sighting, reading=new)


def view(cards: Iterable[Sighting], at_s: float = 0.0) -> TableView:
    return TableView(tuple(cards), at_s, int(at_s * 10), 640, 360)


def texts(events: Iterable[TableEvent]) -> list[str]:
    return [str(event) for event in events]
