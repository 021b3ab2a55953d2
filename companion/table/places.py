"""Where the players' places are, guessed from what lies still near the picture's edge.

A wrong place would hide cards that are played, so a place is guessed only where everything speaks
for it. Whose it is no picture tells: a guessed place is somebody's.

>>> is_somebody("?1"), is_somebody("Ann")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.rules.cards import Face, NumberCard
from companion.table.values import Zones
from companion.table.zones import may_be_played, zone_round
from companion.vision.quads import centre, contains, distance, scaled, short_side
from companion.vision.values import Point, Quad, Sighting, TableView

STAYS_S = 5.0
"""Something lies at a place for so long, in every settled view, before the place is guessed."""
TOO_MANY = "more piles lie there than people play: say where the players' places are"
_SOMEBODY = re.compile(r"\?[1-9]\d?")
_AWAY = 2.5
"""A place is so many short sides of a card away from deck and T! stack, at least."""
_FROM_EDGE = 2.0
"""What lies there is so many short sides of a card from the picture's edge, at most."""
_ONE_PLACE = 1.6
"""Cards nearer than so many short sides lie at one place."""
_SAME_SPOT = 0.6


@dataclass(frozen=True, slots=True)
class PlacesGuess:
    """The places found, and what keeps others from being guessed.

    Attributes:
        places: zones with new piles and faces alone, named ``?1``, ``?2`` …
        doubt: one line for people, empty where nothing is in doubt.
    """

    places: Zones = field(default_factory=Zones)
    doubt: str = ""


def is_somebody(player: str) -> bool:
    """Whether a place's player is not known by name, since the place was guessed."""
    return _SOMEBODY.fullmatch(player) is not None


def guess_places(
    views: Sequence[TableView], zones: Zones, players: int, not_at: Sequence[Quad] = ()
) -> PlacesGuess:
    """Guess where won piles and T! cards of players lie that no zone holds yet.

    Without a deck zone nothing is guessed: any black back may be the deck then.

    Args:
        views: settled views, oldest first.
        zones: the zones in force.
        players: how many people play, 0 where no match runs.
        not_at: where somebody, or a card played there, has said that no place is.

    Returns:
        The new places: none of a kind where there would be more than people play.
    """
    if not players or zones.deck is None or not views:
        return PlacesGuess()
    site = _Site(views, zones, not_at)
    guess = PlacesGuess()
    for kind, shows, known in (
        ("pile", _shows_pile, zones.piles),
        ("faces", _shows_faces, zones.faces),
    ):
        found = site.places(shows)
        if not found:
            continue
        if len(known) + len(found) > players:
            guess = replace(guess, doubt=TOO_MANY)
            continue
        names = _free_names([player for player, _ in known])
        for name, quad in zip(names, found, strict=False):
            guess = replace(guess, places=guess.places.put(f"{kind} {name}", quad))
    return guess


def disproved(places: Zones, view: TableView) -> tuple[str, ...]:
    """Names of guessed places where a number card lies now, read for sure: people play there."""
    played = [one for one in view.sightings if one.reading.sure and _is_number(one)]
    return tuple(
        name
        for name, quad in replace(places, deck=None, table=None, tweaks=None, tray=None).named()
        if any(_inside(quad, one, view) for one in played)
    )


@dataclass(frozen=True, slots=True)
class _Site:
    """The views that are looked at, and where no place can be."""

    views: Sequence[TableView]
    zones: Zones
    not_at: Sequence[Quad]

    def places(self, shows: Callable[[Sighting], bool]) -> list[Quad]:
        view = self.views[-1]
        seen = [one for one in view.sightings if shows(one) and self._is_free(one)]
        return [
            quad
            for cards in _together(seen)
            if any(self._stays(one, shows) for one in cards)
            for quad in [_round(cards, view)]
            if not self._played_at(quad)
        ]

    def _is_free(self, one: Sighting) -> bool:
        """Whether a card lies near the edge, away from the stacks and in no zone."""
        view, side_px = self.views[-1], short_side(one.quad_px)
        x, y = one.centre_px
        from_edge_px = min(x, y, view.width_px - x, view.height_px - y)
        stacks = [quad for quad in (self.zones.deck, self.zones.tweaks) if quad is not None]
        taken = [*(quad for _, quad in self.zones.named()), *self.not_at]
        return (
            from_edge_px <= _FROM_EDGE * side_px
            and all(
                distance(_centre_px(quad, view), one.centre_px) >= _AWAY * side_px
                for quad in stacks
            )
            and not any(_inside(quad, one, view) for quad in taken)
        )

    def _stays(self, one: Sighting, shows: Callable[[Sighting], bool]) -> bool:
        reach_px = _SAME_SPOT * short_side(one.quad_px)
        for view in reversed(self.views):
            near = any(
                shows(other) and distance(other.centre_px, one.centre_px) <= reach_px
                for other in view.sightings
            )
            if not near:
                return False
            if self.views[-1].taken_at_s - view.taken_at_s >= STAYS_S:
                return True
        return False

    def _played_at(self, quad: Quad) -> bool:
        """Whether anything that may have been played lay there lately."""
        return any(
            may_be_played(one) and _inside(quad, one, view)
            for view in self.views
            for one in view.sightings
        )


def _shows_pile(one: Sighting) -> bool:
    return one.reading.face is Face.TARGET_BACK


def _shows_faces(one: Sighting) -> bool:
    return one.reading.sure and one.reading.face is Face.TWEAK


def _is_number(one: Sighting) -> bool:
    return isinstance(one.reading.best, NumberCard)


def _inside(zone: Quad, one: Sighting, view: TableView) -> bool:
    return contains(scaled(zone, view.width_px, view.height_px), one.centre_px)


def _centre_px(zone: Quad, view: TableView) -> Point:
    return centre(scaled(zone, view.width_px, view.height_px))


def _together(cards: Iterable[Sighting]) -> list[list[Sighting]]:
    """Cards that lie side by side, as one group each."""
    groups: list[list[Sighting]] = []
    for card in cards:
        reach_px = _ONE_PLACE * short_side(card.quad_px)
        near = [
            group
            for group in groups
            if any(distance(card.centre_px, other.centre_px) <= reach_px for other in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([card, *(one for group in near for one in group)])
    return groups


def _round(cards: Sequence[Sighting], view: TableView) -> Quad:
    """A zone with room round some cards, within the picture."""
    if len(cards) == 1:
        return zone_round(cards[0].quad_px, view)
    xs = [x for card in cards for x, _ in card.quad_px]
    ys = [y for card in cards for _, y in card.quad_px]
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    box: Quad = ((left, top), (right, top), (right, bottom), (left, bottom))
    return zone_round(box, view, room=1.2)


def _free_names(known: Sequence[str]) -> list[str]:
    return [name for number in range(1, 100) if (name := f"?{number}") not in known]
