"""Whether scores can be trusted: how often reports are right, by score and by how many are kept.

A *trial* is one report that names a card. It is right when that very card lies there; an invention
and a stranger taken for a card are wrong, whatever they look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.vision.score import HALF_IN_SIGHT, TrueCard, pair
from companion.vision.values import Sighting

BINS = 10
WANTED_COVERAGE = 0.95
COVERAGES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Trial:
    """One report.

    Attributes:
        score: the probability that it claims for its card.
        right: whether that card lies there.
        ours: whether one of our cards, at least half in sight, lies there.
    """

    score: float
    right: bool
    ours: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """The reports of one tenth of scores.

    Attributes:
        low: from which score on.
        count: how many reports.
        predicted: their mean score.
        right: share of them that is right.
    """

    low: float
    count: int
    predicted: float
    right: float


@dataclass(frozen=True, slots=True)
class Kept:
    """What is right when only the clearest reports are used.

    Attributes:
        coverage: share of our found cards that are used.
        from_score: the score from which on they are.
        right: share of the used ones of our cards that is right.
        right_all: the same with inventions and strangers counted in as wrong.
    """

    coverage: float
    from_score: float
    right: float
    right_all: float


def trials_of(cards: Sequence[TrueCard], sightings: Sequence[Sighting]) -> tuple[Trial, ...]:
    """The reports of one picture; what names no card is none, unless one of ours lies there."""
    pairs = pair([card.quad_px for card in cards], [seen.quad_px for seen in sightings])
    there = {other: cards[index] for index, other in pairs.items()}
    trials: list[Trial] = []
    for other, seen in enumerate(sightings):
        true = there.get(other)
        best = seen.reading.best
        ours = true is not None and true.card is not None and true.visible >= HALF_IN_SIGHT
        if best is not None or ours:
            right = best is not None and true is not None and best == true.card
            trials.append(Trial(seen.reading.score, right, ours))
    return tuple(trials)


def reliability(trials: Sequence[Trial]) -> tuple[Bin, ...]:
    """Predicted and true share of right reports in each tenth of scores that has any.

    >>> [one] = reliability([Trial(0.92, True, True), Trial(0.98, True, True)])
    >>> one.low, one.count, round(one.predicted, 2), one.right
    (0.9, 2, 0.95, 1.0)
    """
    tenths: dict[int, list[Trial]] = {}
    for trial in trials:
        tenths.setdefault(min(BINS - 1, int(trial.score * BINS)), []).append(trial)
    return tuple(
        Bin(
            low=tenth / BINS,
            count=len(inside),
            predicted=sum(trial.score for trial in inside) / len(inside),
            right=sum(trial.right for trial in inside) / len(inside),
        )
        for tenth, inside in sorted(tenths.items())
    )


def expected_error(bins: Sequence[Bin]) -> float:
    """Mean gap between predicted and true share over all reports (ECE)."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.predicted - one.right) for one in bins) / max(1, total)


def abstention(trials: Sequence[Trial], coverages: Sequence[float] = COVERAGES) -> tuple[Kept, ...]:
    """How right the clearest reports are, for shares of our found cards that are kept."""
    ordered = sorted(trials, key=lambda trial: -trial.score)
    ours = sum(trial.ours for trial in ordered)
    return tuple(_kept(ordered, share, ours) for share in coverages) if ours else ()


def _kept(ordered: Sequence[Trial], coverage: float, ours: int) -> Kept:
    kept = max(1, round(coverage * ours))
    places = [place for place, trial in enumerate(ordered, start=1) if trial.ours]
    used = ordered[: places[kept - 1]]
    right_ours = sum(trial.right for trial in used if trial.ours)
    return Kept(
        coverage=kept / ours,
        from_score=used[-1].score,
        right=right_ours / kept,
        right_all=sum(trial.right for trial in used) / len(used),
    )


def trust_to_json(trials: Sequence[Trial]) -> dict[str, Any]:
    """Every figure, for machines."""
    bins = reliability(trials)
    return {
        "reports": len(trials),
        "expected_error": expected_error(bins),
        "reliability": [
            {"low": b.low, "count": b.count, "predicted": b.predicted, "right": b.right}
            for b in bins
        ],
        "abstention": [
            {
                "coverage": k.coverage,
                "from_score": k.from_score,
                "right": k.right,
                "right_all": k.right_all,
            }
            for k in abstention(trials)
        ],
    }


def trust_table(folder: str, trials: Sequence[Trial]) -> str:
    """Both tables of one folder, for people."""
    bins = reliability(trials)
    lines = [f"{folder}: how far scores can be trusted ({len(trials)} reports)"]
    lines.append(f"  {'score':<12}{'reports':>9}{'said':>9}{'right':>9}{'gap':>9}")
    lines += [
        f"  {b.low:.1f}-{b.low + 1 / BINS:.1f}     {b.count:>9}{b.predicted:>9.3f}{b.right:>9.3f}"
        f"{b.right - b.predicted:>+9.3f}"
        for b in bins
    ]
    lines.append(f"  mean gap {expected_error(bins):.3f}")
    lines.append(f"  {'used':<12}{'from':>9}{'right':>9}{'right*':>9}")
    lines += [
        f"  {k.coverage:<12.3f}{k.from_score:>9.3f}{k.right:>9.4f}{k.right_all:>9.4f}"
        for k in abstention(trials)
    ]
    lines.append("  used: of our found cards; right*: inventions and strangers counted as wrong")
    return "\n".join(lines)
