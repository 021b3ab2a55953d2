"""Decides, once finds are read, which of them are cards on the table.

The detector takes a note, a flower or half a card for a card now and then; the reader makes
nothing of it. Both together know better. The figures below were found on validation decks.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.cards import NumberCard, TweakCard
from companion.vision.corners import as_corners, overlap
from companion.vision.values import Sighting

ENOUGH = 0.60
"""From this much evidence on something is reported as a card, where no checker says otherwise."""

COVERED = 0.65
"""A find that lies this far inside a better one is that card once more, or hardly in sight."""

COVERED_IF_CLEAR = 0.80
"""The same where both are read clearly, and not as the same card: then they are two."""

FAINT_READ = 0.5
"""What is not reported is faint where one of our cards is read there with this probability, and"""

FAINT_FOUND = 0.02
"""where a card lies there with this one."""


def evidence(sighting: Sighting) -> float:
    """How clear it is that a card lies there, 0-1.5.

    A weak find counts where the reader makes one of our cards of it. What it takes for something
    else may be another game's card, but also a book or a telephone: that must look like a card.
    """
    reading = sighting.reading
    return sighting.found + 0.5 * reading.score - 0.1 * reading.stranger


def weigh(sightings: Sequence[Sighting], enough: float = ENOUGH) -> tuple[Sighting, ...]:
    """The sightings with evidence enough, and none of them twice; their order stays."""
    kept: list[int] = []
    corners = [as_corners(sighting.quad_px) for sighting in sightings]
    for index in sorted(range(len(sightings)), key=lambda i: -evidence(sightings[i])):
        if evidence(sightings[index]) < enough:
            break
        if all(
            overlap(corners[index], corners[better]).contained
            < room(sightings[index], sightings[better])
            for better in kept
        ):
            kept.append(index)
    return tuple(sightings[index] for index in sorted(kept))


def faint(sightings: Sequence[Sighting], kept: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """Those that read like a card of ours beside what is reported, and are not.

    Args:
        sightings: all that were read, in one look or several.
        kept: what is reported.
    """
    reported = {id(one) for one in kept}
    likely = [
        one
        for one in sightings
        if id(one) not in reported
        and isinstance(one.reading.best, NumberCard | TweakCard)
        and one.reading.score >= FAINT_READ
        and one.found >= FAINT_FOUND
    ]
    return weigh([one for one in likely if all(_is_apart(one, other) for other in kept)], 0.0)


def _is_apart(one: Sighting, other: Sighting) -> bool:
    shared = overlap(as_corners(one.quad_px), as_corners(other.quad_px))
    return shared.contained < room(one, other)


def room(one: Sighting, other: Sighting) -> float:
    """How far one sighting may lie inside the other and still be another card."""
    clear = one.reading.sure and other.reading.sure
    return COVERED_IF_CLEAR if clear and one.reading.best != other.reading.best else COVERED
