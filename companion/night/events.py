"""What the journal holds: events of these kinds, each with a JSON payload of ``schema`` 1.

An event is never changed and never removed. Taking a command back is an event of its own
(:data:`UNDONE`) that names the event taken back; bringing it again names that one in turn.

>>> done = [Event(1, "", "zones set", {}), Event(2, "", UNDONE, {"event": 1, "was": "zones set"})]
>>> [event.id for event in in_force(done)], [event.id for event in in_force(done[:1])]
([], [1])
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.night.values import ON_TABLE, Step

SCHEMA = 1
"""Version of the payloads written here; a newer one in a payload is kept and left alone."""

MATCH_STARTED = "match started"
DEALER_SET = "dealer set"
MATCH_ENDED = "match ended"
ZONES_SET = "zones set"
TABLE_SET = "table set"
CLAIMED = "claimed"
CLAIM_CORRECTED = "claim corrected"
COUNT_STARTED = "count started"
BATCH_ADDED = "batch added"
CARD_CORRECTED = "card corrected"
CARD_REMOVED = "card removed"
COUNT_CONFIRMED = "count confirmed"
CARDS_LOST = "cards lost"
CARDS_FOUND = "cards found"
ROUND_CLOSED = "round closed"
ROUND_EDITED = "round edited"
SEEN = "seen"
CLAIM_FOLLOWED = "claim followed"
CLAIM_DECIDED = "claim decided"
CARD_PUT_AWAY = "card put away"
CAMERA_BUMPED = "camera bumped"
HAPPENING_CHOSEN = "happening chosen"
UNDONE = "undone"

BOOKS = "books"
"""Stands under ``answers`` where a step answers the books, which leaves a count confirmed."""

STEP_TEXTS: dict[str, str] = {
    MATCH_STARTED: "match started",
    DEALER_SET: "%(player)s deals",
    MATCH_ENDED: "match ended",
    ZONES_SET: "zones set",
    TABLE_SET: "table entered",
    CLAIMED: "claim by %(player)s",
    CLAIM_CORRECTED: "claim corrected",
    COUNT_STARTED: "count of %(player)s opened",
    BATCH_ADDED: "cards counted for %(player)s",
    CARD_CORRECTED: "card of %(player)s corrected to %(card)s",
    CARD_REMOVED: "card of %(player)s removed",
    COUNT_CONFIRMED: "count of %(player)s confirmed",
    CARDS_LOST: "%(card)s said to be lost",
    CARDS_FOUND: "%(card)s said to be found again",
    HAPPENING_CHOSEN: "what happened, chosen",
    ROUND_CLOSED: "round %(number)s closed",
    ROUND_EDITED: "round %(number)s edited for %(player)s",
}
"""The commands that can be taken back, each in words (templates for translation)."""


TABLE_TEXTS: dict[str, str] = {
    COUNT_STARTED: "count of what was left on the table opened",
    BATCH_ADDED: "cards left on the table counted",
    CARD_CORRECTED: "card left on the table corrected to %(card)s",
    CARD_REMOVED: "card left on the table removed",
    ROUND_EDITED: "round %(number)s edited for what was left on the table",
}
"""The same for the cards that were left on the table, which are no player's."""

_ABOUT = ("player", "card", "number")


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the journal.

    Attributes:
        id: counts upwards without ever being used again.
        at: UTC time in ISO 8601.
        kind: one of the kinds of this module, or one that a newer companion wrote.
        payload: plain JSON values, not to be changed.
    """

    id: int
    at: str
    kind: str
    payload: Mapping[str, Any]


def picture_name(jpeg: bytes) -> str:
    """The name of a picture in the journal: its sha256 in hex."""
    return hashlib.sha256(jpeg).hexdigest()


def in_force(events: Sequence[Event]) -> list[Event]:
    """The events that count: not taken back, and no taking back among them; oldest first."""
    taken_back: set[int] = set()
    kept: list[Event] = []
    for event in reversed(events):
        if event.id in taken_back:
            continue
        if event.kind == UNDONE:
            taken_back.add(int(event.payload.get("event", 0)))
        else:
            kept.append(event)
    kept.reverse()
    return kept


def next_steps(events: Sequence[Event]) -> tuple[Step | None, Step | None]:
    """What undo would take back, and what redo would bring again (nothing after a new command)."""
    taken_back: set[int] = set()
    redo: Step | None = None
    for event in reversed(events):
        if event.id in taken_back:
            continue
        if event.kind == UNDONE:
            taken_back.add(int(event.payload.get("event", 0)))
            was = str(event.payload.get("was", ""))
            if redo is None and was in STEP_TEXTS:
                redo = _step(event.id, was, event.payload.get("about", {}))
        elif event.kind in STEP_TEXTS:
            return _step(event.id, event.kind, event.payload), redo
    return None, redo


def about_of(payload: Mapping[str, Any]) -> dict[str, str]:
    """What a command is called by in words: whose, which card, which round."""
    return {name: str(payload[name]) for name in _ABOUT if payload.get(name) is not None}


def _step(id: int, kind: str, payload: Mapping[str, Any]) -> Step:
    about = dict.fromkeys(_ABOUT, "?") | about_of(payload)
    left = about["player"] == ON_TABLE
    template = TABLE_TEXTS.get(kind, STEP_TEXTS[kind]) if left else STEP_TEXTS[kind]
    values = tuple((name, about[name]) for name in about if f"%({name})s" in template)
    return Step(id, kind, template % dict(values), template, values)
