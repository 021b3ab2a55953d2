"""Claims and verdicts (T1, T2, T4-T6, X3, D7, D9, D10), and the lines of companion judge."""

import json
from typing import Any

import pytest

from companion.errors import BadInput
from companion.rules.book import RULES
from companion.rules.cards import NumberCard, parse_number_card
from companion.rules.claim import Claim, TweakPlay, given_away, judge, judge_line
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.verdict import TEMPLATES, Ruling, Verdict


def cards(text: str) -> tuple[NumberCard, ...]:
    return tuple(parse_number_card(word) for word in text.split())


def claim(table: str, hand: str, taken: str, target: int | None = 9, **more: Any) -> Claim:
    return Claim(
        edition=Edition.CARDS_65,
        target=target,
        deck_empty=more.pop("deck_empty", False),
        table=cards(table),
        hand=parse_number_card(hand),
        taken=cards(taken),
        **more,
    )


def test_t1_a_sum_that_meets_the_target_wins_its_cards_hand_card_first() -> None:
    verdict = judge(claim("R1 Y3 B6", "G5", "R1 Y3"))
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1",))
    assert verdict.reason == "5 + 1 + 3 is 9, the target is 9"
    assert verdict.won == cards("G5 R1 Y3")
    assert (verdict.points, verdict.wins_tweak) == (8, False)


def test_t1_a_sum_that_misses_the_target_wins_nothing() -> None:
    verdict = judge(claim("R1 Y3", "G5", "R1 Y3", target=8, said_tweak=True))
    assert (verdict.ruling, verdict.rules) == (Ruling.ILLEGAL, ("T1",))
    assert verdict.reason == "5 + 1 + 3 is 9, the target is 8"
    assert (verdict.won, verdict.points, verdict.wins_tweak) == ((), 0, False)


def test_t2_with_the_deck_gone_the_target_is_seven() -> None:
    for target in (7, None):
        verdict = judge(claim("R1 Y3", "B6", "R1", target=target, deck_empty=True))
        assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "T2"))


def test_x3_the_joker_moves_the_target_by_one_as_said() -> None:
    up = judge(claim("R1 Y3", "G5", "R1 Y3", target=8, tweak=TweakPlay.JOKER_UP))
    assert (up.ruling, up.rules) == (Ruling.LEGAL, ("T1", "X3", "D10"))
    wrong = judge(claim("R1 Y3", "G5", "R1 Y3", target=7, tweak=TweakPlay.JOKER_UP))
    assert (wrong.ruling, wrong.rules) == (Ruling.ILLEGAL, ("T1", "X3"))
    assert wrong.reason == "5 + 1 + 3 is 9, the target is 8 (7, Joker +1)"
    down = judge(claim("R1 Y3", "G5", "R1", target=7, tweak=TweakPlay.JOKER_DOWN))
    assert down.reason == "5 + 1 is 6, the target is 6 (7, Joker -1)"


@pytest.mark.parametrize("play", [TweakPlay.THIEF, TweakPlay.BOMB, TweakPlay.SHIFTER])
def test_x1_other_tweak_cards_leave_the_target_alone(play: TweakPlay) -> None:
    assert judge(claim("R1 Y3 P2", "G5", "R1 Y3", tweak=play)).legal


def test_t5_all_the_table_and_the_word_win_a_tweak_card() -> None:
    verdict = judge(claim("R1 Y3", "G5", "R1 Y3", said_tweak=True))
    assert (verdict.wins_tweak, verdict.rules) == (True, ("T1", "T5"))
    assert verdict.points == 8, "the T! card is not counted in"


def test_d9_tweak_said_with_a_card_left_lets_the_sum_stand_alone() -> None:
    early = claim("R1 Y3 P2", "G5", "R1 Y3", said_tweak=True)
    verdict = judge(early)
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "D9"))
    assert (verdict.wins_tweak, verdict.points) == (False, 8)
    assert verdict.reason.endswith("with cards left on the table: 1")
    strict = judge(early, HouseRules(tweak_with_cards_left="no sum"))
    assert (strict.ruling, strict.won) == (Ruling.ILLEGAL, ())


def test_d10_all_the_table_without_the_word_wins_the_cards_alone() -> None:
    silent = claim("R1 Y3", "G5", "R1 Y3")
    verdict = judge(silent)
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "D10"))
    assert (verdict.wins_tweak, verdict.points) == (False, 8)
    assert judge(silent, HouseRules(tweak_not_said="T! card")).wins_tweak


def test_t6_a_card_laid_is_always_legal_and_wins_nothing() -> None:
    verdict = judge(claim("R1 Y3", "G5", "", target=None, said_tweak=True))
    assert (verdict.ruling, verdict.rules, verdict.won) == (Ruling.LEGAL, ("T6",), ())
    assert verdict.reason == "G5 is laid on the table, no sum is claimed"
    after = judge(claim("R1 Y3", "G5", "", tweak=TweakPlay.BOMB))
    assert after.rules == ("T6", "D7")


def test_k1_a_laid_card_that_could_have_made_a_sum_gives_it_away() -> None:
    laid = claim("R1 Y3 B4", "G5", "")
    assert [str(one) for one in given_away(laid)] == ["G5 + R1 + Y3", "G5 + B4"]
    assert given_away(claim("R1 Y3", "G5", "", target=None)) == ()
    assert given_away(claim("R1 Y3", "G5", "R1 Y3")) == ()
    helped = claim("R1 Y3", "G5", "", target=7, tweak=TweakPlay.JOKER_DOWN)
    assert [str(one) for one in given_away(helped)] == ["G5 + R1"]


