"""Stories about what happened between two settled views."""

from __future__ import annotations

import pytest

from companion.table.observe import Observer
from companion.table.values import EventKind
from companion.vision.values import Sighting
from tests.table.scenes import DECK, ZONES, card, read_as, reading, texts, view

R1, Y3, G5 = card("R1", (60, 60)), card("Y3", (160, 60)), card("G5", (260, 200))
NINE = card("#9", DECK)


def watching(*cards: Sighting) -> Observer:
    observer = Observer(ZONES)
    observer.saw(view(cards))
    return observer


def test_the_first_view_lays_its_cards_and_tells_the_target() -> None:
    events = Observer(ZONES).saw(view([Y3, R1, NINE], 2.0))
    assert texts(events) == ["R1 laid", "Y3 laid", "target ? → 9"]
    assert {(event.at_s, event.frame_number) for event in events} == {(2.0, 20)}


def test_a_card_is_laid() -> None:
    assert texts(watching(R1, NINE).saw(view([R1, G5, NINE]))) == ["G5 laid"]


def test_cards_taken_together_are_one_event_and_the_target_follows() -> None:
    events = watching(R1, Y3, G5, NINE).saw(view([G5, card("#7", DECK)]))
    assert texts(events) == ["R1 and Y3 taken", "target 9 → 7"]


def test_nothing_happened() -> None:
    assert watching(R1, Y3, NINE).saw(view([Y3, R1, NINE])) == ()


def test_a_card_nudged_turned_or_pushed_across_the_table_is_the_same_card() -> None:
    nudged, far = card("R1", (85, 70)), card("Y3", (420, 240))
    assert watching(R1, Y3, NINE).saw(view([nudged, far, NINE])) == ()


def test_two_equal_cards_are_two_cards() -> None:
    twin = card("R1", (120, 60))
    assert texts(watching(R1, NINE).saw(view([twin, R1, NINE]))) == ["R1 laid"]
    assert texts(watching(R1, twin, NINE).saw(view([twin, NINE]))) == ["R1 taken"]


@pytest.mark.parametrize(
    "flickers",
    [
        reading({"O1": 0.55, "R1": 0.4}),
        reading({"R1": 0.6, "O1": 0.4}),
        reading({}),
        reading({"P4": 0.9}, sure=True),
    ],
)
def test_a_reading_that_flickers_in_its_place_is_no_event(flickers: object) -> None:
    doubtful = read_as(R1, flickers)  # type: ignore[arg-type]
    observer = watching(R1, Y3, NINE)
    assert observer.saw(view([doubtful, Y3, NINE])) == ()
    assert observer.saw(view([R1, Y3, NINE])) == ()


def test_a_card_half_covered_by_another_is_still_there() -> None:
    covered = read_as(card("R1", (64, 66)), reading({"R1": 0.5, "R4": 0.3}))
    over = card("B2", (85, 80))
    assert texts(watching(R1, NINE).saw(view([covered, over, NINE]))) == ["B2 laid"]


def test_another_card_laid_where_one_was_taken_is_two_events() -> None:
    events = watching(R1, NINE).saw(view([card("B2", (72, 66)), NINE]))
    assert texts(events) == ["R1 taken", "B2 laid"]


def test_a_doubtful_card_keeps_its_alternatives() -> None:
    doubtful = read_as(G5, reading({"G5": 0.6, "B5": 0.35}))
    assert texts(watching(R1, NINE).saw(view([R1, doubtful, NINE]))) == ["G5?B5 laid"]


def test_the_deck_runs_out_and_the_target_is_seven_for_good() -> None:
    observer = watching(R1, NINE)
    (event,) = observer.saw(view([R1, card("=7", DECK)]))
    assert (str(event), event.kind, event.before, event.after) == (
        "deck gone",
        EventKind.DECK_GONE,
        9,
        7,
    )
    assert observer.saw(view([R1])) == ()
    assert observer.scene.target_value == 7


def test_the_blue_seven_before_the_deck_is_put_on_it_is_no_end() -> None:
    observer = Observer(ZONES)
    assert observer.saw(view([card("=7", DECK)])) == ()
    assert texts(observer.saw(view([R1, NINE]))) == ["R1 laid", "target ? → 9"]


def test_a_deck_that_is_covered_or_cannot_be_read_changes_no_target() -> None:
    observer = watching(R1, NINE)
    assert observer.saw(view([R1])) == ()
    assert observer.scene.target_value is None
    assert observer.saw(view([R1, read_as(NINE, reading({"#7": 0.5, "#9": 0.45}))])) == ()
    assert texts(observer.saw(view([R1, card("#8", DECK)]))) == ["target 9 → 8"]


def test_a_new_target_that_cannot_be_read_is_told_once_it_can() -> None:
    observer = watching(R1, NINE)

    doubts = [observer.saw(view([R1, card("#7?#8", DECK)])) for _ in range(3)]

    assert [texts(events) for events in doubts] == [[], [], []]
    assert observer.scene.target_value is None
    assert texts(observer.saw(view([R1, card("#8", DECK)]))) == ["target 9 → 8"]


def test_a_won_pile_is_never_the_target() -> None:
    pile = card("#10", (60, 250))
    observer = watching(R1, NINE, pile)
    assert observer.scene.target_value == 9
    assert observer.saw(view([R1, NINE, card("#8", (60, 250))])) == ()


def test_everything_swept_off_is_taken_and_cleared() -> None:
    events = watching(R1, Y3, card("=7", DECK)).saw(view([]))
    assert texts(events) == ["R1 and Y3 taken", "cleared"]


def test_a_tweak_that_leaves_only_the_deck_is_not_cleared() -> None:
    assert texts(watching(R1, Y3, NINE).saw(view([NINE]))) == ["R1 and Y3 taken"]


def test_a_watcher_can_begin_anew() -> None:
    observer = watching(R1, NINE)
    observer.restart()
    assert texts(observer.saw(view([R1, NINE]))) == ["R1 laid", "target ? → 9"]
