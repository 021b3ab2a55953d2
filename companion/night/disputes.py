"""The commands of a dispute: claim, doubt, and tell what is so; each is one record for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import BadClaim, BadInput
from companion.night import claims, witness
from companion.night.board import Board
from companion.night.bundle import pack_claim
from companion.night.claims import Asked, check_declared
from companion.night.evidence import (
    GONE,
    Evidence,
    evidence_of,
    judge_seen,
    scene_of_seen,
    tapped_evidence,
)
from companion.night.matches import house_of
from companion.night.state import NightState, Plan, seat_of
from companion.night.tables import check_target
from companion.night.values import ClaimRecord, Declared, Snapshot
from companion.rules.cards import TargetBack, parse_card, parse_number_card
from companion.rules.editions import parse_edition
from companion.rules.spoken import hear
from companion.settings import Settings
from companion.table.evidence import parse_hand
from companion.table.hearing import heard_sum
from companion.table.play import NO_TWEAK


class Disputes(Board):
    """A session's part about claims. All methods may be called from any thread."""

    def claim(
        self,
        player: str,
        hand: str | None,
        taken: Sequence[str],
        *,
        said_tweak: bool = False,
        tweak: str | None = None,
        spoken: str | None = None,
        table: Sequence[str] | None = None,
        target: int | None = None,
        deck_gone: bool = False,
        key: str | None = None,
    ) -> Snapshot:
        """Judge a claim on the newest still picture, or on ``table`` and ``target`` by tap.

        The same ``key`` twice, or the same words on the same evidence within a few seconds, is
        one claim. Without a camera and without ``table``, the table entered by tap is used.
        Before a camera ``spoken`` alone will do: its numbers name the cards.

        Raises:
            BadClaim: no evidence, or a declaration that cannot be judged.
            UnknownCard: a text that is no card.
            NotFound: no match runs, or the player is not in it.
        """
        declared = check_declared(Declared(hand, tuple(taken), said_tweak, tweak, spoken))

        def plan(state: NightState) -> Plan | None:
            seat_of(state.running, player)
            given = None if table is None else tapped_evidence(table, target, deck_gone)
            said, evidence = self._evidence(declared, given)
            return self._judged(state, Asked(player, said, key), evidence)

        return self._do(plan)

    def doubt(self, step: int | None = None, key: str | None = None) -> Snapshot:
        """Doubt a play that the camera saw: it is inferred from two still pictures and judged.

        Args:
            step: ``id`` of one of ``snapshot().story.told``; ``witness.UNDER_WAY`` for the play
                that is not over yet; None: the last play.
            key: the same one twice is one doubt.

        Raises:
            BadClaim: no play was seen.
            NotFound: no match runs, or no such step in this round.
        """

        def plan(state: NightState) -> Plan | None:
            assert state.running
            player, declared, evidence = witness.doubted(self._live, state, step)
            return self._judged(state, Asked(player, declared, key), evidence)

        return self._do(plan)

    def tell_claim(
        self, claim_id: int, about: str, told: str, place: int | None = None
    ) -> Snapshot:
        """Say one thing about a claim, as its question asks, and have it judged again.

        Args:
            claim_id: the number of the claim.
            about: ``card`` (what the card at ``place`` is), ``presence`` (whether it lies there:
                ``yes`` or ``no``), ``target``, ``hand``, ``tweak`` (the T! card played, or
                ``none``) or ``said`` (whether TWEAK was said: ``yes`` or ``no``).
            told: what is so, as text.
            place: which card of the claim's table, from 0.

        Raises:
            BadClaim: it cannot be judged so.
            NotFound: no such claim, or no such card in it.
        """

        def plan(state: NightState) -> Plan | None:
            old = claims.find_claim(state, claim_id)
            declared, evidence = _told(old, about, told, place)
            return claims.plan_correction(state, claim_id, declared, evidence)

        return self._do(plan)

    def correct_claim(
        self,
        claim_id: int,
        *,
        hand: str | None = None,
        taken: Sequence[str] | None = None,
        said_tweak: bool | None = None,
        tweak: str | None = None,
        table: Sequence[str] | None = None,
        target: int | None = None,
        deck_gone: bool | None = None,
    ) -> Snapshot:
        """Put a claim right (None: as it was) and judge it again; the first record stays.

        ``tweak`` may be ``none`` to say that no T! card was played.
        """

        def plan(state: NightState) -> Plan | None:
            old = claims.find_claim(state, claim_id)
            said, found = old.said, evidence_of(old)
            declared = replace(
                said,
                hand=said.hand if hand is None else hand,
                taken=said.taken if taken is None else tuple(taken),
                said_tweak=said.said_tweak if said_tweak is None else said_tweak,
                tweak=said.tweak if tweak is None else None if tweak == "none" else tweak,
            )
            if found.play is None or table is not None:
                declared = check_declared(declared)
            gone = found.deck_gone if deck_gone is None else deck_gone
            aimed = 7 if gone else found.target if target is None else target
            if table is not None:
                found = replace(tapped_evidence(table, aimed, gone), retyped=True)
            elif (aimed, gone) != (found.target, found.deck_gone):
                found = _aimed(replace(found, deck_gone=gone), aimed)
            return claims.plan_correction(state, claim_id, declared, found)

        return self._do(plan)

    def report(self, claim_id: int, settings: Settings) -> bytes:
        """One claim's pictures, readings, settings and versions, without names, as a zip.

        Raises:
            NotFound: the journal has no such claim.
        """
        journal = self._ledger.journal
        return pack_claim(journal.events(), claim_id, journal.picture, settings)

    # --- how it works --------------------------------------------------------------------

    def _judged(self, state: NightState, asked: Asked, evidence: Evidence) -> Plan | None:
        """The judged claim as it is written down; None where it only repeats another."""
        if claims.twin_of(state, asked, evidence, self._now_utc()):
            return None
        match = state.running
        edition, house = parse_edition(match.edition), house_of(match)
        judged = judge_seen(asked.declared, evidence, edition, house)
        return claims.plan_claim(state, asked, evidence, judged)

    def _evidence(self, declared: Declared, given: Evidence | None) -> tuple[Declared, Evidence]:
        """What was given with the claim, else the table in force."""
        table = self._table()
        if given is None and table is not None and table.source == "camera":
            return witness.claimed(self._live, declared)
        if given is None and table is not None:
            texts = [card.text for card in table.cards]
            given = tapped_evidence(texts, table.target, table.deck_gone)
        if given is None:
            raise BadClaim("no table is known: lay it before the camera, or tap its cards in")
        if declared.spoken and not declared.taken and hear(declared.spoken).addends:
            table_cards = scene_of_seen(given).table
            declared = heard_sum(declared, hear(declared.spoken), table_cards)
        if declared.hand is None:
            raise BadClaim("say which hand card is played")
        return declared, given


