"""``python -m datasets.workshop``: make pictures, look at them, make the demo clip."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import cv2

from companion.errors import CompanionError

from .judging import COMMANDS as JUDGING
from .train import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


@click.group()
def main() -> None:
    """The workshop: draws decks and tables, trains and scores the models that read them."""


@main.command()
@click.argument("recipe_path", metavar="RECIPE", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Default: datasets/pictures/NAME.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64))
def make(recipe_path: Path, out: Path | None, jobs: int) -> None:
    """Make a recipe's pictures with their labels; goes on where a killed run stopped."""
    from .generate import make_pictures
    from .recipe import read_recipe

    recipe = read_recipe(recipe_path)
    make_pictures(recipe, out or ROOT / "datasets" / "pictures" / recipe.name, jobs)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path))
@click.option("--first", default=0, show_default=True, help="Number of the first picture.")
@click.option("--pictures", default=24, show_default=True)
def sheet(folder: Path, out: Path, first: int, pictures: int) -> None:
    """Write a contact sheet of made pictures with their labels drawn in."""
    from .sheet import contact_sheet

    cv2.imwrite(str(out), contact_sheet(folder, pictures=pictures, first=first))


@main.command()
@click.argument("recipe_path", metavar="RECIPE", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="calibration/demo")
def clip(recipe_path: Path, out: Path) -> None:
    """Make the demo clip with its truth and its script."""
    from .clip import make_clip, read_clip_recipe

    click.echo(make_clip(read_clip_recipe(recipe_path), out))


@main.command()
@click.argument("recipe_path", metavar="RECIPE", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Default: datasets/pictures/NAME.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--only", type=click.IntRange(1), help="The first so many, without the idle one.")
def rounds(recipe_path: Path, out: Path | None, jobs: int, only: int | None) -> None:
    """Make a recipe's clips of rounds with their truth; clips already there are left alone."""
    from .rounds import make_rounds
    from .rounds_recipe import read_rounds_recipe

    recipe = read_rounds_recipe(recipe_path)
    make_rounds(recipe, out or ROOT / "datasets" / "pictures" / recipe.name, jobs, only)


@main.command()
@click.argument("recipe_path", metavar="RECIPE", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Default: datasets/pictures/NAME.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--only", type=click.IntRange(1), help="The first so many rounds.")
def counting(recipe_path: Path, out: Path | None, jobs: int, only: int | None) -> None:
    """Make a recipe's rounds being counted; rounds already there are left alone."""
    from .counting import make_counting
    from .recipe import read_recipe

    recipe = read_recipe(recipe_path)
    make_counting(recipe, out or ROOT / "datasets" / "pictures" / recipe.name, jobs, only)


@main.command(name="compare-speed")
@click.option("--picture", type=click.Path(path_type=Path), help="Default: the bundled one.")
@click.option("--models", default=ROOT / "models", type=click.Path(path_type=Path))
@click.option("--rounds", default=30, show_default=True, type=click.IntRange(1, 1000))
def compare_speed(picture: Path | None, models: Path, rounds: int) -> None:
    """Time the companion's eyes beside ultralytics' own predict with the same two models."""
    from companion.vision.bench_speed import SPEED_PICTURE

    from . import evaluate

    picture = picture or ROOT / "calibration" / SPEED_PICTURE
    click.echo(evaluate.compare_speed(picture, models, rounds).table())


for command in (*COMMANDS, *JUDGING):
    main.add_command(command)


if __name__ == "__main__":
    try:
        main()
    except CompanionError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
