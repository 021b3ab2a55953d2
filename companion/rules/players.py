"""A simple player, for simulated rounds: takes the best sum, helps it with a T! card if it must.

The player looks at nothing that a person at the table could not see, and decides the rest with
dice that are passed in.
"""

from __future__ import annotations

from random import Random

from companion.rules.cards import NumberCard, Tweak
from companion.rules.draw_law import due_cards, due_fill
from companion.rules.moves import (
    Draw,
    Fill,
    Lay,
    MakeSum,
    Move,
    Pass,
    PlayBomb,
    PlayJoker,
    PlayShifter,
    PlayThief,
)
from companion.rules.round import Phase, State
from companion.rules.scoring import points_of
from companion.rules.sums import Sum, possible_sums

FORGETS_TWEAK = 0.05
"""How often the player forgets to say it."""
TWEAK_WORTH = 2
"""Points that the T! card of a TWEAK is worth to the player (P4)."""


def choose(state: State, dice: Random) -> Move:
    """What the simple player does next, in a state whose cards are all known.

    Raises:
        ValueError: the round is over.
    """
    seat = state.turn
    match state.phase:
        case Phase.PLAY:
            return _play(state, dice) if state.player.hand else Pass(seat)
        case Phase.DRAW:
            drawn = state.deck[: due_cards(state)]
            return Draw(seat, tuple(card.front for card in drawn))
        case Phase.FILL:
            fronts = (card.front for card in state.deck[: due_fill(state)])
            return Fill(seat, tuple(card for card in fronts if card is not None))
        case Phase.OVER:
            raise ValueError("the round is over: no move is left to choose")


def _play(state: State, dice: Random) -> Move:
    best = _best(state, state.change)
    if best is not None and best.hand_card is not None:
        said = best.is_tweak and dice.random() >= FORGETS_TWEAK
        return MakeSum(state.turn, best.hand_card, best.taken, said)
    if state.tweak is None and state.player.has:
        helped = _tweak(state, dice)
        if helped is not None:
            return helped
    return Lay(state.turn, _least(known_hand(state, state.turn)))


def _best(state: State, change: int) -> Sum | None:
    if state.target is None:
        return None
    sums = possible_sums(state.table, state.target + change, known_hand(state, state.turn))
    worth = [found.points + TWEAK_WORTH * found.is_tweak for found in sums[:20]]
    return sums[worth.index(max(worth))] if sums else None


def _tweak(state: State, dice: Random) -> Move | None:
    """A T! card that may lead to a sum, None where none can be played."""
    seat, kind = state.turn, dice.choice(state.player.has).kind
    others = [one for one in range(len(state.seats)) if one != seat and state.seats[one].hand]
    match kind:
        case Tweak.JOKER:
            for change in (1, -1):
                if _best(state, change):
                    return PlayJoker(seat, change)
        case Tweak.SHIFTER if state.deck:
            return PlayShifter(seat, state.deck[0].front)
        case Tweak.THIEF if others:
            victim = dice.choice(others)
            return PlayThief(seat, victim, dice.choice(known_hand(state, victim)))
        case Tweak.BOMB if others:
            return PlayBomb(seat, tuple((one, _least(known_hand(state, one))) for one in others))
    return None


def known_hand(state: State, seat: int) -> tuple[NumberCard, ...]:
    """The cards of a hand that are known."""
    return tuple(card for card in state.seats[seat].hand if card is not None)


def _least(cards: tuple[NumberCard, ...]) -> NumberCard:
    return min(cards, key=points_of)
