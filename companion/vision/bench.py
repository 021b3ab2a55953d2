"""Measures the eyes: accuracy on labelled folders, speed on this machine, one table.

Every picture is looked at by itself: no help from other frames or from the law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.vision.bench_labels import LabelledPicture, load_labels
from companion.vision.bench_misses import MissBook
from companion.vision.bench_slices import slices_of
from companion.vision.bench_speed import SpeedReport, measure_speed
from companion.vision.pictures import read_image
from companion.vision.pipeline import Pipeline, load_pipeline
from companion.vision.score import Tally, score_picture
from companion.vision.values import Frame, Image, Sighting

ALL = "all"
_COLUMNS = (
    *("pictures", "cards", "found", "invented", "read", "colour", "value"),
    *("guess", "sure", "right", "strange", "exact", "exact*"),
)
_LEGEND = """\
found: of all cards. invented: for each card. read, colour, value: of the found 1-6, as reported.
guess: first guess right, sure or not. sure: of the found of ours; right: of the sure.
strange: found strangers with a sure 1-6 answer.
exact: whole tables right, as reported; exact*: by the first guesses."""


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What to measure.

    Attributes:
        folders: labelled folders; none measures speed alone.
        models_dir: folder with ``manifest.toml``; the installation's own where None.
        threads: how many threads each network may use.
        true_quads: read the cards at their true corners: the reader apart from the detector.
        misses_dir: where to write a contact sheet and overlays of what went wrong.
        speed_picture: what to measure the speed on; the bundled picture where None.
        rounds: how many frames to measure; 0 leaves the speed out.
    """

    folders: tuple[Path, ...] = ()
    models_dir: Path | None = None
    threads: int = 2
    true_quads: bool = False
    misses_dir: Path | None = None
    speed_picture: Path | None = None
    rounds: int = 40


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What was measured.

    Attributes:
        tallies: by folder, then by slice (``all``, ``set: cloth``, ``tilt: 20-35`` …).
        speed: None where it was left out.
        misses: files written, if any were asked for.
    """

    tallies: dict[str, dict[str, Tally]] = field(default_factory=dict)
    speed: SpeedReport | None = None
    misses: tuple[Path, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Every count and share, for machines."""
        return {
            "accuracy": {
                folder: {name: {**asdict(tally), **shares(tally)} for name, tally in rows.items()}
                for folder, rows in self.tallies.items()
            },
            "speed": self.speed.to_json() if self.speed else None,
            "misses": [str(path) for path in self.misses],
        }

    def table(self) -> str:
        """One table for people."""
        blocks = [accuracy_table(folder, rows) for folder, rows in self.tallies.items()]
        if blocks:
            blocks.append(_LEGEND)
        if self.speed:
            blocks.append(self.speed.table())
        if self.misses:
            sheet, overlays = self.misses[0], len(self.misses) - 1
            blocks.append(f"misses: {sheet}, and {overlays} pictures with theirs beside it")
        return "\n\n".join(blocks)


def run_bench(
    options: BenchOptions, progress: Callable[[int, int], None] | None = None
) -> BenchReport:
    """Measure what the options ask for.

    Args:
        options: what to measure.
        progress: told the pictures done and the pictures in all.

    Raises:
        BadInput: a folder or a picture is not as it should be.
        ModelError: the models cannot be used.
    """
    pipeline = load_pipeline(options.threads, options.models_dir)
    folders = {str(folder): load_labels(folder) for folder in options.folders}
    total = sum(map(len, folders.values()))
    book = MissBook(options.misses_dir) if options.misses_dir else None
    looked = _Looked(pipeline, options.true_quads, book)
    tallies: dict[str, dict[str, Tally]] = {}
    done = 0
    for name, pictures in folders.items():
        if not pictures:
            raise BadInput(f"{name} has no labelled pictures")
        scored: list[Tally] = []
        for tally in looked.at(pictures):
            scored.append(tally)
            done += 1
            if progress:
                progress(done, total)
        tallies[name] = _by_slice(pictures, scored)
    written = book.finish() if book else ()
    speed = None
    if options.rounds:
        speed = measure_speed(pipeline, options.speed_picture, options.rounds)
    return BenchReport(tallies, speed, written)


@dataclass(frozen=True, slots=True)
class _Looked:
    """How pictures are looked at and scored."""

    pipeline: Pipeline
    true_quads: bool
    book: MissBook | None

    def at(self, pictures: Sequence[LabelledPicture]) -> Iterator[Tally]:
        for picture in pictures:
            bgr = read_image(picture.path)
            sightings = self._sightings(bgr, picture)
            tally, misses = score_picture(picture.cards, sightings, picture.least_visible)
            if self.book and misses:
                self.book.add(picture.path, bgr, misses)
            yield tally

    def _sightings(self, bgr: Image, picture: LabelledPicture) -> tuple[Sighting, ...]:
        if not self.true_quads:
            return self.pipeline.see(Frame(bgr, taken_at_s=0.0)).sightings
        quads = [card.quad_px for card in picture.cards]
        readings = self.pipeline.reader.read(bgr, quads)
        return tuple(
            Sighting(quad, reading, found=1.0)
            for quad, reading in zip(quads, readings, strict=True)
        )


def _by_slice(pictures: Sequence[LabelledPicture], scored: Sequence[Tally]) -> dict[str, Tally]:
    rows: dict[str, Tally] = {ALL: sum(scored, Tally())}
    for tally, names in zip(scored, slices_of(pictures), strict=True):
        for name in names:
            rows[name] = rows.get(name, Tally()) + tally
    return {ALL: rows.pop(ALL), **dict(sorted(rows.items()))}


def shares(tally: Tally) -> dict[str, float | None]:
    """What the table shows, as shares 0-1; None where nothing was there to count."""
    return {
        "found_share": _share(tally.found, tally.labels),
        "invented_share": _share(tally.invented, tally.labels),
        "read_share": _share(tally.both, tally.numbers),
        "colour_share": _share(tally.colour, tally.numbers),
        "value_share": _share(tally.value, tally.numbers),
        "guess_share": _share(tally.guess, tally.numbers),
        "sure_share": _share(tally.sure, tally.found - tally.strangers),
        "sure_right_share": _share(tally.sure_right, tally.sure),
        "strangers_sure_share": _share(tally.strangers_sure, tally.strangers),
        "exact_share": _share(tally.exact, tally.pictures),
        "exact_guess_share": _share(tally.exact_guess, tally.pictures),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def accuracy_table(folder: str, rows: dict[str, Tally]) -> str:
    """The rows of one folder, aligned."""
    width = max(len(folder), *map(len, rows))
    lines = [folder.ljust(width) + "".join(f"{name:>9}" for name in _COLUMNS)]
    for name, tally in rows.items():
        counts = f"{tally.pictures:>9}{tally.labels:>9}"
        parts = ("-" if share is None else f"{share:.3f}" for share in shares(tally).values())
        lines.append(name.ljust(width) + counts + "".join(f"{part:>9}" for part in parts))
    return "\n".join(lines)
