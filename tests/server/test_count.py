"""Counting: batches, corrections, T! cards, confirming and closing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.errors import BadInput
from companion.night.count_values import BooksNow, Holder, Perhaps, SeenTwice
from companion.night.values import PlayerCount, Snapshot
from companion.table.story import Story
from companion.table.story_values import Setting, Step
from companion.table.values import EventKind, TableEvent, parse_reading
from tests.server.scripted import SHA, ScriptedSession, a_count, a_match, busy_snapshot

PAGE = {"Accept": "text/html"}


def page(client: FlaskClient, address: str = "/count/") -> str:
    answer = client.get(address, headers=PAGE)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_the_first_player_who_is_not_settled_is_counted(client: FlaskClient) -> None:
    shown = page(client)
    assert "Confirm Ann's count" in shown
    assert "14–16" in shown


def test_doubtful_cards_come_first_with_their_alternatives(client: FlaskClient) -> None:
    shown = page(client)
    assert shown.index("1 card to settle") < shown.index("Change red 5")
    for card in ("orange 2", "red 2"):
        assert f'aria-label="It is {card}"' in shown


def test_nobody_confirms_a_doubtful_card(client: FlaskClient) -> None:
    assert "Settle the doubtful cards first" in page(client)


def test_what_lies_there_is_counted(client: FlaskClient, session: ScriptedSession) -> None:
    assert client.post("/count/2/look").status_code == 200
    assert session.asked == [("add_batch", ("Christina",), {})]


def test_a_card_is_added_by_tap(client: FlaskClient, session: ScriptedSession) -> None:
    client.post("/count/0/add", data={"colour": "R", "value": "5"})
    assert session.asked == [("add_batch", ("Ann", ["R5"]), {})]


@pytest.mark.parametrize("tapped", [{}, {"colour": "R"}, {"value": "5"}])
def test_half_a_card_is_asked_for_again(
    client: FlaskClient, session: ScriptedSession, tapped: dict[str, str]
) -> None:
    assert client.post("/count/0/add", data=tapped).status_code == 400
    assert session.asked == []


def test_a_card_is_put_right_by_one_tap(client: FlaskClient, session: ScriptedSession) -> None:
    client.post("/count/0/cards/50.4", data={"card": "R2"})
    assert session.asked == [("correct_card", ("Ann", "50.4", "R2"), {})]


def test_a_card_is_taken_out(client: FlaskClient, session: ScriptedSession) -> None:
    client.post("/count/0/cards/50.4", data={"remove": "1"})
    assert session.asked == [("remove_card", ("Ann", "50.4"), {})]


def test_a_card_that_is_looked_at_has_its_own_panel(client: FlaskClient) -> None:
    shown = page(client, "/count/?seat=0&fix=50.3")
    assert "Which card is this?" in shown
    assert "/count/0/cards/50.3" in shown


def test_confirming_tells_the_t_cards_and_goes_on(
    client: FlaskClient, session: ScriptedSession
) -> None:
    tapped = {"tweaks_joker": "2", "tweaks_any": "1"}
    answer = client.post("/count/0/confirm", data=tapped, headers=PAGE)
    assert session.asked == [("confirm_count", ("Ann", ["T!", "T!joker", "T!joker"]), {})]
    assert answer.location == "/count/?seat=2"


@pytest.mark.parametrize("many", ["-1", "18", "x", "1.5", "٣٣"])
def test_a_number_of_t_cards_that_no_box_has(client: FlaskClient, many: str) -> None:
    assert client.post("/count/0/confirm", data={"tweaks_bomb": many}).status_code == 400


def test_a_confirmed_count_can_be_opened_again(
    client: FlaskClient, session: ScriptedSession
) -> None:
    assert "Confirmed: 18 points" in page(client, "/count/?seat=1")
    client.post("/count/1/open")
    assert session.asked == [("start_count", ("Bo",), {})]


def test_a_round_is_closed_when_all_are_confirmed(
    client: FlaskClient, session: ScriptedSession
) -> None:
    assert "To close the round, confirm: Ann, Christina" in page(client)
    counting = tuple(a_count(name, confirmed=True) for name in ("Ann", "Bo", "Christina"))
    session.shown = busy_snapshot(match=a_match(counting=counting))
    assert "Close round 2" in page(client)
    answer = client.post("/count/close", headers=PAGE)
    assert answer.location == "/match/"
    assert session.asked == [("close_round", (), {})]


def test_what_the_session_refuses_is_said(client: FlaskClient, session: ScriptedSession) -> None:
    session.refusal = BadInput("nothing lies still before the camera")
    answer = client.post("/count/0/look")
    assert answer.status_code == 400
    assert answer.get_json() == {"error": {"message": "nothing lies still before the camera"}}


@pytest.mark.parametrize("address", ["/count/?seat=9", "/count/?seat=x", "/count/?seat=-1"])
def test_a_seat_that_nobody_sits_on(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_count_for_nobody_is_refused(client: FlaskClient, session: ScriptedSession) -> None:
    assert client.post("/count/7/look").status_code == 404
    assert session.asked == []


def test_before_a_match_there_is_nothing_to_count(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.shown = Snapshot()
    assert "First say who plays" in page(client)
    assert client.post("/count/0/look").status_code == 404


def known_by_worth() -> PlayerCount:
    """Ann's count, its doubtful card an orange or a green two: a point either way."""
    count = a_count("Ann")
    (batch,) = count.batches
    twos = replace(
        batch.cards[-1], seen="O2?G2", worth=1, points=1, settled=True, fits=("O2", "G2")
    )
    return replace(count, batches=(replace(batch, cards=(*batch.cards[:-1], twos)),), doubtful=())


