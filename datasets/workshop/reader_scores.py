"""Scores of a reader on cuts, and the temperatures that make its probabilities honest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from datasets.workshop.network import HEADS, IGNORED, ReaderNet, split_heads
from datasets.workshop.shards import Bytes, Shard

_NUMBER, _NONE = HEADS["side"].index("number"), HEADS["side"].index("none")
_COLUMN = {name: column for column, name in enumerate(HEADS)}


@torch.no_grad()  # type: ignore[untyped-decorator]
def both_turns(network: ReaderNet, cuts: Bytes, batch: int = 256) -> tuple[Tensor, Tensor]:
    """Logits (n, classes) of the cuts and of the cuts turned by 180°."""
    network.eval()
    sides: tuple[list[Tensor], list[Tensor]] = ([], [])
    for start in range(0, len(cuts), batch):
        rgb = torch.from_numpy(np.ascontiguousarray(cuts[start : start + batch, ..., ::-1]))
        upright = rgb.permute(0, 3, 1, 2).float().div_(255.0)
        sides[0].append(network(upright))
        sides[1].append(network(upright.flip(2, 3)))
    return torch.cat(sides[0]), torch.cat(sides[1])


def mean_chances(turns: tuple[Tensor, Tensor], name: str, temperature: float = 1.0) -> Tensor:
    """One head's probabilities (n, classes), averaged over both turns."""
    first, second = (
        functional.softmax(split_heads(logits)[name] / temperature, dim=1) for logits in turns
    )
    return (first + second) / 2


def score_reader(network: ReaderNet, shard: Shard) -> dict[str, float]:
    """Shares right, by head, of colour and value together, and of strangers taken for ours.

    ``value``, ``colour`` and ``both`` are over number cards, side not asked; ``number`` is
    ``both`` with the side right too; ``fooled``: strangers whose best side is a number card.
    """
    turns = both_turns(network, shard.cuts)
    right: dict[str, npt.NDArray[np.bool_]] = {}
    scores: dict[str, float] = {}
    best = {name: mean_chances(turns, name).argmax(1).numpy() for name in HEADS}
    best["value"] = _sensible_values(turns, shard)
    for name, column in _COLUMN.items():
        wanted = shard.targets[:, column]
        right[name] = best[name] == wanted
        scores[name] = _share(right[name][wanted != IGNORED])
    numbers = (shard.targets[:, _COLUMN["side"]] == _NUMBER) & (
        shard.targets[:, _COLUMN["value"]] != IGNORED
    )
    both = right["colour"] & right["value"]
    scores["number_value"] = _share(right["value"][numbers])
    scores["both"] = _share(both[numbers])
    scores["number"] = _share((both & right["side"])[numbers])
    strangers = shard.targets[:, _COLUMN["side"]] == _NONE
    scores["fooled"] = _share(best["side"][strangers] == _NUMBER)
    return scores


def _sensible_values(turns: tuple[Tensor, Tensor], shard: Shard) -> npt.NDArray[np.int64]:
    """The likeliest value among those that the card's side can have."""
    chances = mean_chances(turns, "value").clone()
    number = torch.from_numpy(shard.targets[:, _COLUMN["side"]] == _NUMBER)
    chances[number, 6:] = 0
    chances[~number, :6] = 0
    found: npt.NDArray[np.int64] = chances.argmax(1).numpy()
    return found


def _share(right: npt.NDArray[np.bool_]) -> float:
    return round(float(right.mean()), 4) if right.size else float("nan")


def fit_temperatures(network: ReaderNet, shard: Shard) -> dict[str, float]:
    """For each head the temperature with the least log loss of the two turns' average."""
    turns = both_turns(network, shard.cuts)
    found: dict[str, float] = {}
    for name, column in _COLUMN.items():
        wanted = torch.from_numpy(shard.targets[:, column].astype(np.int64))
        rows = (wanted != IGNORED).nonzero()[:, 0]
        if not len(rows):
            found[name] = 1.0
            continue
        losses = {
            temperature: float(
                functional.nll_loss(
                    mean_chances(turns, name, temperature)[rows].clamp_min(1e-9).log(),
                    wanted[rows],
                )
            )
            for temperature in np.round(np.geomspace(0.4, 2.5, 41), 3).tolist()
        }
        found[name] = min(losses, key=losses.__getitem__)
    return found
