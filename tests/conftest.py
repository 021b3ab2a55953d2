"""Says beforehand which tests this installation can't run, instead of leaving them out unseen."""

from __future__ import annotations

import importlib.util
from pathlib import Path

HAS_WORKSHOP = all(importlib.util.find_spec(name) for name in ("PIL", "torch", "ultralytics"))


def pytest_report_header() -> str:
    if HAS_WORKSHOP:
        return "workshop: its extra is installed, its tests run"
    return "workshop: its extra is NOT installed, tests/workshop is left out (make test runs it)"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if collection_path.name == "workshop" and collection_path.is_dir():
        return None if HAS_WORKSHOP else True
    return None
