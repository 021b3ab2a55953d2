"""What gets installed: the wheel carries everything that the table needs, and no workshop."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=300,
    )
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_carries_page_models_and_demo(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "companion/_shipped/web/static/js/app.js",
        "companion/_shipped/web/translations/he/LC_MESSAGES/messages.mo",
        "companion/_shipped/web/translations/hu/LC_MESSAGES/messages.mo",
        "companion/_shipped/models/manifest.toml",
        "companion/_shipped/models/detector.onnx",
        "companion/_shipped/models/closer.onnx",
        "companion/_shipped/models/reader.onnx",
        "companion/_shipped/calibration/demo/clip.mp4",
        "companion/_shipped/calibration/demo/script.jsonl",
    ):
        assert wanted in names
    assert not [name for name in names if name.startswith(("datasets", "tests"))]


def test_an_installed_wheel_reads_a_picture_anywhere(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    picture = ROOT / "calibration" / "bench" / "twelve-cards.jpg"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "companion", "read", str(picture)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    assert '"cards": [{"card": ' in done.stdout


def test_nothing_heavy_is_imported_to_judge_a_sum() -> None:
    code = (
        "import sys; from companion.rules.claim import judge_line; "
        "print(sorted({'cv2','onnxruntime','flask','sqlalchemy','numpy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_torch_and_ultralytics_are_not_needed_at_the_table() -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['ultralytics'] = None; "
        "import companion.cli, companion.night.start, companion.server.serve; print('fine')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "fine\n"