def test_a_card_known_by_its_worth_alone_is_listed_and_may_be_changed(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.shown = busy_snapshot(match=a_match(counting=(known_by_worth(), a_count("Bo"))))
    shown = page(client, "/count/?seat=0")
    assert "settled by the other cards" in shown
    assert "to settle" not in shown
    assert 'href="/count/?seat=0&amp;fix=50.4"' in shown
    assert 'data-part="fix"' in page(client, "/count/?seat=0&fix=50.4")


def test_a_card_counted_twice_is_named_with_both_who_have_it_and_its_pictures(
    client: FlaskClient, session: ScriptedSession
) -> None:
    holders = (Holder("Ann", "50.0", "R5", SHA), Holder("", "51.0", "R5?O5", SHA))
    books = BooksNow(36, 36, ("O5",), (SeenTwice("R5", 1, holders, ("O5",)),), False)
    session.shown = busy_snapshot(match=a_match(books=books))
    shown = page(client)
    part = shown[shown.index('data-part="books"') : shown.index('data-part="close"')]
    assert "Counted too often" in part
    assert "Ann" in part
    assert "the table" in part
    assert part.count(f'src="/picture/{SHA}.jpg"') == 2
    # And while others still count, nothing is called missing
    assert "In nobody" not in part


def test_a_card_counted_too_often_on_which_no_point_hangs_is_named_and_not_asked(
    client: FlaskClient, session: ScriptedSession
) -> None:
    holders = (Holder("Ann", "50.0", "G2", SHA), Holder("Bo", "51.0", "G2", SHA))
    books = BooksNow(36, 36, (), (SeenTwice("G2", 2, holders, ("G3",), settled=True),), True)
    session.shown = busy_snapshot(match=a_match(books=books))
    shown = page(client)
    part = shown[shown.index('data-part="books"') : shown.index('data-part="close"')]
    assert "One of them is another card; the points are known." in part
    assert "<details><summary>Where is it wrong?</summary>" in part
    assert part.count(f'src="/picture/{SHA}.jpg"') == 2


def test_what_no_pile_holds_is_named_once_all_have_counted(
    client: FlaskClient, session: ScriptedSession
) -> None:
    done = tuple(a_count(name, confirmed=True) for name in ("Ann", "Bo", "Christina"))
    books = BooksNow(35, 36, ("O5",), (), False)
    session.shown = busy_snapshot(match=a_match(books=books, counting=done))
    shown = page(client)
    part = shown[shown.index('data-part="books"') : shown.index('data-part="close"')]
    assert "In nobody's pile:" in part
    assert 'aria-label="orange 5"' in part


def test_where_a_missing_card_may_be_seen_is_shown_beside_it(
    client: FlaskClient, session: ScriptedSession
) -> None:
    done = tuple(a_count(name, confirmed=True) for name in ("Ann", "Bo", "Christina"))
    corners = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))
    perhaps = (Perhaps("O5", (Holder("Bo", "51.3", "O5?R5", SHA, corners),)),)
    books = BooksNow(34, 36, ("O5", "R1"), (), False, perhaps=perhaps)
    session.shown = busy_snapshot(match=a_match(books=books, counting=done))
    shown = page(client)
    part = shown[shown.index('data-part="books"') : shown.index('data-part="close"')]
    assert part.count("Perhaps here: Bo") == 1
    assert part.count(f'src="/picture/{SHA}.jpg"') == 1


# --- what was left on the table ------------------------------------------------------------------


