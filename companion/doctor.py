"""Looks this installation over: what works, what does not, and what to do about it.

Used by the command line alone; like it, this file knows every room.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.errors import CompanionError
from companion.settings import Settings

CAMERA_PATIENCE_S = 3.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Attributes:
        what: camera, models, database, network or certificate.
        broken: whether a night would suffer from it.
        says: one line: what was found, and what to do where something is wrong.

    >>> str(Finding("database", False, "opened"))
    'ok       database     opened'
    """

    what: str
    broken: bool
    says: str

    def __str__(self) -> str:
        return f"{'MISSING' if self.broken else 'ok':8} {self.what:12} {self.says}"


def examine(settings: Settings) -> tuple[Finding, ...]:
    """Look at everything that a night needs, in the order in which people ask."""
    checks: dict[str, Callable[[Settings], str]] = {
        "camera": _camera,
        "models": _models,
        "database": _database,
        "network": _network,
        "certificate": _certificate,
    }
    return tuple(_findings(checks, settings))


def _findings(
    checks: dict[str, Callable[[Settings], str]], settings: Settings
) -> Iterator[Finding]:
    for what, check in checks.items():
        try:
            yield Finding(what, False, check(settings))
        except CompanionError as error:
            yield Finding(what, True, str(error))


def _camera(settings: Settings) -> str:
    from companion.errors import CameraError
    from companion.vision.capture import camera_for

    if not settings.camera:
        return "none is set: everything goes by tap (give one with --camera)"
    with camera_for(settings.camera, time.monotonic, settings.camera_timeout_s) as camera:
        frame = camera.wait_newer(-1, CAMERA_PATIENCE_S)
        health = camera.health()
    if frame is None or not health.ok:
        raise CameraError(health.reason or f"{settings.camera} gave no picture")
    return f"{settings.camera} gives pictures of {frame.width_px} × {frame.height_px}"


def _models(settings: Settings) -> str:
    from companion.vision.bench_speed import measure_speed
    from companion.vision.pipeline import load_pipeline

    speed = measure_speed(load_pipeline(settings.threads), None, 5)
    return f"the networks run, {speed.total.median_ms:.0f} ms for a picture with 12 cards"


def _database(settings: Settings) -> str:
    from companion.night.journal import Journal

    journal = Journal.open(settings.database_url)
    try:
        return f"{settings.database_url} holds {len(journal.events())} events"
    finally:
        journal.close()


def _network(settings: Settings) -> str:
    from companion.errors import ServerError
    from companion.server.reach import addresses

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise ServerError(
                f"port {settings.port} is not free: stop what runs there, or set another port"
            ) from error
    return f"phones find the page at {addresses(settings)[0]}"


def _certificate(settings: Settings) -> str:
    return (
        "none is needed: the page is plain http in the home network "
        "(a phone's own camera would want https, which is not offered yet)"
    )
