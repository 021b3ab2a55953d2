"""The second look of step 3: what is not clear is cut out once more, twice as large.

A digit in a card's corner is some six pixels high in the reader's cut, and of a card that lies half
under others it may be all that is in sight. Cuts twice as wide and high cost several times as much,
so only doubtful cards are looked at so closely, and only those that have the pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.chances import Chances, look, mixed, pooled
from companion.vision.corners import Corners, sides_px
from companion.vision.cut import cut_corners
from companion.vision.manifest import CloserSpec
from companion.vision.networks import Network, Tensor, open_network
from companion.vision.opencv import cv2
from companion.vision.values import Image


class Closer:
    """Reads doubtful cards from larger cuts.

    Args:
        network: what turns these cuts into logits, one output for each head.
        spec: the classes of its heads and how it is to be used.
    """

    def __init__(self, network: Network, spec: CloserSpec) -> None:
        self.network = network
        self._spec = spec

    @classmethod
    def open(cls, spec: CloserSpec, threads: int = 2) -> Closer:
        """Open the network that the manifest names.

        Raises:
            ModelError: its file is no network, or one without the heads that were named.
        """
        return cls(open_network(spec.path, spec.heads, threads), spec)

    def gains(self, corners: Corners, clear: float) -> bool:
        """Whether a card is to be looked at: in doubt, and large enough to show more.

        Args:
            corners: of the card, shape (4, 2).
            clear: the probability of what it was read as, 0-1.
        """
        return clear < self._spec.below and min(sides_px(corners)) >= self._spec.from_px

    def cut(self, bgr: Image, cards: Sequence[Corners]) -> Tensor:
        """Cut some cards out, as they lie and then all of them turned by 180°.

        Args:
            bgr: the full picture.
            cards: corners (4, 2) of each, the one that comes to lie top left first, clockwise.
        """
        size, margin = self._spec.input_px, self._spec.margin
        cuts = [cut_corners(bgr, corners, size, margin) for corners in cards]
        cuts += [np.ascontiguousarray(cut[::-1, ::-1]) for cut in cuts]
        batch = cv2.dnn.blobFromImages(cuts, scalefactor=1.0 / 255.0, swapRB=True)
        return np.asarray(batch, np.float32)

    def look(self, bgr: Image, cards: Sequence[Corners], first: Sequence[Chances]) -> list[Chances]:
        """What is known of some cards after the closer look.

        Args:
            bgr: the full picture.
            cards: their corners, as :meth:`cut` takes them.
            first: what they were read as before.
        """
        both = look(self.network, self.cut(bgr, cards), self._spec.heads, self._spec.temperature)
        ways = zip(both[: len(cards)], both[len(cards) :], strict=True)
        closer = [mixed(upright, turned) for upright, turned in ways]
        return [
            pooled(before, now, self._spec.weights)
            for before, now in zip(first, closer, strict=True)
        ]
