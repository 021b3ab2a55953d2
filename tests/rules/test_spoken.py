"""Rules T3, T5, D11: sums said aloud, in six languages, as dictation writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.cards import NumberCard, parse_number_card
from companion.rules.claim import Claim, judge
from companion.rules.editions import Edition
from companion.rules.house import DEFAULTS, HouseRules
from companion.rules.spoken import hear
from companion.rules.verdict import TEMPLATES, Ruling, Verdict
from companion.rules.words import EQUALS, NUMBERS, PLUS, TWEAK

STEPS = ((2, 4), (3, 6), (4, 9))


@pytest.mark.parametrize(
    "text",
    [
        "1 and 3 is 4, and 2 is 6, and 3 is 9",
        "One plus three equals four plus two equals six plus three equals nine.",
        "1+3=4+2=6+3=9",
        "1 and 3 is equal to 4, 4 and 2 makes 6, 6 and 3 makes 9",
        "1 ועוד 3 זה 4, ועוד 2 זה 6, ועוד 3 זה 9",
        "אחת ועוד שלוש זה ארבע ועוד שתיים זה שש ועוד שלוש זה תשע",
        "1 ו-3 זה 4 ו-2 זה 6 ושלוש שווה 9",
        "1 زائد 3 يساوي 4، زائد 2 يساوي 6، زائد 3 يساوي 9",
        "١ زائد ٣ يساوي ٤، زائد ٢ يساوي ٦، زائد ٣ يساوي ٩",
        "واحد وثلاثة يساوي أربعة واثنين يساوي ستة و٣ يساوي تسعة",
        "1 συν 3 είναι 4, συν 2 είναι 6, συν 3 είναι 9",
        "ένα και τρία κάνει τέσσερα, και δύο κάνει έξι, και τρία κάνει εννιά",
        "1 meg 3 az 4, meg 2 az 6, meg 3 az 9",
        "egy meg három az négy, meg a kettő az hat, meg három egyenlő kilenc",
        "1 más 3 son 4, más 2 son 6, más 3 son 9",
        "uno y tres es igual a cuatro y dos son seis y tres son nueve",
        "uno más tres nos da cuatro, más dos nos dan seis, más tres dan nueve",
        "1 & 3 makes 4 & 2 that's 6 & 3 is equal to 9",
        "1 ועוד 3 שווה ל-4, ועוד 2 שווה לשש, ועוד 3 ביחד 9",
        "واحد و ثلاثه بيساوي اربعه و اثنين بيساوي سته و ثلاثه بيساوي تسعه",
        "1 και 3 μας κάνει 4, και 2 μας κάνει 6, και 3 ίσον με 9",
        "1 meg 3 egyenlő 4-gyel, meg 2 az annyi mint 6, meg 3 az 9",
    ],
)
def test_t3_a_sum_said_step_by_step_is_understood_in_every_language(text: str) -> None:
    heard = hear(text)
    assert (heard.addends, heard.totals, heard.claimed) == ((1, 3, 2, 3), STEPS, 9)
    assert (heard.complete, heard.rest, heard.slips()) == (True, (), ())


@pytest.mark.parametrize(
    ("text", "addends", "totals"),
    [
        ("5 and 1 and 3 is 9", (5, 1, 3), ((3, 9),)),
        ("5 and 1 and 3", (5, 1, 3), ()),
        ("six", (6,), ()),
    ],
)
def test_running_totals_may_be_left_out(
    text: str, addends: tuple[int, ...], totals: tuple[tuple[int, int], ...]
) -> None:
    heard = hear(text)
    assert (heard.addends, heard.totals, heard.complete) == (addends, totals, True)


@pytest.mark.parametrize("word", ["TWEAK!", "tweak", "טוויק", "تويك", "τουίκ"])
def test_t5_tweak_is_heard_with_or_without_a_sum(word: str) -> None:
    assert hear(word).said_tweak
    heard = hear(f"5 and 4 is 9, and {word}")
    assert (heard.said_tweak, heard.addends, heard.claimed, heard.complete) == (
        True,
        (5, 4),
        9,
        True,
    )
    assert not hear("5 and 4 is 9").said_tweak


@pytest.mark.parametrize(
    ("text", "addends", "rest"),
    [
        ("1 and twelve is 13", (1,), ("twelve", "is", "13")),
        ("twelve and 3 is 4", (), ("twelve", "and", "3", "is", "4")),
        ("5 - 1 is 4", (5,), ("-", "1", "is", "4")),
        ("1 3 4", (1,), ("3", "4")),
        ("9 is 5 and 4", (9,), ("is", "5", "and", "4")),
        ("1 and 3 is", (1, 3), ("is",)),
        ("1 and 3 is 4, 5 and 2 is 7", (1, 3), ("5", "and", "2", "is", "7")),
        ("1 and 300 is 4", (1,), ("300", "is", "4")),
    ],
)
def test_what_is_not_understood_is_handed_back_and_not_guessed(
    text: str, addends: tuple[int, ...], rest: tuple[str, ...]
) -> None:
    heard = hear(text)
    assert (heard.addends, heard.rest, heard.complete) == (addends, rest, False)


def test_words_round_the_sum_are_handed_back_and_do_no_harm() -> None:
    heard = hear("Look, I have 1 and 3 is 4, thanks!")
    assert (heard.addends, heard.totals, heard.complete) == ((1, 3), ((2, 4),), True)
    assert heard.rest == ("Look", "I", "have", "thanks")


def test_d11_each_running_total_is_checked() -> None:
    assert hear("1 and 3 is 5, and 2 is 6, and 3 is 8").slips() == ((4, 5), (9, 8))


def test_no_word_has_two_meanings() -> None:
    kinds = [set(NUMBERS), set(PLUS), set(EQUALS), set(TWEAK)]
    assert sum(map(len, kinds)) == len(set().union(*kinds))
    assert set(NUMBERS.values()) == set(range(12))


def test_a_speech_without_end_is_cut_and_not_trusted() -> None:
    heard = hear("1 and 3 is 4 " + "x" * 5000)
    assert (heard.addends, heard.complete) == ((1, 3), False)


@given(st.text(max_size=60))
def test_any_text_at_all_is_heard_without_an_error(text: str) -> None:
    heard = hear(text)
    assert all(0 <= number < 100 for number in heard.addends)
    assert all(1 < count <= len(heard.addends) for count, _ in heard.totals)
    assert heard.complete or heard.rest or not heard.addends


@given(st.lists(st.integers(1, 6), min_size=2, max_size=7))
def test_every_rightly_said_sum_has_no_slip(values: list[int]) -> None:
    said, total = str(values[0]), values[0]
    for value in values[1:]:
        total += value
        said += f" and {value} is {total}, "
    heard = hear(said)
    assert (heard.addends, heard.claimed, heard.slips()) == (tuple(values), total, ())


def claimed(spoken: str, house: HouseRules = DEFAULTS, said: bool = False) -> Verdict:
    table: tuple[NumberCard, ...] = (parse_number_card("R1"), parse_number_card("Y3"))
    hand = parse_number_card("G5")
    return judge(Claim(Edition.CARDS_65, 9, False, table, hand, table, None, said, spoken), house)


def test_d11_right_cards_with_wrong_words_count_and_the_slip_is_noted() -> None:
    verdict = claimed("5 and 1 is 7, and 3 is 9, tweak")
    assert (verdict.ruling, verdict.wins_tweak) == (Ruling.LEGAL, True)
    assert verdict.rules == ("T1", "T5", "D11")
    assert verdict.reason.endswith("a TWEAK; misspoken: 5 + 1 = 7")
    assert verdict.template in TEMPLATES
    other = claimed("5 and 4 is 9")
    assert other.reason.endswith("misspoken: 5 + 4")


def test_d11_a_strict_match_refuses_wrong_words() -> None:
    strict = HouseRules(strict_speech=True)
    verdict = claimed("5 and 1 is 7, and 3 is 9", strict)
    assert (verdict.ruling, verdict.rules[-1], verdict.won) == (Ruling.ILLEGAL, "D11", ())
    assert claimed("3 and 1 is 4, and 5 is 9", strict).legal


def test_d11_words_that_were_not_understood_are_held_against_nobody() -> None:
    assert "D11" not in claimed("5 and thingummy is 7", HouseRules(strict_speech=True)).rules


def test_tweak_in_the_words_heard_counts_as_said() -> None:
    assert claimed("5 and 1 and 3 is 9, TWEAK").wins_tweak
    assert not claimed("5 and 1 and 3 is 9").wins_tweak
