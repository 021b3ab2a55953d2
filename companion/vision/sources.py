"""Where pictures come from: webcam, stream, clip, folder of stills, pushed frames.

Nothing is opened before :func:`open_source` is called, and then only the one that was asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from companion.errors import BadPicture, BadSetting, CameraError
from companion.vision.opencv import cv2
from companion.vision.pictures import read_image
from companion.vision.playback import PICTURES, ClipSource, StillsSource, open_clip, still_paths
from companion.vision.values import Image

CLIPS = {".mp4", ".mkv", ".avi", ".mov", ".webm", ".m4v", ".mjpg", ".mjpeg", ".ts"}
_STREAMS = {"rtsp", "rtsps", "http", "https"}
WEBCAM_SIZE_PX = (1920, 1080)
_OPEN_TIMEOUT_MS = 4000
_READ_TIMEOUT_MS = 2000
_DEVICES = Path("/sys/class/video4linux")


class Source(Protocol):
    """What gives one picture after the other.

    Attributes:
        live: whether two identical pictures in a row are a fault (not so for clips and stills).
        finished: whether the last picture has been reached and is only held from now on.
    """

    live: bool
    finished: bool

    def read(self) -> Image | None:
        """Wait until the next picture is due and give it, shape (height, width, 3), BGR.

        None when none came; a live source is then asked again or opened anew.
        """

    def position_s(self) -> float | None:
        """Seconds into the clip, None where there is no such thing."""

    def close(self) -> None:
        """Let the device go; a second call does nothing."""


def check_source(text: str) -> None:
    """Refuse a ``--camera`` text that can never work; opens no device.

    A camera that is not plugged in is no mistake: it may come.

    Raises:
        BadPicture: the file or folder is missing or holds no picture.
        BadSetting: a stream of a kind that cannot be read.
    """
    scheme = text.split("://")[0].lower() if "://" in text else None
    if scheme is not None:
        if scheme not in _STREAMS:
            raise BadSetting(f"a stream is rtsp://, http:// or https://, not {scheme}://")
        return
    path = Path(text)
    if path.is_dir() or (path.is_file() and path.suffix.lower() in PICTURES):
        read_image(still_paths(path)[0])
    elif path.is_file():
        open_clip(path)[1].release()
    elif not text.isdecimal() and _looks_like_file(text):
        raise BadPicture(f"no file {text}: wanted a clip, a picture or a folder of pictures")


def _looks_like_file(text: str) -> bool:
    return Path(text).suffix.lower() in PICTURES | CLIPS or "/" in text or "\\" in text


def open_source(text: str) -> Source:
    """Open what a ``--camera`` text names.

    Args:
        text: a webcam's number or (Linux) its name, an rtsp/http(s) address, a clip, a still
            picture, or a folder of stills.

    Raises:
        CameraError: there is no such device, or it cannot be opened.
        BadPicture: the file or folder is missing or holds no picture.
        BadSetting: a stream of a kind that cannot be read.
    """
    check_source(text)
    path = Path(text)
    if "://" in text:
        return StreamSource(text)
    if text.isdecimal():
        return WebcamSource(int(text))
    if path.is_dir() or (path.is_file() and path.suffix.lower() in PICTURES):
        return StillsSource(path)
    return ClipSource(path) if path.is_file() else WebcamSource(device_number(text))


def device_names(devices: Path = _DEVICES) -> dict[int, str]:
    """The numbers and names of the video devices that Linux lists; empty elsewhere."""
    found: dict[int, str] = {}
    for file in sorted(devices.glob("video*/name")):
        number = file.parent.name.removeprefix("video")
        if number.isdecimal():
            found[int(number)] = file.read_text(encoding="utf-8", errors="replace").strip()
    return dict(sorted(found.items()))


def device_number(name: str, devices: Path = _DEVICES) -> int:
    """The lowest number of a device whose name holds these words.

    Raises:
        CameraError: no device has such a name; the line lists those that are there.
    """
    names = device_names(devices)
    for number, full in names.items():
        if name.casefold() in full.casefold():
            return number
    there = ", ".join(f"{number} ({full})" for number, full in names.items()) or "none"
    raise CameraError(f"no camera {name!r} and no such file; cameras here: {there}")


class _Capture:
    """A cv2.VideoCapture that answers None instead of a flag, and closes once."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def read(self) -> Image | None:
        """The next decoded picture, None when there is none."""
        good, bgr = self._capture.read()
        return np.asarray(bgr, dtype=np.uint8) if good and bgr is not None else None

    def close(self) -> None:
        """Let the device or file go."""
        self._capture.release()


class WebcamSource(_Capture):
    """A camera at this machine, by its number."""

    live = True
    finished = False

    def __init__(self, number: int) -> None:
        capture = cv2.VideoCapture(number)
        if not capture.isOpened():
            capture.release()
            raise CameraError(_why_refused(number))
        # Motion JPEG is what lets cheap cameras give large pictures at full speed over USB 2.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WEBCAM_SIZE_PX[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WEBCAM_SIZE_PX[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        super().__init__(capture)

    def position_s(self) -> float | None:
        """A camera has no position."""
        return None


def _why_refused(number: int) -> str:
    device = Path(f"/dev/video{number}")
    if not device.exists():
        return f"camera {number} is not there: is it plugged in?"
    try:
        with device.open("rb"):
            pass
    except PermissionError:
        return f'camera {number} is refused: add this user to the group "video" ({device})'
    except OSError as error:
        return f"camera {number} is refused: {error.strerror}; does another program use it?"
    return f"camera {number} gives no pictures: does another program use it?"


class StreamSource(_Capture):
    """A network camera, by its rtsp, http or https address."""

    live = True
    finished = False

    def __init__(self, address: str) -> None:
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_TIMEOUT_MS]
        limits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_TIMEOUT_MS]
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
        if not capture.isOpened():
            capture.release()
            shown = address.split("@")[-1] if "@" in address else address.split("://")[1]
            raise CameraError(f"the stream at {shown} does not answer")
        super().__init__(capture)

    def position_s(self) -> float | None:
        """A stream has no position."""
        return None
