"""Plays a demo's script beside its clip: the taps that people would make, at their time.

The script is JSON, one step a line, in the clip's own seconds::

    {"at_s": 0.0, "do": "zones", "deck": [[x, y], …], "table": [[x, y], …]}
    {"at_s": 0.5, "do": "start_match", "players": ["Ann", "Ben"], "edition": "65"}
    {"at_s": 9.0, "do": "claim", "player": "Ann", "hand": "G5", "taken": ["R1", "Y3"]}
    {"at_s": 60.0, "do": "count_batch", "player": "Ann"}
    {"at_s": 64.0, "do": "confirm", "player": "Ann", "tweaks": ["T!joker"]}
    {"at_s": 80.0, "do": "close_round"}
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, CompanionError
from companion.night.session import Session
from companion.vision.values import TableState

POLL_S = 0.05
PATIENCE_S = 8.0
"""How long a step that the camera must first see is waited for, and tried again."""

_LOG = logging.getLogger("companion.demo")


@dataclass(frozen=True, slots=True)
class Line:
    """One step of a script: when, what, and with which arguments."""

    at_s: float
    do: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


def read_script(path: Path) -> tuple[Line, ...]:
    """The steps of a script in the order of their time.

    Raises:
        BadInput: the file cannot be read, or a line is no step.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"demo script {path}: {error.strerror}") from error
    steps = [_line(number, text) for number, text in enumerate(lines, 1) if text.strip()]
    return tuple(sorted(steps, key=lambda step: step.at_s))


def perform(session: Session, line: Line) -> None:
    """Do one step through the session's commands, as a phone's tap would.

    Raises:
        BadInput: the session refuses it.
    """
    try:
        _STEPS[line.do](session, line.arguments)
    except KeyError as error:
        raise BadInput(f"the step {line.do} lacks {error}") from error


class Director:
    """Performs a script beside a clip, in a thread of its own.

    Args:
        session: the session whose commands are used.
        script: the steps, in the order of their time.
        position_s: seconds into the clip, None before its first picture.
        hold: stops the clip, or lets it go on; with it, whatever needs the eyes waits until they
            have settled on what shows then, so that a slow machine judges as a fast one does.
    """

    def __init__(
        self,
        session: Session,
        script: Sequence[Line],
        position_s: Callable[[], float | None],
        hold: Callable[[bool], None] | None = None,
    ) -> None:
        self._session, self._script, self._position_s = session, script, position_s
        self._hold = hold
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> Director:
        """Begin; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="director", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """End the thread, wherever the script is."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def finished(self) -> bool:
        """Whether the last step is done."""
        return self._thread is not None and not self._thread.is_alive()

    def _run(self) -> None:
        for line in self._script:
            while not self._due(line) and not self._stopping.wait(POLL_S):
                pass
            if self._stopping.is_set():
                return
            if self._hold is None or line.do not in _NEED_EYES:
                self._try(line)
                continue
            self._hold(True)
            self._await_eyes()
            self._try(line)
            self._hold(False)

    def _await_eyes(self) -> None:
        """Wait until the eyes have settled on a picture that was taken since the clip stopped."""
        before = self._session.snapshot().live.picture
        patience_s = PATIENCE_S
        while patience_s > 0 and not self._stopping.wait(POLL_S):
            patience_s -= POLL_S
            live = self._session.snapshot().live
            newer = live.picture is not None and (before is None or live.picture >= before + 2)
            if newer and live.state in (TableState.STILL, TableState.CLEARED):
                return

    def _due(self, line: Line) -> bool:
        at_s = self._position_s()
        return at_s is not None and at_s >= line.at_s

    def _try(self, line: Line) -> None:
        patience_s = PATIENCE_S if line.do in _NEED_EYES else 0.0
        while True:
            try:
                perform(self._session, line)
                return
            except CompanionError as error:
                if patience_s <= 0.0:
                    _LOG.warning("at %.1f s, %s was refused: %s", line.at_s, line.do, error)
                    return
            patience_s -= 5 * POLL_S
            if self._stopping.wait(5 * POLL_S):
                return


def _line(number: int, text: str) -> Line:
    try:
        found = json.loads(text)
        at_s, do = float(found.pop("at_s")), str(found.pop("do"))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(
            f"demo script, line {number}: wanted a JSON object with at_s and do"
        ) from None
    if do not in _STEPS:
        raise BadInput(f"demo script, line {number}: {do!r} is none of {', '.join(_STEPS)}")
    return Line(at_s, do, found)


def _start_match(session: Session, said: Mapping[str, Any]) -> None:
    session.start_match(
        said["players"], said["edition"], said.get("colours"), threshold=said.get("threshold")
    )


def _claim(session: Session, said: Mapping[str, Any]) -> None:
    session.claim(
        said["player"],
        said.get("hand"),
        said.get("taken", ()),
        said_tweak=said.get("said_tweak", False),
        tweak=said.get("tweak"),
        spoken=said.get("spoken"),
    )


def _confirm(session: Session, said: Mapping[str, Any]) -> None:
    session.confirm_count(said["player"], said.get("tweaks", ()))


_STEPS = MappingProxyType[str, Callable[[Session, Mapping[str, Any]], object]](
    {
        "start_match": _start_match,
        "zones": lambda session, said: session.set_zones(said["deck"], said.get("table")),
        "claim": _claim,
        "count_batch": lambda session, said: session.add_batch(said["player"], said.get("cards")),
        "confirm": _confirm,
        "close_round": lambda session, _: session.close_round(),
    }
)
_NEED_EYES = frozenset({"claim", "count_batch"})
