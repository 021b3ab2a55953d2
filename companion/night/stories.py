"""The story of the round that is played now: told from what was seen, and from the players' taps.

Nothing told is written down: it follows from the journal's raw events and choices, so that a
companion that tells better tells an old night better too. Readings stay as they were seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.errors import BadInput
from companion.night import events, matches, tables
from companion.night.codec import alternatives_from_json
from companion.night.events import SCHEMA, Event
from companion.night.matches import house_of, lost_in_play
from companion.night.state import NightState, Plan, seat_of
from companion.rules.cards import Colour, parse_card
from companion.rules.editions import number_cards
from companion.rules.round import first_turn
from companion.table.story import Choice, Story
from companion.table.story_values import Setting, Step
from companion.table.values import EventKind, TableEvent
from companion.vision.values import Reading, parse_reading


def setting_of(state: NightState) -> Setting:
    """What the story has to know of the match that runs; empty without one."""
    match = state.match
    if match is None or match.ended is not None:
        return Setting()
    house, players = house_of(match), len(match.players)
    return Setting(
        players=players,
        first=first_turn(match.players.index(match.dealer), players, house),
        clockwise=house.direction == "clockwise",
        cards=len(number_cards(Colour(name) for name in match.colours)) - len(lost_in_play(match)),
    )


def fold_start(state: NightState, event: Event) -> NightState:
    """A match starts: a table dealt before belongs to it, a round already won from does not."""
    state = matches.fold_start(state, event)
    old = state.story.standing
    if old.won or old.over:
        return replace(state, story=Story(setting_of(state)))
    return _retold(state)


def fold_close(state: NightState, event: Event) -> NightState:
    """A round is closed: the next one's story begins."""
    state = matches.fold_close(state, event)
    return replace(state, story=Story(setting_of(state)))


def fold_dealer(state: NightState, event: Event) -> NightState:
    """Another dealer, so another first player (D2): the round is told anew."""
    return _retold(matches.fold_dealer(state, event))


def _retold(state: NightState) -> NightState:
    story = Story(setting_of(state))
    for told in state.story.told:
        story = story.saw(told.id, told.step)
        if told.choice is not None:
            story = story.choose(told.id, told.choice)
    return replace(state, story=story)


def fold_seen(state: NightState, event: Event) -> NightState:
    """One more raw event; those of one settled view make one step of the story."""
    newest = state.events[0] if state.events else None
    state = tables.fold_seen(state, event)
    seen, faces = seen_of(event), faces_of(event)
    story = state.story
    last = story.told[-1] if story.told else None
    same_view = (
        last is not None
        and newest is not None
        and newest.id == event.id - 1 == last.id + len(last.step.events) - 1
        and last.step.events[-1].frame_number == seen.frame_number
    )
    if last is not None and same_view:
        story = story.saw(last.id, Step((*last.step.events, seen), faces))
    else:
        story = story.saw(event.id, Step((seen,), faces))
    return replace(state, story=story)


def plan_choice(state: NightState, step: int, key: str | None, player: str | None) -> Plan:
    """Check what the players say happened.

    Raises:
        NotFound: no such step in this round, or no such player.
        BadInput: none of the step's tales, or neither tale nor player given.
    """
    if key is None and player is None:
        raise BadInput("wanted what happened, or who did it")
    seat = None if player is None else seat_of(state.running, player)
    state.story.choose(step, Choice(key, seat))
    payload: dict[str, Any] = {"schema": SCHEMA, "step": step, "tale": key, "seat": seat}
    return Plan(events.HAPPENING_CHOSEN, payload)


def fold_chosen(state: NightState, event: Event) -> NightState:
    """What happened is what the players say; every later step follows."""
    found = event.payload
    choice = Choice(found["tale"], found["seat"])
    try:
        return replace(state, story=state.story.choose(int(found["step"]), choice))
    except BadInput as error:
        raise ValueError(str(error)) from error


def seen_of(event: Event) -> TableEvent:
    """What was seen to happen, read back from the journal."""
    found = event.payload
    return TableEvent(
        kind=EventKind(found["what"]),
        at_s=0.0,
        frame_number=int(found["frame"]),
        cards=tuple(_reading(card) for card in found["cards"]),
        before=found["target_before"],
        after=found["target_after"],
    )


def faces_of(event: Event) -> tuple[str, ...] | None:
    """The T! cards that then lay face up, None where nobody looked for any."""
    faces = event.payload.get("faces")
    return None if faces is None else tuple(str(text) for text in faces)


def _reading(found: dict[str, Any]) -> Reading:
    pairs = alternatives_from_json(found["alternatives"])
    if not pairs:
        return parse_reading(str(found["text"]))
    options = tuple((parse_card(text), score) for text, score in pairs)
    return Reading(options=options, sure=bool(found["sure"]))
