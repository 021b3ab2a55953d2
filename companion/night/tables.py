"""The table: zones, what was entered by tap, what the camera saw happen, the sums possible now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.errors import BadInput
from companion.night import events
from companion.night.codec import (
    alternatives_of,
    quad_from_json,
    seen_from_json,
    seen_to_json,
    tapped_card,
    zones_apart,
    zones_from_json,
    zones_to_json,
)
from companion.night.events import SCHEMA, Event, picture_name
from companion.night.state import NEWEST_EVENTS, NightState, Plan
from companion.night.values import SeenCard, SeenEvent, TableNow
from companion.rules.cards import TARGETS, NumberCard, parse_number_card
from companion.rules.claim import END_TARGET
from companion.rules.sums import possible_sums
from companion.table.bumped import moved_zones
from companion.table.places import is_somebody
from companion.table.values import TableEvent, Zones
from companion.table.zones import check_zones
from companion.vision.move import Move
from companion.vision.values import Quad, parse_reading

MOST_CARDS = 54
LEAST_SIDE = 0.01
"""A zone is at least so wide and high, in fractions of the picture."""


def plan_zones(state: NightState, deck: Quad | None, table: Quad | None) -> Plan:
    """Check where deck and table are said to lie.

    Raises:
        BadInput: a zone is no four-sided area within the picture.
    """
    zones = replace(state.zones, deck=_zone("deck", deck), table=_zone("table", table))
    return Plan(events.ZONES_SET, {"schema": SCHEMA, **zones_to_json(zones)})


def plan_zone(state: NightState, name: str, quad: Quad | None) -> Plan | None:
    """Check where one zone is said to lie; the others stay. None where nothing changes.

    Raises:
        BadInput: no such zone, no four-sided area within the picture, no such player.
    """
    zones = check_zones(state.zones.put(name, _zone(name, quad)))
    player = name.partition(" ")[2]
    seated = state.match.players if state.match else ()
    known = dict(state.zones.named())
    # A place that is known may be moved, though others play tonight; a guessed one is nobody's yet.
    may_be_set = not player or player in seated or name in known or is_somebody(player)
    if quad is not None and not may_be_set:
        raise BadInput("%(player)s does not play in this match", player=player[:40])
    if quad is None and name not in known:
        return None
    return Plan(events.ZONES_SET, {"schema": SCHEMA, **zones_to_json(zones)})


def plan_all_zones(state: NightState, zones: Zones) -> Plan | None:
    """All zones as a table's profile has them; None where they are so already."""
    if not zones_apart(state.zones, zones):
        return None
    return Plan(events.ZONES_SET, {"schema": SCHEMA, **zones_to_json(zones)})


def fold_zones(state: NightState, event: Event) -> NightState:
    """Other zones from now on."""
    return replace(state, zones=zones_from_json(event.payload))


def plan_bumped(move: Move) -> Plan:
    """Write down how the picture moved when the camera was bumped, in fractions of its sides."""
    return Plan(events.CAMERA_BUMPED, {"schema": SCHEMA, "move": list(move.matrix)})


def fold_bumped(state: NightState, event: Event) -> NightState:
    """The zones set by hand lie where the bump took them."""
    move = Move(tuple(float(number) for number in event.payload["move"]))
    return replace(state, zones=moved_zones(move, state.zones))


def plan_table(cards: Sequence[str], target: int | None, deck_gone: bool) -> Plan:
    """Check a table entered by tap.

    Raises:
        UnknownCard: a text is no number card.
        BadInput: too many cards, or no target from 7 to 10.
    """
    given = [tapped_card(str(parse_number_card(text))) for text in cards]
    if len(given) > MOST_CARDS:
        raise BadInput(
            "a table has at most %(most)s cards, not %(count)s", most=MOST_CARDS, count=len(given)
        )
    payload: dict[str, Any] = {"schema": SCHEMA, "cards": [seen_to_json(card) for card in given]}
    payload |= {"target": check_target(target, deck_gone), "deck_gone": bool(deck_gone)}
    return Plan(events.TABLE_SET, payload)


