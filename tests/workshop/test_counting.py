"""Made rounds being counted: every card of the box once, readable, and the same bytes again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadInput
from companion.rules.cards import Colour, NumberCard
from companion.rules.editions import number_cards
from companion.rules.scoring import score
from companion.vision.bench_labels import load_labels
from datasets.workshop.counting import make_counting, play_counted
from datasets.workshop.counting_lay import lay, may_overlap
from datasets.workshop.recipe import Recipe, read_recipe
from datasets.workshop.spread import covered

SMALL = Recipe(
    name="counting", split="test", seed=3, pictures=2, pictures_a_deck=1, hand=0.0,
    sizes=((640, 360, 1.0),), cards=(9, 12), card_px=(60.0, 90.0), overlap=0.45,
)  # fmt: skip


@pytest.mark.parametrize("number", range(10))
def test_every_number_card_of_a_round_lies_in_one_pile(number: int) -> None:
    played = play_counted(SMALL, number)
    cards = [card for pile in played.piles for batch in pile.batches for card in batch]
    numbers = Counter(card for card in cards if isinstance(card, NumberCard))
    assert numbers == Counter(number_cards(Colour(name) for name in played.colours))
    for pile in played.piles[:-1]:
        assert pile.points == score(card for batch in pile.batches for card in batch).points
    assert len(played.piles) == 3 + number % 5


def test_cards_cover_each_other_no_further_than_can_be_read() -> None:
    assert (may_overlap(True, 0.45), may_overlap(False, 0.45)) == (0.45, 0.2)
    for seed in range(20):
        spots = lay(np.random.default_rng(seed), 11, 0.3, 1.4)
        assert len(spots) == 11
        for place, spot in enumerate(spots):
            assert sum(covered(spot, later, 1.4) for later in spots[place + 1 :]) <= 0.3


def test_a_folder_tells_its_rounds_and_can_be_scored_like_any_other(tmp_path: Path) -> None:
    make_counting(SMALL, tmp_path, jobs=1, only=1)
    (line,) = (tmp_path / "rounds.jsonl").read_text(encoding="utf-8").splitlines()
    names = [name for pile in json.loads(line)["piles"] for name in pile["pictures"]]
    pictures = load_labels(tmp_path)
    assert [picture.path.name for picture in pictures] == [name.split("/")[1] for name in names]
    told = Counter(text for pile in json.loads(line)["piles"] for text in pile["cards"])
    assert Counter(str(card.card) for picture in pictures for card in picture.cards) == told
    # And a second run leaves what is there alone, while another recipe is refused
    before = pictures[0].path.stat().st_mtime_ns
    make_counting(SMALL, tmp_path, jobs=1, only=1)
    assert pictures[0].path.stat().st_mtime_ns == before
    with pytest.raises(BadInput, match="another recipe's rounds"):
        make_counting(replace(SMALL, seed=4), tmp_path, jobs=1, only=1)


def test_the_recipe_in_the_repository_can_be_read() -> None:
    root = Path(__file__).resolve().parents[2]
    recipe = read_recipe(root / "datasets" / "recipes" / "counting.toml")
    assert (recipe.split, recipe.pictures) == ("test", 200)
