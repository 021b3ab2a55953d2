"""Replays a clip or folder of stills at full speed: the table events that it shows.

The clip's own clock is used (frame number over frames per second), so the same clip gives the same
events whatever the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from companion.errors import BadInput
from companion.night.follow import Follower
from companion.settings import Settings
from companion.table.bumped import moved_zones
from companion.table.values import TableEvent, Zones
from companion.table.zones import check_zones
from companion.vision.pipeline import Eyes
from companion.vision.playback import recorded_frames
from companion.vision.settle import Settler
from companion.vision.values import Look, Quad


def replay(
    path: Path, eyes: Eyes, zones: Zones | None = None, settings: Settings | None = None
) -> Iterator[TableEvent]:
    """The table events of a recording, in order; ``at_s`` counts from its first frame.

    Args:
        path: a clip, a picture, or a folder of stills.
        eyes: sees the cards in one frame.
        zones: where deck and table are; the deck is guessed where it is not given.
        settings: how often to look and how many still frames are wanted.

    Raises:
        BadPicture: no such file, or nothing that can be decoded.
        BadInput: a zone that lies outside the picture.
    """
    by_hand = check_zones(zones) if zones is not None else Zones()
    follower = Follower()
    for look in looks(path, eyes, settings or Settings()):
        if look.bump is not None:
            by_hand = moved_zones(look.bump, by_hand)
        events, _ = follower.follow(look, by_hand)
        yield from events


def zones_of(recording: Path, given: Path | None = None) -> Zones | None:
    """The zones of a recording: of the file given, else of ``zones.json`` beside a clip.

    Raises:
        BadInput: the file cannot be read, or holds no sound zones.
    """
    beside = recording.parent / "zones.json"
    known = given or (beside if recording.is_file() and beside.is_file() else None)
    return read_zones(known) if known else None


def read_zones(path: Path) -> Zones:
    """Zones from a JSON file: ``{"deck": [[x, y] x 4], "table": null}``, in fractions (0-1).

    Raises:
        BadInput: the file cannot be read, or holds no sound zones.
    """
    wanted = 'a JSON object with "deck" and "table", each four [x, y] in 0-1, or null'
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return check_zones(Zones(_quad(found.get("deck")), _quad(found.get("table"))))
    except OSError as error:
        raise BadInput(f"zones file {path}: {error.strerror}") from error
    except (AttributeError, TypeError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"zones file {path}: wanted {wanted}") from error


def _quad(corners: list[list[float]] | None) -> Quad | None:
    if corners is None:
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)


def looks(path: Path, eyes: Eyes, settings: Settings) -> Iterator[Look]:
    """What the eyes hand on for every frame that a camera's watcher would have looked at."""
    settler = Settler(settings.still_frames)
    step_s = 1.0 / settings.looks_per_s
    due_s = 0.0
    for frame in recorded_frames(path):
        if frame.taken_at_s + 1e-9 < due_s:
            continue
        due_s += step_s * max(1, int((frame.taken_at_s - due_s) / step_s) + 1)
        view = eyes.see(frame) if settler.needs_look(frame) else None
        yield settler.look(frame, view)
