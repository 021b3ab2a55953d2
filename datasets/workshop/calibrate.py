"""Fits how far the eyes' scores can be trusted, on validation tables that no training has seen.

A logistic regression first, over what :func:`companion.vision.trust.features_of` knows of a report;
then isotonic regression on its score, so that what is said is what comes true. The threshold from
which on a report is sure is the lowest at which the wanted share of the reports of our cards above
it is right.
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

KNOTS = 6
LEAST_REPORTS = 50
_STEADY = 1.0
_STEPS = 40
_EDGE = 0.002
SURE_BETWEEN = (0.5, 0.98)


@dataclass(frozen=True, slots=True)
class Reports:
    """Reports and whether they were right.

    Attributes:
        features: shape (n, 3).
        right: shape (n,), 0 or 1.
        ours: shape (n,): whether one of our cards, at least half in sight, lies there.
    """

    features: Floats
    right: Floats
    ours: npt.NDArray[np.bool_]


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
        ours=np.array([trial.ours for trial in trials]),
    )


def fit(reports: Reports, wanted_right: float = 0.995) -> Calibration:
    """The calibration that fits some reports.

    Args:
        reports: at least fifty, right and wrong ones among them.
        wanted_right: share of the sure reports of our cards that is to be right.

    Raises:
        BadInput: there are too few reports to fit anything.
    """
    right = reports.right
    if len(right) < LEAST_REPORTS or not 0 < right.sum() < len(right):
        raise BadInput(
            f"calibrating wants {LEAST_REPORTS} reports or more, right and wrong ones: "
            f"got {len(right)}, {int(right.sum())} of them right"
        )
    weights = fit_logistic(reports.features, right)
    raw = 1.0 / (1.0 + np.exp(-(weights[0] + reports.features @ weights[1:])))
    score, rate = isotonic_knots(raw, right)
    plain = Calibration(
        tuple(map(_short, weights)), tuple(map(_short, score)), tuple(map(_short, rate)), sure=1.0
    )
    # An invention is no better for being unsure; it is for the detector to leave it out.
    chances = plain.chances(reports.features[reports.ours])
    sure = sure_from(chances, right[reports.ours], wanted_right)
    return Calibration(plain.weights, plain.score, plain.right, sure)


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


def isotonic_knots(raw: Floats, right: Floats, knots: int = KNOTS) -> tuple[Floats, Floats]:
    """Mean score and share right of groups of like size, made rising; the ends are added.

    Returns:
        Scores and shares at the knots, both rising from near 0 to near 1.
    """
    order = np.argsort(raw, kind="stable")
    groups = [part for part in np.array_split(order, knots) if len(part)]
    # One wrong and one right report more in each group: none is ever surely right or wrong.
    blocks = [
        (float(raw[part].mean()), float(right[part].sum()) + 0.5, len(part) + 1.0)
        for part in groups
    ]
    merged: list[tuple[float, float, float]] = []
    for block in blocks:
        merged.append(block)
        while len(merged) > 1 and _rate(merged[-2]) >= _rate(merged[-1]):
            late, early = merged.pop(), merged.pop()
            count = early[2] + late[2]
            middle = (early[0] * early[2] + late[0] * late[2]) / count
            merged.append((middle, early[1] + late[1], count))
    score = np.array([0.0, *(min(1 - _EDGE / 2, max(_EDGE / 2, b[0])) for b in merged), 1.0])
    rate = np.array([_EDGE, *map(_rate, merged), max(1.0 - _EDGE, _rate(merged[-1]))])
    keep = np.concatenate([[True], np.diff(np.round(score, 5)) > 0])
    return score[keep], np.maximum.accumulate(rate[keep])


def _rate(block: tuple[float, float, float]) -> float:
    return block[1] / block[2]


def sure_from(chances: Floats, right: Floats, wanted_right: float) -> float:
    """The lowest threshold above which the wanted share is right, within bounds."""
    order = np.argsort(-chances, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(shares >= wanted_right)
    low, high = SURE_BETWEEN
    threshold = float(chances[order][good[-1]]) if len(good) else high
    return round(min(high, max(low, threshold)), 4)


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
