"""Trains the checker: is there a card at this quad, and where are its corners?

See :mod:`companion.vision.check` for how it is used and :mod:`datasets.workshop.checking` for what
it learns from.
"""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.errors import NotFound
from companion.vision.check import CHECK_PX
from datasets.workshop.network import Residual, conv, has_bfloat16
from datasets.workshop.progress import Progress
from datasets.workshop.reader import to_network

LAST = "last.pt"
_CORNERS_WEIGHT = 8.0


@dataclass(frozen=True, slots=True)
class CheckerRecipe:
    """How the checker is trained.

    Attributes:
        seed: of the weights and of the order of the samples.
        batch: samples a step.
        rate: peak of the learning rate, which falls as a cosine.
        decay: weight decay.
        averaging: how much of the averaged weights a step keeps.
        most_steps: an end whatever the clock says.
    """

    seed: int = 1
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.02
    averaging: float = 0.997
    most_steps: int = 1_000_000


class CheckNet(nn.Module):  # type: ignore[misc]
    """A look at a quad, float RGB (n, 3, 96, 64) in 0-1, to (n, 9).

    The first output is the logit of a card, the other eight are the offsets of its corners from the
    quad's, x and y in turn, in card widths and heights.

    Args:
        widths: channels of the stem and of the three stages.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (24, 40, 64, 80)) -> None:
        super().__init__()
        self.widths = widths
        layers: list[nn.Module] = []
        inputs = 3
        for number, outputs in enumerate(widths):
            layers += [*conv(inputs, outputs, 2), nn.ReLU(inplace=True)]
            if number:
                layers.append(Residual(outputs))
            inputs = outputs
        self.features = nn.Sequential(*layers)
        across, down = (side // 2 ** len(widths) for side in CHECK_PX)
        self.hidden = nn.Linear(inputs * across * down, 128)
        self.dropout = nn.Dropout(0.1)
        self.answers = nn.Linear(128, 9)

    def forward(self, looks: Tensor) -> Tensor:
        """Map looks (n, 3, 96, 64) to the card's logit and the corners' offsets (n, 9)."""
        maps = self.features(looks * 4.0 - 2.0).float().flatten(1)
        return self.answers(self.dropout(torch.relu(self.hidden(maps))))


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Many samples: looks uint8 (n, 96, 64, 3), card int8 (n,), corners (n, 4, 2), score (n,)."""

    looks: npt.NDArray[np.uint8]
    card: npt.NDArray[np.int8]
    corners: npt.NDArray[np.float32]
    score: npt.NDArray[np.float32]


def load_samples(folder: Path, names: str = "*") -> Samples:
    """All samples of a folder's shards.

    Raises:
        NotFound: there are none.
    """
    paths = sorted(path for path in folder.glob(f"{names}.npz") if ".draft" not in path.name)
    if not paths:
        raise NotFound(f"no samples in {folder}: make them first (samples)")
    parts: dict[str, list[Any]] = {"looks": [], "card": [], "corners": [], "score": []}
    for path in paths:
        with np.load(path) as shard:
            told = shard["card"] >= 0
            for name, part in parts.items():
                part.append(shard[name][told])
    return Samples(**{name: np.concatenate(part) for name, part in parts.items()})


