"""Puts trained weights among the models: ONNX, temperatures, scores, and the manifest's entry."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import torch

from datasets.workshop.export import (
    Entry,
    closer_facts,
    detector_facts,
    export_checker,
    export_closer,
    export_detector,
    export_reader,
    name_in_manifest,
    reader_facts,
)
from datasets.workshop.handed import fit_handed, handed_cuts, score_handed
from datasets.workshop.network import build_reader
from datasets.workshop.reader_scores import fit_temperatures, score_reader
from datasets.workshop.shards import load_all

DETECTOR_INPUT_PX = 640
DETECTOR_GLANCE_PX = 320
DETECTOR_THRESHOLD = 0.03
CHECKER_BLEND = (0.0, 0.4, 0.7)
CHECKER_AGAIN = (-1.0, 0.8, 0.2, 0.5)
CHECKER_THRESHOLD = 0.10
CHECKER_ENOUGH = 0.75
READER_SURE = 0.80
READER_AGAIN = 0.97
READER_STRANGE = 0.2
CLOSER_FROM_PX = 50.0
CLOSER_BELOW = 0.90
CLOSER_WEIGHTS = (0.4, 0.8)


def bless_detector(weights: Path, models: Path, input_px: int = DETECTOR_INPUT_PX) -> None:
    """Export a detector's ``best.pt`` into ``models`` and name it in the manifest."""
    target = models / "detector.onnx"
    models.mkdir(parents=True, exist_ok=True)
    export_detector(weights, target)
    facts = detector_facts(
        input_px,
        DETECTOR_THRESHOLD,
        glance=DETECTOR_GLANCE_PX,
        recipe=f"stages up to {weights.parent.parent.name!r}, seed 1",
        scores=_last_scores(weights),
    )
    name_in_manifest(Entry("detector", target, facts))


def _last_scores(weights: Path) -> dict[str, float]:
    """The scores on the val pictures that ultralytics noted at the end of the run."""
    log = weights.parent.parent / "results.csv"
    if not log.exists():
        return {}
    with log.open(encoding="utf-8") as lines:
        rows = [{key.strip(): value for key, value in row.items()} for row in csv.DictReader(lines)]
    wanted = {"val_map50": "metrics/mAP50(B)", "val_map50_95": "metrics/mAP50-95(B)"}
    return {name: round(max(float(row[key]) for row in rows), 4) for name, key in wanted.items()}


def bless_checker(checkpoint: Path, models: Path) -> None:
    """Export a checker into ``models`` and name it in the manifest."""
    target = models / "checker.onnx"
    export_checker(checkpoint, target)
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    facts = {
        "blend": list(CHECKER_BLEND),
        "again": list(CHECKER_AGAIN),
        "threshold": CHECKER_THRESHOLD,
        "enough": CHECKER_ENOUGH,
        "recipe": f"seed {state['recipe']['seed']}, {state['steps']} steps",
        "scores": state["scores"],
    }
    name_in_manifest(Entry("checker", target, facts))


def _reader_recipe(state: dict[str, Any]) -> str:
    last = f"seed {state['recipe']['seed']}, {state['seen_cuts']} cuts"
    return f"mean of two runs, the later one {last}" if "mean_of" in state else last


def bless_reader(checkpoint: Path, cuts: Path, models: Path) -> None:
    """Export a reader's averaged weights.

    Temperatures are fitted to the val cuts, and what tells a mirrored card to the training cuts.

    Args:
        checkpoint: as training keeps it.
        cuts: folder with ``train`` and ``val``.
        models: where the ONNX file and the manifest go.
    """
    target = models / "reader.onnx"
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    network = build_reader(state).eval()
    handed = fit_handed(network, handed_cuts(cuts / "train"))
    export_reader(network, handed, target)
    val = load_all(cuts / "val")
    scores = {f"val_{name}": score for name, score in score_reader(network, val).items()}
    scores["val_handed"] = score_handed(network, handed, val)
    facts = reader_facts(
        fit_temperatures(network, val),
        READER_SURE,
        again=READER_AGAIN,
        strange=READER_STRANGE,
        recipe=_reader_recipe(state),
        scores=scores,
    )
    name_in_manifest(Entry("reader", target, facts))


def bless_closer(checkpoint: Path, cuts: Path, models: Path) -> None:
    """Export the averaged weights of a reader that looks closer.

    Args:
        checkpoint: as training keeps it.
        cuts: folder with ``val``, of larger cuts.
        models: where the ONNX file and the manifest go.
    """
    target = models / "closer.onnx"
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    network = build_reader(state).eval()
    export_closer(network, target)
    val = load_all(cuts / "val")
    facts = closer_facts(
        fit_temperatures(network, val),
        **{"from": CLOSER_FROM_PX, "below": CLOSER_BELOW, "weights": CLOSER_WEIGHTS},
        recipe=_reader_recipe(state),
        scores={f"val_{name}": score for name, score in score_reader(network, val).items()},
    )
    name_in_manifest(Entry("closer", target, facts))
