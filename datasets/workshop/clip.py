"""The demo clip: a round seen from above, as a video with the truth and the script beside it.

Beside ``clip.mp4`` lie ``truth.jsonl`` (what happens, as the table's events tell it),
``script.jsonl`` (what the players say and tap) and ``zones.json`` (where deck and table are).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Protocol

import cv2
import numpy as np

from companion.errors import BadInput
from companion.rules.cards import BlueSeven, Card, Colour, TargetBack, TweakBack
from companion.vision.values import Image

from .canvas import Canvas
from .clip_beats import Lying, Schedule, schedule
from .clip_plan import DECK_BOX, NAMES, SEVEN, TABLE_BOX, Director, tweak_card
from .hands import draw_hand
from .lamps import Lamps, shine
from .lens import Camera, Pose, Sensor, expose, project
from .progress import Progress
from .reach import put_hand
from .recipe import read_as
from .stage import DeckFaces, drawn_art
from .story import EDITION, Story, tell
from .tables import KINDS, TEXTURE_PX

FIRST_S = 1.6
"""Stillness before the first hand comes in."""


@dataclass(frozen=True, slots=True)
class ClipRecipe:
    """What the clip shows.

    Attributes:
        split: whose deck is used.
        deck: number of the deck.
        story: seed of the round.
        seed: of everything else: how cards lie, the table, the hands.
        colours: names of the colours in play.
        table: kind of table.
        kelvin: colour of the lamp.
        fps: pictures a second.
        width_px, height_px: size of the picture.
        card_px: short side of a card.
        tilt_deg: how far the camera is from looking straight down.
        crf: H.264's quality, smaller is better.
    """

    deck: int
    story: int
    seed: int
    split: str = "test"
    colours: tuple[str, ...] = ("red", "green")
    table: str = "wood"
    kelvin: float = 4500.0
    fps: int = 10
    width_px: int = 1280
    height_px: int = 720
    card_px: float = 88.0
    tilt_deg: float = 6.0
    crf: int = 24


def read_clip_recipe(path: Path) -> ClipRecipe:
    """Read a clip's TOML file.

    Raises:
        BadInput: no such file, broken TOML, or an unknown or missing key.
    """
    return read_as(ClipRecipe, path, "a clip's recipe")


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A clip before it is drawn: its story and where everything is at every moment."""

    recipe: ClipRecipe
    story: Story
    plans: tuple[Schedule, ...]
    camera: Camera

    @staticmethod
    def of(recipe: ClipRecipe) -> Clip:
        """Tell the story and work out all movements."""
        story = tell(recipe.story, [Colour(name) for name in recipe.colours])
        director = Director(story, np.random.default_rng([recipe.seed, 1]))
        pose = Pose(recipe.card_px, recipe.tilt_deg, 0.6, 1.2)
        camera = Camera.over(recipe.width_px, recipe.height_px, pose)
        return Clip(recipe, story, schedule(director.beats(), FIRST_S), camera)

    @property
    def lasts_s(self) -> float:
        """Length of the clip."""
        return self.plans[-1].end_s

    def truth(self) -> list[dict[str, object]]:
        """What happens, at the moment at which the table is still again."""
        return [
            {"at_s": round(plan.moved_s, 2), "event": event}
            for plan in self.plans
            for event in plan.beat.events
        ]

    def zones(self) -> dict[str, list[list[float]]]:
        """Deck and table in fractions of the picture."""
        return {"deck": self._zone(DECK_BOX), "table": self._zone(TABLE_BOX)}

    def script(self) -> list[dict[str, object]]:
        """What the players say and tap, in order."""
        steps: list[dict[str, object]] = [
            {"at_s": 0.0, "do": "zones", **self.zones()},
            {
                "at_s": 0.5,
                "do": "start_match",
                "players": list(NAMES),
                "edition": EDITION.value,
                "colours": list(self.recipe.colours),
            },
        ]
        for plan in self.plans:
            for after_s, step in plan.beat.script:
                steps.append({"at_s": round(plan.moved_s + after_s, 2), **step})
        return steps

    def _zone(self, box: tuple[float, float, float, float]) -> list[list[float]]:
        x0, y0, x1, y1 = box
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        px = project(self.camera.plane(0.0), corners)
        shares = px / (self.camera.width_px, self.camera.height_px)
        return [[round(float(x), 4), round(float(y), 4)] for x, y in np.clip(shares, 0, 1)]