def test_what_was_left_on_the_table_is_counted_like_a_pile_and_scores_for_nobody(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.shown = busy_snapshot(match=a_match(left=a_count("", confirmed=True)))
    shown = page(client, "/count/?seat=table")
    assert "Left on the table" in shown
    assert "There is nothing to confirm" in shown
    assert "data-points>0<" in shown
    assert "card__points" not in shown
    for words in ("T! cards won", "How the points come about"):
        assert words not in shown
    client.post("/count/table/look")
    client.post("/count/table/add", data={"colour": "Y", "value": "6"})
    client.post("/count/table/cards/50.4", data={"card": "R2"})
    client.post("/count/table/cards/50.4", data={"remove": "1"})
    assert session.asked == [
        ("add_batch", ("",), {}),
        ("add_batch", ("", ["Y6"]), {}),
        ("correct_card", ("", "50.4", "R2"), {}),
        ("remove_card", ("", "50.4"), {}),
    ]


def test_nobody_confirms_what_was_left_on_the_table(
    client: FlaskClient, session: ScriptedSession
) -> None:
    answer = client.post("/count/table/confirm")
    assert answer.status_code == 400
    assert "scores for nobody" in answer.get_json()["error"]["message"]
    assert session.asked == []


# --- one tap where the books name a card ---------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "asked"),
    [
        ("1", ("find_missing", ("Bo", ["O5"]), {})),
        ("table", ("find_missing", ("", ["O5"]), {})),
        ("lost", ("lose_missing", (["O5"],), {})),
    ],
)
def test_a_missing_card_is_placed_by_one_tap(
    client: FlaskClient, session: ScriptedSession, where: str, asked: object
) -> None:
    client.post("/count/missing", data={"cards": "O5", "where": where})
    assert session.asked == [asked]


def test_a_lost_card_is_found_again_by_one_tap(
    client: FlaskClient, session: ScriptedSession
) -> None:
    # Before anybody has counted in a later round, what was lost before is named
    session.shown = busy_snapshot(match=a_match(books=BooksNow(lost=("G6", "O1"))))
    shown = page(client)
    assert 'aria-label="green 6 is found again"' in shown
    assert 'aria-label="orange 1 is found again"' in shown
    client.post("/count/lost", data={"cards": "G6"})
    assert session.asked == [("find_lost", (["G6"],), {})]


def test_a_card_counted_twice_is_settled_by_one_tap(
    client: FlaskClient, session: ScriptedSession
) -> None:
    client.post("/count/1/twice/51.0", data={"remove": "1"})
    client.post("/count/table/twice/51.1", data={"card": "O5"})
    assert session.asked == [
        ("settle_twice", ("Bo", "51.0", None), {}),
        ("settle_twice", ("", "51.1", "O5"), {}),
    ]


@pytest.mark.parametrize("address", ["/count/missing", "/count/1/twice/51.0"])
def test_an_answer_without_an_answer_is_asked_for_again(
    client: FlaskClient, session: ScriptedSession, address: str
) -> None:
    assert client.post(address, data={"cards": "O5"}).status_code == 400
    assert client.post("/count/missing", data={"where": "9"}).status_code == 404
    assert session.asked == []


def test_many_missing_cards_are_answered_at_once_or_unfolded(
    client: FlaskClient, session: ScriptedSession
) -> None:
    done = tuple(a_count(name, confirmed=True) for name in ("Ann", "Bo", "Christina"))
    texts = ("R1", "R1", "O1", "O2", "O3", "O4", "O5", "Y6")
    books = BooksNow(28, 36, texts, (), False, ("G6",))
    session.shown = busy_snapshot(match=a_match(books=books, counting=done))
    shown = page(client)
    part = shown[shown.index('data-part="books"') : shown.index('data-part="close"')]
    assert "4 cards more" in part
    assert 'value="R1 R1 O1 O2 O3 O4 O5 Y6"' in part
    assert "They are lost" in part
    assert part.index("Said to be lost:") < part.index('aria-label="green 6"')


# --- T! cards and the story of the round ---------------------------------------------------------


def with_a_tweak(session: ScriptedSession, *, seat: int) -> None:
    """The story tells of one TWEAK, by the player at that seat of three."""

    def seen(kind: str, *cards: str, after: int | None = None) -> TableEvent:
        return TableEvent(EventKind(kind), 0.0, 0, tuple(map(parse_reading, cards)), after=after)

    story = Story(Setting(players=3, first=seat))
    dealt = Step((seen("laid", "R1"), seen("laid", "Y3"), seen("target", after=9)))
    story = story.saw(1, dealt).saw(5, Step((seen("taken", "R1", "Y3"),)))
    session.shown = replace(session.shown, story=story)


def test_t_cards_that_differ_from_the_story_are_named_in_one_line(
    client: FlaskClient, session: ScriptedSession
) -> None:
    # Ann counts still, and Bo has confirmed two that the story does not tell of
    with_a_tweak(session, seat=0)
    shown = page(client)
    assert "T! cards of Ann: 0 counted, but the story of the round tells of 1." in shown
    assert "T! cards of Bo: 2 counted, but the story of the round tells of 0." in shown
    assert shown.index("T! cards of Bo") > shown.index('data-part="close"')
    assert "T! cards of Christina:" not in shown
    assert "T! cards of Ann" not in page(client, "/count/?seat=1")


def test_t_cards_never_keep_a_round_from_being_closed(
    client: FlaskClient, session: ScriptedSession
) -> None:
    done = tuple(a_count(name, confirmed=True) for name in ("Ann", "Bo", "Christina"))
    session.shown = busy_snapshot(match=a_match(counting=done))
    assert "data-gap" not in page(client)
    with_a_tweak(session, seat=2)
    shown = page(client)
    assert shown.count("data-gap") == 3
    assert "Close round 2" in shown
