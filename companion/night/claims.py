"""Claims: judged once on what was seen or tapped in, kept for ever, corrected beside it.

The same claim tapped several times at once is one: by its key, or by the same words from the same
player on the same evidence within :data:`SAME_CLAIM_S`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion.errors import BadClaim, NotFound
from companion.night import events
from companion.night.codec import (
    asking_from_json,
    asking_to_json,
    declared_from_json,
    declared_to_json,
    play_from_json,
    play_to_json,
    seen_from_json,
    seen_to_json,
    verdict_from_json,
    verdict_to_json,
)
from companion.night.events import SCHEMA, Event, picture_name
from companion.night.evidence import Evidence, Judged, judge_seen
from companion.night.matches import house_of
from companion.night.state import NightState, Plan, seat_of
from companion.night.values import ClaimRecord, Correction, Declared, SeenCard
from companion.rules.cards import parse_number_card
from companion.rules.claim import TweakPlay
from companion.rules.editions import parse_edition
from companion.table.evidence import parse_hand
from companion.table.story import Choice
from companion.table.story_values import Deed

SAME_CLAIM_S = 5.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim as it was tapped: by whom, in what words, under which key."""

    player: str
    declared: Declared
    key: str | None = None


def check_declared(declared: Declared) -> Declared:
    """The declaration with its cards in their usual text.

    Raises:
        UnknownCard: a text is no number card.
        BadClaim: no T! card is played so.
    """
    plays = [play.value for play in TweakPlay]
    if declared.tweak is not None and declared.tweak not in plays:
        shown = str(declared.tweak)[:40]
        raise BadClaim(
            "a T! card is played as one of %(plays)s, not %(given)r",
            plays=", ".join(plays),
            given=shown,
        )
    return replace(
        declared,
        hand=None if declared.hand is None else str(parse_hand(declared.hand)),
        taken=tuple(str(parse_number_card(text)) for text in declared.taken),
    )


def twin_of(
    state: NightState, asked: Asked, evidence: Evidence, at: datetime
) -> ClaimRecord | None:
    """The claim that this one only repeats, None when it is a new one."""
    for claim, key in zip(state.claims, state.claim_keys, strict=False):
        if asked.key and asked.key == key:
            return claim
        age_s = abs((at - datetime.fromisoformat(claim.at)).total_seconds())
        alike = (claim.player, claim.declared) == (asked.player, asked.declared)
        alike &= claim.play == evidence.play
        same_table = [card.text for card in claim.table] == [card.text for card in evidence.cards]
        if alike and same_table and age_s <= SAME_CLAIM_S:
            return claim
    return None


def plan_claim(state: NightState, asked: Asked, evidence: Evidence, judged: Judged) -> Plan:
    """Write a judged claim down with its evidence."""
    if asked.player or evidence.play is None:
        seat_of(state.running, asked.player)
    pictures = tuple(jpeg for jpeg in (evidence.picture, evidence.picture_after) if jpeg)
    payload: dict[str, Any] = {
        "schema": SCHEMA,
        "player": asked.player,
        "key": asked.key or "",
        "declared": declared_to_json(asked.declared),
        "evidence": evidence.source,
        "table": [seen_to_json(card) for card in evidence.cards],
        "target": evidence.target,
        "target_text": evidence.target_text,
        "deck_gone": evidence.deck_gone,
        "verdict": verdict_to_json(judged.verdict),
        "ask": asking_to_json(judged.question),
        "picture": picture_name(evidence.picture) if evidence.picture else evidence.kept[0],
        "picture_after": (
            picture_name(evidence.picture_after) if evidence.picture_after else evidence.kept[1]
        ),
        "deck": None if evidence.deck is None else seen_to_json(evidence.deck),
        "after": [seen_to_json(card) for card in evidence.after],
        "size_px": list(evidence.size_px),
        "play": None if evidence.play is None else play_to_json(evidence.play),
    }
    return Plan(events.CLAIMED, payload, pictures)


def fold_claim(state: NightState, event: Event) -> NightState:
    """One more claim."""
    found = event.payload
    deck, play = found.get("deck"), play_from_json(found.get("play"))
    if found["player"] or play is None:
        seat_of(state.running, found["player"])
    width_px, height_px = found.get("size_px", (0, 0))
    record = ClaimRecord(
        id=event.id,
        at=event.at,
        player=found["player"],
        declared=declared_from_json(found["declared"]),
        evidence=found["evidence"],
        table=tuple(seen_from_json(card) for card in found["table"]),
        target=found["target"],
        target_text=found["target_text"],
        deck_gone=found["deck_gone"],
        verdict=verdict_from_json(found["verdict"]),
        picture=found["picture"],
        picture_after=found["picture_after"],
        question=asking_from_json(found.get("ask")),
        play=play,
        deck=None if deck is None else seen_from_json(deck),
        after=tuple(map(seen_from_json, found.get("after", ()))),
        size_px=(int(width_px), int(height_px)),
    )
    keys = (found["key"], *state.claim_keys)
    return replace(state, claims=(record, *state.claims), claim_keys=keys)


