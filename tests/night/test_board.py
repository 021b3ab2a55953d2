from __future__ import annotations

import threading
import time
from dataclasses import FrozenInstanceError

import pytest

from companion.errors import BadInput, NotFound
from companion.night.journal import Journal
from companion.night.picture import LivePicture
from companion.night.session import Session
from companion.night.values import CameraNow
from companion.vision.values import Frame, TableState
from tests.night.fakes import DECK, FakeTable, frame_at


def test_a_snapshot_is_frozen_and_the_same_until_something_changes(session: Session) -> None:
    first = session.snapshot()
    assert session.snapshot() is first
    with pytest.raises(FrozenInstanceError):
        first.id = 7  # type: ignore[misc]
    second = session.start_match(["Ann", "Ben"], "65")
    assert (first.id, first.match, second.id) == (0, None, 1)


def test_what_is_seen_is_shown_with_its_pictures(session: Session) -> None:
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["R1", "Y3", "G5"], deck="#9")
    shown = session.snapshot()
    assert [event.text for event in shown.events] == [
        "G5 laid", "target ? → 9", "Y3 laid", "R1 laid",
    ]  # fmt: skip
    laid = shown.events[0]
    assert session.picture(laid.picture_before or "") == b"picture 10"
    assert session.picture(laid.picture_after or "") == b"picture 20"
    assert (shown.table.target, shown.table.sums_sure) == (9, True)
    assert "5 + R1 + Y3" in [str(found) for found in shown.table.sums]
    assert shown.live.state is TableState.STILL
    assert {card.text: card.place for card in shown.live.sightings}["R1"] == "table"


def test_a_hand_in_view_changes_the_picture_but_not_the_table(session: Session) -> None:
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot()
    table.hides_under_a_hand()
    after = session.snapshot()
    assert after.live.state is TableState.HAND
    assert (after.table, after.id) == (before.table, before.id)
    assert after.live_id > before.live_id


def test_a_doubtful_card_is_counted_among_the_sums_and_marked(session: Session) -> None:
    FakeTable(session).shows(["R1", "Y3?O3"], deck="#9")
    table = session.snapshot().table
    assert table.sums[0].is_tweak
    assert not table.sums_sure


def test_a_waiting_page_wakes_at_once_for_an_event(session: Session) -> None:
    woken: list[tuple[float, int]] = []

    def page() -> None:
        news = session.wait(after_id=0, timeout_s=20.0)
        woken.append((time.monotonic(), news.id if news else -1))

    waiting = threading.Thread(target=page)
    waiting.start()
    told_at_s = time.monotonic()
    session.start_match(["Ann", "Ben"], "65")
    waiting.join()
    assert woken[0][1] == 1
    assert woken[0][0] - told_at_s < 1.0


def test_live_changes_wake_only_those_who_ask_for_them(session: Session) -> None:
    live_id = session.snapshot().live_id
    session.camera_is(CameraNow(True, False, "0", "the camera has gone silent"))
    assert session.wait(0, timeout_s=0.05) is None
    news = session.wait(0, timeout_s=5.0, after_live_id=live_id)
    assert news is not None
    assert news.camera.reason == "the camera has gone silent"
    session.camera_is(CameraNow(True, False, "0", "the camera has gone silent"))
    assert session.snapshot() is news


def test_what_another_program_writes_is_shown_too(session: Session, address: str) -> None:
    journal = Journal.open(address)
    other = Session(journal)
    other.start_match(["Ann", "Ben"], "65")
    news = session.wait(after_id=0, timeout_s=10.0)
    assert news is not None
    assert news.match == other.snapshot().match
    session.add_batch("Ann", ["R5"])
    other.add_batch("Ben", ["G5"])
    match = other.snapshot().match
    assert match is not None
    assert [count.points for count in match.counting] == [5, 4]
    journal.close()


def test_a_restart_shows_what_was_there(session: Session) -> None:
    FakeTable(session).shows(["R1", "Y3"], deck="#9")
    session.start_match(["Ann", "Ben"], "65")
    session.claim("Ann", "G5", ["R1", "Y3"])
    session.add_batch("Ben", ["R5"])
    again = Session(session._ledger.journal).snapshot()
    before = session.snapshot()
    assert (again.id, again.match, again.claims) == (before.id, before.match, before.claims)
    assert again.events == before.events


def test_without_a_camera_there_is_no_picture(session: Session) -> None:
    assert session.live_jpeg() is None
    assert not session.snapshot().camera.wanted
    with pytest.raises(NotFound):
        session.picture("0" * 64)


def test_the_live_picture_is_packed_once_for_all_and_only_when_asked() -> None:
    newest: list[Frame] = [frame_at(1)]
    packed: list[int] = []
    now_s = [0.0]

    def pack(frame: Frame) -> bytes:
        packed.append(frame.number)
        return b"jpeg %d" % frame.number

    live = LivePicture(lambda: newest[-1], pack, lambda: now_s[0], per_s=10.0)
    assert packed == []
    assert live.jpeg() == live.jpeg() == (1, b"jpeg 1")
    newest.append(frame_at(2))
    assert live.jpeg() == (1, b"jpeg 1")
    now_s[0] = 0.11
    assert live.jpeg() == (2, b"jpeg 2")
    assert packed == [1, 2]


def test_one_zone_is_set_and_the_others_stay_also_after_a_restart() -> None:
    journal = Journal.open("sqlite://")
    session = Session(journal)
    session.start_match(["Ann", "Bo"], "65")
    session.set_zones(DECK)
    session.set_zone("pile Ann", DECK[::-1])
    assert session.snapshot().zones.named() == (("deck", DECK), ("pile Ann", DECK[::-1]))
    assert Session(journal).snapshot().zones == session.snapshot().zones
    session.set_zone("deck", None)
    assert [name for name, _ in session.snapshot().zones.named()] == ["pile Ann"]


def test_a_place_known_from_before_can_be_moved_though_others_play() -> None:
    session = Session(Journal.open("sqlite://"))
    session.start_match(["Ann", "Bo"], "65")
    session.set_zone("pile Ann", DECK)
    session.start_match(["Zoe", "Bo"], "65")
    session.set_zone("pile Ann", DECK[::-1])
    assert session.snapshot().zones.piles == (("Ann", DECK[::-1]),)
    before = session.set_zone("pile Ann", None)
    assert session.set_zone("pile Ann", None).id == before.id


@pytest.mark.parametrize(
    ("name", "side", "words"),
    [("pile Zoe", 0.5, "Zoe does not play"), ("tray", 1.5, "tray zone"), ("moon", 0.5, "one of")],
)
def test_a_zone_that_cannot_be_leaves_all_as_it_was(name: str, side: float, words: str) -> None:
    session = Session(Journal.open("sqlite://"))
    session.start_match(["Ann", "Bo"], "65")
    before = session.snapshot()
    with pytest.raises(BadInput, match=words):
        session.set_zone(name, ((0.0, 0.0), (side, 0.0), (side, side), (0.0, side)))
    assert session.snapshot() == before
