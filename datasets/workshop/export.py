"""Turns trained weights into ONNX files and names them in ``models/manifest.toml``.

Each table of the manifest is replaced on its own, with the file's sha256, so that a new reader
leaves the detector as it is.
"""

from __future__ import annotations

import hashlib
import shutil
import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from ultralytics import YOLO
from ultralytics.nn.tasks import OBBModel

from companion.vision.check import CHECK_PX
from companion.vision.manifest import MANIFEST
from companion.vision.read import HANDED
from datasets.workshop.checker import CheckNet
from datasets.workshop.cuts import CLOSE_PX, CUT_PX, MARGIN
from datasets.workshop.detector import NARROW
from datasets.workshop.labels import CLASSES
from datasets.workshop.network import HEADS, ReaderNet, split_heads

OPSET = 17
"""Understood by every onnxruntime from 1.13 on."""


class _Heads(nn.Module):  # type: ignore[misc]
    """The reader with one named output for each head, and one that tells mirrors."""

    def __init__(self, network: ReaderNet, handed: Tensor) -> None:
        super().__init__()
        self.network = network
        self.register_buffer("handed", handed[:, None])

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        """Float RGB (n, 3, h, w) in 0-1 to logits (n, classes) of every head, then (n, 1)."""
        pooled = self.network.pooled(images)
        heads = split_heads(self.network.answers(pooled))
        return (*heads.values(), pooled @ self.handed)


class _Closer(nn.Module):  # type: ignore[misc]
    """A reader with one named output for each head."""

    def __init__(self, network: ReaderNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        """Float RGB (n, 3, h, w) in 0-1 to logits (n, classes) of every head."""
        return tuple(split_heads(self.network(images)).values())


def export_reader(network: ReaderNet, handed: Tensor, target: Path) -> None:
    """Write a reader as ONNX: ``images`` in, one output a head and :data:`HANDED` out.

    Args:
        network: with its final weights.
        handed: what each feature counts for it, see :mod:`datasets.workshop.handed`.
        target: the ONNX file.
    """
    width, height = CUT_PX
    sample = torch.zeros(2, 3, height, width)
    target.parent.mkdir(parents=True, exist_ok=True)
    _write_onnx(_Heads(network, handed).eval(), sample, target, [*HEADS, HANDED])


def export_closer(network: ReaderNet, target: Path) -> None:
    """Write a reader that looks closer as ONNX: ``images`` in, one output a head out."""
    width, height = CLOSE_PX
    target.parent.mkdir(parents=True, exist_ok=True)
    _write_onnx(_Closer(network).eval(), torch.zeros(2, 3, height, width), target, [*HEADS])


def export_checker(checkpoint: Path, target: Path) -> CheckNet:
    """Write a checker's averaged weights as ONNX: ``images`` in, ``answers`` out."""
    state = torch.load(checkpoint, weights_only=True)
    network: CheckNet = CheckNet(state["widths"]).eval()
    network.load_state_dict(state["weights"])
    width, height = CHECK_PX
    target.parent.mkdir(parents=True, exist_ok=True)
    _write_onnx(network, torch.zeros(2, 3, height, width), target, ["answers"])
    return network


def _write_onnx(network: nn.Module, sample: Tensor, target: Path, outputs: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter itself is deprecated, with no successor here
        torch.onnx.export(
            network,
            (sample,),
            str(target),
            input_names=["images"],
            output_names=outputs,
            dynamic_axes={name: {0: "n"} for name in ("images", *outputs)},
            opset_version=OPSET,
            dynamo=False,
        )


def export_detector(weights: Path, target: Path, end_to_end: bool = False) -> None:
    """Write a detector's weights as ONNX for pictures of any size that 32 divides.

    Args:
        weights: ultralytics' ``best.pt``.
        target: the ONNX file.
        end_to_end: the one-to-one head (1, 300, 7), which has no duplicates; else the raw
            one-to-many head (1, 10, anchors), which wants them dropped.
    """
    trained: OBBModel = YOLO(str(weights), task="obb").model
    model = YOLO(str(NARROW), task="obb")
    model.model = OBBModel(trained.yaml, nc=len(CLASSES), verbose=False)
    model.model.load_state_dict(trained.float().state_dict())
    model.model.names = dict(enumerate(CLASSES))
    draft = target.parent / f".{target.stem}" / f"{target.stem}.pt"
    draft.parent.mkdir(parents=True, exist_ok=True)
    model.save(str(draft))
    made = YOLO(str(draft), task="obb").export(
        format="onnx",
        dynamic=True,
        simplify=False,
        opset=OPSET,
        nms=False if end_to_end else None,
        imgsz=640,
        device="cpu",
    )
    shutil.move(made, target)
    shutil.rmtree(draft.parent)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest says about one model.

    Attributes:
        part: detector, checker, reader or closer.
        file: the ONNX file, beside the manifest.
        facts: keys and values of its table, in order; inner mappings become tables of their own.
    """

    part: str
    file: Path
    facts: Mapping[str, Any]


def name_in_manifest(entry: Entry) -> None:
    """Put a model in the manifest beside its file, with its sha256; the others stay."""
    path = entry.file.parent / MANIFEST
    tables = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    sha256 = hashlib.sha256(entry.file.read_bytes()).hexdigest()
    tables[entry.part] = {"file": entry.file.name, "sha256": sha256, **entry.facts}
    lines = ["# The models in use; `python -m datasets.workshop export` writes this file."]
    for part in ("detector", "checker", "reader", "closer", "calibration"):
        if part in tables:
            lines += _table_lines(part, tables[part])
    draft = path.with_suffix(".draft")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(path)


def _table_lines(name: str, table: Mapping[str, Any]) -> list[str]:
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    plain = {key: value for key, value in table.items() if key not in inner}
    lines = ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in plain.items())]
    for key, value in inner.items():
        lines += _table_lines(f"{name}.{key}", value)
    return lines


def _toml(value: object) -> str:
    """One plain value as TOML.

    >>> _toml(["a", 1]), _toml(0.5), _toml(True)
    ('["a", 1]', '0.5', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def detector_facts(input_px: int, threshold: float, **more: Any) -> dict[str, Any]:
    """The manifest's table of a detector; ``more`` is for people (recipe, scores)."""
    return {"classes": list(CLASSES), "input": input_px, "threshold": threshold, **more}


def reader_facts(temperature: Mapping[str, float], sure: float, **more: Any) -> dict[str, Any]:
    """The manifest's table of a reader; ``more`` is for people (recipe, scores)."""
    return {"input": list(CUT_PX), "margin": MARGIN, "sure": sure, **more, **_heads(temperature)}


def closer_facts(temperature: Mapping[str, float], **more: Any) -> dict[str, Any]:
    """The manifest's table of a reader that looks closer; ``more`` is for people."""
    return {"input": list(CLOSE_PX), "margin": MARGIN, **more, **_heads(temperature)}


def _heads(temperature: Mapping[str, float]) -> dict[str, Any]:
    return {
        "heads": {name: list(classes) for name, classes in HEADS.items()},
        "temperature": dict(temperature),
    }
