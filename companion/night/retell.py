"""The story of evidence replayed: what happened between its views, with what the law makes of it.

A night's file holds every view, so that its rounds are told as the live table told them, the
players' choices among them. A claim's file holds the views around the claim alone: there the play
that the claim is about is told, on the table as the claim saw it. What a file lacks is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

from companion.night import events
from companion.night.bundle import Bundle
from companion.night.claims import without_play
from companion.night.codec import reading_of
from companion.night.events import Event, in_force
from companion.night.projection import fold
from companion.night.rejudge import Line, replay_bundle, seconds_between
from companion.night.state import NightState
from companion.night.stories import faces_of, seen_of, setting_of
from companion.night.values import ClaimRecord
from companion.table.story import Story, Told
from companion.table.story_values import Happening, Standing, Step
from companion.table.values import EventKind, TableEvent
from companion.vision.values import Reading, parse_reading

TAPPED = "no view of a table is in the report: there is no story to tell"
RECORDED = "a recording tells of no match: who played is not known"
NO_MATCH = "no match ran while some cards were played: who played them is not in the report"
NOT_WHOLE = (
    "round %(round)s of match %(match)s was not seen from its deal on: whose turn it was, and what "
    "was won before, is not in the report"
)
ONE_CLAIM = (
    "the report is of one claim: only the plays that its views show are told, without what the "
    "players chose; a report of the whole night tells every round"
)
NO_BEFORE = "the view before that of claim %(claim)s is not in the report: %(events)s is not told"
NO_AFTER = "no view after that of claim %(claim)s is in the report: its play is not told"


@dataclass(frozen=True, slots=True)
class StoryLine(Line):
    """What happened between two views, told by the law.

    Attributes:
        told: the step with the tale in force and the others that fit.
        players: the names at the seats, empty where no match ran.
    """

    told: Told = field(kw_only=True)
    players: tuple[str, ...] = ()

    def __str__(self) -> str:
        others = "".join(f"\n{' ' * 14}or: {tale}" for tale in self.told.others)
        return f"{self.at_s:7.2f} s    = {self.event}{others}"

    def to_json(self) -> dict[str, Any]:
        """The line as ``companion replay --story --json`` prints it."""
        told = self.told
        story = {
            "step": told.id,
            "happenings": [self._happening(one) for one in told.tale.happenings],
            "entered": told.entered,
            "chosen": told.choice is not None and told.choice.key is not None,
            "returned": told.returned,
            "others": [str(tale) for tale in told.others],
        }
        found: dict[str, Any] = {"at_s": round(self.at_s, 2), "event": self.event}
        return found | {"frame": self.frame, "story": story}

    def _happening(self, one: Happening) -> dict[str, Any]:
        return {
            "deed": one.deed.value,
            "player": _name(one, self.players),
            "cards": list(one.cards),
            "hand": one.hand,
            "target": one.target,
            "tweak": one.tweak,
            "rules": list(one.rules),
            "lawful": one.lawful,
        }


@dataclass(frozen=True, slots=True)
class Retold:
    """The story of a file of evidence.

    Attributes:
        lines: what was told, by the number of the raw event that it follows.
        lacks: what could not be told since the file does not hold it, one line each.
    """

    lines: Mapping[int, StoryLine]
    lacks: tuple[str, ...] = ()


def retold(bundle: Bundle) -> Retold:
    """Tell what happened between the views of a file of evidence."""
    kept = in_force(bundle.events)
    seen = {one.id: one for one in kept if one.kind == events.SEEN}
    if not seen:
        return Retold(MappingProxyType({}), (TAPPED,))
    book = _Book(kept[0].at, seen)
    lacks = _night(kept, book) if bundle.about.get("kind") == "night" else _claim(kept, book)
    said = tuple(dict.fromkeys(lacks))
    return Retold(MappingProxyType(book.lines), said)


def replayed(bundle: Bundle, story: bool = False) -> tuple[Iterator[Line], tuple[str, ...]]:
    """What a file of evidence shows line by line, and what its story lacks where one is wanted.

    Raises:
        BadInput: its events make no sense to this companion.
    """
    if not story:
        return replay_bundle(bundle), ()
    found = retold(bundle)
    return replay_bundle(bundle, found.lines), found.lacks


def recorded(
    happened: Iterable[TableEvent], story: bool = False
) -> tuple[Iterator[Line], tuple[str, ...]]:
    """What a recording shows line by line, each view told as it comes where a story is wanted."""
    return _recorded(happened, story), (RECORDED,) if story else ()


def _recorded(happened: Iterable[TableEvent], story: bool) -> Iterator[Line]:
    so_far = Story()
    for frame, view in groupby(happened, key=lambda event: event.frame_number):
        seen: list[TableEvent] = []
        for event in view:
            seen.append(event)
            yield Line(event.at_s, str(event), frame)
        so_far = so_far.saw(len(so_far.told) + 1, Step(tuple(seen)))
        told = so_far.told[-1]
        if story and told.tale.happenings:
            yield StoryLine(seen[-1].at_s, _sentence(told, ()), frame, told=told)


@dataclass(slots=True)
class _Book:
    """Lines in the making; a step that is told anew replaces its line."""

    began: str
    seen: Mapping[int, Event]
    lines: dict[int, StoryLine] = field(default_factory=dict)

    def enter(self, told: Told, players: tuple[str, ...]) -> None:
        """Write a step down after the last of its raw events."""
        for raw in range(told.id, told.id + len(told.step.events)):
            self.lines.pop(raw, None)
        if not told.tale.happenings:
            return
        last = self.seen[told.id + len(told.step.events) - 1]
        self.lines[last.id] = StoryLine(
            seconds_between(self.began, last.at),
            _sentence(told, players),
            int(last.payload["frame"]),
            told=told,
            players=players,
        )


def _night(kept: Sequence[Event], book: _Book) -> Iterator[str]:
    """A whole night, round by round, each step as it stood when its round was over."""
    state = NightState()
    whole: dict[tuple[int, int], bool] = {}
    for event in kept:
        before, state = state.story, fold(state, event)
        if state.story is before:
            continue
        players = _players(state)
        for told in state.story.told:
            book.enter(told, players)
        if players and state.match is not None:
            whole[len(state.matches), state.match.round_number] = state.story.standing.whole
    if not all(line.players for line in book.lines.values()):
        yield NO_MATCH
    for (match, number), seen in whole.items():
        if not seen:
            yield NOT_WHOLE % {"round": number, "match": match}


def _claim(kept: Sequence[Event], book: _Book) -> Iterator[str]:
    """One claim: its play, and what its later views show."""
    state = NightState()
    for event in kept:
        state = fold(state, event)
    yield ONE_CLAIM
    steps = _steps(book.seen)
    for claim in state.claims:
        first = next((n for n, one in enumerate(steps) if _follows(one[0], claim)), None)
        for earlier in steps[:first]:
            texts = "; ".join(str(one.payload["text"]) for one in earlier)
            yield NO_BEFORE % {"claim": claim.id, "events": texts}
        if first is None:
            yield NO_AFTER % {"claim": claim.id}
            continue
        for told in _told_since(state, claim, steps[first:]).told:
            book.enter(told, _players(state))


def _steps(seen: Mapping[int, Event]) -> list[list[Event]]:
    """The raw events of each pair of views, in order."""
    steps: list[list[Event]] = []
    for event in seen.values():
        last = steps[-1][-1] if steps else None
        if last is None or last.id != event.id - 1 or _views(last) != _views(event):
            steps.append([])
        steps[-1].append(event)
    return steps


def _views(event: Event) -> tuple[object, ...]:
    found = event.payload
    return found["picture_before"], found["picture_after"], found["frame"]


def _follows(event: Event, claim: ClaimRecord) -> bool:
    """Whether an event lies between the view of a claim and the first one after it."""
    before, after, _ = _views(event)
    return (before is not None and before == claim.picture) or (
        after is not None and after == claim.picture_after
    )


def _told_since(state: NightState, claim: ClaimRecord, steps: Sequence[list[Event]]) -> Story:
    """The story from a claim's view on, as long as one view follows on the other."""
    first = [seen_of(event) for event in steps[0]]
    taken = [card for one in first if one.kind is EventKind.TAKEN for card in one.cards]
    state = replace(state, story=Story(setting_of(state), (), _standing(state, claim, taken)))
    shown = {one.step: one.seen for one in claim.corrections if one.step is not None}
    before = None
    for step in steps:
        if before is not None and _views(step[0])[0] != _views(before[0])[1]:
            break
        told = Step(tuple(map(seen_of, step)), faces_of(step[-1]))
        state = replace(state, story=state.story.saw(step[0].id, told))
        away = before is not None and [str(one.payload["text"]) for one in step] == [
            f"{shown.get(before[0].id)} taken"
        ]
        if step[0].id in shown or away:
            state = without_play(state, step[0].id)
        before = step
    return state.story


