"""The workshop's commands that cut, train and export; ``__main__`` hangs them in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from companion.errors import NotFound

ROOT = Path(__file__).resolve().parents[2]
PICTURES, CUTS = ROOT / "datasets" / "pictures", ROOT / "datasets" / "cuts"
RUNS, MODELS, RECIPES = ROOT / "runs", ROOT / "models", ROOT / "datasets" / "recipes"
GROWN_READER, CLOSER = RUNS / "reader-grown", RUNS / "closer"
CLOSE_CUTS = "close"
"""Folder of the larger cuts, inside that of the cuts."""
_FOLDER = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
def fonts() -> None:
    """Fetch some 1,020 more font families for training decks, by npm (1.3 GB)."""
    from .webfonts import fetch_web_fonts

    click.echo(f"{fetch_web_fonts()} families")


@click.command()
@click.option("--split", default="train", type=click.Choice(["train", "val", "test"]))
@click.option("--shards", default=56, show_default=True, help="2,048 cuts each.")
@click.option("--first", default=0, show_default=True, help="Number of the first shard.")
@click.option("--covered", is_flag=True, help="Most cards lie half under others.")
@click.option("--curled", is_flag=True, help="Only decks whose digits have curled ends.")
@click.option("--close", is_flag=True, help="For the closer look: twice as wide and high.")
@click.option(
    "--doubted-by",
    type=_FILE,
    help="With --close: keep what this checkpoint of a reader does not read clearly.",
)
@click.option("--pictures", default=PICTURES, type=_FOLDER, help="Cut these too, if there.")
@click.option("--out", default=CUTS, type=_FOLDER)
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64))
def cuts(
    split: str,
    shards: int,
    first: int,
    covered: bool,
    curled: bool,
    close: bool,
    doubted_by: Path | None,
    pictures: Path,
    out: Path,
    jobs: int,
) -> None:
    """Make the reader's cuts: from fresh decks, and out of made pictures; resumable."""
    from .cutting import CutRecipe, make_cuts
    from .recipe import folders_of
    from .scene_cuts import ALL_SCENES, CLOSE_SCENES, cut_pictures

    if doubted_by and not close:
        raise click.UsageError("--doubted-by wants --close: a plain reader learns from every cut")
    target = (out / CLOSE_CUTS if close else out) / split
    if curled and split != "train":
        raise click.UsageError("--curled wants --split train: only training decks have curls")
    recipe = CutRecipe(
        split,
        shards,
        first=first,
        covered=covered,
        close=close,
        curled=curled,
        doubted_by=doubted_by,
    )
    make_cuts(recipe, target, jobs)
    for folder in folders_of(pictures, split):
        cut_pictures(folder, target, CLOSE_SCENES if close else ALL_SCENES)


@click.command()
@click.option("--pictures", default=PICTURES, type=_FOLDER)
@click.option("--runs", default=RUNS / "detector", type=_FOLDER)
@click.option("--resume", is_flag=True, help="Go on where a killed run stopped.")
@click.option("--threads", default=2, show_default=True)
@click.option("--hours", type=float, help="End by the clock; the learning rate follows.")
def train_detector(
    pictures: Path, runs: Path, resume: bool, threads: int, hours: float | None
) -> None:
    """Train the detector on made pictures."""
    from . import detector

    best = detector.train_detector(pictures, runs, resume=resume, threads=threads, hours=hours)
    click.echo(best)


