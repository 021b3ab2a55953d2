"""Claims: judged once on what was seen or tapped in, kept for ever, corrected beside it.

The same claim tapped several times at once is one: by its key, or by the same words from the same
player on the same evidence within :data:`SAME_CLAIM_S`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from companion.errors import BadClaim, NotFound
from companion.night import events
from companion.night.codec import (
    declared_from_json,
    declared_to_json,
    seen_from_json,
    seen_to_json,
    verdict_from_json,
    verdict_to_json,
)
from companion.night.events import SCHEMA, Event, picture_name
from companion.night.matches import house_of
from companion.night.state import NightState, Plan, seat_of
from companion.night.tables import plan_table
from companion.night.values import ClaimRecord, Correction, Declared, MatchNow, SeenCard
from companion.rules.cards import parse_number_card
from companion.rules.claim import TweakPlay, claim_from_json, judge
from companion.rules.verdict import Verdict

SAME_CLAIM_S = 5.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim is judged on.

    Attributes:
        source: ``camera`` or ``tap``.
        picture: JPEG of the still picture from before the sum, None by tap.
        picture_after: JPEG of the first still picture after it, None while there is none.
    """

    source: str
    cards: tuple[SeenCard, ...]
    target: int | None
    target_text: str = ""
    deck_gone: bool = False
    picture: bytes | None = None
    picture_after: bytes | None = None


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


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and what the referee wants to be shown where it is not sure."""

    verdict: Verdict
    ask_template: str = ""
    ask_values: Mapping[str, str] = field(default_factory=dict)


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
        raise BadClaim(f"a T! card is played as one of {', '.join(plays)}, not {shown!r}")
    return replace(
        declared,
        hand=None if declared.hand is None else str(parse_number_card(declared.hand)),
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
        same_table = [card.text for card in claim.table] == [card.text for card in evidence.cards]
        if alike and same_table and age_s <= SAME_CLAIM_S:
            return claim
    return None


def plan_claim(state: NightState, asked: Asked, evidence: Evidence, judged: Judged) -> Plan:
    """Write a judged claim down with its evidence."""
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
        "ask": {"template": judged.ask_template, "values": dict(judged.ask_values)},
        "picture": picture_name(evidence.picture) if evidence.picture else None,
        "picture_after": picture_name(evidence.picture_after) if evidence.picture_after else None,
    }
    return Plan(events.CLAIMED, payload, pictures)


def fold_claim(state: NightState, event: Event) -> NightState:
    """One more claim."""
    found = event.payload
    seat_of(state.running, found["player"])
    ask = found.get("ask", {"template": "", "values": {}})
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
        ask=ask["template"] % ask["values"],
        ask_template=ask["template"],
        ask_values=tuple(ask["values"].items()),
    )
    keys = (found["key"], *state.claim_keys)
    return replace(state, claims=(record, *state.claims), claim_keys=keys)


def plan_followed(state: NightState, jpeg: bytes | None) -> Plan | None:
    """Keep the first still picture after the newest claim; None where that has one already."""
    if jpeg is None or not state.claims:
        return None
    claim = state.claims[0]
    if claim.evidence != "camera" or claim.picture_after is not None:
        return None
    payload = {"schema": SCHEMA, "claim": claim.id, "picture_after": picture_name(jpeg)}
    return Plan(events.CLAIM_FOLLOWED, payload, (jpeg,))


def fold_followed(state: NightState, event: Event) -> NightState:
    """A claim has its picture from afterwards; one taken back since needs none."""
    found = event.payload
    return replace(
        state,
        claims=tuple(
            replace(claim, picture_after=found["picture_after"])
            if claim.id == found["claim"]
            else claim
            for claim in state.claims
        ),
    )


def plan_correction(
    state: NightState, claim_id: int, declared: Declared, evidence: Evidence
) -> Plan:
    """Judge a claim again as the players say it was."""
    match = state.running
    find_claim(state, claim_id)
    verdict = judge_by_law(match, declared, evidence)
    payload: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": claim_id,
        "declared": declared_to_json(declared),
        "table": [card.text for card in evidence.cards],
        "target": evidence.target,
        "deck_gone": evidence.deck_gone,
        "verdict": verdict_to_json(verdict),
    }
    return Plan(events.CLAIM_CORRECTED, payload)


def fold_correction(state: NightState, event: Event) -> NightState:
    """A correction stands beside the claim it puts right."""
    found = event.payload
    old = find_claim(state, found["claim"])
    correction = Correction(
        id=event.id,
        at=event.at,
        declared=declared_from_json(found["declared"]),
        table=tuple(found["table"]),
        target=found["target"],
        deck_gone=found["deck_gone"],
        verdict=verdict_from_json(found["verdict"]),
    )
    new = replace(old, corrections=(*old.corrections, correction))
    return replace(state, claims=tuple(new if one is old else one for one in state.claims))


def find_claim(state: NightState, claim_id: int) -> ClaimRecord:
    """A claim of the match that runs.

    Raises:
        NotFound: it has none of that number.
    """
    for claim in state.claims:
        if claim.id == claim_id:
            return claim
    raise NotFound(f"there is no claim {str(claim_id)[:40]} in this match")


def judge_by_law(match: MatchNow, declared: Declared, evidence: Evidence) -> Verdict:
    """The law's verdict on known cards.

    Raises:
        BadClaim: the hand card was not said, or a table card is doubtful.
    """
    if declared.hand is None:
        raise BadClaim("say which hand card is played")
    for card in evidence.cards:
        if "?" in card.text:
            raise BadClaim(f"the table card {card.text} is doubtful: say which it is")
    found = {
        "edition": match.edition,
        "target": evidence.target,
        "deck_empty": evidence.deck_gone,
        "table": [card.text for card in evidence.cards],
        **declared_to_json(declared),
        "taken": list(declared.taken),
    }
    return judge(claim_from_json(found), house_of(match))
