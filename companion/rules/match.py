"""A match: thresholds, totals, the end and the winner (rules S3, M1, D1).

>>> rules = MatchRules(players=2)
>>> standing(rules, ((30, 50), (45, 40), (40, 45), (20, 61))).winners
(1,)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from companion.errors import BadInput
from companion.rules.cards import Colour
from companion.rules.editions import (
    HAND_SIZE,
    TABLE_SIZE,
    Edition,
    check_colours,
    check_players,
    colours_in_play,
    number_cards,
    tweak_cards,
)
from companion.rules.scoring import score

THRESHOLDS: Mapping[int, int] = MappingProxyType({2: 140, 3: 120, 4: 100, 5: 80, 6: 60})
"""Points that end a match, by players (rule M1)."""


@dataclass(frozen=True, slots=True)
class MatchRules:
    """What a match is played with; empty colours and a threshold of 0 stand for the sheets'.

    Attributes:
        players: 2-6 (rule S1).
        edition: which box is played.
        colours: the colours in play; as the sheets advise where none are given.
        threshold: points that end the match; by the sheets' table where it is 0.
        tie: level at the top over the threshold: one more round, or shared (D1).

    Raises:
        BadInput: at birth, when the match cannot be played.
    """

    players: int
    edition: Edition = Edition.CARDS_65
    colours: tuple[Colour, ...] = ()
    threshold: int = 0
    tie: Literal["extra round", "shared"] = "extra round"

    def __post_init__(self) -> None:
        check_players(self.players)
        colours = self.colours or colours_in_play(self.edition, self.players)
        colours = check_colours(self.edition, colours)
        needed = HAND_SIZE * self.players + TABLE_SIZE
        if len(number_cards(colours)) < needed:
            raise BadInput(
                "%(players)s players need %(cards)s cards: choose more colours",
                players=self.players,
                cards=needed,
            )
        threshold = self.threshold or THRESHOLDS[self.players]
        if threshold < 1:
            raise BadInput(
                "the threshold is a number of points over 0, not %(points)s", points=threshold
            )
        if self.tie not in ("extra round", "shared"):
            raise BadInput("a tie means extra round or shared, not %(given)r", given=self.tie)
        object.__setattr__(self, "colours", colours)
        object.__setattr__(self, "threshold", threshold)

    @property
    def round_points(self) -> int:
        """The most points that one round can hold: every number card and every T! card."""
        return score((*number_cards(self.colours), *tweak_cards(self.edition))).points


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands after its rounds so far.

    Attributes:
        totals: points of each player, by seat.
        to_go: points each player still lacks to the threshold, 0 once there.
        over: whether the match has ended.
        winners: seats that have won; several only where a tie is shared.
        extra_round: whether a tie at the top asks for one more round (D1).
    """

    totals: tuple[int, ...]
    to_go: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]
    extra_round: bool


def standing(rules: MatchRules, rounds: tuple[tuple[int, ...], ...]) -> Standing:
    """Add up the rounds and say who has won (rules M1, D1).

    Rounds that were played on after the end count as well.

    Args:
        rules: what the match is played with.
        rounds: the points of each round, by seat.

    Raises:
        BadInput: a round lacks a player, or has points that no round can hold.
    """
    for number, points in enumerate(rounds, start=1):
        _check_round(rules, number, points)
    totals = tuple(sum(points[seat] for points in rounds) for seat in range(rules.players))
    best = max(totals)
    leaders = tuple(seat for seat, total in enumerate(totals) if total == best)
    passed = best >= rules.threshold
    over = passed and (len(leaders) == 1 or rules.tie == "shared")
    return Standing(
        totals=totals,
        to_go=tuple(max(0, rules.threshold - total) for total in totals),
        over=over,
        winners=leaders if over else (),
        extra_round=passed and not over,
    )


def next_dealer(dealer: int, players: int) -> int:
    """The seat that deals the next round: on the dealer's right, seats going clockwise (S3).

    >>> next_dealer(0, players=4), next_dealer(3, players=4)
    (3, 2)
    """
    check_players(players)
    if not 0 <= dealer < players:
        raise BadInput(f"a seat is from 0 to {players - 1}, not {dealer}")
    return (dealer - 1) % players


def _check_round(rules: MatchRules, number: int, points: tuple[int, ...]) -> None:
    if len(points) != rules.players:
        raise BadInput(f"round {number} has {len(points)} scores for {rules.players} players")
    if min(points) < 0:
        raise BadInput(f"round {number}: points are 0 or more, not {min(points)}")
    if sum(points) > rules.round_points:
        raise BadInput(
            "round %(number)s holds at most %(most)s points, not %(points)s",
            number=number,
            most=rules.round_points,
            points=sum(points),
        )