def _told(old: ClaimRecord, about: str, told: str, place: int | None) -> tuple[Declared, Evidence]:
    said, found = old.said, evidence_of(old)
    match about:
        case "card" | "presence":
            return said, _card_told(found, about, told, place)
        case "target":
            number = told.removeprefix("#")
            card = parse_card(f"#{number}")
            assert isinstance(card, TargetBack)
            return said, _aimed(found, card.target)
        case "hand":
            hand, _, tweak = told.partition(" ")
            said = replace(said, hand=str(parse_hand(hand)), tweak=tweak or said.tweak)
        case "tweak":
            no_tweak = None if found.play is None else NO_TWEAK
            said = replace(said, tweak=no_tweak if told == NO_TWEAK else told)
        case "said":
            said = replace(said, said_tweak=_yes(told))
        case _:
            wanted = "card, presence, target, hand, tweak, said"
            raise BadInput(
                "told of a claim is one of %(wanted)s, not %(given)r",
                wanted=wanted,
                given=about[:40],
            )
    if found.play is None:
        return check_declared(said), found
    if said.tweak not in (None, NO_TWEAK):
        check_declared(replace(said, taken=()))
    return said, found


def _card_told(found: Evidence, about: str, told: str, place: int | None) -> Evidence:
    if place is None or not 0 <= place < len(found.cards):
        raise BadInput(
            "the claim's table has cards 0 to %(last)s, not %(place)s",
            last=len(found.cards) - 1,
            place=place,
        )
    texts = list(found.told or (None,) * len(found.cards))
    if about == "card":
        texts[place] = str(parse_number_card(told))
    else:
        texts[place] = found.cards[place].text.split("?")[0] if _yes(told) else GONE
    return replace(found, told=tuple(texts))


def _aimed(found: Evidence, target: int | None) -> Evidence:
    target = check_target(target, found.deck_gone)
    text = "" if target is None else f"#{target}"
    return replace(found, target=target, target_text=text, deck=None)


def _yes(told: str) -> bool:
    if told not in ("yes", "no"):
        raise BadInput("wanted yes or no, not %(given)r", given=told[:40])
    return told == "yes"
