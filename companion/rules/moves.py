"""The moves of a round, each with its one line of text (rules T1-T7, X1-X5, K2, D3).

====================================== =====================================================
``p1 joker +1``                        plays a Joker: the target is one more
``p1 thief p2 R5``                     plays a Thief: p2's R5 goes on the table
``p1 bomb p2:R5 p3:G1``                plays a Bomb: what the others put on the table
``p1 shifter R5 top #8``               plays a Shifter: the deck's R5 goes on the table
``p1 sum G5 + R1 + Y3 TWEAK``          makes a sum, the hand card first
``p1 lay G5``                          lays a card
``p1 says TWEAK``                      says it late, before drawing
``p1 draw R5 ?``                       draws up to three; a referee doesn't see which
``p1 fill R1 G2``                      fills the emptied table
``p1 pass``                            loses the turn, without a card to play
====================================== =====================================================

``top #8`` says what a referee then sees on the deck, ``wins T!joker`` which T! card was won,
``said "…"`` what was said aloud.

>>> from companion.rules.cards import parse_number_card as card
>>> str(MakeSum(0, card("G5"), (card("R1"), card("Y3")), said_tweak=True))
'p1 sum G5 + R1 + Y3 TWEAK'
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias

from companion.errors import BadInput
from companion.rules.cards import TARGETS, NumberCard, Tweak, TweakCard
from companion.rules.round_text import cards_text, seat_name
from companion.rules.tweaks import TweakPlay


def _check_seat(seat: int) -> None:
    if not 0 <= seat <= 5:
        raise BadInput(f"a seat is from p1 to p6, not p{seat + 1}")


def _check_top(top: int | None) -> None:
    if top is not None and top not in TARGETS:
        raise BadInput(f"the deck shows a target from 7 to 10, not {top}")


def _top_text(top: int | None) -> str:
    return "" if top is None else f" top #{top}"


def _wins_text(wins: Tweak | None) -> str:
    return "" if wins is None else f" wins {TweakCard(wins)}"


@dataclass(frozen=True, slots=True)
class PlayJoker:
    """A Joker: the target is one more or one less (X3)."""

    seat: int
    change: int

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        if self.change not in (1, -1):
            raise BadInput(f"a Joker changes the target by +1 or -1, not {self.change:+d}")

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} joker {self.change:+d}"

    @property
    def play(self) -> TweakPlay:
        """The T! card as it is played."""
        return TweakPlay.JOKER_UP if self.change > 0 else TweakPlay.JOKER_DOWN


@dataclass(frozen=True, slots=True)
class PlayThief:
    """A Thief: a random card of the victim's hand goes on the table (X2).

    Attributes:
        seat: who plays it.
        victim: whose card it is.
        card: the card as it then lies on the table; None where there was none (D6).
        top: the target that shows after the victim has drawn at once (D8).
    """

    seat: int
    victim: int
    card: NumberCard | None
    top: int | None = None
    play = TweakPlay.THIEF

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_seat(self.victim)
        _check_top(self.top)

    def __str__(self) -> str:
        card = cards_text([self.card])
        return f"{seat_name(self.seat)} thief {seat_name(self.victim)} {card}{_top_text(self.top)}"


@dataclass(frozen=True, slots=True)
class PlayBomb:
    """A Bomb: everybody else with a card puts one on the table (X5, D6)."""

    seat: int
    dropped: tuple[tuple[int, NumberCard], ...]
    top: int | None = None
    play = TweakPlay.BOMB

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_top(self.top)
        seats = [seat for seat, _ in self.dropped]
        for seat in seats:
            _check_seat(seat)
        if seats != sorted(set(seats)):
            raise BadInput("a Bomb names each other player once, in the order of the seats")

    def __str__(self) -> str:
        dropped = cards_text(f"{seat_name(seat)}:{card}" for seat, card in self.dropped)
        return f"{seat_name(self.seat)} bomb {dropped}{_top_text(self.top)}"


@dataclass(frozen=True, slots=True)
class PlayShifter:
    """A Shifter: the deck's top card goes on the table, the next one gives the target (X4).

    Attributes:
        seat: who plays it.
        card: the card as it then lies on the table; None takes it from a known deck.
        top: the target that then shows.
    """

    seat: int
    card: NumberCard | None = None
    top: int | None = None
    play = TweakPlay.SHIFTER

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_top(self.top)

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} shifter {cards_text([self.card])}{_top_text(self.top)}"


@dataclass(frozen=True, slots=True)
class MakeSum:
    """A sum of one hand card with table cards (T1-T5).

    Attributes:
        seat: who makes it.
        hand: the card from the hand.
        taken: the table cards that it joins, one or more.
        said_tweak: whether "TWEAK" was said with it.
        wins: the T! card that was won, None where the stack tells or nobody saw.
        spoken: what was said aloud.
    """

    seat: int
    hand: NumberCard
    taken: tuple[NumberCard, ...]
    said_tweak: bool = False
    wins: Tweak | None = None
    spoken: str | None = None

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        if not self.taken:
            raise BadInput("a sum joins a hand card with one or more table cards: none is named")

    def __str__(self) -> str:
        cards = " + ".join(str(card) for card in (self.hand, *self.taken))
        tweak = " TWEAK" if self.said_tweak else ""
        said = "" if self.spoken is None else f" said {json.dumps(self.spoken, ensure_ascii=False)}"
        return f"{seat_name(self.seat)} sum {cards}{tweak}{_wins_text(self.wins)}{said}"


@dataclass(frozen=True, slots=True)
class Lay:
    """A hand card laid on the table: no sum is claimed (T6)."""

    seat: int
    card: NumberCard

    def __post_init__(self) -> None:
        _check_seat(self.seat)

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} lay {self.card}"


@dataclass(frozen=True, slots=True)
class SayTweak:
    """ "TWEAK" said after the sum and before the draw (D3)."""

    seat: int
    wins: Tweak | None = None

    def __post_init__(self) -> None:
        _check_seat(self.seat)

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} says TWEAK{_wins_text(self.wins)}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards drawn up to three in hand, as far as the deck goes; none once it is gone (T7)."""

    seat: int
    cards: tuple[NumberCard | None, ...] = ()
    top: int | None = None

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_top(self.top)

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} draw {cards_text(self.cards)}{_top_text(self.top)}"


@dataclass(frozen=True, slots=True)
class Fill:
    """Cards put from the deck on the emptied table (T7)."""

    seat: int
    cards: tuple[NumberCard, ...]
    top: int | None = None

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_top(self.top)

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} fill {cards_text(self.cards)}{_top_text(self.top)}"


@dataclass(frozen=True, slots=True)
class Pass:
    """A turn lost for want of a card to play (K2, K3)."""

    seat: int

    def __post_init__(self) -> None:
        _check_seat(self.seat)

    def __str__(self) -> str:
        return f"{seat_name(self.seat)} pass"


PlayTweak: TypeAlias = PlayJoker | PlayThief | PlayBomb | PlayShifter
Move: TypeAlias = PlayTweak | MakeSum | Lay | SayTweak | Draw | Fill | Pass
