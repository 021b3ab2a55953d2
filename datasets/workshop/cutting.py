"""Makes shards of cuts from fresh decks, on several workers, a killed run resumable."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.rules.cards import (
    TARGETS,
    VALUES,
    BlueSeven,
    Card,
    Colour,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
)
from companion.vision.values import Image
from datasets.workshop.cuts import (
    CLOSE,
    HALF_COVERED,
    IN_SIGHT,
    PLAIN,
    Cover,
    Cut,
    Sitting,
    make_cut,
)
from datasets.workshop.deck import SPLITS, draw_deck
from datasets.workshop.labels import STRANGER
from datasets.workshop.progress import Progress
from datasets.workshop.shards import shard_names, write_shard
from datasets.workshop.strangers import draw_stranger
from datasets.workshop.tables import draw_table

FACE_SCALE = 0.65
_FACES_A_DECK = 14
_CUTS_A_FACE = 2
_TABLES = 32
_IN_SIGHT_EACH = 4
_OTHER_NUMBERS = 0.4
_SEED_STEP = 10_000
_DECKS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class CutRecipe:
    """Which cuts to make.

    Attributes:
        split: whose decks are used: train, val or test.
        shards: how many shards.
        cuts_a_shard: cuts in each.
        seed: shard i follows from (seed, split, i) alone.
        first: number of the first shard.
        covered: whether most cards lie half under others.
        close: whether the cuts are for the closer look, twice as wide and high; of covered ones,
            each fourth shard's cards lie in sight none the less.
        curled: whether only decks are used whose digits have curled ends.
        doubted_by: checkpoint of a reader; of close cuts those alone are kept that it does not read
            clearly, and some that it does. None: all are.
    """

    split: str
    shards: int
    cuts_a_shard: int = 2048
    seed: int = 1
    first: int = 0
    covered: bool = False
    close: bool = False
    curled: bool = False
    doubted_by: Path | None = None

    def cover(self, number: int) -> Cover:
        """How cards lie upon those of a shard."""
        in_sight = not self.covered or (self.close and number % _IN_SIGHT_EACH == 0)
        return IN_SIGHT if in_sight else HALF_COVERED


def make_cuts(recipe: CutRecipe, folder: Path, jobs: int = 1) -> None:
    """Make the shards of a recipe that are not there yet."""
    there = set(shard_names(folder))
    numbers = range(recipe.first, recipe.first + recipe.shards)
    missing = [number for number in numbers if shard_name(number) not in there]
    progress = Progress(f"{recipe.split} cuts", len(missing) * recipe.cuts_a_shard)
    work = [(recipe, folder, number) for number in missing]
    if jobs <= 1:
        for job in work:
            progress.step(_make_shard(job))
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for done in pool.imap_unordered(_make_shard, work):
            progress.step(done)


def shard_name(number: int) -> str:
    """The name of a shard of cuts from decks."""
    return f"deck-{number:05d}"


def _make_shard(job: tuple[CutRecipe, Path, int]) -> int:
    recipe, folder, number = job
    cuts: list[Cut] = []
    decks = cuts_of_decks(recipe, number)
    while len(cuts) < recipe.cuts_a_shard:
        cuts += _kept(recipe, [cut for _ in range(_DECKS_AT_ONCE) for cut in next(decks)])
    write_shard(folder, shard_name(number), cuts[: recipe.cuts_a_shard])
    return recipe.cuts_a_shard


def _kept(recipe: CutRecipe, cuts: list[Cut]) -> list[Cut]:
    """Those of some cuts that the recipe wants."""
    if recipe.doubted_by is None:
        return cuts
    from datasets.workshop.doubtful import only_doubtful

    return only_doubtful(cuts, recipe.doubted_by)


def cuts_of_decks(recipe: CutRecipe, number: int) -> Iterator[list[Cut]]:
    """Endless lists of cuts, one list a deck, for the shard of this number."""
    rng = np.random.default_rng([recipe.seed, SPLITS.index(recipe.split), number])
    tables = [draw_table(rng, recipe.split) for _ in range(_TABLES)]
    for step in range(_SEED_STEP):
        deck = draw_deck((recipe.seed * 1000 + number) * _SEED_STEP + step, recipe.split)
        if recipe.curled and deck.digit.curl is None:
            continue
        faces = [(str(card), deck.face(card, FACE_SCALE)) for card in _some_cards(rng)]
        others = [face for _, face in faces]
        for _ in range(int(rng.integers(2, 7))):
            only = "other number" if rng.random() < _OTHER_NUMBERS else None
            stranger = draw_stranger(rng, recipe.split, only)
            faces.append((STRANGER, stranger))
            others.append(stranger)
        if rng.random() < 0.4:
            faces.append((STRANGER, np.zeros((140, 100, 4), np.uint8)))
        yield [
            make_cut(
                Sitting(face, text, others, tables[int(rng.integers(_TABLES))]),
                rng,
                recipe.cover(number),
                CLOSE if recipe.close else PLAIN,
            )
            for text, face in faces
            for _ in range(_CUTS_A_FACE)
        ]


def _some_cards(rng: np.random.Generator) -> list[Card]:
    """Cards to cut from one deck: mostly number cards, every value as often as the others."""
    values = [VALUES[int(rng.integers(6))] for _ in range(_FACES_A_DECK)]
    cards: list[Card] = []
    for value, kind in zip(values, rng.random(_FACES_A_DECK), strict=True):
        if kind < 0.62:
            cards.append(NumberCard(list(Colour)[int(rng.integers(6))], value))
        elif kind < 0.84:
            cards.append(TargetBack(TARGETS[int(rng.integers(4))]))
        elif kind < 0.93:
            cards.append(TweakCard(list(Tweak)[int(rng.integers(4))]))
        else:
            cards.append(TweakBack() if kind < 0.965 else BlueSeven())
    return cards


def as_bgr(cuts: list[Cut]) -> Image:
    """Cuts one above the other, for looking at them."""
    return np.concatenate([cut.bgr for cut in cuts])
