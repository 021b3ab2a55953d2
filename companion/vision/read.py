"""Step 3: card quads become readings, each with its alternatives (a small network of four heads).

All cards of a picture go through the network in one batch. Black backs, and what is not clear at
once, go through it once more, turned by 180°, and the two answers are averaged. A card that looks
nearly square, seen at a slant, is tried lying sideways as well, and the clearer answer counts. What
is not clear even so, and large enough, is looked at closer: see :mod:`companion.vision.closer`.

A deck is thick: what was found of it may be its top with its sides and shadow. A black back that
stays in doubt is looked for in the corners of its cut; see :meth:`Reader.top_of_deck`.

The side decides before the digit: a coloured front has a value from 1 to 6 and a black back one
from 7 to 10, so that a 6 is never a back and a 9 never a front. What the network gives to no card
that exists (a coloured 8) counts as a stranger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.cards import Face, TargetBack
from companion.vision.chances import Chances, clarity, look, mixed, options_of
from companion.vision.closer import Closer
from companion.vision.corners import Corners, as_corners, sides_px, upright
from companion.vision.cut import corner_parts, cut_corners
from companion.vision.detect import Found
from companion.vision.manifest import STRANGER, CloserSpec, ReaderSpec
from companion.vision.networks import Network, Tensor, open_network
from companion.vision.opencv import cv2
from companion.vision.trust import TOO_SMALL_PX
from companion.vision.values import Image, Quad, Reading

HANDED = "handed"
"""Output of the reader that tells mirrors: a cut's less that of its mirror image is the log-odds
that it is as it should be.
"""

_KEPT_FROM = 0.005
_KEPT_AT_MOST = 8
_STRANGE_FROM = 0.90
_DETECTOR_FLOOR = 0.02
_DETECTOR_WEIGHT = 0.15
_SQUARE_BELOW = 1.2
_DECK_PARTS = (0.8, 0.88)
"""How much of the cut of a thick deck may be its top, as a share of its sides."""

_CLEAR, _CLEAR_TOO = 0.9, 0.6
"""How clear the clearer part of a corner has to be, and the other one."""


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The cuts of a picture's cards.

    Attributes:
        batch: shape (cuts, 3, height, width), RGB, 0-1.
        cards: which card each cut shows: every card once and in order, then once more, lying
            sideways, those whose long side is in doubt.
        corners: of the card in each cut, top left of the cut first, clockwise.
        bgr: the full picture.
    """

    batch: Tensor
    cards: tuple[int, ...]
    corners: tuple[Corners, ...]
    bgr: Image


