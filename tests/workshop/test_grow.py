"""A reader that is made larger answers as before, and can learn on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")

import torch

from companion.errors import BadInput
from datasets.workshop.cuts import Cut
from datasets.workshop.grow import GROWN, Shape, grow_reader
from datasets.workshop.network import ReaderNet
from datasets.workshop.reader import LAST, ReaderRecipe, ReaderTraining, Sources
from datasets.workshop.shards import load_all, write_shard

pytestmark = pytest.mark.workshop


def _state(network: ReaderNet) -> dict[str, object]:
    """A checkpoint of a network whose normalisations have seen something."""
    torch.manual_seed(4)
    network.train()
    network(torch.rand(8, 3, 128, 96))
    network.eval()
    return {
        "widths": network.widths,
        "blocks": network.blocks,
        "weights": network.state_dict(),
    }


@pytest.mark.parametrize("shape", [GROWN, Shape((32, 64, 96, 192, 256), (1, 1, 2))])
def test_a_grown_reader_answers_as_before(shape: Shape) -> None:
    small = ReaderNet()
    state = _state(small)
    cuts = torch.rand(3, 3, 128, 96)

    large = grow_reader(state, shape)

    assert (large.widths, large.blocks) == (shape.widths, shape.blocks)
    with torch.no_grad():
        assert torch.allclose(large(cuts), small(cuts), atol=1e-4)


def test_doubled_channels_can_be_told_apart() -> None:
    large = grow_reader(_state(ReaderNet()), GROWN)

    reads = large.features[3].weight  # of the second convolution; 16 channels come in
    later = large.features[6].weight  # of the third; 32 became 40

    assert reads.shape[1] == 16
    assert not torch.allclose(later[:, 0], later[:, 32])


@pytest.mark.parametrize(
    ("shape", "wanted"),
    [
        (Shape((16, 32, 48, 96, 300), (1, 1, 2)), "up to twice"),
        (Shape((16, 32, 48, 64, 128), (1, 1, 2)), "widths"),
        (Shape((16, 32, 48, 96, 128), (1, 1, 1)), "blocks"),
        (Shape((16, 32, 48, 96), (1, 1, 2)), "5 widths"),
    ],
)
def test_what_cannot_be_grown_is_refused(shape: Shape, wanted: str) -> None:
    with pytest.raises(BadInput, match=wanted):
        grow_reader(_state(ReaderNet()), shape)


def test_a_grown_reader_s_training_resumes(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    cuts = [
        Cut(rng.integers(0, 256, (128, 96, 3), np.uint8), text, 1.0, 60.0)
        for text in ("R5", "B2", "#9", "T!bomb", "stranger", "=7", "T!back", "Y1")
    ]
    write_shard(tmp_path / "cuts", "deck-00000", cuts)
    sources = Sources(tmp_path / "cuts", {"val": load_all(tmp_path / "cuts")})
    first = ReaderTraining(ReaderRecipe(total_cuts=8, batch=8), tmp_path / "first")
    first.run(sources)
    recipe = ReaderRecipe(total_cuts=16, batch=8)
    second = ReaderTraining(recipe, tmp_path / "second")
    second.begin_from(tmp_path / "first" / LAST, GROWN)
    second.run(sources)

    third = ReaderTraining(recipe, tmp_path / "second")

    assert third.resume()
    assert third.seen_cuts == 16
    assert third.network.widths == GROWN.widths
    weights = second.averaged.state_dict()
    assert all(torch.equal(weights[name], w) for name, w in third.averaged.state_dict().items())
