"""Which networks are in use: ``models/manifest.toml``, checked against the files' sha256.

The manifest has a table for each, and one for the small network between them::

    [detector]
    file = "detector.onnx"      # beside the manifest
    sha256 = "…"
    classes = ["number", "target_back", "tweak", "tweak_back", "seven"]
    input = 640                 # longest side of the picture that the network sees, in pixels
    glance = 320                # longest side of the copy for a look at large cards; 0: none
    threshold = 0.03            # what scores less is not looked at any further

    [checker]                   # may be missing: then the detector alone says where cards are
    file = "checker.onnx"
    sha256 = "…"
    blend = [0.0, 0.5, 1.0]     # log-odds of a card: these times 1, the detector's and its own
    again = [0.0, 0.5, 0.2, 1]  # the same after a second look, with both of its own; may be missing
    threshold = 0.1             # a candidate is read from this chance on
    enough = 0.9                # evidence from which on, read, it is reported (see evidence.py)

    [reader]
    file = "reader.onnx"
    sha256 = "…"
    input = [96, 128]           # width and height of a cut, in pixels
    margin = 0.08               # how much more than the card a cut shows on each side
    sure = 0.80                 # a reading may be used without asking from this probability on
    again = 1.0                 # what is read less clearly is read once more, turned by 180°
    strange = 1.0               # how much the chance of a stranger counts

    [reader.heads]              # outputs of the network and their classes in order
    side = ["number", "target_back", "tweak", "tweak_back", "seven", "none"]
    colour = ["red", "orange", "yellow", "green", "blue", "purple"]
    value = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    tweak = ["thief", "joker", "shifter", "bomb"]

    [reader.temperature]        # what the logits are divided by, by head; 1 where missing

    [closer]                    # may be missing: then nothing is looked at closer
    file = "closer.onnx"
    sha256 = "…"
    input = [192, 256]
    margin = 0.08
    from = 50                   # smallest short side of a card that it looks at, in pixels
    below = 0.97                # what the reader reads more clearly it does not look at
    weights = [0.4, 0.8]        # powers of the reader's probabilities and of its own
                                # heads and temperature follow as the reader's do

``recipe`` and ``scores`` of either table are for people and are not read here. A last table,
``[calibration]``, may follow; see :mod:`companion.vision.trust`.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import ModelError
from companion.rules.cards import Colour, Face, Tweak
from companion.vision.trust import Calibration, calibration_of

MANIFEST = "manifest.toml"
STRANGER = "none"
"""The class of whatever is none of our cards; any list of classes may have it."""
_SIDES = tuple(face.value for face in Face if face is not Face.UNKNOWN)
_HEADS: Mapping[str, tuple[str, ...]] = {
    "side": (*_SIDES, STRANGER),
    "colour": tuple(colour.value for colour in Colour),
    "value": tuple(str(value) for value in range(1, 11)),
    "tweak": tuple(kind.value for kind in Tweak),
}


@dataclass(frozen=True, slots=True)
class DetectorSpec:
    """The detector's file and how it is to be used.

    Attributes:
        path: the ONNX file, already checked.
        classes: side of each class, in the network's order.
        input_px: longest side of the picture that the network sees.
        threshold: score from which on something is a candidate.
        glance_px: longest side of the copy for a look at large cards; 0 where it takes none.
    """

    path: Path
    classes: tuple[str, ...]
    input_px: int = 640
    threshold: float = 0.35
    glance_px: int = 0


@dataclass(frozen=True, slots=True)
class CheckerSpec:
    """The checker's file and how it is to be used.

    Attributes:
        path: the ONNX file, already checked.
        blend: what is added up to the log-odds of a card: a constant, and the weights of the
            detector's log-odds and of the checker's.
        again: the same once it has looked twice: the last two are the weights of its first and of
            its second log-odds. None: the first look alone decides.
        threshold: chance from which on a candidate is read.
        enough: evidence from which on it is reported, see :mod:`companion.vision.evidence`.
    """

    path: Path
    blend: tuple[float, float, float] = (0.0, 0.5, 1.0)
    again: tuple[float, float, float, float] | None = None
    threshold: float = 0.1
    enough: float = 0.9


@dataclass(frozen=True, slots=True)
class ReaderSpec:
    """The reader's file and how it is to be used.

    Attributes:
        path: the ONNX file, already checked.
        heads: classes of each output, by the output's name.
        input_px: width and height of a cut.
        margin: how much more than the card a cut shows on each side, as a share of its size.
        sure: probability from which on a reading may be used without asking.
        temperature: what each head's logits are divided by.
        again: a cut that is read less clearly is read once more, turned by 180°.
        strange: how much a stranger's chance counts; training meets more of them than tables do.
    """

    path: Path
    heads: Mapping[str, tuple[str, ...]]
    input_px: tuple[int, int] = (96, 128)
    margin: float = 0.08
    sure: float = 0.80
    temperature: Mapping[str, float] | None = None
    again: float = 1.0
    strange: float = 1.0


@dataclass(frozen=True, slots=True)
class CloserSpec:
    """The file of the reader that looks closer, and how it is to be used.

    Attributes:
        path: the ONNX file, already checked.
        heads: classes of each output, by the output's name.
        input_px: width and height of a cut.
        margin: how much more than the card a cut shows on each side, as a share of its size.
        temperature: what each head's logits are divided by.
        from_px: smallest short side of a card that it looks at.
        below: probability of the reader's answer from which on it does not look.
        weights: powers of the reader's probabilities and of its own, whose product counts.
    """

    path: Path
    heads: Mapping[str, tuple[str, ...]]
    input_px: tuple[int, int] = (192, 256)
    margin: float = 0.08
    temperature: Mapping[str, float] | None = None
    from_px: float = 50.0
    below: float = 0.97
    weights: tuple[float, float] = (0.4, 0.8)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The networks in use, and what their reports are worth, where that was fitted."""

    detector: DetectorSpec
    reader: ReaderSpec
    calibration: Calibration | None = None
    checker: CheckerSpec | None = None
    closer: CloserSpec | None = None


