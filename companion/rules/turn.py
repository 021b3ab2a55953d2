"""Is this move allowed, and why? The referee of a round (rules T1-T7, X1-X6, K1-K3).

``judge`` answers for any move of any player at any moment; what is not known makes the answer
unclear only where it matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.rules import reasons
from companion.rules.cards import NumberCard, Tweak, TweakCard
from companion.rules.draw_law import judge_draw, judge_fill
from companion.rules.editions import TWEAK_COUNTS, number_copies
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
from companion.rules.reasons import no, unclear, yes
from companion.rules.round import Phase, State
from companion.rules.round_text import seat_name
from companion.rules.spoken import hear
from companion.rules.sum_verdict import SumFacts, judge_sum
from companion.rules.sums import Sum, possible_sums
from companion.rules.tweak_law import judge_bomb, judge_joker, judge_shifter, judge_thief
from companion.rules.verdict import LAID, Verdict

_PLAYS = (PlayJoker, PlayThief, PlayBomb, PlayShifter)


def judge(state: State, move: Move) -> Verdict:
    """Say whether a move is within the law, by which rules, and why.

    Raises:
        BadInput: the move names a seat that the round does not have.
    """
    if move.seat >= len(state.seats):
        raise BadInput(f"the round has p1 to p{len(state.seats)}, not {seat_name(move.seat)}")
    if state.phase is Phase.OVER:
        return no(("E1",), reasons.ROUND_OVER)
    if move.seat != state.turn:
        return _out_of_turn(state, move)
    return _JUDGES[type(move)](state, move)


def missed_sums(state: State, move: Lay) -> tuple[Sum, ...]:
    """The sums that a laid card gives away for good, best points first (K1).

    Without a target in sight there is nothing to list.
    """
    if state.target is None:
        return ()
    return possible_sums(state.table, state.target + state.change, (move.card,))


def sum_facts(state: State, move: MakeSum) -> SumFacts:
    """What a sum in a round is judged by."""
    said = move.said_tweak or (move.spoken is not None and hear(move.spoken).said_tweak)
    return SumFacts(
        cards=(move.hand, *move.taken),
        left=len(state.table) - len(move.taken),
        target=state.target,
        change=state.change,
        deck_gone=not state.deck,
        said_tweak=said,
        spoken=move.spoken,
        stack_empty=not state.stack,
    )


def _out_of_turn(state: State, move: Move) -> Verdict:
    rules = ("D2",)
    if isinstance(move, _PLAYS):
        rules = ("X1",)
    elif isinstance(move, MakeSum):
        rules = ("K1",)
    names = {"turn": seat_name(state.turn), "seat": seat_name(move.seat)}
    return no(rules, reasons.OUT_OF_TURN, **names)


def _judge_sum(state: State, move: MakeSum) -> Verdict:
    if state.phase is not Phase.PLAY:
        return no(("T6", "K1"), reasons.CHANCE_LOST)
    refused = _not_in_hand(state, move.hand, "T1") or _not_on_table(state, move)
    if refused:
        return refused
    verdict = judge_sum(sum_facts(state, move), state.house)
    return (verdict.legal and _wrong_win(state, move.wins, verdict.wins_tweak)) or verdict


def _judge_lay(state: State, move: Lay) -> Verdict:
    if state.phase is not Phase.PLAY:
        return no(("T6",), reasons.CARD_PLAYED, seat=seat_name(move.seat))
    refused = _not_in_hand(state, move.card, "T6")
    if refused:
        return refused
    if state.tweak is None:
        return yes(("T6",), LAID, card=str(move.card))
    if state.house.tweak_without_sum == "refused":
        return _must_sum(state) or yes(("T6", "D7"), LAID, card=str(move.card))
    return yes(("T6", "D7"), LAID, card=str(move.card))


def _must_sum(state: State) -> Verdict | None:
    """Why a card can't be laid after a T! card, in a match that asks for a sum then (D7)."""
    seat = seat_name(state.turn)
    if state.target is None:
        return unclear(("D7", "T2"), reasons.SUM_PERHAPS, seat=seat)
    target = state.target + state.change
    hand = tuple(card for card in state.player.hand if card is not None)
    for found in possible_sums(state.table, target, hand):
        return no(("D7",), reasons.SUM_POSSIBLE, sum=str(found))
    if len(hand) < len(state.player.hand) and possible_sums(state.table, target):
        return unclear(("D7",), reasons.SUM_PERHAPS, seat=seat)
    return None


