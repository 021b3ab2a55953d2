"""What was seen of a round is set against what truly happened, fairly and once each."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.night.round_bench import RoundsReport
from companion.night.round_files import (
    RoundFiles,
    TimedEvent,
    TrueClaim,
    TrueTable,
    find_rounds,
    read_round,
)
from companion.night.round_play import Answer, Played
from companion.night.round_score import judged, match_events, score_clip
from companion.night.values import Declared
from companion.table.values import Zones

CLAIM = TrueClaim(5.0, "P1", Declared("G5", ("R1", "Y3"), True), "legal", wins_tweak=True)


def clip_of(**changes: object) -> RoundFiles:
    fields: dict[str, object] = {
        "folder": Path("round-00"),
        "players": ("P1", "P2"),
        "edition": "65",
        "colours": ("red", "green"),
        "idle": False,
        "lasts_s": 60.0,
        "zones": Zones(),
        "events": (TimedEvent(3.0, "G5 laid"), TimedEvent(9.0, "R1 and G5 taken")),
        "tables": (TrueTable(4.0, 9, ("G5", "R1")),),
        "claims": (CLAIM,),
        "about": {},
    }
    return RoundFiles(**{**fields, **changes})  # type: ignore[arg-type]


def played(*events: TimedEvent, answer: Answer, target: int | None = 9) -> Played:
    return Played(events, (answer,), (target,), (("G5", "R1"),), 1.0)


LEGAL = Answer("legal", True, "", "R1 Y3 #9")


def test_an_event_is_right_whatever_the_order_of_its_cards() -> None:
    score = match_events([TimedEvent(9.0, "R1 and G5 taken")], [TimedEvent(9.4, "G5 and R1 taken")])
    assert not score.missed
    assert not score.false


def test_an_event_seen_twice_is_right_once_and_false_once() -> None:
    seen = [TimedEvent(3.3, "G5 laid"), TimedEvent(3.9, "G5 laid")]
    score = match_events([TimedEvent(3.0, "G5 laid")], seen)
    assert [pair[1].at_s for pair in score.right] == [3.3]
    assert [one.at_s for one in score.false] == [3.9]


def test_an_event_seen_long_after_or_before_is_missed_and_false() -> None:
    for at_s in (1.0, 12.0):
        score = match_events([TimedEvent(3.0, "G5 laid")], [TimedEvent(at_s, "G5 laid")])
        assert len(score.missed) == len(score.false) == 1


def test_a_doubtful_or_misread_card_is_no_right_event() -> None:
    for text in ("G5?G6 laid", "G6 laid"):
        score = match_events([TimedEvent(3.0, "G5 laid")], [TimedEvent(3.3, text)])
        assert not score.right


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (LEGAL, "right"),
        (Answer("legal", False, "", ""), "wrong"),
        (Answer("illegal", False, "", ""), "wrong"),
        (Answer("unclear", False, "show me", ""), "can't tell"),
        (Answer("refused", False, "G5 is not on the table", ""), "can't tell"),
    ],
)
def test_a_verdict_is_right_wrong_or_not_told(answer: Answer, verdict: str) -> None:
    assert judged(CLAIM, answer) == verdict


def test_everything_that_went_wrong_is_one_line_in_the_order_of_time() -> None:
    came = played(
        TimedEvent(9.2, "R1 and G5 taken"),
        TimedEvent(20.0, "B1 laid"),
        answer=Answer("illegal", False, "5 + 1 is 6", "R1 #9"),
        target=8,
    )
    score = score_clip(clip_of(), came)
    assert [line.split("s  ")[1].split(",")[0] for line in score.misses] == [
        "missed: G5 laid",
        "target 9",
        "claim wrong: G5 + R1 + Y3 TWEAK is legal with a T! card",
        "false: B1 laid",
    ]


def test_the_report_adds_up_over_clips_and_keeps_idle_ones_apart() -> None:
    good = played(TimedEvent(3.2, "G5 laid"), TimedEvent(9.2, "G5 and R1 taken"), answer=LEGAL)
    poor = played(TimedEvent(3.2, "G5 laid"), answer=LEGAL, target=None)
    idle = clip_of(idle=True, lasts_s=300.0, events=(), tables=(), claims=())
    still = Played((TimedEvent(50.0, "B1 laid"),), (), (), (), 1.0)
    report = RoundsReport(
        (score_clip(clip_of(), good), score_clip(clip_of(), poor), score_clip(idle, still)), False
    )
    assert (report.precision, report.recall, report.targets) == (1.0, 0.75, 0.5)
    assert report.false_in_ten_idle_minutes == 2.0
    assert report.delay_s == pytest.approx(0.2)
    assert "round-00 (idle)" in report.table()


def test_without_clips_or_with_broken_ones_it_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no made clip"):
        find_rounds(tmp_path)
    (tmp_path / "clip.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadInput, match="no made clip of a round"):
        read_round(tmp_path)
