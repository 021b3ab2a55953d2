"""Cuts on disk: numbered shards of plain arrays that are read without being loaded.

A shard is a pair of files: ``NAME.cuts.npy``, uint8 (n, 128, 96, 3) BGR, and ``NAME.facts.npz``
with ``targets`` int8 (n, heads), ``visible`` and ``short_side_px`` float16 (n,). A shard's name
begins with its source, ``deck-`` or ``scene-``; the facts are written last, so that a shard that
has them is whole.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.errors import NotFound
from datasets.workshop.cuts import Cut
from datasets.workshop.network import HEADS, IGNORED, targets_of

Bytes: TypeAlias = npt.NDArray[np.uint8]
Targets: TypeAlias = npt.NDArray[np.int8]
Halves: TypeAlias = npt.NDArray[np.float16]

READABLE_FROM = 0.35
"""A card of which less is in sight teaches its side and colour only."""

_CUTS, _FACTS = ".cuts.npy", ".facts.npz"


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Some cuts with what is true of them.

    Attributes:
        cuts: uint8 (n, 128, 96, 3), BGR; not loaded before it is touched.
        targets: int8 (n, heads), -1 where a head does not apply.
        visible: share of the card in sight, float16 (n,).
        short_side_px: size of the card in its picture, float16 (n,).
    """

    cuts: Bytes
    targets: Targets
    visible: Halves
    short_side_px: Halves


def targets_row(text: str, visible: float) -> list[int]:
    """The targets of a card in the order of the heads, with what cannot be seen left out."""
    targets = targets_of(text)
    if visible < READABLE_FROM:
        targets["value"] = targets["tweak"] = IGNORED
    return [targets[name] for name in HEADS]


def write_shard(folder: Path, name: str, cuts: Sequence[Cut]) -> None:
    """Write one shard."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / f"{name}{_CUTS}", np.stack([cut.bgr for cut in cuts]))
    np.savez(
        folder / f"{name}{_FACTS}",
        targets=np.array([targets_row(cut.text, cut.visible) for cut in cuts], np.int8),
        visible=np.array([cut.visible for cut in cuts], np.float16),
        short_side_px=np.array([cut.short_side_px for cut in cuts], np.float16),
    )


def shard_names(folder: Path) -> tuple[str, ...]:
    """The whole shards of a folder, in order."""
    return tuple(sorted(path.name.removesuffix(_FACTS) for path in folder.glob(f"*{_FACTS}")))


def load_shard(folder: Path, name: str) -> Shard:
    """Open one shard."""
    cuts = np.load(folder / f"{name}{_CUTS}", mmap_mode="r")
    with np.load(folder / f"{name}{_FACTS}") as facts:
        return Shard(cuts, facts["targets"], facts["visible"], facts["short_side_px"])


def take(shard: Shard, rows: npt.NDArray[np.intp]) -> Bytes:
    """Some cuts of a shard, shape (rows, h, w, 3), all asked of the disk at once.

    Reading a mapped file row by row waits for each, and reads much round it that nobody wants.
    """
    cuts = shard.cuts
    mapped: object = cuts.base
    if isinstance(cuts, np.memmap) and isinstance(mapped, mmap.mmap):
        mapped.madvise(mmap.MADV_RANDOM)
        size = cuts.strides[0]
        for row in rows:
            begin = cuts.offset + int(row) * size
            page = begin // mmap.PAGESIZE * mmap.PAGESIZE
            mapped.madvise(mmap.MADV_WILLNEED, page, begin + size - page)
    return np.stack([cuts[row] for row in rows])


def load_all(folder: Path) -> Shard:
    """All shards of a folder as one, loaded.

    Raises:
        NotFound: the folder has no shard.
    """
    shards = [load_shard(folder, name) for name in shard_names(folder)]
    if not shards:
        raise NotFound(f"no cuts in {folder}: make them first (cuts)")
    return Shard(
        np.concatenate([shard.cuts for shard in shards]),
        np.concatenate([shard.targets for shard in shards]),
        np.concatenate([shard.visible for shard in shards]),
        np.concatenate([shard.short_side_px for shard in shards]),
    )
