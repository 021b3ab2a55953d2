"""The reader's network: one straightened cut in, four small answers out.

A plain residual net: strided 3x3 convolutions, four stages, average and maximum pooling side by
side, one linear layer for all heads. A head that does not apply to a card (the colour of a black
back) is masked while training and ignored when reading: the side decides first.

>>> targets_of("R5")
{'side': 0, 'colour': 0, 'value': 4, 'tweak': -1}
>>> targets_of("stranger")["side"] == HEADS["side"].index("none")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.rules.cards import (
    TARGETS,
    VALUES,
    Colour,
    Face,
    NumberCard,
    TargetBack,
    Tweak,
    TweakCard,
    parse_card,
)

NONE = "none"
HEADS: dict[str, tuple[str, ...]] = {
    "side": (*(face.value for face in Face if face is not Face.UNKNOWN), NONE),
    "colour": tuple(colour.value for colour in Colour),
    "value": tuple(str(number) for number in VALUES + TARGETS),
    "tweak": tuple(kind.value for kind in Tweak),
}
"""Every head's classes in the order of its outputs."""

WIDTHS = (16, 32, 48, 96, 128)
"""Channels of the stem and of the four stages."""

DETAIL_WIDTHS = (32, 64)
"""Channels of what looks closer."""

_FIRST_STAGE = 6
"""Layers of the stem and of the first stage, which has no block."""

IGNORED = -1
"""The class index of a head that does not apply to a card."""


def targets_of(text: str) -> dict[str, int]:
    """The class index for every head of a card's text, or of ``stranger``.

    Args:
        text: a card as in :mod:`companion.rules.cards`, or any of ``stranger``, ``none``.

    Returns:
        One index a head, :data:`IGNORED` where the head does not apply.

    Raises:
        UnknownCard: the text names no card.
    """
    found = dict.fromkeys(HEADS, IGNORED)
    if text in {"stranger", NONE}:
        return found | {"side": HEADS["side"].index(NONE)}
    card = parse_card(text)
    found["side"] = HEADS["side"].index(card.face.value)
    if isinstance(card, NumberCard):
        found["colour"] = HEADS["colour"].index(card.colour.value)
        found["value"] = HEADS["value"].index(str(card.value))
    elif isinstance(card, TargetBack):
        found["value"] = HEADS["value"].index(str(card.target))
    elif isinstance(card, TweakCard) and card.kind is not None:
        found["tweak"] = HEADS["tweak"].index(card.kind.value)
    return found


def conv(inputs: int, outputs: int, stride: int = 1) -> list[nn.Module]:
    """A 3x3 convolution and its normalisation."""
    return [
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
    ]


class Residual(nn.Module):  # type: ignore[misc]
    """Two 3x3 convolutions beside a straight path."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.path = nn.Sequential(
            *conv(channels, channels), nn.ReLU(inplace=True), *conv(channels, channels)
        )

    def forward(self, cuts: Tensor) -> Tensor:
        """Map (n, c, h, w) to (n, c, h, w)."""
        return torch.relu(cuts + self.path(cuts))


class Detail(nn.Module):  # type: ignore[misc]
    """What a cut twice as wide and high shows besides: (n, 3, 8h, 8w) to (n, outputs, h, w).

    Args:
        widths: channels at a quarter and at an eighth of the cut's size.
        outputs: channels of the stage that it is added to; it begins with adding nothing.
    """

    def __init__(self, widths: Sequence[int], outputs: int) -> None:
        super().__init__()
        fine, coarse = widths
        self.layers = nn.Sequential(
            nn.PixelUnshuffle(2),
            *conv(12, fine, 2),
            nn.ReLU(inplace=True),
            *conv(fine, fine),
            nn.ReLU(inplace=True),
            *conv(fine, coarse, 2),
            nn.ReLU(inplace=True),
            Residual(coarse),
        )
        self.joins = nn.Conv2d(coarse, outputs, 1, bias=False)
        nn.init.zeros_(self.joins.weight)

    def forward(self, cuts: Tensor) -> Tensor:
        """What is to be added to the reader's first stage."""
        return self.joins(self.layers(cuts))


