"""From events to what they mean: pure, and the same for the same journal every time.

An event that cannot be understood (a kind or a schema of a newer companion, or one that does not
fit what went before) is kept in the journal, left alone here, and named among the oddities.

>>> replay([Event(1, "2026-01-01T20:00:00+00:00", "moon landed", {})]).oddities
("event 1: 'moon landed' is not known to this companion",)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import MappingProxyType

from companion.night import answers, claims, counting, editing, events, matches, stories, tables
from companion.night.events import SCHEMA, Event, in_force
from companion.night.state import NightState

MOST_ODDITIES = 20

_FOLDS = MappingProxyType[str, Callable[[NightState, Event], NightState]](
    {
        events.MATCH_STARTED: stories.fold_start,
        events.DEALER_SET: stories.fold_dealer,
        events.MATCH_ENDED: matches.fold_end,
        events.ROUND_CLOSED: stories.fold_close,
        events.ZONES_SET: tables.fold_zones,
        events.CAMERA_BUMPED: tables.fold_bumped,
        events.TABLE_SET: tables.fold_table,
        events.SEEN: stories.fold_seen,
        events.HAPPENING_CHOSEN: stories.fold_chosen,
        events.CLAIMED: claims.fold_claim,
        events.CLAIM_FOLLOWED: claims.fold_followed,
        events.CLAIM_CORRECTED: claims.fold_correction,
        events.CLAIM_DECIDED: claims.fold_decided,
        events.CARD_PUT_AWAY: claims.fold_put_away,
        events.COUNT_STARTED: counting.fold_count,
        events.BATCH_ADDED: counting.fold_batch,
        events.CARD_CORRECTED: counting.fold_correct,
        events.CARD_REMOVED: counting.fold_remove,
        events.COUNT_CONFIRMED: counting.fold_confirm,
        events.CARDS_LOST: answers.fold_lost,
        events.CARDS_FOUND: answers.fold_found_again,
        events.ROUND_EDITED: editing.fold_edit,
    }
)


def fold(state: NightState, event: Event) -> NightState:
    """The state after one more event in force.

    A taking back cannot be folded in: it changes what went before, see :func:`advance`.
    """
    state = replace(state, last_id=max(state.last_id, event.id))
    handler = _FOLDS.get(event.kind)
    if handler is None:
        return _odd(state, event, f"{event.kind[:40]!r} is not known to this companion")
    if event.payload.get("schema", SCHEMA) != SCHEMA:
        return _odd(state, event, f"{event.kind} was written by a newer companion")
    try:
        return handler(state, event)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        return _odd(state, event, f"{event.kind} does not fit what went before ({error})")


def replay(journal: Sequence[Event]) -> NightState:
    """Everything that a journal's events say, oldest first."""
    state = fold_all(NightState(), in_force(journal))
    return replace(state, last_id=journal[-1].id) if journal else state


def fold_all(state: NightState, journal: Iterable[Event]) -> NightState:
    """The state after several more events in force."""
    for event in journal:
        state = fold(state, event)
    return state


def advance(state: NightState, journal: Sequence[Event]) -> NightState:
    """The state after the journal's last event, where ``state`` holds all before it."""
    last = journal[-1]
    return replay(journal) if last.kind == events.UNDONE else fold(state, last)


def _odd(state: NightState, event: Event, what: str) -> NightState:
    oddities = (*state.oddities, f"event {event.id}: {what}")
    return replace(state, oddities=oddities[-MOST_ODDITIES:])
