"""Keeps a table's zones in its profile, and takes them up again on another night.

A profile is taken up once a still picture shows the deck (where it was not known, the T! stack)
where it lay. Where it clearly lies elsewhere, the zones are guessed anew; the profile stays as it
is till somebody sets a zone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from companion.errors import BadInput
from companion.night.codec import zones_apart
from companion.night.profile import Profile, profile_path, read_profile, set_aside, write_profile
from companion.table.bumped import moved_zones
from companion.table.values import Zones
from companion.table.zones import in_force, stacks_stand
from companion.vision.quads import centre, contains
from companion.vision.values import Look, TableState

TAKEN_UP = "the stacks lie where they lay: the table's zones are those of the last time"
ELSEWHERE = "the stacks lie elsewhere than the last time: the zones are guessed anew, check them"
ELSEWHERE_S = 2.0
"""The deck, or else the T! stack, is seen elsewhere for so long before its old zone is given up."""
_SAID_S = 60.0


@dataclass(frozen=True, slots=True)
class TakenUp:
    """The zones from now on: those by hand, and those guessed beside them."""

    by_hand: Zones
    guessed: Zones


class Keeper:
    """One camera's keeper; used by its watcher alone.

    Args:
        folder: where the profiles lie; it is made when the first one is written.

    Attributes:
        trouble: why the profile can't be read or written, one line; empty where all is well.
        note: what became of the profile, one line; empty where there is nothing to tell.
    """

    def __init__(self, folder: Path) -> None:
        self.trouble = self.note = ""
        self._folder = folder
        self._size_px = (0, 0)
        self._kept: Profile | None = None
        self._start, self._last = Zones(), TakenUp(Zones(), Zones())
        self._broken = False
        self._elsewhere_since_s: float | None = None
        self._said_till_s = float("-inf")

    def take_up(self, look: Look, by_hand: Zones) -> TakenUp | None:
        """The zones from now on; None where they are to stay as they are.

        Args:
            look: the newest look.
            by_hand: the zones set by hand, already where they lie after a bump.
        """
        size_px = (look.frame.width_px, look.frame.height_px)
        if size_px != self._size_px:
            self._open(size_px, by_hand)
        if self._kept is None:
            return None
        if look.bump is not None:
            move, kept = look.bump, self._kept
            by, guessed = moved_zones(move, kept.by_hand), moved_zones(move, kept.guessed)
            self._kept = Profile(size_px, by, guessed)
            self._start = moved_zones(move, self._start)
        stands = self._stands(self._kept, look, by_hand)
        if stands is None:
            return None
        return self._decided(self._kept, look, by_hand, stands)

    def keep(self, by_hand: Zones, guessed: Zones) -> None:
        """Write the zones down where somebody set one, or a bump moved them."""
        if self._kept is not None or (
            by_hand is self._last.by_hand and guessed is self._last.guessed
        ):
            return
        set_by_hand = zones_apart(self._last.by_hand, by_hand)
        changed = set_by_hand or zones_apart(self._last.guessed, guessed)
        self._last = TakenUp(by_hand, guessed)
        if set_by_hand or (changed and by_hand != Zones() and not self._broken):
            self._write(Profile(self._size_px, by_hand, guessed))

    def _write(self, profile: Profile) -> None:
        path = profile_path(self._folder, self._size_px)
        self.note, self._said_till_s = "", float("-inf")
        try:
            if self._broken:
                self.note = f"the profile that could not be read is kept as {set_aside(path)}"
                self._broken = False
            write_profile(path, profile)
            self.trouble = ""
        except BadInput as error:
            self.trouble = str(error)

    def saying(self, look: Look) -> Look:
        """The look with the news that the deck lies elsewhere, for a minute."""
        if look.reason or look.frame.taken_at_s > self._said_till_s:
            return look
        return replace(look, reason=ELSEWHERE)

    def _open(self, size_px: tuple[int, int], by_hand: Zones) -> None:
        self._size_px, self._kept = size_px, None
        self.trouble, self._broken, self._elsewhere_since_s = "", False, None
        self._start, self._last = by_hand, TakenUp(Zones(), Zones())
        path = profile_path(self._folder, size_px)
        try:
            self._kept = read_profile(path, size_px)
        except BadInput as error:
            self._broken, self._last = True, TakenUp(by_hand, Zones())
            self.trouble = f"{error}; it is left as it is, the zones are guessed"

    def _stands(self, kept: Profile, look: Look, by_hand: Zones) -> bool | None:
        """Whether the deck lies where it lay; a zone set by hand meanwhile answers, too."""
        zones = in_force(kept.by_hand, kept.guessed)
        touched = dict(zones_apart(self._start, by_hand))
        if touched:
            deck = touched.get("deck")
            return deck is None or zones.deck is None or contains(zones.deck, centre(deck))
        view = look.settled
        if view is None or look.state not in (TableState.STILL, TableState.CLEARED):
            return None
        stands = stacks_stand(view, zones)
        if stands is not False:
            self._elsewhere_since_s = None
            return stands
        if self._elsewhere_since_s is None:
            self._elsewhere_since_s = view.taken_at_s
        return False if view.taken_at_s - self._elsewhere_since_s >= ELSEWHERE_S else None

    def _decided(self, kept: Profile, look: Look, by_hand: Zones, stands: bool) -> TakenUp:
        self._kept = None
        if stands:
            zones, self.note = kept.by_hand, TAKEN_UP
            self._last = TakenUp(kept.by_hand, kept.guessed)
        else:
            # Zones that the journal has and that fit are newer than the profile.
            fit = look.settled is not None and stacks_stand(look.settled, by_hand)
            zones, self.note = by_hand if fit else Zones(), ELSEWHERE
            self._said_till_s = look.frame.taken_at_s + _SAID_S
            self._last = TakenUp(Zones(), Zones())
        for name, quad in zones_apart(self._start, by_hand):
            zones = zones.put(name, quad)
        return TakenUp(zones, kept.guessed if stands else Zones())
