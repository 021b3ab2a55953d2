"""The reader's training: masks, checkpoints, temperatures, and the exported file."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")
pytest.importorskip("ultralytics", reason="needs the workshop extra")

import torch

from companion.errors import NotFound
from companion.vision.networks import OnnxNetwork
from companion.vision.read import HANDED
from datasets.workshop.cuts import Cut
from datasets.workshop.export import Entry, export_reader, name_in_manifest, reader_facts
from datasets.workshop.handed import fit_handed, handed_cuts, score_handed
from datasets.workshop.network import HEADS, ReaderNet, build_reader, split_heads, to_network
from datasets.workshop.reader import (
    LAST,
    ReaderRecipe,
    ReaderTraining,
    Sources,
    average_readers,
    masked_loss,
)
from datasets.workshop.reader_scores import score_reader
from datasets.workshop.shards import load_all, write_shard

pytestmark = pytest.mark.workshop

TEXTS = ("R5", "B2", "#9", "T!bomb", "T!back", "=7", "stranger", "Y1")


def _cuts(folder: Path) -> Path:
    rng = np.random.default_rng(3)
    cuts = [
        Cut(rng.integers(0, 256, (128, 96, 3), np.uint8), TEXTS[n % len(TEXTS)], 1.0, 60.0)
        for n in range(16)
    ]
    write_shard(folder, "deck-00000", cuts)
    return folder


def _trained(folder: Path, total_cuts: int) -> ReaderTraining:
    cuts = _cuts(folder / "cuts")
    training = ReaderTraining(ReaderRecipe(total_cuts=total_cuts, batch=8), folder / "runs")
    training.run(Sources(cuts, {"val": load_all(cuts)}))
    return training


def test_a_head_that_does_not_apply_teaches_nothing() -> None:
    logits = torch.zeros(1, 26, requires_grad=True)
    back = torch.tensor([[1, -1, 8, -1]])  # a black back with the target 9: no colour, no T! kind
    masked_loss(logits, back, ReaderRecipe()).backward()
    taught = {name: bool(part.abs().sum() > 0) for name, part in split_heads(logits.grad).items()}
    assert taught == {"side": True, "colour": False, "value": True, "tweak": False}


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    _trained(tmp_path, total_cuts=24)
    again = ReaderTraining(ReaderRecipe(total_cuts=40, batch=8), tmp_path / "runs")
    assert again.resume()
    assert again.seen_cuts == 24
    again.run(Sources(tmp_path / "cuts", {}))
    assert again.seen_cuts == 40


def test_a_run_without_a_checkpoint_begins_at_nought(tmp_path: Path) -> None:
    training = ReaderTraining(ReaderRecipe(), tmp_path)
    assert not training.resume()
    assert training.share_done == 0


def test_the_scores_are_shares(tmp_path: Path) -> None:
    scores = score_reader(ReaderNet().eval(), load_all(_cuts(tmp_path)))
    assert set(HEADS) < set(scores)
    assert all(0 <= score <= 1 for score in scores.values())


def test_the_exported_reader_says_what_the_network_says(tmp_path: Path) -> None:
    _trained(tmp_path, total_cuts=8)
    network = build_reader(torch.load(tmp_path / "runs" / LAST, weights_only=True)).eval()
    handed = torch.linspace(-1, 1, 2 * network.widths[-1])
    export_reader(network, handed, tmp_path / "reader.onnx")
    batch = to_network(load_all(tmp_path / "cuts").cuts[:3])
    with torch.no_grad():
        wanted = {**split_heads(network(batch)), HANDED: network.pooled(batch) @ handed[:, None]}
    got = OnnxNetwork(tmp_path / "reader.onnx", threads=1).run(batch.numpy())
    assert list(got) == [*HEADS, HANDED]
    assert all(np.allclose(got[name], wanted[name].numpy(), atol=1e-3) for name in got)


def test_mirror_images_are_told_apart_once_that_is_fitted(tmp_path: Path) -> None:
    flag = np.zeros((128, 96, 3), np.uint8)
    flag[:64, :48] = flag[64:, 48:] = 255  # turned by 180 degrees it is the same, mirrored not
    cuts = [Cut(np.roll(flag, n, axis=0), "R5", 1.0, 60.0) for n in range(-6, 7)]
    write_shard(tmp_path, "deck-00000", cuts)
    torch.manual_seed(1)
    network = ReaderNet().eval()

    handed = fit_handed(network, handed_cuts(tmp_path))

    assert score_handed(network, handed, load_all(tmp_path)) == 1.0


def test_nothing_is_learnt_of_mirrors_without_cuts(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="make them first"):
        handed_cuts(tmp_path)


def test_the_manifest_names_each_model_by_its_hash_and_keeps_the_other(tmp_path: Path) -> None:
    for name in ("reader", "detector"):
        file = tmp_path / f"{name}.onnx"
        file.write_bytes(name.encode())
        name_in_manifest(Entry(name, file, reader_facts({"side": 1.5}, 0.8, recipe='the "b"')))
    tables = tomllib.loads((tmp_path / "manifest.toml").read_text(encoding="utf-8"))
    assert {name: table["sha256"] for name, table in tables.items()} == {
        name: hashlib.sha256(name.encode()).hexdigest() for name in ("reader", "detector")
    }
    assert tables["reader"]["recipe"] == 'the "b"'
    assert tables["reader"]["temperature"] == {"side": 1.5}


def test_the_mean_of_two_readers_lies_between_them(tmp_path: Path) -> None:
    for number in (0, 1):
        weights = {"a": torch.tensor([1.0 + 2 * number]), "steps": torch.tensor(number)}
        torch.save({"weights": weights, "seen_cuts": 1 + number}, tmp_path / f"{number}.pt")
    average_readers(tmp_path / "0.pt", tmp_path / "1.pt", tmp_path / "out" / "mean.pt")
    mean = torch.load(tmp_path / "out" / "mean.pt", weights_only=True)
    assert mean["weights"]["a"].tolist() == [2.0]
    assert (mean["weights"]["steps"].item(), mean["seen_cuts"]) == (1, 2)
