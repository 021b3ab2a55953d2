"""Makes a reading's score a probability that can be trusted: fitted once, on validation tables.

The reader is asked about cuts, but what is reported is a card on a table: it may also be wrong
because nothing lies there, or because the detector cut the card askew. How often a report is right
follows from the reader's probability, the detector's score and the card's size;
``python -m datasets.workshop calibrate`` fits how, and writes it into the manifest::

    [calibration]
    weights = [0.4, 0.9, 0.3, 0.2]  # of 1 and the three features, in logits
    score = [0.0, 0.5, 1.0]         # logistic score at the knots, rising
    right = [0.0, 0.4, 1.0]         # how often reports of that score are right
    sure = 0.9                      # a report may be used without asking from here on

>>> plain = Calibration((0.0, 1.0, 0.0, 0.0), (0.0, 1.0), (0.0, 1.0), sure=0.9)
>>> round(float(plain.chances(np.array([[0.0, 5.0, 5.0]]))[0]), 3)
0.5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.errors import ModelError
from companion.vision.corners import as_corners, sides_px
from companion.vision.values import Reading, Sighting

TOO_SMALL_PX = 14.0
"""A card whose short side is shorter than this is never read for sure."""

FEATURES = 3
_USUAL_PX = 50.0
_LOGIT_EDGE = 1e-4

Floats = npt.NDArray[np.float64]


def features_of(sightings: Sequence[Sighting]) -> Floats:
    """What a report's trust follows from, shape (n, 3).

    Logit of the best card's probability, logit of the detector's score, short side in doublings of
    50 px.
    """
    rows = [
        (
            _logit(one.reading.score),
            _logit(one.found),
            float(np.log2(max(1.0, short_px(one)) / _USUAL_PX)),
        )
        for one in sightings
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, FEATURES)


def short_px(sighting: Sighting) -> float:
    """The shorter side of a card in the picture."""
    return min(sides_px(as_corners(sighting.quad_px)))


def _logit(chance: float) -> float:
    kept = min(1.0 - _LOGIT_EDGE, max(_LOGIT_EDGE, chance))
    return float(np.log(kept / (1.0 - kept)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often reports are right.

    Attributes:
        weights: of 1 and each feature, in logits.
        score: the logistic score at the knots, rising.
        right: how often reports with that score are right; it never falls.
        sure: from which probability on a report may be used without asking.
    """

    weights: tuple[float, ...]
    score: tuple[float, ...]
    right: tuple[float, ...]
    sure: float

    def __post_init__(self) -> None:
        if len(self.weights) != 1 + FEATURES:
            raise ModelError(f"calibration: wanted {1 + FEATURES} weights, got {self.weights}")
        if len(self.score) != len(self.right) or len(self.score) < 2:
            raise ModelError("calibration: wanted score and right of one length, two or more")
        if any(b <= a for a, b in pairwise(self.score)) or any(
            b < a for a, b in pairwise(self.right)
        ):
            raise ModelError("calibration: score must rise, right must not fall")
        if any(not 0.0 <= x <= 1.0 for x in (*self.score, *self.right, self.sure)):
            raise ModelError("calibration: score, right and sure lie between 0 and 1")

    def chances(self, features: Floats) -> Floats:
        """The probability that each report is right, for features of shape (n, 3)."""
        logits = np.array(self.weights[0] + features @ np.array(self.weights[1:]))
        raw = 1.0 / (1.0 + np.exp(-logits))
        return np.asarray(np.interp(raw, self.score, self.right), dtype=np.float64)

    def trust(self, sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
        """The same sightings with scores, and ``sure``, that can be trusted; guesses stay."""
        chances = self.chances(features_of(sightings))
        return tuple(
            replace(one, reading=self._trusted(one, float(chance)))
            for one, chance in zip(sightings, chances, strict=True)
        )

    def _trusted(self, sighting: Sighting, chance: float) -> Reading:
        before = sighting.reading
        if not before.options:
            return before
        # What the best card loses or gains is taken from or given to the others as they were.
        rest, factor = 1.0 - before.score, 1.0
        if rest > 0:
            factor = (1.0 - chance) / rest
        others = ((card, min(chance, factor * was)) for card, was in before.options[1:])
        return Reading(
            options=((before.options[0][0], chance), *others),
            sure=chance >= self.sure and short_px(sighting) >= TOO_SMALL_PX,
            stranger=min(1.0, factor * before.stranger),
        )


def calibration_of(table: Mapping[str, Any]) -> Calibration:
    """The manifest's ``[calibration]``.

    Raises:
        ModelError: it is not as described above.
    """
    try:
        return Calibration(
            weights=tuple(map(float, table["weights"])),
            score=tuple(map(float, table["score"])),
            right=tuple(map(float, table["right"])),
            sure=float(table["sure"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"calibration: wanted weights, score, right, sure: {error!r}") from None
