"""Every move that the law allows now (rules T1-T7, X1-X6, K2, K3).

Each move comes once by what it does: equal cards are not told apart, and "TWEAK" is listed only
where it counts. Where a hand or the deck is not known, every card that is nowhere else is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from companion.rules.cards import NumberCard, Tweak
from companion.rules.draw_law import due_cards, due_fill
from companion.rules.editions import number_cards
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
    SayTweak,
)
from companion.rules.round import Phase, Seen, State
from companion.rules.sums import possible_sums
from companion.rules.turn import judge


def legal_moves(state: State) -> tuple[Move, ...]:
    """The legal moves of the player whose turn it is; none once the round is over."""
    match state.phase:
        case Phase.PLAY:
            moves = _plays(state) if state.player.hand else iter((Pass(state.turn),))
        case Phase.DRAW:
            moves = _ends(state)
        case Phase.FILL:
            moves = _fills(state)
        case Phase.OVER:
            return ()
    return tuple(move for move in moves if judge(state, move).legal)


def unseen(state: State) -> tuple[NumberCard, ...]:
    """Each kind of number card of which a copy lies where nobody has seen it."""
    left = Counter(number_cards(state.colours))
    left.subtract(card for card in state.number_cards() if card is not None)
    return tuple(card for card, count in left.items() if count > 0)


def could_be(state: State, cards: tuple[Seen, ...]) -> tuple[NumberCard, ...]:
    """Each kind of card that one of these may be, known ones first."""
    known = [card for card in cards if card is not None]
    hidden = unseen(state) if None in cards else ()
    return tuple(dict.fromkeys((*known, *hidden)))


def _plays(state: State) -> Iterator[Move]:
    seat, hand = state.turn, could_be(state, state.player.hand)
    if state.tweak is None:
        yield from _tweaks(state)
    if state.target is not None:
        for found in possible_sums(state.table, state.target + state.change, hand):
            assert found.hand_card is not None
            yield MakeSum(seat, found.hand_card, found.taken)
            if found.is_tweak:
                yield MakeSum(seat, found.hand_card, found.taken, said_tweak=True)
    for card in hand:
        yield Lay(seat, card)


def _tweaks(state: State) -> Iterator[Move]:
    kinds = {card.kind for card in state.player.has}
    for kind in Tweak:
        if kind in kinds or None in kinds:
            yield from _choices(state, kind)


def _choices(state: State, kind: Tweak) -> Iterator[Move]:
    seat = state.turn
    others = [number for number in range(len(state.seats)) if number != seat]
    hands = {number: could_be(state, state.seats[number].hand) for number in others}
    match kind:
        case Tweak.JOKER:
            yield from (PlayJoker(seat, +1), PlayJoker(seat, -1))
        case Tweak.THIEF:
            for victim in others:
                yield from (PlayThief(seat, victim, card) for card in hands[victim] or (None,))
        case Tweak.BOMB:
            losers = [number for number in others if hands[number]]
            for cards in product(*(hands[number] for number in losers)):
                yield PlayBomb(seat, tuple(zip(losers, cards, strict=True)))
        case Tweak.SHIFTER:
            front = (state.deck[0].front,) if state.deck else ()
            yield from (PlayShifter(seat, card) for card in could_be(state, front) or (None,))


def _ends(state: State) -> Iterator[Move]:
    if state.unsaid:
        yield SayTweak(state.turn)
    yield Draw(state.turn, tuple(card.front for card in state.deck[: due_cards(state)]))


def _fills(state: State) -> Iterator[Move]:
    fronts = [could_be(state, (card.front,)) for card in state.deck[: due_fill(state)]]
    yield from (Fill(state.turn, cards) for cards in product(*fronts))
