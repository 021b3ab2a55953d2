"""Rules P1-P4: what the won cards are worth."""

import pytest

from companion.errors import BadInput
from companion.rules.cards import Colour, parse_card
from companion.rules.editions import Edition, number_cards, tweak_cards
from companion.rules.scoring import points_of, score


def points(text: str) -> list[int]:
    return [points_of(parse_card(word)) for word in text.split()]


def test_p1_an_ordinary_number_card_is_worth_one_point() -> None:
    assert points("O1 Y2 G3 B4 P6") == [1, 1, 1, 1, 1]


def test_p2_a_red_card_that_is_not_the_five_is_worth_three() -> None:
    assert points("R1 R2 R3 R4 R6") == [3, 3, 3, 3, 3]


def test_p3_a_five_that_is_not_red_is_worth_four_and_the_red_five_five() -> None:
    assert points("O5 Y5 G5 B5 P5 R5") == [4, 4, 4, 4, 4, 5]


def test_p4_each_tweak_card_won_is_worth_two_whatever_its_kind() -> None:
    assert points("T!thief T!joker T!shifter T!bomb T!") == [2, 2, 2, 2, 2]


@pytest.mark.parametrize("text", ["#9", "T!back", "=7"])
def test_backs_and_the_blue_seven_score_for_nobody(text: str) -> None:
    with pytest.raises(BadInput, match="scores for nobody"):
        points_of(parse_card(text))


def test_all_colours_hold_89_points_29_in_red_and_12_in_each_other() -> None:
    assert score(number_cards(Colour)).points == 89
    assert score(number_cards([Colour.RED])).points == 29
    assert score(number_cards([Colour.GREEN])).points == 12
    assert score(tweak_cards(Edition.CARDS_72)).points == 34


def test_a_score_explains_itself_line_by_line() -> None:
    result = score([parse_card(text) for text in ["R5", "R1", "R2", "G5", "B1", "T!joker"]])
    assert result.points == 5 + 6 + 4 + 1 + 2
    assert {(line.label, line.count, line.each, line.points) for line in result.lines} == {
        ("red five", 1, 5, 5),
        ("red", 2, 3, 6),
        ("five", 1, 4, 4),
        ("ordinary", 1, 1, 1),
        ("T!", 1, 2, 2),
    }
    assert [line.rule for line in result.lines] == ["P1", "P2", "P3", "P3", "P4"]


def test_an_empty_pile_is_worth_nothing() -> None:
    assert (score([]).points, score([]).lines) == (0, ())
