from __future__ import annotations

import threading

import pytest

from companion.errors import BadClaim, BadInput, NotFound, UnknownCard
from companion.night.session import Session
from companion.rules.verdict import Ruling
from tests.night.fakes import FakeCalendar, FakeTable


@pytest.fixture
def table(session: Session) -> FakeTable:
    session.start_match(["Ann", "Ben"], "65")
    return FakeTable(session)


def test_a_claim_is_judged_on_what_the_camera_saw(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    table.hides_under_a_hand()
    claim = session.claim("Ann", "G5", ["R1", "Y3"], said_tweak=True).claims[0]
    assert claim.ruling.ruling is Ruling.LEGAL
    assert claim.ruling.wins_tweak
    assert (claim.evidence, claim.target, claim.target_text) == ("camera", 9, "#9")
    assert [card.text for card in claim.table] == ["R1", "Y3"]
    assert claim.table[0].quad is not None
    assert claim.picture is not None
    assert session.picture(claim.picture) == b"picture 10"


def test_cards_swept_up_before_the_tap_are_judged_on_the_picture_before(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "B4"], deck="#9")
    table.shows(["", "", "B4"], deck="#9")
    claim = session.claim("Ann", "G5", ["R1", "Y3"]).claims[0]
    assert claim.ruling.ruling is Ruling.LEGAL
    assert (claim.picture, claim.picture_after) != (None, None)
    assert session.picture(claim.picture or "") == b"picture 10"
    assert session.picture(claim.picture_after or "") == b"picture 20"


def test_the_first_still_picture_after_a_claim_is_kept_with_it(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    assert session.claim("Ann", "G5", ["R1", "Y3"]).claims[0].picture_after is None
    table.shows(["R1", "Y3"], deck="#9")
    assert session.snapshot().claims[0].picture_after is None
    table.shows([], deck="#7")
    assert session.picture(session.snapshot().claims[0].picture_after or "") == b"picture 30"
    table.shows(["R2"], deck="#7")
    assert session.picture(session.snapshot().claims[0].picture_after or "") == b"picture 30"
    assert session.undo().claims == ()
    assert session.snapshot().oddities == ()


def test_a_hand_card_laid_beside_the_sum_is_no_table_card(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["R1", "Y3", "G5"], deck="#9")
    claim = session.claim("Ann", "G5", ["R1", "Y3"], said_tweak=True).claims[0]
    assert claim.ruling.wins_tweak
    assert [card.text for card in claim.table] == ["R1", "Y3"]


def test_doubt_that_matters_is_unclear_and_asks(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "B2?B3"], deck="#9")
    claim = session.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    assert claim.ruling.ruling is Ruling.UNCLEAR
    assert claim.ask == "show me the card that is blue 2 or blue 3"
    assert claim.asking is not None
    assert claim.asking.options == ("B2", "B3")
    assert claim.table[1].text == "B2?B3"


def test_a_correction_wins_and_stands_beside_the_first_verdict(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "B2?B3"], deck="#9")
    claim = session.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    corrected = session.correct_claim(claim.id, table=["R1", "B3"]).claims[0]
    assert corrected.ruling.ruling is Ruling.LEGAL
    assert corrected.verdict == claim.verdict
    assert corrected.table == claim.table
    again = session.correct_claim(claim.id, target=8).claims[0]
    assert again.ruling.ruling is Ruling.ILLEGAL
    assert [one.target for one in again.corrections] == [9, 8]
    assert again.corrections[1].table == ("R1", "B3")
    session.undo()
    session.undo()
    assert session.snapshot().claims[0].ruling == claim.verdict


def test_a_claim_by_tap_needs_no_camera(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    with pytest.raises(BadClaim, match="no table is known"):
        session.claim("Ann", "G5", ["R1"])
    session.set_table(["R1", "Y3"], 9)
    assert session.snapshot().table.sums[0].is_tweak
    claim = session.claim("Ann", "G5", ["R1"]).claims[0]
    assert claim.ruling.ruling is Ruling.ILLEGAL
    assert (claim.evidence, claim.picture) == ("tap", None)
    joker = session.claim("Ben", "G5", ["R1", "Y3"], tweak="joker-1", table=["R1", "Y3"], target=10)
    assert joker.claims[0].ruling.ruling is Ruling.LEGAL
    last = session.claim("Ben", "G5", ["R2"], table=["R2"], deck_gone=True)
    assert last.claims[0].target == 7


def test_the_newer_of_tap_and_camera_is_the_table(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    assert session.snapshot().table.source == "camera"
    session.set_table(["O2"], 8)
    table.shows(["R1", "Y3"], deck="#9")
    assert session.snapshot().table.source == "tap"
    table.shows(["R1", "Y3", "B4"], deck="#9")
    assert [card.text for card in session.snapshot().table.cards] == ["R1", "Y3", "B4"]


def test_five_phones_that_tap_the_same_claim_make_one(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    start = threading.Barrier(5)

    def tap() -> None:
        start.wait()
        session.claim("Ann", "G5", ["R1", "Y3"], said_tweak=True)

    phones = [threading.Thread(target=tap) for _ in range(5)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert len(session.snapshot().claims) == 1


def test_the_same_words_later_or_from_another_player_are_another_claim(
    session: Session, table: FakeTable, calendar: FakeCalendar
) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    session.claim("Ann", "G5", ["R1", "Y3"], key="tap-1")
    session.claim("Ben", "G5", ["R1", "Y3"], key="tap-2")
    assert len(session.snapshot().claims) == 2
    calendar.passes(seconds=60)
    session.claim("Ann", "G5", ["R1", "Y3"], key="tap-1")
    assert len(session.snapshot().claims) == 2
    session.claim("Ann", "G5", ["R1", "Y3"], key="tap-3")
    assert len(session.snapshot().claims) == 3


@pytest.mark.parametrize(
    ("hand", "taken", "more", "error", "wanted"),
    [
        ("G9", ["R1"], {}, UnknownCard, "'G9' is no card"),
        ("G5", ["#9"], {}, UnknownCard, "is no number card"),
        ("G5", ["P6"], {}, BadClaim, "P6 is not on the table as it was seen: there lay R1, Y3"),
        ("G5", ["R1"], {"tweak": "wizard"}, BadClaim, "T! card is played as one of"),
        (None, ["R1"], {}, BadClaim, "say which card came from the hand"),
        ("G5", ["R1"], {"table": ["R1"], "target": 11}, BadInput, "target is from 7 to 10"),
        ("G5", ["R1"], {"table": ["Y3"], "target": 9}, BadClaim, "taken, but not on the table: R1"),
    ],
)
def test_a_claim_that_cannot_be_judged_changes_nothing(
    session: Session, table: FakeTable, hand: str | None, taken: list[str], more: dict[str, object],
    error: type[Exception], wanted: str,
) -> None:  # fmt: skip
    table.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot()
    with pytest.raises(error, match=wanted) as caught:
        session.claim("Ann", hand, taken, **more)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert session.snapshot() is before


def test_a_claim_needs_a_match_and_a_player(session: Session) -> None:
    with pytest.raises(NotFound, match="no match is running"):
        session.claim("Ann", "G5", ["R1"], table=["R1"], target=9)
    session.start_match(["Ann", "Ben"], "65")
    with pytest.raises(NotFound, match="'Cleo' is not in this match"):
        session.claim("Cleo", "G5", ["R1"], table=["R1"], target=9)
    with pytest.raises(NotFound, match="there is no claim 99 in this match"):
        session.correct_claim(99, target=8)
