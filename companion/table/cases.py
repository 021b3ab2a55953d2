"""Every plausible reading of the cards that a claim is about, each with its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TypeAlias

from companion.errors import BadClaim
from companion.rules.cards import Card, Colour, NumberCard
from companion.rules.claim import Claim, TweakPlay, judge
from companion.rules.editions import Edition, number_copies
from companion.rules.house import HouseRules
from companion.rules.scoring import points_of
from companion.rules.verdict import Ruling, Verdict
from companion.table.evidence import Declaration, may_be
from companion.table.scene import Scene
from companion.vision.values import Sighting

UNREAD = "show me the card that I cannot read"
CERTAINLY_THERE = 0.5
_MOST_OPTIONS = 4
_MOST_CASES = 1000

Option: TypeAlias = Card | int | None
"""A card, a target, or None: nothing there, or nothing known."""

Hand: TypeAlias = NumberCard | int | None
"""The hand card; its value alone where its colour was not seen; None: the first claimed is it."""

Known: TypeAlias = Sequence[tuple[Sighting, NumberCard | None]]
"""What players or a later picture told of single sightings; None: no card lies there."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing that may be so or so: a claimed card, the target, or whether a card is there."""

    options: tuple[Option, ...]
    scores: tuple[float, ...]
    sighting: Sighting | None = None
    presence: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One combination of what the doubtful things may be.

    Attributes:
        choice: the option picked for each doubt.
        likelihood: how likely the combination is, among all of them.
        verdict: the law's answer to it.
        as_said: whether the claimed cards are the very ones that were named.
    """

    choice: tuple[Option, ...]
    likelihood: float
    verdict: Verdict
    as_said: bool

    @property
    def answer(self) -> tuple[Ruling, bool]:
        """What must be alike in all cases for doubt not to matter."""
        return self.verdict.ruling, self.verdict.wins_tweak


class Bench:
    """Goes through the cases of one claim."""

    def __init__(
        self,
        declaration: Declaration,
        hand: Hand,
        taken: tuple[NumberCard, ...],
        edition: Edition,
        house: HouseRules | None,
    ) -> None:
        self._said, self._hand, self._taken = declaration, hand, taken
        self._edition, self._house = edition, house or HouseRules()
        self._known: Known = ()
        self._moved = False
        self._tweak = _tweak_play(declaration.tweak)
        self.doubts: tuple[Doubt, ...] = ()
        self.limited = False

    def cases(
        self,
        scene: Scene,
        table: tuple[Sighting, ...],
        known: Known = (),
        moved: Sequence[Sighting] | None = None,
    ) -> Iterator[Case]:
        """Every combination of what the cards that matter may be, with its verdict.

        Args:
            scene: what was seen before the play.
            table: the cards of it that count.
            known: what was told of single ones since.
            moved: the very cards that were taken, where they were seen to go; they come in this
                order, and no other card is claimed.

        Raises:
            BadClaim: no combination is possible with the cards in the box.
        """
        self._known, self._moved = known, moved is not None
        claimed = [s for s in table if self._may_be_claimed(s)] if moved is None else list(moved)
        rest = [s for s in table if all(s is not one for one in claimed)]
        rest = [s for s in rest if self._told(s) is not None or not self._is_told(s)]
        unsure = [s for s in rest if s.found < CERTAINLY_THERE and not self._is_told(s)]
        target = scene.target_options or (None,)
        self.doubts = (
            *(self._doubt(s) for s in claimed),
            *(Doubt((s.reading.best, None), (s.found, 1 - s.found), s, True) for s in unsure),
            Doubt(target, tuple(1.0 / len(target) for _ in target)),
        )
        self._limit()
        certain = len(rest) - len(unsure)
        impossible: BadClaim | None = None
        found = False
        for picks in product(*(range(len(doubt.options)) for doubt in self.doubts)):
            choice = tuple(d.options[i] for d, i in zip(self.doubts, picks, strict=True))
            likely = prod(d.scores[i] for d, i in zip(self.doubts, picks, strict=True))
            here = sum(option is not None for option in choice[len(claimed) : -1])
            cards = choice[: len(claimed)]
            try:
                case = self._judge(choice, likely, (cards, certain + here, scene.deck_gone))
            except BadClaim as error:
                # More copies than the box holds: the cards cannot all be what this case says.
                impossible = error
                continue
            found = True
            yield case
        if impossible is not None and not found:
            raise impossible

    def _limit(self) -> None:
        """Drop the unlikeliest readings until the cases can be gone through at once.

        What was dropped might have changed the answer: ``limited`` then says so.
        """
        while prod(len(doubt.options) for doubt in self.doubts) > _MOST_CASES:
            self.limited = True
            longest = max(self.doubts, key=lambda doubt: len(doubt.options))
            short = Doubt(
                longest.options[:-1], longest.scores[:-1], longest.sighting, longest.presence
            )
            self.doubts = tuple(short if doubt is longest else doubt for doubt in self.doubts)

    def _may_be_claimed(self, sighting: Sighting) -> bool:
        unread = not sighting.reading.options
        return unread or any(may_be(sighting.reading, card) for card in self._taken)

    def _is_told(self, sighting: Sighting) -> bool:
        return any(one is sighting for one, _ in self._known)

    def _told(self, sighting: Sighting) -> NumberCard | None:
        return next((card for one, card in self._known if one is sighting), None)

    def _doubt(self, sighting: Sighting) -> Doubt:
        told = self._told(sighting)
        if told is not None:
            return Doubt((told,), (1.0,), sighting)
        scores = dict(sighting.reading.options)
        cards = [c for c in sighting.reading.plausible if isinstance(c, NumberCard)]
        cards = cards[:_MOST_OPTIONS]
        if not cards:
            return Doubt((None,), (1.0,), sighting)
        return Doubt(tuple(cards), tuple(scores[card] for card in cards), sighting)

    def _judge(
        self,
        choice: tuple[Option, ...],
        likely: float,
        seen: tuple[tuple[Option, ...], int, bool],
    ) -> Case:
        cards, others, deck_gone = seen
        there = [c for c in cards if isinstance(c, NumberCard)]
        taken = tuple(there) if self._moved else _actual(self._taken, there)
        wanted = len(cards) if self._moved else len(self._taken)
        left = len(cards) - wanted + others
        if len(taken) < wanted:
            verdict = Verdict(Ruling.UNCLEAR, ("T1",), UNREAD, {})
            return Case(choice, likely, verdict, as_said=False)
        hand, taken = _hand_of(self._hand, taken)
        target = choice[-1] if isinstance(choice[-1], int) and not deck_gone else None
        claim = Claim(
            edition=self._edition,
            target=target,
            deck_empty=deck_gone,
            table=(*taken, *_fillers(left, (hand, *taken))),
            hand=hand,
            taken=taken,
            tweak=self._tweak,
            said_tweak=self._said.said_tweak,
            spoken=self._said.spoken,
        )
        verdict = judge(claim, self._house)
        if isinstance(self._hand, int) and verdict.won:
            verdict = replace(verdict, won=taken, points=sum(map(points_of, taken)))
        as_said = self._moved or sorted(map(str, taken)) == sorted(map(str, self._taken))
        return Case(choice, likely, verdict, as_said)


def _hand_of(
    hand: Hand, taken: tuple[NumberCard, ...]
) -> tuple[NumberCard, tuple[NumberCard, ...]]:
    """The hand card and what it joins; for a value alone, some card of that value stands in."""
    if hand is None:
        return taken[0], taken[1:]
    if isinstance(hand, NumberCard):
        return hand, taken
    free = [NumberCard(colour, hand) for colour in Colour]
    return next(c for c in free if taken.count(c) < number_copies(c)), taken


def _tweak_play(text: str | None) -> TweakPlay | None:
    names = [play.value for play in TweakPlay]
    if text is not None and text not in names:
        raise BadClaim(
            "a T! card played is one of %(plays)s, not %(given)r",
            plays=", ".join(names),
            given=text,
        )
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
