"""Rules M1, D1, S3: totals, the end of a match, its winner, the next dealer."""

import pytest

from companion.errors import BadInput
from companion.rules.cards import Colour
from companion.rules.editions import Edition
from companion.rules.match import THRESHOLDS, MatchRules, next_dealer, standing


def test_m1_the_thresholds_are_those_of_the_sheets() -> None:
    assert dict(THRESHOLDS) == {2: 140, 3: 120, 4: 100, 5: 80, 6: 60}
    assert MatchRules(players=5).threshold == 80


def test_m1_points_add_up_and_the_distance_to_the_threshold_shows() -> None:
    now = standing(MatchRules(players=3, threshold=50), ((10, 20, 5), (5, 25, 0)))
    assert (now.totals, now.to_go, now.over) == ((15, 45, 5), (35, 5, 45), False)
    assert (now.winners, now.extra_round) == ((), False)


def test_m1_reaching_the_threshold_exactly_ends_the_match() -> None:
    now = standing(MatchRules(players=2, threshold=30), ((30, 12),))
    assert (now.over, now.winners, now.to_go) == (True, (0,), (0, 18))


def test_d1_when_two_pass_in_one_round_the_higher_total_wins() -> None:
    now = standing(MatchRules(players=2, threshold=30), ((29, 28), (2, 9)))
    assert now.winners == (1,)


def test_d1_level_at_the_top_asks_for_an_extra_round_or_is_shared() -> None:
    level = ((20, 20, 1), (15, 15, 2))
    now = standing(MatchRules(players=3, threshold=30), level)
    assert (now.over, now.winners, now.extra_round) == (False, (), True)
    after = standing(MatchRules(players=3, threshold=30), (*level, (1, 2, 30)))
    assert (after.over, after.winners) == (True, (1,))
    shared = standing(MatchRules(players=3, threshold=30, tie="shared"), level)
    assert (shared.over, shared.winners, shared.extra_round) == (True, (0, 1), False)


def test_a_match_before_its_first_round_has_everything_to_go() -> None:
    now = standing(MatchRules(players=2), ())
    assert (now.totals, now.to_go, now.over) == ((0, 0), (140, 140), False)


def test_s3_the_deal_passes_to_the_right() -> None:
    seats = [0]
    for _ in range(4):
        seats.append(next_dealer(seats[-1], players=4))
    assert seats == [0, 3, 2, 1, 0]
    with pytest.raises(BadInput, match="a seat is from 0 to 3, not 4"):
        next_dealer(4, players=4)


@pytest.mark.parametrize(
    ("points", "wanted"),
    [((1,), "2 players"), ((-1, 3), "0 or more"), ((80, 6), "at most 85 points, not 86")],
)
def test_points_that_no_round_can_hold_are_refused(points: tuple[int, ...], wanted: str) -> None:
    with pytest.raises(BadInput, match=wanted):
        standing(MatchRules(players=2), (points,))


def test_a_match_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(BadInput, match="2 to 6 players"):
        MatchRules(players=7)
    with pytest.raises(BadInput, match="red"):
        MatchRules(players=2, colours=(Colour.BLUE,))
    with pytest.raises(BadInput, match="choose more colours"):
        MatchRules(players=6, colours=(Colour.RED, Colour.BLUE))
    with pytest.raises(BadInput, match="threshold"):
        MatchRules(players=2, threshold=-5)
    assert len(MatchRules(players=2, edition=Edition.CARDS_72).colours) == 6
