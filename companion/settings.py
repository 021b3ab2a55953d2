"""All settings in one frozen value: defaults <- file <- environment <- flags.

The file is ``companion.toml`` in the user's home folder (or ``--config FILE``); the environment
variable of ``port`` is ``COMPANION_PORT``. An unknown key is an error that names the nearest one.

>>> load_settings(environment={"COMPANION_PORT": "9000"}).port
9000
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from companion.errors import BadSetting
from companion.paths import home_dir

_NOT_SETTINGS = {"COMPANION_HOME"}


def _setting(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every knob of the companion; ``help`` of each is its documentation."""

    camera: str = _setting(
        "", "number, name, rtsp/http address, clip or folder of stills; empty: none"
    )
    host: str = _setting("0.0.0.0", "address that the page listens on")
    port: int = _setting(8765, "port that the page listens on")
    database: str = _setting(
        "", "SQLAlchemy address of the journal; empty: SQLite in the home folder"
    )
    language: str = _setting(
        "en", "language of the page where the browser asks for none that is there"
    )
    looks_per_s: float = _setting(10.0, "how often the camera's picture is looked at, at most")
    pictures_per_s: float = _setting(10.0, "how often a page may fetch the live picture, at most")
    picture_width_px: int = _setting(960, "width of the live picture sent to the pages")
    threads: int = _setting(2, "processor threads that the networks may use")
    still_frames: int = _setting(3, "still pictures in a row before a card counts as seen")
    camera_timeout_s: float = _setting(2.0, "silence after which the camera counts as lost")

    def __post_init__(self) -> None:
        _check(0 <= self.port <= 65535, "port", "a number from 0 to 65535", self.port)
        _check(0 < self.looks_per_s <= 60, "looks_per_s", "from 0 to 60", self.looks_per_s)
        _check(0 < self.pictures_per_s <= 10, "pictures_per_s", "from 0 to 10", self.pictures_per_s)
        _check(
            160 <= self.picture_width_px <= 3840,
            "picture_width_px",
            "from 160 to 3840",
            self.picture_width_px,
        )
        _check(1 <= self.threads <= 64, "threads", "from 1 to 64", self.threads)
        _check(3 <= self.still_frames <= 30, "still_frames", "from 3 to 30", self.still_frames)
        _check(
            0.2 <= self.camera_timeout_s <= 60,
            "camera_timeout_s",
            "from 0.2 to 60",
            self.camera_timeout_s,
        )

    @property
    def database_url(self) -> str:
        """The SQLAlchemy address in force."""
        return self.database or f"sqlite:///{home_dir() / 'companion.db'}"


def _check(good: bool, name: str, wanted: str, got: object) -> None:
    if not good:
        raise BadSetting(f"setting {name}: wanted {wanted}, got {got!r}")


def setting_help() -> dict[str, tuple[object, str]]:
    """Every setting's name with its default and its one line of documentation."""
    return {f.name: (f.default, str(f.metadata["help"])) for f in fields(Settings)}


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Put the settings together; flags whose value is None are left out.

    Raises:
        BadSetting: an unknown key, a value of the wrong kind, or a file that cannot be read.
    """
    settings = Settings()
    if file is not None:
        settings = _apply(settings, _read_file(file), str(file))
    if environment is not None:
        named = {
            key.removeprefix("COMPANION_").lower(): value
            for key, value in environment.items()
            if key.startswith("COMPANION_") and key not in _NOT_SETTINGS
        }
        settings = _apply(settings, named, "the environment")
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    return _apply(settings, given, "the command line")


def _read_file(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"settings file {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"settings file {file}: wanted TOML, {error}") from error


def _apply(settings: Settings, given: Mapping[str, object], where: str) -> Settings:
    kinds = {f.name: type(f.default) for f in fields(Settings)}
    changes: dict[str, Any] = {}
    for key, value in given.items():
        if key not in kinds:
            near = difflib.get_close_matches(key, kinds, n=1, cutoff=0.0)
            raise BadSetting(f"unknown setting {key!r} in {where}; did you mean {near[0]!r}?")
        changes[key] = _convert(key, value, kinds[key])
    return replace(settings, **changes)


def _convert(key: str, value: object, kind: type) -> object:
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    if isinstance(value, str) or (plain and kind is float):
        try:
            return kind(value)
        except ValueError:
            pass
    elif type(value) is kind:
        return value
    raise BadSetting(f"setting {key}: wanted {kind.__name__}, got {value!r}")