def _judge_pass(state: State, move: Pass) -> Verdict:
    seat = seat_name(move.seat)
    if state.phase is not Phase.PLAY:
        return no(("T6",), reasons.CARD_PLAYED, seat=seat)
    if state.player.hand:
        count = len(state.player.hand)
        return no(("T6",), reasons.HAS_CARDS, seat=seat, count=count)
    return yes(("K2",) if state.deck else ("K3",), reasons.LOST_TURN, seat=seat)


def _judge_say(state: State, move: SayTweak) -> Verdict:
    if not state.unsaid:
        late = state.emptied and state.phase is Phase.FILL
        if late or (state.emptied and state.house.late_tweak == "with the sum"):
            return no(("D3",), reasons.TWEAK_AFTER_DRAW)
        return no(("T5",), reasons.TWEAK_NOT_DUE)
    if not state.stack and state.house.empty_stack == "no sum":
        return no(("D3", "D4"), reasons.TWEAK_SAID_NO_STACK)
    if not state.stack:
        said = yes(("D3", "D4"), reasons.TWEAK_SAID_NO_STACK)
    else:
        said = replace(yes(("T5", "D3"), reasons.TWEAK_SAID_LATE), wins_tweak=True)
    return _wrong_win(state, move.wins, said.wins_tweak) or said


def _wrong_win(state: State, wins: Tweak | None, wins_tweak: bool) -> Verdict | None:
    """Why this T! card can't have been won from the stack (T5, C3)."""
    if wins is None:
        return None
    if not wins_tweak:
        return no(("T5",), reasons.NOTHING_WON, wins=wins.value)
    top = state.stack[0]
    if top.kind is not None and top.kind is not wins:
        return no(("T5",), reasons.OTHER_KIND, wanted=str(top), card=str(TweakCard(wins)))
    seen = sum(card.kind is wins for card in state.tweak_cards())
    if top.kind is None and seen >= TWEAK_COUNTS[state.edition][wins]:
        return no(("C3",), reasons.KIND_USED_UP, wins=wins.value)
    return None


def _not_in_hand(state: State, card: NumberCard, rule: str) -> Verdict | None:
    """Why the player can't have this card in hand; an unknown card may be any unseen one."""
    hand = state.player.hand
    if card in hand:
        return None
    seat = seat_name(state.turn)
    if not hand:
        return no((rule, "K2" if state.deck else "K3"), reasons.NO_CARD_LEFT, seat=seat)
    if None not in hand:
        return no((rule,), reasons.NOT_IN_HAND, card=str(card), seat=seat)
    return _nowhere_left(state, card)


def _nowhere_left(state: State, card: NumberCard) -> Verdict | None:
    seen = sum(other == card for other in state.number_cards())
    if card.colour in state.colours and seen < number_copies(card):
        return None
    return no(("C1",), reasons.ALL_ELSEWHERE, card=str(card), seat=seat_name(state.turn))


def _not_on_table(state: State, move: MakeSum) -> Verdict | None:
    missing = Counter(move.taken) - Counter(state.table)
    if not missing:
        return None
    return no(("T1",), reasons.NOT_ON_TABLE, cards=", ".join(map(str, missing.elements())))


_JUDGES: Mapping[type, Callable[[State, Any], Verdict]] = MappingProxyType(
    {
        PlayJoker: judge_joker,
        PlayThief: judge_thief,
        PlayBomb: judge_bomb,
        PlayShifter: judge_shifter,
        MakeSum: _judge_sum,
        Lay: _judge_lay,
        SayTweak: _judge_say,
        Draw: judge_draw,
        Fill: judge_fill,
        Pass: _judge_pass,
    }
)
