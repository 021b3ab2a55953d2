"""What was known of the table, carried along when the camera was bumped: no event follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.table.observe import Observer
from companion.table.values import Zones
from companion.table.zones import LEAST_ZONE, split
from companion.vision.move import Move
from companion.vision.quads import area
from companion.vision.settle import moved_view
from companion.vision.values import Quad, Sighting, TableView


def moved_zones(move: Move, zones: Zones) -> Zones:
    """The zones where they lie now; one that left the picture is unknown again.

    >>> right = Move((1.0, 0.0, 0.25, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    >>> moved_zones(right, Zones(deck=((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)))).deck
    ((0.25, 0.0), (0.75, 0.0), (0.75, 1.0), (0.25, 1.0))
    """
    moved = Zones()
    for name, quad in zones.named():
        moved = moved.put(name, _moved(move, quad))
    return moved


def carry(observer: Observer, move: Move, size_px: tuple[int, int]) -> None:
    """Let an observer expect every card where it lies after the bump.

    Args:
        observer: changed in place; its zones stay, they are set where they are kept.
        move: how the picture moved.
        size_px: width and height of the picture.
    """
    scene = observer.scene
    observer.scene = replace(
        scene,
        table=_cards(move, scene.table, size_px),
        others=_cards(move, scene.others, size_px),
    )


def begin_anew(observer: Observer, view: TableView) -> None:
    """Everything looks different and nothing tells how: what lies there now has no story.

    A table that held nothing before has its cards laid, as at the start.
    """
    if not observer.scene.empty:
        observer.restart(split(view, observer.zones))


def carried_views(move: Move, views: Sequence[TableView]) -> list[TableView]:
    """Settled views with every card where it lies now."""
    return [moved_view(move, view) for view in views]


def _cards(move: Move, cards: Sequence[Sighting], size_px: tuple[int, int]) -> tuple[Sighting, ...]:
    return tuple(replace(one, quad_px=move.moves_quad(one.quad_px, *size_px)) for one in cards)


def _moved(move: Move, quad: Quad | None) -> Quad | None:
    """A zone moved along, cut off at the picture's edge; None where too little is left."""
    if quad is None:
        return None
    a, b, c, d = ((min(1.0, max(0.0, x)), min(1.0, max(0.0, y))) for x, y in move.moves_quad(quad))
    cut: Quad = (a, b, c, d)
    return cut if area(cut) >= LEAST_ZONE else None
