"""Samples for the checker: what the detector half believes in, and quads laid beside true cards.

A sample is a look at a quad with much of its surroundings, and what is true of it: whether it lies
on a card, and how far each of its corners is from the card's own.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.check import look_at, to_card_units
from companion.vision.corners import Corners, overlap, upright
from companion.vision.detect import Detector
from companion.vision.manifest import load_manifest
from companion.vision.pictures import read_image
from companion.vision.values import Image
from datasets.workshop.progress import Progress

CARD_IOU = 0.40
"""From here on a quad lies on a card and can be put right."""

NOTHING_IOU = 0.25
"""Below, it lies on none; what is between teaches nothing."""

ASTRIDE_IOU = 0.15
"""A quad that lies this far on two cards, and well on neither, lies astride them and is no card."""

SEEN = 0.30
"""A card of which less is in sight need not be believed in."""

_PICTURES_A_SHARD = 100
_CANDIDATE_SCORE = 0.03
_LAID_ANYWHERE = 4
_NEIGHBOURS = 1.3
_ASTRIDE_MOST = 12
_CLEAR_SCORE, _CLEAR_KEPT = 0.6, 0.4


@dataclass(frozen=True, slots=True)
class Sample:
    """One quad and what is true of it.

    Attributes:
        look: uint8 (96, 64, 3), BGR.
        card: 1 on a card, 0 on none, -1 where it cannot be said.
        corners: offsets (4, 2) of the card's corners from the quad's, in card widths and heights.
    """

    look: Image
    card: int
    corners: npt.NDArray[np.float32]


def make_samples(pictures: Path, models: Path, folder: Path, jobs: int = 1) -> None:
    """Write shards of samples out of a folder of made pictures; shards already there are kept.

    Raises:
        BadPicture: a picture cannot be decoded.
    """
    labels = (pictures / "labels.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in labels.splitlines()]
    folder.mkdir(parents=True, exist_ok=True)
    work = []
    for number, start in enumerate(range(0, len(records), _PICTURES_A_SHARD)):
        target = folder / f"{pictures.name}-{number:04d}.npz"
        if not target.exists():
            work.append((pictures, records[start : start + _PICTURES_A_SHARD], models, target))
    progress = Progress(f"samples of {pictures.name}", len(work) * _PICTURES_A_SHARD)
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for _ in pool.imap_unordered(_make_shard, work):
            progress.step(_PICTURES_A_SHARD)


def _make_shard(job: tuple[Path, list[dict[str, Any]], Path, Path]) -> None:
    pictures, records, models, target = job
    spec = replace(load_manifest(models).detector, threshold=_CANDIDATE_SCORE)
    detector = Detector.open(spec, threads=1)
    rng = np.random.default_rng(len(records) + sum(map(ord, target.name)))
    samples: list[Sample] = []
    for record in records:
        samples += samples_of(
            read_image(pictures / record["image"]), record["cards"], detector, rng
        )
    draft = target.with_suffix(".draft.npz")
    np.savez(
        draft,
        looks=np.stack([sample.look for sample in samples]),
        card=np.array([sample.card for sample in samples], np.int8),
        corners=np.stack([sample.corners for sample in samples]),
    )
    draft.replace(target)


def samples_of(
    bgr: Image, cards: list[dict[str, Any]], detector: Detector, rng: np.random.Generator
) -> list[Sample]:
    """The samples of one picture."""
    corners = [np.array(card["quad"], np.float64) for card in cards]
    clear = [card["visible"] >= SEEN for card in cards]
    true = [one for one, is_clear in zip(corners, clear, strict=True) if is_clear]
    hidden = [one for one, is_clear in zip(corners, clear, strict=True) if not is_clear]
    quads, scores = detector.candidates(bgr)
    samples = [
        _sample(bgr, quad, true, hidden)
        for quad, score in zip(quads, scores.max(axis=1, initial=0.0), strict=True)
        if score < _CLEAR_SCORE or rng.random() < _CLEAR_KEPT
    ]
    laid = [_laid(card, rng) for card in true]
    laid += [_anywhere(bgr, rng) for _ in range(_LAID_ANYWHERE)]
    laid += astride(true, rng)
    return samples + [_sample(bgr, quad, true, hidden) for quad in laid]


def _anywhere(bgr: Image, rng: np.random.Generator) -> Corners:
    """A quad of a card's shape anywhere in the picture."""
    height, width = bgr.shape[:2]
    short = float(np.exp(rng.uniform(np.log(25), np.log(0.4 * height))))
    half = 0.5 * np.array([short, short * rng.uniform(1.2, 1.6)])
    turn = rng.uniform(0, np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    middle = rng.uniform(0, 1, 2) * (width, height)
    return np.asarray(box @ np.array([[cos, sin], [-sin, cos]]) + middle, np.float64)


def _laid(card: Corners, rng: np.random.Generator) -> Corners:
    """A quad near a card: moved, grown, turned and skewed, mostly a little and sometimes much."""
    far = float(np.exp(rng.uniform(np.log(0.02), np.log(0.4))))
    middle = card.mean(axis=0)
    size = float(np.sqrt(np.linalg.norm(card[1] - card[0]) * np.linalg.norm(card[2] - card[1])))
    turn = rng.normal(0, far * 0.5)
    cos, sin = np.cos(turn), np.sin(turn)
    grown = np.exp(rng.normal(0, far * 0.5, 2))
    axis = (card[1] - card[0]) / max(1e-6, float(np.linalg.norm(card[1] - card[0])))
    frame = np.array([axis, (-axis[1], axis[0])])
    local = (card - middle) @ frame.T * grown
    local = local @ np.array([[cos, sin], [-sin, cos]])
    moved = local @ frame + middle + rng.normal(0, far * 0.4, 2) * size
    return np.asarray(moved + rng.normal(0, far * 0.05, (4, 2)) * size, np.float64)


def astride(cards: list[Corners], rng: np.random.Generator) -> list[Corners]:
    """Quads half on one card and half on its neighbour, where two lie alike side by side."""
    found: list[Corners] = []
    for index, one in enumerate(cards):
        size = float(np.sqrt(np.linalg.norm(one[1] - one[0]) * np.linalg.norm(one[2] - one[1])))
        for other in cards[index + 1 :]:
            turned = min((np.roll(other, turn, axis=0) for turn in range(4)), key=_gap_to(one))
            apart = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
            bent = float(np.abs((turned - turned.mean(axis=0)) - (one - one.mean(axis=0))).max())
            if apart < _NEIGHBOURS * size and bent < 0.35 * size:
                share = float(rng.uniform(0.3, 0.7))
                between = share * one + (1 - share) * turned
                found.append(between + rng.normal(0, 0.03, (4, 2)) * size)
    order = rng.permutation(len(found))[:_ASTRIDE_MOST]
    return [np.asarray(found[place], np.float64) for place in order]


def _gap_to(one: Corners) -> Callable[[Corners], float]:
    return lambda other: float(np.abs(other - one).sum())


def _sample(bgr: Image, quad: Corners, true: list[Corners], hidden: list[Corners]) -> Sample:
    corners = upright(quad)
    shares = [overlap(corners, card).iou for card in true]
    second, best = sorted([0.0, 0.0, *shares])[-2:]
    offsets = np.zeros((4, 2), np.float32)
    if best >= CARD_IOU:
        offsets = _offsets(corners, true[int(np.argmax(shares))])
    card = 1 if best >= CARD_IOU else 0 if best < NOTHING_IOU or second >= ASTRIDE_IOU else -1
    if card == 0 and any(overlap(corners, one).iou >= NOTHING_IOU for one in hidden):
        card = -1
    return Sample(look_at(bgr, corners), card, offsets)


def _offsets(corners: Corners, card: Corners) -> npt.NDArray[np.float32]:
    """Where the card's corners lie, seen from the quad's nearest ones, in the quad's own units."""
    units = to_card_units(corners, card)
    own = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    if _turns_left(units):
        units = units[[0, 3, 2, 1]]
    turned = [np.roll(units, turn, axis=0) - own for turn in range(4)]
    return np.asarray(min(turned, key=lambda gaps: float(np.abs(gaps).sum())), np.float32)


def _turns_left(units: Corners) -> bool:
    first, second = units[1] - units[0], units[2] - units[1]
    return float(first[0] * second[1] - first[1] * second[0]) < 0
