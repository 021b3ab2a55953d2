"""The icons of the T! cards: several drawings of each of the four kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.rules.cards import Tweak
from datasets.workshop.fonts import FontFile
from datasets.workshop.layouts_brush import Canvas, oval, rectangle, star, turned
from datasets.workshop.layouts_digit import DigitStyle, Look
from datasets.workshop.palette import Rgb

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws icons: positions from -1 to 1 about a middle, y down."""

    canvas: Canvas
    middle: tuple[float, float]
    size: float
    turn_deg: float
    ink: Rgb
    second: Rgb
    ground: Rgb
    font: FontFile

    def _placed(self, points: npt.ArrayLike) -> Points:
        return turned(np.asarray(points, np.float64), self.turn_deg) * self.size + self.middle

    def fill(self, points: npt.ArrayLike, colour: Rgb | None = None) -> None:
        """A filled polygon."""
        self.canvas.polygon(self._placed(points), colour or self.ink)

    def line(self, points: npt.ArrayLike, width: float, colour: Rgb | None = None) -> None:
        """An open line."""
        self.canvas.path(self._placed(points), colour or self.ink, width * self.size)

    def disc(self, x: float, y: float, radius: float, colour: Rgb | None = None) -> None:
        """A filled disc."""
        self.fill(oval((x, y), (radius, radius), 0.0), colour)

    def text(self, text: str, spot: tuple[float, float], box: tuple[float, float]) -> None:
        """A word within a box."""
        x, y = self._placed([spot])[0]
        style = DigitStyle(self.font, fill="ink")
        look = Look({"ink": self.ink}, (box[0] * self.size, box[1] * self.size), self.turn_deg)
        style.stamp(self.canvas, text, (float(x), float(y)), look)


Icon: TypeAlias = Callable[[Pen], None]


def _arc(centre: tuple[float, float], radius: float, degrees: tuple[float, float]) -> Points:
    turns = np.deg2rad(np.linspace(*degrees, 28))
    return np.stack(
        [centre[0] + radius * np.cos(turns), centre[1] + radius * np.sin(turns)], axis=1
    )


def _arrow_head(pen: Pen, tip: tuple[float, float], toward_deg: float, size: float) -> None:
    head = turned(
        np.array([(size, 0), (-size * 0.6, -size * 0.9), (-size * 0.6, size * 0.9)]), toward_deg
    )
    pen.fill(head + np.array(tip))


# Thief


def thief_mask(pen: Pen) -> None:
    """An eye mask."""
    pen.fill(
        np.concatenate(
            [
                oval((-0.42, 0), (0.55, 0.42), 12),
            ]
        )
    )
    pen.fill(oval((0.42, 0), (0.55, 0.42), -12))
    for x in (-0.42, 0.42):
        pen.fill(oval((x, 0), (0.24, 0.15), 12 if x < 0 else -12), pen.ground)
    pen.line([(-0.9, -0.05), (-1.05, 0.3)], 0.1)
    pen.line([(0.9, -0.05), (1.05, 0.3)], 0.1)


def thief_face(pen: Pen) -> None:
    """A face with a cap and a mask."""
    pen.disc(0, 0.15, 0.7, pen.second)
    pen.fill(rectangle((-0.72, -0.12), (0.72, 0.28), 0.1))
    for x in (-0.28, 0.28):
        pen.fill(oval((x, 0.08), (0.17, 0.1), 0), pen.ground)
    pen.fill(_arc((0, -0.2), 0.72, (180, 360)))
    pen.fill(rectangle((-0.85, -0.3), (0.85, -0.12), 0.05))
    pen.line(_arc((0, 0.4), 0.25, (20, 160)), 0.07)


def thief_hand(pen: Pen) -> None:
    """A hand that grasps a card."""
    pen.fill(rectangle((-0.2, -1.0), (0.55, 0.05), 0.08), pen.second)
    pen.fill(rectangle((-0.55, 0.1), (0.6, 0.75), 0.22))
    for finger in range(4):
        x = -0.5 + finger * 0.28
        pen.fill(rectangle((x, -0.35 + 0.06 * abs(finger - 1.5)), (x + 0.22, 0.4), 0.1))
    pen.line([(0.5, 0.6), (0.85, 0.1)], 0.24)
    pen.fill(rectangle((-0.4, 0.65), (0.45, 1.05)))


