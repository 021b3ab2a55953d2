"""A claim that could not be told is decided by itself, once a later still picture shows what was
asked for. The first record stays; what was seen since stands beside it, with its picture.

Whatever the players told always comes first. To take the next player's card for the one that was
asked for would be a wrong verdict, so a card counts as shown only while the turn still stands: the
deck's top card is the same, and nothing else was laid or taken meanwhile. With the deck gone nobody
draws, and a card laid anywhere may be the next player's: there it counts only where the card that
was asked for lay, and a hand card, which lay nowhere, has to be told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from companion.night import events
from companion.night.claim_values import Asking
from companion.night.claims import told_to_json
from companion.night.codec import play_to_json, reading_of, seen_to_json
from companion.night.events import SCHEMA, picture_name
from companion.night.evidence import Evidence, evidence_of, judge_seen, scene_of_seen
from companion.night.live import Live, Still
from companion.night.matches import house_of
from companion.night.state import NightState, Plan
from companion.night.values import ClaimRecord, Declared
from companion.night.witness import play_of, seen_play
from companion.rules.cards import Card, NumberCard, parse_number_card
from companion.rules.editions import parse_edition
from companion.table.evidence import may_be
from companion.table.observe import changes
from companion.table.referee import About
from companion.table.scene import Scene, may_be_same
from companion.table.story_values import Deed
from companion.table.values import EventKind
from companion.vision.quads import iou
from companion.vision.values import Reading

SAME_PLACE = 0.6
"""A card that overlaps so much of the doubtful one's place is that card, read anew."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a later still picture shows of what was asked."""

    declared: Declared
    evidence: Evidence
    seen: str
    step: int | None = None


def plans(state: NightState, live: Live) -> list[Plan]:
    """What the newest still picture decides, to be written down."""
    if not live.stills or state.match is None or state.match.ended is not None:
        return []
    away = _put_away(state, live.stills[-1])
    if away is not None:
        return [away]
    claim = state.claims[0] if state.claims else None
    if claim is None or claim.asking is None or claim.evidence != "camera":
        return []
    if any(one.by == "players" for one in claim.corrections):
        return []
    shown = _shown(state, live, claim, claim.asking)
    return [] if shown is None else [_plan(state, live, claim, shown)]


def _plan(state: NightState, live: Live, claim: ClaimRecord, shown: Shown) -> Plan:
    match = state.running
    judged = judge_seen(
        shown.declared, shown.evidence, parse_edition(match.edition), house_of(match)
    )
    jpeg = live.jpeg(live.stills[-1].frame)
    payload: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": claim.id,
        **told_to_json(shown.declared, shown.evidence, judged),
        "by": "camera",
        "seen": shown.seen,
        "step": shown.step,
        "picture": picture_name(jpeg) if jpeg else None,
    }
    if shown.evidence.play is not None:
        payload["play"] = play_to_json(shown.evidence.play)
        payload["after"] = [seen_to_json(card) for card in shown.evidence.after]
    return Plan(events.CLAIM_DECIDED, payload, (jpeg,) if jpeg else ())


def _shown(state: NightState, live: Live, claim: ClaimRecord, asking: Asking) -> Shown | None:
    found = evidence_of(claim)
    before, still = scene_of_seen(found), live.stills[-1]
    match About(asking.about) if asking.about else None:
        case About.PLAY:
            return _play_over(state, claim, found, still)
        case About.TARGET:
            return _target_shown(claim, found, before, still)
        case About.CARD | About.PRESENCE if asking.place is not None:
            stayed = _never_left(state, claim, before)
            clearer = _card_clearer(claim, found, before, still) if stayed else None
            return clearer or _card_shown(state, live, claim, found)
        case About.HAND:
            return _card_shown(state, live, claim, found)
        case _:
            return None


def _play_over(
    state: NightState, claim: ClaimRecord, found: Evidence, still: Still
) -> Shown | None:
    """The play that was under way when it was doubted lies still now."""
    told = state.story.told[-1] if state.story.told else None
    if told is None or told.id <= claim.id:
        return None
    before = scene_of_seen(found)
    play = play_of(before, still.scene, told)
    if not play.gone and not play.laid:
        return None
    seen = seen_play(play, before.table, told.id)
    whole = any(one.deed is Deed.TWEAK for one in told.tale.happenings)
    declared = replace(
        claim.said, taken=tuple(found.cards[place].text for place in seen.taken), said_tweak=whole
    )
    evidence = replace(found, play=seen, after=still.cards())
    return Shown(declared, evidence, "; ".join(map(str, told.step.events)))


def _target_shown(claim: ClaimRecord, found: Evidence, before: Scene, still: Still) -> Shown | None:
    """The deck's top card can be read now, and nobody has played since."""
    target, now = still.scene.target_value, still.scene.target
    if target is None or now is None or any(changes(before.table, still.scene.table)):
        return None
    if before.target is not None and not may_be_same(before.target, now):
        return None
    text = f"#{target}"
    return Shown(claim.said, replace(found, target=target, target_text=text, deck=None), text)