def train_checker(
    samples: Samples,
    folder: Path,
    minutes: float,
    recipe: CheckerRecipe | None = None,
    *,
    start: Path | None = None,
) -> CheckNet:
    """Train by the clock or to the last step, with a checkpoint at the end; the averaged network.

    Args:
        samples: what to learn from; every tenth is kept to watch.
        folder: where ``last.pt`` and ``checks.jsonl`` go.
        minutes: how long.
        recipe: how; the default one where None.
        start: a checkpoint whose averaged weights to begin with.
    """
    recipe = recipe or CheckerRecipe()
    torch.manual_seed(recipe.seed)
    network = CheckNet().to(memory_format=torch.channels_last)
    before = 0
    if start is not None:
        state = torch.load(start, weights_only=True)
        network.load_state_dict(state["weights"])
        before = state["steps"]
    averaged: CheckNet = copy.deepcopy(network).eval()
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    folder.mkdir(parents=True, exist_ok=True)
    progress = Progress("checker (s)", round(60 * minutes), every_s=60.0)
    began_s, told_s, steps = time.monotonic(), 0, 0
    for batch in _batches(samples, recipe):
        spent_s = time.monotonic() - began_s
        done = max(spent_s / (60 * minutes), steps / recipe.most_steps)
        if done >= 1:
            break
        rate = recipe.rate * min(1.0, 0.05 + done / 0.03)
        rate *= 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = _step(network, optimizer, batch)
        steps += 1
        _average(network, averaged, min(recipe.averaging, (1 + steps) / (10 + steps)))
        progress.step(int(spent_s) - told_s, f"loss {loss:.3f}, {steps} steps")
        told_s = int(spent_s)
    state = {"widths": network.widths, "weights": averaged.state_dict(), "recipe": asdict(recipe)}
    steps += before
    scores = score_checker(averaged, _watched(samples))
    torch.save({**state, "steps": steps, "scores": scores}, folder / LAST)
    with (folder / "checks.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"steps": steps, **scores}) + "\n")
    return averaged


def _watched(samples: Samples) -> Samples:
    return Samples(
        samples.looks[::10], samples.card[::10], samples.corners[::10], samples.score[::10]
    )


def _batches(samples: Samples, recipe: CheckerRecipe) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Endless batches, half of them of cards and half of none where the detector was unsure."""
    rng = np.random.default_rng(recipe.seed)
    taught = np.arange(len(samples.card)) % 10 != 0
    groups = [np.flatnonzero(taught & (samples.card == card)) for card in (0, 1)]
    shares = (recipe.batch // 3, recipe.batch - recipe.batch // 3)
    while True:
        rows = np.concatenate(
            [rng.choice(group, share) for group, share in zip(groups, shares, strict=True)]
        )
        looks, corners = samples.looks[rows].copy(), samples.corners[rows].copy()
        turned = rng.random(len(rows)) < 0.5
        looks[turned] = looks[turned, ::-1, ::-1]
        corners[turned] = -np.roll(corners[turned], 2, axis=1)
        pixels = to_network(looks)
        gain = np.exp(rng.normal(0, 0.15, (len(rows), 1, 1, 1)))
        gain = gain * np.exp(rng.normal(0, 0.05, (len(rows), 3, 1, 1)))
        shift = rng.normal(0, 0.03, (len(rows), 1, 1, 1))
        pixels = pixels * torch.from_numpy(gain.astype(np.float32)) + torch.from_numpy(
            shift.astype(np.float32)
        )
        noise = torch.randn_like(pixels) * 0.02 * float(rng.random())
        yield (
            (pixels + noise).clamp_(0, 1).contiguous(memory_format=torch.channels_last),
            torch.from_numpy(samples.card[rows].astype(np.float32)),
            torch.from_numpy(corners.reshape(-1, 8)),
        )


def _step(
    network: CheckNet, optimizer: torch.optim.Optimizer, batch: tuple[Tensor, Tensor, Tensor]
) -> float:
    looks, card, corners = batch
    network.train()
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
        answers = network(looks)
    answers = answers.float()
    loss = functional.binary_cross_entropy_with_logits(answers[:, 0], card * 0.98 + 0.01)
    on_card = card > 0.5
    gaps = functional.smooth_l1_loss(answers[on_card, 1:], corners[on_card], beta=0.05)
    loss = loss + _CORNERS_WEIGHT * gaps
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()  # type: ignore[untyped-decorator]
def _average(network: CheckNet, averaged: CheckNet, keep: float) -> None:
    live = network.state_dict()
    for name, mean in averaged.state_dict().items():
        if mean.dtype.is_floating_point:
            mean.lerp_(live[name], 1 - keep)
        else:
            mean.copy_(live[name])


@torch.no_grad()  # type: ignore[untyped-decorator]
def score_checker(network: CheckNet, samples: Samples) -> dict[str, float]:
    """How often it is right about a card, and how far its corners are off before and after."""
    network.eval()
    answers = torch.cat(
        [
            network(to_network(samples.looks[at : at + 512]))
            for at in range(0, len(samples.card), 512)
        ]
    ).numpy()
    on_card = samples.card == 1
    off = np.abs(answers[:, 1:].reshape(-1, 4, 2) - samples.corners)[on_card]
    return {
        "card_right": _mean((answers[:, 0] > 0) == on_card),
        "none_right": _mean(answers[~on_card, 0] <= 0),
        "corners_before": _mean(np.abs(samples.corners[on_card])),
        "corners_after": _mean(off),
    }


def _mean(values: npt.NDArray[Any]) -> float:
    return round(float(values.mean()), 4) if values.size else 0.0
