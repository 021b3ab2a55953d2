"""Pictures of whole rounds being counted: every player's won cards in batches, and what was left.

The rounds are played by the law, so piles are as large and as mixed as they come; a round keeps
its deck, its table, its lamp and its camera. ``rounds.jsonl`` tells what each round is worth; the
pictures' labels are those of any other folder, so that the eyes can be scored on them as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.errors import BadInput
from companion.rules.cards import Card
from companion.rules.editions import Edition
from companion.rules.simulate import deal, play_round, round_points

from .canvas import Canvas, Spot
from .clutter import draw_thing
from .counting_lay import corners_of, fitting_px, lay, may_overlap
from .deck import Deck
from .generate import JPEG_QUALITY, Job, workers
from .labels import Picture, json_line
from .lens import Camera, Pose
from .photograph import photograph
from .progress import Progress
from .recipe import Recipe
from .scene import spread_table
from .stage import Art, Stage, drawn, drawn_art, put_card
from .tables import TableTop, draw_table

PLAYERS = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies in one place at a round's end.

    Attributes:
        player: name; empty for the cards left on the table.
        batches: number cards and T! cards, as they are laid at one time.
        points: what it is worth to its player.
    """

    player: str
    batches: tuple[tuple[Card, ...], ...]
    points: int


@dataclass(frozen=True, slots=True)
class Counted:
    """One round to be counted."""

    number: int
    edition: Edition
    colours: tuple[str, ...]
    piles: tuple[Pile, ...]


