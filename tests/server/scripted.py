"""A Session that plays a script: it shows what it was given, and notes what was asked of it."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import CompanionError, NotFound
from companion.night.session import Session
from companion.night.values import (
    Batch,
    CameraNow,
    ClaimRecord,
    CountedCard,
    Declared,
    LivePictureNow,
    MatchLine,
    MatchNow,
    PlayerCount,
    RoundResult,
    SeenCard,
    SeenEvent,
    Snapshot,
    Step,
    TableNow,
)
from companion.rules.cards import parse_number_card
from companion.rules.scoring import ScoreLine
from companion.rules.sums import possible_sums
from companion.rules.verdict import SUM, SUM_TWEAK, Ruling, Verdict
from companion.vision.values import Quad, TableState

JPEG = b"\xff\xd8 a small picture \xff\xd9"
SHA = hashlib.sha256(JPEG).hexdigest()
AT = "2026-03-01T19:05:00+00:00"


@dataclass
class ScriptedSession(Session):
    """Shows ``shown``; every command is put on ``asked``, and fails with ``refusal`` if set."""

    shown: Snapshot = field(default_factory=Snapshot)
    refusal: CompanionError | None = None
    live: tuple[int, bytes] | None = None
    news: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def snapshot(self) -> Snapshot:
        return self.shown

    def wait(
        self, after_id: int, timeout_s: float, after_live_id: int | None = None
    ) -> Snapshot | None:
        if self.shown.id <= after_id:
            self.news.wait(timeout_s)
        return self.shown if self.shown.id > after_id else None

    def picture(self, sha256: str) -> bytes:
        if sha256 != SHA:
            raise NotFound("there is no picture of that name")
        return JPEG

    def live_jpeg(self) -> tuple[int, bytes] | None:
        return self.live

    def _ask(self, name: str, *given: Any, **named: Any) -> Snapshot:
        self.asked.append((name, given, named))
        if self.refusal is not None:
            raise self.refusal
        self.shown = replace(self.shown, id=self.shown.id + 1)
        self.news.set()
        return self.shown

    def __getattribute__(self, name: str) -> Any:
        if name in COMMANDS:
            return lambda *given, **named: self._ask(name, *given, **named)
        return super().__getattribute__(name)


COMMANDS = {
    "start_match",
    "set_dealer",
    "end_match",
    "set_zones",
    "set_zone",
    "set_table",
    "choose_happening",
    "claim",
    "correct_claim",
    "start_count",
    "add_batch",
    "correct_card",
    "remove_card",
    "confirm_count",
    "find_missing",
    "lose_missing",
    "find_lost",
    "settle_twice",
    "close_round",
    "edit_round",
    "undo",
    "redo",
}


def box(left: float, top: float, width: float = 0.08, height: float = 0.2) -> Quad:
    """An upright quad in fractions of the picture."""
    return (
        (left, top),
        (left + width, top),
        (left + width, top + height),
        (left, top + height),
    )


def table_cards() -> tuple[SeenCard, ...]:
    """Four cards on a table, one of them doubtful."""
    return (
        SeenCard("R1", True, quad=box(0.2, 0.3)),
        SeenCard("Y3", True, quad=box(0.35, 0.32)),
        SeenCard("P2", True, quad=box(0.5, 0.3)),
        SeenCard("B4?G4", False, quad=box(0.65, 0.33), alternatives=(("B4", 0.6), ("G4", 0.35))),
    )


def a_count(player: str, *, confirmed: bool = False) -> PlayerCount:
    """A count of five cards, one of them doubtful unless confirmed."""
    texts = ("R5", "R1", "Y5", "G3")
    cards = [
        CountedCard(f"50.{n}", text, text, n == 3, quad=box(0.1 + n / 8, 0.2))
        for n, text in enumerate(texts)
    ]
    doubt = CountedCard(
        "50.4",
        "O2?R2",
        "O2" if confirmed else None,
        confirmed,
        quad=box(0.7, 0.3),
        alternatives=(("O2", 0.55), ("R2", 0.4)),
    )
    return PlayerCount(
        player,
        started=True,
        batches=(Batch(50, AT, "camera", (*cards, doubt), SHA),),
        tweaks_won=("T!joker", "T!") if confirmed else (),
        confirmed=confirmed,
        points=18 if confirmed else 13,
        points_low=18 if confirmed else 14,
        points_high=18 if confirmed else 16,
        lines=(ScoreLine("red five", 1, 5, 5), ScoreLine("red", 1, 3, 3)),
        doubtful=() if confirmed else ("50.4",),
    )


def a_match(**changes: Any) -> MatchNow:
    """Three players in the second round of a 65-card match."""
    players = ("Ann", "Bo", "Christina")
    first = RoundResult(
        1, "Ann", tuple(a_count(name, confirmed=True) for name in players), (31, 24, 40)
    )
    match = MatchNow(
        id=10,
        at=AT,
        players=players,
        edition="65",
        colours=("red", "orange", "yellow", "green"),
        threshold=120,
        tie="extra round",
        dealer="Christina",
        round_number=2,
        rounds=(first,),
        counting=(a_count("Ann"), a_count("Bo", confirmed=True), PlayerCount("Christina")),
        totals=(31, 24, 40),
        to_go=(89, 96, 80),
        over=False,
        winners=(),
        extra_round=False,
    )
    return replace(match, **changes)


def an_ended_match() -> MatchNow:
    """Ann has beaten Bo in a match before."""
    counts = tuple(a_count(name, confirmed=True) for name in ("Ann", "Bo"))
    left = replace(a_count("", confirmed=True), tweaks_won=())
    return a_match(
        id=2,
        players=("Ann", "Bo"),
        rounds=(RoundResult(1, "Ann", counts, (142, 120), True, left, ("G6",)),),
        counting=(PlayerCount("Ann"), PlayerCount("Bo")),
        totals=(142, 120),
        to_go=(0, 20),
        threshold=140,
        over=True,
        winners=("Ann",),
        ended=AT,
    )


def a_verdict(ruling: Ruling = Ruling.LEGAL) -> Verdict:
    """5 + 1 + 3 on a target of 9, or of 8 where it is illegal."""
    if ruling is Ruling.LEGAL:
        values = {"sum": "5 + 1 + 3", "total": 9, "target": 9}
        won = tuple(parse_number_card(text) for text in ("G5", "R1", "Y3"))
        return Verdict(ruling, ("T1", "T5"), SUM_TWEAK, values, True, won, 8)
    return Verdict(ruling, ("T1",), SUM, {"sum": "5 + 1 + 3", "total": 9, "target": 8})


def a_claim(ruling: Ruling = Ruling.LEGAL, claim_id: int = 40) -> ClaimRecord:
    """Ann joins a green 5 to a red 1 and a yellow 3."""
    return ClaimRecord(
        claim_id,
        AT,
        "Ann",
        Declared("G5", ("R1", "Y3"), True),
        "camera",
        table_cards()[:2],
        9,
        "#9",
        False,
        a_verdict(ruling),
        SHA,
    )


def busy_snapshot(**changes: Any) -> Snapshot:
    """Everything at once: camera, table, sums, events, claims, a match in its second round."""
    cards = table_cards()
    known = tuple(parse_number_card(text) for text in ("R1", "Y3", "P2", "B4"))
    events = (
        SeenEvent(33, AT, "target", "target 9 → 7", target_before=9, target_after=7),
        SeenEvent(32, AT, "taken", "R1 and Y3 taken", ("R1", "Y3"), picture_after=SHA),
        SeenEvent(31, AT, "laid", "G5 laid", ("G5",), picture_after=SHA),
    )
    shown = Snapshot(
        id=60,
        live_id=7,
        camera=CameraNow(True, True, "0"),
        live=LivePictureNow(TableState.STILL, "", 2.0, 5, 1280, 720, cards),
        table=TableNow("camera", cards, 9, "#9", False, possible_sums(known, 9), False),
        events=events,
        claims=(a_claim(), a_claim(Ruling.ILLEGAL, 39), a_claim(Ruling.UNCLEAR, 38)),
        match=a_match(),
        earlier=(an_ended_match(),),
        matches=(
            MatchLine(10, AT, ("Ann", "Bo", "Christina"), "65", 1, (31, 24, 40), (), False, None),
            MatchLine(2, AT, ("Ann", "Bo"), "65", 3, (142, 120), ("Ann",), True, AT),
        ),
        undo=Step(60, "claim", "claim by Ann", "claim by %(player)s", (("player", "Ann"),)),
    )
    return replace(shown, **changes)
