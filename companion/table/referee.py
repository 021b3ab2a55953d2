"""Judges a declaration on what was seen, over every plausible reading of the doubtful cards.

Where all readings give the same answer, that is the answer, and doubt is not mentioned. Where they
do not, the answer is *unclear* and names the card to show. The readings themselves stay as they
are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.errors import BadClaim
from companion.rules.cards import Card, NumberCard, TargetBack
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.verdict import Ruling, Verdict
from companion.table.cases import UNREAD, Bench, Case, Doubt
from companion.table.evidence import (
    Declaration,
    Evidence,
    evidence_for,
    hand_card,
    may_be,
    scene_of,
    table_without_hand,
    taken_cards,
)
from companion.table.scene import Scene
from companion.vision.values import Sighting

__all__ = ["TEMPLATES", "Declaration", "Evidence", "Ruled", "evidence_for", "rule_on", "scene_of"]

ASK_CARD = "show me the card that is %(cards)s"
ASK_TARGET = "show me the top card of the deck: it is %(targets)s"
ASK_NO_TARGET = "show me the top card of the deck"
ASK_PRESENT = "tell me whether %(cards)s still lies on the table"
TEMPLATES = (ASK_CARD, UNREAD, ASK_TARGET, ASK_NO_TARGET, ASK_PRESENT)
"""Every template of a question, for the translators."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """The referee's answer.

    Attributes:
        verdict: legal, illegal or unclear.
        evidence: what it was judged on.
        hand: the hand card.
        table: the table cards that counted, a hand card laid beside them left out.
        ask_template: the question as an English sentence with ``%(name)s`` places, or None.
        ask_values: what goes into the places, in English.
        ask_cards: the cards that the question lists, for pages in other languages.
        cases: how many readings of the table were judged.
    """

    verdict: Verdict
    evidence: Evidence
    hand: NumberCard
    table: tuple[Sighting, ...]
    ask_template: str | None = None
    ask_values: Mapping[str, str] | None = None
    ask_cards: tuple[Card, ...] = ()
    cases: int = 1

    @property
    def ask(self) -> str | None:
        """What the referee wants to be shown, in one English sentence; None when it is sure."""
        return None if self.ask_template is None else self.ask_template % (self.ask_values or {})


def rule_on(
    declaration: Declaration,
    evidence: Evidence,
    edition: Edition,
    house: HouseRules | None = None,
) -> Ruled:
    """Judge a declaration on the evidence.

    Raises:
        BadClaim: a claimed card is not on the table and is no plausible reading of any card
            there, or the hand card is not known.
        UnknownCard: a text that is no number card.
    """
    hand, taken = hand_card(declaration, evidence), taken_cards(declaration)
    table = table_without_hand(hand, taken, evidence)
    _check_claimed(taken, table)
    bench = Bench(declaration, hand, taken, edition, house)
    cases = list(bench.cases(evidence.scene, table))
    answers = {case.answer for case in cases}
    if len(answers) == 1 and not bench.limited:
        best = max(cases, key=lambda case: (case.as_said, case.likelihood))
        asked = _plain_question(best.verdict, evidence.scene)
        return Ruled(best.verdict, evidence, hand, table, *asked, cases=len(cases))
    verdict = _unclear(cases)
    asked = _question(bench.doubts, cases)
    return Ruled(verdict, evidence, hand, table, *asked, cases=len(cases))


_Question = tuple[str | None, Mapping[str, str] | None, tuple[Card, ...]]


def _plain_question(verdict: Verdict, scene: Scene) -> _Question:
    """What to show where every reading leaves it open."""
    if verdict.template == UNREAD:
        return UNREAD, {}, ()
    if verdict.ruling is Ruling.UNCLEAR and not scene.target_options:
        return ASK_NO_TARGET, {}, ()
    return None, None, ()


def _check_claimed(taken: Sequence[NumberCard], table: Sequence[Sighting]) -> None:
    free = sorted(table, key=lambda s: len(s.reading.options))
    unread = sum(not s.reading.options for s in table)
    for card in sorted(taken, key=lambda c: sum(may_be(s.reading, c) for s in table)):
        fit = next((s for s in free if may_be(s.reading, card)), None)
        if fit is not None:
            free.remove(fit)
        elif unread:
            unread -= 1
        else:
            there = ", ".join(str(s.reading) for s in table) or "no card"
            raise BadClaim(f"{card} is not on the table as it was seen: there lay {there}")


def _unclear(cases: Sequence[Case]) -> Verdict:
    """The likeliest case's reason, marked as not decided."""
    best = max(cases, key=lambda case: case.likelihood)
    return Verdict(Ruling.UNCLEAR, best.verdict.rules, best.verdict.template, best.verdict.values)


def _question(doubts: Sequence[Doubt], cases: Sequence[Case]) -> _Question:
    """Which thing to show: the least sure of those whose answer changes the verdict."""
    telling = [
        (max(doubt.scores), place)
        for place, doubt in enumerate(doubts)
        if len(doubt.options) > 1 and _tells(place, cases)
    ]
    if not telling and any(d.sighting and d.options == (None,) for d in doubts):
        return UNREAD, {}, ()
    if not telling:
        # No single thing decides, or there are too many to try: begin with the least sure.
        telling = [(max(d.scores), place) for place, d in enumerate(doubts) if len(d.options) > 1]
    if not telling:
        return None, None, ()
    doubt = doubts[min(telling)[1]]
    cards = tuple(option for option in doubt.options if not isinstance(option, int | None))
    if doubt.presence:
        return ASK_PRESENT, {"cards": spoken_names(cards)}, cards
    if doubt.sighting is not None:
        return ASK_CARD, {"cards": spoken_names(cards)}, cards
    targets = tuple(TargetBack(option) for option in doubt.options if isinstance(option, int))
    named = " or ".join(str(back.target) for back in targets)
    return ASK_TARGET, {"targets": named}, targets


def _tells(place: int, cases: Sequence[Case]) -> bool:
    """Whether two cases that differ in this one thing alone have different answers."""
    answers: dict[tuple[object, ...], set[object]] = {}
    for case in cases:
        others = case.choice[:place] + case.choice[place + 1 :]
        answers.setdefault(others, set()).add(case.answer)
    return any(len(found) > 1 for found in answers.values())


def spoken_names(cards: Sequence[Card]) -> str:
    """Cards as people say them.

    >>> from companion.rules.cards import parse_card
    >>> spoken_names([parse_card("B2"), parse_card("B3")])
    'blue 2 or blue 3'
    """
    return " or ".join(
        f"{card.colour.value} {card.value}" if isinstance(card, NumberCard) else str(card)
        for card in cards
    )
