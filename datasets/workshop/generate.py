"""Make a recipe's pictures on all the workers that are given; a killed run goes on where it was.

A folder holds ``images/NNNNNN.jpg``, ``labels/NNNNNN.txt`` (ultralytics' oriented boxes),
``labels.jsonl``, ``data.yaml`` and ``parts/`` (the labels of finished chunks).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import cv2

from companion.errors import BadInput

from .labels import CLASSES, json_line, obb_lines
from .progress import Progress
from .recipe import Recipe
from .scene import make_scene

JPEG_QUALITY = 90


def make_pictures(
    recipe: Recipe, folder: Path, jobs: int = 2, clock: Callable[[], float] = monotonic
) -> None:
    """Make all pictures of a recipe that are not there yet.

    Raises:
        BadInput: the folder holds another recipe's pictures.
    """
    _open_folder(recipe, folder)
    size = recipe.pictures_a_deck
    starts = range(0, recipe.pictures, size)
    missing = [start for start in starts if not _part(folder, start).is_file()]
    left = sum(min(size, recipe.pictures - start) for start in missing)
    if left:
        _say_how_long(recipe, missing[0], (left, jobs), clock)
    progress = Progress(recipe.name, left)
    with workers(jobs, _make_chunk) as run:
        for number, done in enumerate(run([(recipe, folder, start) for start in missing])):
            progress.step(done)
            if number % 8 == 7:
                _gather(folder)
    _gather(folder)


def _open_folder(recipe: Recipe, folder: Path) -> None:
    for name in ("images", "labels", "parts"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    stamp = folder / "recipe.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") != repr(recipe):
        raise BadInput(f"{folder} holds another recipe's pictures: remove it or name another --out")
    _write(stamp, repr(recipe))
    names = "\n".join(f"  {number}: {name}" for number, name in enumerate(CLASSES))
    _write(
        folder / "data.yaml",
        f"path: {folder.resolve()}\ntrain: images\nval: ../val/images\nnames:\n{names}\n",
    )


def _say_how_long(
    recipe: Recipe, first: int, work: tuple[int, int], clock: Callable[[], float]
) -> None:
    """Time two pictures (the second with its deck drawn) and say what the rest will take."""
    left, jobs = work
    start_s = clock()
    make_scene(recipe, first)
    deck_s = clock() - start_s
    make_scene(recipe, min(first + 1, recipe.pictures - 1))
    picture_s = clock() - start_s - deck_s
    a_picture_s = picture_s + max(0.0, deck_s - picture_s) / recipe.pictures_a_deck
    minutes = left * a_picture_s / jobs / 60
    print(
        f"{recipe.name}: {left} pictures on {jobs} workers, about {minutes:.1f} minutes",
        file=sys.stderr,
        flush=True,
    )


Job = tuple[Recipe, Path, int]


@contextmanager
def workers(
    jobs: int, make: Callable[[Job], int]
) -> Iterator[Callable[[list[Job]], Iterator[int]]]:
    """A way to run chunks: here where one worker is wanted, else in processes of their own."""
    if jobs <= 1:
        yield lambda work: map(make, work)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, initializer=_one_thread) as pool:
        yield lambda work: pool.imap_unordered(make, work)


def _one_thread() -> None:
    cv2.setNumThreads(1)


def _make_chunk(job: Job) -> int:
    recipe, folder, start = job
    lines = []
    stop = min(start + recipe.pictures_a_deck, recipe.pictures)
    for index in range(start, stop):
        picture, image = make_scene(recipe, index), f"images/{index:06d}.jpg"
        coded = cv2.imencode(".jpg", picture.bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        (folder / image).write_bytes(coded.tobytes())
        _write(folder / f"labels/{index:06d}.txt", "\n".join(obb_lines(picture)) + "\n")
        lines.append(json_line(image, picture))
    _write(_part(folder, start), "\n".join(lines) + "\n")
    return stop - start


def _part(folder: Path, start: int) -> Path:
    return folder / "parts" / f"{start:06d}.jsonl"


def _gather(folder: Path) -> None:
    """Put the finished chunks' labels into one file, in order."""
    parts = sorted((folder / "parts").glob("*.jsonl"))
    _write(folder / "labels.jsonl", "".join(part.read_text(encoding="utf-8") for part in parts))


def _write(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)
