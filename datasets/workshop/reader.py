"""Trains the reader on cuts, with weights averaged over the last steps, resumable at any time."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from companion.errors import NotFound
from datasets.workshop.augment import vary
from datasets.workshop.doubtful import truth_told, worth_drawing
from datasets.workshop.grow import Shape, grow_reader
from datasets.workshop.network import (
    IGNORED,
    ReaderNet,
    build_reader,
    closer_reader,
    has_bfloat16,
    split_heads,
    to_network,
)
from datasets.workshop.pace import average_into, rate_share
from datasets.workshop.progress import Progress
from datasets.workshop.reader_scores import score_reader
from datasets.workshop.shards import Bytes, Shard, Targets, load_shard, shard_names, take

LAST = "last.pt"
_SHARDS_A_BATCH = 8
_ODDS = "odds"


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """How the reader is trained.

    Attributes:
        seed: of the weights and of the order of the cuts.
        total_cuts: how many cuts go by, repeats counted.
        batch: cuts a step.
        rate: peak of the learning rate; it warms up, then falls as a cosine.
        decay: weight decay.
        smoothing: label smoothing.
        averaging: how much of the averaged weights a step keeps.
        scene_share: share of the cuts that come from whole scenes, where there are any.
        head_weights: how much each head counts.
        check_every: cuts between two checks.
    """

    seed: int = 1
    total_cuts: int = 2_400_000
    batch: int = 128
    rate: float = 3e-3
    decay: float = 0.02
    smoothing: float = 0.02
    averaging: float = 0.998
    scene_share: float = 0.3
    head_weights: dict[str, float] = field(
        default_factory=lambda: {"side": 1.0, "colour": 1.0, "value": 1.5, "tweak": 0.7}
    )
    check_every: int = 120_000


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the cuts lie.

    Attributes:
        train: folder of the shards to learn from; new ones are noticed while training.
        checks: by name, cuts to score on now and then.
        first: the plain reader before one that looks closer: what it reads clearly comes seldom.
    """

    train: Path
    checks: dict[str, Shard]
    first: ReaderNet | None = None


