"""Several views of one still table become one: a card counts when enough of them agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from companion.rules.cards import Card
from companion.vision.quads import centre, distance, iou, median_quad, short_side
from companion.vision.values import Quad, Reading, Sighting, TableView

SAME_IOU = 0.3
_SURE_APART, _MOST_APART = 0.12, 0.7
"""Centres this near, in short sides, are surely one card; farther ones than that surely not."""


def pair_up(before: Sequence[Quad], after: Sequence[Quad]) -> dict[int, int]:
    """Match quads one to one, best fits first, so that equal cards side by side stay two.

    Returns:
        index into ``after`` for each matched index into ``before``.
    """
    fits = sorted(_fits(before, after), reverse=True)
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in fits:
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def _fits(before: Sequence[Quad], after: Sequence[Quad]) -> Iterator[tuple[float, int, int]]:
    """How well every two quads fit that can be one card lying still: nearly their IoU."""
    places = [centre(quad) for quad in after]
    for i, quad in enumerate(before):
        here, side = centre(quad), short_side(quad)
        for j, place in enumerate(places):
            apart = distance(here, place) / side if side else 1.0
            if apart <= _SURE_APART:
                yield 1.0 - apart, i, j
            elif apart <= _MOST_APART:
                shared = iou(quad, after[j])
                if shared >= SAME_IOU:
                    yield shared, i, j


def group(views: Sequence[Sequence[Sighting]]) -> list[list[Sighting]]:
    """The sightings of each card over the views' sightings, oldest first within a card."""
    groups: list[list[Sighting]] = []
    for sightings in views:
        known = [members[-1].quad_px for members in groups]
        pairs = pair_up(known, [sighting.quad_px for sighting in sightings])
        for i, j in pairs.items():
            groups[i].append(sightings[j])
        seen = set(pairs.values())
        groups += [[new] for j, new in enumerate(sightings) if j not in seen]
    return groups


def merge_views(views: Sequence[TableView], kept: Sequence[Quad] = ()) -> TableView:
    """One view out of several of the same still table; the newest lends time and size.

    Args:
        views: at least one, oldest first.
        kept: quads of cards already settled in this stillness: they stay, however seldom seen now,
            because nothing moved that could have taken them away.
    """
    groups = group([view.sightings for view in views])
    stay = set(pair_up(kept, [members[-1].quad_px for members in groups]).values())
    sightings = tuple(
        merge_sightings(members)
        for place, members in enumerate(groups)
        if 2 * len(members) >= len(views) or place in stay
    )
    newest = views[-1]
    return TableView(
        faint=_merge_faint(views, sightings),
        sightings=sightings,
        taken_at_s=newest.taken_at_s,
        frame_number=newest.frame_number,
        width_px=newest.width_px,
        height_px=newest.height_px,
    )


def _merge_faint(views: Sequence[TableView], reported: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """What is hardly believed in most views, reported or not in each, and is not reported now."""
    groups = group([(*view.sightings, *view.faint) for view in views])
    faint = [merge_sightings(members) for members in groups if 2 * len(members) >= len(views)]
    known = pair_up([one.quad_px for one in faint], [one.quad_px for one in reported])
    return tuple(one for i, one in enumerate(faint) if i not in known)


def merge_sightings(members: Sequence[Sighting]) -> Sighting:
    """One card over several pictures: median place and score, mean of what it seems to be."""
    return Sighting(
        quad_px=median_quad([member.quad_px for member in members]),
        reading=merge_readings([member.reading for member in members]),
        found=median(member.found for member in members),
    )


def merge_readings(readings: Sequence[Reading]) -> Reading:
    """The mean probability of every card over several readings of one and the same card.

    It is sure where more than half of the readings that saw a card are sure of the same one, and
    no sure reading says otherwise.
    """
    telling = [reading for reading in readings if reading.options]
    stranger = fmean(reading.stranger for reading in readings)
    if not telling:
        return Reading(options=(), sure=False, stranger=stranger)
    sums: defaultdict[Card, float] = defaultdict(float)
    for reading in telling:
        for card, probability in reading.options:
            sums[card] += probability / len(telling)
    options = sorted(sums.items(), key=lambda entry: -entry[1])
    agreed = {reading.best for reading in telling if reading.sure} == {options[0][0]}
    votes = sum(reading.sure for reading in telling)
    return Reading(
        options=tuple((card, min(1.0, probability)) for card, probability in options),
        sure=agreed and 2 * votes > len(telling),
        stranger=stranger,
    )
