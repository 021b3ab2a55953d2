"""What a claim is judged on, and the verdict on it: the same live, from the journal, in a report.

>>> seen = (SeenCard("R1", sure=True), SeenCard("Y3", sure=True))
>>> given = Evidence("tap", seen, 9)
>>> judge_seen(Declared("5", ("R1", "Y3")), given, Edition("65")).verdict.reason
'5 + 1 + 3 is 9, the target is 9; no card is left, but TWEAK was not said: no T! card'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import BadClaim
from companion.night.claim_values import Asking, PlaySeen
from companion.night.codec import reading_of, seen_from_json, tapped_card
from companion.night.tables import plan_table
from companion.night.values import ClaimRecord, Declared, SeenCard
from companion.rules.cards import NumberCard, parse_number_card
from companion.rules.claim import END_TARGET, claim_from_json, judge
from companion.rules.editions import Edition
from companion.rules.house import HouseRules
from companion.rules.sums import Sum, possible_sums
from companion.rules.tweaks import TweakPlay
from companion.rules.verdict import Verdict
from companion.table.play import Play, rule_on_play
from companion.table.referee import Evidence as Shown
from companion.table.referee import Question, Ruled, rule_on
from companion.table.scene import Scene
from companion.vision.values import Quad, Reading, Sighting, parse_reading

GONE = ""
"""Told of a card that does not lie there."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim is judged on.

    Attributes:
        source: ``camera`` or ``tap``.
        cards: the table cards that count, as they were read.
        picture: JPEG of the still picture from before the sum, None by tap.
        picture_after: JPEG of the first still picture after it, None while there is none.
        deck: the reading of the deck's top card with its alternatives, None where none was seen.
        after: the cards of the picture after.
        size_px: width and height of the pictures that the quads are fractions of.
        play: the play that is doubted, None for a claim.
        told: for each table card what was told of it since, None where nothing.
        retyped: whether the players told the whole table anew, instead of what was seen.
        kept: sha256 of the pictures before and after where the journal holds them already.
    """

    source: str
    cards: tuple[SeenCard, ...]
    target: int | None
    target_text: str = ""
    deck_gone: bool = False
    picture: bytes | None = None
    picture_after: bytes | None = None
    deck: SeenCard | None = None
    after: tuple[SeenCard, ...] = ()
    size_px: tuple[int, int] = (0, 0)
    play: PlaySeen | None = None
    told: tuple[str | None, ...] = ()
    retyped: bool = False
    kept: tuple[str | None, str | None] = (None, None)

    @property
    def texts(self) -> tuple[str, ...]:
        """The table cards as they are taken to be: as told since, else as read."""
        told = self.told or (None,) * len(self.cards)
        return tuple(
            card.text if word is None else word for card, word in zip(self.cards, told, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and what the referee wants to be shown where it is not sure."""

    verdict: Verdict
    question: Asking | None = None


def tapped_evidence(cards: Sequence[str], target: int | None, deck_gone: bool) -> Evidence:
    """A table that was given by tap, as evidence.

    Raises:
        UnknownCard: a text is no number card.
        BadInput: too many cards, or no target from 7 to 10.
    """
    found = plan_table(cards, target, deck_gone).payload
    target = found["target"]
    return Evidence(
        source="tap",
        cards=tuple(seen_from_json(card) for card in found["cards"]),
        target=target,
        target_text="" if target is None else f"#{target}",
        deck_gone=found["deck_gone"],
    )


def evidence_of(claim: ClaimRecord) -> Evidence:
    """What a claim on record stands on now: what was seen then, and what was told since."""
    last = claim.corrections[-1] if claim.corrections else None
    retyped = last is not None and last.retyped
    target = claim.target if last is None else last.target
    return Evidence(
        source="tap" if retyped else claim.evidence,
        cards=tuple(map(tapped_card, last.table)) if last and retyped else claim.table,
        target=target,
        target_text=claim.target_text if target == claim.target else f"#{target}",
        deck_gone=claim.deck_gone if last is None else last.deck_gone,
        deck=claim.deck if target == claim.target else None,
        after=claim.after,
        size_px=claim.size_px,
        play=None if retyped else claim.play_seen or claim.play,
        told=last.told if last is not None else (),
        retyped=retyped,
    )