def _card_clearer(claim: ClaimRecord, found: Evidence, before: Scene, still: Still) -> Shown | None:
    """The doubtful card lies where it lay, and can be read now."""
    asking = claim.asking
    assert asking is not None
    assert asking.place is not None
    doubtful = before.table[asking.place]
    for one in still.scene.table:
        card = _sure(one.reading)
        if card is None or iou(one.quad_px, doubtful.quad_px) < SAME_PLACE:
            continue
        if may_be_same(one.reading, doubtful.reading):
            return Shown(claim.said, _with(found, asking.place, card), str(card))
    return None


def _never_left(state: NightState, claim: ClaimRecord, before: Scene) -> bool:
    """Whether no card of the claim's table has been taken since, as far as was seen.

    Where one was, the next player's card may lie in the place of the doubtful one by now.
    """
    if any(one.kind == EventKind.TAKEN.value and one.id > claim.id for one in state.events):
        return False
    if claim.picture_after is None:
        return True
    after = scene_of_seen(replace(evidence_of(claim), cards=claim.after, told=()))
    return not changes(before.table, after.table)[0]


def _card_shown(state: NightState, live: Live, claim: ClaimRecord, found: Evidence) -> Shown | None:
    """The card that was asked for has been laid before the camera, by itself."""
    asking = claim.asking
    assert asking is not None
    card = _laid_alone(live)
    told = state.story.told[-1] if state.story.told else None
    if card is None or told is None or told.id <= claim.id:
        return None
    if not _turn_stands(state, claim, found, live.stills[-1].scene):
        return None
    if asking.about == About.HAND.value:
        if found.deck_gone or str(card.value) not in asking.options:
            return None
        return Shown(replace(claim.said, hand=str(card)), found, str(card), told.id)
    assert asking.place is not None
    place = scene_of_seen(found).table[asking.place].quad_px
    lying = live.stills[-1].scene.table
    there = [one.reading for one in lying if iou(one.quad_px, place) >= SAME_PLACE]
    # Another card in that place is none; with no card there, a deck must tell whose turn it is.
    fits = all(_sure(one) == card for one in there) if there else not found.deck_gone
    if str(card) not in asking.options or not fits:
        return None
    return Shown(claim.said, _with(found, asking.place, card), str(card), told.id)


def _laid_alone(live: Live) -> NumberCard | None:
    """The one card that was laid since the still picture before, if it is read for sure."""
    laid = [event for event in live.stills[-1].events if event.kind is not EventKind.TARGET]
    if len(laid) != 1 or laid[0].kind is not EventKind.LAID:
        return None
    return _sure(laid[0].cards[0])


def _turn_stands(state: NightState, claim: ClaimRecord, found: Evidence, now: Scene) -> bool:
    """Whether nobody can have drawn or laid since the claim, apart from the newest step."""
    deck = scene_of_seen(found).target
    if not found.deck_gone and (
        deck is None or now.target is None or not may_be_same(deck, now.target)
    ):
        return False
    newest = state.story.told[-1].id
    since = [one for one in state.events if claim.id < one.id < newest]
    if any(one.kind in (EventKind.LAID.value, EventKind.TARGET.value) for one in since):
        return False
    taken = Counter(text for one in since for text in one.cards)
    return taken <= _swept(claim, found)


def _swept(claim: ClaimRecord, found: Evidence) -> Counter[str]:
    """The readings of the cards that the claim takes from the table, as far as they are still to
    go: those of a doubted play have gone before.
    """
    free, swept = list(found.cards), Counter[str]()
    for text in () if found.play is not None else claim.said.taken:
        card = parse_number_card(text)
        able = [one for one in free if may_be(reading_of(one), card)]
        chosen = next((one for one in able if one.text == text), able[0] if able else None)
        if chosen is not None:
            free.remove(chosen)
            swept[chosen.text] += 1
    return swept


def _put_away(state: NightState, still: Still) -> Plan | None:
    """The card that was only shown is taken away again: that is no play either."""
    told = state.story.told
    if len(told) < 2 or len(still.events) != 1 or still.events[0].kind is not EventKind.TAKEN:
        return None
    shown = {one.step: one.seen for claim in state.claims for one in claim.corrections}
    seen = shown.get(told[-2].id)
    if seen is None or [str(card) for card in still.events[0].cards] != [seen]:
        return None
    if told[-1].step.events[0].frame_number != still.events[0].frame_number:
        return None
    return Plan(events.CARD_PUT_AWAY, {"schema": SCHEMA, "step": told[-1].id})


def _with(found: Evidence, place: int, card: Card) -> Evidence:
    told = list(found.told or (None,) * len(found.cards))
    told[place] = str(card)
    return replace(found, told=tuple(told))


def _sure(reading: Reading) -> NumberCard | None:
    best = reading.best
    return best if reading.sure and isinstance(best, NumberCard) else None
