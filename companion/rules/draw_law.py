"""How a turn ends: up to three in hand, then two on an emptied table (rules T7, K3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.rules import reasons
from companion.rules.cards import NumberCard
from companion.rules.editions import END_TARGET, HAND_SIZE, TABLE_SIZE, number_copies
from companion.rules.moves import Draw, Fill
from companion.rules.reasons import no, unclear, yes
from companion.rules.round import Phase, State
from companion.rules.round_text import seat_name
from companion.rules.verdict import Verdict


def due_cards(state: State) -> int:
    """How many cards the player draws now: up to three in hand, as far as the deck goes (T7)."""
    return min(HAND_SIZE - len(state.player.hand), len(state.deck))


def due_fill(state: State) -> int:
    """How many cards fill an emptied table: two, as far as the deck goes (T7)."""
    return min(TABLE_SIZE, len(state.deck))


def judge_draw(state: State, move: Draw) -> Verdict:
    """Drawing up to three, as far as the deck goes (T7, K3)."""
    seat = seat_name(move.seat)
    if state.phase is Phase.PLAY:
        if state.player.hand:
            return no(("T6", "T7"), reasons.DRAW_FIRST_PLAY, seat=seat)
        return no(("K2", "T7"), reasons.DRAW_FIRST_PASS, seat=seat)
    if state.phase is Phase.FILL:
        return no(("T7",), reasons.ALREADY_DRAWN, seat=seat)
    hand, deck, count = len(state.player.hand), len(state.deck), len(move.cards)
    wanted = due_cards(state)
    rules = ("T7",) if deck else ("T7", "K3")
    names = {"seat": seat, "count": count}
    if count != wanted:
        values = {"wanted": wanted, "hand": hand, "deck": deck}
        return no(rules, reasons.DRAW_COUNT, **names, **values)
    refused = wrong_front(state, move.cards, "T7") or wrong_top(state, move.top, count)
    if refused:
        return refused
    return yes(rules, reasons.DRAWN, **names, hand=hand + count, deck=deck - count)


def judge_fill(state: State, move: Fill) -> Verdict:
    """Two cards on the table that a sum emptied, as far as the deck goes (T7)."""
    if state.phase is not Phase.FILL:
        early = state.emptied and state.phase is Phase.DRAW
        template = reasons.FILL_TOO_EARLY if early else reasons.NOT_EMPTIED
        return no(("T7",), template, **({"seat": seat_name(move.seat)} if early else {}))
    wanted, count = due_fill(state), len(move.cards)
    if count != wanted:
        names = {"wanted": wanted, "count": count}
        if not count and any(card.front is None for card in state.deck[:wanted]):
            return unclear(("T7",), reasons.FILL_UNNAMED)
        return no(("T7",), reasons.FILL_COUNT, **names)
    refused = wrong_front(state, move.cards, "T7") or wrong_top(state, move.top, count)
    return refused or yes(("T7",), reasons.FILLED, count=count)


def wrong_front(state: State, cards: Sequence[NumberCard | None], rule: str) -> Verdict | None:
    """Why these can't be the deck's next cards; what is not known may be any unseen card."""
    guessed: Counter[NumberCard] = Counter()
    for given, there in zip(cards, state.deck, strict=False):
        if given is None or given == there.front:
            continue
        if there.front is not None:
            return no((rule,), reasons.OTHER_CARD, wanted=str(there.front), card=str(given))
        guessed[given] += 1
    for card, count in guessed.items():
        seen = sum(other == card for other in state.number_cards()) + count
        if card.colour not in state.colours or seen > number_copies(card):
            return no(("C1",), reasons.ALL_OUT_OF_DECK, card=str(card))
    return None


def wrong_top(state: State, top: int | None, taken: int) -> Verdict | None:
    """Why the deck can't show this target once so many cards are taken from it (T2)."""
    if top is None:
        return None
    there = state.deck[taken].target if taken < len(state.deck) else END_TARGET
    if there is None or there == top:
        return None
    return no(("T2",), reasons.OTHER_TOP, wanted=there, top=top)
