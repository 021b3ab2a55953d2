"""Events without the names of players, and without words that are no part of a sum.

>>> told = Event(1, "", "claimed", {"player": "Ann", "declared": {"spoken": "Ann says 1 and 3"}})
>>> [one.payload for one in nameless([told])]
[{'player': 'P1', 'declared': {'spoken': 'word word 1 and 3'}}]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.night.events import Event
from companion.rules.spoken import hear

_PLAYER = ("player", "dealer")
_ZONES = re.compile(r"(pile|faces) (.+)", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’׳][^\W\d_]+)*")


def nameless(events: Iterable[Event]) -> list[Event]:
    """The same events with P1, P2 … for the players, in the order in which they came up."""
    names: dict[str, str] = {}
    return [replace(event, payload=_without(event.payload, names)) for event in events]


def _without(found: Mapping[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {_zone(key, names): _value(key, value, names) for key, value in found.items()}


def _value(key: str, value: Any, names: dict[str, str]) -> Any:
    if key in _PLAYER and isinstance(value, str):
        return _name(value, names)
    if key == "players" and isinstance(value, list):
        return [_name(str(one), names) for one in value]
    if key == "spoken" and isinstance(value, str):
        return _sum_words(value)
    if key == "key":
        return ""
    if isinstance(value, Mapping):
        return _without(value, names)
    if isinstance(value, list):
        return [_value("", one, names) for one in value]
    return value


def _zone(key: str, names: dict[str, str]) -> str:
    found = _ZONES.fullmatch(key)
    return key if found is None else f"{found[1]} {_name(found[2], names)}"


def _name(name: str, names: dict[str, str]) -> str:
    return names.setdefault(name, f"P{len(names) + 1}") if name else name


def _sum_words(spoken: str) -> str:
    """What was said, each word that is no part of a sum replaced: it is heard just the same."""
    strange = set(hear(spoken).rest)
    return _WORD.sub(lambda word: "word" if word[0] in strange else word[0], spoken)