class ReaderTraining:
    """One run of training, kept in a folder.

    Args:
        recipe: how to train.
        folder: where ``last.pt`` and ``checks.jsonl`` are kept.
        minutes: an end by the clock, whatever the recipe says; None for none.
    """

    def __init__(self, recipe: ReaderRecipe, folder: Path, minutes: float | None = None) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe, self.folder, self.minutes = recipe, folder, minutes
        self._train(ReaderNet())
        self.seen_cuts, self.spent_s = 0, 0.0
        folder.mkdir(parents=True, exist_ok=True)

    def _train(self, network: ReaderNet) -> None:
        """Take a network as the one to train."""
        self.network = network.to(memory_format=torch.channels_last)
        self.averaged = copy.deepcopy(self.network).eval()
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=self.recipe.rate, weight_decay=self.recipe.decay
        )

    @property
    def share_done(self) -> float:
        """How much of the training is done, 0-1."""
        by_clock = self.spent_s / (60 * self.minutes) if self.minutes else 0.0
        return min(1.0, max(self.seen_cuts / self.recipe.total_cuts, by_clock))

    def resume(self) -> bool:
        """Take up a run where its last checkpoint left it; False where there is none."""
        path = self.folder / LAST
        if not path.exists():
            return False
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self._train(build_reader({**state, "weights": state["live"]}))
        self.averaged = build_reader(state).to(memory_format=torch.channels_last).eval()
        self._optimizer.load_state_dict(state["optimizer"])
        self.seen_cuts, self.spent_s = state["seen_cuts"], state["spent_s"]
        return True

    def begin_from(self, checkpoint: Path, shape: Shape | None = None) -> None:
        """Begin a new run with the averaged weights of another, made wider and deeper if asked."""
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        self._train(grow_reader(state, shape, self.recipe.seed) if shape else build_reader(state))

    def look_closer_than(self, checkpoint: Path) -> None:
        """Begin a new run with a reader, plain or not, on cuts twice as wide and high."""
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        self._train(closer_reader(state))

    def save(self) -> None:
        """Write a checkpoint, in one move."""
        draft = self.folder / f"{LAST}.draft"
        state = {
            "widths": self.network.widths,
            "blocks": self.network.blocks,
            "detail": self.network.detailed,
            "weights": self.averaged.state_dict(),
            "live": self.network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "seen_cuts": self.seen_cuts,
            "spent_s": self.spent_s,
            "recipe": asdict(self.recipe),
        }
        torch.save(state, draft)
        draft.replace(self.folder / LAST)

    def run(self, sources: Sources) -> None:
        """Train to the end of the recipe, or of the minutes."""
        rng = np.random.default_rng([self.recipe.seed, self.seen_cuts])
        total = max(1, self.recipe.total_cuts - self.seen_cuts)
        progress = Progress("reader", total, every_s=60.0)
        batches = _ahead(self._batches(sources, rng))
        checked_at, loss = self.seen_cuts, 0.0
        while self.share_done < 1.0:
            start_s = time.monotonic()
            cuts, targets = next(batches)
            loss += 0.02 * (self._step(cuts, targets) - loss)
            self.seen_cuts += len(cuts)
            self.spent_s += time.monotonic() - start_s
            progress.step(len(cuts), f"loss {loss:.3f}")
            if self.seen_cuts - checked_at >= self.recipe.check_every:
                checked_at = self.seen_cuts
                self._check(sources)
        self._check(sources)

    def _batches(
        self, sources: Sources, rng: np.random.Generator
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """Endless batches, each from a few shards; what is written meanwhile is taken in."""
        opened: dict[str, _Drawn] = {}
        count = 0
        while True:
            if count % 200 == 0:
                for name in sorted(set(shard_names(sources.train)) - set(opened)):
                    shard = load_shard(sources.train, name)
                    opened[name] = _Drawn(shard, self._odds(name, shard, sources.first))
                if not opened:
                    raise NotFound(f"no cuts in {sources.train}: make them first (cuts)")
            count += 1
            picked = [_part(opened, self.recipe, rng) for _ in range(_SHARDS_A_BATCH)]
            cuts = np.concatenate([part for part, _ in picked])
            targets = np.concatenate([rows for _, rows in picked])
            yield to_network(cuts), torch.from_numpy(targets)

    def _odds(
        self, name: str, shard: Shard, first: ReaderNet | None
    ) -> npt.NDArray[np.float64] | None:
        """How often each cut of a shard is drawn; kept, since it takes seconds a shard."""
        if first is None:
            return None
        path = self.folder / _ODDS / f"{name}.npy"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            np.save(path, odds_of(first, shard))
        return np.asarray(np.load(path), np.float64)

    def _step(self, cuts: Tensor, targets: Tensor) -> float:
        rate = self.recipe.rate * rate_share(self.share_done)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self.network.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
            logits = self.network(cuts)
        loss = masked_loss(logits.float(), targets, self.recipe)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimizer.step()
        self._average()
        return float(loss.detach())

    def _average(self) -> None:
        steps = self.seen_cuts / self.recipe.batch
        keep = min(self.recipe.averaging, (1 + steps) / (10 + steps))
        average_into(self.averaged, self.network, keep)

    def _check(self, sources: Sources) -> None:
        self.save()
        scores = {name: score_reader(self.averaged, cuts) for name, cuts in sources.checks.items()}
        line = {"seen_cuts": self.seen_cuts, "spent_s": round(self.spent_s), **scores}
        with (self.folder / "checks.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def average_readers(first: Path, second: Path, target: Path) -> None:
    """Write the mean of two readers' weights, one of which went on from the other.

    Such a mean is often better than either (Wortsman et al. 2022, "Model soups").
    """
    one: dict[str, Any] = torch.load(first, weights_only=True)
    other: dict[str, Any] = torch.load(second, weights_only=True)
    weights = {
        name: (mean + one["weights"][name]) / 2 if mean.dtype.is_floating_point else mean
        for name, mean in other["weights"].items()
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.save({**other, "weights": weights, "mean_of": 2}, target)


def masked_loss(logits: Tensor, targets: Tensor, recipe: ReaderRecipe) -> Tensor:
    """Cross-entropy of all heads, each over the cuts that it applies to.

    Args:
        logits: (n, all classes), as the network gives them.
        targets: (n, heads), -1 where a head does not apply.
        recipe: label smoothing and the heads' weights.
    """
    total = logits.new_zeros(())
    for column, (name, answers) in enumerate(split_heads(logits).items()):
        wanted = targets[:, column].long()
        losses = functional.cross_entropy(
            answers,
            wanted,
            ignore_index=IGNORED,
            reduction="sum",
            label_smoothing=recipe.smoothing,
        )
        total = total + recipe.head_weights[name] * losses / len(targets)
    return total


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A shard, and how often each of its cuts is drawn, adding up to 1; None: all alike."""

    shard: Shard
    odds: npt.NDArray[np.float64] | None


def _ahead(batches: Iterator[tuple[Tensor, Tensor]]) -> Iterator[tuple[Tensor, Tensor]]:
    """The same, each batch made while the one before it is learnt from."""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(next, batches)
        while True:
            ready = waiting.result()
            waiting = pool.submit(next, batches)
            yield ready


def _part(
    opened: dict[str, _Drawn], recipe: ReaderRecipe, rng: np.random.Generator
) -> tuple[Bytes, Targets]:
    scenes = sorted(name for name in opened if name.startswith("scene"))
    decks = sorted(name for name in opened if not name.startswith("scene"))
    from_scene = scenes and (not decks or rng.random() < recipe.scene_share)
    names = scenes if from_scene else decks
    drawn = opened[names[int(rng.integers(len(names)))]]
    shard, wanted = drawn.shard, recipe.batch // _SHARDS_A_BATCH
    rows = rng.choice(len(shard.targets), wanted, p=drawn.odds)
    cuts = take(shard, rows)
    others = np.roll(cuts, -1, axis=0)
    varied = [vary(cut, rng, other) for cut, other in zip(cuts, others, strict=True)]
    return np.stack(varied), shard.targets[rows]


def odds_of(first: ReaderNet, shard: Shard) -> npt.NDArray[np.float64]:
    """How often each cut of a shard is drawn for a closer look, adding up to 1.

    Of those that are read clearly most are never drawn, so that the others stay in memory.

    Args:
        first: a plain reader.
        shard: cuts twice as wide and high as it takes them.
    """
    drawn = worth_drawing(truth_told(first, shard.cuts, shard.targets))
    return np.asarray(drawn / max(1, drawn.sum()), np.float64)
