"""Step 3: card quads become readings, each with its alternatives (a small network of four heads).

All cards of a picture go through the network in one batch. Black backs, and what is not clear at
once, go through it once more, turned by 180°, and the two answers are averaged. A card that looks
nearly square, seen at a slant, is tried lying sideways as well, and the clearer answer counts.

A deck is thick: what was found of it may be its top with its sides and shadow. A black back that
stays in doubt is looked for in the corners of its cut; see :meth:`Reader.top_of_deck`.

The side decides before the digit: a coloured front has a value from 1 to 6 and a black back one
from 7 to 10, so that a 6 is never a back and a 9 never a front. What the network gives to no card
that exists (a coloured 8) counts as a stranger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.errors import ModelError
from companion.rules.cards import (
    TARGETS,
    VALUES,
    BlueSeven,
    Card,
    Colour,
    Face,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
)
from companion.vision.corners import Corners, as_corners, sides_px, upright
from companion.vision.cut import corner_parts, cut_corners
from companion.vision.detect import Found
from companion.vision.manifest import STRANGER, ReaderSpec
from companion.vision.networks import Network, OnnxNetwork, Tensor
from companion.vision.opencv import cv2
from companion.vision.trust import TOO_SMALL_PX
from companion.vision.values import Image, Quad, Reading

Chances: TypeAlias = Mapping[str, Mapping[str, float]]
"""Probability of each class, by head."""

HANDED = "handed"
"""Output of the reader that tells mirrors: a cut's less that of its mirror image is the log-odds
that it is as it should be.
"""

_KEPT_FROM = 0.005
_KEPT_AT_MOST = 8
_STRANGE_FROM = 0.90
_DETECTOR_FLOOR = 0.02
_SQUARE_BELOW = 1.2
_DECK_PARTS = (0.8, 0.88)
"""How much of the cut of a thick deck may be its top, as a share of its sides."""

_CLEAR = 0.9

_NUMBERS = tuple(NumberCard(colour, value) for colour in Colour for value in VALUES)
_BACKS = tuple(TargetBack(target) for target in TARGETS)
_TWEAKS = {kind.value: TweakCard(kind) for kind in Tweak}
_TWEAK_BACK, _SEVEN = TweakBack(), BlueSeven()


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The cuts of a picture's cards.

    Attributes:
        batch: shape (cuts, 3, height, width), RGB, 0-1.
        cards: which card each cut shows: every card once and in order, then once more, lying
            sideways, those whose long side is in doubt.
    """

    batch: Tensor
    cards: tuple[int, ...]


