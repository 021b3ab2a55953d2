"""Stories about counting won cards before the camera."""

from __future__ import annotations

from companion.table.count import Tray, batch_of, lying_in
from companion.table.scene import Scene
from tests.table.scenes import card, read_as, reading
from tests.vision.stage import quad_at

PILE = [
    card(text, (60.0 + 60 * i, 60))
    for i, text in enumerate(["G5", "R1", "R5", "Y3", "T!joker", "#9"])
]


def test_a_batch_is_grouped_and_priced() -> None:
    batch = batch_of(PILE)
    assert [str(one.sighting.reading) for one in batch.cards] == ["R5", "R1", "G5", "Y3", "T!joker"]
    assert (batch.least, batch.most) == (15, 15)
    assert [str(one.reading) for one in batch.face_down] == ["#9"]


def test_doubtful_cards_come_first_with_their_range() -> None:
    unsure = read_as(card("R5", (60, 200)), reading({"O5": 0.6, "R5": 0.38}))
    unread = read_as(card("R5", (160, 200)), reading({}))
    batch = batch_of([PILE[1], unsure, unread])
    assert [str(one.sighting.reading) for one in batch.doubtful] == ["?", "O5?R5"]
    assert [(one.least, one.most) for one in batch.cards] == [(0, 5), (4, 5), (3, 3)]
    assert batch.cards[0].sighting.quad_px == quad_at(160, 200)


def test_the_tray_must_be_seen_clear_between_batches() -> None:
    tray = Tray().saw([], at=4)
    assert not tray.full([])
    assert tray.full([5])
    # Cards that only moved do not clear it; cards all gone do.
    assert tray.saw([card("R5", (300, 200))], at=6).full([5])
    assert not tray.saw([], at=6).full([5])


def test_things_that_are_no_cards_do_not_keep_the_tray_from_being_clear() -> None:
    cup = read_as(card("R5", (300, 200)), reading({}))
    assert not Tray().saw([cup, card("#9", (400, 200))], at=6).full([5])


def test_after_a_restart_the_tray_must_be_seen_clear_once_more() -> None:
    assert Tray().full([5])


def test_tweak_cards_that_lay_there_before_are_nobodys_batch() -> None:
    # Given T! cards face up before a player while the table is clear
    before = card("T!bomb", (60, 250))
    tray = Tray().saw([before], at=3)
    # When a won card and another T! card are laid, and the old one is seen a little off
    lying = [card("T!bomb", (63, 252)), card("T!thief", (200, 60)), card("G5", (300, 60))]
    batch = tray.batch(lying, tray_known=False)
    # Then the new ones alone count
    assert [str(one.sighting.reading) for one in batch.cards] == ["G5", "T!thief"]


def test_tweak_cards_count_in_a_marked_tray_only_until_the_table_was_seen_clear() -> None:
    lying = [card("T!thief", (200, 60)), card("G5", (300, 60))]
    cards = [
        len(Tray().batch(lying, tray_known=False).cards),
        len(Tray().batch(lying, tray_known=True).cards),
    ]
    assert cards == [1, 2]


def test_in_a_marked_tray_lies_what_is_inside_it() -> None:
    scene = Scene(table=tuple(PILE[:4]), others=(PILE[4], PILE[5]))
    left = ((0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0))
    assert [str(one.reading) for one in lying_in(scene, left)] == ["G5", "R1"]
    everywhere = [str(one.reading) for one in lying_in(scene, None)]
    assert everywhere == ["G5", "R1", "R5", "Y3", "T!joker"]
