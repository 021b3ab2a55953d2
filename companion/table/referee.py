"""Judges a declaration on what was seen, over every plausible reading of the doubtful cards.

Where all readings give the same answer, that is the answer, and doubt is not mentioned. Where they
do not, the answer is *unclear* and names the card to show. The readings themselves stay as they
are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from companion.errors import BadClaim
from companion.rules.cards import Card, Colour, NumberCard, TargetBack
from companion.rules.claim import Claim, TweakPlay, judge
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.verdict import Ruling, Verdict
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
ASK_UNREAD = "show me the card that I cannot read"
ASK_TARGET = "show me the top card of the deck: it is %(targets)s"
ASK_NO_TARGET = "show me the top card of the deck"
ASK_PRESENT = "tell me whether %(cards)s still lies on the table"
TEMPLATES = (ASK_CARD, ASK_UNREAD, ASK_TARGET, ASK_NO_TARGET, ASK_PRESENT)
"""Every template of a question, for the translators."""

CERTAINLY_THERE = 0.5
_MOST_OPTIONS = 4
_MOST_CASES = 5000


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


@dataclass(frozen=True, slots=True)
class _Doubt:
    """One thing that may be so or so: a claimed card, the target, or whether a card is there."""

    options: tuple[Card | int | None, ...]
    scores: tuple[float, ...]
    sighting: Sighting | None = None
    presence: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    choice: tuple[Card | int | None, ...]
    likelihood: float
    verdict: Verdict
    as_said: bool

    @property
    def answer(self) -> tuple[Ruling, bool]:
        return self.verdict.ruling, self.verdict.wins_tweak


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
    bench = _Bench(declaration, hand, taken, edition, house)
    cases = list(bench.cases(evidence.scene, table))
    answers = {case.answer for case in cases}
    if len(answers) == 1:
        best = max(cases, key=lambda case: (case.as_said, case.likelihood))
        asked = _plain_question(best.verdict, evidence.scene)
        return Ruled(best.verdict, evidence, hand, table, *asked, cases=len(cases))
    verdict = _unclear(cases)
    asked = _question(bench.doubts, cases)
    return Ruled(verdict, evidence, hand, table, *asked, cases=len(cases))


_Question = tuple[str | None, Mapping[str, str] | None, tuple[Card, ...]]


def _plain_question(verdict: Verdict, scene: Scene) -> _Question:
    """What to show where every reading leaves it open."""
    if verdict.template == ASK_UNREAD:
        return ASK_UNREAD, {}, ()
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


class _Bench:
    """Goes through the cases of one claim."""

    def __init__(
        self,
        declaration: Declaration,
        hand: NumberCard,
        taken: tuple[NumberCard, ...],
        edition: Edition,
        house: HouseRules | None,
    ) -> None:
        self._said, self._hand, self._taken = declaration, hand, taken
        self._edition, self._house = edition, house
        self._tweak = _tweak_play(declaration.tweak)
        self.doubts: tuple[_Doubt, ...] = ()

    def cases(self, scene: Scene, table: tuple[Sighting, ...]) -> Iterator[_Case]:
        """Every combination of what the cards that matter may be, with its verdict."""
        claimed = [s for s in table if self._may_be_claimed(s)]
        rest = [s for s in table if s not in claimed]
        unsure = [s for s in rest if s.found < CERTAINLY_THERE]
        target = scene.target_options or (None,)
        self.doubts = (
            *(self._doubt(s) for s in claimed),
            *(_Doubt((s.reading.best, None), (s.found, 1 - s.found), s, True) for s in unsure),
            _Doubt(target, tuple(1.0 / len(target) for _ in target)),
        )
        self._limit()
        certain = len(rest) - len(unsure)
        for picks in product(*(range(len(doubt.options)) for doubt in self.doubts)):
            choice = tuple(d.options[i] for d, i in zip(self.doubts, picks, strict=True))
            likely = prod(d.scores[i] for d, i in zip(self.doubts, picks, strict=True))
            here = sum(option is not None for option in choice[len(claimed) : -1])
            cards = choice[: len(claimed)]
            yield self._judge(choice, likely, (cards, certain + here, scene.deck_gone))

    def _limit(self) -> None:
        """Drop the unlikeliest readings until the cases can be gone through at once."""
        while prod(len(doubt.options) for doubt in self.doubts) > _MOST_CASES:
            longest = max(self.doubts, key=lambda doubt: len(doubt.options))
            short = _Doubt(
                longest.options[:-1], longest.scores[:-1], longest.sighting, longest.presence
            )
            self.doubts = tuple(short if doubt is longest else doubt for doubt in self.doubts)

    def _may_be_claimed(self, sighting: Sighting) -> bool:
        unread = not sighting.reading.options
        return unread or any(may_be(sighting.reading, card) for card in self._taken)

    def _doubt(self, sighting: Sighting) -> _Doubt:
        scores = dict(sighting.reading.options)
        cards = [c for c in sighting.reading.plausible if isinstance(c, NumberCard)]
        cards = cards[:_MOST_OPTIONS]
        if not cards:
            return _Doubt((None,), (1.0,), sighting)
        return _Doubt(tuple(cards), tuple(scores[card] for card in cards), sighting)

    def _judge(
        self,
        choice: tuple[Card | int | None, ...],
        likely: float,
        seen: tuple[tuple[Card | int | None, ...], int, bool],
    ) -> _Case:
        cards, others, deck_gone = seen
        taken = _actual(self._taken, [c for c in cards if isinstance(c, NumberCard)])
        left = len(cards) - len(self._taken) + others
        if len(taken) < len(self._taken):
            verdict = Verdict(Ruling.UNCLEAR, ("T1",), ASK_UNREAD, {})
            return _Case(choice, likely, verdict, as_said=False)
        target = choice[-1] if isinstance(choice[-1], int) and not deck_gone else None
        claim = Claim(
            edition=self._edition,
            target=target,
            deck_empty=deck_gone,
            table=(*taken, *_fillers(left, (self._hand, *taken))),
            hand=self._hand,
            taken=taken,
            tweak=self._tweak,
            said_tweak=self._said.said_tweak,
            spoken=self._said.spoken,
        )
        as_said = sorted(map(str, taken)) == sorted(map(str, self._taken))
        return _Case(choice, likely, judge(claim, self._house), as_said)


def _tweak_play(text: str | None) -> TweakPlay | None:
    names = [play.value for play in TweakPlay]
    if text is not None and text not in names:
        raise BadClaim(f"a T! card played is one of {', '.join(names)}, not {text!r}")
    return TweakPlay(text) if text is not None else None


def _actual(claimed: Sequence[NumberCard], there: Sequence[NumberCard]) -> tuple[NumberCard, ...]:
    """What the claimed cards are, if the candidates are these: themselves, else what is left."""
    free, actual, missing = list(there), [], 0
    for card in claimed:
        if card in free:
            free.remove(card)
            actual.append(card)
        else:
            missing += 1
    return (*actual, *free[:missing])


def _fillers(count: int, used: Sequence[NumberCard]) -> Iterator[NumberCard]:
    """Cards that stand for those left on the table: the law asks only how many there are."""
    made = 0
    for value, colour in product((1, 2, 3), Colour):
        card = NumberCard(colour, value)
        for _ in range(2 - sum(card == other for other in used)):
            if made < count:
                made += 1
                yield card


def _unclear(cases: Sequence[_Case]) -> Verdict:
    """The likeliest case's reason, marked as not decided."""
    best = max(cases, key=lambda case: case.likelihood)
    return Verdict(Ruling.UNCLEAR, best.verdict.rules, best.verdict.template, best.verdict.values)


