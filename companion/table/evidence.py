"""Which still picture a claim is judged on, and which cards lay on the table in it.

Only settled views enter the history, so each scene in it is from while no hand was in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import BadClaim
from companion.rules.cards import VALUES, NumberCard, parse_card, parse_number_card
from companion.table.observe import changes
from companion.table.scene import Scene
from companion.vision.values import Quad, Reading, Sighting, parse_reading


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a player says: texts as in ``companion judge``.

    Attributes:
        hand: the hand card (``G5``), its value alone (``5``) where nobody saw its colour; None
            where it was not said and is to be seen.
        taken: the table cards joined; empty for a card laid (rule T6).
        said_tweak: whether "TWEAK" was said.
        tweak: ``joker+1``, ``joker-1``, ``thief``, ``bomb``, ``shifter``, or None.
        spoken: what was said aloud, or None.
    """

    hand: str | None
    taken: tuple[str, ...] = ()
    said_tweak: bool = False
    tweak: str | None = None
    spoken: str | None = None


def taken_cards(declaration: Declaration) -> tuple[NumberCard, ...]:
    """The table cards that a declaration joins.

    Raises:
        UnknownCard: one of them is no number card.
    """
    return tuple(parse_number_card(text) for text in declaration.taken)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The still picture for a claim.

    Attributes:
        scene: what lay on the table.
        before: the last scene before it that looked different, None where there was none.
    """

    scene: Scene
    before: Scene | None = None


def evidence_for(
    history: Sequence[Scene], claimed_at_s: float, declaration: Declaration
) -> Evidence | None:
    """Pick the newest still picture from before the hand came in.

    Where the cards were swept up before anybody tapped, the table has settled once more without
    them: the newest scene that still shows every claimed card is the one.

    Args:
        history: scenes of settled views, oldest first.
        claimed_at_s: when the claim was made, on the frames' clock.
        declaration: what was claimed.
    """
    past = [scene for scene in history if scene.at_s <= claimed_at_s]
    if not past:
        return None
    wanted = taken_cards(declaration)
    showing = [place for place, scene in enumerate(past) if _shows(scene, wanted)]
    place = showing[-1] if showing else len(past) - 1
    return Evidence(past[place], _last_different(past, place))


def _shows(scene: Scene, wanted: Sequence[NumberCard]) -> bool:
    free = list(scene.table)
    for card in wanted:
        fit = next((s for s in free if may_be(s.reading, card)), None)
        if fit is None:
            return False
        free.remove(fit)
    return True


def _last_different(history: Sequence[Scene], place: int) -> Scene | None:
    for scene in reversed(history[:place]):
        if any(changes(scene.table, history[place].table)):
            return scene
    return None


def may_be(reading: Reading, card: NumberCard | int) -> bool:
    """Whether a reading leaves this card open, or any card of this value."""
    if isinstance(card, int):
        return any(isinstance(c, NumberCard) and c.value == card for c in reading.plausible)
    return card in reading.plausible


def parse_hand(text: str) -> NumberCard | int:
    """A hand card as it is told: ``G5``, or ``5`` where only its value is known.

    >>> parse_hand("5"), str(parse_hand("g5"))
    (5, 'G5')

    Raises:
        UnknownCard: it is neither.
    """
    word = text.strip()
    return int(word) if word in {str(value) for value in VALUES} else parse_number_card(word)


def hand_card(declaration: Declaration, evidence: Evidence) -> NumberCard | int:
    """The hand card: as declared, else the one card laid since the scene before.

    Raises:
        BadClaim: it was not said and cannot be seen for sure.
        UnknownCard: what was said is no number card.
    """
    if declaration.hand is not None:
        return parse_hand(declaration.hand)
    new = changes(evidence.before.table, evidence.scene.table)[1] if evidence.before else []
    best = new[0].reading.best if len(new) == 1 and new[0].reading.sure else None
    if not isinstance(best, NumberCard):
        raise BadClaim("say which card came from the hand, such as G5: it cannot be seen for sure")
    return best


def table_without_hand(
    hand: NumberCard | int, taken: Sequence[NumberCard], evidence: Evidence
) -> tuple[Sighting, ...]:
    """The table cards of the evidence, without a hand card that was laid beside them.

    A sighting is taken for the hand card when it may be that card, was laid since the scene
    before, and is not needed as one of the claimed cards.
    """
    table = evidence.scene.table
    if evidence.before is None:
        return table
    new = changes(evidence.before.table, table)[1]
    laid = [s for s in new if may_be(s.reading, hand)]
    able = sum(may_be(s.reading, hand) for s in table)
    if not laid or able <= sum(hand in (card, card.value) for card in taken):
        return table
    own = max(laid, key=lambda s: _chance_of(s.reading, hand))
    return tuple(s for s in table if s is not own)


def _chance_of(reading: Reading, hand: NumberCard | int) -> float:
    return sum(
        score
        for card, score in reading.options
        if isinstance(card, NumberCard) and hand in (card, card.value)
    )


def scene_of(table: Sequence[str], target: str | None = None, deck_gone: bool = False) -> Scene:
    """A scene from texts, as entered by tap; the cards stand in a row.

    >>> scene_of(["R1", "Y3?O3"], "#9").target_value
    9

    Raises:
        UnknownCard: a text is no reading of cards.
    """
    sightings = tuple(
        Sighting(_in_row(place), parse_reading(text), 1.0) for place, text in enumerate(table)
    )
    deck = Reading(((parse_card(target), 1.0),), sure=True) if target is not None else None
    return Scene(table=sightings, target=deck, deck_gone=deck_gone)


def _in_row(place: int) -> Quad:
    left = 100.0 * place
    return ((left, 0.0), (left + 60.0, 0.0), (left + 60.0, 90.0), (left, 90.0))