def fold_table(state: NightState, event: Event) -> NightState:
    """The table is what was tapped in."""
    cards = tuple(seen_from_json(card) for card in event.payload["cards"])
    target = event.payload["target"]
    table = TableNow(
        source="tap",
        cards=cards,
        target=target,
        target_text="" if target is None else f"#{target}",
        deck_gone=event.payload["deck_gone"],
    )
    return replace(state, tapped=with_sums(table))


def plan_seen(
    event: TableEvent,
    before: bytes | None = None,
    after: bytes | None = None,
    faces: Sequence[str] | None = None,
) -> Plan:
    """Write down what the camera saw happen, its readings raw, with the two pictures.

    ``faces`` are the T! cards that then lay face up before the players.
    """
    payload: dict[str, Any] = {
        "schema": SCHEMA,
        "what": event.kind.value,
        "text": str(event),
        "cards": [
            {
                "text": str(reading),
                "sure": reading.sure,
                "alternatives": [list(pair) for pair in alternatives_of(reading)],
            }
            for reading in event.cards
        ],
        "target_before": event.before,
        "target_after": event.after,
        "frame": event.frame_number,
        "picture_before": picture_name(before) if before else None,
        "picture_after": picture_name(after) if after else None,
    }
    if faces is not None:
        payload["faces"] = list(faces)
    return Plan(events.SEEN, payload, tuple(jpeg for jpeg in (before, after) if jpeg))


def fold_seen(state: NightState, event: Event) -> NightState:
    """One more thing happened on the table."""
    found = event.payload
    seen = SeenEvent(
        id=event.id,
        at=event.at,
        kind=found["what"],
        text=found["text"],
        cards=tuple(card["text"] for card in found["cards"]),
        target_before=found["target_before"],
        target_after=found["target_after"],
        picture_before=found["picture_before"],
        picture_after=found["picture_after"],
    )
    return replace(state, events=(seen, *state.events[: NEWEST_EVENTS - 1]))


def with_sums(table: TableNow) -> TableNow:
    """The table with its possible sums, best points first (rules T1, T5)."""
    target = END_TARGET if table.deck_gone else table.target
    cards = [best_number(card) for card in table.cards]
    known = tuple(card for card in cards if card is not None)
    sums = possible_sums(known, target) if target is not None and known else ()
    sure = all(card.sure for card in table.cards) and "?" not in table.target_text
    return replace(table, target=target, sums=sums, sums_sure=sure and len(known) == len(cards))


def best_number(card: SeenCard) -> NumberCard | None:
    """The number card that a seen card most likely is, None when it is none."""
    best = parse_reading(card.text).best
    return best if isinstance(best, NumberCard) else None


def check_target(target: object, deck_gone: bool) -> int | None:
    """Give a target back if it can be one (rule T2).

    Raises:
        BadInput: it is no whole number from 7 to 10, or not 7 with the deck gone.
    """
    if deck_gone:
        if target in (None, END_TARGET):
            return END_TARGET
        raise BadInput(
            "with the deck gone the target is 7, not %(target)s", target=str(target)[:40]
        )
    if target is None or (target in TARGETS and type(target) is int):
        return target
    raise BadInput("the target is from 7 to 10, not %(target)s", target=str(target)[:40])


def _zone(name: str, quad: object) -> Quad | None:
    if quad is None:
        return None
    wrong = BadInput(
        "the %(name)s zone is four corners [x, y] in fractions 0-1 of the picture", name=name
    )
    try:
        zone = quad_from_json(quad)  # type: ignore[arg-type]  # anything may come from outside
    except (TypeError, ValueError, IndexError, KeyError):
        raise wrong from None
    if zone is None or not all(0 <= side <= 1 for point in zone for side in point):
        raise wrong
    for axis in (0, 1):
        sides = [point[axis] for point in zone]
        if max(sides) - min(sides) < LEAST_SIDE:
            raise BadInput("the %(name)s zone is too small to hold a card", name=name)
    return zone
