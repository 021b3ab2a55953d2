"""From look to look: the zones in force, and what happened since the settled view before."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from companion.table.bumped import begin_anew, carried_views, carry, moved_zones
from companion.table.observe import Observer
from companion.table.places import disproved, guess_places
from companion.table.scene import Scene
from companion.table.values import TableEvent, Zones
from companion.table.zones import guess_zones, in_force, split
from companion.vision.move import Move
from companion.vision.values import Look, TableState, TableView

VIEWS_FOR_GUESS = 20
CHECK_ZONES = "the camera seems to have moved: check the zones"


@dataclass(slots=True)
class Follower:
    """Turns settled views into what happened, with the zones in force.

    Attributes:
        guessed: where the deck and the players' places seem to lie; zones set by hand come first.
        doubt: why no more places are guessed, one line; empty where nothing is in doubt.
    """

    observer: Observer = field(default_factory=Observer)
    views: list[TableView] = field(default_factory=list)
    guessed: Zones = field(default_factory=Zones)
    doubt: str = ""
    _no_places: Zones = field(default_factory=Zones)
    _asks_about: Zones | None = None

    def follow(
        self, look: Look, by_hand: Zones, players: int = 0
    ) -> tuple[tuple[TableEvent, ...], Scene | None]:
        """What happened since the settled view before; no scene where nothing new settled.

        Args:
            look: the newest look; after a bump what was known is moved along first.
            by_hand: the zones set by hand, already where they lie after a bump.
            players: how many people play; so many places are guessed, at most.
        """
        view = look.settled
        if look.bump is not None:
            self._bumped(look.bump, by_hand, (look.frame.width_px, look.frame.height_px))
        resting = look.state in (TableState.STILL, TableState.CLEARED)
        other_zones = self._take_zones(by_hand)
        if view is None or not resting:
            return (), self.observer.scene if other_zones and self.views else None
        if self.views and view.frame_number == self.views[-1].frame_number:
            return (), self.observer.scene if other_zones else None
        if look.lost and not self.observer.scene.empty:
            return self._lost(view, by_hand)
        self._add(view, by_hand)
        self._find_places(view, by_hand, players)
        return self.observer.saw(view), self.observer.scene

    def refuse(self, names: Collection[str]) -> None:
        """Forget guessed places of players, and guess none there again."""
        for name, quad in self.guessed.named():
            if name in names:
                self._no_places = self._no_places.put(f"pile {quad}", quad)
                self.guessed = self.guessed.put(name, None)

    def asking(self, look: Look, by_hand: Zones) -> Look:
        """The look with the question about the zones, till somebody sets them anew."""
        if self._asks_about is not by_hand:
            self._asks_about = None
        if self._asks_about is None or look.reason:
            return look
        return replace(look, reason=CHECK_ZONES)

    def _bumped(self, move: Move, by_hand: Zones, size_px: tuple[int, int]) -> None:
        carry(self.observer, move, size_px)
        self.views = carried_views(move, self.views)
        self.guessed = moved_zones(move, self.guessed)
        self._no_places = moved_zones(move, self._no_places)
        self.observer.zones = self._wanted(by_hand)

    def _lost(self, view: TableView, by_hand: Zones) -> tuple[tuple[TableEvent, ...], Scene]:
        """Nothing tells how the picture moved: no events, and zones set by hand are asked about."""
        self.views, self.guessed, self._no_places = [], Zones(), Zones()
        self.observer.zones = self._wanted(by_hand)
        self._asks_about = by_hand if by_hand != Zones() else None
        self._add(view, by_hand)
        begin_anew(self.observer, view)
        return (), self.observer.scene

    def _add(self, view: TableView, by_hand: Zones) -> None:
        self.views = [*self.views, view][-VIEWS_FOR_GUESS:]
        if self.observer.zones.deck is None:
            found = guess_zones(self.views, in_force(by_hand, self.guessed))
            self.guessed = replace(self.guessed, deck=found.deck, tweaks=found.tweaks)
            self.observer.zones = self._wanted(by_hand)

    def _find_places(self, view: TableView, by_hand: Zones, players: int) -> None:
        """Guess places of players; one where a card is played was guessed wrong."""
        self.refuse(disproved(self.guessed, view))
        not_at = [quad for _, quad in self._no_places.piles]
        guess = guess_places(self.views, self._wanted(by_hand), players, not_at)
        self.doubt = guess.doubt
        for name, quad in guess.places.named():
            self.guessed = self.guessed.put(name, quad)
        self.observer.zones = self._wanted(by_hand)

    def _wanted(self, by_hand: Zones) -> Zones:
        return in_force(by_hand, self.guessed)

    def _take_zones(self, by_hand: Zones) -> bool:
        """Take over zones set by hand; what lies there is sorted anew, and nothing happened."""
        wanted = self._wanted(by_hand)
        if wanted == self.observer.zones:
            return False
        self.observer.zones = wanted
        if self.views:
            self.observer.restart(split(self.views[-1], wanted))
        return True
