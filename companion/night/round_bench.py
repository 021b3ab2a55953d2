"""The bench of rounds: made clips of whole tables, from pixels to events, targets and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from companion.night.round_files import TrueEyes, find_rounds, read_round
from companion.night.round_play import play_round
from companion.night.round_score import ClipScore, count_verdicts, score_clip
from companion.settings import Settings
from companion.vision.pipeline import Eyes

TEN_MINUTES_S = 600.0


@dataclass(frozen=True, slots=True)
class RoundsReport:
    """All clips' figures.

    Attributes:
        clips: the clips, idle ones among them.
        true_eyes: whether perfect eyes looked, so that only what follows from views was measured.
    """

    clips: tuple[ClipScore, ...]
    true_eyes: bool

    @property
    def played(self) -> tuple[ClipScore, ...]:
        """The clips in which somebody plays."""
        return tuple(one for one in self.clips if not one.clip.idle)

    @property
    def idle(self) -> tuple[ClipScore, ...]:
        """The clips in which nobody does."""
        return tuple(one for one in self.clips if one.clip.idle)

    @property
    def precision(self) -> float:
        """The share of what was seen that happened."""
        return _share(self._right(), self._right() + sum(len(c.events.false) for c in self.played))

    @property
    def recall(self) -> float:
        """The share of what happened that was seen."""
        return _share(self._right(), self._right() + sum(len(c.events.missed) for c in self.played))

    @property
    def targets(self) -> float:
        """The share of true tables whose target the page showed."""
        shown = [right for clip in self.played for right in clip.targets]
        return _share(sum(shown), len(shown))

    @property
    def false_in_ten_idle_minutes(self) -> float:
        """False events of an idle table, and events of its first look that were missed or not."""
        idle_s = sum(one.clip.lasts_s for one in self.idle)
        false = sum(len(one.events.false) for one in self.idle)
        return false * TEN_MINUTES_S / idle_s if idle_s else 0.0

    @property
    def delay_s(self) -> float:
        """Median from the table lying still to the event on the page, on the clip's clock."""
        delays = [
            seen.at_s - true.at_s
            for clip in self.played
            for true, seen in clip.events.right
            if true.at_s > 0
        ]
        return median(delays) if delays else 0.0

    @property
    def misses(self) -> tuple[str, ...]:
        """One line for everything that went wrong."""
        return tuple(line for one in self.clips for line in one.misses)

    def _right(self) -> int:
        return sum(len(one.events.right) for one in self.played)

    def to_json(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        verdicts = count_verdicts(self.clips)
        claims = sum(verdicts.values())
        return {
            "eyes": "true" if self.true_eyes else "models",
            "clips": len(self.played),
            "minutes": round(sum(one.clip.lasts_s for one in self.played) / 60, 1),
            "events": self._right() + sum(len(one.events.missed) for one in self.played),
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "tables": sum(len(one.targets) for one in self.played),
            "targets_right": round(self.targets, 4),
            "claims": claims,
            "verdicts_right": verdicts["right"],
            "verdicts_wrong": verdicts["wrong"],
            "cant_tell": verdicts["can't tell"],
            "cant_tell_share": round(_share(verdicts["can't tell"], claims, 0.0), 4),
            "idle_minutes": round(sum(one.clip.lasts_s for one in self.idle) / 60, 1),
            "false_events_in_10_idle_minutes": round(self.false_in_ten_idle_minutes, 2),
            "median_delay_s": round(self.delay_s, 2),
            "took_s": round(sum(one.played.took_s for one in self.clips), 1),
            "misses": list(self.misses),
        }

    def table(self) -> str:
        """The figures for people: one line a clip, then all together."""
        rows = [_HEAD, *(_row(one) for one in self.clips), *self._summary()]
        return "\n".join(rows)

    def _summary(self) -> tuple[str, ...]:
        found = self.to_json()
        if self.true_eyes:
            eyes = "perfect eyes: what is measured is what follows from views"
        else:
            eyes = "the installation's models"
        return (
            "",
            f"{found['clips']} rounds, {found['minutes']} minutes; {eyes}",
            f"events: precision {found['precision']:.4f}, recall {found['recall']:.4f} "
            f"of {found['events']}; {found['median_delay_s']:.1f} s after the table lies still",
            f"targets right: {found['targets_right']:.4f} of {found['tables']}",
            f"claims: {found['claims']}; right {found['verdicts_right']}, "
            f"wrong {found['verdicts_wrong']}, can't tell {found['cant_tell']} "
            f"({found['cant_tell_share']:.2f})",
            f"idle: {found['idle_minutes']} minutes, "
            f"{found['false_events_in_10_idle_minutes']} false events in ten",
            f"took {found['took_s']:.0f} s here",
        )


_HEAD = "clip            players ed.  events  missed  false  targets  claims  wrong  can't tell"


def _row(one: ClipScore) -> str:
    verdicts = count_verdicts([one])
    unsure = verdicts["can't tell"]
    targets = f"{sum(one.targets)}/{len(one.targets)}"
    name = one.clip.name + (" (idle)" if one.clip.idle else "")
    return (
        f"{name:15} {len(one.clip.players):7} {one.clip.edition:>3}  "
        f"{len(one.clip.events):6}  {len(one.events.missed):6}  {len(one.events.false):5}  "
        f"{targets:>7}  {len(one.verdicts):6}  {verdicts['wrong']:5}  {unsure:10}"
    )


def _share(part: int, whole: int, none: float = 1.0) -> float:
    return part / whole if whole else none


def run_rounds(
    folders: Sequence[Path],
    eyes: Eyes | None,
    settings: Settings,
    *,
    with_zones: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> RoundsReport:
    """Play every clip in some folders and score what came of it.

    Args:
        folders: each a made clip, or a folder of them.
        eyes: what sees the cards; None: each clip's own perfect eyes.
        settings: as those of a live night.
        with_zones: whether the zones were put right before; else they are guessed.
        progress: told how many clips are done, of how many.

    Raises:
        BadInput: a folder holds no made clip, or one that is broken.
        BadPicture: a clip can't be decoded.
    """
    found = [clip for folder in folders for clip in find_rounds(folder)]
    scores = []
    for number, folder in enumerate(found, 1):
        clip = read_round(folder)
        played = play_round(clip, eyes or TrueEyes(folder), settings, with_zones)
        scores.append(score_clip(clip, played))
        if progress is not None:
            progress(number, len(found))
    return RoundsReport(tuple(scores), eyes is None)
