"""Random rounds for the laws that always hold."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from companion.rules.apply import apply
from companion.rules.editions import Edition, colours_in_play
from companion.rules.house import CHOICES, HouseRules
from companion.rules.legal import legal_moves
from companion.rules.moves import Move
from companion.rules.round import Deal, State
from companion.rules.shuffle import shuffled_deck, shuffled_stack

editions = st.sampled_from(Edition)
players = st.integers(2, 6)
seeds = st.integers(0, 2**32)
houses = st.builds(
    HouseRules, **{name: st.sampled_from(answers) for name, (_, answers) in CHOICES.items()}
)
"""Every mixture of house readings."""


def start(edition: Edition, count: int, house: HouseRules, dice: random.Random) -> State:
    colours = colours_in_play(edition, count)
    deck, stack = shuffled_deck(colours, dice), shuffled_stack(edition, dice)
    return Deal(edition, colours, count, dice.randrange(count), house).state(deck, stack)


def walk(state: State, dice: random.Random) -> Iterator[tuple[State, Move, State]]:
    """A whole round of random legal moves, each with the states round it."""
    while moves := legal_moves(state):
        # a bomb has so many choices that it would crowd out all others
        kinds = sorted({type(move).__name__ for move in moves})
        kind = dice.choice(kinds)
        move = dice.choice([one for one in moves if type(one).__name__ == kind])
        after = apply(state, move)
        yield state, move, after
        state = after