def load_manifest(models_dir: Path) -> Manifest:
    """Read ``manifest.toml`` of a folder and check the files that it names.

    Raises:
        ModelError: the manifest or a file is missing, altered, or names unknown classes.
    """
    path = models_dir / MANIFEST
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"no models: {path} is missing (make model makes them)") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is not TOML: {error}") from None
    return Manifest(
        detector=_detector(_table(tables, "detector"), models_dir),
        reader=_reader(_table(tables, "reader"), models_dir),
        calibration=(
            calibration_of(_table(tables, "calibration")) if "calibration" in tables else None
        ),
        checker=_checker(_table(tables, "checker"), models_dir) if "checker" in tables else None,
        closer=_closer(_table(tables, "closer"), models_dir) if "closer" in tables else None,
    )


def _table(tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = tables.get(name)
    if not isinstance(table, dict):
        raise ModelError(f"{MANIFEST} has no table [{name}]")
    return table


def _detector(table: Mapping[str, Any], models_dir: Path) -> DetectorSpec:
    classes = _classes(table.get("classes"), "detector.classes", (*_SIDES, STRANGER))
    return DetectorSpec(
        path=_checked_file(table, models_dir),
        classes=classes,
        input_px=_number(table, "input", 640, (32, 4096)),
        threshold=_number(table, "threshold", 0.35, (0.0, 1.0)),
        glance_px=_number(table, "glance", 0, (0, 4096)),
    )


def _checker(table: Mapping[str, Any], models_dir: Path) -> CheckerSpec:
    blend, again = _blend(table, "blend", 3), _blend(table, "again", 4)
    return CheckerSpec(
        path=_checked_file(table, models_dir),
        blend=(blend[0], blend[1], blend[2]) if blend else (0.0, 0.5, 1.0),
        again=(again[0], again[1], again[2], again[3]) if again else None,
        threshold=_number(table, "threshold", 0.1, (0.0, 1.0)),
        enough=_number(table, "enough", 0.9, (0.0, 1.5)),
    )


def _blend(table: Mapping[str, Any], key: str, length: int) -> tuple[float, ...]:
    """Some weights of the checker's, none where nothing is said."""
    blend = table.get(key)
    if blend is None:
        return ()
    if not isinstance(blend, list) or len(blend) != length:
        raise ModelError(f"{MANIFEST}: checker.{key}: wanted {length} numbers, got {blend!r}")
    return tuple(float(_number({key: one}, key, 0.0, (-100.0, 100.0))) for one in blend)


def _reader(table: Mapping[str, Any], models_dir: Path) -> ReaderSpec:
    return ReaderSpec(
        path=_checked_file(table, models_dir),
        heads=_heads(table, "reader"),
        input_px=_size(table, "reader", (96, 128)),
        margin=_number(table, "margin", 0.08, (0.0, 1.0)),
        sure=_number(table, "sure", 0.80, (0.0, 1.0)),
        temperature=_temperature(table),
        again=_number(table, "again", 1.0, (0.0, 1.0)),
        strange=_number(table, "strange", 1.0, (0.0, 10.0)),
    )


def _closer(table: Mapping[str, Any], models_dir: Path) -> CloserSpec:
    return CloserSpec(
        path=_checked_file(table, models_dir),
        heads=_heads(table, "closer"),
        input_px=_size(table, "closer", (192, 256)),
        margin=_number(table, "margin", 0.08, (0.0, 1.0)),
        temperature=_temperature(table),
        from_px=_number(table, "from", 50.0, (0.0, 4096.0)),
        below=_number(table, "below", 0.97, (0.0, 1.0)),
        weights=_weights(table),
    )


def _heads(table: Mapping[str, Any], part: str) -> dict[str, tuple[str, ...]]:
    heads = table.get("heads")
    if not isinstance(heads, dict) or set(heads) != set(_HEADS):
        raise ModelError(f"{MANIFEST}: {part}.heads: wanted {', '.join(_HEADS)}")
    return {name: _head_classes(f"{part}.heads.{name}", name, heads[name]) for name in _HEADS}


def _size(table: Mapping[str, Any], part: str, default: tuple[int, int]) -> tuple[int, int]:
    size = table.get("input", list(default))
    if not isinstance(size, list) or len(size) != 2 or not all(type(n) is int for n in size):
        raise ModelError(f"{MANIFEST}: {part}.input: wanted [width, height], got {size!r}")
    return size[0], size[1]


def _weights(table: Mapping[str, Any]) -> tuple[float, float]:
    weights = table.get("weights", [0.4, 0.8])
    if not isinstance(weights, list) or len(weights) != 2:
        raise ModelError(f"{MANIFEST}: closer.weights: wanted two numbers, got {weights!r}")
    first, own = (_number({"weights": one}, "weights", 0.0, (0.0, 10.0)) for one in weights)
    return first, own


def _temperature(table: Mapping[str, Any]) -> dict[str, float]:
    temperature = table.get("temperature", {})
    return {name: _number(temperature, name, 1.0, (0.01, 100)) for name in _HEADS}


def _head_classes(where: str, head: str, classes: object) -> tuple[str, ...]:
    found = _classes(classes, where, (*_HEADS[head], STRANGER))
    missing = [wanted for wanted in _HEADS[head] if wanted not in found and wanted != STRANGER]
    if missing:
        raise ModelError(f"{MANIFEST}: {where} lacks {', '.join(missing)}")
    return found


def _classes(classes: object, where: str, known: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(classes, list) or not classes:
        raise ModelError(f"{MANIFEST}: {where}: wanted a list of classes")
    unknown = [str(name) for name in classes if name not in known]
    if unknown:
        raise ModelError(
            f"{MANIFEST}: {where} names {', '.join(unknown)}: known are {', '.join(known)}"
        )
    return tuple(classes)


def _number(table: Mapping[str, Any], key: str, default: float, limits: tuple[float, float]) -> Any:
    """A number of the default's own type."""
    number = table.get(key, default)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ModelError(f"{MANIFEST}: {key}: wanted a number, got {number!r}")
    if not limits[0] <= number <= limits[1]:
        raise ModelError(f"{MANIFEST}: {key}: wanted {limits[0]} to {limits[1]}, got {number}")
    return type(default)(number)


def _checked_file(table: Mapping[str, Any], models_dir: Path) -> Path:
    name, wanted = table.get("file"), table.get("sha256")
    if not isinstance(name, str) or not isinstance(wanted, str):
        raise ModelError(f"{MANIFEST}: each table needs file and sha256")
    path = models_dir / name
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ModelError(f"model {path} cannot be read: {error.strerror or error}") from None
    if found != wanted.lower():
        raise ModelError(
            f"model {path} is not the one that {MANIFEST} names: "
            f"sha256 {found[:12]}…, wanted {wanted[:12]}…"
        )
    return path
