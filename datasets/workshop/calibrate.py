"""Fits how far the eyes' scores can be trusted, on validation tables that no training has seen.

A report is right less often than the reader says, since it may also be of a quad that lies askew,
or of nothing. A logistic regression says how much less; what was sure stays sure, by another
number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.errors import BadInput
from companion.vision.bench_labels import load_labels
from companion.vision.bench_trust import Trial, trials_of
from companion.vision.manifest import MANIFEST
from companion.vision.pictures import read_image
from companion.vision.pipeline import Pipeline
from companion.vision.trust import Calibration, features_of
from companion.vision.values import Frame

Floats = npt.NDArray[np.float64]

LEAST_REPORTS = 50
_STEADY = 1.0
_STEPS = 40


@dataclass(frozen=True, slots=True)
class Reports:
    """Reports and whether they were right.

    Attributes:
        features: shape (n, 3).
        right: shape (n,), 0 or 1.
    """

    features: Floats
    right: Floats


def gather(
    pipeline: Pipeline, folder: Path, progress: Callable[[int, int], None] | None = None
) -> Reports:
    """Look at every picture of a folder; the pipeline must have no calibration.

    Raises:
        BadInput: the pipeline is calibrated already.
    """
    if pipeline.calibration is not None:
        raise BadInput("calibrating wants eyes without a calibration")
    pictures = load_labels(folder)
    features: list[Floats] = []
    trials: list[Trial] = []
    for done, picture in enumerate(pictures, start=1):
        view = pipeline.see(Frame(read_image(picture.path), 0.0))
        named = [seen for seen in view.sightings if seen.reading.best is not None]
        features.append(features_of(named))
        trials += trials_of(picture.cards, named)
        if progress:
            progress(done, len(pictures))
    return Reports(
        features=np.concatenate(features),
        right=np.array([trial.right for trial in trials], dtype=np.float64),
    )


def fit(reports: Reports, sure: float) -> Calibration:
    """The calibration that fits some reports (Platt 1999): nothing is sure that was not so before.

    It rests on the reader's probability alone, so that the reports keep their order. The detector's
    score and the card's size were tried beside it, and steps of isotonic regression on top: at 95 %
    coverage no more was right, and other pictures' tenths lay no nearer to what was said.

    Args:
        reports: at least fifty, right and wrong ones among them.
        sure: the probability from which on the reader's word was used without asking.

    Raises:
        BadInput: there are too few reports to fit anything.
    """
    right = reports.right
    if len(right) < LEAST_REPORTS or not 0 < right.sum() < len(right):
        raise BadInput(
            f"calibrating wants {LEAST_REPORTS} reports or more, right and wrong ones: "
            f"got {len(right)}, {int(right.sum())} of them right"
        )
    offset, slope = map(_short, fit_logistic(reports.features[:, :1], right))
    others = [0.0] * (reports.features.shape[1] - 1)
    logit = float(np.log(sure / (1.0 - sure)))
    still_sure = _short(1.0 / (1.0 + np.exp(-(offset + slope * logit))))
    return Calibration((offset, slope, *others), (0.0, 1.0), (0.0, 1.0), still_sure)


def _short(number: float) -> float:
    return round(float(number), 5)


def fit_logistic(features: Floats, right: Floats) -> Floats:
    """Weights of 1 and of each feature, shape (1 + k,), by Newton's method, a little held back."""
    rows = np.column_stack([np.ones(len(features)), features])
    weights = np.zeros(rows.shape[1])
    held = np.diag([0.0] + [_STEADY] * features.shape[1])
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - right) + held @ weights
        bend = (rows * (chance * (1.0 - chance))[:, None]).T @ rows + held
        weights = weights - np.linalg.solve(bend, slope)
    return np.asarray(weights, dtype=np.float64)


def write_calibration(models: Path, calibration: Calibration, recipe: str) -> None:
    """Put ``[calibration]`` at the manifest's end, in place of an earlier one."""
    path = models / MANIFEST
    text = path.read_text(encoding="utf-8")
    kept = text.split("\n[calibration]", 1)[0].rstrip("\n")
    facts: dict[str, Sequence[float] | float] = {
        "weights": calibration.weights,
        "score": calibration.score,
        "right": calibration.right,
        "sure": calibration.sure,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in facts.items()]
    table = "\n".join(["[calibration]", *lines, f'recipe = "{recipe}"'])
    draft = path.with_suffix(".draft")
    draft.write_text(f"{kept}\n\n{table}\n", encoding="utf-8")
    draft.replace(path)


def _toml(value: Sequence[float] | float) -> str:
    return repr(value) if isinstance(value, float) else repr([*map(float, value)])
