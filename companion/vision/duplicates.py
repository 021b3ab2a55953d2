"""Drops quads that show a card already found; two real cards half over each other stay two.

First, candidates that are all but the same box are made one; a comparison of their outlines' mean
and spread is quick over hundreds. What is left is compared by exact areas.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.corners import Corners, area_px2, overlap

SAME_CARD_IOU = 0.50
"""Two equal cards, one covering 60 % of the other, overlap to an IoU of 0.43."""

SAME_BEFORE_RIGHT_IOU = 0.70
"""The same for quads that are yet to be put right: half-covered cards move apart then."""

SAME_BEFORE_READ_IOU = 0.60
"""The same for quads that were put right and are yet to be read: one that lies astride two cards
looks as good as either, until somebody tries to read it."""

CONCENTRIC = 0.15
"""Quads whose middles are nearer than this share of the card's size are taken for one card, askew:
cards that cross right in their middles are rarer than a card found twice with another turn."""

CONCENTRIC_IOU = 0.40

INSIDE = 0.85
"""A quad that lies this far inside another, and is clearly smaller, is a part of that card."""

PART_AREA = 0.50
"""How small against the other one a quad is to be a part of it and not a card on a card."""

WHOLE_SCORE = 0.5
"""A whole card is kept in place of its part from this share of the part's score on."""

UNSEEN_SCORE = 0.05
"""What a look that does not show a card at all says about it."""

_TURNS = np.array([(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)])
_NEAR = 0.25
_ALIKE = 0.35


def merge_copies(
    quads: Corners,
    scores: npt.NDArray[np.float64],
    looks: npt.NDArray[np.intp],
    asked: npt.NDArray[np.intp],
) -> tuple[Corners, npt.NDArray[np.float64]]:
    """Make all but equal quads one; a card that every look asked shows scores best.

    Args:
        quads: shape (n, 4, 2), best first.
        scores: shape (n, classes).
        looks: shape (n,): which look at the picture each comes from.
        asked: shape (n,): how many looks should show a card of its size.

    Returns:
        Quads of shape (k, 4, 2) and scores of shape (k, classes), best first: means over the
        copies, and over the looks of the best copy in each.
    """
    gathered = _gather_copies(quads)
    best = scores.max(axis=1, initial=0.0)
    merged = [_averaged(quads[copies], best[copies]) for copies in gathered]
    rows = [_mean_look(scores[own], looks[own], int(asked[own[0]])) for own in gathered]
    all_rows = np.array(rows).reshape(-1, scores.shape[1])
    order = np.argsort(-all_rows.max(axis=1, initial=0.0), kind="stable")
    return np.array(merged).reshape(-1, 4, 2)[order], all_rows[order]


def _mean_look(
    scores: npt.NDArray[np.float64], looks: npt.NDArray[np.intp], count: int
) -> npt.NDArray[np.float64]:
    """Mean over the looks of each one's best copy; copies come best first."""
    unseen = scores[0] * (UNSEEN_SCORE / scores[0].max())
    rows = [scores[looks == look][0] if (looks == look).any() else unseen for look in range(count)]
    return np.asarray(np.mean(rows, axis=0), dtype=np.float64)


def keep_distinct(
    quads: Corners, scores: npt.NDArray[np.float64], same_iou: float = SAME_CARD_IOU
) -> list[int]:
    """Which quads to keep.

    Args:
        quads: shape (n, 4, 2), best first.
        scores: shape (n,), falling.
        same_iou: IoU from which on two that are not concentric are one card.

    Returns:
        Indices of the quads kept, best first.
    """
    suspects = _suspects(quads)
    kept: list[int] = []
    for row in range(len(quads)):
        rivals = {rival for rival in kept if suspects[row, rival]}
        parts = {rival for rival in rivals if _is_part_of(quads[rival], quads[row])}
        parts = {rival for rival in parts if scores[row] >= WHOLE_SCORE * scores[rival]}
        if len(parts) > 1 and all(scores[rival] > scores[row] for rival in parts):
            parts = set()  # a row of cards, and no card of which only parts were found
        if not any(_same_card(quads[row], quads[rival], same_iou) for rival in rivals - parts):
            kept = [one for one in kept if one not in parts] + [row]
    return sorted(kept)


def _averaged(copies: Corners, scores: npt.NDArray[np.float64]) -> Corners:
    """Copies of one card, shape (n, 4, 2), best first, as one: their mean, weighed by score."""
    if len(copies) == 1:
        return copies.reshape(4, 2)
    turns = copies[:, _TURNS]
    misfits = np.abs(turns - copies[0]).sum(axis=(2, 3))
    aligned = turns[np.arange(len(copies)), misfits.argmin(axis=1)]
    return np.asarray(np.tensordot(scores / scores.sum(), aligned, axes=1), dtype=np.float64)


def _is_part_of(part: Corners, whole: Corners) -> bool:
    """Whether a quad shows but a part of another one's card, as its digit."""
    shared = overlap(part, whole)
    return shared.contained >= INSIDE and shared.first_px2 < PART_AREA * shared.second_px2


def _suspects(quads: Corners) -> npt.NDArray[np.bool_]:
    """Which of each two could be one card, by their upright boxes: shape (n, n).

    A quad's area is never more than its box's, so that no pair is missed.
    """
    low, high = quads.min(axis=1), quads.max(axis=1)
    shared = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    shared_px2 = np.prod(np.maximum(shared, 0.0), axis=2)
    areas_px2 = np.array([area_px2(quad) for quad in quads])
    smaller_px2 = np.minimum(areas_px2[:, None], areas_px2[None])
    suspects: npt.NDArray[np.bool_] = shared_px2 >= CONCENTRIC_IOU * smaller_px2
    return suspects


def _gather_copies(quads: Corners) -> list[npt.NDArray[np.intp]]:
    """Indices of each card's all but equal quads, the best of them first."""
    middles = quads.mean(axis=1)
    offsets = quads - middles[:, None]
    # Size, shape and heading at once: crossed cards of one size differ in it, copies do not.
    spreads = np.einsum("nij,nik->njk", offsets, offsets) / 4.0
    reaches = np.trace(spreads, axis1=1, axis2=2)
    gathered: list[npt.NDArray[np.intp]] = []
    left = np.arange(len(quads))
    while len(left):
        best = left[0]
        apart = np.linalg.norm(middles[left] - middles[best], axis=1)
        differences = np.abs(spreads[left] - spreads[best]).max(axis=(1, 2))
        copies = (apart < _NEAR * np.sqrt(reaches[best])) & (differences < _ALIKE * reaches[best])
        copies[0] = True
        gathered.append(left[copies])
        left = left[~copies]
    return gathered


def _same_card(quad: Corners, better: Corners, same_iou: float) -> bool:
    shared = overlap(quad, better)
    apart_px = float(np.linalg.norm(quad.mean(axis=0) - better.mean(axis=0)))
    smaller, larger = sorted((shared.first_px2, shared.second_px2))
    concentric = apart_px < CONCENTRIC * np.sqrt(smaller)
    if shared.iou >= (CONCENTRIC_IOU if concentric else same_iou):
        return True
    return shared.contained >= INSIDE and smaller < PART_AREA * larger
