"""Stories about when a table is still, and what then counts as seen."""

from __future__ import annotations

import pytest

from companion.rules.cards import parse_card
from companion.vision.merge import merge_readings, merge_views
from companion.vision.settle import DARK
from companion.vision.values import Reading, Sighting, TableState, parse_reading
from tests.vision.stage import Stage, names, quad_at, sighting, turned, view_of

ONE, TWO = (100.0, 100.0), (260.0, 90.0)


def test_a_still_table_is_read_after_three_frames_and_not_before() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    first, second = stage.step(), stage.step()
    assert first.settled is None
    assert second.state is TableState.MOVING
    look = stage.steps(3)
    assert look.state is TableState.STILL
    assert names(look) == ["G1", "R5"]
    assert look.settled_frame is not None


def test_a_table_that_stays_still_is_hardly_looked_at_again() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(10)
    after_settling = stage.calls
    stage.steps(100)
    assert after_settling <= 7
    assert stage.calls - after_settling <= 4


def test_an_empty_table_is_cleared() -> None:
    look = Stage().steps(6)
    assert look.state is TableState.CLEARED
    assert look.settled is not None
    assert look.settled.sightings == ()


def test_a_card_laid_by_a_hand_is_seen_once_the_hand_is_gone() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(6)
    look = stage.lay({(400.0, 200.0): "G1"})
    assert look.state is TableState.STILL
    assert names(look) == ["G1", "R5"]


def test_a_hand_that_rests_on_the_table_is_no_reading() -> None:
    stage = Stage(cards={ONE: "R5", (350.0, 200.0): "B2"})
    stage.steps(6)
    stage.hand_at = 330
    states = {stage.step().state for _ in range(30)}
    assert states == {TableState.HAND}
    stage.hand_at = None
    look = stage.steps(6)
    assert look.state is TableState.STILL
    assert names(look) == ["B2", "R5"]


def test_a_hand_that_fidgets_at_the_edge_does_not_keep_the_table_unread() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    stage.steps(6)
    stage.edge_hand = 420
    assert stage.steps(10).state is not TableState.STILL
    assert stage.steps(50).state is TableState.STILL
    stage.cards[(200.0, 200.0)] = "B2"
    look = stage.steps(8)
    assert look.state is TableState.STILL
    assert names(look) == ["B2", "G1", "R5"]
    stage.edge_hand = None
    look = stage.steps(30)
    assert look.state is TableState.STILL
    assert names(look) == ["B2", "G1", "R5"]


def test_a_fidgeting_hand_from_the_first_picture_on_does_not_block_either() -> None:
    stage = Stage(cards={ONE: "R5"}, edge_hand=420)
    look = stage.steps(60)
    assert look.state is TableState.STILL
    assert names(look) == ["R5"]


def test_a_card_under_a_fidgeting_hand_is_neither_gone_nor_read() -> None:
    stage = Stage(cards={ONE: "R5", (440.0, 295.0): "P3"})
    stage.steps(6)
    stage.edge_hand = 420
    stage.steps(60)
    known = [sighting("R5", ONE)]
    look = stage.steps(10, known)
    assert names(look) == ["P3", "R5"]
    look = stage.steps(10, [*known, sighting("Y6", (440.0, 295.0))])
    assert names(look) == ["P3", "R5"]


def test_a_hand_that_reaches_in_counts_however_long_it_has_fidgeted() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(6)
    stage.edge_hand = 420
    stage.steps(60)
    stage.hand_at = 420
    assert stage.step().state is not TableState.STILL
    assert stage.steps(6).state is TableState.HAND


def test_a_thing_left_in_the_picture_does_not_block_for_ever() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(6)
    stage.hand_at = 400
    assert stage.steps(35).state is TableState.HAND
    assert stage.steps(15).state is TableState.STILL


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.25])
def test_a_dimmed_lamp_changes_nothing(gain: float) -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    stage.steps(6)
    stage.gain = gain
    assert TableState.HAND not in {stage.step().state for _ in range(8)}
    assert names(stage.steps(1)) == ["G1", "R5"]
    assert stage.steps(1).state is TableState.STILL


def test_a_bumped_camera_settles_again_within_five_seconds() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    stage.steps(6)
    stage.shift_px = 37
    look = stage.steps(50)
    assert look.state is TableState.STILL
    assert names(look) == ["G1", "R5"]


def test_a_bumped_camera_says_how_it_moved_once_and_takes_the_cards_along() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1", (420.0, 230.0): "B2"})
    stage.steps(6)
    stage.shift_px = 37
    looks = [stage.step() for _ in range(12)]
    (bump,) = [look.bump for look in looks if look.bump is not None]
    assert bump.moves((0.5, 0.5)) == pytest.approx((0.5 + 37 / 640, 0.5), abs=0.003)
    assert TableState.HAND not in {look.state for look in looks}
    assert not any(look.lost for look in looks)
    assert names(looks[-1]) == ["B2", "G1", "R5"]


@pytest.mark.parametrize("shift_px", [-60, -9, 5, 14])
def test_a_bump_of_any_size_is_found(shift_px: int) -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1", (420.0, 230.0): "B2"})
    stage.steps(6)
    stage.shift_px = shift_px
    (bump,) = [look.bump for look in (stage.step() for _ in range(12)) if look.bump]
    assert bump.moves((0.0, 0.0)) == pytest.approx((shift_px / 640, 0.0), abs=0.003)


