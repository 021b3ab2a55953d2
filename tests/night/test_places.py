from __future__ import annotations

from dataclasses import replace

import pytest

from companion.night.session import Session
from companion.table.places import TOO_MANY
from companion.vision.values import Quad, Sighting, parse_reading
from tests.night.fakes import DECK, sightings
from tests.night.test_watch import Watching, painted

PILE_CARD: Quad = ((560.0, 250.0), (610.0, 250.0), (610.0, 325.0), (560.0, 325.0))


@pytest.fixture
def watching(session: Session) -> Watching:
    return Watching(session)


def lying(text: str, quad_px: Quad = PILE_CARD) -> Sighting:
    return Sighting(quad_px, parse_reading(text), 0.99)


def shows(watching: Watching, *others: Sighting, cards: tuple[str, ...] = ("R1",)) -> None:
    """A table that stays still for half a minute, and is looked at every few seconds."""
    watching.table = painted(seed=5)
    for one in others:
        (left, top), _, (right, bottom), _ = one.quad_px
        watching.table[int(top) : int(bottom), int(left) : int(right)] = len(str(one.reading)) * 50
    watching.eyes.seen = (*sightings(cards, "#9"), *others)
    watching.looks(8)
    for _ in range(8):
        watching.number += 40
        watching.looks(3)


def named(session: Session) -> list[str]:
    return [name for name, _ in session.snapshot().zones.named()]


def test_a_pile_gets_a_place_once_people_play(session: Session, watching: Watching) -> None:
    shows(watching)
    shows(watching, lying("#10"))
    assert named(session) == ["deck"]
    session.start_match(["Ann", "Ben"], "65")
    before = session.snapshot().events
    shows(watching, lying("#10"))
    assert named(session) == ["deck", "pile ?1"]
    assert session.snapshot().events == before
    assert session.snapshot().table.target == 9


def test_a_guessed_place_is_dragged_and_set_for_good(session: Session, watching: Watching) -> None:
    session.start_match(["Ann", "Ben"], "65")
    shows(watching)
    shows(watching, lying("#10"))
    there: Quad = ((0.85, 0.65), (1.0, 0.65), (1.0, 1.0), (0.85, 1.0))
    session.set_zone("pile ?1", there)
    shows(watching, lying("#10"))
    assert dict(session.snapshot().zones.named())["pile ?1"] == there
    assert Session(session._ledger.journal).snapshot().zones.piles == (("?1", there),)


def test_a_place_said_to_be_anns_is_nobody_elses(session: Session, watching: Watching) -> None:
    session.start_match(["Ann", "Ben"], "65")
    shows(watching)
    shows(watching, lying("#10"))
    session.set_zone("pile Ann", ((0.85, 0.65), (1.0, 0.65), (1.0, 1.0), (0.85, 1.0)))
    shows(watching, lying("#10"))
    assert named(session) == ["deck", "pile Ann"]


def test_a_guess_that_was_forgotten_does_not_come_back(
    session: Session, watching: Watching
) -> None:
    session.start_match(["Ann", "Ben"], "65")
    shows(watching)
    shows(watching, lying("#10"))
    steps = session.snapshot().id
    session.set_zone("pile ?1", None)
    assert named(session) == ["deck"]
    shows(watching, lying("#10"))
    assert (named(session), session.snapshot().id) == (["deck"], steps)


def test_a_card_played_where_a_place_was_guessed_is_still_told(
    session: Session, watching: Watching
) -> None:
    session.start_match(["Ann", "Ben"], "65")
    shows(watching)
    shows(watching, lying("#10"))
    assert named(session) == ["deck", "pile ?1"]
    shows(watching, lying("G5"))
    assert session.snapshot().events[0].text == "G5 laid"
    shows(watching, lying("#10"))
    assert named(session) == ["deck"]


def test_a_guessed_place_moves_along_when_the_camera_is_bumped(
    session: Session, watching: Watching
) -> None:
    session.start_match(["Ann", "Ben"], "65")
    shows(watching)
    shows(watching, lying("#10"))
    before = dict(session.snapshot().zones.named())["pile ?1"]
    watching.bump(-40)
    watching.looks(12)
    after = dict(session.snapshot().zones.named())["pile ?1"]
    assert after[0][0] == pytest.approx(before[0][0] - 40 / 640, abs=0.005)


def test_more_piles_than_people_are_named_in_one_line(session: Session, watching: Watching) -> None:
    session.set_zones(DECK)
    session.start_match(["Ann", "Ben"], "65")
    others = [lying("#10")]
    for left in (230.0, 400.0):
        quad = tuple((x - 560.0 + left, y) for x, y in PILE_CARD)
        others.append(replace(others[0], quad_px=(quad[0], quad[1], quad[2], quad[3])))
    shows(watching, *others)
    assert (named(session), session.snapshot().zones_note) == (["deck"], TOO_MANY)
    shows(watching, *others[:2])
    assert (named(session)[1:], session.snapshot().zones_note) == (["pile ?1", "pile ?2"], "")
