"""The story of a recording: clip in, events out, with eyes that follow a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadInput, BadPicture
from companion.night.replay import replay
from companion.table.values import Zones
from companion.vision.opencv import cv2
from companion.vision.values import Frame, Image, Sighting, TableView
from tests.table.scenes import DECK, ZONES, texts, view
from tests.vision.stage import HEIGHT_PX, WIDTH_PX, Stage

GIVEN = ((100.0, 100.0), (200.0, 100.0))
SPOT = (380.0, 200.0)


class Scripted:
    """Eyes that know what lay there when each frame was filmed."""

    def __init__(self) -> None:
        self.script: list[list[Sighting]] = []
        self.looks = 0

    def see(self, frame: Frame) -> TableView:
        self.looks += 1
        return view(self.script[frame.number], frame.taken_at_s)


class Film:
    """Films a stage at ten frames a second."""

    def __init__(self, path: Path, eyes: Scripted) -> None:
        size = (WIDTH_PX, HEIGHT_PX)
        self._writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, size)
        self._eyes = eyes
        self.stage = Stage(cards={GIVEN[0]: "R1", GIVEN[1]: "Y3", DECK: "#9"})

    def roll(self, frames: int) -> None:
        for _ in range(frames):
            picture: Image = self.stage.picture()
            self._writer.write(picture)
            self._eyes.script.append(self.stage.seen())

    def hand_does(self, change: dict[tuple[float, float], str | None]) -> None:
        for hand_at in (420, 380, 340, 330):
            self.stage.hand_at = hand_at
            self.roll(1)
        for place, text in change.items():
            if text is None:
                del self.stage.cards[place]
            else:
                self.stage.cards[place] = text
        for hand_at in (350, 400, 470):
            self.stage.hand_at = hand_at
            self.roll(1)
        self.stage.hand_at = None
        self.roll(10)

    def cut(self) -> None:
        self._writer.release()


@pytest.fixture
def filmed(tmp_path: Path) -> tuple[Path, Scripted]:
    path, eyes = tmp_path / "round.avi", Scripted()
    film = Film(path, eyes)
    film.roll(10)
    film.hand_does({SPOT: "G5"})
    film.hand_does({GIVEN[0]: None, GIVEN[1]: None, SPOT: None, DECK: "#7"})
    film.hand_does({SPOT: "B2"})
    film.hand_does({DECK: "=7"})
    film.hand_does({SPOT: None, DECK: None})
    film.cut()
    return path, eyes


def test_a_recorded_round_is_told_event_by_event(filmed: tuple[Path, Scripted]) -> None:
    path, eyes = filmed
    events = list(replay(path, eyes))
    assert texts(events) == [
        "R1 laid",
        "Y3 laid",
        "target ? → 9",
        "G5 laid",
        "R1, Y3 and G5 taken",
        "target 9 → 7",
        "B2 laid",
        "deck gone",
        "B2 taken",
        "cleared",
    ]
    assert [event.at_s for event in events] == sorted(event.at_s for event in events)
    assert eyes.looks < len(eyes.script)


def test_given_zones_are_used_and_checked(filmed: tuple[Path, Scripted]) -> None:
    path, eyes = filmed
    assert texts(replay(path, eyes, ZONES))[3] == "G5 laid"
    with pytest.raises(BadInput, match="inside the picture"):
        list(replay(path, eyes, Zones(table=((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)))))


def test_what_is_no_recording_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="no file"):
        list(replay(tmp_path / "none.mp4", Scripted()))
