"""Stories about a play that somebody doubts, and what later pictures and taps settle."""

from __future__ import annotations

import pytest

from companion.errors import BadClaim, NotFound
from companion.night.evidence import evidence_of
from companion.night.session import Session
from companion.night.values import ClaimRecord
from companion.night.witness import UNDER_WAY
from companion.rules.verdict import Ruling
from tests.night.fakes import FakeTable


@pytest.fixture
def table(session: Session) -> FakeTable:
    """Ann and Ben play, Ben begins; R1 and Y3 lie there, and the target is 9."""
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    return table


def newest(session: Session) -> ClaimRecord:
    return session.snapshot().claims[0]


def ruling(session: Session) -> Ruling:
    return newest(session).ruling.ruling


def test_a_hand_card_laid_beside_the_sum_needs_no_question(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    table.shows([], deck="#9")
    claim = session.doubt().claims[0]
    assert (claim.ruling.ruling, claim.ask) == (Ruling.LEGAL, "")
    assert claim.ruling.reason.startswith("5 + 1 + 3 is 9, the target is 9")
    assert [str(card) for card in claim.ruling.won] == ["G5", "R1", "Y3"]
    assert session.picture(claim.picture or "") == b"picture 20"
    assert session.picture(claim.picture_after or "") == b"picture 30"


def test_only_the_card_that_nobody_saw_is_asked_for_and_a_tap_answers(
    session: Session, table: FakeTable
) -> None:
    table.shows(["", "Y3"], deck="#9")
    table.shows(["", ""], deck="#9")
    claim = session.doubt().claims[0]
    assert claim.ruling.ruling is Ruling.UNCLEAR
    assert claim.asking is not None
    assert (claim.asking.about, claim.asking.options) == ("hand", ("6",))
    told = session.tell_claim(claim.id, "hand", "6").claims[0]
    assert told.ruling.ruling is Ruling.LEGAL
    assert [str(card) for card in told.ruling.won] == ["Y3"]
    assert (told.verdict, told.declared.hand) == (claim.verdict, None)
    assert session.tell_claim(claim.id, "hand", "4").claims[0].ruling.reason == (
        "4 + 3 is 7, the target is 9"
    )
    assert evidence_of(newest(session)).play == claim.play
    session.undo()
    session.undo()
    assert newest(session) == claim


def test_where_no_hand_card_would_do_it_is_illegal_at_once(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "B6"], deck="#9")
    table.shows([], deck="#9")
    claim = session.doubt().claims[0]
    assert (claim.ruling.ruling, claim.ask) == (Ruling.ILLEGAL, "")
    assert claim.ruling.rules == ("T1",)
    assert claim.ruling.reason == "6 + 1 + 3 is 10, the target is 9"


def test_the_player_of_the_doubted_play_is_known_by_the_turn_order(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "G2"], deck="#9")
    table.shows(["R1", "Y3", "G2", "O1"], deck="#9")
    last = session.doubt().claims[0]
    assert (last.player, last.ruling.rules) == ("Ann", ("T6",))
    earlier = session.snapshot().story.told[1]
    assert session.doubt(earlier.id).claims[0].player == "Ben"


def test_a_doubtful_card_that_went_is_asked_for_only_where_it_matters(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    table.shows(["R1", "Y3", "B2?B3", "G5"], deck="#9")
    table.shows(["", "Y3", "", ""], deck="#9")
    claim = session.doubt().claims[0]
    assert claim.ask == "show me the card that is blue 2 or blue 3"
    assert claim.asking is not None
    assert claim.asking.place == 2


def test_a_card_that_no_hand_card_can_reach_the_target_with(
    session: Session, table: FakeTable
) -> None:
    table.shows(["", "Y3"], deck="#9")
    claim = session.doubt().claims[0]
    assert (claim.ruling.ruling, claim.ask) == (Ruling.ILLEGAL, "")
    assert claim.ruling.reason == ("the table cards make 1, and no card from the hand makes it 9")


def test_one_tap_for_each_doubtful_card(session: Session, table: FakeTable) -> None:
    table.shows(["R1?R2", "B2?B3"], deck="#9")
    claim = session.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    assert claim.asking is not None
    one = session.tell_claim(claim.id, "card", "B3", 1).claims[0]
    assert (one.ruling.ruling, one.asking and one.asking.place) == (Ruling.UNCLEAR, 0)
    both = session.tell_claim(claim.id, "card", "R1", 0).claims[0]
    assert both.ruling.ruling is Ruling.LEGAL
    assert [card.text for card in both.table] == ["R1?R2", "B2?B3"]
    assert both.corrections[-1].table == ("R1", "B3")
    assert session.tell_claim(claim.id, "card", "R1", 0).claims[0] == both


def test_a_play_under_way_is_judged_once_the_table_lies_still(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "B6"], deck="#9")
    table.hides_under_a_hand()
    claim = session.doubt(UNDER_WAY).claims[0]
    assert claim.ask == "take your hands away: I judge it as soon as the table lies still"
    table.shows(["R1"], deck="#9")
    decided = newest(session)
    assert decided.ruling.reason == "6 + 3 is 9, the target is 9"
    assert decided.verdict == claim.verdict
    assert decided.picture_after is not None