class Film:
    """Draws the frames of a clip."""

    def __init__(self, clip: Clip) -> None:
        recipe = clip.recipe
        self.clip = clip
        self.deck: DeckFaces = drawn_art().deck(recipe.deck, recipe.split)
        self._table = self._draw_table()
        self._hands = [draw_hand(np.random.default_rng([recipe.seed, 5 + n])) for n in (0, 1)]
        self._lamps = Lamps(
            kelvin=(recipe.kelvin, recipe.kelvin),
            exposure=1.2,
            cast=0.12,
            falloff=0.22,
            vignette=0.12,
            hard_shadow=0.0,
            glare=0.0,
            saturation=1.05,
        )
        self._fronts = {f"n{card.number}": card.front for card in clip.story.cards}
        self._backs = {f"n{card.number}": TargetBack(card.target) for card in clip.story.cards}
        self._base: tuple[tuple[Lying, ...], Canvas, Image] | None = None

    def frames(self, until_s: float | None = None) -> Iterator[Image]:
        """The frames in order, bgr uint8, up to ``until_s`` or to the end."""
        recipe = self.clip.recipe
        count = int((until_s or self.clip.lasts_s) * recipe.fps)
        for number in range(count):
            rng = np.random.default_rng([recipe.seed, 100, number])
            yield expose(self._lit(number / recipe.fps), Sensor(blur_px=0.5, noise=1.2), rng)

    def _lit(self, at_s: float) -> Image:
        plan = next((p for p in reversed(self.clip.plans) if at_s >= p.start_s), self.clip.plans[0])
        now = plan.at(at_s)
        if self._base is None or self._base[0] != now.lying:
            canvas = self._empty()
            for one in now.lying:
                self._lay(canvas, one)
            self._base = (now.lying, canvas, self._light(canvas))
        if now.tips is None:
            return self._base[2]
        canvas = self._empty(self._base[1])
        for one in now.carried:
            self._lay(canvas, one)
        player = plan.beat.player
        put_hand(canvas, self._hands[player], np.array(now.tips), 0.0 if player == 0 else 180.0)
        return self._light(canvas)

    def _empty(self, like: Canvas | None = None) -> Canvas:
        bgr = self._table if like is None else like.bgr
        return Canvas(bgr.copy(), 0.0, self.clip.camera)

    def _light(self, canvas: Canvas) -> Image:
        lamp_rng = np.random.default_rng([self.clip.recipe.seed, 3])
        return shine(canvas.bgr, canvas.gloss, self._lamps, lamp_rng)

    def _lay(self, canvas: Canvas, one: Lying) -> None:
        rgba = self.deck.face(self._card(one))
        size = (1.0, rgba.shape[0] / rgba.shape[1])
        quad = canvas.quad_px(one.spot, size)
        shift = 1.5 + 40 * one.spot.z
        canvas.shade(quad, (shift, shift), 2.0 + 20 * one.spot.z, 0.4)
        canvas.lay(rgba, one.spot, size, (1, 0.0))

    def _card(self, one: Lying) -> Card:
        if one.piece == SEVEN:
            return BlueSeven()
        if one.piece in self._fronts:
            return self._fronts[one.piece] if one.front else self._backs[one.piece]
        return tweak_card(self.clip.story, one.piece) if one.front else TweakBack()

    def _draw_table(self) -> Image:
        recipe = self.clip.recipe
        painter, _ = KINDS[recipe.split][recipe.table]
        top = painter(np.random.default_rng([recipe.seed, 2]), *TEXTURE_PX)
        flat = np.clip(top * 255, 0, 255).astype(np.uint8)
        size = (recipe.width_px, recipe.height_px)
        return np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)


def make_clip(recipe: ClipRecipe, folder: Path) -> Path:
    """Write the clip and what lies beside it; returns the clip's path."""
    clip = Clip.of(recipe)
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "truth.jsonl", clip.truth())
    _write_lines(folder / "script.jsonl", clip.script())
    (folder / "zones.json").write_text(json.dumps(clip.zones()) + "\n", encoding="utf-8")
    path = folder / "clip.mp4"
    progress = Progress("clip", int(clip.lasts_s * recipe.fps))
    with VideoFile(path, recipe) as video:
        for bgr in Film(clip).frames():
            video.write(bgr)
            progress.step()
    return path


def _write_lines(path: Path, records: list[dict[str, object]]) -> None:
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


class Shape(Protocol):
    """Size, pace and quality of a clip."""

    @property
    def width_px(self) -> int:
        """Width of the pictures."""
        ...

    @property
    def height_px(self) -> int:
        """Height of the pictures."""
        ...

    @property
    def fps(self) -> int:
        """Pictures a second."""
        ...

    @property
    def crf(self) -> int:
        """H.264's quality, smaller is better."""
        ...


class VideoFile:
    """An H.264 file that is written picture by picture through ffmpeg.

    Args:
        path: the file; it is there only once it is whole.
        recipe: size, pace and quality.
        preset: ffmpeg's choice between time and bytes.

    Raises:
        BadInput: there is no ffmpeg, or it fails.
    """

    def __init__(self, path: Path, recipe: Shape, preset: str = "slow") -> None:
        ffmpeg = which("ffmpeg")
        if ffmpeg is None:
            raise BadInput("the clip needs ffmpeg with libx264: apt install ffmpeg")
        size = f"{recipe.width_px}x{recipe.height_px}"
        raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", size, "-r", str(recipe.fps), "-i", "-"]
        coded = ["-c:v", "libx264", "-preset", preset, "-crf", str(recipe.crf)]
        shape = ["-pix_fmt", "yuv420p", "-g", str(2 * recipe.fps), "-movflags", "+faststart"]
        self._path, self._draft = path, path.with_name(f"unfinished-{path.name}")
        command = [ffmpeg, "-y", "-loglevel", "error", *raw, *coded, *shape, str(self._draft)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE)

    def __enter__(self) -> VideoFile:
        return self

    def write(self, bgr: Image) -> None:
        """Add one picture."""
        assert self._process.stdin is not None
        self._process.stdin.write(bgr.tobytes())

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        if self._process.wait() != 0:
            raise BadInput("ffmpeg could not write the clip: it needs libx264")
        self._draft.replace(self._path)
