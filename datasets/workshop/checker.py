"""Trains the checker: is there a card at this quad, and where are its corners?

See :mod:`companion.vision.check` for how it is used and :mod:`datasets.workshop.checking` for what
it learns from.
"""

from __future__ import annotations

import copy
import json
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
from datasets.workshop.network import Residual, conv, has_bfloat16, to_network
from datasets.workshop.pace import average_into, rate_share
from datasets.workshop.progress import Progress

LAST = "last.pt"
_CORNERS_WEIGHT = 8.0
_WELL_PLACED, _USELESS = 0.04, 0.24
"""Mean offsets at which corners are as good as can be, and of no use: two cards side by side that
are found as one are off by a quarter of their size."""

_SAVE_EVERY_S = 120.0


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
    """Many samples: looks uint8 (n, 96, 64, 3), card int8 (n,), corners float32 (n, 4, 2)."""

    looks: npt.NDArray[np.uint8]
    card: npt.NDArray[np.int8]
    corners: npt.NDArray[np.float32]


def load_samples(folder: Path) -> Samples:
    """All samples of a folder's shards.

    Raises:
        NotFound: there are none.
    """
    paths = sorted(path for path in folder.glob("*.npz") if ".draft" not in path.name)
    if not paths:
        raise NotFound(f"no samples in {folder}: make them first (samples)")
    parts: dict[str, list[Any]] = {"looks": [], "card": [], "corners": []}
    for path in paths:
        with np.load(path) as shard:
            told = shard["card"] >= 0
            for name, part in parts.items():
                part.append(shard[name][told])
    return Samples(**{name: np.concatenate(part) for name, part in parts.items()})


