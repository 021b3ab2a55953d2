"""The main job, end to end: real clip, real networks, real journal, and the truth beside it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from companion.night.replay import read_zones, replay
from companion.night.start import open_demo
from companion.night.values import Snapshot
from companion.paths import resource_dir
from companion.rules.cards import parse_card
from companion.rules.scoring import score
from companion.settings import Settings
from companion.table.values import TableEvent
from companion.vision.pipeline import load_pipeline

DEMO = resource_dir("calibration") / "demo"
PATIENCE_S = 240.0


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def events() -> list[TableEvent]:
    eyes = load_pipeline(threads=2)
    return list(replay(DEMO / "clip.mp4", eyes, read_zones(DEMO / "zones.json")))


def may_be(seen: TableEvent, truth: str) -> bool:
    """Whether the event is the true one, or a doubtful reading that leaves the truth open."""
    if str(seen) == truth:
        return True
    doubtful = [reading for reading in seen.cards if not reading.sure]
    names = truth.replace(",", " ").replace(" and ", " ").split()
    true_cards = [name for name in names if name not in {"laid", "taken"}]
    left = list(true_cards)
    for reading in seen.cards:
        fits = [name for name in left if name in {str(card) for card in reading.plausible}]
        if not fits:
            return False
        left.remove(fits[0])
    return bool(doubtful) and not left and str(seen).endswith(names[-1])


def test_a_replay_of_the_clip_tells_what_happened_in_it(events: list[TableEvent]) -> None:
    truth = lines("truth.jsonl")
    assert len(events) == len(truth)
    wrong = [
        (wanted["event"], str(seen))
        for wanted, seen in zip(truth, events, strict=True)
        if not may_be(seen, wanted["event"])
    ]
    assert wrong == []


def test_hardly_anything_in_the_clip_stays_in_doubt(events: list[TableEvent]) -> None:
    exact = {str(event) for event in events}
    truth = [line["event"] for line in lines("truth.jsonl")]
    assert sum(event in exact for event in truth) >= 0.9 * len(truth)


def test_events_come_soon_after_they_happened(events: list[TableEvent]) -> None:
    late_s = [
        seen.at_s - wanted["at_s"]
        for wanted, seen in zip(lines("truth.jsonl"), events, strict=True)
    ]
    assert sorted(late_s)[len(late_s) // 2] <= 0.7
    assert max(late_s) <= 2.5


@pytest.fixture(scope="module")
def last() -> Iterator[Snapshot]:
    """The demo as a newcomer sees it, at its own pace, up to its end."""
    with open_demo(Settings(threads=2)) as night:
        night.begin()
        assert night.director is not None
        ends_at_s = time.monotonic() + PATIENCE_S
        while not night.director.finished and time.monotonic() < ends_at_s:
            time.sleep(0.5)
        assert night.director.finished
        yield night.session.snapshot()


def declared() -> list[dict[str, Any]]:
    return [line for line in lines("script.jsonl") if line["do"] == "claim"]


def test_the_demo_judges_every_claim_rightly(last: Snapshot) -> None:
    claims = list(reversed(last.claims))
    assert [claim.declared.hand for claim in claims] == [line["hand"] for line in declared()]
    rulings = [claim.ruling.ruling.value for claim in claims]
    assert rulings.count("illegal") == 1
    (false,) = [claim for claim in claims if claim.ruling.ruling.value == "illegal"]
    assert false.declared.spoken == "5 and 3 is 9"
    assert "unclear" not in rulings
    assert all(claim.picture for claim in claims)
    assert sum(claim.ruling.wins_tweak for claim in claims) == 2


def test_the_demo_counts_and_scores_the_round(last: Snapshot) -> None:
    assert last.match is not None
    (played,) = last.match.rounds
    assert played.points == tuple(true_points(player) for player in last.match.players)
    assert sum(played.points) > 0


def true_points(player: str) -> int:
    """What the sums that this player truly made are worth, T! cards included."""
    won: list[str] = []
    for line in lines("script.jsonl"):
        if line["do"] == "claim" and line["player"] == player and line["spoken"] != "5 and 3 is 9":
            won += [line["hand"], *line["taken"]]
        if line["do"] == "confirm" and line["player"] == player:
            won += line["tweaks"]
    return score([parse_card(card) for card in won]).points
