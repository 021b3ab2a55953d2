"""The workshop's commands that say how good the models in use are; ``__main__`` hangs them in."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.option("--pictures", default=ROOT / "datasets" / "pictures" / "trust", type=_FOLDER)
@click.option("--models", default=ROOT / "models", type=_FOLDER)
@click.option("--threads", default=2, show_default=True)
def calibrate(pictures: Path, models: Path, threads: int) -> None:
    """Fit how far scores can be trusted, and write it into the manifest."""
    from companion.vision.manifest import load_manifest
    from companion.vision.pipeline import load_pipeline

    from . import calibrate as fitting

    def progress(done: int, total: int) -> None:
        click.echo(f"\r{done}/{total} pictures", err=True, nl=done == total)

    eyes = load_pipeline(threads, models)
    eyes.calibration = None
    reports = fitting.gather(eyes, pictures, progress if sys.stderr.isatty() else None)
    fitted = fitting.fit(reports, load_manifest(models).reader.sure)
    recipe = f"{len(reports.right)} reports on {pictures.name}"
    fitting.write_calibration(models, fitted, recipe)
    click.echo(f"{recipe}: sure from {fitted.sure} on, weights {fitted.weights}")


@click.command()
@click.argument("bench", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--true",
    "true_bench",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The same with --true-quads, for the reader's card.",
)
@click.option("--models", default=ROOT / "models", type=_FOLDER)
def cards(bench: Path, true_bench: Path | None, models: Path) -> None:
    """Fill the model cards' figures from what ``companion bench --json`` printed into BENCH."""
    from .model_cards import fill_card

    report = json.loads(bench.read_text(encoding="utf-8"))
    fill_card(models / "detector.md", report)
    if true_bench:
        fill_card(models / "reader.md", json.loads(true_bench.read_text(encoding="utf-8")))


COMMANDS = (calibrate, cards)
