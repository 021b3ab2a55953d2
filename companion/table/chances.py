"""How likely each answer to several open cards is, where no card exists more often than it does.

Two readings that are each torn between a red and an orange 5 answer each other: whatever the one
is, the other is not. All such answers together are weighed here, one open card after the other.

>>> options = {"R5": 0.6, "O5": 0.4}
>>> both = marginals([options, options], {"R5": 1, "O5": 1})
>>> [round(chance, 2) for chance in both[0].values()]
[0.5, 0.5]
>>> [round(chance, 2) for chance in marginals([options], {"R5": 0, "O5": 1})[0].values()]
[0.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=Hashable)

_MOST_STATES = 2000
_HARDLY = 1e-9
_UNBOUND = -1
_TINIEST = float(np.finfo(np.float64).tiny)


def marginals(entries: Sequence[Mapping[T, float]], room: Mapping[T, int]) -> list[dict[T, float]]:
    """The probability of each answer to each entry, all of them weighed together.

    Args:
        entries: the answers that each entry leaves open, with their weights.
        room: how many copies of each answer are free; one that is not named has no bound.

    Returns:
        For each entry the same answers with probabilities that add up to 1; all 0 where no
        answers to all the entries fit together.
    """
    found: list[dict[T, float]] = [dict.fromkeys(entry, 0.0) for entry in entries]
    for group in _groups(entries, room):
        chosen = [entries[place] for place in group]
        for place, chances in zip(group, _weighed(chosen, room), strict=True):
            found[place] = chances
    return found


def _groups(entries: Sequence[Mapping[T, float]], room: Mapping[T, int]) -> list[list[int]]:
    """Entries that vie for a card belong together; the others need not be weighed together."""
    groups: list[tuple[set[T], list[int]]] = []
    for place, entry in enumerate(entries):
        own, members = {answer for answer in entry if answer in room}, [place]
        apart = []
        for answers, places in groups:
            if answers & own:
                own, members = own | answers, places + members
            else:
                apart.append((answers, places))
        groups = [*apart, (own, members)]
    return [sorted(members) for _, members in groups]


def _weighed(entries: Sequence[Mapping[T, float]], room: Mapping[T, int]) -> list[dict[T, float]]:
    """Forwards and backwards over what is still free: exact, but for what is hardly possible."""
    bounded = sorted({a for entry in entries for a in entry if a in room}, key=str)
    place_of = {answer: place for place, answer in enumerate(bounded)}
    begin = np.array([[max(0, room[answer]) for answer in bounded]], np.int64)
    now, steps = _Layer(begin, np.ones(1)), []
    for entry in entries:
        places = np.array([place_of.get(answer, _UNBOUND) for answer in entry], np.intp)
        step, now = _step(now, places, np.array(list(entry.values()), np.float64))
        steps.append(step)
    behind: npt.NDArray[np.float64] = np.ones(len(now.weights))
    found: list[dict[T, float]] = []
    for entry, step in zip(reversed(entries), reversed(steps), strict=True):
        ahead = behind[step.targets] * step.chances
        told = np.bincount(step.options, step.weights[step.sources] * ahead, len(entry))
        behind = np.bincount(step.sources, ahead, len(step.weights)).astype(np.float64)
        total = float(told.sum())
        shares = told / total if total else told
        found.append({a: float(share) for a, share in zip(entry, shares, strict=True)})
    return found[::-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """What may be free after some entries: rows of copies (n, answers), and their weights (n,)."""

    free: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """The ways from one layer to the next, each an answer to one entry.

    Attributes:
        weights: of the layer's rows.
        sources: row of each way in the layer.
        options: which answer it is.
        chances: of that answer.
        targets: row in the next layer.
    """

    weights: npt.NDArray[np.float64]
    sources: npt.NDArray[np.intp]
    options: npt.NDArray[np.intp]
    chances: npt.NDArray[np.float64]
    targets: npt.NDArray[np.intp]


def _step(
    now: _Layer, places: npt.NDArray[np.intp], chances: npt.NDArray[np.float64]
) -> tuple[_Step, _Layer]:
    """Answer one entry in every way; what is free alike then is one row of the next layer."""
    bound = places != _UNBOUND
    fits = np.tile(chances > 0, (len(now.weights), 1))
    fits[:, bound] &= now.free[:, places[bound]] > 0
    sources, options = np.nonzero(fits)
    # Rows are told apart by sums of random marks, as positions are in chess (Zobrist 1970).
    dice = np.random.default_rng(1970)
    marks = np.asarray(dice.integers(1, 2**62, size=now.free.shape[1]), np.int64)
    taken = np.zeros(len(places), np.int64)
    taken[bound] = marks[places[bound]]
    keys = (now.free * marks).sum(axis=1)[sources] - taken[options]
    _, first, rows = np.unique(keys, return_index=True, return_inverse=True)
    shares = now.weights[sources] * chances[options]
    weights = np.bincount(rows, shares, len(first)).astype(np.float64)
    kept = _kept(weights)
    target_of = np.full(len(first), -1, np.intp)
    target_of[kept] = np.arange(len(kept))
    free = now.free[sources[first[kept]]]
    place = places[options[first[kept]]]
    lessened = np.flatnonzero(place != _UNBOUND)
    free[lessened, place[lessened]] -= 1
    alive = target_of[rows] >= 0
    step = _Step(
        now.weights,
        sources[alive],
        options[alive],
        chances[options[alive]],
        target_of[rows[alive]],
    )
    # Only ratios matter, and many small chances multiplied would run out of digits.
    return step, _Layer(free, weights[kept] / weights[kept].max(initial=_TINIEST))


def _kept(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The rows that are not all but impossible, and of too many the likeliest."""
    order = np.argsort(-weights, kind="stable")[:_MOST_STATES]
    best = weights.max(initial=0.0)
    possible = (weights[order] >= _HARDLY * best) & (weights[order] > 0)
    return np.asarray(order[possible], np.intp)
