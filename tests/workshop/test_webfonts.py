"""Fonts by npm print training decks only, and bent digits stay the same digits each time."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.errors import CompanionError, NotFound
from datasets.workshop.fonts import FontFile, fonts_of, glyph, split_of, usable_fonts
from datasets.workshop.layouts_digit import DigitStyle, Look
from datasets.workshop.webfonts import FOLDER, fetch_web_fonts, web_font_files


def test_the_list_names_families_within_a_tested_range() -> None:
    wanted = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert len(wanted) > 400
    assert all(name.startswith("@fontsource/") for name in wanted)
    assert all(version.startswith("^") for version in wanted.values())


def test_files_come_in_stable_order_upright_and_latin(tmp_path: Path) -> None:
    files = tmp_path / "node_modules" / "@fontsource" / "one" / "files"
    files.mkdir(parents=True)
    for name in ("one-latin-700-normal", "one-latin-400-normal", "one-latin-400-italic"):
        (files / f"{name}.woff").touch()
    (files / "one-hebrew-400-normal.woff").touch()
    assert [path.stem for path in web_font_files(tmp_path)] == [
        "one-latin-400-normal",
        "one-latin-700-normal",
    ]


def test_fonts_from_the_web_never_print_val_or_test() -> None:
    for split in ("val", "test"):
        paths = [Path(font.path) for fonts in fonts_of(split).values() for font in fonts]
        assert not [path for path in paths if FOLDER in path.parents]
    assert all(font.split == split_of(font.family) for font in usable_fonts())


def test_without_npm_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NotFound, match="apt-get install npm"):
        fetch_web_fonts()


def test_what_npm_says_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'no such family' >&2\nexit 1\n", encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(npm))
    with pytest.raises(CompanionError, match="no such family"):
        fetch_web_fonts(tmp_path)


def _font() -> FontFile:
    return next(font for font in usable_fonts() if font.family == "DejaVu Sans")


def test_a_bent_digit_is_another_shape_and_the_same_each_time() -> None:
    tones = {"white": (250, 250, 250)}
    look = Look(tones=tones, box=(0.5, 0.5))
    plain = DigitStyle(_font())._layers("5", (80, 120), look)[-1][1]
    bent = [DigitStyle(_font(), wobble=(0.03, 4))._layers("5", (80, 120), look) for _ in range(2)]
    first, again = bent[0][-1][1], bent[1][-1][1]
    assert np.array_equal(first, again)
    shapes_differ = first.shape != plain.shape or not np.array_equal(first, plain)
    assert shapes_differ
    ink = (first > 127).sum() / max(1, (plain > 127).sum())
    assert 0.6 < ink < 1.6
    assert glyph(_font().path, "5", 100).size
