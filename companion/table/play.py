"""A play that somebody doubts, judged on what two still pictures show of it (rules T1, T6, X3).

The cards that went are known by their places, whatever they were called; the hand card, where it
went straight into the pile, is not, and is asked for only where it matters.

>>> from companion.rules.editions import Edition
>>> from companion.table.evidence import scene_of
>>> scene = scene_of(["R1", "Y3", "B6"], "#9")
>>> str(rule_on_play(Play(scene, taken=scene.table[:2]), Declaration(None), Edition("65")).question)
'tell me the card from the hand: a 5 makes it right'
>>> rule_on_play(Play(scene, taken=scene.table), Declaration(None), Edition("65")).verdict.reason
'the table cards make 1 + 3 + 6 = 10, and no card from the hand makes it 9'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.rules.cards import VALUES, Card
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.tweaks import TweakPlay
from companion.rules.verdict import LAID, Ruling, Verdict
from companion.table.cases import UNREAD, Bench, Case, Hand, Known
from companion.table.evidence import Declaration, parse_hand
from companion.table.observe import changes
from companion.table.referee import ASK_NO_TARGET, About, Question, Ruled, settle
from companion.table.scene import Scene
from companion.vision.values import Sighting

NO_HAND = "the table cards make %(sum)s, and no card from the hand makes it %(target)s"
HAND_UNSEEN = "%(cards)s taken with a card from the hand that was not seen"
AT_ONCE = "%(count)s cards came to the table together: a turn lays one, only a T! card brings more"
UNDER_WAY = "the play was not over: no still picture shows how it ended"
ASK_HAND = "tell me the card from the hand: a %(needed)s makes it right"
ASK_HAND_OR_JOKER = (
    "tell me the card from the hand: a %(needed)s makes it right, a %(joker)s with a Joker"
)
ASK_HAND_WITH_JOKER = (
    "tell me the card from the hand: only with a Joker it can be right, with a %(joker)s"
)
ASK_JOKER = "tell me whether a Joker was played: with one it is right"
ASK_STILL = "take your hands away: I judge it as soon as the table lies still"
TEMPLATES = (
    *(NO_HAND, HAND_UNSEEN, AT_ONCE, UNDER_WAY),
    *(ASK_HAND, ASK_HAND_OR_JOKER, ASK_HAND_WITH_JOKER, ASK_JOKER, ASK_STILL),
)
"""Every reason and question about a doubted play, for the translators."""

NO_TWEAK = "none"
"""Told of a doubted play in which no T! card was played."""

_JOKERS = (None, TweakPlay.JOKER_UP, TweakPlay.JOKER_DOWN)


@dataclass(frozen=True, slots=True)
class Play:
    """What went on between two still pictures.

    Attributes:
        scene: what lay there before.
        taken: the cards of it that were gone afterwards, without ``beside``.
        beside: the card laid last before, where it went with them: it may be the hand card.
        laid: the cards that were new afterwards.
        jokers: whether its player can have had a Joker to play (rules T5, X1).
        over: False while no still picture shows how it ended.
    """

    scene: Scene
    taken: tuple[Sighting, ...] = ()
    beside: Sighting | None = None
    laid: tuple[Sighting, ...] = ()
    jokers: bool = False
    over: bool = True

    @property
    def gone(self) -> tuple[Sighting, ...]:
        """All cards that left the table, the one laid last first."""
        return (*(() if self.beside is None else (self.beside,)), *self.taken)


def play_between(before: Scene, after: Scene, laid_last: str | None = None) -> Play:
    """What was played between two still pictures.

    Args:
        before: the last one before the hand came in.
        after: the first one after it.
        laid_last: the reading of the card that was laid last before them, as text.
    """
    gone, new = changes(before.table, after.table)
    gone.sort(key=lambda sighting: sighting.centre_px)
    beside = next((one for one in gone if str(one.reading) == laid_last), None)
    beside = beside if len(gone) > 1 else None
    return Play(before, tuple(one for one in gone if one is not beside), beside, tuple(new))


def rule_on_play(
    play: Play,
    said: Declaration,
    edition: Edition,
    house: HouseRules | None = None,
    known: Known = (),
) -> Ruled:
    """Judge a doubted play over every plausible reading, and every hand card nobody saw.

    Args:
        play: what two still pictures show.
        said: the hand card where it was told since, whether TWEAK was said, the T! card played
            (:data:`NO_TWEAK`: none was); the cards taken are those of the play.
        known: what was told of single cards since.
    """
    if not play.over:
        verdict = Verdict(Ruling.UNCLEAR, ("T1",), UNDER_WAY, {})
        return Ruled(verdict, None, play.scene.table, Question(ASK_STILL, {}, About.PLAY))
    if not play.gone:
        return Ruled(_laid(play), None, play.scene.table)
    if said.tweak == NO_TWEAK:
        said, play = replace(said, tweak=None), replace(play, jokers=False)
    court = _Court(play, said, edition, house, known)
    if said.hand is None:
        return court.unseen()
    hand = parse_hand(said.hand)
    own = play.beside is not None and said.hand == str(play.beside.reading.best)
    return court.or_joker(court.with_hand(None if own else hand))


def _laid(play: Play) -> Verdict:
    if len(play.laid) == 1:
        return Verdict(Ruling.LEGAL, ("T6",), LAID, {"card": str(play.laid[0].reading)})
    return Verdict(Ruling.UNCLEAR, ("T6", "X1"), AT_ONCE, {"count": len(play.laid)})


class _Court:
    """Goes through the hand cards that one doubted play can have had."""

    def __init__(
        self,
        play: Play,
        said: Declaration,
        edition: Edition,
        house: HouseRules | None,
        known: Known,
    ) -> None:
        self._play, self._said = play, said
        self._law = (edition, house)
        self._known = known

    def with_hand(self, hand: Hand) -> Ruled:
        """The verdict with this hand card; None: the card laid beside the others is it."""
        bench, cases = self._cases(hand)
        verdict, question = settle(bench, cases, self._play.scene)
        return Ruled(verdict, hand, self._play.scene.table, question, len(cases))

    def unseen(self) -> Ruled:
        """The verdict where nobody told the hand card: certain only if none, or all, would do."""
        table = self._play.scene.table
        opened = self.with_hand(None) if self._play.beside is not None else None
        if opened is not None and (opened.verdict.legal or opened.question is not None):
            return opened
        tried = list(self._tried())
        cases = [case for _, _, case in tried]
        if any(case.verdict.template == UNREAD for case in cases):
            return self.with_hand(VALUES[0])
        if not self._play.scene.target_options:
            question = Question(ASK_NO_TARGET, {}, About.TARGET)
            return Ruled(self._hand_unseen(), None, table, question, len(cases))
        legal = [(hand, tweak) for hand, tweak, case in tried if case.verdict.legal]
        if legal:
            beside = self._play.beside.reading.best if self._play.beside else None
            question = _ask_hand(legal, beside)
            return Ruled(self._hand_unseen(), None, table, question, len(cases))
        if opened is not None:
            return self.or_joker(opened)
        return Ruled(_no_hand(cases), None, table, cases=len(cases))

    def or_joker(self, ruled: Ruled) -> Ruled:
        """The verdict, left open where a Joker that nobody told of would turn it (rule X3)."""
        illegal = ruled.verdict.ruling is Ruling.ILLEGAL
        if not illegal or not self._play.jokers or self._said.tweak is not None:
            return ruled
        able = [
            tweak
            for tweak in _JOKERS
            if tweak is not None
            and any(case.verdict.legal for case in self._cases(ruled.hand, tweak)[1])
        ]
        if not able:
            return ruled
        plain = ruled.verdict
        open_ = Verdict(Ruling.UNCLEAR, (*plain.rules, "X3"), plain.template, plain.values)
        question = Question(ASK_JOKER, {}, About.TWEAK, tuple(able))
        return replace(ruled, verdict=open_, question=question)

    def _tried(self) -> Iterator[tuple[int, TweakPlay | None, Case]]:
        wanted = TweakPlay(self._said.tweak) if self._said.tweak else None
        for tweak in _JOKERS if self._play.jokers and wanted is None else (wanted,):
            for hand in VALUES:
                for case in self._cases(hand, tweak)[1]:
                    yield hand, tweak, case

    def _cases(self, hand: Hand, tweak: TweakPlay | None = None) -> tuple[Bench, list[Case]]:
        said = self._said if tweak is None else replace(self._said, tweak=tweak.value)
        bench = Bench(said, hand, (), *self._law)
        play = self._play
        return bench, list(bench.cases(play.scene, play.scene.table, self._known, play.gone))

    def _hand_unseen(self) -> Verdict:
        cards = " + ".join(str(one.reading) for one in self._play.gone)
        return Verdict(Ruling.UNCLEAR, ("T1",), HAND_UNSEEN, {"cards": cards})


def _no_hand(cases: Sequence[Case]) -> Verdict:
    """No hand card reaches the target: the likeliest case's sum, without the hand card in it."""
    best = max(cases, key=lambda case: case.likelihood)
    hand, *others = str(best.verdict.values["sum"]).split(" + ")
    total = int(str(best.verdict.values["total"])) - int(hand)
    made = f"{' + '.join(others)} = {total}" if len(others) > 1 else str(total)
    values = {"sum": made, "target": best.verdict.values["target"]}
    return Verdict(Ruling.ILLEGAL, best.verdict.rules, NO_HAND, values)


def _ask_hand(legal: Sequence[tuple[int, TweakPlay | None]], beside: Card | None) -> Question:
    plain = sorted({hand for hand, tweak in legal if tweak is None})
    jokers = sorted({hand for hand, tweak in legal if tweak is not None})
    values = {
        name: " or ".join(map(str, found))
        for name, found in (("needed", plain), ("joker", jokers))
        if found
    }
    template = ASK_HAND_OR_JOKER if plain and jokers else ASK_HAND if plain else ASK_HAND_WITH_JOKER
    laid_open = () if beside is None else (beside,)
    return Question(template, values, About.HAND, (*(plain or jokers), *laid_open))