@click.command()
@click.option("--cuts", "cuts_folder", default=CUTS, type=_FOLDER)
@click.option("--photos", type=_FOLDER, help="Labelled photographs to watch, never to learn from.")
@click.option("--runs", default=RUNS / "reader", type=_FOLDER)
@click.option("--resume", is_flag=True, help="Go on where a killed run stopped.")
@click.option("--threads", default=2, show_default=True)
@click.option("--minutes", type=float, help="End by the clock; the learning rate follows.")
@click.option("--total-cuts", type=int, help="How many cuts go by, repeats counted.")
@click.option("--start", type=_FILE, help="A checkpoint or a blessed ONNX file to begin from.")
@click.option("--closer", is_flag=True, help="Give what --start names cuts twice as large.")
@click.option(
    "--doubted-by",
    type=_FILE,
    help="With --closer: whose doubts to learn from, where --start is no plain reader itself.",
)
@click.option("--grow", is_flag=True, help="Make what --start names wider and deeper first.")
@click.option("--rate", default=3e-3, show_default=True, help="Peak of the learning rate.")
@click.option("--seed", default=1, show_default=True)
@click.option("--scenes", default=0.3, show_default=True, help="Share of cuts out of whole scenes.")
def train_reader(
    cuts_folder: Path,
    photos: Path | None,
    runs: Path,
    resume: bool,
    threads: int,
    minutes: float | None,
    total_cuts: int | None,
    start: Path | None,
    closer: bool,
    doubted_by: Path | None,
    grow: bool,
    rate: float,
    seed: int,
    scenes: float,
) -> None:
    """Train the reader on cuts."""
    import torch

    from .grow import GROWN
    from .network import reader_of
    from .photos import photo_cuts
    from .reader import ReaderRecipe, ReaderTraining, Sources
    from .revive import reader_to_begin_from
    from .shards import load_all

    if closer and not start:
        raise click.UsageError("--closer wants --start: the reader that it begins as")
    if doubted_by and not closer:
        raise click.UsageError("--doubted-by wants --closer: a plain reader learns from every cut")
    if closer and (grow or photos):
        raise click.UsageError("--closer goes with neither --grow nor --photos")
    torch.set_num_threads(threads)
    recipe = replace(ReaderRecipe(), rate=rate, seed=seed, scene_share=scenes)
    if total_cuts:
        recipe = replace(recipe, total_cuts=total_cuts)
    training = ReaderTraining(recipe, runs, minutes)
    start = start and reader_to_begin_from(start, cuts_folder, runs)
    if start and closer:
        training.look_closer_than(start)
    elif start:
        training.begin_from(start, GROWN if grow else None)
    if resume and training.resume():
        click.echo(f"resumed at {training.seen_cuts} cuts", err=True)
    cuts_folder = cuts_folder / CLOSE_CUTS if closer else cuts_folder
    checks = {"val": load_all(cuts_folder / "val")}
    if photos:
        checks["photos"] = photo_cuts(photos)
    first = reader_of(doubted_by or start) if start and closer else None
    training.run(Sources(cuts_folder / "train", checks, first))


@click.command()
@click.option("--pictures", default=PICTURES, type=_FOLDER)
@click.option("--models", default=MODELS, type=_FOLDER)
@click.option("--out", default=CUTS / "check", type=_FOLDER)
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64))
def samples(pictures: Path, models: Path, out: Path, jobs: int) -> None:
    """Make the checker's samples: what the detector in ``--models`` finds, and quads laid there."""
    from .checking import make_samples
    from .recipe import folders_of

    folders = folders_of(pictures, "train")
    if not folders:
        raise NotFound(f"no folder of made training pictures in {pictures}: make some first (make)")
    for folder in folders:
        make_samples(folder, models, out, jobs)


@click.command()
@click.option("--samples", "folder", default=CUTS / "check", type=_FOLDER)
@click.option("--runs", default=RUNS / "checker", type=_FOLDER)
@click.option("--resume", is_flag=True, help="Go on where a killed run stopped.")
@click.option("--minutes", default=30.0, show_default=True, help="The learning rate follows.")
@click.option("--threads", default=2, show_default=True)
@click.option("--start", type=_FILE, help="A checkpoint or a blessed ONNX file to begin from.")
@click.option("--rate", default=2e-3, show_default=True, help="Peak of the learning rate.")
@click.option("--seed", default=1, show_default=True)
def train_checker(
    folder: Path,
    runs: Path,
    resume: bool,
    minutes: float,
    threads: int,
    start: Path | None,
    rate: float,
    seed: int,
) -> None:
    """Train the checker on samples."""
    import torch

    from .checker import CheckerRecipe, CheckerTraining, load_samples
    from .revive import checker_to_begin_from

    torch.set_num_threads(threads)
    training = CheckerTraining(CheckerRecipe(seed=seed, rate=rate), runs, minutes)
    samples = load_samples(folder)
    if start:
        training.begin_from(checker_to_begin_from(start, samples, runs))
    if resume and training.resume():
        click.echo(f"resumed at {training.steps} steps", err=True)
    training.run(samples)


