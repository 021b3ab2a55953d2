"""Stories about cameras that work, fail, freeze, go dark and come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadPicture, BadSetting, CameraError
from companion.vision.capture import Camera, Watchdog, camera_for
from companion.vision.playback import PushedSource
from companion.vision.sources import Source, WebcamSource, device_names, device_number, open_source
from companion.vision.values import Image

NOISE = np.random.default_rng(5)


def noisy(level: int = 120) -> Image:
    return np.asarray(NOISE.integers(level, level + 30, (90, 160, 3)), dtype=np.uint8)


class FakeCamera:
    """A device in the test's hands: it gives pictures, repeats itself, goes dark, or is pulled."""

    live = True
    finished = False

    def __init__(self) -> None:
        self.mode = "noise"
        self.closed = 0

    def read(self) -> Image | None:
        time.sleep(0.01)
        pictures = {"noise": noisy(), "black": noisy(0) // 16, "still": _STILL}
        return pictures.get(self.mode)

    def position_s(self) -> float | None:
        return None

    def close(self) -> None:
        self.closed += 1


_STILL: Image = np.full((90, 160, 3), 130, dtype=np.uint8)


def until(promise: Callable[[], bool], within_s: float = 3.0) -> bool:
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        if promise():
            return True
        time.sleep(0.01)
    return promise()


def test_the_newest_frame_is_kept_and_stamped_at_the_grab() -> None:
    with Camera(FakeCamera, time.monotonic) as camera:
        first = camera.wait_newer(-1)
        assert first is not None
        later = camera.wait_newer(first.number + 4)
        assert later is not None
        assert later.number > first.number
        assert later.taken_at_s > first.taken_at_s
        assert camera.health().ok


@pytest.mark.parametrize(
    ("mode", "word"), [("pulled", "silent"), ("still", "frozen"), ("black", "black")]
)
def test_a_fault_is_named_and_gone_once_the_camera_is_back(mode: str, word: str) -> None:
    device = FakeCamera()
    with Camera(lambda: device, time.monotonic, timeout_s=0.3) as camera:
        assert until(lambda: camera.health().ok)
        device.mode = mode
        assert until(lambda: word in camera.health().reason)
        device.mode = "noise"
        assert until(lambda: camera.health().ok)


def test_a_frozen_camera_stays_frozen_however_often_it_is_reopened() -> None:
    device = FakeCamera()
    with Camera(lambda: device, time.monotonic, timeout_s=0.1) as camera:
        assert until(lambda: camera.health().ok)
        device.mode = "still"
        assert until(lambda: device.closed >= 1)
        assert not any(until(lambda: camera.health().ok, 0.05) for _ in range(10))


def test_a_refused_camera_is_named_and_tried_again() -> None:
    tries: list[float] = []

    def refuse_first() -> Source:
        tries.append(time.monotonic())
        if len(tries) == 1:
            raise CameraError("camera 0 is refused")
        return FakeCamera()

    with Camera(refuse_first, time.monotonic) as camera:
        assert until(lambda: camera.health().reason == "camera 0 is refused")
        assert until(lambda: camera.health().ok)
    assert tries[1] - tries[0] >= 0.5


def test_a_camera_not_started_opens_nothing() -> None:
    opened: list[int] = []

    def open_it() -> Source:
        opened.append(1)
        return FakeCamera()

    camera = Camera(open_it, time.monotonic)
    assert camera.latest() is None
    assert "not been started" in camera.health().reason
    assert opened == []


def test_stop_joins_the_reader_and_lets_the_device_go() -> None:
    device = FakeCamera()
    camera = Camera(lambda: device, time.monotonic).start()
    assert camera.wait_newer(-1) is not None
    camera.stop()
    assert device.closed == 1
    assert "camera" not in {thread.name for thread in threading.enumerate()}


def test_silence_frozen_and_black_are_told_apart_by_the_clock_alone() -> None:
    watchdog = Watchdog(timeout_s=2.0, live=True, started_at_s=0.0)
    watchdog.saw(noisy(), 0.0)
    watchdog.saw(noisy(), 0.1)
    assert watchdog.health(2.0).ok
    assert "silent" in watchdog.health(2.2).reason
    held = noisy()
    for at_s in (0.2, 1.2, 2.1):
        watchdog.saw(held, at_s)
    assert watchdog.health(2.15).ok
    watchdog.saw(held, 2.3)
    assert "frozen" in watchdog.health(2.3).reason
    for at_s in (2.4, 3.4, 4.5):
        watchdog.saw(noisy(0) // 16, at_s)
    assert "black" in watchdog.health(4.5).reason


def test_a_still_picture_that_is_held_is_not_frozen() -> None:
    watchdog = Watchdog(timeout_s=2.0, live=False, started_at_s=0.0)
    for at_s in (0.0, 1.0, 2.0, 3.0):
        watchdog.saw(_STILL, at_s)
    assert watchdog.health(3.0).ok


def test_pushed_pictures_arrive() -> None:
    source = PushedSource(live=False)
    with Camera(lambda: source, time.monotonic) as camera:
        source.push(_STILL)
        frame = camera.wait_newer(-1)
    assert frame is not None
    assert np.array_equal(frame.bgr, _STILL)


def test_a_pushed_picture_that_does_not_come_is_none() -> None:
    assert PushedSource(wait_s=0.01).read() is None


def test_a_camera_number_that_is_not_there_is_one_clear_line() -> None:
    with pytest.raises(CameraError, match="camera 77 is not there"):
        WebcamSource(77)


def test_an_unknown_device_name_lists_those_that_are_there(tmp_path: Path) -> None:
    for number, name in ((0, "Integrated Webcam"), (2, "HD Pro C920")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name + "\n")
    assert device_names(tmp_path) == {0: "Integrated Webcam", 2: "HD Pro C920"}
    assert device_number("c920", tmp_path) == 2
    with pytest.raises(CameraError, match=r"no camera 'Brio'.*0 \(Integrated Webcam\)"):
        device_number("Brio", tmp_path)


def test_a_stream_of_another_kind_is_refused() -> None:
    with pytest.raises(BadSetting, match="rtsp://, http:// or https://, not ftp://"):
        open_source("ftp://camera.local/1")


def test_a_stream_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(CameraError, match=r"the stream at 127\.0\.0\.1:9/live does not answer"):
        open_source("http://user:secret@127.0.0.1:9/live")


def test_a_missing_file_is_refused_at_once_and_a_missing_camera_is_waited_for() -> None:
    with pytest.raises(BadPicture, match=r"no file nowhere/clip\.mp4"):
        camera_for("nowhere/clip.mp4", time.monotonic)
    with camera_for("77", time.monotonic) as camera:
        assert until(lambda: "camera 77 is not there" in camera.health().reason)


def test_a_clip_that_vanishes_later_is_named(tmp_path: Path) -> None:
    with Camera(lambda: open_source(str(tmp_path / "a.mp4")), time.monotonic) as camera:
        assert until(lambda: "no file" in camera.health().reason)
