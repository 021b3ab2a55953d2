"""The bench's table: counts become shares, one row a slice."""

from __future__ import annotations

from companion.vision.score import Tally

_COLUMNS = (
    *("pictures", "cards", "found", "invented", "read", "colour", "value"),
    *("guess", "sure", "right", "strange", "exact", "exact*"),
)
LEGEND = """\
found: of all cards. invented: for each card. read, colour, value: of the found 1-6, as reported.
guess: first guess right, sure or not. sure: of the found of ours; right: of the sure.
strange: found strangers with a sure 1-6 answer.
exact: whole tables right, as reported; exact*: by the first guesses."""


def shares(tally: Tally) -> dict[str, float | None]:
    """What the table shows, as shares 0-1; None where nothing was there to count."""
    return {
        "found_share": _share(tally.found, tally.labels),
        "invented_share": _share(tally.invented, tally.labels),
        "read_share": _share(tally.both, tally.numbers),
        "colour_share": _share(tally.colour, tally.numbers),
        "value_share": _share(tally.value, tally.numbers),
        "guess_share": _share(tally.guess, tally.numbers),
        "sure_share": _share(tally.sure, tally.found - tally.strangers),
        "sure_right_share": _share(tally.sure_right, tally.sure),
        "strangers_sure_share": _share(tally.strangers_sure, tally.strangers),
        "exact_share": _share(tally.exact, tally.pictures),
        "exact_guess_share": _share(tally.exact_guess, tally.pictures),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def accuracy_table(folder: str, rows: dict[str, Tally]) -> str:
    """The rows of one folder, aligned."""
    width = max(len(folder), *map(len, rows))
    lines = [folder.ljust(width) + "".join(f"{name:>9}" for name in _COLUMNS)]
    for name, tally in rows.items():
        counts = f"{tally.pictures:>9}{tally.labels:>9}"
        parts = ("-" if share is None else f"{share:.3f}" for share in shares(tally).values())
        lines.append(name.ljust(width) + counts + "".join(f"{part:>9}" for part in parts))
    return "\n".join(lines)
