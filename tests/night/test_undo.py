from __future__ import annotations

import dataclasses

import pytest

from companion.errors import BadInput
from companion.night.events import Event, in_force, next_steps
from companion.night.projection import replay
from companion.night.session import Session
from tests.night.fakes import DECK, FakeTable

AT = "2026-11-30T20:00:00.000+00:00"


def zones(id: int) -> Event:
    return Event(id, AT, "zones set", {"schema": 1, "deck": None, "table": None})


def undone(id: int, event: int, was: str = "zones set") -> Event:
    return Event(id, AT, "undone", {"schema": 1, "event": event, "was": was})


def test_taking_back_brings_everything_back_as_it_was(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", ["R5"])
    before = session.snapshot()
    session.confirm_count("Ann")
    after = session.undo()
    assert after.match == before.match
    assert after.undo == before.undo
    assert after.redo is not None
    assert after.redo.text == "count of Ann confirmed"


def test_steps_go_back_one_by_one_and_forth_again(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    snapshots = [session.add_batch("Ann", [card]) for card in ("R5", "G5", "O5")]
    backwards = [session.undo().match for _ in range(2)]
    assert backwards == [snapshots[1].match, snapshots[0].match]
    forwards = [session.redo().match for _ in range(2)]
    assert forwards == [snapshots[1].match, snapshots[2].match]
    with pytest.raises(BadInput, match="nothing to bring again"):
        session.redo()


def test_a_new_command_ends_what_could_be_brought_again(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", ["R5"])
    session.undo()
    assert session.add_batch("Ben", ["G5"]).redo is None


def test_what_the_camera_saw_is_never_taken_back(session: Session) -> None:
    table = FakeTable(session)
    session.set_zones(DECK)
    table.shows(["R1"], deck="#9")
    shown = session.undo()
    assert shown.zones.deck is None
    assert [event.text for event in shown.events] == ["target ? → 9", "R1 laid"]
    with pytest.raises(BadInput, match="nothing to take back"):
        session.undo()


def test_a_step_that_is_no_longer_the_newest_is_refused(session: Session) -> None:
    step = session.start_match(["Ann", "Ben"], "65").undo
    assert step is not None
    session.start_count("Ann")
    with pytest.raises(BadInput, match="the newest step is now 'count of Ann opened'"):
        session.undo(step.id)
    session.undo()
    assert session.undo(step.id).match is None


def test_undo_works_after_a_restart(session: Session, address: str) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.set_zones(DECK)
    again = Session(session._ledger.journal)
    assert again.undo().zones.deck is None
    assert again.redo().zones.deck == DECK


def test_a_taking_back_may_itself_be_taken_back_and_so_on() -> None:
    journal = [zones(1), zones(2), undone(3, 2), undone(4, 1), undone(5, 4, "undone")]
    assert [event.id for event in in_force(journal)] == [1]
    undo, redo = next_steps(journal)
    assert (undo and undo.id, redo and redo.id) == (1, 3)
    journal.append(undone(6, 3, "undone"))
    assert [event.id for event in in_force(journal)] == [1, 2]
    undo, redo = next_steps(journal)
    assert (undo and undo.id, redo) == (2, None)


def test_what_is_not_understood_is_kept_named_and_left_alone() -> None:
    journal = [
        zones(1),
        Event(2, AT, "moon landed", {"schema": 1}),
        dataclasses.replace(zones(3), payload={"schema": 2, "deck": "everywhere"}),
        Event(4, AT, "round closed", {"schema": 1, "number": 1}),
        Event(5, AT, "match started", {"schema": 1}),
    ]
    state = replay(journal)
    assert state.last_id == 5
    assert [line.split(": ")[0] for line in state.oddities] == [f"event {n}" for n in range(2, 6)]
    assert "newer companion" in state.oddities[1]
