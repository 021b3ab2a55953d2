"""The laws that always hold, over random rounds with every mixture of house readings."""

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.errors import BadInput, IllegalMove
from companion.rules.accounts import account_state
from companion.rules.apply import apply, play
from companion.rules.book import RULES
from companion.rules.cards import TweakCard
from companion.rules.editions import Edition, number_cards, tweak_cards
from companion.rules.house import HouseRules
from companion.rules.legal import legal_moves
from companion.rules.moves import Draw, Fill, Move, PlayShifter
from companion.rules.notation import parse_move
from companion.rules.reasons import MOVE_TEMPLATES
from companion.rules.record import Record, parse_record
from companion.rules.round import DeckCard, State
from companion.rules.round import Phase as Does
from companion.rules.scoring import score
from companion.rules.simulate import round_points
from companion.rules.state_notation import parse_state
from companion.rules.turn import judge
from companion.rules.verdict import TEMPLATES, Ruling
from tests.rules.walks import editions, houses, players, seeds, start, walk

few = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
"""Each example is a whole round: a failing one is long, but shrinking it takes hours."""


@few
@given(editions, players, houses, seeds)
def test_cards_are_conserved_and_a_legal_move_never_breaks_the_state(
    edition: Edition, count: int, house: HouseRules, seed: int
) -> None:
    dice = random.Random(seed)
    state = start(edition, count, house, dice)
    deck, stack = Counter(number_cards(state.colours)), Counter(tweak_cards(edition))
    for _, _, after in walk(state, dice):
        assert Counter(after.number_cards()) == deck
        assert Counter(after.tweak_cards()) == stack
        assert replace(after) == after, "a state born anew keeps every promise"


@few
@given(editions, players, houses, seeds)
def test_every_state_but_a_finished_one_has_a_legal_move_and_every_round_ends(
    edition: Edition, count: int, house: HouseRules, seed: int
) -> None:
    dice = random.Random(seed)
    state = start(edition, count, house, dice)
    for before, move, after in walk(state, dice):
        assert move in legal_moves(before)
        assert judge(before, move).legal
        state = after
    assert state.phase is Does.OVER
    assert state.finished
    assert account_state(state).balanced


@few
@given(editions, players, houses, seeds)
def test_the_points_of_a_finished_round_add_up(
    edition: Edition, count: int, house: HouseRules, seed: int
) -> None:
    dice = random.Random(seed)
    state = start(edition, count, house, dice)
    for _, _, after in walk(state, dice):
        state = after
    whole = score(number_cards(state.colours)).points
    tweaks = 2 * (len(tweak_cards(edition)) - len(state.stack))
    assert sum(round_points(state)) + score(state.table).points == whole + tweaks


@few
@given(editions, players, houses, seeds)
def test_the_text_of_states_and_moves_reads_back_and_a_record_replays(
    edition: Edition, count: int, house: HouseRules, seed: int
) -> None:
    dice = random.Random(seed)
    state = start(edition, count, house, dice)
    moves = []
    for before, move, after in walk(state, dice):
        assert parse_state(str(before)) == before
        assert parse_move(str(move)) == move
        moves.append(move)
        end = after
    record = Record(state, tuple(moves))
    assert parse_record(str(record)) == record
    assert record.end() == end == play(state, moves)
    assert list(record.states())[-1] == end


@few
@given(players, houses, seeds, st.integers(0, 5))
def test_no_illegal_move_is_ever_applied(
    count: int, house: HouseRules, seed: int, other: int
) -> None:
    dice = random.Random(seed)
    state = start(Edition.CARDS_72, count, house, dice)
    elsewhere = [step[1] for step in walk(state, random.Random(other))]
    for before, _, _ in walk(state, dice):
        move = dice.choice(elsewhere)
        verdict = judge(before, move)
        assert set(verdict.rules) <= set(RULES)
        assert verdict.reason == verdict.template % verdict.values
        assert verdict.template in (*TEMPLATES, *MOVE_TEMPLATES)
        if verdict.legal:
            assert apply(before, move) != before
        else:
            with pytest.raises(IllegalMove, match=re.escape(verdict.reason)):
                apply(before, move)


def hide(state: State) -> State:
    """What a referee sees: the table, the deck's top, the T! cards; no hand, no deck, no pile."""
    seats = tuple(
        replace(seat, hand=(None,) * len(seat.hand), won=(None,) * len(seat.won))
        for seat in state.seats
    )
    deck = tuple(
        DeckCard(None, card.target if not at else None) for at, card in enumerate(state.deck)
    )
    top = tuple(DeckCard(None, card.target) for card in state.deck[:1])
    return replace(state, seats=seats, deck=top + deck[1:], stack=(TweakCard(),) * len(state.stack))


@few
@given(editions, players, seeds)
def test_a_referee_who_sees_no_hand_never_refuses_what_is_right(
    edition: Edition, count: int, seed: int
) -> None:
    dice = random.Random(seed)
    state = start(edition, count, HouseRules(), dice)
    for before, move, after in walk(state, dice):
        hidden = hide(before)
        verdict, full = judge(hidden, seen(move, after)), judge(before, move)
        assert (verdict.ruling, verdict.won) == (Ruling.LEGAL, full.won)
        assert verdict.wins_tweak == full.wins_tweak
        there = apply(hidden, seen(move, after))
        assert (there.table, there.turn, there.phase) == (after.table, after.turn, after.phase)
        assert there.target == after.target


def seen(move: Move, after: State) -> Move:
    """A move as the referee sees it: drawn cards hidden, the deck's new top in sight."""
    top = after.deck[0].target if after.deck else None
    if isinstance(move, Draw):
        return Draw(move.seat, (None,) * len(move.cards), top)
    if isinstance(move, Fill | PlayShifter):
        return replace(move, top=top)
    return move


@few
@given(st.integers(2, 3), seeds)
def test_what_a_referee_refuses_is_wrong_for_everybody(count: int, seed: int) -> None:
    dice = random.Random(seed)
    state = start(Edition.CARDS_65, count, HouseRules(), dice)
    elsewhere = [step[1] for step in walk(state, random.Random(seed + 1))]
    for before, _, _ in walk(state, dice):
        move = dice.choice(elsewhere)
        if judge(hide(before), move).ruling is Ruling.ILLEGAL:
            assert not judge(before, move).legal


def trouble(parse: Callable[[str], object], text: str) -> str | None:
    """The error that reading gives, None where the text reads back."""
    try:
        found = parse(text)
    except BadInput as error:
        return str(error)
    return None if parse(str(found)) == found else "does not read back"


@given(st.text(max_size=80))
def test_any_text_at_all_is_a_move_a_state_a_record_or_one_clear_error(text: str) -> None:
    for parse in (parse_move, parse_state, parse_record):
        error = trouble(parse, text)
        assert error != "does not read back"
        assert error is None or ("\n" not in error and len(error) < 300)
