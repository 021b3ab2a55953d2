"""Names the slices that a labelled picture belongs to: by set, lamp, tilt, card size and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import quantiles

from companion.vision.bench_labels import LabelledPicture
from companion.vision.quads import short_side

EASY = "easy: cards 0.9 in sight, 40 px at 1280"
_EASY_VISIBLE = 0.9
_EASY_SIDE_SHARE = 40.0 / 1280.0
_FEW = 6


def slices_of(pictures: Sequence[LabelledPicture]) -> list[tuple[str, ...]]:
    """For each picture the names of its slices, such as ``lamp: warm`` or ``tilt: 12-25``.

    A number with more than six values over all pictures is put into quarters.
    """
    all_slices = [picture.slices for picture in pictures]
    edges = {name: _edges(all_slices, name) for name in sorted({n for s in all_slices for n in s})}
    named: list[tuple[str, ...]] = []
    for picture, slices in zip(pictures, all_slices, strict=True):
        names = [f"{name}: {_bin(value, edges[name])}" for name, value in slices.items()]
        named.append(tuple(names + [EASY] * _is_easy(picture)))
    return named


def _edges(all_slices: Sequence[Mapping[str, str | float]], name: str) -> tuple[float, ...]:
    values = [slices[name] for slices in all_slices if name in slices]
    numbers = [float(value) for value in values if _is_number(value)]
    if len(set(numbers)) <= _FEW or len(numbers) < len(values):
        return ()
    return (min(numbers), *quantiles(numbers, n=4), max(numbers))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bin(value: str | float, edges: tuple[float, ...]) -> str:
    if not edges:
        return f"{value:g}" if _is_number(value) and not isinstance(value, str) else str(value)
    index = sum(float(value) > edge for edge in edges[1:-1])
    return f"{edges[index]:.3g}-{edges[index + 1]:.3g}"


def _is_easy(picture: LabelledPicture) -> bool:
    """Whether every card of a made picture is all but wholly in sight and not small."""
    if "set" in picture.slices or not picture.cards:
        return False
    return all(
        card.visible >= _EASY_VISIBLE
        and short_side(card.quad_px) >= _EASY_SIDE_SHARE * picture.width_px
        for card in picture.cards
    )
