"""The state of a round: who holds what, what lies where, whose turn it is (rules S1-S3, T2, E1).

A referee at a real table sees the table and the top of the deck, not the hands: ``None`` stands
for a number card that is not known, a :class:`TweakCard` without a kind for a T! card that is not.
Every state holds every card of the match exactly once; a state that can't be is refused at birth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from companion.errors import BadInput
from companion.rules.cards import TARGETS, Colour, NumberCard, TweakCard
from companion.rules.editions import END_TARGET, HAND_SIZE, TABLE_SIZE, Edition
from companion.rules.house import DEFAULTS, HouseRules
from companion.rules.round_checks import check_state
from companion.rules.round_text import state_text
from companion.rules.tweaks import TweakPlay

Seen: TypeAlias = NumberCard | None
"""A number card, None where it is not known which."""


class Phase(Enum):
    """What the player whose turn it is does next."""

    PLAY = "play"
    DRAW = "draw"
    FILL = "fill"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class DeckCard:
    """A card in the deck: its front and the target on its back, None where not known.

    >>> str(DeckCard(None, 9))
    '?#9'
    """

    front: Seen = None
    target: int | None = None

    def __post_init__(self) -> None:
        if self.target is not None and self.target not in TARGETS:
            raise BadInput(f"a black back shows a target from 7 to 10, not {self.target}")

    def __str__(self) -> str:
        return f"{self.front or '?'}#{self.target or '?'}"


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: seats go clockwise round the table (D2).

    Attributes:
        hand: up to three cards.
        won: the cards won in this round.
        has: T! cards won and not yet played, face up.
        used: T! cards won and played; they score as well (P4).
        short: plays the next turn one card short, after a Thief or a Bomb (X2, X5).
    """

    hand: tuple[Seen, ...] = ()
    won: tuple[Seen, ...] = ()
    has: tuple[TweakCard, ...] = ()
    used: tuple[TweakCard, ...] = ()
    short: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A round at one moment.

    Attributes:
        edition: which box is played.
        colours: the colours in play (S1).
        seats: the players, clockwise.
        table: the cards to play with.
        deck: the central deck, top card first.
        stack: the T! stack, top card first.
        dealer: the seat that dealt.
        turn: the seat whose turn it is.
        phase: what that player does next.
        tweak: the T! card played in this turn.
        emptied: whether this turn's sum emptied the table, so that it is to be filled (T7).
        unsaid: whether "TWEAK" may still be said for that sum (D3).
        house: the readings of this match.

    Raises:
        BadInput: at birth, for a state that can't be, with wanted and got.
    """

    edition: Edition
    colours: tuple[Colour, ...]
    seats: tuple[Seat, ...]
    table: tuple[NumberCard, ...]
    deck: tuple[DeckCard, ...]
    stack: tuple[TweakCard, ...]
    dealer: int = 0
    turn: int = 0
    phase: Phase = Phase.PLAY
    tweak: TweakPlay | None = None
    emptied: bool = False
    unsaid: bool = False
    house: HouseRules = DEFAULTS

    def __post_init__(self) -> None:
        check_state(self)

    def __str__(self) -> str:
        return state_text(self)

    @property
    def target(self) -> int | None:
        """The target as it shows, the Joker not counted in; None where it is not seen (T2)."""
        return self.deck[0].target if self.deck else END_TARGET

    @property
    def change(self) -> int:
        """What a Joker played in this turn does to the target (X3)."""
        return self.tweak.change if self.tweak else 0

    @property
    def player(self) -> Seat:
        """The player whose turn it is."""
        return self.seats[self.turn]

    @property
    def next_turn(self) -> int:
        """The seat that plays next (D2)."""
        step = 1 if self.house.direction == "clockwise" else -1
        return (self.turn + step) % len(self.seats)

    @property
    def finished(self) -> bool:
        """Whether the deck is gone and every hand is empty (E1)."""
        return not self.deck and not any(seat.hand for seat in self.seats)

    def number_cards(self) -> Iterator[Seen]:
        """Every number card of the match, wherever it lies."""
        for seat in self.seats:
            yield from seat.hand
            yield from seat.won
        yield from self.table
        for card in self.deck:
            yield card.front

    def tweak_cards(self) -> Iterator[TweakCard]:
        """Every T! card of the edition, wherever it lies."""
        for seat in self.seats:
            yield from seat.has
            yield from seat.used
        yield from self.stack

    def after(self, **changes: Any) -> State:
        """A state that follows lawfully from this one; for :mod:`companion.rules.apply` alone.

        Its promises are those of this state, so they are not checked again (that is what makes
        a simulated round quick).
        """
        new = object.__new__(State)
        for name in _FIELDS:
            object.__setattr__(new, name, changes[name] if name in changes else getattr(self, name))
        return new


_FIELDS = tuple(State.__dataclass_fields__)


def first_turn(dealer: int, players: int, house: HouseRules) -> int:
    """The seat that starts a round (D2).

    >>> first_turn(dealer=3, players=4, house=HouseRules())
    0
    """
    step = {"left of dealer": 1, "right of dealer": -1, "dealer": 0}[house.first]
    return (dealer + step) % players


@dataclass(frozen=True, slots=True)
class Deal:
    """What a round is dealt from (S1, S2).

    Attributes:
        edition: which box is played.
        colours: the colours in play.
        players: 2-6.
        dealer: the seat that deals (S3).
        house: the readings of this match.
    """

    edition: Edition
    colours: tuple[Colour, ...]
    players: int
    dealer: int = 0
    house: HouseRules = DEFAULTS

    def state(self, deck: Sequence[DeckCard], stack: Sequence[TweakCard]) -> State:
        """Deal three cards to each player, then two to the table (S2).

        Args:
            deck: the shuffled number cards, top first; unknown fronts for a referee.
            stack: the shuffled T! cards, top first.

        Raises:
            BadInput: the cards are not those of the match, or too few to deal.
        """
        needed = HAND_SIZE * self.players + TABLE_SIZE
        laid = [card.front for card in deck[needed - TABLE_SIZE : needed]]
        table = tuple(card for card in laid if card is not None)
        if len(deck) < needed or len(table) < TABLE_SIZE:
            raise BadInput(
                f"{self.players} players need {needed} cards to deal, the last two of them known"
            )
        start = first_turn(self.dealer, self.players, self.house)
        hands = {
            (start + place) % self.players: tuple(
                card.front for card in deck[place * HAND_SIZE : (place + 1) * HAND_SIZE]
            )
            for place in range(self.players)
        }
        return State(
            edition=self.edition,
            colours=self.colours,
            seats=tuple(Seat(hand=hands[seat]) for seat in range(self.players)),
            table=table,
            deck=tuple(deck[needed:]),
            stack=tuple(stack),
            dealer=self.dealer,
            turn=start,
            house=self.house,
        )
