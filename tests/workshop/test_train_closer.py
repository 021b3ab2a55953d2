"""The closer look's training: larger cuts, where it begins, what it is shown, and its file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")
pytest.importorskip("ultralytics", reason="needs the workshop extra")

import torch
from click.testing import CliRunner
from torch.nn import functional

from companion.vision.manifest import CloserSpec
from companion.vision.networks import OnnxNetwork
from datasets.workshop.augment import vary
from datasets.workshop.cuts import CLOSE_PX, HALF_COVERED, IN_SIGHT, Cut
from datasets.workshop.cutting import CutRecipe, make_cuts
from datasets.workshop.doubtful import CLEAR_FROM, truth_told
from datasets.workshop.export import export_closer
from datasets.workshop.network import (
    HEADS,
    ReaderNet,
    build_reader,
    closer_reader,
    reader_of,
    to_network,
)
from datasets.workshop.reader import (
    ReaderRecipe,
    ReaderTraining,
    Sources,
    odds_of,
)
from datasets.workshop.scene_cuts import CLOSE_SCENES, cut_pictures
from datasets.workshop.shards import Shard, load_all, load_shard, take, write_shard
from datasets.workshop.train import cuts, train_reader

pytestmark = pytest.mark.workshop


def _plain(folder: Path) -> Path:
    """A plain reader's checkpoint, with statistics that are not those of a new network."""
    torch.manual_seed(4)
    network = ReaderNet()
    network(torch.rand(8, 3, 128, 96))
    path = folder / "plain.pt"
    torch.save(
        {"widths": network.widths, "blocks": network.blocks, "weights": network.state_dict()}, path
    )
    return path


def _large_cuts(folder: Path) -> Path:
    rng = np.random.default_rng(3)
    cuts = [
        Cut(rng.integers(0, 256, (256, 192, 3), np.uint8), text, 1.0, 90.0)
        for text in ("R5", "B2", "#9", "stranger") * 4
    ]
    write_shard(folder, "deck-00000", cuts)
    return folder


def test_it_begins_with_the_answers_of_the_plain_reader(tmp_path: Path) -> None:
    state = torch.load(_plain(tmp_path), weights_only=True)
    large = torch.rand(2, 3, 256, 192)

    with torch.no_grad():
        plain = build_reader(state).eval()(functional.avg_pool2d(large, 2))
        closer = closer_reader(state).eval()(large)

    assert torch.allclose(plain, closer, atol=1e-5)


def test_a_run_learns_from_the_detail_and_can_be_taken_up(tmp_path: Path) -> None:
    plain, cuts = _plain(tmp_path), _large_cuts(tmp_path / "cuts")
    sources = Sources(cuts, {"val": load_all(cuts)}, reader_of(plain))
    training = ReaderTraining(ReaderRecipe(total_cuts=24, batch=8), tmp_path / "runs")
    training.look_closer_than(plain)
    training.run(sources)
    assert training.network.detail.joins.weight.abs().sum() > 0

    again = ReaderTraining(ReaderRecipe(total_cuts=32, batch=8), tmp_path / "runs")
    assert again.resume()
    again.run(sources)
    assert (again.seen_cuts, again.network.detailed) == (32, (32, 64))


def test_a_run_goes_on_from_one_that_looked_closer(tmp_path: Path) -> None:
    plain, folder = _plain(tmp_path), tmp_path / "cuts"
    for split in ("train", "val"):
        _large_cuts(folder / "close" / split)
    first, second = tmp_path / "first", tmp_path / "second"
    common = ["--closer", "--cuts", str(folder), "--total-cuts", "8", "--threads", "1"]
    begun = CliRunner().invoke(
        train_reader, [*common, "--start", str(plain), "--runs", str(first), "--rate", "0.1"]
    )
    assert begun.exit_code == 0, begun.output

    start = ["--start", str(first / "last.pt"), "--doubted-by", str(plain)]
    done = CliRunner().invoke(
        train_reader, [*common, *start, "--runs", str(second), "--rate", "1e-9"]
    )

    assert done.exit_code == 0, done.output
    one, other = (reader_of(folder / "last.pt").detail.joins.weight for folder in (first, second))
    assert one.abs().sum() > 0
    assert torch.allclose(one, other, atol=1e-4)