def test_an_unseen_target_is_unclear_only_where_it_matters() -> None:
    open_ = judge(claim("R1 Y3", "G5", "R1 Y3", target=None))
    assert (open_.ruling, open_.won) == (Ruling.UNCLEAR, ())
    assert open_.reason == "5 + 1 + 3 is 9: right if the target is 9, but the target is not seen"
    low = judge(claim("R1 Y3", "G5", "R1", target=None))
    assert (low.ruling, low.reason) == (
        Ruling.ILLEGAL,
        "5 + 1 is 6, and no target from 7 to 10 fits",
    )
    helped = judge(claim("R1 Y3", "G5", "R1", target=None, tweak=TweakPlay.JOKER_DOWN))
    assert helped.reason == (
        "5 + 1 is 6: right if the target is 6 (7, Joker -1), but the target is not seen"
    )


def test_two_copies_may_be_in_hand_and_on_the_table_but_not_three() -> None:
    assert judge(claim("R1 R1 Y5", "B2", "R1 R1 Y5")).legal
    assert judge(claim("R3 Y3", "R3", "R3 Y3")).legal
    with pytest.raises(BadInput, match="table and hand: R3 exists twice, but it is named 3 times"):
        claim("R3 R3", "R3", "R3")


@pytest.mark.parametrize(
    ("taken", "missing"), [("B4", "B4"), ("R1 R1", "R1"), ("R1 B4 G6", "B4, G6")]
)
def test_a_claim_on_a_card_that_is_not_on_the_table_names_it(taken: str, missing: str) -> None:
    with pytest.raises(BadInput, match=f"taken, but not on the table: {missing}$"):
        claim("R1 Y3", "G5", taken)


def test_every_reason_is_its_template_filled_in_and_every_rule_is_in_the_book() -> None:
    verdicts: list[Verdict] = [
        judge(claim("R1 Y3", "G5", taken, target=target, said_tweak=said))
        for taken in ("", "R1", "R1 Y3")
        for target in (None, 7, 9)
        for said in (False, True)
    ]
    for verdict in verdicts:
        assert verdict.template in TEMPLATES
        assert verdict.reason == verdict.template % verdict.values
        assert set(verdict.rules) <= set(RULES)


GOOD = {
    "edition": "72",
    "target": 9,
    "deck_empty": False,
    "table": ["R1", "Y3"],
    "hand": "G5",
    "taken": ["R1", "Y3"],
    "tweak": None,
    "said_tweak": True,
    "spoken": None,
}


def test_a_line_of_the_contract_is_answered_in_the_contract() -> None:
    assert judge_line(json.dumps(GOOD) + "\n") == {
        "verdict": "legal",
        "rules": ["T1", "T5"],
        "reason": "5 + 1 + 3 is 9, the target is 9, and no card is left: a TWEAK",
        "wins_tweak": True,
        "won": ["G5", "R1", "Y3"],
        "points": 8,
    }


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("edition", "66", "65"),
        ("edition", 65, "65"),
        ("target", 11, "from 7 to 10, not 11"),
        ("target", 10**3000, "a huge number"),
        ("target", True, "not true"),
        ("target", 9.0, "not 9.0"),
        ("target", "9", "not '9'"),
        ("deck_empty", 1, "true or false"),
        ("deck_empty", True, "deck gone the target is 7, not 9"),
        ("table", "R1", "list of cards"),
        ("table", ["R1", None], "not null"),
        ("table", ["R9"], "is no card"),
        ("table", ["R1"] * 5000, "exists twice"),
        ("table", ["#9"], "no number card"),
        ("hand", None, "a card such as R5"),
        ("hand", ["G5"], "not a list"),
        ("hand", "R5\ud800", "is no card"),
        ("taken", ["R1", "B4"], "not on the table: B4"),
        ("tweak", "joker", "joker+1"),
        ("tweak", {}, "not an object"),
        ("said_tweak", "yes", "true or false"),
        ("spoken", 5, "a text or null"),
    ],
)
def test_a_wrong_value_gets_one_line_that_says_what_was_wanted(
    key: str, value: object, wanted: str
) -> None:
    answer = judge_line(json.dumps({**GOOD, key: value}))
    assert list(answer) == ["error"]
    error = answer["error"]
    assert isinstance(error, dict)
    assert wanted in error["message"]
    assert "\n" not in error["message"]
    assert len(error["message"]) < 200


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "7",
        '"R5"',
        "{}",
        '{"edition": "65"',
        json.dumps(GOOD)[:40],
        json.dumps({**GOOD, "extra": 1}),
        '{"edition": "65", "edition": "72"}',
        "[" * 100_000,
        '{"a":' * 9_000,
        "[" * 60_000,
        json.dumps(GOOD).replace("9", "NaN"),
        json.dumps(GOOD).replace("9", "-Infinity"),
        json.dumps(GOOD).replace("9", "1e999"),
        json.dumps(GOOD).replace("9", "9" * 6000),
        "x" * 1_000_000,
        "\x00\x01",
        json.dumps({**GOOD, "spoken": "a" * 70_000}),
        b"\xff\xfe{}",
    ],
)
def test_a_broken_line_gets_an_error_in_its_place(line: str | bytes) -> None:
    answer = judge_line(line)
    assert list(answer) == ["error"]
    message = str(answer["error"])
    assert len(message) < 200
    assert json.loads(json.dumps(answer)) == answer


def test_keys_that_may_be_left_out_have_their_quiet_values() -> None:
    needed = ("edition", "target", "table", "hand", "taken")
    answer = judge_line(json.dumps({key: GOOD[key] for key in needed}))
    assert (answer["verdict"], answer["wins_tweak"]) == ("legal", False)
