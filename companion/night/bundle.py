"""Evidence in one file: a claim's, or a whole night's, without names, for whoever mends the eyes.

A zip with ``manifest.json`` (format, schema, versions, settings, the journal's events that belong
to it) and the JPEGs as ``pictures/SHA256.jpg``. Players are P1, P2 …; words that are no part of a
sum are left out of what was said. The same file is a regression case, see :func:`differences`.
"""

from __future__ import annotations

import json
import platform
import re
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from companion import __version__
from companion.errors import BadInput, NotFound
from companion.night import events
from companion.night.events import Event, in_force, picture_name
from companion.night.journal import Journal
from companion.night.nameless import nameless
from companion.paths import resource_dir
from companion.settings import Settings

FORMAT = "companion evidence"
BUNDLE_SCHEMA = 1
MANIFEST = "manifest.json"
LARGEST_MANIFEST_BYTES = 64 * 1024 * 1024
LARGEST_PICTURE_BYTES = 16 * 1024 * 1024

_SETTINGS = ("looks_per_s", "still_frames", "camera_timeout_s", "threads")
_PACKAGES = ("numpy", "onnxruntime", "opencv-python")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_CLAIM_KINDS = (events.CLAIM_FOLLOWED, events.CLAIM_CORRECTED, events.CLAIM_DECIDED)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file of evidence, read back.

    Attributes:
        about: the manifest without its events: kind, versions, settings.
        events: the events of the journal that belong to it, oldest first.
        pictures: JPEGs by their sha256.
    """

    about: Mapping[str, Any]
    events: tuple[Event, ...]
    pictures: Mapping[str, bytes]


def claim_events(journal: Sequence[Event], claim_id: int) -> list[Event]:
    """The events in force that one claim stands on: its match, what was seen, what followed.

    Raises:
        NotFound: the journal has no such claim.
    """
    kept = in_force(journal)
    claim = next((one for one in kept if one.id == claim_id and one.kind == events.CLAIMED), None)
    if claim is None:
        raise NotFound("the journal has no claim %(number)s", number=str(claim_id)[:40])
    starts = [one for one in kept if one.kind == events.MATCH_STARTED and one.id < claim_id]
    follow = [one for one in kept if one.kind in _CLAIM_KINDS and one.payload["claim"] == claim_id]
    pictures = set(_pictures_of([claim, *follow]))
    seen = [
        one
        for one in kept
        if one.kind == events.SEEN and not pictures.isdisjoint(_pictures_of([one]))
    ]
    return sorted([*starts[-1:], claim, *follow, *seen], key=lambda one: one.id)


def write_bundle(
    out: IO[bytes],
    kind: str,
    chosen: Sequence[Event],
    picture: Callable[[str], bytes],
    settings: Settings,
) -> None:
    """Write events and their pictures as one file.

    Args:
        kind: ``claim`` or ``night``.
        chosen: events in force, oldest first.
        picture: gives the JPEG of a sha256.
        settings: those that matter to what is seen are written down.
    """
    manifest = {
        "format": FORMAT,
        "schema": BUNDLE_SCHEMA,
        "kind": kind,
        "versions": _versions(),
        "models": _models(),
        "settings": {name: getattr(settings, name) for name in _SETTINGS},
        "events": [
            {"id": one.id, "at": one.at, "kind": one.kind, "payload": one.payload}
            for one in nameless(chosen)
        ],
    }
    with zipfile.ZipFile(out, "w") as packed:
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        packed.writestr(MANIFEST, text, zipfile.ZIP_DEFLATED)
        for name in dict.fromkeys(_pictures_of(chosen)):
            packed.writestr(f"pictures/{name}.jpg", picture(name))


def pack_claim(
    journal: Sequence[Event], claim_id: int, picture: Callable[[str], bytes], settings: Settings
) -> bytes:
    """One claim's evidence as a file.

    Raises:
        NotFound: the journal has no such claim.
    """
    out = BytesIO()
    write_bundle(out, "claim", claim_events(journal, claim_id), picture, settings)
    return out.getvalue()


def save_bundle(path: Path, claim_id: int | None, settings: Settings) -> int:
    """Write a claim's evidence, or with None a whole journal's, to a file.

    Returns:
        its size in bytes.

    Raises:
        NotFound: the journal has no such claim.
        JournalError: the database cannot be read.
        BadInput: the file cannot be written.
    """
    journal = Journal.open(settings.database_url)
    try:
        found = journal.events()
        kind = "night" if claim_id is None else "claim"
        chosen = in_force(found) if claim_id is None else claim_events(found, claim_id)
        with path.open("wb") as out:
            write_bundle(out, kind, chosen, journal.picture, settings)
        return path.stat().st_size
    except OSError as error:
        raise BadInput(f"report {path} cannot be written: {error.strerror or error}") from None
    finally:
        journal.close()


def is_bundle(path: Path) -> bool:
    """Whether a file looks like a zip, and so like no clip."""
    return path.is_file() and (path.suffix == ".zip" or zipfile.is_zipfile(path))


def read_bundle(path: Path) -> Bundle:
    """Read a file of evidence back.

    Raises:
        BadInput: it is no such file, damaged, or written by a newer companion.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            manifest = _manifest(packed, path)
            found = tuple(_events(manifest, path))
            pictures = {name: _picture(packed, name, path) for name in _pictures_of(found)}
    except OSError as error:
        raise BadInput(f"bundle {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
        raise BadInput(f"{path} is no bundle: wanted a file that companion report wrote") from None
    about = {name: value for name, value in manifest.items() if name != "events"}
    return Bundle(about, found, pictures)


def _manifest(packed: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    foreign = f"{path} is no bundle of this companion: wanted a {MANIFEST} with its format in it"
    try:
        if packed.getinfo(MANIFEST).file_size > LARGEST_MANIFEST_BYTES:
            raise BadInput(f"bundle {path}: its {MANIFEST} is too large")
        found = json.loads(packed.read(MANIFEST))
    except (KeyError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(foreign) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadInput(foreign)
    if found.get("schema") != BUNDLE_SCHEMA:
        raise BadInput(
            f"bundle {path} has schema {str(found.get('schema'))[:20]}; "
            f"this companion knows {BUNDLE_SCHEMA}: update it"
        )
    return found


def _events(manifest: Mapping[str, Any], path: Path) -> Iterator[Event]:
    try:
        for one in manifest["events"]:
            if not isinstance(one["payload"], dict):
                raise TypeError
            yield Event(int(one["id"]), str(one["at"]), str(one["kind"]), one["payload"])
    except (KeyError, TypeError, ValueError):
        raise BadInput(f"bundle {path}: its {MANIFEST} lists no sound events") from None


def _picture(packed: zipfile.ZipFile, name: str, path: Path) -> bytes:
    try:
        info = packed.getinfo(f"pictures/{name}.jpg")
    except KeyError:
        raise BadInput(f"bundle {path}: picture {name[:12]}… is missing") from None
    if info.file_size > LARGEST_PICTURE_BYTES:
        raise BadInput(f"bundle {path}: picture {name[:12]}… is too large")
    jpeg = packed.read(info)
    if picture_name(jpeg) != name:
        raise BadInput(f"bundle {path}: picture {name[:12]}… is damaged")
    return jpeg


def _pictures_of(chosen: Sequence[Event]) -> Iterator[str]:
    """The sha256 of every picture that events name, in order."""
    for event in chosen:
        for key, value in event.payload.items():
            if key.startswith("picture") and isinstance(value, str) and _SHA256.fullmatch(value):
                yield value


def _versions() -> dict[str, str]:
    found = {"companion": __version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def _models() -> dict[str, str]:
    """The sha256 of the networks of this installation; empty where there are none."""
    try:
        text = (resource_dir("models") / "manifest.toml").read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except (NotFound, OSError, tomllib.TOMLDecodeError):
        return {}
    return {name: str(found.get(name, {}).get("sha256", "")) for name in ("detector", "reader")}