def test_what_the_plain_reader_reads_clearly_is_drawn_seldom() -> None:
    class Knows(torch.nn.Module):  # type: ignore[misc]
        """Sure that every cut is a red 1."""

        def forward(self, cuts: torch.Tensor) -> torch.Tensor:
            logits = torch.zeros(len(cuts), 26)
            logits[:, [0, len(HEADS["side"]), len(HEADS["side"]) + len(HEADS["colour"])]] = 20.0
            return logits

    rows = 400
    targets = np.array([[0, 0, 0, -1], [0, 1, 0, -1]] * (rows // 2), np.int8)
    ones = np.ones(rows, np.float16)
    shard = Shard(np.zeros((rows, 16, 16, 3), np.uint8), targets, ones, ones)

    odds = odds_of(Knows(), shard)

    known, missed = odds[::2], odds[1::2]
    assert odds.sum() == pytest.approx(1.0)
    assert missed.min() == odds.max()
    assert (known > 0).sum() == 0.3 * len(missed)


def test_cuts_that_teach_nothing_are_not_kept(tmp_path: Path) -> None:
    recipe = CutRecipe("train", 1, 12, first=5, covered=True, close=True)
    make_cuts(replace(recipe, doubted_by=_plain(tmp_path)), tmp_path / "doubted")
    make_cuts(recipe, tmp_path / "all")

    kept, every = load_all(tmp_path / "doubted"), load_all(tmp_path / "all")

    assert len(kept.cuts) == 12
    told = truth_told(reader_of(_plain(tmp_path)), kept.cuts, kept.targets)
    assert (told < CLEAR_FROM).all()
    assert np.array_equal(kept.cuts, every.cuts)


def test_cuts_for_the_plain_reader_are_all_kept() -> None:
    answer = CliRunner().invoke(cuts, ["--doubted-by", __file__])

    assert answer.exit_code == 2
    assert "wants --close" in answer.output
    answer = CliRunner().invoke(train_reader, ["--doubted-by", __file__])
    assert answer.exit_code == 2
    assert "wants --closer" in answer.output


def test_rows_of_a_shard_come_as_they_lie_there(tmp_path: Path) -> None:
    _large_cuts(tmp_path)
    shard = load_shard(tmp_path, "deck-00000")

    assert np.array_equal(take(shard, np.array([15, 0, 7])), load_all(tmp_path).cuts[[15, 0, 7]])


def test_the_exported_file_says_what_the_network_says(tmp_path: Path) -> None:
    network = closer_reader(torch.load(_plain(tmp_path), weights_only=True)).eval()
    export_closer(network, tmp_path / "closer.onnx")
    batch = to_network(load_all(_large_cuts(tmp_path / "cuts")).cuts[:3])

    got = OnnxNetwork(tmp_path / "closer.onnx", threads=1).run(batch.numpy())

    with torch.no_grad():
        wanted = network(batch).numpy()
    assert list(got) == [*HEADS]
    assert np.allclose(np.concatenate(list(got.values()), axis=1), wanted, atol=1e-3)
    assert CloserSpec(tmp_path, {}).input_px == CLOSE_PX


def test_larger_cuts_show_the_same_kinds_of_cards(tmp_path: Path) -> None:
    recipe = CutRecipe("train", 1, 8, first=5, covered=True, close=True)
    make_cuts(recipe, tmp_path)

    made = load_all(tmp_path)

    assert made.cuts.shape == (8, 256, 192, 3)
    assert made.short_side_px.min() >= 44
    assert (recipe.cover(5), recipe.cover(8)) == (HALF_COVERED, IN_SIGHT)
    assert CutRecipe("train", 1, covered=True).cover(8) == HALF_COVERED


def test_a_larger_cut_is_varied_as_a_small_one_is() -> None:
    small = np.zeros((128, 96, 3), np.uint8)
    small[32:96, 24:72] = 200
    large = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)

    for seed in range(8):
        one = vary(small, np.random.default_rng(seed))
        other = cv2.resize(vary(large, np.random.default_rng(seed)), (96, 128))
        assert other.shape == one.shape
        assert abs(float(one.mean()) - float(other.mean())) < 25


def test_only_large_cards_are_cut_out_of_pictures_for_it(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.jpg"), np.zeros((200, 200, 3), np.uint8))
    sides = {"R1": 43, "G2": 60, "B3": 60}
    cards = [
        {
            "card": card,
            "visible": 0.2 if card == "B3" else 0.6,
            "quad": [[9, 9], [9 + side, 9], [9 + side, 90], [9, 90]],
        }
        for card, side in sides.items()
    ]
    record = {"image": "images/a.jpg", "cards": cards}
    (tmp_path / "labels.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")

    cut_pictures(tmp_path, tmp_path / "cuts", CLOSE_SCENES)

    made = load_all(tmp_path / "cuts")
    assert made.cuts.shape == (1, 256, 192, 3)
    assert made.targets[0].tolist()[:3] == [0, 3, 1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "--closer wants --start"),
        (["--start", "plain.pt", "--grow"], "neither --grow nor --photos"),
        (["--start", "plain.pt", "--photos", "."], "neither --grow nor --photos"),
        (["--start", "gone.pt"], "'gone.pt' does not exist"),
    ],
    ids=["no reader to begin as", "growing as well", "photographs in small cuts", "no such file"],
)
def test_what_does_not_go_together_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.pt").touch()
    runs = tmp_path / "runs"

    done = CliRunner().invoke(train_reader, ["--closer", "--runs", str(runs), *more])

    assert done.exit_code == 2
    assert said in done.output
    assert not runs.exists()
