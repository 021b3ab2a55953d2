"""Stories about a dispute on the page: one tap doubts, one tap answers, five taps are one."""

from __future__ import annotations

import re
import threading
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.night.journal import Journal
from companion.night.session import Session
from companion.night.values import CameraNow
from companion.server import create_app
from companion.server.disputes import question_words
from companion.settings import Settings
from companion.vision.draw import encode_jpeg
from tests.night.fakes import FakeTable
from tests.server.conftest import serving
from tests.server.scripted import ScriptedSession

PAGE = {"Accept": "text/html"}


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Session]:
    journal = Journal.open(f"sqlite:///{tmp_path / 'night.db'}")
    night = Session(journal, lambda frame: encode_jpeg(frame.bgr))
    night.camera_is(CameraNow(True, True, "0"))
    night.start_match(["Ann", "Bo"], "65")
    yield night
    journal.close()


@pytest.fixture
def table(night: Session) -> FakeTable:
    table = FakeTable(night)
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    return table


@pytest.fixture
def page(night: Session) -> FlaskClient:
    return create_app(night, Settings()).test_client()


def shown(page: FlaskClient, address: str = "/table/") -> str:
    answer = page.get(address, headers=PAGE)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_one_tap_doubts_the_last_play_and_one_more_answers(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    table.shows(["R1", "", "B2?B3"], deck="#9")
    assert "Doubt the last play" in shown(page)
    page.post("/table/doubt", data={"step": night.snapshot().story.told[-1].id})
    asked = shown(page)
    assert "Can&#39;t tell" in asked
    assert "tell me the card from the hand: a 6 makes it right" in asked
    claim = night.snapshot().claims[0].id
    page.post(f"/table/claims/{claim}/tell", data={"about": "hand", "told": "6"})
    told = shown(page)
    assert 'data-verdict="legal"' in told
    assert "6 + 3 is 9, the target is 9" in told
    assert 'data-question="hand"' not in told


def test_both_pictures_stand_side_by_side_with_what_went_marked(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    table.shows(["R1", "", "B2?B3"], deck="#9")
    page.post("/table/doubt")
    claim = night.snapshot().claims[0]
    seen = shown(page, f"/table/claims/{claim.id}")
    for picture in (claim.picture, claim.picture_after):
        assert f"/picture/{picture}.jpg" in seen
    groups = re.findall(r'<g class="(\S*) ?(\S*) ?(\S*)"><polygon', seen)
    assert [kind for kind, *more in groups if "aside" not in more] == [
        "yellow", "black", "red", "blue",
    ]  # fmt: skip
    assert 'viewBox="0 0 640 360"' in seen
    assert "joins exactly one hand card" in seen


def test_each_doubtful_card_is_put_right_by_one_tap(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    claim = night.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    seen = shown(page, f"/table/claims/{claim.id}")
    assert "show me the card that is blue 2 or blue 3" in seen
    assert '<button name="told" value="B3"' in seen
    page.post(f"/table/claims/{claim.id}/tell", data={"about": "card", "place": 2, "told": "B3"})
    after = shown(page, f"/table/claims/{claim.id}")
    assert 'data-verdict="legal"' in after
    assert "told by the players" in after
    assert night.undo().claims[0] == claim
    assert table.number == 10


def test_what_showing_the_card_does_is_said_and_is_another_thing_with_the_deck_gone(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    # Given a doubtful card, then a hand card that nobody saw, while there is a deck
    claim = night.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    assert "Shown to the camera, it decides by itself" in shown(page, f"/table/claims/{claim.id}")
    table.shows(["R1", ""], deck="#9")
    doubted = night.doubt().claims[0]
    assert "may be shown to the camera" in shown(page, f"/table/claims/{doubted.id}")
    # When the deck is gone
    table.shows(["R1", "B2?B3"], deck="=7")
    claim = night.claim("Ann", "G3", ["R1", "B3"]).claims[0]
    # Then the card has to lie where it lay, and a hand card is tapped
    assert "lay it back just where it lay" in shown(page, f"/table/claims/{claim.id}")
    table.shows(["R1", ""], deck="=7")
    doubted = night.doubt().claims[0]
    assert doubted.asking is not None
    assert f'about" value="{doubted.asking.about}' in shown(page, f"/table/claims/{doubted.id}")
    night.tell_claim(claim.id, "card", "B3", 1)
    assert "lay it back" not in shown(page, f"/table/claims/{claim.id}")
    table.shows(["R1", "Y3"], deck="=7")
    table.shows(["R1", ""], deck="=7")
    doubted = night.doubt().claims[0]
    assert "Tap it: with the deck gone" in shown(page, f"/table/claims/{doubted.id}")


def test_a_card_that_cannot_be_read_is_told_on_the_pad(night: Session, page: FlaskClient) -> None:
    FakeTable(night).shows(["R1", "?"], deck="#9")
    claim = night.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    seen = shown(page, f"/table/claims/{claim.id}")
    assert "show me the card that I cannot read" in seen
    pad = {"about": "card", "place": 1, "colour": "B", "value": "3"}
    page.post(f"/table/claims/{claim.id}/tell", data=pad)
    assert night.snapshot().claims[0].ruling.legal


def test_what_is_told_is_checked(night: Session, table: FakeTable, page: FlaskClient) -> None:
    claim = night.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    before = night.snapshot()
    for told, wanted in (
        ({"about": "card", "place": "2"}, "wanted what is so"),
        ({"about": "card", "place": "9", "told": "B3"}, "has cards 0 to 2, not 9"),
        ({"about": "card", "place": "2", "told": "#9"}, "is no number card"),
        ({"about": "moon", "told": "full"}, "told of a claim is one of card, presence"),
        ({"about": "presence", "place": "2", "told": "maybe"}, "wanted yes or no"),
        ({"about": "target", "told": "12"}, "is no card"),
    ):
        answer = page.post(f"/table/claims/{claim.id}/tell", data=told)
        assert answer.status_code == 400
        assert wanted in answer.get_json()["error"]["message"]
    assert (
        page.post("/table/claims/99/tell", data={"about": "hand", "told": "5"}).status_code == 404
    )
    assert night.snapshot() is before
    assert table.number == 10


def test_a_claim_with_no_picture_is_one_clear_line(night: Session, page: FlaskClient) -> None:
    before = night.snapshot()
    for address, data in (
        ("/table/claim", {"player": "Ann", "hand": "G5", "taken": "R1"}),
        ("/table/doubt", {}),
        ("/table/doubt", {"step": "0"}),
    ):
        answer = page.post(address, data=data)
        assert answer.status_code == 400
        assert "\n" not in answer.get_json()["error"]["message"]
    assert night.snapshot() is before


def test_you_could_have_waits_for_the_end_of_the_turn(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    night.claim("Bo", "G4", ["R1", "Y3"])
    assert "You could have" not in shown(page)
    table.shows(["R1", "Y3", "", "G5"], deck="#9")
    assert "You could have" in shown(page)
    page.post("/table/doubt")
    laid = shown(page)
    assert 'data-verdict="legal"' in laid
    assert "You could have" in laid


def test_the_form_offers_every_tweak_card_and_a_hand_card_of_value_alone(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    seen = shown(page)
    for played in ("joker+1", "joker-1", "thief", "shifter", "bomb"):
        assert f'name="tweak" value="{played}"' in seen
    given = {"player": "Ann", "hand_value": "5", "taken": ["R1", "Y3"], "tweak": "thief"}
    assert page.post("/table/claim", data=given).status_code == 200
    assert night.snapshot().claims[0].ruling.legal
    assert table.number == 10


def test_the_report_of_a_claim_is_one_file_to_keep(
    night: Session, table: FakeTable, page: FlaskClient
) -> None:
    claim = night.claim("Ann", "G5", ["R1", "Y3"]).claims[0]
    assert f"/table/claims/{claim.id}/report" in shown(page, f"/table/claims/{claim.id}")
    answer = page.get(f"/table/claims/{claim.id}/report")
    assert answer.mimetype == "application/zip"
    assert f"companion-claim-{claim.id}.zip" in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(BytesIO(answer.get_data())) as packed:
        assert f"pictures/{claim.picture}.jpg" in packed.namelist()
    assert page.get("/table/claims/99/report").status_code == 404
    assert table.number == 10


@pytest.mark.parametrize(
    ("address", "given"),
    [
        ("/table/claim", {"player": "Bo", "hand": "G5", "taken": "R1 Y3"}),
        ("/table/doubt", {}),
    ],
)
def test_five_phones_that_tap_at_once_make_one_claim(
    night: Session, table: FakeTable, address: str, given: dict[str, str]
) -> None:
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["R1", "Y3", "", "P2"], deck="#9")
    start, answers = threading.Barrier(5), list[int]()
    with serving(night) as served:

        def tap(phone: int) -> None:
            body = urllib.parse.urlencode(given | {"key": f"phone {phone}"}).encode()
            start.wait()
            with urllib.request.urlopen(served.address + address, body) as answer:
                answers.append(answer.status)

        phones = [threading.Thread(target=tap, args=(phone,)) for phone in range(5)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
    assert answers == [200] * 5
    assert len(night.snapshot().claims) == 1


def test_a_question_names_its_cards_in_the_readers_language(
    session: ScriptedSession, night: Session, table: FakeTable
) -> None:
    asking = night.claim("Ann", "G5", ["R1", "B3"]).claims[0].asking
    assert asking is not None
    with create_app(session, Settings()).test_request_context():
        assert question_words(asking) == "show me the card that is blue 2 or blue 3"
    assert table.number == 10
