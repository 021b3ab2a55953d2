"""Whole matches between simple players, to see the law at work (rules E1, M1).

>>> report = simulate(players=2, edition=Edition.CARDS_65, rounds=3, seed=1)
>>> report.rounds, len(report.points), sum(report.points) > 0
(3, 2, True)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from statistics import mean

from companion.errors import BadInput
from companion.rules.accounts import account_state
from companion.rules.apply import apply
from companion.rules.editions import Edition, check_players, colours_in_play
from companion.rules.match import MatchRules, next_dealer, standing
from companion.rules.moves import Move
from companion.rules.players import choose
from companion.rules.round import Deal, Phase, State
from companion.rules.scoring import score
from companion.rules.shuffle import first_dealer, shuffled_deck, shuffled_stack

MOST_ROUNDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Report:
    """What simulated rounds came to.

    Attributes:
        players: 2-6.
        edition: which box was played.
        rounds: how many rounds were played to their end.
        moves: how many moves they had together.
        points: mean points a round, by seat.
        left: mean points left on the table a round (E2).
        tweaks: how many T! cards were won together.
        matches: rounds of each finished match.
    """

    players: int
    edition: Edition
    rounds: int
    moves: int
    points: tuple[float, ...]
    left: float
    tweaks: int
    matches: tuple[int, ...]

    def lines(self, seconds: float) -> tuple[str, ...]:
        """The report for people, a line each.

        Args:
            seconds: how long the simulation took, on the caller's clock.
        """
        points = ", ".join(f"{one:.1f}" for one in self.points)
        lengths = Counter(self.matches)
        spread = ", ".join(f"{count} of {length}" for length, count in sorted(lengths.items()))
        return (
            f"{self.rounds} rounds, {self.players} players, {self.edition.value}-card edition",
            f"rounds per second: {self.rounds / max(seconds, 1e-9):.0f}",
            f"moves a round: {self.moves / self.rounds:.1f}",
            f"mean points a round, by seat: {points}; left on the table: {self.left:.1f}",
            f"TWEAKs a round: {self.tweaks / self.rounds:.2f}",
            f"match lengths in rounds: {spread or 'no match came to its end'}",
        )


def simulate(players: int, edition: Edition, rounds: int, seed: int) -> Report:
    """Play whole rounds in matches, and check that each adds up.

    Args:
        players: 2-6.
        edition: which box is played.
        rounds: how many rounds to play, 1 or more.
        seed: the same seed gives the same rounds.

    Raises:
        BadInput: a number that can't be simulated.
    """
    check_players(players)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInput(f"rounds are 1 to {MOST_ROUNDS}, not {rounds}")
    dice, rules = Random(seed), MatchRules(players, edition)
    dealer = first_dealer(players, dice)
    played: list[tuple[int, ...]] = []
    match: list[tuple[int, ...]] = []
    matches: list[int] = []
    moves = left = tweaks = 0
    for _ in range(rounds):
        end, count = play_round(deal(edition, players, dealer, dice), dice)
        points = round_points(end)
        played.append(points)
        match.append(points)
        moves += count
        left += score(end.table).points
        tweaks += sum(len(seat.has) + len(seat.used) for seat in end.seats)
        dealer = next_dealer(dealer, players)
        if standing(rules, tuple(match)).over:
            matches.append(len(match))
            match, dealer = [], first_dealer(players, dice)
    return Report(
        players=players,
        edition=edition,
        rounds=rounds,
        moves=moves,
        points=tuple(mean(points[seat] for points in played) for seat in range(players)),
        left=left / rounds,
        tweaks=tweaks,
        matches=tuple(matches),
    )


def deal(edition: Edition, players: int, dealer: int, dice: Random) -> State:
    """Shuffle and deal one round with the colours that the sheets advise (S1, S2)."""
    colours = colours_in_play(edition, players)
    deck, stack = shuffled_deck(colours, dice), shuffled_stack(edition, dice)
    return Deal(edition, colours, players, dealer).state(deck, stack)


def play_round(state: State, dice: Random, moves: list[Move] | None = None) -> tuple[State, int]:
    """Let simple players play a round to its end.

    Args:
        state: where it begins; every card known.
        dice: what the players decide by.
        moves: where given, every move is added to it.

    Returns:
        The last state, checked to be over and to add up (E1), and the number of moves.
    """
    count = 0
    while state.phase is not Phase.OVER:
        move = choose(state, dice)
        state = apply(state, move)
        count += 1
        if moves is not None:
            moves.append(move)
    check_end(state)
    return state, count


def check_end(state: State) -> None:
    """Refuse an end of a round at which something is still to play or is lost (E1).

    Raises:
        BadInput: says what does not add up.
    """
    if not state.finished:
        raise BadInput("the round ended with cards still to play")
    accounts = account_state(state)
    if not accounts.balanced:
        raise BadInput(f"the round does not add up: {accounts.text}")


def round_points(state: State) -> tuple[int, ...]:
    """The points of each player at a round's end, by seat (P1-P4).

    Won cards that are not known count nothing.
    """
    return tuple(
        score(card for card in (*seat.won, *seat.has, *seat.used) if card is not None).points
        for seat in state.seats
    )
