"""4: sightings over time become one settled view, once the table is still.

A frame goes through :meth:`Settler.needs_look` first: a still table that has been read costs next
to nothing, because the networks need not run on it again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from companion.vision.bump import find_move, moved_picture, too_dark
from companion.vision.fidget import Fidget, lies_in
from companion.vision.merge import merge_views, pair_up
from companion.vision.motion import (
    biggest_from_border,
    changed_mask,
    differing,
    glare_over,
    patch_changed,
    share,
    shrink,
    without_cards,
)
from companion.vision.move import STAYED, Move
from companion.vision.quads import area, overlap
from companion.vision.values import Frame, Image, Look, Quad, Sighting, TableState, TableView

MOVED_SHARE = 0.0015
"""A picture moved when more than this share of it changed: a third of a small card."""
HAND_SHARE = 0.012
WHOLE_SHARE = 0.6
STILL_S = 0.25
ABSORB_S = 4.0
ABSORB_WHOLE_S = 1.0
REFRESH_S = 3.0
MOST_VIEWS = 8
CARRIED_FADES = 0.7
CARRIED_LEAST = 0.25
PATCH_SAME = 0.1
DARK = "it got dark: no reading"
LIT = "the light changed"
ALL_DIFFERS = "everything looks different: lamp or camera moved"


@dataclass(slots=True)
class _Stillness:
    """What has been seen since the table last moved.

    Attributes:
        anchor: the small picture that every later one is compared with.
        before: the small picture of the last settled view before this stillness.
        base: that settled view.
        views: the best views of this stillness, oldest first.
        kept: quads of the cards settled in this stillness.
        accepted: whether this stillness has given a settled view.
        compared: whether it was studied how the picture moved since the settled view before.
        move: how it moved, None while unknown or where nothing explains it.
    """

    anchor: Image
    since_s: float
    before: Image | None
    base: TableView | None
    frames: int = 1
    views: list[TableView] = field(default_factory=list)
    looked_at_s: float = float("-inf")
    kept: tuple[Quad, ...] = ()
    accepted: bool = False
    compared: bool = False
    move: Move | None = None

    def add(self, view: TableView) -> None:
        """Keep a view, and of too many the best: nothing moves, so a worse one is mere glare."""
        self.views.append(view)
        if len(self.views) > MOST_VIEWS:
            self.views.remove(min(self.views, key=_quality))


def _quality(view: TableView) -> float:
    return sum(sighting.reading.score * sighting.found for sighting in view.sightings)


class Settler:
    """Tells when the table is still, and what then lies on it.

    Args:
        still_frames: views in a row that must agree before a card counts as seen.
    """

    def __init__(self, still_frames: int = 3) -> None:
        self._still_frames = still_frames
        self._still: _Stillness | None = None
        self._fidget = Fidget()
        self._restless: Image | None = None
        self._studied: Frame | None = None
        self._background: Image | None = None
        self._settled: TableView | None = None
        self._settled_frame: Frame | None = None
        self._live: TableView | None = None
        self._state: TableState | None = None
        self._since_s = 0.0

    def needs_look(self, frame: Frame) -> bool:
        """Whether the networks should run on this frame: the table is still and not yet read."""
        still = self._study(frame)
        if still is None:
            return False
        if self._live is None:
            return True
        if still.frames < 2:
            return False
        fresh = len(still.views) < 2 * self._still_frames
        return fresh or frame.taken_at_s - still.looked_at_s >= REFRESH_S

    def look(self, frame: Frame, view: TableView | None = None) -> Look:
        """Take in one frame and what was seen in it; frames come in the order of their grab.

        Args:
            frame: the picture.
            view: what the eyes saw in it; None where :meth:`needs_look` said no.
        """
        still = self._study(frame)
        if still is None:
            return self._as_look(frame, TableState.MOVING, frame.taken_at_s, DARK)
        if view is not None:
            self._live = view
            still.looked_at_s = frame.taken_at_s
            if still.frames > 1 or self._background is None:
                still.add(view)
        first = not still.accepted
        state, reason = self._judge(frame, still, view is not None)
        look = self._as_look(frame, state, frame.taken_at_s, reason)
        if not (first and still.accepted and still.compared):
            return look
        bump = still.move if still.move is not None and not still.move.stayed else None
        return replace(look, bump=bump, lost=still.move is None and _differs_whole(still))

    def no_camera(self, at_s: float, reason: str) -> Look | None:
        """The look of a lost camera: the last picture, marked so; None before the first one."""
        self._still = None
        if self._studied is None:
            return None
        return self._as_look(self._studied, TableState.NO_CAMERA, at_s, reason)

    def _as_look(self, frame: Frame, state: TableState, at_s: float, reason: str) -> Look:
        if state is not self._state:
            self._state, self._since_s = state, at_s
        size = (frame.width_px, frame.height_px)
        seen = self._live.sightings if self._live is not None else ()
        return Look(
            state=state,
            since_s=self._since_s,
            live=TableView(seen, frame.taken_at_s, frame.number, *size),
            settled=self._settled,
            frame=frame,
            settled_frame=self._settled_frame,
            reason=reason,
        )

    def _study(self, frame: Frame) -> _Stillness | None:
        """Compare the frame with the stillness so far, once a frame; a movement begins anew.

        Returns:
            The stillness, None in the dark, where nothing can be told.
        """
        still = self._still
        if self._studied is frame:
            return still
        self._studied = frame
        small = shrink(frame.bgr)
        self._restless = self._fidget.study(small, frame.taken_at_s, self._background)
        if too_dark(small, self._background):
            self._still = None
            return None
        if (
            still is not None
            and still.anchor.shape == small.shape
            and share(self._calm(changed_mask(still.anchor, small))) <= MOVED_SHARE
            and differing(still.anchor, small) <= WHOLE_SHARE
        ):
            still.frames += 1
            if not still.compared:
                self._compare(frame, still)
            return still
        if self._background is not None and self._background.shape != small.shape:
            self._background = None
        self._still = _Stillness(small, frame.taken_at_s, self._background, self._settled)
        return self._still

    def _calm(self, mask: Image) -> Image:
        """A mask of changes without those where something fidgets at the edge."""
        return mask if self._restless is None else np.where(self._restless > 0, 0, mask)

    def _compare(self, frame: Frame, still: _Stillness) -> None:
        """Study how the picture moved since it last settled, and take what was known along."""
        old = self._settled_frame
        if still.before is None or old is None:
            return
        still.compared = True
        alike = share(self._calm(changed_mask(still.before, still.anchor))) <= MOVED_SHARE
        if alike and not _differs_whole(still):
            still.move = STAYED
            return
        still.move = find_move(old.bgr, frame.bgr)
        if still.move is None or still.move.stayed:
            return
        still.before = moved_picture(still.move, still.before, still.anchor)
        if still.base is not None:
            still.base = moved_view(still.move, still.base)

    def _judge(self, frame: Frame, still: _Stillness, looked: bool) -> tuple[TableState, str]:
        lasting_s = frame.taken_at_s - still.since_s
        if not still.accepted:
            unlike = self._unlike_background(frame, still)
            whole = unlike > WHOLE_SHARE or _differs_whole(still)
            if unlike > HAND_SHARE and lasting_s <= (ABSORB_WHOLE_S if whole else ABSORB_S):
                if whole:
                    return TableState.MOVING, LIT if still.move is not None else ALL_DIFFERS
                return TableState.HAND, "something reaches into the picture"
            if still.frames < 2 and self._background is not None:
                return TableState.MOVING, "the table is moving"
            if len(still.views) < self._still_frames or lasting_s < STILL_S:
                return TableState.MOVING, "not still for long enough yet"
        if looked or not still.accepted:
            self._settle(frame, still)
        seen = self._settled is not None and self._settled.sightings
        return (TableState.STILL if seen else TableState.CLEARED), ""

    def _unlike_background(self, frame: Frame, still: _Stillness) -> float:
        """Share of the biggest thing from the border that is neither background nor a card."""
        if still.before is None:
            return 0.0
        views = [*still.views, *([still.base] if still.base is not None else [])]
        cards = [sighting.quad_px for view in views for sighting in view.sightings]
        mask = self._calm(changed_mask(still.before, still.anchor))
        rest = without_cards(mask, cards, frame.width_px, frame.height_px)
        return biggest_from_border(rest)

    def _settle(self, frame: Frame, still: _Stillness) -> None:
        merged = merge_views(still.views, still.kept)
        seen, hidden = self._beside_hands(merged.sightings, still, frame)
        merged = replace(
            merged, sightings=seen, taken_at_s=frame.taken_at_s, frame_number=frame.number
        )
        still.kept = tuple(sighting.quad_px for sighting in merged.sightings)
        still.accepted = True
        carried = _carried(merged, still)
        carried += tuple(card for card in hidden if card not in carried)
        self._settled = replace(merged, sightings=merged.sightings + carried)
        self._settled_frame = frame
        self._background = still.anchor
        old = still.before
        if self._restless is not None and old is not None and old.shape == still.anchor.shape:
            # What lay under a fidgeting hand is remembered, for when it goes.
            self._background = np.where(self._restless[..., None] > 0, old, still.anchor)

    def _beside_hands(
        self, sightings: tuple[Sighting, ...], still: _Stillness, frame: Frame
    ) -> tuple[tuple[Sighting, ...], tuple[Sighting, ...]]:
        """What is seen away from fidgeting hands, and the cards known from before under them."""
        mask = self._restless
        if mask is None or not mask.any():
            return sightings, ()
        size = (frame.width_px, frame.height_px)
        known = still.base.sightings if still.base is not None else ()
        return (
            tuple(one for one in sightings if not lies_in(one.quad_px, mask, *size)),
            tuple(one for one in known if lies_in(one.quad_px, mask, *size)),
        )


def _carried(merged: TableView, still: _Stillness) -> tuple[Sighting, ...]:
    """Cards settled before that the eyes now miss, though their place looks as it did or glares.

    Each time it is carried on a card fades, so that what never was a card is gone after a few.
    """
    if still.base is None or still.before is None:
        return ()
    size = (merged.width_px, merged.height_px)
    old = still.base.sightings
    found = pair_up([card.quad_px for card in old], [card.quad_px for card in merged.sightings])
    missed = [card for i, card in enumerate(old) if i not in found]
    if not missed or (still.base.width_px, still.base.height_px) != size:
        return ()
    mask = changed_mask(still.before, still.anchor)
    return tuple(
        replace(card, found=card.found * CARRIED_FADES)
        for card in missed
        if card.found * CARRIED_FADES >= CARRIED_LEAST
        and (
            patch_changed(mask, card.quad_px, *size) <= PATCH_SAME
            or glare_over(still.before, still.anchor, card.quad_px, size)
        )
        and not _covered(card.quad_px, merged)
    )


def moved_view(move: Move, view: TableView) -> TableView:
    """A view with every card where it lies after the camera was bumped."""
    width, height = view.width_px, view.height_px
    moved = (
        replace(one, quad_px=move.moves_quad(one.quad_px, width, height)) for one in view.sightings
    )
    return replace(view, sightings=tuple(moved))


def _differs_whole(still: _Stillness) -> bool:
    """Whether hardly anything looks as it did before, nor lay there otherwise."""
    if still.before is None:
        return False
    return differing(still.before, still.anchor) > WHOLE_SHARE


def _covered(quad_px: Quad, view: TableView) -> bool:
    own = area(quad_px)
    return any(overlap(quad_px, card.quad_px) > 0.5 * own for card in view.sightings)