class ReaderNet(nn.Module):  # type: ignore[misc]
    """The reader: float RGB (n, 3, 128, 96) in 0-1 to the logits of all heads (n, 26).

    Args:
        widths: channels of the stem and of the four stages.
        blocks: residual blocks of the last three stages.
        dropout: share of the pooled features dropped while training.
        detail: channels of :class:`Detail`, for a network that takes cuts (n, 3, 256, 192); none
            for a plain one.
    """

    def __init__(
        self,
        widths: Iterable[int] = WIDTHS,
        blocks: Iterable[int] = (1, 1, 2),
        dropout: float = 0.1,
        detail: Iterable[int] = (),
    ) -> None:
        super().__init__()
        self.widths, self.blocks, self.detailed = tuple(widths), tuple(blocks), tuple(detail)
        stem, *stages = self.widths
        layers: list[nn.Module] = [*conv(3, stem, 2), nn.ReLU(inplace=True)]
        inputs = stem
        for outputs, count in zip(stages, (0, *self.blocks), strict=True):
            layers += [*conv(inputs, outputs, 2), nn.ReLU(inplace=True)]
            layers += [Residual(outputs) for _ in range(count)]
            inputs = outputs
        self.features = nn.Sequential(*layers)
        self.dropout = nn.Dropout(dropout)
        self.answers = nn.Linear(2 * inputs, sum(len(names) for names in HEADS.values()))
        if self.detailed:
            self.detail = Detail(self.detailed, self.widths[1])

    def forward(self, cuts: Tensor) -> Tensor:
        """Map float RGB cuts (n, 3, h, w) in 0-1 to logits (n, 26), heads side by side."""
        return self.answers(self.dropout(self.pooled(cuts)))

    def pooled(self, cuts: Tensor) -> Tensor:
        """What the last layer sees: mean and maximum of every feature, (n, 2 * widths[-1])."""
        maps = self._maps(cuts * 4.0 - 2.0).float()
        return torch.cat([maps.mean(dim=(2, 3)), maps.amax(dim=(2, 3))], dim=1)

    def _maps(self, cuts: Tensor) -> Tensor:
        if not self.detailed:
            return self.features(cuts)
        first = self.features[:_FIRST_STAGE](functional.avg_pool2d(cuts, 2))
        return self.features[_FIRST_STAGE:](first + self.detail(cuts))


def split_heads(logits: Tensor) -> dict[str, Tensor]:
    """Cut the logits (n, 26) of :class:`ReaderNet` into one (n, classes) array a head."""
    sizes = [len(names) for names in HEADS.values()]
    return dict(zip(HEADS, logits.split(sizes, dim=1), strict=True))


def has_bfloat16() -> bool:
    """Whether this processor computes in bfloat16 itself; where it must imitate it, it is slow."""
    asks = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return bool(asks and asks())


def build_reader(state: dict[str, Any] | None = None) -> ReaderNet:
    """A reader, with the weights and shape of a checkpoint where one is given.

    Args:
        state: ``{"widths": …, "blocks": …, "weights": …}`` as a checkpoint keeps it.
    """
    if state is None:
        return ReaderNet()
    network = ReaderNet(state["widths"], state["blocks"], detail=state.get("detail", ()))
    network.load_state_dict(state["weights"])
    return network


def to_network(cuts: npt.NDArray[np.uint8]) -> Tensor:
    """Cuts, uint8 BGR (n, h, w, 3), as a network wants them: float RGB (n, 3, h, w) in 0-1."""
    rgb = torch.from_numpy(np.ascontiguousarray(cuts[..., ::-1]))
    return rgb.permute(0, 3, 1, 2).float().div_(255.0)


def reader_of(checkpoint: Path) -> ReaderNet:
    """The reader that a checkpoint keeps."""
    return build_reader(torch.load(checkpoint, weights_only=True))


def closer_reader(state: dict[str, Any]) -> ReaderNet:
    """A reader for cuts twice as wide and high that answers as a plain one's checkpoint does."""
    network = ReaderNet(state["widths"], state["blocks"], detail=DETAIL_WIDTHS)
    network.load_state_dict(state["weights"], strict=False)
    return network
