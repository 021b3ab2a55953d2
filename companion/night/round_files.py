"""What lies beside a made clip of a round: what truly happened, what was claimed, where things lie.

The files are those that the workshop writes (``datasets/workshop/rounds.py``), one folder a clip.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.night.replay import read_zones
from companion.night.values import Declared
from companion.table.values import Zones
from companion.vision.values import Frame, Quad, Sighting, TableView, parse_reading

CLIP = "clip.mp4"


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """Something that happened, in the text of a table event, and when."""

    at_s: float
    text: str


@dataclass(frozen=True, slots=True)
class TrueTable:
    """Target and cards to play with, at the end of a stillness."""

    at_s: float
    target: int
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrueClaim:
    """A claim, and the law's verdict on what truly lay there."""

    at_s: float
    player: str
    declared: Declared
    verdict: str
    wins_tweak: bool


@dataclass(frozen=True, slots=True)
class RoundFiles:
    """One clip with all that is known about it.

    Attributes:
        folder: where it lies.
        players, edition, colours: the match.
        idle: whether nobody plays.
        lasts_s: its length.
        about: the rest of ``clip.json``: mishaps, lamps, tilt.
    """

    folder: Path
    players: tuple[str, ...]
    edition: str
    colours: tuple[str, ...]
    idle: bool
    lasts_s: float
    zones: Zones
    events: tuple[TimedEvent, ...]
    tables: tuple[TrueTable, ...]
    claims: tuple[TrueClaim, ...]
    about: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name


def read_round(folder: Path) -> RoundFiles:
    """Read one clip's folder.

    Raises:
        BadInput: a file is missing or is not what the workshop writes.
    """
    try:
        about = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
        return RoundFiles(
            folder=folder,
            players=tuple(about["players"]),
            edition=str(about["edition"]),
            colours=tuple(about["colours"]),
            idle=bool(about["idle"]),
            lasts_s=float(about["lasts_s"]),
            zones=read_zones(folder / "zones.json"),
            events=tuple(
                TimedEvent(float(one["at_s"]), str(one["event"]))
                for one in _lines(folder / "truth.jsonl")
            ),
            tables=tuple(
                TrueTable(float(one["at_s"]), int(one["target"]), tuple(one["table"]))
                for one in _lines(folder / "tables.jsonl")
            ),
            claims=tuple(_claim(one) for one in _lines(folder / "claims.jsonl")),
            about=about,
        )
    except OSError as error:
        raise BadInput(f"{error.filename}: {error.strerror}: wanted a made clip") from error
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{folder} is no made clip of a round: {error}") from error


def find_rounds(folder: Path) -> tuple[Path, ...]:
    """The clips in a folder, or the folder itself where it is one.

    Raises:
        BadInput: there is none.
    """
    found = [folder, *sorted(folder.glob("*"))] if folder.is_dir() else []
    clips = tuple(one for one in found if (one / CLIP).is_file() and (one / "clip.json").is_file())
    if not clips:
        raise BadInput(f"{folder} holds no made clip of a round: wanted folders with {CLIP}")
    return clips


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for text in path.read_text(encoding="utf-8").splitlines():
        if text.strip():
            yield json.loads(text)


def _claim(found: Mapping[str, Any]) -> TrueClaim:
    declared = Declared(
        hand=found["hand"],
        taken=tuple(found["taken"]),
        said_tweak=bool(found["said_tweak"]),
        tweak=found["tweak"],
        spoken=found["spoken"],
    )
    return TrueClaim(
        at_s=float(found["at_s"]),
        player=str(found["player"]),
        declared=declared,
        verdict=str(found["verdict"]),
        wins_tweak=bool(found["wins_tweak"]),
    )


class TrueEyes:
    """Perfect eyes for one clip: they see what the clip's maker drew, and all of it for sure."""

    def __init__(self, folder: Path) -> None:
        self._cards: list[Sighting] = []
        self._frames: list[int] = []
        self._seen: list[tuple[int, ...]] = []
        for line in _lines(folder / "eyes.jsonl"):
            self._cards += [_sighting(text, sides) for text, sides in line["new"]]
            self._frames.append(int(line["frame"]))
            self._seen.append(tuple(line["cards"]))

    def see(self, frame: Frame) -> TableView:
        """What lies open to view in this frame."""
        place = bisect_right(self._frames, frame.number) - 1
        numbers = self._seen[place] if place >= 0 else ()
        return TableView(
            sightings=tuple(self._cards[number] for number in numbers),
            taken_at_s=frame.taken_at_s,
            frame_number=frame.number,
            width_px=frame.width_px,
            height_px=frame.height_px,
        )


def _sighting(text: str, sides: list[float]) -> Sighting:
    a, b, c, d = zip(sides[::2], sides[1::2], strict=True)
    quad: Quad = (a, b, c, d)
    return Sighting(quad, parse_reading(text), 0.99)
