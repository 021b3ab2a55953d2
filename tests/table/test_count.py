"""Stories about counting won cards before the camera."""

from __future__ import annotations

import pytest

from companion.errors import BadInput
from companion.table.count import Tray, batch_of
from companion.vision.values import Frame, Look, TableState
from tests.table.scenes import card, read_as, reading, view
from tests.vision.stage import Stage, quad_at

PILE = [
    card(text, (60.0 + 60 * i, 60))
    for i, text in enumerate(["G5", "R1", "R5", "Y3", "T!joker", "#9"])
]


def look(state: TableState, settled: bool = True) -> Look:
    frame = Frame(Stage().picture(), 0.0)
    seen = view(PILE)
    return Look(state, 0.0, seen, seen if settled else None, frame, frame)


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


def test_a_new_batch_needs_a_cleared_tray() -> None:
    tray, batch = Tray().take(look(TableState.STILL))
    assert batch.least == 15
    with pytest.raises(BadInput, match="not been seen cleared"):
        tray.saw(look(TableState.STILL)).take(look(TableState.STILL))
    again, _ = tray.saw(look(TableState.CLEARED)).take(look(TableState.STILL))
    assert not again.ready


@pytest.mark.parametrize(
    ("state", "words"),
    [(TableState.HAND, "hand in view"), (TableState.CLEARED, "it sees none")],
)
def test_only_cards_that_lie_still_are_counted(state: TableState, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        Tray().take(look(state))
