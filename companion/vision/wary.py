"""Eyes that also say what hinders them: with each look, and for mirrors only now and then."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

from companion.vision.pipeline import Eyes
from companion.vision.tips import MIRRORED, unsure
from companion.vision.values import Frame, Look, TableState, TableView

MIRROR_EVERY_S = 30.0
"""A mirror stays as it is for a whole night, and looking for it takes the reader twice."""

_RESTING = (TableState.STILL, TableState.CLEARED)


@runtime_checkable
class Adviser(Protocol):
    """Eyes that know what hinders them."""

    def tips(self, frame: Frame, view: TableView, mirror_too: bool = False) -> tuple[str, ...]:
        """What would help with this picture, one line each."""
        ...


@runtime_checkable
class LooksNearer(Protocol):
    """Eyes that can take another look, from nearer."""

    def look_nearer(self, frame: Frame, view: TableView) -> TableView:
        """A view with what a nearer look at its cards shows besides."""
        ...


class Wary:
    """Looks through some eyes and keeps what hinders them.

    Args:
        eyes: what looks; eyes that give no tips are only looked through.

    Attributes:
        tips: what would help with the picture looked at last, one line each.
    """

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._mirrored = False
        self._tried_at_s: float | None = None
        self.tips: tuple[str, ...] = ()

    def see(self, frame: Frame) -> TableView:
        """What lies on the table; in a mirrored picture nothing is sure."""
        view = self._eyes.see(frame)
        if not isinstance(self._eyes, Adviser):
            return view
        due = bool(view.sightings) and self._due(frame)
        tips = self._eyes.tips(frame, view, mirror_too=due)
        if due:
            self._mirrored, self._tried_at_s = MIRRORED in tips, frame.taken_at_s
        others = tuple(tip for tip in tips if tip != MIRRORED)
        self.tips = ((MIRRORED,) if self._mirrored else ()) + others
        return unsure(view) if self._mirrored else view

    def look_nearer(self, frame: Frame, view: TableView) -> TableView:
        """A view with what a nearer look shows besides; the same in a mirror, or where eyes can't.

        Args:
            frame: the picture.
            view: what was seen in it.
        """
        if self._mirrored or not isinstance(self._eyes, LooksNearer):
            return view
        return self._eyes.look_nearer(frame, view)

    def named(self, look: Look) -> Look:
        """The look of a resting table with what hinders the eyes as its reason."""
        if not self.tips or look.reason or look.state not in _RESTING:
            return look
        return replace(look, reason="; ".join(self.tips))

    def _due(self, frame: Frame) -> bool:
        if self._tried_at_s is None:
            return True
        return abs(frame.taken_at_s - self._tried_at_s) >= MIRROR_EVERY_S
