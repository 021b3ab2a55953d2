"""Where things lie: beside the package in a checkout, inside it in a wheel, and the user's home."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import NotFound

_PACKAGE = Path(__file__).resolve().parent


def resource_dir(name: str) -> Path:
    """The folder ``web``, ``models`` or ``calibration`` that this installation uses.

    Raises:
        NotFound: neither the checkout nor the wheel has such a folder.
    """
    for place in (_PACKAGE.parent / name, _PACKAGE / "_shipped" / name):
        if place.is_dir():
            return place
    raise NotFound(f"this installation has no folder {name!r}: install it again")


def home_dir() -> Path:
    """The user's own folder (database, settings): ``$COMPANION_HOME`` or ``~/.companion``."""
    return Path(os.environ.get("COMPANION_HOME") or Path.home() / ".companion")


def profiles_dir() -> Path:
    """The user's own folder of calibration, where the profiles of tables are kept."""
    return home_dir() / "calibration"
