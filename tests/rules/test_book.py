"""The book of rules and the house settings."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from companion.errors import BadSetting, NotFound
from companion.rules.book import RULES, rule_text
from companion.rules.house import CHOICES, HouseRules

IDS = "C1 C2 C3 C4 S1 S2 S3 T1 T2 T3 T4 T5 T6 T7 X1 X2 X3 X4 X5 X6 K1 K2 K3 E1 E2 P1 P2 P3 P4 M1"
HOUSE_IDS = [f"D{number}" for number in range(1, 12)]


def test_every_rule_has_one_sentence_in_the_order_of_the_law() -> None:
    assert list(RULES) == IDS.split() + HOUSE_IDS
    for text in RULES.values():
        assert re.match(r"^[A-Z].*\.$", text)
    assert all(RULES[rule].startswith("Our reading: ") for rule in HOUSE_IDS)


def test_a_rule_is_found_by_its_id_in_either_case_and_no_other_is() -> None:
    assert rule_text("t1") == RULES["T1"]
    with pytest.raises(NotFound, match="no rule 'Z9'"):
        rule_text("Z9")


def test_every_rule_has_a_test_that_is_named_after_it() -> None:
    tests = " ".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    untested = [rule for rule in RULES if f"def test_{rule.lower()}_" not in tests]
    assert untested == []


def test_every_house_reading_is_a_setting_whose_default_comes_first() -> None:
    house = HouseRules()
    assert [field.name for field in fields(house)] == list(CHOICES)
    assert {rule for rule, _ in CHOICES.values()} == set(HOUSE_IDS)
    for name, (_, answers) in CHOICES.items():
        assert getattr(house, name) == answers[0]


def test_a_house_setting_with_another_answer_is_refused_by_name() -> None:
    with pytest.raises(BadSetting, match=r"tie \(D1\) is extra round or shared, not 'coin'"):
        HouseRules(tie="coin")  # type: ignore[arg-type]
