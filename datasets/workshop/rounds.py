"""Clips of rounds for the bench of rounds: each a folder with the clip, its truth and its claims.

========================= =====================================================================
``clip.mp4``              the pictures
``clip.json``             players, edition, colours, whether anybody plays, what the clip is like
``zones.json``            where deck and table lie when the clip begins
``truth.jsonl``           what happens, in the texts of the table's events, with its time
``tables.jsonl``          target and table cards after every visit of a hand, with the time
``claims.jsonl``          what is claimed when, with the true verdict
``eyes.jsonl``            what perfect eyes would see in each frame
========================= =====================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from companion.rules.editions import colours_in_play

from .clip import VideoFile
from .progress import Progress
from .rounds_film import RoundClip, RoundFilm, Seen
from .rounds_plan import CLAIMED_AFTER_S
from .rounds_recipe import RoundsRecipe

BEFORE_S = 0.05
"""A claim made before the hand sets out is tapped so long before."""


def make_rounds(recipe: RoundsRecipe, folder: Path, jobs: int, only: int | None = None) -> None:
    """Make a recipe's clips, those already there left alone.

    Args:
        recipe: which clips.
        folder: a folder each goes into this one.
        jobs: how many clips are made at once.
        only: so many of them, the first ones, without the idle one.
    """
    rounds = range(recipe.rounds if only is None else min(only, recipe.rounds))
    wanted = [(recipe, index, False, folder / f"round-{index:02}") for index in rounds]
    if recipe.idle_minutes and only is None:
        # The longest one first, so that no job waits for it in the end.
        wanted.insert(0, (recipe, recipe.rounds, True, folder / "idle"))
    wanted = [one for one in wanted if not (one[3] / "clip.mp4").is_file()]
    progress = Progress("clips", len(wanted))
    with get_context("spawn").Pool(jobs) as pool:
        for _ in pool.imap_unordered(_make_one, wanted):
            progress.step()


def _make_one(wanted: tuple[RoundsRecipe, int, bool, Path]) -> None:
    recipe, index, idle, folder = wanted
    write_clip(RoundClip.of(recipe, index, idle), folder)


def write_clip(clip: RoundClip, folder: Path) -> Path:
    """Draw and write one clip with all that lies beside it; returns the clip's path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_story(clip, folder)
    path = folder / "clip.mp4"
    eyes = EyesFile()
    with VideoFile(path, clip.recipe, preset="veryfast") as video:
        for number, (bgr, seen) in enumerate(RoundFilm(clip).frames()):
            video.write(bgr)
            eyes.add(number, seen)
        _write_lines(folder / "eyes.jsonl", eyes.lines)
    return path


def write_story(clip: RoundClip, folder: Path) -> None:
    """Write everything that needs no picture."""
    about = json.dumps(about_clip(clip), indent=1)
    (folder / "clip.json").write_text(about + "\n", encoding="utf-8")
    (folder / "zones.json").write_text(json.dumps(clip.places.zones()) + "\n", encoding="utf-8")
    _write_lines(folder / "truth.jsonl", truth_of(clip))
    _write_lines(folder / "tables.jsonl", tables_of(clip))
    _write_lines(folder / "claims.jsonl", claims_of(clip))


def about_clip(clip: RoundClip) -> dict[str, Any]:
    """Players, edition and colours, and what the clip is like."""
    draw = clip.draw
    return {
        "players": [f"P{seat + 1}" for seat in range(draw.players)],
        "edition": draw.edition.value,
        "colours": [one.value for one in colours_in_play(draw.edition, draw.players)],
        "idle": not clip.part.turns or not any(beat.events for beat in clip.plan.beats),
        "lasts_s": round(clip.lasts_s, 2),
        "fps": clip.recipe.fps,
        "from_deal": clip.part.from_deal,
        "to_end": clip.part.to_end,
        "slips": list(draw.slips),
        "tilt_deg": round(draw.tilt_deg),
        "lamps": draw.lamps.name,
        "light": draw.lamps.light,
    }


def truth_of(clip: RoundClip) -> list[dict[str, Any]]:
    """What happens, at the moment at which the table is still again."""
    first = [{"at_s": 0.0, "event": event} for event in clip.plan.first]
    return first + [
        {"at_s": round(plan.moved_s, 2), "event": event}
        for plan in clip.schedules
        for event in plan.beat.events
    ]


def tables_of(clip: RoundClip) -> list[dict[str, Any]]:
    """Target and table cards at the end of every stillness that is long enough to be read."""
    return [
        {
            "at_s": round(plan.end_s - BEFORE_S, 2),
            "target": known.target,
            "table": list(known.table),
        }
        for plan, known in zip(clip.schedules, clip.plan.known, strict=True)
        if plan.beat.still_s >= 1.0
    ]


def claims_of(clip: RoundClip) -> list[dict[str, Any]]:
    """What is claimed, with the law's verdict on what truly lay there, in order of time."""
    found = []
    for said in clip.plan.said:
        plan = clip.schedules[said.beat]
        at_s = plan.start_s - BEFORE_S if said.before else plan.moved_s + CLAIMED_AFTER_S
        found.append({"at_s": round(at_s, 2), **said.line})
    return sorted(found, key=lambda line: float(line["at_s"]))


class EyesFile:
    """What perfect eyes see, frame by frame: only changes are written, each card once.

    ``{"frame": 12, "new": [["R5", [x0, y0, …, x3, y3]]], "cards": [0, 4, 7]}``: from frame 12 on
    these cards are seen, numbered in the order in which they came up as ``new``.
    """

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._numbers: dict[Seen, int] = {}
        self._last: list[int] | None = None

    def add(self, frame: int, seen: Iterable[Seen]) -> None:
        """One more frame."""
        new, cards = [], []
        for card in seen:
            if card not in self._numbers:
                self._numbers[card] = len(self._numbers)
                new.append([card.text, [side for point in card.quad_px for side in point]])
            cards.append(self._numbers[card])
        if cards != self._last:
            self._last = cards
            self.lines.append({"frame": frame, "new": new, "cards": cards})


def _write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def smaller(recipe: RoundsRecipe, width_px: int) -> RoundsRecipe:
    """The same clips with smaller pictures, for tests."""
    return replace(recipe, width_px=width_px, height_px=width_px * 9 // 16)
