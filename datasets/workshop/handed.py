"""Teaches the reader what a mirrored card is: one more output, fitted once it can read.

Its features are kept as they are. A cut's output less that of its mirror image is the log-odds that
the cut is as it should be (a logistic regression on the difference of the features), and those of
all cards of a picture add up.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from companion.errors import NotFound
from datasets.workshop.augment import vary
from datasets.workshop.network import HEADS, ReaderNet, to_network
from datasets.workshop.shards import Bytes, Shard, load_shard, shard_names

SEEN = 0.6
"""Of a card of which less is in sight nothing is learnt."""

_A_SHARD = 40
_RIDGE = 3e-3
_NONE = HEADS["side"].index("none")


def handed_cuts(folder: Path, seed: int = 1) -> Bytes:
    """Some cards of each shard of a folder, varied as for training: uint8 (n, h, w, 3).

    Raises:
        NotFound: the folder has none.
    """
    rng = np.random.default_rng(seed)
    cuts = []
    for name in shard_names(folder):
        shard = load_shard(folder, name)
        rows = rng.permutation(_ours(shard))[:_A_SHARD]
        cuts += [vary(shard.cuts[row], rng) for row in rows]
    if not cuts:
        raise NotFound(f"no cuts in {folder}: make them first (cuts)")
    return np.stack(cuts)


def _ours(shard: Shard) -> npt.NDArray[np.intp]:
    side = shard.targets[:, list(HEADS).index("side")]
    return np.flatnonzero((side >= 0) & (side != _NONE) & (shard.visible >= SEEN))


@torch.no_grad()  # type: ignore[untyped-decorator]
def _differences(network: ReaderNet, cuts: Bytes, batch: int = 256) -> Tensor:
    """Features of each cut less those of its mirror image, (n, features)."""
    network.eval()
    rows = []
    for start in range(0, len(cuts), batch):
        plain = to_network(cuts[start : start + batch])
        rows.append(network.pooled(plain) - network.pooled(plain.flip(3)))
    return torch.cat(rows)


def fit_handed(network: ReaderNet, cuts: Bytes) -> Tensor:
    """What each feature counts, shape (features,): logistic regression with a ridge."""
    differences = _differences(network, cuts)
    spread = differences.std(dim=0) + 1e-3
    scaled = differences / spread
    weights = torch.zeros(scaled.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200)

    def loss() -> Tensor:
        optimizer.zero_grad()
        total = functional.softplus(-(scaled @ weights)).mean() + _RIDGE * (weights**2).sum()
        total.backward()
        return total

    optimizer.step(loss)
    return (weights / spread).detach()


def score_handed(network: ReaderNet, handed: Tensor, shard: Shard) -> float:
    """Share of the cards of a shard that are told from their mirror images."""
    cuts = shard.cuts[_ours(shard)]
    told = _differences(network, cuts) @ handed > 0
    return round(float(told.float().mean()), 4)
