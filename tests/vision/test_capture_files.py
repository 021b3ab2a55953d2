"""Stories about clips and folders of stills that stand in for a camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadPicture
from companion.vision.opencv import cv2
from companion.vision.pictures import decode_picture
from companion.vision.playback import ClipSource, StillsSource, recorded_frames
from companion.vision.sources import open_source
from companion.vision.values import Image


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def level(bgr: Image | None) -> int:
    assert bgr is not None
    return round(float(bgr.mean()))


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """Ten frames at ten a second, each 20 levels brighter than the one before."""
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for number in range(10):
        writer.write(np.full((48, 64, 3), 20 * number, dtype=np.uint8))
    writer.release()
    return path


@pytest.fixture
def stills(tmp_path: Path) -> Path:
    for number in range(3):
        bgr = np.full((48, 64, 3), 50 * number, dtype=np.uint8)
        cv2.imwrite(str(tmp_path / f"{number}.png"), bgr)
    return tmp_path


def test_a_clip_that_is_held_shows_one_picture_and_goes_on_from_there(clip: Path) -> None:
    clock = Clock()
    source = ClipSource(clip, clock, clock.sleep)
    assert [level(source.read()) for _ in range(4)][-1] == pytest.approx(60, abs=3)
    source.hold(True)
    held_at_s = source.position_s()
    assert [level(source.read()) for _ in range(5)] == pytest.approx([60] * 5, abs=3)
    assert source.position_s() == held_at_s
    source.hold(False)
    assert level(source.read()) == pytest.approx(80, abs=3)
    assert source.position_s() == pytest.approx(0.4)


def test_a_clip_plays_in_real_time_and_holds_its_last_picture(clip: Path) -> None:
    clock = Clock()
    source = ClipSource(clip, clock, clock.sleep)
    levels = [level(source.read()) for _ in range(10)]
    assert levels == pytest.approx([20 * n for n in range(10)], abs=3)
    assert clock.now_s == pytest.approx(100.9)
    held = [source.finished, level(source.read()), source.finished]
    assert held == [False, pytest.approx(180, abs=3), True]
    assert level(source.read()) == level(source.read()) == pytest.approx(180, abs=3)
    source.close()


def test_a_late_reader_skips_frames_as_with_a_camera(clip: Path) -> None:
    clock = Clock()
    source = ClipSource(clip, clock, clock.sleep)
    source.read()
    clock.sleep(0.5)
    assert level(source.read()) == pytest.approx(100, abs=3)
    assert source.position_s() == pytest.approx(0.5)
    source.close()


def test_every_frame_of_a_clip_is_given_for_a_replay(clip: Path) -> None:
    frames = list(recorded_frames(clip))
    assert [frame.number for frame in frames] == list(range(10))
    assert frames[9].taken_at_s == pytest.approx(0.9)
    assert level(frames[3].bgr) == pytest.approx(60, abs=3)


def test_stills_are_shown_one_after_the_other_and_the_last_is_held(stills: Path) -> None:
    clock = Clock()
    source = StillsSource(stills, clock, clock.sleep)
    shown = [level(source.read()) for _ in range(70)]
    assert sorted(set(shown)) == [0, 50, 100]
    assert shown[19] == 0
    assert shown[25] == 50
    assert shown[-1] == 100
    assert source.finished


def test_each_still_comes_often_enough_to_settle_in_a_replay(stills: Path) -> None:
    frames = list(recorded_frames(stills))
    assert len(frames) == 30
    assert frames[10].taken_at_s == pytest.approx(2.0)


def test_a_text_finds_its_source(clip: Path, stills: Path) -> None:
    source = open_source(str(clip))
    assert isinstance(source, ClipSource)
    source.close()
    assert isinstance(open_source(str(stills)), StillsSource)
    assert isinstance(open_source(str(stills / "1.png")), StillsSource)


@pytest.mark.parametrize("name", ["gone.mp4", "gone.png", "no/such/folder"])
def test_a_missing_file_is_one_clear_line(name: str) -> None:
    with pytest.raises(BadPicture, match="no file"):
        open_source(name)


def test_a_file_that_is_no_clip_is_one_clear_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"not a clip" * 50)
    with pytest.raises(BadPicture, match=r"broken\.mp4 is not a clip or picture"):
        open_source(str(broken))
    with pytest.raises(BadPicture, match=r"broken\.mp4 is not a clip or picture"):
        list(recorded_frames(broken))


def test_a_broken_still_and_an_empty_folder_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match="holds no picture"):
        open_source(str(tmp_path))
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8 cut short")
    with pytest.raises(BadPicture, match=r"a\.jpg is no picture"):
        open_source(str(tmp_path))


def test_bytes_from_a_phone_are_decoded_or_refused() -> None:
    packed = cv2.imencode(".png", np.full((4, 6, 3), 77, dtype=np.uint8))[1].tobytes()
    assert decode_picture(packed).shape == (4, 6, 3)
    with pytest.raises(BadPicture, match="what was sent is no picture"):
        decode_picture(b"")
