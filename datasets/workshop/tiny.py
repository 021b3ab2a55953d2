"""All trainings in a minute: a few made pictures, a few steps, export, and a look at a picture.

The models know nothing; what is shown is that the whole way from recipe to runtime works.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch

from companion.vision.pipeline import load_pipeline
from companion.vision.values import Frame
from datasets.workshop.bless import bless_checker, bless_closer, bless_reader
from datasets.workshop.checker import CheckerRecipe, CheckerTraining, load_samples
from datasets.workshop.checking import make_samples
from datasets.workshop.cutting import CutRecipe, make_cuts
from datasets.workshop.detector import Stage, train_detector
from datasets.workshop.export import (
    Entry,
    detector_facts,
    export_detector,
    name_in_manifest,
)
from datasets.workshop.generate import make_pictures
from datasets.workshop.network import reader_of
from datasets.workshop.reader import LAST, ReaderRecipe, ReaderTraining, Sources
from datasets.workshop.recipe import Recipe
from datasets.workshop.scene_cuts import cut_pictures
from datasets.workshop.shards import load_all

_STAGE = Stage("tiny", 160, 1, 1e-3, 0.5, 1, (0.7, 1.3), 1.0)


def train_tiny(recipe: Recipe, folder: Path) -> Path:
    """Make, train, export and run once, all in ``folder``; the folder of the models.

    Args:
        recipe: a dozen small pictures.
        folder: where everything goes; a second run goes on with what is there.
    """
    pictures, cuts, models = folder / "pictures", folder / "cuts", folder / "models"
    models.mkdir(parents=True, exist_ok=True)
    make_pictures(recipe, pictures / "train", jobs=1)
    make_pictures(replace(recipe, seed=recipe.seed + 1, pictures=6), pictures / "val", jobs=1)
    for split in ("train", "val"):
        make_cuts(CutRecipe(split, 1, 96), cuts / split)
        cut_pictures(pictures / split, cuts / split)
        large = CutRecipe(split, 1, 32, covered=True, close=True)
        make_cuts(large, cuts / "close" / split)
    _tiny_reader(cuts, folder / "reader", models)
    _tiny_closer(cuts / "close", folder / "reader" / LAST, models)
    best = train_detector(pictures, folder / "detector", (_STAGE,), threads=2, workers=0, batch=4)
    target = models / "detector.onnx"
    export_detector(best, target)
    name_in_manifest(Entry("detector", target, detector_facts(160, 0.05, recipe=recipe.name)))
    make_samples(pictures / "train", models, cuts / "check")
    CheckerTraining(CheckerRecipe(), folder / "checker", 0.1).run(load_samples(cuts / "check"))
    bless_checker(folder / "checker" / LAST, models)
    _look(models, next((pictures / "val" / "images").glob("*.jpg")))
    return models


def _tiny_reader(cuts: Path, runs: Path, models: Path) -> None:
    torch.set_num_threads(2)
    training = ReaderTraining(ReaderRecipe(total_cuts=128, batch=32), runs)
    training.run(Sources(cuts / "train", {"val": load_all(cuts / "val")}))
    bless_reader(runs / LAST, cuts, models)


def _tiny_closer(cuts: Path, start: Path, models: Path) -> None:
    runs = start.parent.with_name("closer")
    training = ReaderTraining(ReaderRecipe(total_cuts=32, batch=16), runs)
    training.look_closer_than(start)
    training.run(Sources(cuts / "train", {"val": load_all(cuts / "val")}, reader_of(start)))
    bless_closer(runs / LAST, cuts, models)


def _look(models: Path, picture: Path) -> None:
    """Run the models as the companion does, once on what was found and once on a fixed quad."""
    pipeline = load_pipeline(models_dir=models)
    bgr = np.asarray(cv2.imread(str(picture)), np.uint8)
    pipeline.see(Frame(bgr, 0.0))
    found = pipeline.detector.find(bgr)
    reader = pipeline.reader
    quads = [card.quad_px for card in found[:8]]
    quads.append(((10.0, 10.0), (60.0, 10.0), (60.0, 80.0), (10.0, 80.0)))
    readings = reader.read(bgr, quads)
    print(f"found {len(found)}, read {len(readings)}: models work in {models}")
