"""The verdict on one sum, whoever asks: a claim at the table or a move in a round.

Rules T1-T5 and X3, with the house readings D4 and D9-D11.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from companion.rules.cards import TARGETS, NumberCard
from companion.rules.house import HouseRules
from companion.rules.scoring import points_of
from companion.rules.spoken import hear
from companion.rules.verdict import (
    MISSPOKEN,
    SUM,
    SUM_CARDS_LEFT,
    SUM_NEVER,
    SUM_NO_STACK,
    SUM_NOT_SAID,
    SUM_TWEAK,
    SUM_UNSEEN,
    Ruling,
    Verdict,
)


class SumFacts(NamedTuple):
    """What a sum is judged by.

    Attributes:
        cards: the hand card first, then the table cards that it joins.
        left: how many cards stay on the table.
        target: the target as it shows; None where it is not seen.
        change: what a Joker does to it: +1, -1 or 0.
        deck_gone: whether the target comes from the blue 7.
        said_tweak: whether the player said "TWEAK".
        spoken: what was said aloud, None where nothing was heard.
        stack_empty: whether no T! card is left to win.
    """

    cards: tuple[NumberCard, ...]
    left: int
    target: int | None
    change: int = 0
    deck_gone: bool = False
    said_tweak: bool = False
    spoken: str | None = None
    stack_empty: bool = False

    @property
    def total(self) -> int:
        """What the cards make."""
        return sum(card.value for card in self.cards)

    @property
    def spelled(self) -> str:
        """The sum as a person writes it."""
        return " + ".join(str(card.value) for card in self.cards)


def judge_sum(facts: SumFacts, house: HouseRules) -> Verdict:
    """Say whether the cards meet the target, and what they win."""
    if facts.target is None:
        return _target_unseen(facts)
    values: dict[str, object] = {
        "sum": facts.spelled,
        "total": facts.total,
        "target": _target_text(facts.target, facts.change),
    }
    if facts.total != facts.target + facts.change:
        return Verdict(Ruling.ILLEGAL, _rules(facts), SUM, values)
    return _spoken_checked(facts, _right_sum(facts, house, values), house)


def misspoken(facts: SumFacts) -> str | None:
    """What was said wrongly, in figures; None where all was right or not understood (D11)."""
    heard = hear(facts.spoken) if facts.spoken else None
    if heard is None or not heard.complete:
        return None
    if Counter(heard.addends) != Counter(card.value for card in facts.cards):
        return _in_figures(heard.addends)
    slips = [
        f"{_in_figures(heard.addends[:count])} = {said}"
        for count, said in heard.totals
        if sum(heard.addends[:count]) != said
    ]
    return "; ".join(slips) or None


def _in_figures(numbers: tuple[int, ...]) -> str:
    return " + ".join(str(number) for number in numbers)


def _right_sum(facts: SumFacts, house: HouseRules, values: dict[str, object]) -> Verdict:
    rules, template, wins_tweak = _rules(facts), SUM, False
    if facts.left and facts.said_tweak:
        rules, template = (*rules, "D9"), SUM_CARDS_LEFT
        values["left"] = facts.left
        if house.tweak_with_cards_left == "no sum":
            return Verdict(Ruling.ILLEGAL, rules, template, values)
    elif not facts.left:
        counts = facts.said_tweak or house.tweak_not_said == "T! card"
        rules = (*rules, "T5" if facts.said_tweak else "D10")
        template, wins_tweak = (SUM_TWEAK, True) if counts else (SUM_NOT_SAID, False)
        if counts and facts.stack_empty:
            rules, template, wins_tweak = (*rules, "D4"), SUM_NO_STACK, False
            if house.empty_stack == "no sum":
                return Verdict(Ruling.ILLEGAL, rules, template, values)
    points = sum(map(points_of, facts.cards))
    return Verdict(Ruling.LEGAL, rules, template, values, wins_tweak, facts.cards, points)


def _spoken_checked(facts: SumFacts, verdict: Verdict, house: HouseRules) -> Verdict:
    """Note wrong words beside right cards; a strict match refuses them (D11)."""
    wrong = misspoken(facts) if verdict.legal else None
    if wrong is None:
        return verdict
    rules, template = (*verdict.rules, "D11"), MISSPOKEN[verdict.template]
    values = {**verdict.values, "said": wrong}
    if house.strict_speech:
        return Verdict(Ruling.ILLEGAL, rules, template, values)
    wins, won, points = verdict.wins_tweak, verdict.won, verdict.points
    return Verdict(verdict.ruling, rules, template, values, wins, won, points)


def _target_unseen(facts: SumFacts) -> Verdict:
    """A sum whose target is not seen: unclear where some target would do, else illegal."""
    needed = facts.total - facts.change
    values: dict[str, object] = {"sum": facts.spelled, "total": facts.total}
    if needed in TARGETS:
        values["needed"] = _target_text(needed, facts.change)
        return Verdict(Ruling.UNCLEAR, _rules(facts), SUM_UNSEEN, values)
    values["lowest"] = min(TARGETS) + facts.change
    values["highest"] = max(TARGETS) + facts.change
    return Verdict(Ruling.ILLEGAL, _rules(facts), SUM_NEVER, values)


def _rules(facts: SumFacts) -> tuple[str, ...]:
    target = ("T2",) if facts.deck_gone or facts.target is None else ()
    return ("T1", *target, "X3") if facts.change else ("T1", *target)


def _target_text(target: int, change: int) -> str:
    return f"{target + change} ({target}, Joker {change:+d})" if change else str(target)
