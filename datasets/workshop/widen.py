"""Doubles the width of a trained detector without changing what it answers.

Each channel becomes two neighbours that carry the same signal, and what reads them shares its
weights out between the two at random, so that training can tell them apart (Net2WiderNet: Chen,
Goodfellow and Shlens, "Net2Net: Accelerating Learning via Knowledge Transfer", ICLR 2016).
Neighbours stay neighbours through concatenation and through halving, so no map of the network is
needed.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from ultralytics import YOLO
from ultralytics.nn.modules.block import Attention
from ultralytics.nn.tasks import OBBModel

from companion.errors import BadInput
from datasets.workshop.labels import CLASSES

_SHARE = (0.3, 0.7)


def widen(narrow: Path, network: Path, target: Path, seed: int = 1) -> Path:
    """Write the weights of a wider network that answers as the narrow one does.

    Args:
        narrow: ultralytics' weights of the trained network.
        network: YAML of the same network with widths that are whole multiples.
        target: where the weights go.
        seed: of the shares.

    Returns:
        ``target``.

    Raises:
        BadInput: a layer's width is no whole multiple of the narrow one's.
    """
    old: OBBModel = YOLO(str(narrow), task="obb").model.float().eval()
    wide = YOLO(str(network), task="obb")
    wide.model.names = dict(enumerate(CLASSES))
    widen_model(old, wide.model, torch.Generator().manual_seed(seed))
    target.parent.mkdir(parents=True, exist_ok=True)
    wide.save(str(target))
    return target


def widen_model(old: nn.Module, wide: nn.Module, dice: torch.Generator) -> None:
    """Fill ``wide`` with the weights of ``old``, in place."""
    before = old.state_dict()
    after = {
        name: _stretch(before[name], blank, dice, name) for name, blank in wide.state_dict().items()
    }
    wide.load_state_dict(after)
    olds = dict(old.named_modules())
    for name, module in wide.named_modules():
        if isinstance(module, Attention):
            _soften(module, olds[name])


def _stretch(old: Tensor, blank: Tensor, dice: torch.Generator, name: str) -> Tensor:
    if old.shape == blank.shape or old.dim() == 0:
        return old.clone().to(blank.dtype)
    new = old
    for axis in range(min(2, old.dim())):
        times, rest = divmod(blank.shape[axis], old.shape[axis])
        if rest:
            raise BadInput(
                f"{name} has {old.shape[axis]} channels and shall have {blank.shape[axis]}:"
                " wanted a whole multiple"
            )
        if times == 1:
            continue
        new = new.repeat_interleave(times, axis)
        if axis == 1:
            new = new * _shares(new.shape, times, dice)
    return new.to(blank.dtype)


def _shares(shape: torch.Size, times: int, dice: torch.Generator) -> Tensor:
    """Random shares for neighbours along axis 1 that add up to one."""
    low, high = _SHARE
    parts = torch.rand(shape[0], shape[1] // times, times, *shape[2:], generator=dice)
    parts = low + (high - low) * parts
    return (parts / parts.sum(2, keepdim=True)).reshape(shape)


def _soften(wide: Attention, old: Attention) -> None:
    """Undo what more channels do to an attention's products: scale its queries."""
    if wide.num_heads != old.num_heads:
        raise BadInput(f"attention has {old.num_heads} heads, the wide one {wide.num_heads}")
    times = wide.key_dim // old.key_dim
    factor = old.scale / (times * wide.scale)
    part = 2 * wide.key_dim + wide.head_dim
    for head in range(wide.num_heads):
        queries = slice(head * part, head * part + wide.key_dim)
        with torch.no_grad():
            wide.qkv.bn.weight[queries] *= factor
            wide.qkv.bn.bias[queries] *= factor
