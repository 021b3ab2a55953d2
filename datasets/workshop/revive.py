"""Makes a checkpoint out of a blessed ONNX file, so that training can go on where it ended.

The ONNX files are all that is kept of a training. In them each normalisation is folded into the
convolution before it: that answers the same, but nothing is left that says how the convolution's
answers spread, and training on it would go astray. Here a network of the same shape takes the
folded weights, and a pass over some pictures measures the spread anew. With m and s the mean and
standard deviation of what a convolution w gives,

    w x + b  =  s (w x - m) / s + (m + b)

so the network answers as before, and its batches are normalised as they would have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError
from onnx import numpy_helper
from torch import Tensor, nn

from companion.errors import BadInput, NotFound
from datasets.workshop.checker import CheckNet, Samples
from datasets.workshop.network import ReaderNet, to_network
from datasets.workshop.shards import load_shard, shard_names, take
from datasets.workshop.train import CLOSE_CUTS

START = "start.pt"

_WRAPPER = "network."
"""Where the exported module keeps the network."""

_BATCHES, _BATCH = 24, 128


def revive_reader(path: Path, batches: Iterable[Tensor]) -> dict[str, Any]:
    """The checkpoint of a reader, plain or one that looks closer, out of its ONNX file.

    Args:
        path: as :func:`datasets.workshop.export.export_reader` or ``export_closer`` wrote it.
        batches: cuts as the network takes them, float RGB (n, 3, h, w) in 0-1; some thousand.

    Returns:
        What :func:`datasets.workshop.network.build_reader` takes.

    Raises:
        BadInput: the file holds no reader, or there are no cuts.
    """
    folded = _Folded(path)
    heads, blocks = folded.stages()
    if len(heads) < 3 or "hidden.weight" in folded.named:
        raise BadInput(f"{path.name} holds no reader: wanted one that `export` wrote")
    detail = [folded.width(f"detail.layers.{at}") for at in (1, 7) if folded.closer]
    network = ReaderNet(heads, blocks[2:], detail=detail)
    folded.fill(network)
    _measure(network, batches)
    return {
        "widths": network.widths,
        "blocks": network.blocks,
        "detail": network.detailed,
        "weights": network.state_dict(),
    }


def revive_checker(path: Path, batches: Iterable[Tensor]) -> dict[str, Any]:
    """The checkpoint of a checker out of its ONNX file.

    Args:
        path: as :func:`datasets.workshop.export.export_checker` wrote it.
        batches: looks, float RGB (n, 3, 96, 64) in 0-1; some thousand.

    Returns:
        ``widths`` and ``weights``, as a checker's checkpoint keeps them.

    Raises:
        BadInput: the file holds no checker, or there are no looks.
    """
    folded = _Folded(path)
    heads, _ = folded.stages()
    if len(heads) != 4 or "hidden.weight" not in folded.named:
        raise BadInput(f"{path.name} holds no checker: wanted one that `export` wrote")
    network = CheckNet((heads[0], heads[1], heads[2], heads[3]))
    folded.fill(network)
    _measure(network, batches)
    return {"widths": network.widths, "weights": network.state_dict()}


class _Folded:
    """An ONNX file's convolutions by the module that they were, and its other weights by name."""

    def __init__(self, path: Path) -> None:
        try:
            graph = onnx.load(str(path)).graph
        except (OSError, DecodeError) as error:
            raise BadInput(f"{path}: wanted an ONNX file that `export` wrote") from error
        tensors = {
            tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy())
            for tensor in graph.initializer
        }
        self.named = {
            name.removeprefix(_WRAPPER): tensor
            for name, tensor in tensors.items()
            if "::" not in name
        }
        self.kernels = {
            module_of(node.name): [tensors[name] for name in node.input[1:]]
            for node in graph.node
            if node.op_type == "Conv" and len(node.input) > 2
        }
        self.closer = "detail.joins.weight" in self.named

    def width(self, module: str) -> int:
        """How many channels a convolution gives."""
        return len(self.kernels[module][0])

    def stages(self) -> tuple[list[int], list[int]]:
        """Channels of the stem and of each stage, and how many residual blocks follow each."""
        heads: list[int] = []
        blocks: list[int] = []
        for module in self.kernels:
            parts = module.split(".")
            if parts[0] != "features":
                continue
            if len(parts) == 2:
                heads.append(self.width(module))
                blocks.append(0)
            elif parts[-1] == "0":
                blocks[-1] += 1
        return heads, blocks

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def fill(self, network: nn.Module) -> None:
        """Give a network the weights; its normalisations do nothing but add what was folded in."""
        for module, (weights, bias) in self.kernels.items():
            network.get_submodule(module).weight.copy_(weights)
            norm = network.get_submodule(_next(module))
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
        for name, weights in network.state_dict().items():
            if name in self.named:
                weights.copy_(self.named[name])


