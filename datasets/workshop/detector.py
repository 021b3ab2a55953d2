"""Trains the detector: a YOLO26-OBB of small width, in stages, narrow and small pictures first.

The last stages go on with a network of twice the width that begins where the narrow one ended.

Ultralytics does the training; here it learns to use a processor's bfloat16, which makes it about
twice as fast on those that have it. Pictures are shrunk to training size once, beforehand.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "true")

import cv2
import torch
from ultralytics import YOLO
from ultralytics.models.yolo.obb import OBBTrainer
from ultralytics.nn.tasks import OBBModel

from companion.errors import BadPicture, NotFound
from datasets.workshop.labels import CLASSES
from datasets.workshop.network import has_bfloat16
from datasets.workshop.pace import rate_share
from datasets.workshop.progress import Progress
from datasets.workshop.widen import widen

LEARNT = {"train*": 1, "close*": 3, "clutter*": 1, "heap*": 1}
"""Folders of pictures that the detector learns from, and how often each counts."""

_RECIPES = Path(__file__).resolve().parent.parent / "recipes"
NARROW = _RECIPES / "detector-yolo26p-obb.yaml"
WIDE = _RECIPES / "detector-yolo26w-obb.yaml"


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training.

    Attributes:
        name: of its folder.
        size_px: side of the square pictures.
        epochs: passes over the pictures.
        rate: peak of the learning rate.
        mosaic: share of pictures put together from four.
        mosaic_off: final epochs without mosaic.
        zoom: pictures are scaled at random, from the first to the second.
        share: of the time, where the training ends by the clock.
        network: the YAML; a stage with another one than the stage before widens its weights.
    """

    name: str
    size_px: int
    epochs: int
    rate: float
    mosaic: float
    mosaic_off: int
    zoom: tuple[float, float]
    share: float
    network: Path = NARROW


STAGES = (
    Stage("small", 416, 9, 2e-3, 0.5, 0, (0.45, 1.9), 0.15),
    Stage("full", 512, 7, 1e-3, 0.3, 2, (0.6, 1.8), 0.20),
    Stage("finish", 544, 4, 7e-4, 0.2, 2, (0.55, 1.8), 0.10),
    Stage("wide", 512, 5, 1e-3, 0.6, 0, (0.55, 1.8), 0.25, WIDE),
    Stage("large", 640, 1, 5e-4, 0.3, 0, (0.5, 1.7), 0.05, WIDE),
    Stage("long", 512, 1, 1.2e-3, 0.4, 0, (0.5, 1.8), 0.10, WIDE),
    Stage("last", 640, 1, 6e-4, 0.15, 0, (0.5, 1.6), 0.15, WIDE),
)
"""Each stage starts from the one before. Some of the blessed detector's own stages saw a part of
the pictures or were cut short by the clock, as its card says.
"""


class HalfPrecisionModel(OBBModel):  # type: ignore[misc]
    """An OBB model that computes in bfloat16 while it is trained."""

    def _predict_once(self, x: torch.Tensor, profile: bool = False, embed: Any = None) -> Any:
        if not self.training:
            return super()._predict_once(x, profile, embed)
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
            answers = super()._predict_once(x, profile, embed)
        return _as_float(answers)


def _as_float(answers: Any) -> Any:
    if isinstance(answers, torch.Tensor):
        return answers.float()
    if isinstance(answers, dict):
        return {name: _as_float(part) for name, part in answers.items()}
    if isinstance(answers, list | tuple):
        return type(answers)(_as_float(part) for part in answers)
    return answers


