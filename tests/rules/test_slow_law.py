"""The law against a second law that shares no code with it (tests/rules/slow_law.py).

A hundred thousand claims take some eight seconds of a processor; ``CLAIMS=5000`` in the
environment tries fewer on a machine that has better things to do.
"""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.rules.apply import apply
from companion.rules.cards import Colour
from companion.rules.claim import judge_line
from companion.rules.editions import Edition, colours_in_play
from companion.rules.legal import legal_moves
from companion.rules.notation import parse_move
from companion.rules.round import Deal, State
from companion.rules.shuffle import shuffled_deck, shuffled_stack
from companion.rules.state_notation import parse_state
from companion.rules.turn import judge
from tests.rules import slow_law

CLAIMS = int(os.environ.get("CLAIMS", "100000"))
TWEAKS = [None, None, None, "joker+1", "joker-1", "thief", "bomb", "shifter"]


def random_claims(count: int, dice: random.Random) -> Iterator[dict[str, Any]]:
    deck = slow_law.deck_of("ROYGBP")
    for _ in range(count):
        size = dice.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6])
        drawn = dice.sample(deck, size + 1)
        table, hand = drawn[:size], drawn[size]
        empty = dice.random() < 0.15
        taken = dice.sample(table, dice.randint(0, size))
        helped = dice.choice(TWEAKS)
        total = sum(int(card[1]) for card in [hand, *taken])
        near = [goal for goal in range(total - 1, total + 2) if 7 <= goal <= 10]
        seen = dice.choice(near) if near and dice.random() < 0.7 else dice.randint(7, 10)
        yield {
            "edition": dice.choice(["65", "72"]),
            "target": dice.choice([7, None]) if empty else None if dice.random() < 0.2 else seen,
            "deck_empty": empty,
            "table": table,
            "hand": hand,
            "taken": taken,
            "tweak": helped,
            "said_tweak": dice.random() < 0.5,
            "spoken": None,
        }


def test_both_laws_agree_on_a_hundred_thousand_random_claims() -> None:
    seen = dict.fromkeys(["legal", "illegal", "unclear"], 0)
    for claim in random_claims(CLAIMS, random.Random(65)):
        answer = judge_line(json.dumps(claim))
        won = answer["won"]
        assert isinstance(won, list)
        quick = (answer["verdict"], answer["wins_tweak"], sorted(won), answer["points"])
        assert quick == slow_law.judge_claim(claim), claim
        seen[str(answer["verdict"])] += 1
    assert min(seen.values()) > CLAIMS // 50, seen


def fresh(players: int, edition: Edition, dice: random.Random) -> State:
    colours = colours_in_play(edition, players)
    deck, stack = shuffled_deck(colours, dice), shuffled_stack(edition, dice)
    return Deal(edition, colours, players, dice.randrange(players)).state(deck, stack)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("edition", list(Edition))
def test_both_laws_allow_the_same_moves_and_reach_the_same_positions(
    edition: Edition, players: int
) -> None:
    dice = random.Random(players)
    for _ in range(3):
        state = fresh(players, edition, dice)
        here = slow_law.read(str(state))
        while True:
            allowed = legal_moves(state)
            lines = {slow_law.in_order(str(move)) for move in allowed}
            assert lines == slow_law.moves(here)
            assert len(lines) == len(allowed)
            if not allowed:
                break
            move = dice.choice(allowed)
            state = apply(state, move)
            here = slow_law.after(here, str(move))
            assert slow_law.read(str(state)) == here


def test_both_laws_refuse_the_same_moves() -> None:
    dice = random.Random(72)
    refused = 0
    for _ in range(6):
        state = fresh(3, Edition.CARDS_72, dice)
        while allowed := legal_moves(state):
            slow = slow_law.moves(slow_law.read(str(state)))
            for line in thinkable(state, dice):
                verdict = judge(state, parse_move(line))
                assert verdict.legal == (slow_law.in_order(line) in slow), (str(state), line)
                refused += not verdict.legal
            state = apply(state, dice.choice(allowed))
    assert refused > 2000


def thinkable(state: State, dice: random.Random) -> Iterator[str]:
    """Moves that somebody might try, most of them wrong."""
    cards = [f"{colour.letter}{value}" for colour in Colour for value in range(1, 7)]
    own = [str(card) for card in state.player.hand] or cards
    others = [str(card) for seat in state.seats for card in seat.hand] or cards
    table = [str(card) for card in state.table] or cards
    for _ in range(4):
        who = f"p{dice.choice([state.turn, state.turn, state.turn, 0, 1]) + 1}"
        size = dice.randint(1, min(4, len(table)))
        taken = " + ".join(dice.sample(table, size))
        whole = size == len(state.table)
        said = " TWEAK" if whole and dice.random() < 0.5 else ""
        yield f"{who} sum {dice.choice(own)} + {taken}{said}"
        yield f"{who} lay {dice.choice(own + cards[:2])}"
        yield f"{who} joker {dice.choice(['+1', '-1'])}"
        yield f"{who} thief p{dice.randint(1, 3)} {dice.choice(others)}"
        yield f"{who} shifter {state.deck[0].front if state.deck else 'R1'}"
        yield f"{who} draw {dice.choice(['-', 'R1', 'G2 B3'])}"
        yield f"{who} pass"
        yield f"{who} says TWEAK"


def counted_positions() -> list[Path]:
    return sorted((Path(__file__).parent / "counted").glob("*.txt"))


def read_counted(path: Path) -> tuple[State, dict[int, int]]:
    lines = [line for line in path.read_text("utf-8").splitlines() if line[:2] != "//"]
    counts = dict(line.split(": ") for line in lines[1:])
    return parse_state(lines[0]), {int(depth): int(count) for depth, count in counts.items()}


def lines_deep(state: State, depth: int) -> int:
    moves = legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(lines_deep(apply(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize("path", counted_positions(), ids=lambda path: path.stem)
def test_each_counted_position_has_as_many_lines_as_its_file_says(path: Path) -> None:
    state, counts = read_counted(path)
    assert set(counts) == {1, 2, 3, 4}
    for depth, count in counts.items():
        assert lines_deep(state, depth) == count
        if count < 3_000:
            assert slow_law.count_lines(slow_law.read(str(state)), depth) == count
