"""Carry a move out: the state that follows (rules T4-T7, X2-X5, K2, K3, E1).

``apply`` judges first: a move that is not legal is never carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from companion.errors import IllegalMove
from companion.rules.cards import NumberCard, Tweak, TweakCard
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
from companion.rules.round import DeckCard, Phase, Seat, Seen, State
from companion.rules.turn import judge
from companion.rules.verdict import Verdict

_Card = TypeVar("_Card")


def apply(state: State, move: Move) -> State:
    """The state after a move.

    Raises:
        IllegalMove: the law refuses the move, or can't judge it; says why.
    """
    verdict = judge(state, move)
    if not verdict.legal:
        rules = ", ".join(verdict.rules)
        raise IllegalMove(f"{str(move)[:80]} is {verdict.ruling.value} ({rules}): {verdict.reason}")
    return _EFFECTS[type(move)](state, move, verdict)


def _joker(state: State, move: PlayJoker, verdict: Verdict) -> State:
    return state.after(seats=_used(state, Tweak.JOKER), tweak=move.play)


def _thief(state: State, move: PlayThief, verdict: Verdict) -> State:
    played = state.after(seats=_used(state, Tweak.THIEF), tweak=move.play)
    if move.card is None:
        return played
    return _lose_cards(played, ((move.victim, move.card),), move.top)


def _bomb(state: State, move: PlayBomb, verdict: Verdict) -> State:
    played = state.after(seats=_used(state, Tweak.BOMB), tweak=move.play)
    return _lose_cards(played, move.dropped, move.top)


def _shifter(state: State, move: PlayShifter, verdict: Verdict) -> State:
    played = state.after(seats=_used(state, Tweak.SHIFTER), tweak=move.play)
    if not state.deck:
        return played
    card = move.card or state.deck[0].front
    return played.after(table=(*state.table, card), deck=_rest(state, 1, move.top))


def _sum(state: State, move: MakeSum, verdict: Verdict) -> State:
    player = state.player
    seat = Seat(
        hand=_without_seen(player.hand, move.hand),
        won=(*player.won, *verdict.won),
        has=player.has,
        used=player.used,
        short=player.short,
    )
    table = state.table
    for card in move.taken:
        table = _without(table, card)
    after = state.after(
        seats=_with_seat(state, state.turn, seat),
        table=table,
        phase=Phase.DRAW,
        emptied=not table,
        unsaid=_may_still_say(state, table, verdict),
    )
    return _win_tweak(after, move.wins) if verdict.wins_tweak else after


def _may_still_say(state: State, table: tuple[NumberCard, ...], verdict: Verdict) -> bool:
    silent = not table and "D10" in verdict.rules and not verdict.wins_tweak
    return silent and state.house.late_tweak == "until draw"


def _lay(state: State, move: Lay, verdict: Verdict) -> State:
    seat = replace(state.player, hand=_without_seen(state.player.hand, move.card))
    return state.after(
        seats=_with_seat(state, state.turn, seat),
        table=(*state.table, move.card),
        phase=Phase.DRAW,
    )


def _say(state: State, move: SayTweak, verdict: Verdict) -> State:
    after = state.after(unsaid=False)
    return _win_tweak(after, move.wins) if verdict.wins_tweak else after


def _draw(state: State, move: Draw, verdict: Verdict) -> State:
    count = len(move.cards)
    drawn = tuple(
        given or there.front for given, there in zip(move.cards, state.deck, strict=False)
    )
    player = state.player
    seat = Seat(player.hand + drawn, player.won, player.has, player.used)
    after = state.after(
        seats=_with_seat(state, state.turn, seat),
        deck=_rest(state, count, move.top),
        unsaid=False,
    )
    if after.emptied and after.deck:
        return after.after(phase=Phase.FILL)
    return _next_turn(after)


def _fill(state: State, move: Fill, verdict: Verdict) -> State:
    deck = _rest(state, len(move.cards), move.top)
    return _next_turn(state.after(table=move.cards, deck=deck))


def _pass(state: State, move: Pass, verdict: Verdict) -> State:
    return state.after(phase=Phase.DRAW)


def _next_turn(state: State) -> State:
    if state.finished:
        return state.after(phase=Phase.OVER, tweak=None, emptied=False, unsaid=False)
    return state.after(
        turn=state.next_turn, phase=Phase.PLAY, tweak=None, emptied=False, unsaid=False
    )


def _lose_cards(state: State, lost: tuple[tuple[int, NumberCard], ...], top: int | None) -> State:
    """Cards go from hands to the table; the victims play one short, or draw at once (D8)."""
    seats, deck = list(state.seats), state.deck
    at_once = state.house.short_hand == "drawn at once"
    for victim, card in lost:
        hand = _without_seen(seats[victim].hand, card)
        if at_once and deck:
            hand, deck = (*hand, deck[0].front), deck[1:]
        seats[victim] = replace(seats[victim], hand=hand, short=not at_once)
    table = (*state.table, *(card for _, card in lost))
    after = state.after(seats=tuple(seats), table=table, deck=deck)
    return after.after(deck=_rest(after, 0, top))


def _rest(state: State, count: int, top: int | None) -> tuple[DeckCard, ...]:
    """The deck without its top cards; what shows on it is learned."""
    deck = state.deck[count:]
    if top is None or not deck or deck[0].target is not None:
        return deck
    return (DeckCard(deck[0].front, top), *deck[1:])


def _used(state: State, kind: Tweak) -> tuple[Seat, ...]:
    """The seats once the player has turned a T! card of this kind over."""
    player = state.player
    card = TweakCard(kind)
    has = _without(player.has, card if card in player.has else TweakCard())
    return _with_seat(state, state.turn, replace(player, has=has, used=(*player.used, card)))


def _win_tweak(state: State, wins: Tweak | None) -> State:
    card = state.stack[0]
    if card.kind is None:
        card = TweakCard(wins)
    player = state.player
    seats = _with_seat(state, state.turn, replace(player, has=(*player.has, card)))
    return state.after(seats=seats, stack=state.stack[1:], unsaid=False)


def _with_seat(state: State, number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*state.seats[:number], seat, *state.seats[number + 1 :])


def _without(cards: tuple[_Card, ...], card: _Card) -> tuple[_Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _without_seen(hand: tuple[Seen, ...], card: NumberCard) -> tuple[Seen, ...]:
    """A hand without a card, or without one that was not known till now."""
    return _without(hand, card if card in hand else None)


def play(state: State, moves: Iterable[Move]) -> State:
    """Carry out moves one after the other.

    Raises:
        IllegalMove: the law refuses one of them.
    """
    for move in moves:
        state = apply(state, move)
    return state


_EFFECTS: Mapping[type, Callable[[State, Any, Verdict], State]] = MappingProxyType(
    {
        PlayJoker: _joker,
        PlayThief: _thief,
        PlayBomb: _bomb,
        PlayShifter: _shifter,
        MakeSum: _sum,
        Lay: _lay,
        SayTweak: _say,
        Draw: _draw,
        Fill: _fill,
        Pass: _pass,
    }
)
