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

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias, TypeVar

T = TypeVar("T", bound=Hashable)

Room: TypeAlias = tuple[int, ...]
"""How many copies of each card are still free."""

_MOST_STATES = 2000
_HARDLY = 1e-9


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
    begin = tuple(max(0, room[answer]) for answer in bounded)
    before: list[dict[Room, float]] = [{begin: 1.0}]
    for entry in entries:
        after: dict[Room, float] = defaultdict(float)
        for free, weight in before[-1].items():
            for answer, chance in entry.items():
                left = _taken(free, place_of.get(answer))
                if left is not None and chance > 0:
                    after[left] += weight * chance
        before.append(_pruned(after))
    behind: dict[Room, float] = dict.fromkeys(before[-1], 1.0)
    found: list[dict[T, float]] = []
    for entry, states in zip(reversed(entries), reversed(before[:-1]), strict=True):
        chances: dict[T, float] = dict.fromkeys(entry, 0.0)
        earlier: dict[Room, float] = {}
        for free, weight in states.items():
            for answer, chance in entry.items():
                left = _taken(free, place_of.get(answer))
                ahead = behind.get(left, 0.0) * chance if left is not None else 0.0
                chances[answer] += weight * ahead
                earlier[free] = earlier.get(free, 0.0) + ahead
        behind = earlier
        total = sum(chances.values())
        found.append({a: chance / total if total else 0.0 for a, chance in chances.items()})
    return found[::-1]


def _taken(free: Room, place: int | None) -> Room | None:
    """What is free after one copy is taken, None where there was none."""
    if place is None:
        return free
    if free[place] == 0:
        return None
    return (*free[:place], free[place] - 1, *free[place + 1 :])


def _pruned(states: dict[Room, float]) -> dict[Room, float]:
    best = max(states.values(), default=0.0)
    kept = {free: weight for free, weight in states.items() if weight >= _HARDLY * best}
    if len(kept) > _MOST_STATES:
        kept = dict(sorted(kept.items(), key=lambda pair: -pair[1])[:_MOST_STATES])
    # Only ratios matter, and many small chances multiplied would run out of digits.
    return {free: weight / best for free, weight in kept.items()} if best else {}