def plan_followed(
    state: NightState, jpeg: bytes | None, after: tuple[SeenCard, ...] = ()
) -> Plan | None:
    """Keep the first still picture after the newest claim; None where that has one already."""
    if jpeg is None or not state.claims:
        return None
    claim = state.claims[0]
    if claim.evidence != "camera" or claim.picture_after is not None:
        return None
    payload = {"schema": SCHEMA, "claim": claim.id, "picture_after": picture_name(jpeg)}
    payload["after"] = [seen_to_json(card) for card in after]
    return Plan(events.CLAIM_FOLLOWED, payload, (jpeg,))


def fold_followed(state: NightState, event: Event) -> NightState:
    """A claim has its picture from afterwards; one taken back since needs none."""
    found = event.payload
    after = tuple(map(seen_from_json, found.get("after", ())))
    return replace(
        state,
        claims=tuple(
            replace(claim, picture_after=found["picture_after"], after=after)
            if claim.id == found["claim"]
            else claim
            for claim in state.claims
        ),
    )


def plan_correction(
    state: NightState, claim_id: int, declared: Declared, evidence: Evidence
) -> Plan | None:
    """Judge a claim again as the players say it was; None where they said just so already.

    Raises:
        NotFound: no such claim in this match.
        BadClaim: what is told cannot be judged.
    """
    match, old = state.running, find_claim(state, claim_id)
    judged = judge_seen(declared, evidence, parse_edition(match.edition), house_of(match))
    payload: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": claim_id,
        **told_to_json(declared, evidence, judged),
    }
    same = _correction(Event(0, "", events.CLAIM_CORRECTED, payload))
    if old.corrections and replace(old.corrections[-1], id=0, at="") == same:
        return None
    return Plan(events.CLAIM_CORRECTED, payload)


def told_to_json(declared: Declared, evidence: Evidence, judged: Judged) -> dict[str, Any]:
    """What was told about a claim since, and the verdict that follows, as JSON."""
    return {
        "declared": declared_to_json(declared),
        "table": list(evidence.texts),
        "target": evidence.target,
        "deck_gone": evidence.deck_gone,
        "verdict": verdict_to_json(judged.verdict),
        "ask": asking_to_json(judged.question),
        "told": list(evidence.told),
        "retyped": evidence.retyped,
    }


def fold_correction(state: NightState, event: Event) -> NightState:
    """A correction stands beside the claim it puts right."""
    return _corrected(state, find_claim(state, event.payload["claim"]), event)


def fold_decided(state: NightState, event: Event) -> NightState:
    """A later picture showed what was asked; a claim taken back since needs no answer."""
    found = event.payload
    old = next((claim for claim in state.claims if claim.id == found["claim"]), None)
    if old is None:
        return state
    if found.get("play"):
        after = tuple(map(seen_from_json, found.get("after", ())))
        new = replace(old, after=after, play_seen=play_from_json(found["play"]))
        state = replace(state, claims=tuple(new if c is old else c for c in state.claims))
        old = new
    state = _corrected(state, old, event)
    return state if found.get("step") is None else without_play(state, int(found["step"]))


def fold_put_away(state: NightState, event: Event) -> NightState:
    """A card that was only shown is taken away again."""
    return without_play(state, int(event.payload["step"]))


def _corrected(state: NightState, old: ClaimRecord, event: Event) -> NightState:
    new = replace(old, corrections=(*old.corrections, _correction(event)))
    return replace(state, claims=tuple(new if one is old else one for one in state.claims))


def _correction(event: Event) -> Correction:
    found = event.payload
    return Correction(
        id=event.id,
        at=event.at,
        declared=declared_from_json(found["declared"]),
        table=tuple(found["table"]),
        target=found["target"],
        deck_gone=found["deck_gone"],
        verdict=verdict_from_json(found["verdict"]),
        by=str(found.get("by", "players")),
        question=asking_from_json(found.get("ask")),
        told=tuple(found.get("told", ())),
        retyped=bool(found.get("retyped", True)),
        picture=found.get("picture"),
        seen=str(found.get("seen", "")),
        step=found.get("step"),
    )


def without_play(state: NightState, step: int) -> NightState:
    """The story without a card that was only shown to the camera."""
    told = next((one for one in state.story.told if one.id == step), None)
    nothing = [
        tale.key
        for tale in (told.tales if told else ())
        if [one.deed for one in tale.happenings] == [Deed.NOTHING]
    ]
    if not nothing:
        return state
    return replace(state, story=state.story.choose(step, Choice(nothing[0])))


def find_claim(state: NightState, claim_id: int) -> ClaimRecord:
    """A claim of the match that runs.

    Raises:
        NotFound: it has none of that number.
    """
    for claim in state.claims:
        if claim.id == claim_id:
            return claim
    raise NotFound("there is no claim %(number)s in this match", number=str(claim_id)[:40])
