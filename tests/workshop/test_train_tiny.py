"""The whole way from recipe to running models, with a few pictures and steps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the workshop extra")
pytest.importorskip("ultralytics", reason="needs the workshop extra")

from companion.vision.manifest import load_manifest

pytestmark = pytest.mark.workshop

ROOT = Path(__file__).resolve().parents[2]


def test_a_tiny_training_ends_with_models_that_the_companion_opens(tmp_path: Path) -> None:
    # A process of its own: ultralytics warns about much, and here warnings are errors.
    done = subprocess.run(
        [sys.executable, "-m", "datasets.workshop", "train", "--tiny", "--out", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"YOLO_OFFLINE": "true"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    manifest = load_manifest(tmp_path / "models")
    assert manifest.detector.input_px == 160
    assert manifest.checker is not None
    assert manifest.reader.input_px == (96, 128)
    assert manifest.closer is not None
    assert manifest.closer.input_px == (192, 256)
