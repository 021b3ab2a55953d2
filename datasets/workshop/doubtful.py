"""Which cuts teach a closer look something: what the plain reader does not read clearly.

Two cuts in three are clear at a glance. Of those only some are kept, so that the closer look does
not forget them; what is kept of the others is everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from datasets.workshop.cuts import Cut
from datasets.workshop.network import (
    IGNORED,
    ReaderNet,
    has_bfloat16,
    reader_of,
    split_heads,
    to_network,
)
from datasets.workshop.shards import Bytes, Targets, targets_row

CLEAR_FROM = 0.97
"""From this probability of what is true on, a cut is clear."""

CLEAR_A_DOUBTFUL = 0.3
"""How many clear cuts are kept for each doubtful one."""

_TEMPERATURE = 0.7
"""About what a reader's logits are divided by once it is trained; smoothing keeps them low."""


@torch.no_grad()  # type: ignore[untyped-decorator]
def truth_told(
    first: ReaderNet, cuts: Bytes, targets: Targets, batch: int = 256
) -> npt.NDArray[np.float32]:
    """The probability that a plain reader gives what is true of each cut, shape (n,).

    Args:
        first: a plain reader.
        cuts: uint8 (n, h, w, 3), twice as wide and high as it takes them.
        targets: what is true, (n, heads).
        batch: cuts at a time.
    """
    first.eval()
    told = []
    for start in range(0, len(cuts), batch):
        part = slice(start, start + batch)
        small = functional.avg_pool2d(to_network(cuts[part]), 2)
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
            logits = first(small).float()
        right = torch.ones(len(logits))
        for column, answers in enumerate(split_heads(logits).values()):
            wanted = torch.from_numpy(targets[part][:, column]).long()
            chances = (answers / _TEMPERATURE).softmax(1)
            chance = chances.gather(1, wanted.clamp(min=0)[:, None])[:, 0]
            right *= torch.where(wanted == IGNORED, torch.ones(()), chance)
        told.append(right.numpy())
    return np.asarray(np.concatenate(told), np.float32)


def worth_drawing(told: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Which cuts a closer look learns from: the doubtful ones, and some of the clear ones.

    Args:
        told: what :func:`truth_told` returned, shape (n,).

    >>> worth_drawing(np.float32([0.5] * 10 + [1.0] * 90)).sum()
    13
    >>> worth_drawing(np.float32([0.5] * 10 + [1.0] * 2)).sum()
    12
    """
    drawn = np.asarray(told < CLEAR_FROM)
    clear = np.flatnonzero(~drawn)
    few = min(len(clear), round(CLEAR_A_DOUBTFUL * int(drawn.sum())))
    drawn[np.random.default_rng(len(told)).permutation(clear)[:few]] = True
    return drawn


def only_doubtful(cuts: Sequence[Cut], checkpoint: Path) -> list[Cut]:
    """Those of some large cuts that are worth keeping once the reader of a checkpoint saw them."""
    bgr = np.stack([cut.bgr for cut in cuts])
    targets = np.array([targets_row(cut.text, cut.visible) for cut in cuts], np.int8)
    kept = worth_drawing(truth_told(_opened(checkpoint), bgr, targets))
    return [cut for cut, keep in zip(cuts, kept, strict=True) if keep]


@cache
def _opened(checkpoint: Path) -> ReaderNet:
    """The reader of a checkpoint, for a worker that shares the machine with others."""
    torch.set_num_threads(1)
    return reader_of(checkpoint)