def test_a_play_is_no_bump() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(6)
    stage.hand_at = 300
    looks = [stage.step() for _ in range(4)]
    stage.cards = {(140.0, 130.0): "R5", (400.0, 200.0): "G1"}
    stage.hand_at = None
    looks += [stage.step() for _ in range(8)]
    assert [look.bump for look in looks if look.bump or look.lost] == []
    assert names(looks[-1]) == ["G1", "R5"]


def test_another_picture_altogether_is_named_as_lost_once() -> None:
    stage, other = Stage(cards={ONE: "R5", TWO: "G1"}), Stage(cards={(300.0, 200.0): "B2"})
    stage.steps(6)
    other.settler, other.number = stage.settler, stage.number
    other.paint_over(seed=11)
    looks = [other.step() for _ in range(50)]
    assert [look.lost for look in looks].count(True) == 1
    assert all(look.bump is None for look in looks)
    assert looks[-1].state is TableState.STILL


def test_in_the_dark_nothing_is_read_and_with_the_light_all_is_as_it_was() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    stage.steps(6)
    stage.gain = 0.06
    calls = stage.calls
    looks = [stage.step() for _ in range(60)]
    assert {(look.state, look.reason) for look in looks} == {(TableState.MOVING, DARK)}
    assert stage.calls == calls
    assert names(looks[-1]) == ["G1", "R5"]
    stage.gain = 1.0
    looks = [stage.step() for _ in range(8)]
    assert (looks[-1].state, names(looks[-1])) == (TableState.STILL, ["G1", "R5"])
    assert not any(look.lost or look.bump for look in looks)


def test_glare_for_ten_frames_takes_no_card_away() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    stage.steps(6)
    stage.glare = True
    assert names(stage.steps(10)) == ["G1", "R5"]
    stage.glare = False
    assert names(stage.steps(10)) == ["G1", "R5"]


def test_a_card_that_the_eyes_miss_for_a_while_stays_where_nothing_changed() -> None:
    stage = Stage(cards={ONE: "R5", TWO: "G1"})
    stage.steps(6)
    stage.hand_at = 420
    stage.steps(3)
    stage.hand_at = None
    look = stage.steps(6, script=[sighting("G1", TWO)])
    assert names(look) == ["G1", "R5"]


def test_a_card_that_was_taken_is_gone_at_once() -> None:
    stage = Stage(cards={ONE: "R5", (350.0, 200.0): "B2"})
    stage.steps(6)
    stage.hand_at = 330
    stage.steps(4)
    del stage.cards[(350.0, 200.0)]
    stage.hand_at = None
    assert names(stage.steps(6)) == ["R5"]


def test_what_never_was_a_card_fades_away() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(3, script=[sighting("R5", ONE), sighting("O3", (500.0, 40.0))])
    stage.steps(1)
    for _ in range(6):
        look = stage.lay({})
    assert names(look) == ["R5"]


def test_one_missing_frame_of_three_does_not_matter_and_one_phantom_neither() -> None:
    real, phantom = sighting("R5", ONE), sighting("B1", (400.0, 100.0))
    views = [view_of([real, phantom]), view_of([]), view_of([real])]
    assert [str(one.reading) for one in merge_views(views).sightings] == ["R5"]


def test_two_equal_cards_side_by_side_stay_two() -> None:
    pair = [sighting("R2", (100.0, 100.0)), sighting("R2", (130.0, 104.0))]
    merged = merge_views([view_of(pair), view_of(pair[::-1]), view_of(pair)])
    assert len(merged.sightings) == 2


def test_the_median_quad_does_not_care_which_corner_comes_first() -> None:
    one = sighting("R2", ONE)
    merged = merge_views([view_of([one]), view_of([turned(one, 1, 0)]), view_of([one])])
    assert sorted(merged.sightings[0].quad_px) == sorted(quad_at(*ONE))


def test_readings_are_averaged_and_doubt_survives() -> None:
    sure = Reading(((parse_card("R5"), 0.9), (parse_card("O5"), 0.1)), sure=True)
    other = Reading(((parse_card("O5"), 0.8), (parse_card("R5"), 0.2)), sure=True)
    agreed, split = merge_readings([sure, sure, sure]), merge_readings([sure, other, sure])
    assert str(agreed) == "R5"
    assert str(split) == "R5?O5"
    assert merge_readings([sure, parse_reading("?"), sure]).sure


def test_a_lost_camera_says_so_and_the_table_settles_anew() -> None:
    stage = Stage(cards={ONE: "R5"})
    stage.steps(6)
    lost = stage.settler.no_camera(2.0, "unplugged")
    assert lost is not None
    assert (lost.state, lost.reason, names(lost)) == (TableState.NO_CAMERA, "unplugged", ["R5"])
    stage.number = 40
    assert stage.step().state is TableState.MOVING
    assert stage.steps(5).state is TableState.STILL


def test_a_lost_camera_before_the_first_picture_has_no_look() -> None:
    assert Stage().settler.no_camera(0.0, "unplugged") is None


def test_sightings_of_a_picture_of_another_size_start_anew() -> None:
    unreadable = Sighting(quad_at(*ONE), Reading((), sure=False), 0.5)
    merged = merge_views([view_of([unreadable])])
    assert str(merged.sightings[0].reading) == "?"
