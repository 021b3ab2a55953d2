"""Whole rounds between simple players end, add up, and are the same again from the same seed."""

import random

import pytest

from companion.errors import BadInput
from companion.rules.editions import Edition
from companion.rules.moves import Move
from companion.rules.record import Record, parse_record
from companion.rules.round import Phase
from companion.rules.simulate import deal, play_round, simulate


@pytest.mark.parametrize("edition", list(Edition))
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_e1_simulated_rounds_end_and_their_points_add_up(edition: Edition, players: int) -> None:
    report = simulate(players, edition, rounds=10, seed=players)
    assert report.rounds == 10
    assert sum(report.points) + report.left > 60
    assert report.tweaks > 0
    assert sum(report.matches) <= 10


def test_the_same_seed_gives_the_same_report_and_another_seed_another() -> None:
    first = simulate(3, Edition.CARDS_72, rounds=5, seed=4)
    assert simulate(3, Edition.CARDS_72, rounds=5, seed=4) == first
    assert simulate(3, Edition.CARDS_72, rounds=5, seed=5) != first


def test_a_report_tells_speed_points_tweaks_and_match_lengths() -> None:
    lines = simulate(6, Edition.CARDS_72, rounds=12, seed=1).lines(seconds=0.5)
    assert lines[0] == "12 rounds, 6 players, 72-card edition"
    assert lines[1] == "rounds per second: 24"
    assert [line.split(":")[0] for line in lines[2:]] == [
        "moves a round",
        "mean points a round, by seat",
        "TWEAKs a round",
        "match lengths in rounds",
    ]


def test_the_record_of_a_simulated_round_replays_to_its_end() -> None:
    dice, moves = random.Random(9), list[Move]()
    start = deal(Edition.CARDS_72, 4, 0, dice)
    end, count = play_round(start, dice, moves)
    record = parse_record(str(Record(start, tuple(moves))))
    assert (record.end(), count, end.phase) == (end, len(moves), Phase.OVER)


@pytest.mark.parametrize(("players", "rounds"), [(1, 5), (7, 5), (4, 0), (4, 10**9)])
def test_a_simulation_that_can_not_be_is_refused(players: int, rounds: int) -> None:
    with pytest.raises(BadInput, match=r"2 to 6 players|rounds are 1 to"):
        simulate(players, Edition.CARDS_65, rounds, seed=1)
