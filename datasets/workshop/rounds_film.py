"""Draws the frames of a round clip, and notes what perfect eyes would see in each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.cards import BlueSeven, Card, TargetBack, TweakBack
from companion.vision.values import Image

from .canvas import Canvas
from .clip_beats import Lying, Moment, Schedule, schedule
from .hands import draw_hand
from .lamps import Lamps, shine
from .lens import Camera, Matrix, Sensor, expose, shake
from .reach import put_hand
from .rounds_claims import Mishap, Plan
from .rounds_plan import RoundDirector
from .rounds_play import Part, play_part
from .rounds_recipe import ClipDraw, RoundsRecipe, draw_clip
from .rounds_seats import Places, bumped, places_for
from .stage import DeckFaces, drawn_art
from .tables import TableTop, draw_table

FIRST_S = 1.8
"""Stillness before the first hand comes in."""

SEEN_SHARE = 0.5
"""Perfect eyes see a card of which at least so much is open to view."""

_DARK, _DIM = 0.02, 0.55


@dataclass(frozen=True, slots=True, eq=False)
class RoundClip:
    """A clip before it is drawn: where everything is at every moment."""

    recipe: RoundsRecipe
    draw: ClipDraw
    part: Part
    places: Places
    plan: Plan
    schedules: tuple[Schedule, ...]

    @staticmethod
    def of(recipe: RoundsRecipe, index: int, idle: bool = False) -> RoundClip:
        """Play the round and work out all movements; ``idle``: nobody plays at its table."""
        draw = draw_clip(recipe, index)
        if idle:
            draw = replace(draw, part=0.4, slips=())
            recipe = replace(recipe, fps=recipe.idle_fps)
        part, places = play_part(draw), places_for(recipe, draw)
        director = RoundDirector(part, places, draw)
        if idle:
            plan = director.plan_idle(recipe.idle_minutes, recipe.idle_pause_s)
        else:
            plan = director.plan()
        return RoundClip(
            recipe, draw, part, places, plan, schedule(plan.beats, FIRST_S, plan.lying)
        )

    @property
    def lasts_s(self) -> float:
        """Length of the clip."""
        return self.schedules[-1].end_s

    def begins_s(self, mishap: Mishap) -> float:
        """When a mishap begins."""
        return self.schedules[mishap.beat].moved_s + mishap.after_s


@dataclass(frozen=True, slots=True)
class Seen:
    """One card that perfect eyes see."""

    text: str
    quad_px: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """The table without a hand: drawn, lit, and what of each card is open to view."""

    key: object
    canvas: Canvas
    lit: Image
    cards: tuple[Seen, ...]
    sizes: npt.NDArray[np.float64]

    def seen_in(self, canvas: Canvas) -> tuple[Seen, ...]:
        """The cards that show in a picture of this table."""
        numbers = canvas.ids[canvas.ids > 0]
        counts = np.bincount(numbers, minlength=len(self.cards) + 1)[1 : len(self.cards) + 1]
        return tuple(
            card
            for card, count, size in zip(self.cards, counts, self.sizes, strict=True)
            if size and count >= SEEN_SHARE * size
        )


class RoundFilm:
    """Draws a clip's frames."""

    def __init__(self, clip: RoundClip) -> None:
        self.clip = clip
        draw, rng = clip.draw, clip.draw.rng(3)
        number = 40 + int(rng.integers(10_000))
        self.deck: DeckFaces = drawn_art().deck(number, clip.recipe.split)
        self.top: TableTop = draw_table(rng, clip.recipe.split)
        self._spread = float(rng.uniform(60, 120)), float(rng.normal(0, 20))
        self._hands = [draw_hand(draw.rng(10 + seat)) for seat in range(draw.players)]
        self._sensor = Sensor(blur_px=float(rng.uniform(0.4, 0.8)), noise=float(rng.uniform(1, 3)))
        self._flicker = float(rng.uniform(0, 0.012)), float(rng.uniform(0.5, 4.0))
        self._aspect = self.deck.face(BlueSeven()).shape
        self._cameras = self._all_cameras()
        self._base: _Base | None = None
        self._at = 0

    def frames(self, until_s: float | None = None) -> Iterator[tuple[Image, tuple[Seen, ...]]]:
        """Each frame, bgr uint8, with what perfect eyes see in it."""
        clip = self.clip
        count = int((until_s or clip.lasts_s) * clip.recipe.fps)
        for number in range(count):
            at_s = number / clip.recipe.fps
            rng = np.random.default_rng([*clip.draw.seed, 100, number])
            lit, seen = self._lit(at_s)
            strength, pace = self._flicker
            gain = 1 + strength * float(np.sin(2 * np.pi * pace * at_s))
            bright = np.asarray(cv2.convertScaleAbs(lit, alpha=gain), np.uint8)
            yield expose(bright, self._sensor, rng), seen

    # --- one moment -----------------------------------------------------------------------

    def _lit(self, at_s: float) -> tuple[Image, tuple[Seen, ...]]:
        plans = self.clip.schedules
        while self._at + 1 < len(plans) and at_s >= plans[self._at + 1].start_s:
            self._at += 1
        plan = plans[self._at]
        now, camera, moving = plan.at(at_s), *self._camera(at_s)
        lamps = self._lamps(at_s)
        base = self._table_at(now, camera, lamps)
        if now.tips is None:
            lit = shake(base.lit, 9.0, 0.4) if moving else base.lit
            return lit, base.seen_in(base.canvas)
        canvas = Canvas(base.canvas.bgr.copy(), 0.0, camera)
        canvas.ids[:], canvas.gloss[:] = base.canvas.ids, base.canvas.gloss
        for one in now.carried:
            self._lay(canvas, one, -3)
        x, y = plan.beat.way
        turn = float(np.degrees(np.arctan2(-x, y)))
        put_hand(canvas, self._hands[plan.beat.player], np.array(now.tips), turn)
        return self._light(canvas, lamps), base.seen_in(canvas)

    def _table_at(self, now: Moment, camera: Camera, lamps: Lamps) -> _Base:
        key = (now.lying, id(camera), lamps.exposure)
        if self._base is not None and self._base.key == key:
            return self._base
        canvas = Canvas(self._spread_table(camera), self.top.gloss, camera)
        quads = [self._lay(canvas, one, n) for n, one in enumerate(now.lying, 1)]
        cards = tuple(
            Seen(
                str(self._card(one)), tuple((round(float(x), 1), round(float(y), 1)) for x, y in q)
            )
            for one, q in zip(now.lying, quads, strict=True)
        )
        sizes = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
        self._base = _Base(key, canvas, self._light(canvas, lamps), cards, sizes)
        return self._base

    def _light(self, canvas: Canvas, lamps: Lamps) -> Image:
        return shine(canvas.bgr, canvas.gloss, lamps, self.clip.draw.rng(4))

    def _lay(self, canvas: Canvas, one: Lying, number: int) -> Matrix:
        rgba = self.deck.face(self._card(one))
        size = (1.0, self._aspect[0] / self._aspect[1])
        quad = canvas.quad_px(one.spot, size)
        shift = 1.5 + 40 * min(one.spot.z, 0.3)
        canvas.shade(quad, (shift, shift), 2.0 + 20 * min(one.spot.z, 0.3), 0.4)
        canvas.lay(rgba, one.spot, size, (number, 0.35))
        return quad

    def _card(self, one: Lying) -> Card:
        table, number = self.clip.part.start, one.piece[1:]
        if not number.isdigit():
            return BlueSeven()
        if one.piece[0] == "t":
            return table.kinds[int(number)] if one.front else TweakBack()
        return table.card(one.piece) if one.front else TargetBack(table.backs[int(number)])

    def _spread_table(self, camera: Camera) -> Image:
        scale, turn = self._spread
        height, width = self.top.bgr.shape[:2]
        cos, sin = scale * np.cos(np.radians(turn)), scale * np.sin(np.radians(turn))
        to_texture = np.array([[cos, -sin, width / 2], [sin, cos, height / 2], [0, 0, 1]])
        to_px = camera.plane(0.0) @ np.linalg.inv(to_texture)
        size = (camera.width_px, camera.height_px)
        seen = cv2.warpPerspective(self.top.bgr, to_px, size, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(seen, np.uint8)

    # --- mishaps --------------------------------------------------------------------------

    def _all_cameras(self) -> list[tuple[float, Camera]]:
        """From when on which camera looks; while it is being bumped it shakes on the way."""
        camera = self.clip.places.camera
        found, rng = [(float("-inf"), camera)], self.clip.draw.rng(5)
        for mishap in self.clip.plan.mishaps:
            if mishap.kind == "bump":
                begins_s = self.clip.begins_s(mishap)
                found.append((begins_s, bumped(camera, rng)))
                camera = bumped(camera, rng)
                found.append((begins_s + mishap.lasts_s, camera))
        return found

    def _camera(self, at_s: float) -> tuple[Camera, bool]:
        camera = next(one for since_s, one in reversed(self._cameras) if at_s >= since_s)
        moving = any(
            mishap.kind == "bump" and 0 <= at_s - self.clip.begins_s(mishap) < mishap.lasts_s
            for mishap in self.clip.plan.mishaps
        )
        return camera, moving

    def _lamps(self, at_s: float) -> Lamps:
        lamps = self.clip.draw.lamps
        for mishap in self.clip.plan.mishaps:
            since_s = at_s - self.clip.begins_s(mishap)
            if mishap.kind == "dark" and 0 <= since_s < mishap.lasts_s:
                lamps = replace(lamps, exposure=lamps.exposure * _DARK)
            elif mishap.kind == "dim" and since_s >= 0:
                lamps = replace(lamps, exposure=lamps.exposure * _DIM)
        return lamps