class Reader:
    """Reads cards cut out of the full picture.

    Args:
        network: what turns cuts into logits, one output for each head.
        spec: the classes of its heads and how it is to be used.
        closer: what looks once more at cards that are not clear; None: nothing does.
    """

    def __init__(self, network: Network, spec: ReaderSpec, closer: Closer | None = None) -> None:
        self.network = network
        self.closer = closer
        self._spec = spec

    @classmethod
    def open(cls, spec: ReaderSpec, threads: int = 2, closer: CloserSpec | None = None) -> Reader:
        """Open the reader that the manifest names, and the one that looks closer.

        Raises:
            ModelError: its file is no network, or one without the heads that were named.
        """
        network = open_network(spec.path, spec.heads, threads)
        return cls(network, spec, Closer.open(closer, threads) if closer else None)

    def cut(self, bgr: Image, quads: Sequence[Quad]) -> Cuts:
        """Cut some cards out of the full picture, ready for the network."""
        size, margin = self._spec.input_px, self._spec.margin
        corners = [upright(as_corners(quad)) for quad in quads]
        doubted = [card for card, each in enumerate(corners) if _nearly_square(each)]
        every = (*corners, *(np.roll(corners[card], 1, axis=0) for card in doubted))
        cuts = [cut_corners(bgr, each, size, margin) for each in every]
        batch = cv2.dnn.blobFromImages(cuts, scalefactor=1.0 / 255.0, swapRB=True)
        cards = (*range(len(quads)), *doubted)
        return Cuts(np.asarray(batch, np.float32), cards, every, bgr)

    def infer(self, cuts: Cuts) -> list[Chances]:
        """The probabilities of each card, from whichever of its cuts is clearer.

        Args:
            cuts: what :meth:`cut` returned.
        """
        batch = cuts.batch
        read = self.look(batch)
        rows, turned = self.turned(batch, read)
        if rows:
            for row, other in zip(rows, self.look(turned), strict=True):
                read[row] = mixed(read[row], other)
        best: dict[int, tuple[float, int]] = {}
        for row, (chances, card) in enumerate(zip(read, cuts.cards, strict=True)):
            clear = clarity(self._weighed(chances))
            if card not in best or clear > best[card][0]:
                best[card] = clear, row
        self._look_closer(cuts, read, list(best.values()))
        return [self.top_of_deck(batch[row], self._weighed(read[row])) for _, row in best.values()]

    def _doubts(self, clear: float) -> bool:
        return clear < self._spec.again

    def _look_closer(
        self, cuts: Cuts, read: list[Chances], cards: Sequence[tuple[float, int]]
    ) -> None:
        """Put what the closer look says in the place of what some cards were read as.

        Args:
            cuts: of the cards.
            read: what each cut was read as.
            cards: how clear each card is, and the row of its clearest cut.
        """
        if self.closer is None:
            return
        gains = self.closer.gains
        rows = [row for clear, row in cards if gains(cuts.corners[row], clear)]
        if rows:
            corners, before = [cuts.corners[row] for row in rows], [read[row] for row in rows]
            closer = self.closer.look(cuts.bgr, corners, before)
            for row, chances in zip(rows, closer, strict=True):
                read[row] = chances

    def handed(self, cuts: Cuts) -> npt.NDArray[np.float64]:
        """Log-odds of each card that it is as it should be, and not as in a mirror, shape (n,).

        Nothing is known (0) where the network has no such output.
        """
        batch = cuts.batch[: len(set(cuts.cards))]
        plain = self.network.run(batch)
        if HANDED not in plain:
            return np.zeros(len(batch))
        turned = self.network.run(np.ascontiguousarray(batch[..., ::-1]))
        return np.asarray(plain[HANDED] - turned[HANDED], np.float64)[:, 0]

    def top_of_deck(self, cut: Tensor, chances: Chances) -> Chances:
        """The clearest reading of a doubtful black back in the corners of its cut.

        Two smaller parts at each corner are read, both ways up. A corner tells something where both
        say the same, one of them clearly. Where no corner does, a single part that is clear will
        do. Whatever tells something has to tell the same.

        Args:
            cut: shape (3, height, width).
            chances: what the whole cut was read as; returned where nothing is clearer.
        """
        card, clear = options_of(chances)[0]
        if not isinstance(card, TargetBack) or clear >= self._spec.sure:
            return chances
        parts = corner_parts(cut, _DECK_PARTS)
        both = zip(self.look(parts), self.look(parts[:, :, ::-1, ::-1].copy()), strict=True)
        seen = [self._weighed(mixed(one, other)) for one, other in both]
        corners = zip(seen[: len(seen) // 2], seen[len(seen) // 2 :], strict=True)
        told = [max(pair, key=clarity) for pair in corners if _is_clear(*pair)]
        told = told or [part for part in seen if clarity(part) >= _CLEAR]
        if len({options_of(one)[0][0] for one in told}) != 1:
            return chances
        return max(told, key=clarity)

    def look(self, batch: Tensor) -> list[Chances]:
        """The probabilities that the network gives each cut of a batch."""
        return look(self.network, batch, self._spec.heads, self._spec.temperature)

    def turned(self, batch: Tensor, read: Sequence[Chances]) -> tuple[list[int], Tensor]:
        """The rows of a batch that are to be read once more, and those turned by 180°.

        A black back is always read twice: it may be the deck, by which the target stands or falls.
        """
        best = [options_of(self._weighed(chances))[0] for chances in read]
        rows = [
            row
            for row, (card, clear) in enumerate(best)
            if self._doubts(clear) or isinstance(card, TargetBack)
        ]
        return rows, np.ascontiguousarray(batch[rows][:, :, ::-1, ::-1])

    def _weighed(self, chances: Chances) -> Chances:
        """The same with a stranger's chance as it is at a table, not as in training."""
        side = dict(chances["side"])
        side[STRANGER] = self._spec.strange * side.get(STRANGER, 0.0)
        total = sum(side.values())
        return {**chances, "side": {name: chance / total for name, chance in side.items()}}

    def decide(self, chances: Chances, quad_px: Quad, found: Found | None = None) -> Reading:
        """The reading that follows from the heads' probabilities.

        Args:
            chances: probability of each class, by head.
            quad_px: the card's corners, for its size.
            found: what the detector said about the same card, if it was asked.
        """
        side = dict(chances["side"])
        if found is not None:
            side = fuse_sides(side, found, _DETECTOR_WEIGHT)
        options = options_of({**chances, "side": side})
        stranger = max(0.0, 1.0 - sum(score for _, score in options))
        kept = tuple(option for option in options if option[1] >= _KEPT_FROM)[:_KEPT_AT_MOST]
        if stranger >= _STRANGE_FROM:
            kept = ()
        large = min(sides_px(as_corners(quad_px))) >= TOO_SMALL_PX
        sure = bool(kept) and large and kept[0][1] >= self._spec.sure
        return Reading(options=kept, sure=sure, stranger=stranger)

    def read(
        self, bgr: Image, quads: Sequence[Quad], found: Sequence[Found] = ()
    ) -> tuple[Reading, ...]:
        """Read the cards inside some quads.

        Args:
            bgr: the full picture.
            quads: the corners of each card.
            found: what the detector said about the same cards; empty if it was not asked.
        """
        if not quads:
            return ()
        all_chances = self.infer(self.cut(bgr, quads))
        seen: Sequence[Found | None] = found or [None] * len(quads)
        return tuple(map(self.decide, all_chances, quads, seen))


def _nearly_square(corners: Corners) -> bool:
    """Whether the camera's tilt may have made the card's long side the shorter one."""
    across, down = sides_px(corners)
    return down < _SQUARE_BELOW * across


def _is_clear(one: Chances, other: Chances) -> bool:
    """Whether two looks at one corner of a deck tell the same card."""
    (card, first), (again, second) = options_of(one)[0], options_of(other)[0]
    return card == again and max(first, second) >= _CLEAR and min(first, second) >= _CLEAR_TOO


def fuse_sides(side: Mapping[str, float], found: Found, detector_weight: float) -> dict[str, float]:
    """The reader's sides weighed with the detector's: a geometric mean, normalised.

    The detector never rules a side out for good: each of its scores counts as 0.02 at least.
    """
    said = {
        STRANGER if face is Face.UNKNOWN else face.value: max(score, _DETECTOR_FLOOR)
        for face, score in found.side_scores
    }
    middling = sum(said.values()) / max(1, len(said))
    weighed = {
        name: chance ** (1.0 - detector_weight) * said.get(name, middling) ** detector_weight
        for name, chance in side.items()
    }
    total = sum(weighed.values())
    return {name: weight / total for name, weight in weighed.items()}