def test_a_camera_that_freezes_in_mid_turn_leaves_the_claim_its_last_still_picture(
    session: Session, table: FakeTable
) -> None:
    # Given a hand that sweeps the cards while the camera freezes
    table.hides_under_a_hand()
    table.freezes()
    # When the sum is claimed, and somebody doubts the play
    claim = session.claim("Ben", "G5", ["R1", "Y3"], said_tweak=True).claims[0]
    doubt = session.doubt(UNDER_WAY).claims[0]
    # Then the claim is judged on what lay still before, and the doubt waits for the camera
    assert claim.ruling.wins_tweak
    assert session.picture(claim.picture or "") == b"picture 10"
    assert (doubt.ruling.ruling, doubt.picture_after) == (Ruling.UNCLEAR, None)
    table.shows([], deck="#7")
    assert newest(session).ask == "tell me the card from the hand: a 5 makes it right"
    assert session.snapshot().claims[1].ruling == claim.ruling


def test_after_a_new_start_the_play_is_judged_on_what_the_journal_kept(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    table.shows([], deck="#9")
    claim = Session(session._ledger.journal).doubt().claims[0]
    assert claim.ruling.ruling is Ruling.LEGAL
    assert session.picture(claim.picture or "") == b"picture 20"
    assert session.picture(claim.picture_after or "") == b"picture 30"
    assert claim.table[0].quad is None


def test_a_doubt_tapped_twice_is_one(session: Session, table: FakeTable) -> None:
    table.shows(["", "Y3"], deck="#9")
    assert len(session.doubt().claims) == 1
    assert len(session.doubt().claims) == 1


def test_what_cannot_be_doubted_is_said_in_one_line(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    with pytest.raises(BadClaim, match="no play was seen yet"):
        session.doubt()
    with pytest.raises(BadClaim, match="no still picture of the table yet"):
        session.doubt(UNDER_WAY)
    table.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot()
    with pytest.raises(BadClaim, match="nobody plays just now"):
        session.doubt(UNDER_WAY)
    with pytest.raises(NotFound, match="not of this round"):
        session.doubt(99)
    with pytest.raises(BadClaim, match="nothing to doubt"):
        session.doubt(before.story.told[0].id)
    assert session.snapshot() is before


def test_a_sum_that_was_only_said_aloud(session: Session, table: FakeTable) -> None:
    said = "1 and 3 is 4, and 5 is 9, TWEAK!"
    claim = session.claim("Ben", None, [], spoken=said).claims[0]
    assert (claim.declared.hand, claim.declared.taken) == ("5", ("R1", "Y3"))
    assert claim.ruling.wins_tweak
    wrong = session.claim("Ben", None, [], spoken="1 and 3 is 5, and 5 is 9").claims[0]
    assert wrong.ruling.reason.endswith("misspoken: 1 + 3 = 5")
    assert "D11" in wrong.ruling.rules


@pytest.mark.parametrize(
    ("cards", "words", "wanted"),
    [
        (["R1", "Y3"], "1 and perhaps", "the words are no sum"),
        (["R1", "Y3"], "2 and 3 and 4 is 9", "do not fit the cards: there lay R1, Y3"),
        (["R1", "Y1", "Y3"], "1 and 3 and 5 is 9", "the 1 that was said may be R1 or Y1"),
        (["R1", "Y3", "B5"], "1 and 3 and 5 is 9", "say which card came from the hand"),
    ],
)
def test_words_that_leave_it_open_are_no_guess(
    session: Session, cards: list[str], words: str, wanted: str
) -> None:
    session.start_match(["Ann", "Ben"], "65")
    FakeTable(session).shows(cards, deck="#9")
    with pytest.raises(BadClaim, match=wanted):
        session.claim("Ben", None, [], spoken=words)


def test_a_hand_card_of_known_value_and_unknown_colour(session: Session, table: FakeTable) -> None:
    claim = session.claim("Ben", "5", ["R1", "Y3"], said_tweak=True).claims[0]
    assert claim.ruling.wins_tweak
    assert ([str(card) for card in claim.ruling.won], claim.ruling.points) == (["R1", "Y3"], 4)
    assert table.number


def test_a_joker_that_nobody_told_of_is_asked_for(session: Session, table: FakeTable) -> None:
    # Given Ben, who has won a T! card, and sweeps one more than the target
    table.shows(["R1", "Y3", "G5"], deck="#9")
    table.shows([], deck="#9")
    table.shows(["B4", "P2"], deck="#8")
    table.shows(["B4", "P2", "G1"], deck="#8")
    table.shows(["B4", "P2", "G1", "O3"], deck="#8")
    table.shows(["", "", "G1", ""], deck="#8")
    # When his play is doubted
    claim = session.doubt().claims[0]
    # Then one tap settles it, either way
    assert (claim.player, claim.ruling.ruling) == ("Ben", Ruling.UNCLEAR)
    assert claim.ask == "tell me whether a Joker was played: with one it is right"
    assert claim.asking is not None
    assert claim.asking.options == ("joker+1",)
    assert session.tell_claim(claim.id, "tweak", "joker+1").claims[0].ruling.legal
    plain = session.tell_claim(claim.id, "tweak", "none").claims[0]
    assert (plain.ruling.ruling, plain.ask) == (Ruling.ILLEGAL, "")
    with pytest.raises(BadClaim, match="one of joker"):
        session.tell_claim(claim.id, "tweak", "wizard")


def test_the_card_that_lay_beside_the_others_may_be_told_as_the_hand_card(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "G4"], deck="#9")
    table.shows([], deck="#9")
    claim = session.doubt().claims[0]
    assert claim.asking is not None
    assert (claim.asking.about, claim.asking.options) == ("hand", ("1", "G4"))
    assert session.tell_claim(claim.id, "hand", "1").claims[0].ruling.legal
    opened = session.tell_claim(claim.id, "hand", "G4").claims[0]
    assert opened.ruling.reason == "4 + 1 + 3 is 8, the target is 9"