def judge_seen(
    declared: Declared, evidence: Evidence, edition: Edition, house: HouseRules | None = None
) -> Judged:
    """Judge a declaration on its evidence, over every plausible reading.

    Raises:
        BadClaim: it cannot be judged so; says why.
    """
    if _is_plain(declared, evidence):
        return Judged(_by_law(declared, evidence, edition, house or HouseRules()))
    scene = scene_of_seen(evidence)
    known = _known(evidence, scene.table)
    if evidence.play is None:
        ruled = rule_on(declared, Shown(scene), edition, house, known)
    else:
        ruled = rule_on_play(_play(evidence.play, scene), declared, edition, house, known)
    return Judged(ruled.verdict, _asking(ruled, scene))


def could_have(claim: ClaimRecord) -> tuple[Sum, ...]:
    """The sums that were possible on a claim's table, best points first (rule K1).

    Of a card that was laid: those that it could have made itself; else with any hand card.
    """
    found = evidence_of(claim)
    target = END_TARGET if found.deck_gone else found.target
    cards = [parse_reading(text).best for text in found.texts if text]
    known = tuple(card for card in cards if isinstance(card, NumberCard))
    if target is None or len(known) < len(cards) or not known:
        return ()
    laid = found.play.laid if found.play is not None else ()
    own = laid[0] if laid else claim.said.hand
    hand = parse_reading(own).best if own and not own.isdigit() and not claim.said.taken else None
    return possible_sums(known, target, (hand,) if isinstance(hand, NumberCard) else None)


def scene_of_seen(evidence: Evidence) -> Scene:
    """The evidence as the referee looks at it: quads in pixels, readings with alternatives."""
    width_px, height_px = evidence.size_px if all(evidence.size_px) else (1, 1)
    return Scene(
        table=tuple(_sighting(card, width_px, height_px) for card in evidence.cards),
        target=_target(evidence),
        deck_gone=evidence.deck_gone,
    )


def asking_of(question: Question | None, table: Sequence[Sighting]) -> Asking | None:
    """A question of the referee as it is kept, its card named by its place on the table."""
    if question is None:
        return None
    places = [place for place, one in enumerate(table) if one is question.sighting]
    return Asking(
        template=question.template,
        values=tuple((name, str(value)) for name, value in question.values.items()),
        about=question.about.value,
        place=places[0] if places else None,
        options=tuple(
            one.value if isinstance(one, TweakPlay) else str(one) for one in question.options
        ),
    )


def _asking(ruled: Ruled, scene: Scene) -> Asking | None:
    return asking_of(ruled.question, scene.table)


def _is_plain(declared: Declared, evidence: Evidence) -> bool:
    """Whether nothing is open: cards given by tap, and a hand card that was named."""
    named = declared.hand is not None and not declared.hand.isdigit()
    sure = all(card.sure for card in evidence.cards) and not any(evidence.told)
    return evidence.play is None and named and sure and evidence.source == "tap"


def _by_law(declared: Declared, evidence: Evidence, edition: Edition, house: HouseRules) -> Verdict:
    found = {
        "edition": edition.value,
        "target": evidence.target,
        "deck_empty": evidence.deck_gone,
        "table": [card.text for card in evidence.cards],
        "hand": declared.hand,
        "taken": list(declared.taken),
        "said_tweak": declared.said_tweak,
        "tweak": declared.tweak,
        "spoken": declared.spoken,
    }
    return judge(claim_from_json(found), house)


def _known(
    evidence: Evidence, table: Sequence[Sighting]
) -> tuple[tuple[Sighting, NumberCard | None], ...]:
    return tuple(
        (sighting, None if word == GONE else parse_number_card(word))
        for sighting, word in zip(table, evidence.told, strict=False)
        if word is not None
    )


def _play(seen: PlaySeen, scene: Scene) -> Play:
    laid = tuple(Sighting(_NOWHERE, parse_reading(text), 1.0) for text in seen.laid)
    try:
        return Play(
            scene=scene,
            taken=tuple(scene.table[place] for place in seen.taken),
            beside=None if seen.beside is None else scene.table[seen.beside],
            laid=laid,
            jokers=seen.jokers,
            over=seen.over,
        )
    except IndexError:
        raise BadClaim("the doubted play names a card that its table does not have") from None


_NOWHERE: Quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def _sighting(card: SeenCard, width_px: int, height_px: int) -> Sighting:
    quad = card.quad or _NOWHERE
    a, b, c, d = ((x * width_px, y * height_px) for x, y in quad)
    return Sighting((a, b, c, d), reading_of(card), card.found)


def _target(evidence: Evidence) -> Reading | None:
    if evidence.deck is not None:
        return reading_of(evidence.deck)
    text = evidence.target_text or (f"#{evidence.target}" if evidence.target else "")
    return parse_reading(text) if text else None
