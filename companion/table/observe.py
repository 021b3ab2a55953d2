"""What happened between two settled views: cards laid, cards taken, the target changed.

Pure: scenes in, events out. A card nudged or turned is the same card, and a reading that flickers
between its alternatives is no event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.table.scene import Scene, may_be_same
from companion.table.values import EventKind, TableEvent, Zones
from companion.table.zones import split
from companion.vision.quads import distance, iou, short_side
from companion.vision.values import Reading, Sighting, TableView

_SAME_PLACE = 0.6
"""Centres nearer than this share of a card's short side are one place."""
_SAME_QUAD = 0.88
"""No hand puts a card down so exactly where another lay: it is the same one, read anew."""


def observe(before: Scene, after: Scene) -> tuple[TableEvent, ...]:
    """The events that lead from one scene to the next, in the order of a turn.

    Cards taken come as one event, cards laid as one event each from left to right; then the
    target, then ``cleared`` where nothing at all is left.
    """
    gone, new = changes(before.table, after.table)
    made = _Maker(after)
    events: list[TableEvent] = []
    if gone:
        events.append(made(EventKind.TAKEN, cards=_readings(gone)))
    events += [made(EventKind.LAID, cards=(reading,)) for reading in _readings(new)]
    events += _target_events(before, after, made)
    if after.empty and not before.empty:
        events.append(made(EventKind.CLEARED))
    return tuple(events)


@dataclass(frozen=True, slots=True)
class _Maker:
    scene: Scene

    def __call__(
        self,
        kind: EventKind,
        *,
        cards: tuple[Reading, ...] = (),
        before: int | None = None,
        after: int | None = None,
    ) -> TableEvent:
        return TableEvent(
            kind=kind,
            at_s=self.scene.at_s,
            frame_number=self.scene.frame_number,
            cards=cards,
            before=before,
            after=after,
        )


def _readings(sightings: Sequence[Sighting]) -> tuple[Reading, ...]:
    return tuple(s.reading for s in sorted(sightings, key=lambda s: s.centre_px))


def _target_events(before: Scene, after: Scene, made: _Maker) -> Iterator[TableEvent]:
    if after.deck_gone:
        # While the table is being set up the blue 7 lies open too: no deck was seen, none is gone.
        if not before.deck_gone and before.target is not None:
            yield made(EventKind.DECK_GONE, before=before.target_value, after=after.target_value)
        return
    if before.deck_gone:
        before = replace(before, deck_gone=False, target=None)
    # Not to be seen is not changed, and what cannot be read yet is told once it can.
    if after.target_value is None:
        return
    same = set(before.target_options) & set(after.target_options)
    if same and before.target_value is not None:
        return
    if before.target_value != after.target_value:
        yield made(EventKind.TARGET, before=before.target_value, after=after.target_value)


def changes(
    before: Sequence[Sighting], after: Sequence[Sighting]
) -> tuple[list[Sighting], list[Sighting]]:
    """The cards that are gone and those that are new, once every card that stayed is matched."""
    gone, new = list(before), list(after)
    for fits in (_stayed, _moved, _moved_doubtful):
        for old, now in _matches(gone, new, fits):
            gone.remove(old)
            new.remove(now)
    return gone, new


_Fit = Callable[[Sighting, Sighting], bool]


def _matches(
    before: Sequence[Sighting], after: Sequence[Sighting], fits: _Fit
) -> list[tuple[Sighting, Sighting]]:
    """One-to-one pairs that fit, nearest first."""
    pairs = [(old, now) for old in before for now in after if fits(old, now)]
    pairs.sort(key=lambda pair: distance(pair[0].centre_px, pair[1].centre_px))
    chosen: list[tuple[Sighting, Sighting]] = []
    for old, now in pairs:
        if all(old is not a and now is not b for a, b in chosen):
            chosen.append((old, now))
    return chosen


def _stayed(old: Sighting, now: Sighting) -> bool:
    reach = _SAME_PLACE * short_side(old.quad_px)
    near = distance(old.centre_px, now.centre_px) <= reach
    if not near:
        return False
    return may_be_same(old.reading, now.reading) or iou(old.quad_px, now.quad_px) >= _SAME_QUAD


def _moved(old: Sighting, now: Sighting) -> bool:
    return old.reading.best is not None and old.reading.best == now.reading.best


def _moved_doubtful(old: Sighting, now: Sighting) -> bool:
    return bool(old.reading.options and now.reading.options) and may_be_same(
        old.reading, now.reading
    )


class Observer:
    """Follows one table from settled view to settled view.

    Args:
        zones: where deck and table are; may be set anew at any time.

    Attributes:
        scene: the newest scene, as it was seen; only that the deck is gone is remembered.
    """

    def __init__(self, zones: Zones | None = None) -> None:
        self.zones = zones or Zones()
        self.scene = Scene()
        # What holds while the deck is out of sight; it is no evidence for a claim.
        self._read_for_sure: Reading | None = None

    def saw(self, view: TableView) -> tuple[TableEvent, ...]:
        """Take in the next settled view; the first one lays all its cards."""
        before = replace(self.scene, target=self._read_for_sure)
        after = split(view, self.zones)
        if before.deck_gone and after.target is None and not after.empty:
            # With the deck gone the target is 7 for good, even with the blue 7 out of sight.
            after = replace(after, deck_gone=True)
        self.scene = after
        if after.empty:
            self._read_for_sure = None
        elif after.target is not None and after.target_value is not None:
            self._read_for_sure = after.target
        return observe(before, after)

    def restart(self, scene: Scene | None = None) -> None:
        """Forget what lay there, or begin from a known scene."""
        self.scene = scene or Scene()
        self._read_for_sure = self.scene.target
