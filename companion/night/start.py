"""Puts a night together: journal, session, camera, watcher, and for the demo its director.

Everything beyond journal and session is optional: without a camera or a model the night goes on
by tap.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from companion.errors import ModelError, NotFound
from companion.night.director import Director, read_script
from companion.night.journal import Journal
from companion.night.keeper import Keeper
from companion.night.picture import LivePicture
from companion.night.session import Session
from companion.night.values import CameraNow
from companion.night.watch import Watch
from companion.paths import profiles_dir, resource_dir
from companion.settings import Settings
from companion.vision.capture import Camera, camera_for
from companion.vision.draw import encode_jpeg
from companion.vision.pipeline import Eyes, load_pipeline
from companion.vision.values import Frame

EVIDENCE_WIDTH_PX = 1280
EVIDENCE_QUALITY = 85
LIVE_QUALITY = 75


class Night:
    """A running night; leaving it stops every thread and closes the journal.

    Attributes:
        session: what the server shows.
        director: the demo's, None otherwise.
    """

    def __init__(
        self,
        session: Session,
        closing: ExitStack,
        director: Director | None = None,
        camera: Camera | None = None,
    ) -> None:
        self.session, self.director = session, director
        self._closing, self._camera = closing, camera

    def begin(self) -> None:
        """Let the camera run, and the demo's script beside it; a second call does nothing."""
        if self._camera is not None:
            self._camera.start()
        if self.director is not None:
            self.director.start()

    def __enter__(self) -> Night:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()


def open_night(settings: Settings, eyes: Eyes | None = None) -> Night:
    """Open journal and camera as the settings say, and begin to watch.

    Args:
        settings: camera (empty: none), database, pace.
        eyes: reads frames; the installation's models where None.

    Raises:
        JournalError: the database cannot be used.
    """
    with ExitStack() as closing:
        session, camera = _open(settings, eyes, closing, keeper_for(settings))
        night = Night(session, closing.pop_all(), camera=camera)
    night.begin()
    return night


def open_demo(settings: Settings, eyes: Eyes | None = None) -> Night:
    """Play the bundled clip as if it were the camera, in a journal of its own that goes with it.

    Nothing moves before :meth:`Night.begin`, so that whoever opens the page sees it from the start.

    Raises:
        NotFound: this installation has no demo clip.
    """
    folder = resource_dir("calibration") / "demo"
    clip = folder / "clip.mp4"
    if not clip.is_file():
        raise NotFound(f"the demo's clip is missing: {clip}")
    script = read_script(folder / "script.jsonl")
    with ExitStack() as closing:
        own = closing.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-"))
        address = f"sqlite:///{Path(own) / 'demo.db'}"
        demo = replace(settings, camera=str(clip), database=address)
        session, camera = _open(demo, eyes, closing)
        assert camera is not None
        director = Director(session, script, camera.position_s, camera.hold)
        closing.callback(director.stop)
        return Night(session, closing.pop_all(), director, camera)


def keeper_for(settings: Settings) -> Keeper | None:
    """Who keeps the table's zones; nobody for a recording, which shows some other table."""
    path = Path(settings.camera)
    recording = not settings.camera.isdecimal() and (path.is_file() or path.is_dir())
    return None if recording or not settings.camera else Keeper(profiles_dir())


def _open(
    settings: Settings, eyes: Eyes | None, closing: ExitStack, keeper: Keeper | None = None
) -> tuple[Session, Camera | None]:
    journal = Journal.open(settings.database_url)
    closing.callback(journal.close)
    if not settings.camera:
        return Session(journal), None
    camera = camera_for(settings.camera, time.monotonic, settings.camera_timeout_s)
    live = LivePicture(
        camera.latest,
        _packer(settings.picture_width_px, 75),
        time.monotonic,
        settings.pictures_per_s,
    )
    session = Session(journal, _packer(EVIDENCE_WIDTH_PX, EVIDENCE_QUALITY), live)
    session.camera_is(CameraNow(True, False, settings.camera, "the camera is being opened"))
    trouble = ""
    if eyes is None:
        try:
            eyes = load_pipeline(settings.threads)
        except (ModelError, NotFound) as error:
            trouble = f"no card is read, tap them in: {error}"
    closing.callback(camera.stop)
    watch = Watch(
        session, camera, eyes, settings, clock=time.monotonic, trouble=trouble, keeper=keeper
    )
    closing.callback(watch.start().stop)
    return session, camera


def _packer(width_px: int, quality: int) -> Callable[[Frame], bytes]:
    return lambda frame: encode_jpeg(frame.bgr, width_px, quality)