def thief_figure(pen: Pen) -> None:
    """A figure that sneaks off with a sack."""
    pen.disc(-0.15, -0.65, 0.28)
    pen.fill(rectangle((-0.45, -0.72), (0.12, -0.58)), pen.second)
    pen.line([(-0.1, -0.4), (0.05, 0.25)], 0.42)
    pen.line([(0.05, 0.25), (-0.35, 0.6), (-0.5, 1.0)], 0.2)
    pen.line([(0.05, 0.25), (0.4, 0.6), (0.25, 1.0)], 0.2)
    pen.line([(-0.1, -0.2), (0.45, -0.35)], 0.16)
    pen.disc(0.6, -0.25, 0.4)
    pen.line([(0.35, -0.55), (0.25, -0.75)], 0.14)


def thief_sack(pen: Pen) -> None:
    """A sack with a mark."""
    pen.fill(oval((0, 0.3), (0.72, 0.65), 0))
    pen.fill([(-0.22, -0.2), (0.22, -0.2), (0.42, -0.75), (-0.42, -0.75)])
    pen.line([(-0.3, -0.25), (0.3, -0.25)], 0.1, pen.ground)
    pen.line(_arc((0, 0.32), 0.25, (40, 320)), 0.1, pen.ground)


# Joker


def joker_hat(pen: Pen) -> None:
    """A jester's hat with three bells."""
    pen.fill(
        [
            (-0.6, 0.5),
            (-1.0, -0.35),
            (-0.35, -0.05),
            (0, -0.9),
            (0.35, -0.05),
            (1.0, -0.35),
            (0.6, 0.5),
        ]
    )
    for x, y in ((-1.0, -0.38), (0.0, -0.92), (1.0, -0.38)):
        pen.disc(x, y, 0.15, pen.second)
    pen.fill(rectangle((-0.68, 0.42), (0.68, 0.68), 0.06), pen.second)


def joker_face(pen: Pen) -> None:
    """A laughing face under a jester's hat."""
    pen.fill(
        [
            (-0.65, 0.05),
            (-0.95, -0.5),
            (-0.3, -0.3),
            (0, -1.0),
            (0.3, -0.3),
            (0.95, -0.5),
            (0.65, 0.05),
        ]
    )
    for x, y in ((-0.95, -0.5), (0.0, -1.0), (0.95, -0.5)):
        pen.disc(x, y, 0.12, pen.second)
    pen.disc(0, 0.4, 0.58, pen.second)
    for x in (-0.2, 0.2):
        pen.disc(x, 0.28, 0.09)
    pen.fill(_arc((0, 0.45), 0.34, (0, 180)))


def joker_plus_minus(pen: Pen) -> None:
    """The text ±1."""
    pen.text("±1", (0, 0), (1.9, 1.5))


def joker_two_lines(pen: Pen) -> None:
    """+1 above, -1 below."""
    pen.text("+1", (-0.15, -0.5), (1.5, 0.8))
    pen.text("-1", (0.2, 0.5), (1.5, 0.8))


def joker_slash(pen: Pen) -> None:
    """+1 and -1 either side of a stroke."""
    pen.line([(-0.5, 0.9), (0.5, -0.9)], 0.09)
    pen.text("+1", (-0.5, -0.4), (0.9, 0.7))
    pen.text("-1", (0.5, 0.4), (0.9, 0.7))


def joker_hat_and_one(pen: Pen) -> None:
    """A small hat over ±1."""
    top = Pen(
        pen.canvas,
        (pen.middle[0], pen.middle[1] - 0.45 * pen.size),
        pen.size * 0.55,
        0.0,
        pen.ink,
        pen.second,
        pen.ground,
        pen.font,
    )
    joker_hat(top if pen.turn_deg == 0 else pen)
    if pen.turn_deg == 0:
        pen.text("±1", (0, 0.55), (1.4, 0.7))


# Shifter


def shifter_cycle(pen: Pen) -> None:
    """Two arrows in a circle."""
    for start in (20, 200):
        pen.line(_arc((0, 0), 0.72, (start, start + 125)), 0.24)
        end = np.deg2rad(start + 132)
        _arrow_head(pen, (0.72 * float(np.cos(end)), 0.72 * float(np.sin(end))), start + 225, 0.36)


def shifter_swap(pen: Pen) -> None:
    """Two arrows, one each way."""
    for y, way in ((-0.4, 1.0), (0.4, -1.0)):
        pen.line([(-0.75 * way, y), (0.45 * way, y)], 0.26)
        _arrow_head(pen, (0.6 * way, y), 0.0 if way > 0 else 180.0, 0.42)