def _standing(state: NightState, claim: ClaimRecord, taken: Sequence[Reading]) -> Standing:
    """How the round stood in the view that a claim was judged on, as far as its record tells.

    A hand card that was laid beside the others is left out of a claim's table, and was seen to go.
    """
    table = [reading_of(card) for card in claim.table]
    beside = Counter(map(str, taken)) - Counter(map(str, table))
    seat = state.running.players.index(claim.player) if claim.player else None
    laid = list(beside.elements())
    if claim.play is not None and claim.play.beside is not None:
        laid = [claim.table[claim.play.beside].text]
    return Standing(
        playing=True,
        whole=False,
        table=(*table, *map(parse_reading, beside.elements())),
        target=claim.target,
        deck_gone=claim.deck_gone,
        seat=seat,
        laid=(laid[0], seat) if len(laid) == 1 else None,
    )


def _players(state: NightState) -> tuple[str, ...]:
    match = state.match
    return match.players if match is not None and match.ended is None else ()


def _sentence(told: Told, players: tuple[str, ...]) -> str:
    """The tale in force with who did it and the rules, and whether it counts."""
    parts: list[str] = []
    who: str | None = None
    for one in told.tale.happenings:
        name = _name(one, players)
        parts.append(f"{name}: {one}" if name is not None and name != who else str(one))
        parts[-1] += f" ({' '.join(one.rules)})" if one.rules else ""
        parts[-1] += "" if one.lawful else ", no rule allows it"
        who = name or who
    if told.returned:
        parts.append("taken back, for its cards were seen there again")
    elif told.choice is not None and told.choice.key is not None:
        parts.append("as chosen")
    elif not told.entered:
        parts.append("counts for nobody")
    return "; ".join(parts)


def _name(one: Happening, players: tuple[str, ...]) -> str | None:
    return None if one.seat is None or not players else players[one.seat]
