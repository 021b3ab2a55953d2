"""Recipes: what a file may say, and a folder that goes on where it was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadInput
from datasets.workshop.generate import make_pictures
from datasets.workshop.recipe import Recipe, folders_of, read_recipe

RECIPES = Path(__file__).resolve().parents[2] / "datasets" / "recipes"
MADE = (
    "detector",
    "detector-b",
    "detector-c",
    "close",
    "clutter",
    "heap",
    "heap-b",
    "deck-a",
    "table-a",
    "clutter-b",
    "table-b",
    "val",
    "test",
)
"""What ``make dataset`` makes."""

NAMES = (*MADE, "tiny")


@pytest.mark.parametrize("name", NAMES)
def test_the_recipes_of_the_house_can_be_read(name: str) -> None:
    assert read_recipe(RECIPES / f"{name}.toml").pictures > 0


def test_no_two_recipes_share_a_seed() -> None:
    seeds = [read_recipe(RECIPES / f"{n}.toml").seed for n in NAMES]
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            'name = "a"\nsplit = "train"\nseed = 1\npictures = 1\nclutterr = 1.0',
            "did you mean clutter",
        ),
        ('name = "a"\nsplit = "train"\nseed = 1', "needs 'pictures'"),
        ('name = "a"\nsplit = "mine"\nseed = 1\npictures = 1', "train, val, test"),
        ('name = "a"\nsplit = "val"\nseed = 1\npictures = 0', "at least one picture"),
        ("name = ", "is no TOML"),
    ],
)
def test_a_wrong_recipe_is_one_line_that_says_what_was_wanted(
    tmp_path: Path, text: str, wanted: str
) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=wanted):
        read_recipe(path)


def test_a_missing_recipe_says_what_was_wanted(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="wanted a TOML file"):
        read_recipe(tmp_path / "none.toml")


def small(seed: int = 3) -> Recipe:
    return Recipe(
        "small", "train", seed, 3, pictures_a_deck=2, sizes=((240, 160, 1.0),), cards=(1, 3)
    )


def test_a_killed_run_goes_on_and_ends_with_the_same_labels(tmp_path: Path) -> None:
    make_pictures(small(), tmp_path, jobs=1)
    whole = (tmp_path / "labels.jsonl").read_bytes()
    kept, lost = ((tmp_path / f"images/00000{n}.jpg").read_bytes() for n in (0, 2))
    (tmp_path / "parts/000002.jsonl").unlink()
    (tmp_path / "images/000002.jpg").write_bytes(b"half a pict")
    make_pictures(small(), tmp_path, jobs=1)
    assert (tmp_path / "labels.jsonl").read_bytes() == whole
    assert (tmp_path / "images/000000.jpg").read_bytes() == kept
    assert (tmp_path / "images/000002.jpg").read_bytes() == lost
    assert len(whole.splitlines()) == 3


def test_a_folder_of_another_recipe_is_left_alone(tmp_path: Path) -> None:
    make_pictures(small(), tmp_path, jobs=1)
    with pytest.raises(BadInput, match="another recipe"):
        make_pictures(small(seed=4), tmp_path, jobs=1)


def test_each_recipe_makes_a_folder_that_its_split_finds(tmp_path: Path) -> None:
    makefile = (RECIPES.parents[1] / "Makefile").read_text(encoding="utf-8")
    assert f"PICTURES ?= {' '.join(MADE)}\n" in makefile
    recipes = [read_recipe(RECIPES / f"{name}.toml") for name in MADE]
    for recipe in recipes:
        (tmp_path / recipe.name).mkdir()
        (tmp_path / recipe.name / "labels.jsonl").touch()
    (tmp_path / "heap-half-made").mkdir()

    for split in ("train", "val", "test"):
        wanted = {recipe.name for recipe in recipes if recipe.split == split}
        assert {folder.name for folder in folders_of(tmp_path, split)} == wanted