class Reader:
    """Reads cards cut out of the full picture.

    Args:
        network: what turns cuts into logits, one output for each head.
        spec: the classes of its heads and how it is to be used.
        detector_weight: how much the detector's side counts beside the reader's own, 0-1.
    """

    def __init__(self, network: Network, spec: ReaderSpec, detector_weight: float = 0.15) -> None:
        self.network = network
        self._spec = spec
        self._detector_weight = detector_weight

    @classmethod
    def open(cls, spec: ReaderSpec, threads: int = 2) -> Reader:
        """Open the reader that the manifest names.

        Raises:
            ModelError: its file is no network, or one without the heads that were named.
        """
        network = OnnxNetwork(spec.path, threads)
        missing = [name for name in spec.heads if name not in network.outputs]
        if missing:
            raise ModelError(f"model {spec.path} has no output {', '.join(missing)}")
        return cls(network, spec)

    def cut(self, bgr: Image, quads: Sequence[Quad]) -> Cuts:
        """Cut some cards out of the full picture, ready for the network."""
        size, margin = self._spec.input_px, self._spec.margin
        corners = [upright(as_corners(quad)) for quad in quads]
        doubted = [card for card, each in enumerate(corners) if _nearly_square(each)]
        turned = [np.roll(corners[card], 1, axis=0) for card in doubted]
        cuts = [cut_corners(bgr, each, size, margin) for each in (*corners, *turned)]
        batch = cv2.dnn.blobFromImages(cuts, scalefactor=1.0 / 255.0, swapRB=True)
        return Cuts(np.asarray(batch, np.float32), (*range(len(quads)), *doubted))

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
                read[row] = _mean(read[row], other)
        best: dict[int, tuple[int, Chances]] = {}
        for row, (chances, card) in enumerate(zip(read, cuts.cards, strict=True)):
            weighed = self._weighed(chances)
            if card not in best or _clarity(weighed) > _clarity(best[card][1]):
                best[card] = row, weighed
        return [self.top_of_deck(batch[row], chances) for row, chances in best.values()]

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

        Two smaller parts at each corner are read, both ways up; what is clear in any of them
        counts, unless another one clearly says otherwise.

        Args:
            cut: shape (3, height, width).
            chances: what the whole cut was read as; returned where nothing is clearer.
        """
        card, clarity = options_of(chances)[0]
        if not isinstance(card, TargetBack) or clarity >= self._spec.sure:
            return chances
        parts = corner_parts(cut, _DECK_PARTS)
        both = zip(self.look(parts), self.look(parts[:, :, ::-1, ::-1].copy()), strict=True)
        seen = [self._weighed(_mean(one, other)) for one, other in both]
        clear = sorted((c for c in seen if _clarity(c) >= _CLEAR), key=_clarity)
        if len({options_of(c)[0][0] for c in clear}) != 1:
            return chances
        return clear[-1]

    def look(self, batch: Tensor) -> list[Chances]:
        """The probabilities that the network gives each cut of a batch."""
        outputs = self.network.run(batch)
        temperature = self._spec.temperature or {}
        heads = {
            name: _softmax(outputs[name], temperature.get(name, 1.0)) for name in self._spec.heads
        }
        return [
            {
                name: dict(zip(self._spec.heads[name], map(float, rows[row]), strict=True))
                for name, rows in heads.items()
            }
            for row in range(len(batch))
        ]

    def turned(self, batch: Tensor, read: Sequence[Chances]) -> tuple[list[int], Tensor]:
        """The rows of a batch that are to be read once more, and those turned by 180°.

        A black back is always read twice: it may be the deck, by which the target stands or falls.
        """
        best = [options_of(self._weighed(chances))[0] for chances in read]
        rows = [
            row
            for row, (card, clarity) in enumerate(best)
            if clarity < self._spec.again or isinstance(card, TargetBack)
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
            side = fuse_sides(side, found, self._detector_weight)
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


def _clarity(chances: Chances) -> float:
    return options_of(chances)[0][1]


def _softmax(logits: Tensor, temperature: float) -> npt.NDArray[np.float64]:
    """Probabilities of shape (cuts, classes)."""
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _mean(one: Chances, other: Chances) -> Chances:
    return {
        head: {name: (chance + other[head][name]) / 2 for name, chance in chances.items()}
        for head, chances in one.items()
    }


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


def options_of(chances: Chances) -> tuple[tuple[Card, float], ...]:
    """Every card that exists with its probability, best first."""
    side, colour, value, tweak = (chances[name] for name in ("side", "colour", "value", "tweak"))
    number, back = side[Face.NUMBER.value], side[Face.TARGET_BACK.value]
    options: list[tuple[Card, float]] = [
        (card, number * colour[card.colour.value] * value[str(card.value)]) for card in _NUMBERS
    ]
    options += [(card, back * value[str(card.target)]) for card in _BACKS]
    options += [(card, side[Face.TWEAK.value] * tweak[kind]) for kind, card in _TWEAKS.items()]
    options += [(_TWEAK_BACK, side[Face.TWEAK_BACK.value]), (_SEVEN, side[Face.SEVEN.value])]
    return tuple(sorted(options, key=lambda option: -option[1]))
