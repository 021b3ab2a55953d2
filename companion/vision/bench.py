"""Measures the eyes: accuracy on labelled folders, speed on this machine, one table.

Every picture is looked at by itself, with no help from other frames or from the law, unless it is
asked for as settled over ten frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.vision.bench_labels import LabelledPicture, load_labels
from companion.vision.bench_mirror import MirrorTally, tally_mirror
from companion.vision.bench_misses import MissBook
from companion.vision.bench_plots import write_plots
from companion.vision.bench_settled import settled_view
from companion.vision.bench_slices import slices_of
from companion.vision.bench_speed import SpeedReport, measure_speed
from companion.vision.bench_still import StillReport, measure_still
from companion.vision.bench_table import LEGEND, accuracy_table, shares
from companion.vision.bench_trust import Trial, trials_of, trust_table, trust_to_json
from companion.vision.pictures import read_image
from companion.vision.pipeline import Pipeline, load_pipeline
from companion.vision.score import Tally, score_picture
from companion.vision.values import Frame, Image, Sighting

ALL = "all"


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
        settled_folders: labelled folders whose pictures are looked at as ten frames each.
        plots_dir: where to draw the curves of reliability and abstention.
        at_most: only that many pictures of each folder.
        mirrored: look at each picture in a mirror as well, and count what is noticed.
    """

    folders: tuple[Path, ...] = ()
    models_dir: Path | None = None
    threads: int = 2
    true_quads: bool = False
    misses_dir: Path | None = None
    speed_picture: Path | None = None
    rounds: int = 40
    settled_folders: tuple[Path, ...] = ()
    plots_dir: Path | None = None
    at_most: int | None = None
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What was measured.

    Attributes:
        tallies: by folder, then by slice (``all``, ``set: cloth``, ``tilt: 20-35`` …).
        speed: None where it was left out.
        misses: files written, if any were asked for.
        trials: every report of each folder.
        still: what a still table costs; None where the speed was left out.
        plots: files written, if any were asked for.
        mirrors: by folder, how often mirrors were noticed, if that was asked for.
    """

    tallies: dict[str, dict[str, Tally]] = field(default_factory=dict)
    speed: SpeedReport | None = None
    misses: tuple[Path, ...] = ()
    trials: dict[str, tuple[Trial, ...]] = field(default_factory=dict)
    still: StillReport | None = None
    plots: tuple[Path, ...] = ()
    mirrors: dict[str, MirrorTally] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Every count and share, for machines."""
        return {
            "accuracy": {
                folder: {name: {**asdict(tally), **shares(tally)} for name, tally in rows.items()}
                for folder, rows in self.tallies.items()
            },
            "trust": {folder: trust_to_json(trials) for folder, trials in self.trials.items()},
            "speed": self.speed.to_json() if self.speed else None,
            "still": self.still.to_json() if self.still else None,
            "misses": [str(path) for path in self.misses],
            "plots": [str(path) for path in self.plots],
            "mirrors": {folder: tally.to_json() for folder, tally in self.mirrors.items()},
        }

    def table(self) -> str:
        """One table for people."""
        blocks = [accuracy_table(folder, rows) for folder, rows in self.tallies.items()]
        if blocks:
            blocks.append(LEGEND)
        blocks += [trust_table(folder, trials) for folder, trials in self.trials.items()]
        blocks += [tally.line(folder) for folder, tally in self.mirrors.items()]
        blocks += [part.table() for part in (self.speed, self.still) if part]
        if self.misses:
            sheet, overlays = self.misses[0], len(self.misses) - 1
            blocks.append(f"misses: {sheet}, and {overlays} pictures with theirs beside it")
        if self.plots:
            blocks.append("plots: " + ", ".join(str(path) for path in self.plots))
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
    sets = _sets(options)
    total = sum(len(one.pictures) for one in sets)
    book = MissBook(options.misses_dir) if options.misses_dir else None
    looked = _Looked(pipeline, options, book)
    report = BenchReport()
    done = 0
    for one in sets:
        scored: list[_Result] = []
        for result in looked.at(one):
            scored.append(result)
            done += 1
            if progress:
                progress(done, total)
        report.tallies[one.name] = _by_slice(one.pictures, [result.tally for result in scored])
        report.trials[one.name] = tuple(trial for result in scored for trial in result.trials)
        if options.mirrored and not one.settled:
            mirrors = filter(None, (result.mirror for result in scored))
            report.mirrors[one.name] = sum(mirrors, MirrorTally())
    return replace(
        report,
        misses=book.finish() if book else (),
        plots=_plots(options.plots_dir, report.trials),
        speed=_speed(pipeline, options),
        still=measure_still(pipeline) if options.rounds else None,
    )


@dataclass(frozen=True, slots=True)
class _Set:
    """A labelled folder and how it is looked at."""

    name: str
    pictures: tuple[LabelledPicture, ...]
    settled: bool


def _sets(options: BenchOptions) -> list[_Set]:
    wanted = [(str(folder), folder, False) for folder in options.folders]
    wanted += [(f"{folder} (settled)", folder, True) for folder in options.settled_folders]
    sets = []
    for name, folder, settled in wanted:
        pictures = load_labels(folder)[: options.at_most]
        if not pictures:
            raise BadInput(f"{folder} has no labelled pictures")
        sets.append(_Set(name, pictures, settled))
    return sets


def _speed(pipeline: Pipeline, options: BenchOptions) -> SpeedReport | None:
    if not options.rounds:
        return None
    return measure_speed(pipeline, options.speed_picture, options.rounds)


def _plots(folder: Path | None, trials: dict[str, tuple[Trial, ...]]) -> tuple[Path, ...]:
    if folder is None:
        return ()
    names = {name: Path(name).name.replace(" (", "-").rstrip(")") for name in trials}
    return tuple(p for name, file in names.items() for p in write_plots(folder, file, trials[name]))


@dataclass(frozen=True, slots=True)
class _Result:
    """What came of one picture."""

    tally: Tally
    trials: tuple[Trial, ...]
    mirror: MirrorTally | None = None


@dataclass(frozen=True, slots=True)
class _Looked:
    """How pictures are looked at and scored."""

    pipeline: Pipeline
    options: BenchOptions
    book: MissBook | None

    def at(self, one: _Set) -> Iterator[_Result]:
        for number, picture in enumerate(one.pictures):
            bgr = read_image(picture.path)
            if one.settled:
                sightings = settled_view(self.pipeline, bgr, number).sightings
            else:
                sightings = self._sightings(bgr, picture)
            tally, misses = score_picture(picture.cards, sightings, picture.least_visible)
            if self.book and misses:
                self.book.add(picture.path, bgr, misses)
            result = _Result(tally, trials_of(picture.cards, sightings))
            if self.options.mirrored and not one.settled:
                result = replace(result, mirror=tally_mirror(self.pipeline, bgr))
            yield result

    def _sightings(self, bgr: Image, picture: LabelledPicture) -> tuple[Sighting, ...]:
        if not self.options.true_quads:
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
