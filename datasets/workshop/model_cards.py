"""Fills the figures of the model cards from the bench's own output, so that none is typed by hand.

A card has one place for them, between the lines ``<!-- figures -->`` and
``<!-- end of figures -->``; what stands there is replaced, everything else stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.errors import BadInput

BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
_COLUMNS = {
    "pictures": "pictures",
    "labels": "cards",
    "found_share": "found",
    "invented_share": "invented a card",
    "read_share": "read",
    "colour_share": "colour",
    "value_share": "value",
    "guess_share": "first guess",
    "sure_share": "sure",
    "sure_right_share": "right of the sure",
    "strangers_sure_share": "strangers read for sure",
    "exact_share": "whole tables",
    "exact_guess_share": "… by first guesses",
}
_AT_95 = 0.95

Report = Mapping[str, Any]


def fill_card(path: Path, report: Report) -> None:
    """Replace a card's figures.

    Args:
        path: the card; it has a place for figures.
        report: what ``companion bench --json`` printed.

    Raises:
        BadInput: the card has no such place, or the report is none of the bench's.
    """
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BadInput(f"{path} has no place for figures: wanted {BEGIN} and {END}")
    try:
        figures = figures_of(report)
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"that is no report of companion bench --json: {error!r}") from None
    path.write_text(f"{before}{BEGIN}\n\n{figures}\n\n{END}{after}", encoding="utf-8")


def figures_of(report: Report) -> str:
    """Every figure of a report, as Markdown."""
    blocks = [_accuracy(name, rows) for name, rows in report["accuracy"].items()]
    blocks += [_trust(name, figures) for name, figures in report["trust"].items()]
    speed, still = report["speed"], report["still"]
    if speed:
        median, low, high = speed["total_ms"]
        blocks.append(
            f"Speed: {speed['width']}x{speed['height']}, {speed['cards']} cards, "
            f"{median:.1f} ms in the median ({low:.1f}-{high:.1f}), "
            f"{speed['ratio_to_bare']:.2f} times the networks alone."
        )
    if still:
        blocks.append(f"A still table takes {100 * still['core_share']:.1f} % of one core.")
    return "\n\n".join(blocks)


def _accuracy(name: str, rows: Report) -> str:
    body = [
        [slice_name, *(_cell(row[column]) for column in _COLUMNS)]
        for slice_name, row in rows.items()
    ]
    return _markdown([_called(name), *_COLUMNS.values()], body)


def _trust(name: str, figures: Report) -> str:
    bins = [
        [
            f"{one['low']:.1f}-{one['low'] + 0.1:.1f}",
            *(_cell(one[key]) for key in ("count", "predicted", "right")),
        ]
        for one in figures["reliability"]
    ]
    kept = [
        [_cell(one[key]) for key in ("coverage", "from_score", "right", "right_all")]
        for one in figures["abstention"]
    ]
    title = f"How far the scores can be trusted on {_called(name)}"
    mean = f"mean gap {figures['expected_error']:.3f}, {figures['reports']} reports"
    return "\n\n".join(
        [
            f"{title} ({mean}{_at_95(figures['abstention'])}):",
            _markdown(["score", "reports", "said", "right"], bins),
            _markdown(["used", "from score", "right", "right, inventions counted"], kept),
        ]
    )


def _at_95(curve: Sequence[Report]) -> str:
    if not curve:
        return ""
    nearest = min(curve, key=lambda one: abs(one["coverage"] - _AT_95))
    return f"; {nearest['right']:.4f} right at {nearest['coverage']:.3f} of the cards"


def _called(name: str) -> str:
    return name.rstrip("/").rsplit("/", 1)[-1]


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