def module_of(node: str) -> str:
    """The path of the module that a node of the graph was.

    >>> module_of("/network/features/features.9/path/path.0/Conv")
    'features.9.path.0'
    """
    kept: list[str] = []
    for part in node.strip("/").split("/")[:-1]:
        if kept and part.startswith(f"{kept[-1]}."):
            kept.pop()
        kept.append(part)
    return ".".join(kept).removeprefix(_WRAPPER)


def _next(module: str) -> str:
    """The path of the module after one, where modules are numbered."""
    owner, _, number = module.rpartition(".")
    return f"{owner}.{int(number) + 1}"


class _Spread:
    """Mean and variance of every channel of what went by."""

    def __init__(self) -> None:
        self.count, self.total, self.squares = 0, torch.zeros(1), torch.zeros(1)

    def __call__(self, _: nn.Module, __: tuple[Tensor, ...], answers: Tensor) -> None:
        """Take in a batch (n, c, h, w), as a forward hook."""
        told = answers.double()
        self.count += told.numel() // told.shape[1]
        self.total = self.total + told.sum(dim=(0, 2, 3))
        self.squares = self.squares + told.square().sum(dim=(0, 2, 3))


@torch.no_grad()  # type: ignore[untyped-decorator]
def _measure(network: nn.Module, batches: Iterable[Tensor]) -> None:
    """Set each normalisation after a convolution to what that gives on these batches."""
    modules = dict(network.named_modules())
    pairs = {
        name: modules[_next(name)]
        for name, module in modules.items()
        if isinstance(module, nn.Conv2d) and name[-1].isdigit()
    }
    spreads = {name: _Spread() for name in pairs}
    hooks = [modules[name].register_forward_hook(spread) for name, spread in spreads.items()]
    network.eval()
    for batch in batches:
        network(batch)
    for hook in hooks:
        hook.remove()
    for name, norm in pairs.items():
        spread = spreads[name]
        if spread.count == 0:
            raise BadInput("no pictures to measure on: wanted some thousand")
        mean = spread.total / spread.count
        variance = (spread.squares / spread.count - mean.square()).clamp(min=0.0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.add_(mean)


def reader_to_begin_from(start: Path, cuts: Path, runs: Path) -> Path:
    """A reader's checkpoint: ``start`` itself, or where it is an ONNX file, what it revives to.

    Args:
        start: a checkpoint, or a plain or closer reader as ``export`` wrote it.
        cuts: folder with ``train``, and with those for a closer look.
        runs: where ``start.pt`` is kept.

    Raises:
        BadInput: the file holds no reader.
        NotFound: there are no cuts to measure on.
    """
    if start.suffix != ".onnx":
        return start
    folder = cuts / CLOSE_CUTS if _Folded(start).closer else cuts
    return _kept(revive_reader(start, _some_cuts(folder / "train")), runs)


def checker_to_begin_from(start: Path, samples: Samples, runs: Path) -> Path:
    """A checker's checkpoint: ``start`` itself, or where it is an ONNX file, what it revives to.

    Args:
        start: a checkpoint, or a checker as ``export`` wrote it.
        samples: what is learnt from.
        runs: where ``start.pt`` is kept.

    Raises:
        BadInput: the file holds no checker.
    """
    if start.suffix != ".onnx":
        return start
    count = min(_BATCHES, -(-len(samples.card) // _BATCH))
    rows = np.random.default_rng(1).choice(len(samples.card), (count, _BATCH))
    state = revive_checker(start, (to_network(samples.looks[row]) for row in rows))
    return _kept({**state, "steps": 0}, runs)


def _kept(state: dict[str, Any], runs: Path) -> Path:
    runs.mkdir(parents=True, exist_ok=True)
    torch.save(state, runs / START)
    return runs / START


def _some_cuts(folder: Path) -> Iterator[Tensor]:
    """Batches of cuts from all shards of a folder in turn."""
    names = shard_names(folder)
    if not names:
        raise NotFound(f"no cuts in {folder}: make them first (cuts)")
    rng = np.random.default_rng(1)
    for number in range(_BATCHES):
        shard = load_shard(folder, names[number % len(names)])
        count = min(_BATCH, len(shard.targets))
        yield to_network(take(shard, rng.choice(len(shard.targets), count, replace=False)))
