"""The doors of the house: who may import whom, read off the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

OPEN_TO_ALL = {"companion", "companion.errors", "companion.settings", "companion.paths"}
DOORS: dict[str, set[str]] = {
    "rules": set(),
    "vision": {"companion.rules.cards"},
    "table": {"companion.rules", "companion.vision"},
    "night": {"companion.rules", "companion.vision", "companion.table"},
    "server": {"companion.rules", "companion.vision", "companion.table", "companion.night"},
}
KEPT_BY = {
    "cv2": {"companion/vision"},
    "onnxruntime": {"companion/vision"},
    "sqlalchemy": {"companion/night"},
    "flask": {"companion/server"},
    "flask_babel": {"companion/server"},
    "waitress": {"companion/server"},
    "segno": {"companion/server"},
    "click": {"companion/cli.py"},
    "torch": set(),
    "ultralytics": set(),
    "PIL": set(),
    "onnx": set(),
}


def imports_of(file: Path) -> Iterator[str]:
    """Every dotted name that a file imports, ``from x import y`` as ``x.y``."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def python_files(folder: str) -> list[Path]:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files, f"no Python under {folder}"
    return files


def inside(name: str, allowed: set[str]) -> bool:
    return any(name == door or name.startswith(door + ".") for door in allowed)


@pytest.mark.parametrize("room", DOORS)
def test_a_room_imports_only_through_its_doors(room: str) -> None:
    allowed = DOORS[room] | {f"companion.{room}"} | (OPEN_TO_ALL - {"companion"})
    for file in python_files(f"companion/{room}"):
        for name in imports_of(file):
            if name.split(".")[0] == "companion":
                is_version = name == "companion.__version__"
                assert is_version or inside(name, allowed), f"{file} may not import {name}"


def test_the_law_needs_nothing_but_the_standard_library() -> None:
    import sys

    for file in python_files("companion/rules"):
        for name in imports_of(file):
            top = name.split(".")[0]
            assert top == "companion" or top in sys.stdlib_module_names, f"{file} imports {name}"
            assert top not in {"time", "datetime", "os", "pathlib"}, f"{file} imports {name}"


def test_errors_settings_and_paths_import_no_room() -> None:
    for name in ("errors", "settings", "paths"):
        for imported in imports_of(ROOT / "companion" / f"{name}.py"):
            assert not imported.startswith("companion.") or inside(
                imported, OPEN_TO_ALL - {"companion"}
            )


@pytest.mark.parametrize("library", KEPT_BY)
def test_each_library_stands_behind_its_own_door(library: str) -> None:
    for file in python_files("companion"):
        place = file.relative_to(ROOT).as_posix()
        if not any(
            place == keeper or place.startswith(keeper + "/") for keeper in KEPT_BY[library]
        ):
            tops = {name.split(".")[0] for name in imports_of(file)}
            assert library not in tops, f"{place} may not import {library}"


def test_the_table_never_imports_its_workshop() -> None:
    for file in python_files("companion"):
        assert not any(name.split(".")[0] == "datasets" for name in imports_of(file)), file


def test_a_file_is_short_enough_to_read() -> None:
    long = {
        str(file.relative_to(ROOT)): lines
        for folder in ("companion", "datasets", "tests")
        for file in python_files(folder)
        if (lines := file.read_text(encoding="utf-8").count("\n")) > 400
    }
    assert not long