def shifter_target(pen: Pen) -> None:
    """A target with an arrow."""
    for number, radius in enumerate((0.9, 0.68, 0.46, 0.24)):
        pen.disc(0, 0, radius, pen.ink if number % 2 == 0 else pen.ground)
    pen.line([(1.0, -1.0), (0.1, -0.1)], 0.1, pen.second)
    _arrow_head(pen, (0.08, -0.08), 135.0, 0.2)


def shifter_cards(pen: Pen) -> None:
    """Two cards and an arrow from one to the other."""
    pen.fill(rectangle((-0.95, -0.75), (-0.15, 0.4), 0.1))
    pen.fill(rectangle((0.15, -0.4), (0.95, 0.75), 0.1), pen.second)
    pen.line(_arc((0, -0.3), 0.62, (235, 330)), 0.14)
    _arrow_head(pen, (0.62, -0.55), 70.0, 0.24)


def shifter_up_down(pen: Pen) -> None:
    """An arrow up and an arrow down."""
    for x, way in ((-0.4, -1.0), (0.4, 1.0)):
        pen.line([(x, -0.75 * way), (x, 0.45 * way)], 0.26)
        _arrow_head(pen, (x, 0.6 * way), 90.0 * way, 0.42)


# Bomb


def bomb_round(pen: Pen) -> None:
    """A round bomb with a lit fuse."""
    pen.disc(-0.1, 0.25, 0.68)
    pen.fill(turned(rectangle((-0.2, -0.2), (0.2, 0.15)), 35) + np.array((0.3, -0.3)))
    pen.line(_arc((0.75, -0.3), 0.4, (190, 290)), 0.1, pen.second)
    pen.fill(star((0.92, -0.72), (0.28, 0.12), 8, 0.0), pen.second)
    pen.line(_arc((-0.1, 0.25), 0.45, (190, 250)), 0.1, pen.ground)


def bomb_upright(pen: Pen) -> None:
    """A bomb with its fuse straight up."""
    pen.disc(0, 0.3, 0.66)
    pen.fill(rectangle((-0.2, -0.5), (0.2, -0.2)))
    pen.line([(0, -0.5), (0.12, -0.7), (-0.05, -0.85)], 0.09, pen.second)
    pen.fill(star((0, -0.92), (0.26, 0.1), 7, 10.0), pen.second)


def bomb_burst(pen: Pen) -> None:
    """A bomb before an explosion."""
    pen.fill(star((0, 0), (1.05, 0.68), 11, 0.0), pen.second)
    pen.disc(0, 0.08, 0.46)
    pen.line([(0.25, -0.3), (0.45, -0.6)], 0.12)


def bomb_sticks(pen: Pen) -> None:
    """A bomb with a face of a skull-like stare."""
    pen.disc(0, 0.2, 0.72)
    for x in (-0.27, 0.27):
        pen.disc(x, 0.12, 0.16, pen.ground)
    pen.line([(-0.3, 0.55), (0.3, 0.55)], 0.09, pen.ground)
    pen.line(_arc((0.4, -0.55), 0.35, (150, 300)), 0.1, pen.second)
    pen.fill(star((0.62, -0.9), (0.25, 0.1), 6, 0.0), pen.second)


ICONS: dict[Tweak, tuple[Icon, ...]] = {
    Tweak.THIEF: (thief_mask, thief_face, thief_hand, thief_figure, thief_sack),
    Tweak.JOKER: (
        joker_hat,
        joker_face,
        joker_plus_minus,
        joker_two_lines,
        joker_slash,
        joker_hat_and_one,
    ),
    Tweak.SHIFTER: (shifter_cycle, shifter_swap, shifter_target, shifter_cards, shifter_up_down),
    Tweak.BOMB: (bomb_round, bomb_upright, bomb_burst, bomb_sticks),
}
NAMES: dict[Tweak, tuple[str, ...]] = {
    Tweak.THIEF: ("THIEF", "Thief", "STEAL", "Dieb"),
    Tweak.JOKER: ("JOKER", "Joker", "±1"),
    Tweak.SHIFTER: ("SHIFTER", "Shift", "SWITCH", "Swap"),
    Tweak.BOMB: ("BOMB", "Bomb!", "BOOM!"),
}
