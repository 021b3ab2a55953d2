"""Digits with curled ends: where a glyph's strokes end, and that it stays the digit it was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.workshop.curls import Curl, curled, draw_curl, ends_of, thinned
from datasets.workshop.cutting import CutRecipe, cuts_of_decks
from datasets.workshop.deck import draw_deck
from datasets.workshop.layouts_brush import Mask

pytestmark = pytest.mark.workshop

BALL = Curl(turn_deg=0.0, reach=0.1, ball=1.8, seed=3)
HOOK = Curl(turn_deg=200.0, reach=0.15, ball=0.0, seed=3)


def _bow() -> Mask:
    """Three quarters of a ring: two loose ends."""
    sheet = np.zeros((130, 130), np.uint8)
    cv2.ellipse(sheet, (65, 65), (50, 50), 0, 0, 270, (255,), 12, cv2.LINE_AA)
    rows, columns = (np.flatnonzero(sheet.max(axis=axis) > 40) for axis in (1, 0))
    return np.ascontiguousarray(sheet[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _holes(mask: Mask) -> int:
    bare = np.pad((mask < 128).astype(np.uint8), 1, constant_values=1)
    return int(cv2.connectedComponents(bare, connectivity=4)[0]) - 2


def test_a_bow_has_two_ends_that_bend_its_way_and_a_ring_has_none() -> None:
    ends = ends_of(_bow())
    ring = np.zeros((120, 120), np.uint8)
    cv2.circle(ring, (60, 60), 50, (255,), 12)

    assert len(ends) == 2
    assert {end.bend for end in ends} == {1, -1}
    assert all(3 < end.half_px < 9 for end in ends)
    assert ends_of(ring) == ()


def test_thinning_leaves_one_line_that_hangs_together() -> None:
    ink = np.pad(_bow() > 128, 2)

    line = thinned(ink)

    assert 0 < line.sum() < 0.25 * ink.sum()
    assert cv2.connectedComponents(line.astype(np.uint8), connectivity=8)[0] == 2


@pytest.mark.parametrize("curl", [BALL, HOOK], ids=["balls", "hooks"])
def test_curls_grow_from_the_ends_and_close_nothing(curl: Curl) -> None:
    bow = _bow()

    drawn = [curled(bow, curl, seed) for seed in range(6)]

    assert any((mask > 128).sum() > 1.03 * (bow > 128).sum() for mask in drawn)
    assert all(_holes(mask) == 0 for mask in drawn)


def test_a_ring_and_a_dot_stay_as_they_are() -> None:
    ring = np.zeros((101, 101), np.uint8)
    cv2.circle(ring, (50, 50), 44, (255,), 12)

    assert np.array_equal(curled(ring, HOOK, 1), ring[0:101, 0:101][_ink(ring)])
    assert curled(np.full((3, 3), 255, np.uint8), HOOK, 1).shape == (3, 3)


def _ink(mask: Mask) -> tuple[slice, slice]:
    rows, columns = (np.flatnonzero(mask.max(axis=axis) > 40) for axis in (1, 0))
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def test_only_training_decks_have_curls() -> None:
    train = [draw_deck(seed, "train").digit.curl is not None for seed in range(60)]

    assert 2 <= sum(train) <= 20
    assert all(draw_deck(seed, "val").digit.curl is None for seed in range(20))


def test_a_deck_s_curls_are_its_own_and_the_same_each_time() -> None:
    rng, again = np.random.default_rng(4), np.random.default_rng(4)

    assert draw_curl(rng) == draw_curl(again)
    assert np.array_equal(curled(_bow(), HOOK, 2), curled(_bow(), HOOK, 2))


def test_cuts_of_curled_decks_come_from_such_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    used = []

    def watched(seed: int, split: str) -> object:
        deck = draw_deck(seed, split)
        used.append(deck)
        return deck

    monkeypatch.setattr("datasets.workshop.cutting.draw_deck", watched)
    next(cuts_of_decks(CutRecipe("train", 1, curled=True), 7))

    assert used[-1].digit.curl is not None
    assert all(deck.digit.curl is None for deck in used[:-1])
