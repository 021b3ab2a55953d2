"""A blessed ONNX file becomes a checkpoint that answers alike and can learn on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")

import torch
from click.testing import CliRunner
from torch import Tensor

from companion.errors import BadInput, NotFound
from datasets.workshop.checker import CheckerRecipe, CheckerTraining, CheckNet, Samples
from datasets.workshop.cuts import Cut
from datasets.workshop.export import export_checker, export_closer, export_reader
from datasets.workshop.network import DETAIL_WIDTHS, ReaderNet, build_reader
from datasets.workshop.reader import LAST
from datasets.workshop.revive import (
    checker_to_begin_from,
    module_of,
    reader_to_begin_from,
    revive_checker,
    revive_reader,
)
from datasets.workshop.shards import write_shard
from datasets.workshop.train import train_reader

pytestmark = pytest.mark.workshop

TEXTS = ("R5", "B2", "#9", "T!bomb", "stranger", "=7", "T!back", "Y1")


def lived_in(network: ReaderNet | CheckNet, pictures: Tensor) -> None:
    """Normalisations that have seen something, and joins that join."""
    torch.manual_seed(4)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, 0.05, 0.08)
    network.train()
    for _ in range(3):
        network(pictures * 0.7 + 0.1)
    network.eval()


def looks(*size: int) -> Tensor:
    return torch.rand(8, 3, *size, generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize(
    ("detail", "size"), [((), (128, 96)), (DETAIL_WIDTHS, (256, 192))], ids=["plain", "closer"]
)
def test_a_revived_reader_answers_as_its_file(
    tmp_path: Path, detail: tuple[int, ...], size: tuple[int, int]
) -> None:
    # Given a reader of a shape of its own, in an ONNX file
    pictures = looks(*size)
    network = ReaderNet((16, 24, 32, 40, 48), (2, 0, 1), detail=detail)
    lived_in(network, pictures)
    path = tmp_path / "reader.onnx"
    if detail:
        export_closer(network, path)
    else:
        export_reader(network, torch.zeros(96), path)
    # When it is revived
    revived = build_reader(revive_reader(path, [pictures[:4], pictures[4:]]))
    # Then its shape and answers are the same, and so are they while it learns
    assert (revived.widths, revived.blocks) == (network.widths, network.blocks)
    assert revived.detailed == detail
    with torch.no_grad():
        wanted = network(pictures)
        assert torch.allclose(revived.eval()(pictures), wanted, atol=1e-3)
        revived.train()
        revived.dropout.p = 0.0
        assert torch.allclose(revived(pictures), wanted, atol=1e-2)


def test_a_revived_checker_answers_as_its_file_and_learns_on(tmp_path: Path) -> None:
    pictures = looks(96, 64)
    network = CheckNet((8, 16, 24, 32))
    lived_in(network, pictures)
    checkpoint = tmp_path / "checker.pt"
    torch.save({"widths": network.widths, "weights": network.state_dict()}, checkpoint)
    export_checker(checkpoint, tmp_path / "checker.onnx")

    state = revive_checker(tmp_path / "checker.onnx", [pictures])

    assert state["widths"] == (8, 16, 24, 32)
    revived = CheckNet(state["widths"]).eval()
    revived.load_state_dict(state["weights"])
    with torch.no_grad():
        assert torch.allclose(revived(pictures), network(pictures), atol=1e-3)


def test_a_training_of_the_checker_begins_with_the_blessed_one(tmp_path: Path) -> None:
    blessed = Path(__file__).resolve().parents[2] / "models" / "checker.onnx"
    rng = np.random.default_rng(5)
    samples = Samples(
        rng.integers(0, 256, (200, 96, 64, 3), np.uint8),
        rng.integers(0, 2, 200).astype(np.int8),
        np.zeros((200, 4, 2), np.float32),
    )
    checkpoint = checker_to_begin_from(blessed, samples, tmp_path)
    training = CheckerTraining(CheckerRecipe(), tmp_path, 1.0)
    training.begin_from(checkpoint)
    assert checkpoint == tmp_path / "start.pt"
    assert checker_to_begin_from(checkpoint, samples, tmp_path) == checkpoint


def test_a_training_of_the_reader_begins_with_the_blessed_one(tmp_path: Path) -> None:
    # Given a few cuts, and the blessed reader
    blessed = Path(__file__).resolve().parents[2] / "models" / "reader.onnx"
    rng = np.random.default_rng(3)
    cuts = [Cut(rng.integers(0, 256, (128, 96, 3), np.uint8), text, 1.0, 60.0) for text in TEXTS]
    for split in ("train", "val"):
        write_shard(tmp_path / "cuts" / split, "deck-00000", cuts)
    # When it trains on for two steps that change next to nothing
    words = ["--cuts", tmp_path / "cuts", "--runs", tmp_path / "run", "--start", blessed]
    words += ["--total-cuts", "256", "--rate", "1e-9"]
    done = CliRunner().invoke(train_reader, [str(word) for word in words])
    # Then there is a checkpoint of its shape, which answers as it did
    assert done.exit_code == 0, done.output
    state = torch.load(tmp_path / "run" / LAST, weights_only=True)
    start = torch.load(tmp_path / "run" / "start.pt", weights_only=True)
    assert state["widths"] == start["widths"]
    told, wanted = (weights["weights"]["answers.weight"] for weights in (state, start))
    assert torch.allclose(told, wanted, atol=1e-4)


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    models = Path(__file__).resolve().parents[2] / "models"
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"no network")
    with pytest.raises(BadInput, match="wanted an ONNX file"):
        revive_reader(wrong, [])
    with pytest.raises(BadInput, match="no reader"):
        revive_reader(models / "checker.onnx", [])
    with pytest.raises(BadInput, match="no checker"):
        revive_checker(models / "reader.onnx", [])
    with pytest.raises(BadInput, match="no pictures"):
        revive_checker(models / "checker.onnx", [])
    with pytest.raises(NotFound, match="make them first"):
        reader_to_begin_from(models / "reader.onnx", tmp_path, tmp_path)


def test_a_node_tells_its_module() -> None:
    assert module_of("/features/features.3/Conv") == "features.3"
    assert (
        module_of("/network/detail/layers/layers.10/path/path.3/Conv") == "detail.layers.10.path.3"
    )
