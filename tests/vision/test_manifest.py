"""A model is used only if it is the one that the manifest names."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import ModelError
from companion.vision.manifest import load_manifest
from companion.vision.networks import OnnxNetwork
from companion.vision.read import Reader
from tests.vision.toy import HEADS, SIDES, install_toy_models, sha256_of


def edited(folder: Path, old: str, new: str) -> Path:
    path = folder / "manifest.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_a_manifest_names_both_networks_and_their_use(tmp_path: Path) -> None:
    manifest = load_manifest(install_toy_models(tmp_path))

    assert manifest.detector.classes == SIDES
    assert manifest.detector.input_px == 640
    assert manifest.reader.input_px == (48, 64)
    assert dict(manifest.reader.heads) == dict(HEADS)


def test_an_altered_file_is_refused_in_one_line(tmp_path: Path) -> None:
    folder = install_toy_models(tmp_path)
    with (folder / "toy-reader.onnx").open("ab") as file:
        file.write(b"\0")

    with pytest.raises(ModelError, match=r"toy-reader\.onnx is not the one") as caught:
        load_manifest(folder)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_missing_manifest_are_named(tmp_path: Path) -> None:
    folder = install_toy_models(tmp_path / "models")
    (folder / "toy-detector.onnx").unlink()

    with pytest.raises(ModelError, match=r"toy-detector\.onnx cannot be read"):
        load_manifest(folder)
    with pytest.raises(ModelError, match=r"manifest\.toml is missing"):
        load_manifest(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("'seven']\ninput", "'queen']\ninput", "queen"),
        ("'purple'", "'pink'", "pink"),
        ("'bomb'", "'thief'", "bomb"),
        ("input = 640", "input = true", "input"),
        ("input = 640", "input = 7", "input"),
        ("input = [48, 64]", "input = 48", "reader.input"),
        ("[reader.heads]", "[reader.hats]", "reader.heads"),
        ("[detector]", "[director]", "detector"),
        ("sha256 =", "sum =", "sha256"),
        ("[detector]", "[detector", "TOML"),
    ],
)
def test_a_manifest_that_names_unknown_things_is_refused(
    tmp_path: Path, old: str, new: str, named: str
) -> None:
    folder = edited(install_toy_models(tmp_path), old, new)

    with pytest.raises(ModelError, match=named):
        load_manifest(folder)


def test_a_file_that_is_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "poem.onnx"
    path.write_text("roses are red", encoding="utf-8")

    with pytest.raises(ModelError, match=r"poem\.onnx cannot be opened") as caught:
        OnnxNetwork(path)
    assert "\n" not in str(caught.value)


def test_a_reader_without_the_named_heads_is_refused(tmp_path: Path) -> None:
    folder = install_toy_models(tmp_path)
    detector_sum = sha256_of(folder / "toy-detector.onnx")
    reader_sum = sha256_of(folder / "toy-reader.onnx")
    edited(folder, "toy-reader.onnx", "toy-detector.onnx")
    edited(folder, reader_sum, detector_sum)

    with pytest.raises(ModelError, match="has no output side"):
        Reader.open(load_manifest(folder).reader)