def _question(doubts: Sequence[_Doubt], cases: Sequence[_Case]) -> _Question:
    """Which thing to show: the least sure of those whose answer changes the verdict."""
    telling = [
        (max(doubt.scores), place)
        for place, doubt in enumerate(doubts)
        if len(doubt.options) > 1 and _tells(place, cases)
    ]
    unread = next((d for d in doubts if d.sighting and d.options == (None,)), None)
    if not telling:
        return (ASK_UNREAD, {}, ()) if unread else (None, None, ())
    doubt = doubts[min(telling)[1]]
    cards = tuple(option for option in doubt.options if not isinstance(option, int | None))
    if doubt.presence:
        return ASK_PRESENT, {"cards": spoken_names(cards)}, cards
    if doubt.sighting is not None:
        return ASK_CARD, {"cards": spoken_names(cards)}, cards
    targets = tuple(TargetBack(option) for option in doubt.options if isinstance(option, int))
    named = " or ".join(str(back.target) for back in targets)
    return ASK_TARGET, {"targets": named}, targets


def _tells(place: int, cases: Sequence[_Case]) -> bool:
    """Whether two cases that differ in this one thing alone have different answers."""
    answers: dict[tuple[object, ...], set[object]] = {}
    for case in cases:
        others = case.choice[:place] + case.choice[place + 1 :]
        answers.setdefault(others, set()).add(case.answer)
    return any(len(found) > 1 for found in answers.values())


def spoken_names(cards: Sequence[Card]) -> str:
    """Cards as people say them.

    >>> spoken_names([NumberCard(Colour.BLUE, 2), NumberCard(Colour.BLUE, 3)])
    'blue 2 or blue 3'
    """
    return " or ".join(
        f"{card.colour.value} {card.value}" if isinstance(card, NumberCard) else str(card)
        for card in cards
    )
