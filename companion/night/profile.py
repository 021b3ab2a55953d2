"""A table's profile: where its zones lie, in a small file of its own for each size of picture.

The file lies in the user's home folder, ``calibration/table-1280x720.json``::

    {"schema": 1, "picture": [1280, 720], "zones": {"deck": [[0.7, 0.1], …], "table": null},
     "guessed": {"deck": null, "table": null, "pile ?1": […]}}

``zones`` are those set by hand, ``guessed`` those that lay beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.night.codec import zones_from_json, zones_to_json
from companion.table.values import Zones
from companion.table.zones import LEAST_ZONE
from companion.vision.quads import area

SCHEMA = 1
_WANTED = (
    "a JSON object with schema 1, the picture's size and zones of four corners [x, y] from 0 to 1"
)

_LIST = re.compile(r"\[[^]\[{}]*(?:\[[^]]*\][^]\[{}]*)*\]")


@dataclass(frozen=True, slots=True)
class Profile:
    """What is kept of a table.

    Attributes:
        size_px: width and height of the camera's picture.
        by_hand: the zones that were set by hand.
        guessed: the zones that were guessed then.
    """

    size_px: tuple[int, int]
    by_hand: Zones = field(default_factory=Zones)
    guessed: Zones = field(default_factory=Zones)


def profile_path(folder: Path, size_px: tuple[int, int]) -> Path:
    """The file for pictures of this size.

    >>> profile_path(Path("calibration"), (1280, 720)).name
    'table-1280x720.json'
    """
    return folder / f"table-{size_px[0]}x{size_px[1]}.json"


def read_profile(path: Path, size_px: tuple[int, int]) -> Profile | None:
    """The profile in a file, None where there is no file.

    Raises:
        BadInput: the file cannot be read, or is no profile for pictures of this size.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["schema"] != SCHEMA or tuple(found["picture"]) != size_px:
            raise ValueError
        return Profile(size_px, _zones(found["zones"]), _zones(found["guessed"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"table profile {path}: {error.strerror}") from error
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"table profile {path}: wanted {_WANTED}") from error


def write_profile(path: Path, profile: Profile) -> None:
    """Write a profile whole or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    found = {
        "schema": SCHEMA,
        "picture": list(profile.size_px),
        "zones": zones_to_json(profile.by_hand),
        "guessed": zones_to_json(profile.guessed),
    }
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(_text(found), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise BadInput(f"table profile {path} can't be written: {error.strerror}") from error


def set_aside(path: Path) -> Path:
    """Give a broken file another name, so that nothing in it is lost; returns where it is now.

    Raises:
        BadInput: it cannot be renamed.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    try:
        path.replace(aside)
    except OSError as error:
        raise BadInput(f"table profile {path} can't be set aside: {error.strerror}") from error
    return aside


def _text(found: Mapping[str, Any]) -> str:
    """JSON with one zone a line, for people who look into the file."""
    return _LIST.sub(lambda nested: " ".join(nested[0].split()), json.dumps(found, indent=1)) + "\n"


def _zones(found: Mapping[str, Any]) -> Zones:
    zones = zones_from_json(found)
    for _, quad in zones.named():
        inside = all(0 <= side <= 1 for corner in quad for side in corner)
        # A bump may have cut a zone off at the picture's edge: any shape of some size will do.
        if not inside or not area(quad) >= LEAST_ZONE:
            raise ValueError
    return zones
