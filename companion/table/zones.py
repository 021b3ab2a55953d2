"""Where the deck and the table are, and what a settled view therefore means.

Face-down won piles show black backs with numbers too: a back outside the deck zone is never the
target (rule T2 reads the deck's top card only).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.errors import BadInput
from companion.rules.cards import BlueSeven, Card, NumberCard, TargetBack, TweakBack
from companion.table.scene import Scene
from companion.table.values import Zones
from companion.vision.quads import area, centre, contains, distance, grown, scaled, short_side
from companion.vision.values import Quad, Sighting, TableView

LEAST_ZONE = 0.001
_ROOM_ROUND_DECK = 1.5
_SLACK = 1e-6


def check_zones(zones: Zones) -> Zones:
    """Give the zones back when they are sound.

    Raises:
        BadInput: a corner lies outside the picture, or a zone is too small or folded over itself.
    """
    for name, quad in zones.named():
        _check(name, quad)
    return zones


def _check(name: str, quad: Quad) -> None:
    for x, y in quad:
        if not (-_SLACK <= x <= 1 + _SLACK and -_SLACK <= y <= 1 + _SLACK):
            raise BadInput(
                "the %(name)s zone lies inside the picture, corners from 0 to 1, "
                "not (%(x)s, %(y)s)",
                name=name,
                x=f"{x:g}",
                y=f"{y:g}",
            )
    if area(quad) < LEAST_ZONE or not contains(quad, centre(quad)) or not _convex(quad):
        raise BadInput(
            "the %(name)s zone has four corners in order round some part of the picture", name=name
        )


def _convex(quad: Quad) -> bool:
    middle = centre(quad)
    return all(contains(quad, _between(corner, middle)) for corner in quad)


def _between(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + (b[0] - a[0]) * 0.01, a[1] + (b[1] - a[1]) * 0.01)


def in_force(by_hand: Zones, guessed: Zones) -> Zones:
    """The zones as set by hand, and what they leave open as guessed.

    A guessed place of a player gives way to any zone by hand that lies over it.
    """
    deck, tweaks = by_hand.deck or guessed.deck, by_hand.tweaks or guessed.tweaks
    zones = replace(by_hand, deck=deck, tweaks=tweaks)
    known = dict(by_hand.named())
    for name, quad in replace(guessed, deck=None, table=None, tweaks=None, tray=None).named():
        if name not in known and not any(_over(quad, other) for other in known.values()):
            zones = zones.put(name, quad)
    return zones


def _over(a: Quad, b: Quad) -> bool:
    return contains(a, centre(b)) or contains(b, centre(a))


def stacks_stand(view: TableView, zones: Zones) -> bool | None:
    """Whether the deck lies where the zones say; None where this view does not tell.

    It lies elsewhere only where nothing at all is in its zone and another place is clear. Where
    no zone holds the deck, the T! stack tells.
    """
    free = _without_places(view, zones)
    if zones.deck is not None:
        return _stands(free, zones.deck, (TargetBack, BlueSeven), guess_zones([free]).deck)
    if zones.tweaks is not None:
        return _stands(free, zones.tweaks, (TweakBack,), guess_zones([free]).tweaks)
    return None


def _stands(
    view: TableView, zone: Quad, kinds: Sequence[type[Card]], elsewhere: Quad | None
) -> bool | None:
    there = [s for s in view.sightings if _inside(zone, view)(s)]
    if any(_may_be(s, kind) for s in there for kind in kinds):
        return True
    return None if there or elsewhere is None else False


def split(view: TableView, zones: Zones) -> Scene:
    """Sort a settled view's cards into table, target and the rest.

    With no deck zone there is no target, but the blue 7 still tells that the deck is gone.
    """
    in_place = _inside_any(
        [zones.tweaks, *(quad for _, quad in (*zones.faces, *zones.piles))], view
    )
    in_deck_zone = _inside(zones.deck, view)

    def in_deck(one: Sighting) -> bool:
        return in_deck_zone(one) and not in_place(one)

    in_table = _inside(zones.table, view) if zones.table is not None else lambda _: True
    backs = [s for s in view.sightings if in_deck(s) and _may_be(s, TargetBack)]
    sevens = [
        s
        for s in view.sightings
        if (in_deck(s) or zones.deck is None) and isinstance(s.reading.best, BlueSeven)
    ]
    covered = backs or (zones.deck is None and _lies_under(view, sevens))
    table = tuple(
        s
        for s in view.sightings
        if not in_deck(s) and not in_place(s) and in_table(s) and may_be_played(s)
    )
    top = max(backs, key=lambda s: s.found * s.reading.score, default=None)
    return Scene(
        table=table,
        target=top.reading if top is not None else None,
        deck_gone=bool(sevens) and not covered,
        others=tuple(s for s in view.sightings if s not in table),
        at_s=view.taken_at_s,
        frame_number=view.frame_number,
    )


def _inside(zone: Quad | None, view: TableView) -> Callable[[Sighting], bool]:
    if zone is None:
        return lambda _: False
    quad_px = scaled(zone, view.width_px, view.height_px)
    return lambda sighting: contains(quad_px, sighting.centre_px)


def _inside_any(zones: Sequence[Quad | None], view: TableView) -> Callable[[Sighting], bool]:
    tests = [_inside(zone, view) for zone in zones if zone is not None]
    return lambda sighting: any(test(sighting) for test in tests)


def _may_be(sighting: Sighting, kind: type[Card]) -> bool:
    return any(isinstance(card, kind) for card in sighting.reading.plausible)


def may_be_played(sighting: Sighting) -> bool:
    """A number card, or something that cannot be read and so may be one."""
    return not sighting.reading.options or _may_be(sighting, NumberCard)


def _lies_under(view: TableView, sevens: Sequence[Sighting]) -> bool:
    """Whether a black back lies on the blue 7, seen or not in a deck zone."""
    backs = [s for s in view.sightings if _may_be(s, TargetBack)]
    return any(
        distance(back.centre_px, seven.centre_px) < short_side(seven.quad_px)
        for back in backs
        for seven in sevens
    )


def guess_zones(views: Sequence[TableView], known: Zones | None = None) -> Zones:
    """Guess where the deck and the T! stack are.

    The deck is at the blue 7, else where a black back stays put; the T! stack where the only T!
    back lies. A back in a player's place is neither.

    Args:
        views: settled views, oldest first; the newest must show the deck.
        known: zones set by hand, whose players' places are left out.

    Returns:
        Zones with a deck, or without one where nothing tells (no back, or several alike).
    """
    if not views:
        return Zones()
    views = [_without_places(view, known or Zones()) for view in views]
    newest = views[-1]
    stacks = [s for s in newest.sightings if isinstance(s.reading.best, TweakBack)]
    tweaks = zone_round(stacks[0].quad_px, newest) if len(stacks) == 1 else None
    for view in reversed(views):
        sevens = [s for s in view.sightings if isinstance(s.reading.best, BlueSeven)]
        if sevens:
            best = max(sevens, key=lambda s: s.found * s.reading.score)
            return Zones(deck=zone_round(best.quad_px, view), tweaks=tweaks)
    backs = [s for s in newest.sightings if isinstance(s.reading.best, TargetBack)]
    ages = [(_age(back, views), back) for back in backs]
    oldest = max((age for age, _ in ages), default=0)
    staying = [back for age, back in ages if age == oldest]
    deck = zone_round(staying[0].quad_px, newest) if len(staying) == 1 else None
    return Zones(deck=deck, tweaks=tweaks)


def _without_places(view: TableView, known: Zones) -> TableView:
    places = [*known.faces, *known.piles, *([("", known.tray)] if known.tray else [])]
    in_place = _inside_any([quad for _, quad in places], view)
    return replace(view, sightings=tuple(s for s in view.sightings if not in_place(s)))


def _age(back: Sighting, views: Sequence[TableView]) -> int:
    """In how many of the newest views in a row some back lay at this place."""
    reach = 0.6 * short_side(back.quad_px)
    age = 0
    for view in reversed(views):
        near = any(
            isinstance(s.reading.best, TargetBack)
            and distance(s.centre_px, back.centre_px) <= reach
            for s in view.sightings
        )
        if not near:
            break
        age += 1
    return age


def zone_round(quad_px: Quad, view: TableView, room: float = _ROOM_ROUND_DECK) -> Quad:
    """A zone round something in pixels, so many times as large, cut off at the picture's edge."""
    roomy = scaled(grown(quad_px, room), 1 / view.width_px, 1 / view.height_px)
    a, b, c, d = ((min(1.0, max(0.0, x)), min(1.0, max(0.0, y))) for x, y in roomy)
    return (a, b, c, d)
