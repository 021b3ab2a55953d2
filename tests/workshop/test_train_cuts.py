"""Cuts for the reader: what is in them, what is said of them, how they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")

from companion.errors import NotFound
from datasets.workshop.augment import vary
from datasets.workshop.cuts import HALF_COVERED, Cut, Sitting, as_detected, make_cut
from datasets.workshop.cutting import CutRecipe, make_cuts
from datasets.workshop.network import HEADS, targets_of
from datasets.workshop.shards import load_all, shard_names, targets_row, write_shard
from datasets.workshop.tables import TableTop

pytestmark = pytest.mark.workshop

SQUARE = np.array([(20.0, 20.0), (80.0, 20.0), (80.0, 110.0), (20.0, 110.0)])


def _sitting() -> Sitting:
    face = np.zeros((140, 100, 4), np.uint8)
    face[...] = (20, 40, 220, 255)
    table = TableTop("plain", np.full((600, 800, 3), 120, np.uint8), 0.1)
    return Sitting(face, "B3", [face], table)


def test_the_same_seed_makes_the_same_cut() -> None:
    first, second = (make_cut(_sitting(), np.random.default_rng(5)) for _ in range(2))
    assert first.bgr.tobytes() == second.bgr.tobytes()
    assert first.visible == second.visible


def test_a_blue_card_fills_its_cut_with_blue() -> None:
    cuts = [make_cut(_sitting(), np.random.default_rng(seed)) for seed in range(12)]
    middles = np.array([cut.bgr[40:88, 30:66].mean(axis=(0, 1)) for cut in cuts])
    assert {cut.bgr.shape for cut in cuts} == {(128, 96, 3)}
    assert np.median(middles[:, 0] - middles[:, 2]) > 40


def test_the_visible_share_is_a_share() -> None:
    shares = [make_cut(_sitting(), np.random.default_rng(seed)).visible for seed in range(12)]
    assert all(0 <= share <= 1 for share in shares)
    assert max(shares) == 1


def test_half_covered_cards_are_mostly_half_covered() -> None:
    shares = np.array(
        [make_cut(_sitting(), np.random.default_rng(n), HALF_COVERED).visible for n in range(40)]
    )
    assert np.mean(shares < 0.95) > 0.7
    assert 0.45 < np.median(shares) < 0.85


def test_shards_begin_where_they_are_told_to(tmp_path: Path) -> None:
    make_cuts(CutRecipe("train", 1, 8, first=7, covered=True), tmp_path)
    assert shard_names(tmp_path) == ("deck-00007",)


def test_a_detected_quad_lies_about_where_the_card_lies() -> None:
    for seed in range(20):
        off = as_detected(SQUARE, np.random.default_rng(seed))
        assert np.abs(off.mean(axis=0) - SQUARE.mean(axis=0)).max() < 12
        assert 0.6 < np.ptp(off, axis=0).prod() / np.ptp(SQUARE, axis=0).prod() < 1.7


def test_a_varied_cut_keeps_its_shape_and_is_never_mirrored() -> None:
    cut = np.zeros((128, 96, 3), np.uint8)
    cut[10:60, 8:40] = 255  # top left, so that a turn brings it to the bottom right only
    kept = 0
    for seed in range(20):
        varied = vary(cut, np.random.default_rng(seed))
        halves = varied.astype(float).mean(axis=2)
        top_left, bottom_right = halves[:64, :48].mean(), halves[64:, 48:].mean()
        top_right, bottom_left = halves[:64, 48:].mean(), halves[64:, :48].mean()
        assert varied.shape == cut.shape
        kept += max(top_left, bottom_right) > 2 * max(top_right, bottom_left)
    assert kept >= 16  # now and then a patch lies over it


def test_a_part_of_another_card_comes_to_lie_on_a_varied_one() -> None:
    card, other = np.zeros((128, 96, 3), np.uint8), np.zeros((128, 96, 3), np.uint8)
    other[...] = (0, 255, 0)
    covered = 0
    for seed in range(60):
        varied = vary(card, np.random.default_rng(seed), other)
        green = (varied[..., 1] > 150) & (varied[..., 0] < 60) & (varied[..., 2] < 60)
        covered += green.mean() > 0.03
        assert not green[54:74, 38:58].all()  # never the middle of the card
    assert 2 <= covered <= 20


def test_what_cannot_be_seen_is_not_taught() -> None:
    seen, hidden = targets_row("R5", 0.9), targets_row("R5", 0.2)
    names = list(HEADS)
    assert seen[names.index("value")] == targets_of("R5")["value"]
    assert hidden[names.index("value")] == -1
    assert hidden[names.index("colour")] == seen[names.index("colour")]


def test_a_shard_comes_back_as_it_was_written(tmp_path: Path) -> None:
    cuts = [Cut(np.full((128, 96, 3), n, np.uint8), text, 1.0, 30.0 + n) for n, text in
            enumerate(["R5", "#9", "T!bomb", "stranger"])]  # fmt: skip
    write_shard(tmp_path, "deck-00000", cuts[:2])
    write_shard(tmp_path, "deck-00001", cuts[2:])
    loaded = load_all(tmp_path)
    assert loaded.cuts[:, 0, 0, 0].tolist() == [0, 1, 2, 3]
    assert loaded.targets.tolist() == [list(targets_of(cut.text).values()) for cut in cuts]


def test_a_folder_without_cuts_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="make them first"):
        load_all(tmp_path)
