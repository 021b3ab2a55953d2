"""One line of text for a state and for a move; nonsense is refused with wanted and got."""

import random

import pytest

from companion.errors import BadInput
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.notation import parse_move
from companion.rules.record import parse_record
from companion.rules.round import DeckCard
from companion.rules.state_notation import parse_state
from tests.rules.positions import position
from tests.rules.walks import start

LINES = [
    "p1 joker +1",
    "p6 joker -1",
    "p1 thief p2 R5",
    "p1 thief p2 ?",
    "p1 thief p2 R5 top #8",
    "p1 bomb p2:R5 p3:G1",
    "p2 bomb -",
    "p1 shifter R5 top #10",
    "p1 shifter ?",
    "p1 sum G5 + R1 + Y3",
    "p1 sum G5 + R1 TWEAK",
    "p1 sum G5 + R1 TWEAK wins T!joker",
    'p1 sum G5 + R1 said "5 and 1 is \\"6\\", top #8"',
    'p1 sum G5 + R1 TWEAK wins T!bomb said "1 ועוד 5 זה 6"',
    "p1 lay G5",
    "p1 says TWEAK",
    "p1 says TWEAK wins T!thief",
    "p1 draw -",
    "p1 draw R5 ? top #7",
    "p1 draw ?*3",
    "p1 fill R1 G2 top #9",
    "p1 pass",
]


@pytest.mark.parametrize("line", LINES)
def test_the_line_of_a_move_reads_back_to_itself(line: str) -> None:
    assert str(parse_move(line)) == line


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", "is no move"),
        ("p1", "is no move"),
        ("p7 pass", "a seat is p1 to p6"),
        ("p1 jump", "is no move"),
        ("p1 pass R1", "is no move"),
        ("p1 joker +2", "is no move"),
        ("p1 sum G5", "one or more table cards"),
        ("p1 sum G5 R1", "written G5 + R1"),
        ("p1 sum G5 + + R1", "written G5 + R1"),
        ("p1 sum G9 + R1", "is no card"),
        ("p1 lay T!joker", "is no number card"),
        ("p1 lay ?", "is no card"),
        ("p1 lay G5 top #8", "is no move"),
        ("p1 draw R5 top #12", "from 7 to 10, not 12"),
        ("p1 draw ?*0", "from 1 to 99"),
        ("p1 draw ?*1000000000", "from 1 to 99"),
        ("p1 bomb p3:R1 p2:R2", "in the order of the seats"),
        ("p1 bomb p2", "is no card"),
        ("p1 sum G5 + R1 said 5", "written G5 + R1"),
        ("p1 sum G5 + R1 wins T!", "written G5 + R1"),
        ("x" * 20_000, "at most 10000 characters"),
    ],
)
def test_a_line_that_is_no_move_is_refused_with_what_was_wanted(line: str, wanted: str) -> None:
    with pytest.raises(BadInput, match=wanted.replace("+", r"\+")):
        parse_move(line)


def test_a_state_reads_back_with_every_detail() -> None:
    house = HouseRules(tie="shared", first="right of dealer", strict_speech=True)
    state = start(Edition.CARDS_72, 5, house, random.Random(1))
    text = str(state)
    assert text.startswith("72 ROYGBP | p1 hand ")
    assert text.endswith("house tie=shared first=right_of_dealer strict_speech=true")
    assert parse_state(text) == state


GOOD = str(position("R5 G2 B1", "Y3 O6", table="B2 O1", deck="R1#8", has="T!joker"))


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("65 ROYGBP", "66 ROYGBP", "65"),
        ("65 ROYGBP", "65 OYGBP", "red is always in play"),
        ("65 ROYGBP", "65 RXY", "begins with its edition"),
        ("65 ROYGBP", "65 ROYGB", "colour that is not in play"),
        ("hand Y3 O6", "hand Y3 O6 ? ?", "a hand has at most 3 cards, p2 has 4"),
        ("hand R5", "hand R5 R5", "R5 exists once, but it is named 2 times|at most 3"),
        ("hand R5", "hand R5*13", "at most 3 cards, p1 has 15"),
        ("hand R5 G2 B1", "hand R5 G2", "54 number cards are in play, the state has 53"),
        ("R1#8", "R1#12", "written R5#9"),
        ("has T!joker", "has T!joker T!bomb T!bomb", "has 1 of T!bomb, the state has 3"),
        ("has T!joker", "has -", "the edition has 10 T! cards, the state has 9"),
        ("turn p1 play", "turn p3 play", "turn is p1 to p2, not p3"),
        ("turn p1 play", "turn p1 sleep", "turn names a seat and play"),
        ("turn p1 play", "turn p1 over", "a round is over once"),
        ("turn p1 play", "turn p1 play joker+1", "its card is not among those used"),
        ("turn p1 play", "turn p1 draw unsaid", "an emptied table has no card"),
        ("turn p1 play", "turn p1 draw", "a player who draws has played a card"),
        ("turn p1 play", "turn p1 play now", "is not what a turn says"),
        ("dealer p1", "dealer p0", "a seat is p1 to p6"),
        ("| dealer p1 ", "", "lacks its dealer"),
        ("p2 hand", "p3 hand", "in order"),
        ("| table", "| table R1 | table", "comes twice"),
        ("turn p1 play", "turn p1 play | house tie=coin", "tie is one of extra_round, shared"),
        ("turn p1 play", "turn p1 play | house coin=toss", "is no house rule"),
    ],
)
def test_a_state_that_can_not_be_is_refused_at_birth(old: str, new: str, wanted: str) -> None:
    assert old in GOOD
    with pytest.raises(BadInput, match=wanted):
        parse_state(GOOD.replace(old, new, 1))


def test_a_target_of_twelve_is_refused_at_birth() -> None:
    with pytest.raises(BadInput, match="a target from 7 to 10, not 12"):
        DeckCard(None, 12)


def test_thirteen_red_fives_are_refused_at_birth() -> None:
    with pytest.raises(BadInput, match="R5 exists once, but it is named 13 times"):
        parse_state(GOOD.replace("won R1", "won R5*12 R1"))


def test_a_record_with_a_broken_line_names_it() -> None:
    with pytest.raises(BadInput, match="line 3: 'p1 jump' is no move"):
        parse_record(f"{GOOD}\np1 lay R5\np1 jump")
    with pytest.raises(BadInput, match="a record has 1 to 2000 lines, not 0"):
        parse_record("// nothing\n")
