"""Draws the bench's two curves as SVG, which any browser and any page of code shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.vision.bench_trust import Trial, abstention, reliability

_SIDE, _LEFT, _TOP, _BOTTOM = 320, 56, 30, 46
_FONT = 'font-family="sans-serif" font-size="12"'


@dataclass(frozen=True, slots=True)
class Plot:
    """A square plot.

    Attributes:
        title: printed above.
        axes: what runs across and what runs up.
        across: lowest and highest value across.
        up: lowest and highest value up.
    """

    title: str
    axes: tuple[str, str]
    across: tuple[float, float] = (0.0, 1.0)
    up: tuple[float, float] = (0.0, 1.0)

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Where a point comes to lie."""
        share_x = (x - self.across[0]) / (self.across[1] - self.across[0])
        share_y = (y - self.up[0]) / (self.up[1] - self.up[0])
        return _LEFT + _SIDE * share_x, _TOP + _SIDE * (1.0 - share_y)

    def draw(self, shapes: Sequence[str]) -> str:
        """The whole file."""
        width, height = _LEFT + _SIDE + 24, _TOP + _SIDE + _BOTTOM
        middle = _LEFT + _SIDE / 2
        text = [
            f'<text x="{middle}" y="18" text-anchor="middle">{self.title}</text>',
            f'<text x="{middle}" y="{height - 8}" text-anchor="middle">{self.axes[0]}</text>',
            f'<text transform="translate(14 {_TOP + _SIDE / 2}) rotate(-90)" '
            f'text-anchor="middle">{self.axes[1]}</text>',
        ]
        frame = (
            f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" '
            'fill="none" stroke="#888"/>'
        )
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" {_FONT}>',
                '<rect width="100%" height="100%" fill="#fff"/>',
                *(frame, *self._ticks(), *text, *shapes),
                "</svg>\n",
            ]
        )

    def line(self, points: Sequence[tuple[float, float]], stroke: str) -> str:
        """A line through points; ``stroke`` is the attributes that it is drawn with."""
        spots = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.spot(*point) for point in points))
        return f'<polyline points="{spots}" fill="none" {stroke}/>'

    def dot(self, x: float, y: float, radius: float) -> str:
        """A dot at a point."""
        left, top = self.spot(x, y)
        return f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{radius:.1f}" fill="#1f5fa8"/>'

    def _ticks(self) -> list[str]:
        ticks = []
        for step in range(6):
            x = self.across[0] + (self.across[1] - self.across[0]) * step / 5
            y = self.up[0] + (self.up[1] - self.up[0]) * step / 5
            left, top = self.spot(x, y)
            below = _TOP + _SIDE + 16
            ticks.append(f'<text x="{left:.1f}" y="{below}" text-anchor="middle">{x:.3g}</text>')
            ticks.append(
                f'<text x="{_LEFT - 6}" y="{top + 4:.1f}" text-anchor="end">{y:.3g}</text>'
            )
        return ticks


def reliability_svg(name: str, trials: Sequence[Trial]) -> str:
    """How often reports are right against what they say; a dot grows with its reports."""
    bins = reliability(trials)
    most = max((one.count for one in bins), default=1)
    plot = Plot(f"reliability, {name}", ("score", "share right"))
    shapes = [
        plot.line([(0, 0), (1, 1)], 'stroke="#888" stroke-dasharray="5 4"'),
        plot.line([(one.predicted, one.right) for one in bins], 'stroke="#1f5fa8"'),
        *(plot.dot(b.predicted, b.right, 2 + 5 * (b.count / most) ** 0.5) for b in bins),
    ]
    return plot.draw(shapes)


def abstention_svg(name: str, trials: Sequence[Trial]) -> str:
    """How right the clearest reports are; dashed with inventions and strangers counted in."""
    curve = abstention(trials, [step / 50 for step in range(10, 51)])
    lowest = min((one.right_all for one in curve), default=0.0)
    floor = max(0.0, int(20 * lowest) / 20 - 0.05)
    plot = Plot(f"abstention, {name}", ("our cards used", "share right"), (0.2, 1.0), (floor, 1.0))
    shapes = [
        plot.line(
            [(k.coverage, k.right_all) for k in curve], 'stroke="#888" stroke-dasharray="5 4"'
        ),
        plot.line([(k.coverage, k.right) for k in curve], 'stroke="#1f5fa8"'),
    ]
    return plot.draw(shapes)


def write_plots(folder: Path, name: str, trials: Sequence[Trial]) -> tuple[Path, ...]:
    """Write both curves of one folder of pictures; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {"reliability": reliability_svg, "abstention": abstention_svg}
    written = []
    for kind, draw in drawn.items():
        path = folder / f"{kind}-{name}.svg"
        path.write_text(draw(name, trials), encoding="utf-8")
        written.append(path)
    return tuple(written)
