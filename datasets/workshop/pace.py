"""How trainings pace themselves: the learning rate over a run, and averaged weights."""

from __future__ import annotations

import math

import torch
from torch import nn

_WARM = 0.03
_FIRST = 0.05


def rate_share(done: float, last: float = 0.005) -> float:
    """The share of the peak learning rate: a short warm-up, then a cosine.

    Args:
        done: how much of the run is done, 0-1.
        last: the share at its end.

    >>> rate_share(0.03), rate_share(1.0)
    (1.0, 0.005)
    """
    if done < _WARM:
        return _FIRST + (1 - _FIRST) * done / _WARM
    return last + (1 - last) * 0.5 * (1 + math.cos(math.pi * (done - _WARM) / (1 - _WARM)))


@torch.no_grad()  # type: ignore[untyped-decorator]
def average_into(averaged: nn.Module, network: nn.Module, keep: float) -> None:
    """Let averaged weights follow a network's by one step, keeping this share of themselves."""
    live = network.state_dict()
    for name, mean in averaged.state_dict().items():
        if mean.dtype.is_floating_point:
            mean.lerp_(live[name], 1 - keep)
        else:
            mean.copy_(live[name])
