"""Eyes that say what hinders them: on each look, for mirrors now and then."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from companion.vision.tips import MIRRORED
from companion.vision.values import Frame, Look, TableState, TableView
from companion.vision.wary import MIRROR_EVERY_S, Wary
from tests.vision.stage import sighting


@dataclass
class TellingEyes:
    """Eyes that see one card, and a script of what hinders them."""

    hindrance: tuple[str, ...] = ()
    mirrored: bool = False
    tried: list[float] = field(default_factory=list)

    def see(self, frame: Frame) -> TableView:
        cards = (sighting("R5", (100.0, 100.0)),)
        return TableView(cards, frame.taken_at_s, frame.number, frame.width_px, frame.height_px)

    def tips(self, frame: Frame, view: TableView, mirror_too: bool = False) -> tuple[str, ...]:
        assert len(view.sightings) == 1
        if mirror_too:
            self.tried.append(frame.taken_at_s)
        return ((MIRRORED,) if mirror_too and self.mirrored else ()) + self.hindrance


def frame_at(at_s: float) -> Frame:
    return Frame(np.zeros((90, 160, 3), dtype=np.uint8), taken_at_s=at_s)


def look_of(state: TableState, reason: str = "") -> Look:
    frame = frame_at(0.0)
    live = TableView((), 0.0, 0, 160, 90)
    return Look(
        state=state,
        since_s=0.0,
        live=live,
        settled=None,
        frame=frame,
        settled_frame=None,
        reason=reason,
    )


def test_a_mirror_is_looked_for_now_and_then_and_nothing_is_sure_meanwhile() -> None:
    eyes = TellingEyes(mirrored=True)
    wary = Wary(eyes)

    views = [wary.see(frame_at(at_s)) for at_s in (0.0, 1.0, MIRROR_EVERY_S - 0.1)]

    assert eyes.tried == [0.0]
    assert not any(view.sightings[0].reading.sure for view in views)
    assert list(wary.tips) == [MIRRORED]
    eyes.mirrored = False
    assert wary.see(frame_at(MIRROR_EVERY_S)).sightings[0].reading.sure
    assert list(wary.tips) == []


@pytest.mark.parametrize(
    ("state", "before", "after"),
    [
        (TableState.STILL, "", "glare on one card"),
        (TableState.MOVING, "", ""),
        (TableState.HAND, "something reaches into the picture", None),
    ],
)
def test_a_resting_table_names_what_hinders(
    state: TableState, before: str, after: str | None
) -> None:
    wary = Wary(TellingEyes(hindrance=("glare on one card",)))
    wary.see(frame_at(0.0))

    look = wary.named(look_of(state, before))

    assert look.reason == (before if after is None else after)


@dataclass
class NearEyes(TellingEyes):
    """The same, which see one card more from nearer."""

    def look_nearer(self, frame: Frame, view: TableView) -> TableView:
        return replace(view, sightings=(*view.sightings, sighting("B2", (130.0, 50.0))))


def test_a_nearer_look_is_left_to_the_eyes_but_not_in_a_mirror() -> None:
    frame = frame_at(0.0)
    for eyes, seen in (
        (NearEyes(), ["R5", "B2"]),
        (NearEyes(mirrored=True), ["R5?"]),
        (TellingEyes(), ["R5"]),
    ):
        wary = Wary(eyes)
        view = wary.look_nearer(frame, wary.see(frame))
        assert [str(one.reading) for one in view.sightings] == seen
