"""Judges a declaration on what was seen, over every plausible reading of the doubtful cards.

Where all readings give the same answer, that is the answer, and doubt is not mentioned. Where they
do not, the answer is *unclear* and names the card to show. The readings themselves stay as they
are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from companion.errors import BadClaim, Phrase
from companion.rules.cards import Card, NumberCard, TargetBack
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.tweaks import TweakPlay
from companion.rules.verdict import Ruling, Verdict
from companion.table.cases import UNREAD, Bench, Case, Doubt, Hand, Known
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

__all__ = [
    "TEMPLATES",
    "About",
    "Declaration",
    "Evidence",
    "Question",
    "Ruled",
    "evidence_for",
    "rule_on",
    "scene_of",
    "settle",
]

ASK_CARD = "show me the card that is %(cards)s"
ASK_TARGET = "show me the top card of the deck: it is %(targets)s"
ASK_NO_TARGET = "show me the top card of the deck"
ASK_PRESENT = "tell me whether %(cards)s still lies on the table"
TEMPLATES = (ASK_CARD, UNREAD, ASK_TARGET, ASK_NO_TARGET, ASK_PRESENT)
"""Every template of a question, for the translators."""


class About(Enum):
    """What a question of the referee is about."""

    CARD = "card"
    PRESENCE = "presence"
    TARGET = "target"
    HAND = "hand"
    TWEAK = "tweak"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee wants to be shown or told.

    Attributes:
        template: the question as an English sentence with ``%(name)s`` places.
        values: what goes into the places, in English.
        about: what it is about.
        options: what it may be, likeliest first; a hand card that nobody saw by its value.
        sighting: the card on the table that it is about, None where it is about another thing.
    """

    template: str
    values: Mapping[str, str]
    about: About
    options: tuple[Card | int | TweakPlay, ...] = ()
    sighting: Sighting | None = None

    def __str__(self) -> str:
        return self.template % self.values


@dataclass(frozen=True, slots=True)
class Ruled:
    """The referee's answer.

    Attributes:
        verdict: legal, illegal or unclear.
        hand: the hand card, its value alone, or None where not even that is known.
        table: the table cards that counted, a hand card laid beside them left out.
        question: what would settle it, None when it is sure.
        cases: how many readings of the table were judged.
    """

    verdict: Verdict
    hand: Hand
    table: tuple[Sighting, ...]
    question: Question | None = None
    cases: int = 1

    @property
    def ask(self) -> str | None:
        """What the referee wants to be shown, in one English sentence; None when it is sure."""
        return None if self.question is None else str(self.question)


def rule_on(
    declaration: Declaration,
    evidence: Evidence,
    edition: Edition,
    house: HouseRules | None = None,
    known: Known = (),
) -> Ruled:
    """Judge a declaration on the evidence, and on what was told of single cards since.

    Raises:
        BadClaim: a claimed card is not on the table and is no plausible reading of any card
            there, or the hand card is not known.
        UnknownCard: a text that is no number card.
    """
    hand, taken = hand_card(declaration, evidence), taken_cards(declaration)
    table = table_without_hand(hand, taken, evidence)
    _check_claimed(taken, table)
    bench = Bench(declaration, hand, taken, edition, house)
    cases = list(bench.cases(evidence.scene, table, known))
    verdict, question = settle(bench, cases, evidence.scene)
    return Ruled(verdict, hand, table, question, len(cases))


def settle(bench: Bench, cases: Sequence[Case], scene: Scene) -> tuple[Verdict, Question | None]:
    """The one verdict of all cases; where they differ: unclear, and what would settle it."""
    answers = {case.answer for case in cases}
    if len(answers) == 1 and not bench.limited:
        best = max(cases, key=lambda case: (case.as_said, case.likelihood))
        return best.verdict, _plain_question(best.verdict, bench, scene)
    return _unclear(cases), _question(bench.doubts, cases)


def _plain_question(verdict: Verdict, bench: Bench, scene: Scene) -> Question | None:
    """What to show where every reading leaves it open."""
    if verdict.template == UNREAD:
        return _unread(bench.doubts)
    if verdict.ruling is Ruling.UNCLEAR and not scene.target_options:
        return Question(ASK_NO_TARGET, {}, About.TARGET)
    return None


def _unread(doubts: Sequence[Doubt]) -> Question:
    hidden = [doubt.sighting for doubt in doubts if doubt.sighting and doubt.options == (None,)]
    return Question(UNREAD, {}, About.CARD, sighting=hidden[0] if hidden else None)


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
            there = ", ".join(str(s.reading) for s in table) or Phrase("no card")
            raise BadClaim(
                "%(card)s is not on the table as it was seen: there lay %(cards)s",
                card=card,
                cards=there,
            )


def _unclear(cases: Sequence[Case]) -> Verdict:
    """The likeliest case's reason, marked as not decided."""
    best = max(cases, key=lambda case: case.likelihood)
    return Verdict(Ruling.UNCLEAR, best.verdict.rules, best.verdict.template, best.verdict.values)


def _question(doubts: Sequence[Doubt], cases: Sequence[Case]) -> Question | None:
    """Which thing to show: the least sure of those whose answer changes the verdict."""
    telling = [
        (max(doubt.scores), place)
        for place, doubt in enumerate(doubts)
        if len(doubt.options) > 1 and _tells(place, cases)
    ]
    if not telling and any(d.sighting and d.options == (None,) for d in doubts):
        return _unread(doubts)
    if not telling:
        # No single thing decides, or there are too many to try: begin with the least sure.
        telling = [(max(d.scores), place) for place, d in enumerate(doubts) if len(d.options) > 1]
    if not telling:
        return None
    doubt = doubts[min(telling)[1]]
    cards = tuple(option for option in doubt.options if not isinstance(option, int | None))
    named = {"cards": spoken_names(cards)}
    if doubt.presence:
        return Question(ASK_PRESENT, named, About.PRESENCE, cards, doubt.sighting)
    if doubt.sighting is not None:
        return Question(ASK_CARD, named, About.CARD, cards, doubt.sighting)
    targets = tuple(TargetBack(option) for option in doubt.options if isinstance(option, int))
    shown = {"targets": " or ".join(str(back.target) for back in targets)}
    return Question(ASK_TARGET, shown, About.TARGET, targets)


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
