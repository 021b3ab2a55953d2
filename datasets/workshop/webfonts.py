"""More fonts for training decks: the families that ``datasets/fonts/package.json`` names, by npm.

Digits are the half of a card that is hard to read, and what makes them hard is a typeface that no
training has seen. Debian packages some 130 usable families; these are several hundred more, under
open licences (SIL OFL, Apache), repackaged by Fontsource. They only ever print training decks, so
that validation and test pictures do not depend on whether they were fetched.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from companion.errors import CompanionError, NotFound

FOLDER = Path(__file__).resolve().parents[1] / "fonts"
_WEIGHTS = ("400", "700", "900")


def fetch_web_fonts(folder: Path = FOLDER) -> int:
    """Install the families into ``folder``/node_modules; how many are there then.

    Raises:
        NotFound: there is no npm.
        CompanionError: npm failed; its last words are told.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise NotFound("npm is wanted to fetch fonts: apt-get install npm")
    done = subprocess.run(
        [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines() or ["it did not say why"]
        raise CompanionError(f"npm could not fetch the fonts: {words[0]}")
    return len({path.parents[1] for path in web_font_files(folder)})


def web_font_files(folder: Path = FOLDER) -> list[Path]:
    """Upright Latin files of the families that were fetched, in stable order."""
    return sorted(
        path
        for weight in _WEIGHTS
        for path in folder.glob(f"node_modules/@fontsource/*/files/*-latin-{weight}-normal.woff")
    )
