"""Decks that are drawn: repeatable, split, separable in colour, and whole."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="drawing decks needs the workshop extra")

from companion.errors import BadInput
from companion.rules.cards import Colour, NumberCard, Tweak, TweakCard
from datasets.workshop.deck import all_faces, deck_sheet, draw_deck
from datasets.workshop.fonts import fonts_of, usable_fonts
from datasets.workshop.layouts import HELD_OUT, LAYOUTS, draw_layout, layouts_of
from datasets.workshop.palette import APART, distance, draw_palette
from datasets.workshop.strangers import STRANGERS, draw_stranger
from datasets.workshop.tweaks_icons import ICONS

pytestmark = pytest.mark.workshop


def test_the_same_seed_draws_the_same_bytes() -> None:
    card = NumberCard(Colour.GREEN, 5)
    for seed in range(4):
        one, other = draw_deck(seed, "train"), draw_deck(seed, "train")
        assert one.describe() == other.describe()
        assert all(np.array_equal(one.face(face), other.face(face)) for face in all_faces()[::5])
    assert draw_deck(1, "train").face(card).tobytes() != draw_deck(2, "train").face(card).tobytes()


def test_a_seed_means_another_deck_in_another_split() -> None:
    looks = [draw_deck(7, split).describe() for split in ("train", "val", "test")]
    assert len({(look["font"], look["layout"], look["aspect"]) for look in looks}) == 3


def test_a_card_is_the_same_whichever_were_drawn_before_it() -> None:
    alone, after = draw_deck(3, "val"), draw_deck(3, "val")
    for face in all_faces():
        after.face(face)
    card = TweakCard(Tweak.BOMB)
    assert np.array_equal(alone.face(card), after.face(card))


def test_every_face_has_the_deck_s_shape_and_rounded_corners_in_its_alpha() -> None:
    for seed, split in ((0, "train"), (1, "val"), (2, "test"), (3, "test")):
        deck = draw_deck(seed, split)
        for card in all_faces():
            face = deck.face(card, 0.5)
            assert face.shape == (round(135 * deck.aspect), 135, 4), str(card)
            assert face.dtype == np.uint8
            assert face[face.shape[0] // 2, :, 3].min() == 255
            assert face[0, 67, 3] == 255
            assert face[:, :, :3].std() > 3, f"{card} of deck {seed} is blank"


def test_corners_are_cut_where_the_deck_has_round_ones() -> None:
    deck = next(deck for deck in (draw_deck(s, "train") for s in range(20)) if deck.radius > 0.03)
    face = deck.face(NumberCard(Colour.RED, 1))
    assert [face[y, x, 3] for y in (0, -1) for x in (0, -1)] == [0, 0, 0, 0]


def test_the_two_ends_of_a_split_are_never_printed_alike() -> None:
    families = {split: set(fonts_of(split)) for split in ("train", "val", "test")}
    assert not families["train"] & families["val"]
    assert not families["train"] & families["test"]
    assert not families["val"] & families["test"]
    assert len(HELD_OUT["test"]) >= 3
    assert len(HELD_OUT["val"]) >= 1
    for split, names in HELD_OUT.items():
        others = {"train", "val", "test"} - {split}
        assert all(name not in layouts_of(other) for name in names for other in others)


def test_test_decks_show_the_layouts_kept_for_them() -> None:
    rng = np.random.default_rng(0)
    seen = {split: {draw_layout(rng, split) for _ in range(300)} for split in ("train", "test")}
    assert set(HELD_OUT["test"]) <= seen["test"]
    assert seen["train"] == set(layouts_of("train"))


def test_there_is_breadth_enough_to_learn_from() -> None:
    assert len(LAYOUTS) >= 14
    assert len({font.family for font in usable_fonts()}) >= 40
    assert len(fonts_of("train")) >= 40
    assert all(len(ICONS[kind]) >= 4 for kind in Tweak)


def test_fonts_come_in_the_same_order_every_time() -> None:
    fonts = usable_fonts()
    assert [font.family for font in fonts] == sorted(font.family for font in fonts)


def test_any_two_colours_of_any_deck_are_apart() -> None:
    rng = np.random.default_rng(5)
    for _ in range(150):
        shades = list(draw_palette(rng).colours.values())
        nearest = min(distance(a, b) for i, a in enumerate(shades) for b in shades[i + 1 :])
        assert nearest >= APART


def test_values_of_one_colour_differ_and_so_do_colours_of_one_value() -> None:
    for seed in range(6):
        deck = draw_deck(seed, "train")
        fives = [deck.face(NumberCard(colour, 5), 0.5) for colour in Colour]
        reds = [deck.face(NumberCard(Colour.RED, value), 0.5) for value in range(1, 7)]
        for faces in (fives, reds):
            pairs = [(a, b) for i, a in enumerate(faces) for b in faces[i + 1 :]]
            gaps = [np.abs(a[:, :, :3].astype(int) - b[:, :, :3]).mean() for a, b in pairs]
            assert min(gaps) > 1.0, f"two cards of deck {seed} look alike"


def test_the_seventh_card_kind_is_not_drawn_by_guess() -> None:
    deck = draw_deck(0, "train")
    with pytest.raises(BadInput, match="needs a kind"):
        deck.face(TweakCard(None))


@pytest.mark.parametrize(("seed", "split"), [(0, "both"), (-1, "train")])
def test_a_deck_that_cannot_be_says_what_was_wanted(seed: int, split: str) -> None:
    with pytest.raises(BadInput, match=r"a deck has a seed from 0 on and a split"):
        draw_deck(seed, split)


def test_strangers_of_every_kind_are_drawn_and_repeat() -> None:
    first = [draw_stranger(np.random.default_rng(seed)) for seed in range(40)]
    again = [draw_stranger(np.random.default_rng(seed)) for seed in range(40)]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert all(face.shape[1:] == (270, 4) for face in first)
    assert len({face.tobytes() for face in first}) == 40
    assert {"other number", "action", "playing card", "back"} <= set(STRANGERS)


def test_a_sheet_shows_all_faces_of_a_deck() -> None:
    sheet = deck_sheet(draw_deck(0, "train"), 0.2)
    assert sheet.ndim == 3
    assert sheet.shape[2] == 3
    assert sheet.std() > 20
