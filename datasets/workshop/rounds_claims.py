"""A clip of a round before it is timed: its beats, its mishaps, and the claims made in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import BadInput
from companion.rules.claim import judge_line
from companion.rules.editions import Edition

from .clip_beats import Beat, Lying
from .rounds_play import Deed, Pieces


@dataclass(frozen=True, slots=True)
class Said:
    """A claim, when it is tapped, and what the law says to it.

    Attributes:
        beat: number of the beat that it belongs to.
        before: whether it is tapped before the hand sets out, else after it has gone.
        line: the claim and its true verdict, as they lie beside the clip.
    """

    beat: int
    before: bool
    line: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that happens to camera or lamp while nobody moves, in a beat's stillness."""

    beat: int
    kind: str
    after_s: float
    lasts_s: float


@dataclass(frozen=True, slots=True)
class Known:
    """How the table stands once a beat is over: the target, the cards to play with."""

    target: int
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A clip before it is timed.

    Attributes:
        lying: what lies there when it begins, lowest first.
        first: events that the first look tells.
        beats: what happens, in order.
        known: the table after each beat.
        said: the claims.
        mishaps: what happens to camera and lamp.
    """

    lying: tuple[Lying, ...]
    first: tuple[str, ...]
    beats: tuple[Beat, ...]
    known: tuple[Known, ...]
    said: tuple[Said, ...]
    mishaps: tuple[Mishap, ...]


def claim_line(deed: Deed, pieces: Pieces, edition: Edition, aloud: bool) -> dict[str, Any]:
    """A claim as it lies beside the clip, with the law's verdict on what truly lay there.

    Args:
        deed: the sum, or the card laid with a wrong claim.
        pieces: what is claimed, the hand card first.
        edition: which box is played.
        aloud: whether the sum is said aloud too.
    """
    cards = [deed.before.card(piece) for piece in pieces]
    spoken = None
    if aloud:
        spoken = spoken_sum([card.value for card in cards], deed.before.target, bool(deed.wrong))
    declared: dict[str, Any] = {
        "hand": str(cards[0]),
        "taken": [str(card) for card in cards[1:]],
        "tweak": deed.tweak,
        "said_tweak": deed.said_tweak,
        "spoken": spoken,
    }
    lawful: dict[str, Any] = {
        "edition": edition.value,
        "target": deed.before.target,
        "deck_empty": not deed.before.deck,
        "table": [str(deed.before.card(piece)) for piece in deed.before.lying],
    }
    verdict = judge_line(json.dumps({**lawful, **declared}))
    if "error" in verdict:
        raise BadInput(f"a made claim can't be judged: {verdict['error']}")
    line = {"player": f"P{deed.move.seat + 1}", **declared, "table": lawful["table"]}
    line |= {"target": deed.before.target, "verdict": verdict["verdict"]}
    return line | {"wins_tweak": verdict["wins_tweak"]}


def spoken_sum(values: Sequence[int], target: int, wrong: bool) -> str:
    """The sum as it is said aloud, hand card last (rule T3); a wrong one ends on the target."""
    said = [*sorted(values[1:]), values[0]]
    total, words = said[0], str(said[0])
    for step, value in enumerate(said[1:], 1):
        total += value
        shown = target if wrong and step == len(said) - 1 else total
        words += f" and {value} is {shown}" if step == 1 else f", and {value} is {shown}"
    return words
