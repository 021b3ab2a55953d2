"""When a T! card may be played, and how (rules X1-X6, D5, D6)."""

from __future__ import annotations

from companion.errors import BadInput
from companion.rules import reasons
from companion.rules.cards import NumberCard, Tweak, TweakCard
from companion.rules.draw_law import wrong_front, wrong_top
from companion.rules.editions import number_copies
from companion.rules.moves import PlayBomb, PlayJoker, PlayShifter, PlayThief
from companion.rules.reasons import no, unclear, yes
from companion.rules.round import Phase, State
from companion.rules.round_text import seat_name
from companion.rules.verdict import Verdict


def judge_joker(state: State, move: PlayJoker) -> Verdict:
    """A Joker: one more or one less, as its player says (X3)."""
    refused = _refused(state, Tweak.JOKER)
    if refused:
        return refused
    seat = seat_name(move.seat)
    if state.target is None:
        return yes(("X3",), reasons.JOKER_UNSEEN, seat=seat, change=f"{move.change:+d}")
    now = state.target + move.change
    return yes(("X3",), reasons.JOKER, seat=seat, target=state.target, now=now)


def judge_thief(state: State, move: PlayThief) -> Verdict:
    """A Thief: a random card of another hand goes on the table (X2, D6)."""
    refused = _refused(state, Tweak.THIEF)
    if refused:
        return refused
    if move.victim >= len(state.seats):
        raise BadInput(f"the round has p1 to p{len(state.seats)}, not {seat_name(move.victim)}")
    if move.victim == move.seat:
        return no(("X2",), reasons.THIEF_ON_ONESELF)
    victim = seat_name(move.victim)
    if not state.seats[move.victim].hand:
        if state.house.empty_victim == "wasted" and move.card is None:
            return yes(("X2", "D6"), reasons.THIEF_WASTED, seat=seat_name(move.seat))
        return no(("D6",), reasons.THIEF_EMPTY, victim=victim)
    if move.card is None:
        return unclear(("X2",), reasons.THIEF_UNNAMED)
    refused = _not_with(state, move.victim, move.card, "X2") or _wrong_later_top(state, move.top, 1)
    if refused:
        return refused
    names = {"seat": seat_name(move.seat), "card": str(move.card), "victim": victim}
    return yes(("X2",), reasons.THIEF, **names)


def judge_bomb(state: State, move: PlayBomb) -> Verdict:
    """A Bomb: everybody else with a card puts one on the table (X5, D6)."""
    refused = _refused(state, Tweak.BOMB)
    if refused:
        return refused
    for victim, _ in move.dropped:
        if victim >= len(state.seats):
            raise BadInput(f"the round has p1 to p{len(state.seats)}, not {seat_name(victim)}")
    named = {victim for victim, _ in move.dropped}
    if move.seat in named:
        return no(("X5",), reasons.BOMB_ON_ONESELF)
    others = {seat for seat in range(len(state.seats)) if seat != move.seat}
    missing = sorted(seat for seat in others - named if state.seats[seat].hand)
    if missing:
        return no(("X5",), reasons.BOMB_MISSES, seats=", ".join(map(seat_name, missing)))
    for victim, card in move.dropped:
        if not state.seats[victim].hand:
            return no(("D6",), reasons.BOMB_EMPTY, victim=seat_name(victim))
        refused = _not_with(state, victim, card, "X5", _named_before(move, victim, card))
        if refused:
            return refused
    refused = _wrong_later_top(state, move.top, len(named))
    if refused:
        return refused
    rules = ("X5",) if len(named) == len(others) else ("X5", "D6")
    count = len(named)
    return yes(rules, reasons.BOMB, seat=seat_name(move.seat), count=count)


def judge_shifter(state: State, move: PlayShifter) -> Verdict:
    """A Shifter: the deck's top card goes on the table (X4, D5)."""
    refused = _refused(state, Tweak.SHIFTER)
    if refused:
        return refused
    seat = seat_name(move.seat)
    if not state.deck:
        if state.house.shifter_without_deck == "wasted" and move.card is None:
            return yes(("X4", "D5"), reasons.SHIFTER_WASTED, seat=seat)
        return no(("D5",), reasons.SHIFTER_NO_DECK)
    refused = wrong_front(state, (move.card,), "X4") or wrong_top(state, move.top, 1)
    if refused:
        return refused
    card = move.card or state.deck[0].front
    if card is None:
        return unclear(("X4",), reasons.SHIFTER_UNNAMED)
    return yes(("X4",), reasons.SHIFTER, seat=seat, card=str(card))


def _refused(state: State, kind: Tweak) -> Verdict | None:
    """Why the player can't play this T! card now, whatever its choice (X1, X6)."""
    seat = seat_name(state.turn)
    if state.phase is not Phase.PLAY:
        return no(("X1",), reasons.TWEAK_TOO_LATE)
    if not state.player.hand:
        return no(("X6",), reasons.NO_CARD_LEFT, seat=seat)
    if state.tweak is not None:
        return no(("X1",), reasons.SECOND_TWEAK, played=f"T!{state.tweak.kind.value}")
    kinds = {card.kind for card in state.player.has}
    if kind not in kinds and None not in kinds:
        return no(("T5",), reasons.NO_SUCH_TWEAK, seat=seat, card=str(TweakCard(kind)))
    return None


def _named_before(move: PlayBomb, victim: int, card: NumberCard) -> int:
    return sum(other == card for seat, other in move.dropped if seat < victim)


def _not_with(state: State, victim: int, card: NumberCard, rule: str, *more: int) -> Verdict | None:
    """Why a victim can't have this card; an unknown card may be any unseen one."""
    hand = state.seats[victim].hand
    if card in hand:
        return None
    seat = seat_name(victim)
    if None not in hand:
        return no((rule,), reasons.NOT_IN_HAND, card=str(card), seat=seat)
    seen = sum(other == card for other in state.number_cards()) + sum(more)
    if card.colour in state.colours and seen < number_copies(card):
        return None
    return no(("C1",), reasons.ALL_ELSEWHERE, card=str(card), seat=seat)


def _wrong_later_top(state: State, top: int | None, victims: int) -> Verdict | None:
    """A top that a Thief or Bomb can't leave; only a victim's draw at once changes it (D8)."""
    drawn = victims if state.house.short_hand == "drawn at once" else 0
    return wrong_top(state, top, min(drawn, len(state.deck)))
