"""Makes a trained reader wider and deeper without changing what it answers.

A channel that is doubled carries its signal twice, and what reads it shares its weights out
between the two, at random, so that training can tell them apart (Net2WiderNet: Chen, Goodfellow
and Shlens, "Net2Net: Accelerating Learning via Knowledge Transfer", ICLR 2016). A new block begins
with a last normalisation of zero, so that it lets its input pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from companion.errors import BadInput
from datasets.workshop.network import ReaderNet, Residual, build_reader

Sources: TypeAlias = list[int]
"""For each channel of a wider layer, the channel of the narrow one that it repeats."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Channels of a reader's stem and stages, and the blocks of its last stages."""

    widths: tuple[int, ...]
    blocks: tuple[int, ...]


GROWN = Shape((16, 40, 64, 128, 160), (1, 2, 2))
"""The blessed reader's shape; it began as :data:`datasets.workshop.network.WIDTHS`."""


@torch.no_grad()  # type: ignore[untyped-decorator]
def grow_reader(state: dict[str, Any], shape: Shape, seed: int = 1) -> ReaderNet:
    """A larger reader that answers as a checkpoint's does.

    Args:
        state: the checkpoint, as :func:`datasets.workshop.network.build_reader` takes it.
        shape: of the larger reader.
        seed: of the shares.

    Raises:
        BadInput: a stage shall have fewer channels or blocks, or more than twice the channels.
    """
    old = build_reader(state)
    if len(shape.widths) != len(old.widths) or len(shape.blocks) != len(old.blocks):
        raise BadInput(f"a reader has {len(old.widths)} widths and {len(old.blocks)} counts")
    pairs = [*zip(old.widths, shape.widths, strict=True)]
    if any(not few <= many <= 2 * few for few, many in pairs):
        raise BadInput(f"widths {shape.widths}: wanted each of {old.widths}, or up to twice that")
    if any(more < some for some, more in zip(old.blocks, shape.blocks, strict=True)):
        raise BadInput(f"blocks {shape.blocks}: wanted {old.blocks}, or more")
    new = ReaderNet(shape.widths, shape.blocks)
    old.eval()
    new.eval()
    dice = torch.Generator().manual_seed(seed)
    sources = [[*range(few), *range(many - few)] for few, many in pairs]
    for (small, large), (inside, outside) in zip(
        zip(_stages(old), _stages(new), strict=True),
        pairwise([[0, 1, 2], *sources]),
        strict=True,
    ):
        _copy_conv(small.head, large.head, (inside, outside), dice)
        for number, block in enumerate(large.blocks):
            if number < len(small.blocks):
                _copy_path(small.blocks[number].path, block.path, outside, dice)
            else:
                block.path[-1].weight.zero_()
    last = sources[-1]
    both = [*last, *(channel + old.widths[-1] for channel in last)]
    new.answers.weight.copy_(_shared(old.answers.weight, both, dice))
    new.answers.bias.copy_(old.answers.bias)
    return new


@dataclass(frozen=True, slots=True)
class _Stage:
    head: tuple[nn.Module, nn.Module]
    blocks: tuple[Residual, ...]


def _stages(network: ReaderNet) -> Iterator[_Stage]:
    """The strided convolution with its normalisation and the blocks of each stage, stem first."""
    layers: Sequence[nn.Module] = list(network.features)
    starts = [at for at, layer in enumerate(layers) if isinstance(layer, nn.Conv2d)]
    for start, end in pairwise([*starts, len(layers)]):
        blocks = [layer for layer in layers[start:end] if isinstance(layer, Residual)]
        yield _Stage((layers[start], layers[start + 1]), tuple(blocks))


def _copy_path(
    small: Sequence[nn.Module], large: Sequence[nn.Module], at: Sources, dice: torch.Generator
) -> None:
    """The two convolutions of a block; its inside is as wide as its stage."""
    for first in (0, 3):
        before, after = (small[first], small[first + 1]), (large[first], large[first + 1])
        _copy_conv(before, after, (at, at), dice)


def _copy_conv(
    small: tuple[Any, Any], large: tuple[Any, Any], at: tuple[Sources, Sources], dice: Any
) -> None:
    inside, outside = at
    large[0].weight.copy_(_shared(small[0].weight, inside, dice)[outside])
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(large[1], name).copy_(getattr(small[1], name)[outside])


def _shared(weight: Tensor, inside: Sources, dice: torch.Generator) -> Tensor:
    """Weights (out, in, ...) for repeated inputs; the repeats' shares add up to one."""
    share = 0.5 + torch.rand(weight.shape[0], len(inside), generator=dice)
    total = torch.zeros(weight.shape[:2])
    total.index_add_(1, torch.tensor(inside), share)
    share = share / total[:, inside]
    return weight[:, inside] * share.reshape(*share.shape, *[1] * (weight.dim() - 2))