@click.command()
@click.argument("first", type=click.Path(path_type=Path, exists=True))
@click.argument("second", type=click.Path(path_type=Path, exists=True))
@click.option("--out", required=True, type=click.Path(path_type=Path))
def average_readers(first: Path, second: Path, out: Path) -> None:
    """Write the mean of the reader checkpoints FIRST and SECOND, which went on from it."""
    from . import reader

    reader.average_readers(first, second, out)


@click.command()
@click.option("--detector", type=click.Path(path_type=Path), help="Default: the last stage's best.")
@click.option("--checker", default=RUNS / "checker" / "last.pt", type=click.Path(path_type=Path))
@click.option("--reader", default=GROWN_READER / "last.pt", type=click.Path(path_type=Path))
@click.option("--closer", default=CLOSER / "last.pt", type=click.Path(path_type=Path))
@click.option("--cuts", "cuts_folder", default=CUTS, type=_FOLDER)
@click.option("--models", default=MODELS, type=_FOLDER)
@click.option(
    "--only",
    type=click.Choice(["detector", "checker", "reader", "closer"]),
    help="Just this one.",
)
def export(
    detector: Path | None,
    checker: Path,
    reader: Path,
    closer: Path,
    cuts_folder: Path,
    models: Path,
    only: str | None,
) -> None:
    """Write trained weights as ONNX and name them in the manifest."""
    from .bless import bless_checker, bless_closer, bless_detector, bless_reader
    from .detector import STAGES

    if only in (None, "detector"):
        last = RUNS / "detector" / STAGES[-1].name / "weights" / "best.pt"
        bless_detector(detector or last, models)
    if only in (None, "checker"):
        bless_checker(checker, models)
    if only in (None, "reader"):
        bless_reader(reader, cuts_folder, models)
    if only in (None, "closer"):
        bless_closer(closer, cuts_folder / CLOSE_CUTS, models)


@click.command()
@click.option("--tiny", is_flag=True, help="A few pictures and steps, to see that the way works.")
@click.option("--out", type=_FOLDER, help="Where a tiny training goes.")
@click.pass_context
def train(context: click.Context, tiny: bool, out: Path | None) -> None:
    """Cut, train both models and export them; goes on where a killed run stopped."""
    if tiny:
        from .recipe import read_recipe
        from .tiny import train_tiny

        train_tiny(read_recipe(RECIPES / "tiny.toml"), out or RUNS / "tiny")
        return
    click.echo(
        "two cores take about 7 hours for the reader, 2 for the closer look, 4 for the detector "
        "and 4 for the checker",
        err=True,
    )
    context.invoke(cuts, split="val", shards=2)
    context.invoke(cuts)
    context.invoke(cuts, first=500, shards=63, covered=True)
    context.invoke(cuts, first=800, shards=22, curled=True)
    context.invoke(train_reader, resume=True)
    start = RUNS / "reader" / "last.pt"
    context.invoke(train_reader, resume=True, runs=GROWN_READER, start=start, grow=True)
    start = GROWN_READER / "last.pt"
    context.invoke(cuts, split="val", shards=1, first=1, covered=True, close=True)
    context.invoke(cuts, shards=64, first=1001, covered=True, close=True)
    context.invoke(
        train_reader,
        resume=True,
        runs=CLOSER,
        start=start,
        closer=True,
        minutes=90,
        rate=2e-3,
        scenes=0.35,
    )
    context.invoke(train_detector, resume=True)
    context.invoke(export, only="detector")
    context.invoke(samples)
    context.invoke(train_checker, resume=True)
    context.invoke(export)


@click.command()
@click.option("--pictures", default=PICTURES / "train-b", type=_FOLDER)
@click.option("--models", default=MODELS, type=_FOLDER)
@click.option("--out", default=CUTS / "train", type=_FOLDER)
@click.option("--threshold", default=0.12, show_default=True, help="Low, so that it invents.")
def mine(pictures: Path, models: Path, out: Path, threshold: float) -> None:
    """Cut out what the blessed detector takes for cards and is none, for the reader to learn."""
    from companion.vision.detect import Detector
    from companion.vision.manifest import load_manifest

    from . import mining

    spec = replace(load_manifest(models).detector, threshold=threshold)
    click.echo(mining.mine(pictures, out, Detector.open(spec)))


COMMANDS = (
    average_readers,
    fonts,
    cuts,
    mine,
    samples,
    train,
    train_detector,
    train_checker,
    train_reader,
    export,
)
