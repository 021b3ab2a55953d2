"""Drops quads that show a card already found; two real cards half over each other stay two.

First, candidates that are all but the same box are dropped by a comparison of their outlines' mean
and spread, which is quick over hundreds; what is left is compared by exact areas.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.corners import Corners, area_px2, overlap

SAME_CARD_IOU = 0.50
"""Two equal cards, one covering 60 % of the other, overlap to an IoU of 0.43."""

CONCENTRIC = 0.15
"""Quads whose middles are nearer than this share of the card's size are taken for one card, askew:
cards that cross right in their middles are rarer than a card found twice with another turn."""

CONCENTRIC_IOU = 0.40

INSIDE = 0.85
"""A quad that lies this far inside another, and is clearly smaller, is a part of that card."""

PART_AREA = 0.65
"""How small against the other one a quad is to be a part of it and not a card on a card."""

WHOLE_SCORE = 0.5
"""A whole card is kept in place of its part from this share of the part's score on."""

_NEAR = 0.15
_ALIKE = 0.20


def keep_distinct(quads: Corners, scores: npt.NDArray[np.float64]) -> list[int]:
    """Which quads to keep.

    Args:
        quads: shape (n, 4, 2), best first.
        scores: shape (n,), falling.

    Returns:
        Indices of the quads kept, best first.
    """
    left = _thin_out(quads)
    suspects = _suspects(quads[left])
    kept: list[int] = []
    for row, index in enumerate(left):
        rivals = [left[other] for other in np.flatnonzero(suspects[row]) if left[other] in kept]
        parts = {rival for rival in rivals if _is_whole_of(index, rival, quads, scores)}
        if not any(_same_card(quads[index], quads[rival]) for rival in set(rivals) - parts):
            kept = [one for one in kept if one not in parts] + [index]
    return sorted(kept)


def _is_whole_of(index: int, better: int, quads: Corners, scores: npt.NDArray[np.float64]) -> bool:
    """Whether a quad is the card of which a better scored one is but a part, as its digit is."""
    shared = overlap(quads[index], quads[better])
    is_part = shared.contained >= INSIDE and shared.second_px2 < PART_AREA * shared.first_px2
    return is_part and bool(scores[index] >= WHOLE_SCORE * scores[better])


def _suspects(quads: Corners) -> npt.NDArray[np.bool_]:
    """Which of each two could be one card, by their upright boxes: shape (n, n).

    A quad's area is never more than its box's, so that no pair is missed.
    """
    low, high = quads.min(axis=1), quads.max(axis=1)
    shared = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    shared_px2 = np.prod(np.maximum(shared, 0.0), axis=2)
    areas_px2 = np.array([area_px2(quad) for quad in quads])
    smaller_px2 = np.minimum(areas_px2[:, None], areas_px2[None])
    suspects: npt.NDArray[np.bool_] = shared_px2 >= min(SAME_CARD_IOU, INSIDE) * smaller_px2
    return suspects


def _thin_out(quads: Corners) -> list[int]:
    """Indices left, in the same order, once near copies of a better quad are dropped."""
    middles = quads.mean(axis=1)
    offsets = quads - middles[:, None]
    # Size, shape and heading at once: crossed cards of one size differ in it, copies do not.
    spreads = np.einsum("nij,nik->njk", offsets, offsets) / 4.0
    reaches = np.trace(spreads, axis1=1, axis2=2)
    kept: list[int] = []
    left = np.arange(len(quads))
    while len(left):
        best = left[0]
        kept.append(int(best))
        near = np.linalg.norm(middles[left] - middles[best], axis=1) < _NEAR * np.sqrt(
            reaches[best]
        )
        differences = np.abs(spreads[left] - spreads[best]).max(axis=(1, 2))
        left = left[~(near & (differences < _ALIKE * reaches[best]))]
    return kept


def _same_card(quad: Corners, better: Corners) -> bool:
    shared = overlap(quad, better)
    apart_px = float(np.linalg.norm(quad.mean(axis=0) - better.mean(axis=0)))
    smaller, larger = sorted((shared.first_px2, shared.second_px2))
    concentric = apart_px < CONCENTRIC * np.sqrt(smaller)
    if shared.iou >= (CONCENTRIC_IOU if concentric else SAME_CARD_IOU):
        return True
    return shared.contained >= INSIDE and smaller < PART_AREA * larger