def play_counted(recipe: Recipe, number: int) -> Counted:
    """Play round ``number`` of a recipe to its end and put the piles into batches."""
    players = PLAYERS[number % len(PLAYERS)]
    edition = tuple(Edition)[number // len(PLAYERS) % 2]
    dice = Random(recipe.seed * 100_000 + number)
    end, _ = play_round(deal(edition, players, dice.randrange(players), dice), dice)
    piles = []
    for name, seat, points in zip("ABCDEF", end.seats, round_points(end), strict=False):
        won: list[Card] = [card for card in seat.won if card is not None]
        dice.shuffle(won)
        piles.append(Pile(name, _batches(recipe, dice, [*won, *seat.has, *seat.used]), points))
    left: list[Card] = [card for card in end.table if card is not None]
    piles.append(Pile("", _batches(recipe, dice, left), 0))
    colours = tuple(colour.value for colour in end.colours)
    return Counted(number, edition, colours, tuple(piles))


def _batches(recipe: Recipe, dice: Random, cards: list[Card]) -> tuple[tuple[Card, ...], ...]:
    """As many cards at a time as a player lays down, none of them a lonely rest."""
    if not cards:
        return ()
    most = dice.randint(*recipe.cards)
    parts = -(-len(cards) // most)
    edges = [len(cards) * part // parts for part in range(parts + 1)]
    return tuple(tuple(cards[a:b]) for a, b in pairwise(edges))


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a round is counted: one table, one camera, one lamp, one deck."""

    recipe: Recipe
    number: int
    table: TableTop
    pose: Pose
    size_px: tuple[int, int]
    deck: Deck
    art: Art

    @staticmethod
    def of(recipe: Recipe, number: int) -> Place:
        """Draw the place of round ``number``."""
        rng = np.random.default_rng([recipe.seed, number])
        art = drawn_art()
        deck = art.deck(recipe.seed * 100_000 + number // recipe.pictures_a_deck, recipe.split)
        assert isinstance(deck, Deck)
        weights = np.array([weight for _, _, weight in recipe.sizes])
        size = recipe.sizes[int(rng.choice(len(weights), p=weights / weights.sum()))][:2]
        low, high = (px * min(size) / 720 for px in recipe.card_px)
        pose = Pose(
            card_px=float(np.exp(rng.uniform(np.log(low), np.log(high)))),
            tilt_deg=float(rng.uniform(*recipe.tilt_deg) * rng.choice((0.4, 1.0))),
            roll_deg=float(rng.normal(0, 6)),
            zoom=float(rng.uniform(0.75, 1.5)),
        )
        return Place(recipe, number, draw_table(rng, recipe.split), pose, size, deck, art)

    def picture(self, cards: tuple[Card, ...], batch: int) -> Picture:
        """Lay a batch there and take its picture."""
        rng = np.random.default_rng([self.recipe.seed, self.number, batch])
        corners = self.deck.corners is not None
        aspect = self.deck.aspect
        spots = lay(rng, len(cards), may_overlap(corners, self.recipe.overlap), aspect)
        camera = Camera.over(*self.size_px, self.pose)
        fit = min(1.0, fitting_px(spots, camera, aspect))
        pose = replace(self.pose, card_px=self.pose.card_px * fit)
        stage = self._stage(rng, Camera.over(*self.size_px, pose), pose.card_px)
        if rng.random() < self.recipe.clutter:
            _strew(stage, spots)
        for spot, card in zip(spots, cards, strict=True):
            put_card(stage, spot, drawn(stage, card))
        # The lamp and the sensor are the round's, not the batch's.
        stage.rng = np.random.default_rng([self.recipe.seed, self.number, 999])
        return photograph(stage, {"table": self.table.name, "tilt": round(pose.tilt_deg)})

    def _stage(self, rng: np.random.Generator, camera: Camera, card_px: float) -> Stage:
        fixed = np.random.default_rng([self.recipe.seed, self.number, 998])
        bgr = spread_table(fixed, self.table, camera, card_px)
        angle, reach = fixed.uniform(0, 2 * np.pi), fixed.uniform(0.005, 0.05) * card_px
        return Stage(
            recipe=self.recipe,
            rng=rng,
            canvas=Canvas(bgr, self.table.gloss, camera),
            deck=self.deck,
            art=self.art,
            card_px=card_px,
            light_from=(float(reach * np.cos(angle)), float(reach * np.sin(angle))),
        )


def _strew(stage: Stage, spots: list[Spot]) -> None:
    """Lay a thing or two beside the cards, none over them."""
    rng, camera = stage.rng, stage.canvas.camera
    middles = corners_of(spots, camera)
    for _ in range(int(rng.integers(1, 3))):
        at = rng.uniform(0.02, 0.98, 2) * (camera.width_px, camera.height_px)
        if np.hypot(*(middles - at).T).min() < 2.2 * stage.card_px:
            continue
        x, y = camera.on_table(at[None])[0]
        thing = draw_thing(rng, small=True)
        spot = Spot(float(x), float(y), float(rng.uniform(0, 360)))
        stage.canvas.lay(thing.rgba, spot, thing.size, (-1, thing.gloss))


def make_counting(recipe: Recipe, folder: Path, jobs: int = 2, only: int | None = None) -> None:
    """Make all rounds of a recipe (``pictures`` is how many); those that are there stay.

    Args:
        recipe: what they shall be like; ``cards`` are the fewest and most of a batch.
        folder: gets ``images/``, ``labels.jsonl`` and ``rounds.jsonl``.
        jobs: how many processes draw.
        only: make no more than the first so many.

    Raises:
        BadInput: the folder holds another recipe's rounds.
    """
    for name in ("images", "parts"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    stamp = folder / "recipe.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") != repr(recipe):
        raise BadInput(f"{folder} holds another recipe's rounds: remove it or name another --out")
    stamp.write_text(repr(recipe), encoding="utf-8")
    numbers = range(min(recipe.pictures, only or recipe.pictures))
    missing = [number for number in numbers if not _part(folder, number).is_file()]
    progress = Progress(recipe.name, len(missing))
    with workers(jobs, _make) as run:
        for done in run([(recipe, folder, number) for number in missing]):
            progress.step(done)
    made = [json.loads(_part(folder, number).read_text(encoding="utf-8")) for number in numbers]
    rounds = "".join(json.dumps(one["round"]) + "\n" for one in made)
    (folder / "rounds.jsonl").write_text(rounds, encoding="utf-8")
    labels = "".join(line + "\n" for one in made for line in one["labels"])
    (folder / "labels.jsonl").write_text(labels, encoding="utf-8")


def _part(folder: Path, number: int) -> Path:
    return folder / "parts" / f"{number:04d}.json"


def _make(job: Job) -> int:
    """Draw one round; its part is written last, so that a killed run draws it anew."""
    recipe, folder, number = job
    played, place = play_counted(recipe, number), Place.of(recipe, number)
    names, labels = _names(played), []
    for pile in played.piles:
        for name, cards in zip(names[pile.player], pile.batches, strict=True):
            picture = place.picture(cards, int(name[-6:-4]))
            quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
            (folder / name).write_bytes(cv2.imencode(".jpg", picture.bgr, quality)[1].tobytes())
            labels.append(json_line(name, picture))
    about: dict[str, Any] = {"round": number, "edition": played.edition.value}
    about["colours"] = played.colours
    about["piles"] = [_told(pile, names[pile.player]) for pile in played.piles]
    record = {"round": about, "labels": labels}
    _part(folder, number).write_text(json.dumps(record), encoding="utf-8")
    return 1


def _told(pile: Pile, pictures: list[str]) -> dict[str, Any]:
    cards = [str(card) for batch in pile.batches for card in batch]
    return {"player": pile.player, "points": pile.points, "pictures": pictures, "cards": cards}


def _names(played: Counted) -> dict[str, list[str]]:
    """The pictures of each pile, numbered through the round."""
    numbers: Iterator[int] = iter(range(100))
    return {
        pile.player: [f"images/{played.number:04d}-{next(numbers):02d}.jpg" for _ in pile.batches]
        for pile in played.piles
    }