class CheckerTraining:
    """One run of training, kept in a folder.

    Args:
        recipe: how to train.
        folder: where ``last.pt`` and ``checks.jsonl`` are kept.
        minutes: an end by the clock; the learning rate follows.
    """

    def __init__(self, recipe: CheckerRecipe, folder: Path, minutes: float) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe, self.folder, self.minutes = recipe, folder, minutes
        self.network = CheckNet().to(memory_format=torch.channels_last)
        self.averaged: CheckNet = copy.deepcopy(self.network).eval()
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=recipe.rate, weight_decay=recipe.decay
        )
        self.steps, self.spent_s, self._before = 0, 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def share_done(self) -> float:
        """How much of the training is done, 0-1."""
        by_clock = self.spent_s / (60 * self.minutes)
        return min(1.0, max(by_clock, self.steps / self.recipe.most_steps))

    def resume(self) -> bool:
        """Take up a run where its last checkpoint left it; False where there is none."""
        path = self.folder / LAST
        if not path.exists():
            return False
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["live"])
        self.averaged.load_state_dict(state["weights"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._before, self.spent_s = state["before"], state["spent_s"]
        self.steps = state["steps"] - self._before
        return True

    def begin_from(self, checkpoint: Path) -> None:
        """Begin a new run with the averaged weights of another; its steps count on."""
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        for network in (self.network, self.averaged):
            network.load_state_dict(state["weights"])
        self._before = state["steps"]

    def save(self, scores: dict[str, float] | None = None) -> None:
        """Write a checkpoint, in one move."""
        state = {
            "widths": self.network.widths,
            "weights": self.averaged.state_dict(),
            "live": self.network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "steps": self._before + self.steps,
            "before": self._before,
            "spent_s": self.spent_s,
            "recipe": asdict(self.recipe),
            "scores": scores or {},
        }
        draft = self.folder / f"{LAST}.draft"
        torch.save(state, draft)
        draft.replace(self.folder / LAST)

    def run(self, samples: Samples) -> CheckNet:
        """Train to the end; the averaged network. Every tenth sample is kept to watch."""
        progress = Progress("checker (s)", max(1, round(60 * self.minutes)), every_s=60.0)
        batches = _batches(samples, self.recipe, self._before + self.steps)
        saved_s = self.spent_s
        while self.share_done < 1.0:
            start_s = time.monotonic()
            loss = self._step(next(batches))
            told_s, self.spent_s = self.spent_s, self.spent_s + time.monotonic() - start_s
            progress.step(int(self.spent_s) - int(told_s), f"loss {loss:.3f}, {self.steps} steps")
            if self.spent_s - saved_s >= _SAVE_EVERY_S:
                self.save()
                saved_s = self.spent_s
        scores = score_checker(self.averaged, _watched(samples))
        self.save(scores)
        with (self.folder / "checks.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps({"steps": self._before + self.steps, **scores}) + "\n")
        return self.averaged

    def _step(self, batch: tuple[Tensor, Tensor, Tensor]) -> float:
        for group in self._optimizer.param_groups:
            group["lr"] = self.recipe.rate * rate_share(self.share_done)
        looks, card, corners = batch
        self.network.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
            answers = self.network(looks)
        loss = _loss(answers.float(), card, corners)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimizer.step()
        self.steps += 1
        keep = min(self.recipe.averaging, (1 + self.steps) / (10 + self.steps))
        average_into(self.averaged, self.network, keep)
        return float(loss.detach())


def _watched(samples: Samples) -> Samples:
    return Samples(samples.looks[::10], samples.card[::10], samples.corners[::10])


def _batches(
    samples: Samples, recipe: CheckerRecipe, begun: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Endless batches of varied looks, a third of them of no card."""
    rng = np.random.default_rng([recipe.seed, begun])
    taught = np.arange(len(samples.card)) % 10 != 0
    none, card = (np.flatnonzero(taught & (samples.card == kind)) for kind in (0, 1))
    few = recipe.batch // 3
    while True:
        rows = np.concatenate([rng.choice(none, few), rng.choice(card, recipe.batch - few)])
        looks, corners = samples.looks[rows].copy(), samples.corners[rows].copy()
        turned = rng.random(len(rows)) < 0.5
        looks[turned] = looks[turned, ::-1, ::-1]
        corners[turned] = -np.roll(corners[turned], 2, axis=1)
        yield (
            _lit(to_network(looks), rng),
            torch.from_numpy(samples.card[rows].astype(np.float32)),
            torch.from_numpy(corners.reshape(-1, 8)),
        )


def _lit(pixels: Tensor, rng: np.random.Generator) -> Tensor:
    """Looks a little brighter or darker, tinted and noisy."""
    count = len(pixels)
    gain = np.exp(rng.normal(0, 0.15, (count, 1, 1, 1)) + rng.normal(0, 0.05, (count, 3, 1, 1)))
    shift = rng.normal(0, 0.03, (count, 1, 1, 1))
    lit = pixels * torch.from_numpy(np.float32(gain)) + torch.from_numpy(np.float32(shift))
    lit += torch.randn_like(lit) * 0.02 * float(rng.random())
    return lit.clamp_(0, 1).contiguous(memory_format=torch.channels_last)


def _loss(answers: Tensor, card: Tensor, corners: Tensor) -> Tensor:
    """Cross-entropy of the card, and how far the corners of cards are off.

    The card's target is how good its corners came out (as IoU-Net's localisation confidence, Jiang
    et al. 2018): a quad astride two cards is never put right, and must not win against either.
    """
    target = 0.01 + 0.98 * card * goodness(answers[:, 1:].detach(), corners)
    missed = functional.binary_cross_entropy_with_logits(answers[:, 0], target)
    on_card = card > 0.5
    off = functional.smooth_l1_loss(answers[on_card, 1:], corners[on_card], beta=0.05)
    return missed + _CORNERS_WEIGHT * off


def goodness(told: Tensor, true: Tensor) -> Tensor:
    """How good corners are, 1 for well placed and 0 for useless ones: shape (n,).

    Args:
        told: offsets (n, 8) that a network gives, in card widths and heights.
        true: what they should be.

    >>> told = torch.tensor([0.02, 0.14, 0.30])[:, None].expand(3, 8)
    >>> goodness(told, torch.zeros(3, 8)).numpy().round(2).tolist()
    [1.0, 0.5, 0.0]
    """
    off = (told - true).abs().mean(dim=1)
    return ((_USELESS - off) / (_USELESS - _WELL_PLACED)).clamp(0.0, 1.0)


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
