"""Evidence replayed: every verdict of a bundle given anew from its stored readings, and compared.

Where models are at hand the pictures are read anew too. Words may be put better from version to
version; ruling, rules, what is won and what is asked may not change unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion.errors import BadInput
from companion.night import events
from companion.night.bundle import Bundle
from companion.night.claim_values import Asking
from companion.night.codec import reading_of
from companion.night.events import Event, in_force
from companion.night.evidence import evidence_of, judge_seen
from companion.night.matches import house_of
from companion.night.projection import fold
from companion.night.state import NightState
from companion.night.values import ClaimRecord, MatchNow, SeenCard
from companion.rules.editions import parse_edition
from companion.rules.verdict import Verdict
from companion.table.scene import may_be_same
from companion.vision.pictures import decode_picture
from companion.vision.pipeline import Eyes
from companion.vision.quads import iou, scaled
from companion.vision.values import Frame, Quad, TableView

SAME_CARD = 0.4
"""A card read anew is the one that overlaps its stored corners so much."""


@dataclass(frozen=True, slots=True)
class Case:
    """One claim of a bundle, with the match that it belongs to."""

    match: MatchNow
    claim: ClaimRecord

    def __str__(self) -> str:
        return f"claim {self.claim.id}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a night replayed.

    Attributes:
        at_s: seconds after the first event.
        event: a table event, or a claim with its verdict.
        frame: number of the frame it was seen in, None for a claim.
        changed: what is judged otherwise than then.
    """

    at_s: float
    event: str
    frame: int | None = None
    changed: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.at_s:7.2f} s  {'; '.join((self.event, *self.changed))}"

    def to_json(self) -> dict[str, Any]:
        """The line as ``companion replay --json`` prints it."""
        found = {"at_s": round(self.at_s, 2), "event": self.event, "frame": self.frame}
        return found | {"changed": list(self.changed)} if self.changed else found


def cases_of(bundle: Bundle) -> tuple[Case, ...]:
    """The claims that a bundle holds, oldest first.

    Raises:
        BadInput: its events make no sense to this companion.
    """
    return tuple(case for done in _told(bundle.events) for case in done)


def replay_bundle(bundle: Bundle, story: Mapping[int, Line] | None = None) -> Iterator[Line]:
    """What a night's evidence shows, in order: table events, and claims with their verdicts.

    Args:
        bundle: the evidence.
        story: what happened by the law, by the number of the event that it follows.

    Raises:
        BadInput: its events make no sense to this companion.
    """
    cases = {case.claim.id: case for case in cases_of(bundle)}
    kept = in_force(bundle.events)
    for event in kept:
        at_s = seconds_between(kept[0].at, event.at)
        if event.kind == events.SEEN:
            yield Line(at_s, str(event.payload["text"]), int(event.payload["frame"]))
            if story is not None and event.id in story:
                yield story[event.id]
        elif event.kind == events.CLAIMED and event.id in cases:
            case = cases[event.id]
            what = f"{case}: {_short(case.claim.ruling)}"
            yield Line(at_s, what, changed=tuple(differences(case)))


def differences(case: Case) -> list[str]:
    """What is judged otherwise than then, one line each; empty where all is as it was."""
    claim = case.claim
    found: list[str] = []
    first = replace(claim, corrections=(), play_seen=None)
    found += _compared(case, first, claim.verdict, claim.question)
    for count, told in enumerate(claim.corrections, start=1):
        so_far = replace(claim, corrections=claim.corrections[:count])
        found += _compared(case, so_far, told.verdict, told.question)
    return found


def misread(case: Case, bundle: Bundle, eyes: Eyes) -> list[str]:
    """Which cards are read otherwise in the stored pictures now, one line each.

    A card counts as read the same where both readings leave one card open to be it, and as seen
    the same where something lies at its corners.
    """
    found: list[str] = []
    pictures = (
        (case.claim.picture, case.claim.table),
        (case.claim.picture_after, case.claim.after),
    )
    for name, cards in pictures:
        if name is None or not any(card.quad for card in cards):
            continue
        bgr = decode_picture(bundle.pictures[name], f"picture {name[:12]}…")
        view = eyes.see(Frame(bgr=bgr, taken_at_s=0.0))
        found += [line for card in cards for line in _read_otherwise(card, view)]
    return found


def _read_otherwise(card: SeenCard, view: TableView) -> Iterator[str]:
    if card.quad is None:
        return
    quad: Quad = scaled(card.quad, view.width_px, view.height_px)
    there = max(view.sightings, key=lambda one: iou(one.quad_px, quad), default=None)
    if there is None or iou(there.quad_px, quad) < SAME_CARD:
        yield f"{card.text} is not found any more"
    elif not may_be_same(there.reading, reading_of(card)):
        yield f"{card.text} is read as {there.reading} now"


def seconds_between(start: str, at: str) -> float:
    """How long after one time in the journal another one is, in seconds."""
    return (datetime.fromisoformat(at) - datetime.fromisoformat(start)).total_seconds()


def _told(journal: tuple[Event, ...]) -> Iterator[list[Case]]:
    """The claims of match after match, each as it stood when the match was over."""
    state = NightState()
    for event in in_force(journal):
        if event.kind == events.MATCH_STARTED:
            yield _cases(state)
        state = fold(state, event)
    yield _cases(state)
    if state.oddities:
        raise BadInput(f"the bundle's journal cannot be followed: {state.oddities[0]}")


def _cases(state: NightState) -> list[Case]:
    match = state.match
    return [] if match is None else [Case(match, claim) for claim in reversed(state.claims)]


def _compared(case: Case, claim: ClaimRecord, then: Verdict, asked: Asking | None) -> Iterator[str]:
    match = case.match
    try:
        now = judge_seen(
            claim.said, evidence_of(claim), parse_edition(match.edition), house_of(match)
        )
    except BadInput as error:
        yield f"{case} was {_short(then)}, and cannot be judged now: {error}"
        return
    if _gist(now.verdict) != _gist(then):
        yield f"{case} was {_short(then)}, and is {_short(now.verdict)} now"
    elif _asked(now.question) != _asked(asked):
        yield f"{case} asked {_asked(asked)}, and asks {_asked(now.question)} now"


def _gist(verdict: Verdict) -> tuple[object, ...]:
    won = [str(card) for card in verdict.won]
    return verdict.ruling, verdict.rules, verdict.wins_tweak, won, verdict.points


def _short(verdict: Verdict) -> str:
    return f"{verdict.ruling.value} by {' '.join(verdict.rules)}"


def _asked(asking: Asking | None) -> str:
    if asking is None:
        return "nothing"
    return f"about {asking.about}: {' or '.join(asking.options) or 'anything'}"