class CpuTrainer(OBBTrainer):  # type: ignore[misc]
    """Ultralytics' OBB trainer with the memory layout and precision that suit a processor.

    Its passes are long and few, so the learning rate follows every step instead of every pass
    (:func:`set_pace`).
    """

    steps = 0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.add_callback("on_train_epoch_start", _begin_pass)
        self.add_callback("on_train_batch_start", set_pace)

    def get_model(
        self, cfg: Any = None, weights: torch.nn.Module | None = None, verbose: bool = True
    ) -> OBBModel:
        """The model to train, with the weights of the stage before."""
        model = HalfPrecisionModel(cfg, nc=self.data["nc"], ch=self.data["channels"], verbose=False)
        model = self.set_model_names_for_load(model)
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)

    def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The batch as ultralytics makes it, channels last."""
        batch = super().preprocess_batch(batch)
        batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
        return batch


def _begin_pass(trainer: Any) -> None:
    trainer.steps = 0


def set_pace(trainer: Any) -> None:
    """Set the learning rate by how much of the stage is done.

    It follows :func:`datasets.workshop.pace.rate_share` (Loshchilov & Hutter 2017, "SGDR").

    Args:
        trainer: ultralytics' trainer, with ``steps`` of the pass that are done.
    """
    if trainer.args.time:
        done = (time.time() - trainer.train_time_start) / (3600 * trainer.args.time)
    else:
        done = (trainer.epoch + trainer.steps / len(trainer.train_loader)) / trainer.epochs
    done = min(1.0, done)
    trainer.steps += 1
    share = rate_share(done, trainer.args.lrf)
    for group in trainer.optimizer.param_groups:
        group["lr"] = group["initial_lr"] * share


def shrink_pictures(pictures: Path, folder: Path, size_px: int) -> Path:
    """Copy train and val pictures with longest side ``size_px``; those already there are kept.

    Args:
        pictures: the made folders; those that :data:`LEARNT` names are learnt from.
        folder: where the copies go.
        size_px: longest side of a copy.

    Returns:
        The ``data.yaml`` of the copies.

    Raises:
        NotFound: there are no pictures.
        BadPicture: one cannot be decoded.
    """
    for split, folders in (("train", LEARNT), ("val", {"val": 1})):
        sources = [
            (path, copy)
            for name, copies in folders.items()
            for path in sorted(pictures.glob(f"{name}/images/*.jpg"))
            for copy in range(copies)
        ]
        if not sources:
            raise NotFound(f"no pictures in {pictures / split}: make them first (make)")
        progress = Progress(f"{split} at {size_px} px", len(sources))
        for source, copy in sources:
            _shrink(source, folder / split, (size_px, copy))
            progress.step()
    names = "".join(f"  {number}: {name}\n" for number, name in enumerate(CLASSES))
    data = folder / "data.yaml"
    data.write_text(
        f"path: {folder.resolve()}\ntrain: train/images\nval: val/images\nnames:\n{names}",
        encoding="utf-8",
    )
    return data


def _shrink(source: Path, split: Path, size_and_copy: tuple[int, int]) -> None:
    size_px, copy = size_and_copy
    made = source.parent.parent
    name = f"{made.name}-{source.stem}-{copy}"
    target, labels = split / "images" / f"{name}.jpg", made / "labels" / f"{source.stem}.txt"
    if target.exists() or not labels.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    (split / "labels").mkdir(exist_ok=True)
    bgr = cv2.imread(str(source))
    if bgr is None:
        raise BadPicture(f"{source} is no picture")
    scale = size_px / max(bgr.shape[:2])
    if scale < 1:
        bgr = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    shutil.copyfile(labels, split / "labels" / f"{name}.txt")
    cv2.imwrite(str(target), bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])


def train_stage(stage: Stage, data: Path, runs: Path, **options: Any) -> Path:
    """Train one stage; its best weights.

    Args:
        stage: what to do.
        data: the ``data.yaml`` of pictures at the stage's size.
        runs: where the stage's folder goes.
        options: ``start`` (weights to begin with), ``resume``, ``seed``, ``batch``, ``threads``,
            ``hours`` (an end by the clock), ``workers``.
    """
    folder = runs / stage.name
    last = folder / "weights" / "last.pt"
    hours = options.get("hours")
    torch.set_num_threads(options.get("threads", 2))
    if options.get("resume") and last.exists():
        model = YOLO(str(last), task="obb")
        model.train(trainer=CpuTrainer, resume=True)
        return folder / "weights" / "best.pt"
    model = YOLO(str(options.get("start") or stage.network), task="obb")
    model.train(
        trainer=CpuTrainer,
        data=str(data),
        project=str(runs.resolve()),
        name=stage.name,
        exist_ok=True,
        device="cpu",
        imgsz=stage.size_px,
        epochs=stage.epochs,
        time=hours * stage.share if hours else None,
        batch=options.get("batch", 16),
        nbs=options.get("batch", 16),
        workers=options.get("workers", 1),
        seed=options.get("seed", 1),
        lr0=stage.rate,
        **_FIXED,
        mosaic=stage.mosaic,
        close_mosaic=stage.mosaic_off,
        scale=stage.zoom,
    )
    return folder / "weights" / "best.pt"


_FIXED: dict[str, Any] = {
    "optimizer": "AdamW",
    "momentum": 0.9,
    "weight_decay": 0.01,
    "lrf": 0.02,
    "warmup_epochs": 0.0,
    "amp": False,
    "plots": False,
    "degrees": 180.0,
    "translate": 0.1,
    "fliplr": 0.0,
    "flipud": 0.0,
    "hsv_h": 0.01,
    "hsv_s": 0.4,
    "hsv_v": 0.35,
    "deterministic": False,
}
"""A mirrored card or one of another hue is another card: neither is allowed."""


def train_detector(
    pictures: Path, runs: Path, stages: Sequence[Stage] = STAGES, **options: Any
) -> Path:
    """Train all stages, each from the best weights of the one before; finished ones are kept.

    Args:
        pictures: folder with ``train`` and ``val`` as the scene generator writes them.
        runs: where shrunk pictures, checkpoints and logs go.
        stages: what to do.
        options: as for :func:`train_stage`.

    Returns:
        The last stage's best weights.
    """
    start: Path | None = None
    network = stages[0].network
    for stage in stages:
        done = runs / stage.name / "done"
        if not done.exists():
            if start and stage.network != network:
                start = widen(start, stage.network, runs / stage.name / "start.pt")
            data = shrink_pictures(pictures, runs / f"pictures-{stage.size_px}", stage.size_px)
            best = train_stage(stage, data, runs, start=start, **options)
            done.write_text(f"{best}\n", encoding="utf-8")
        start, network = runs / stage.name / "weights" / "best.pt", stage.network
    assert start is not None
    return start
