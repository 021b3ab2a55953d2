"""Makes the two toy networks beside it; needs ``onnx`` of the workshop extra.

``python tests/vision/data/make_networks.py``

The detector answers every picture with the same candidates, in the raw layout: one card (middle
200, 150; 80 x 112 pixels, turned by 30 degrees) twice, a second one upright at 420, 200, and one
of no worth. The reader takes the mean colour of a cut, calls it a number card of the colour
that is nearest (of red, green and blue), and its value a 5.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).parent
HEADS = {"side": 6, "colour": 6, "value": 10, "tweak": 4}
TURN = math.radians(30)
CANDIDATES = np.array(
    [
        # x, y, w, h, number, target_back, tweak, tweak_back, seven, angle
        (200, 150, 80, 112, 0.95, 0.02, 0.01, 0.01, 0.01, TURN),
        (203, 152, 82, 110, 0.80, 0.02, 0.01, 0.01, 0.01, TURN),
        (420, 200, 80, 112, 0.90, 0.02, 0.01, 0.01, 0.01, 0.0),
        (300, 300, 80, 112, 0.10, 0.02, 0.01, 0.01, 0.01, 0.0),
    ],
    dtype=np.float32,
)


SIDES = ("number", "target_back", "tweak", "tweak_back", "seven")
METADATA = {
    "names": str(dict(enumerate(SIDES))),
    "task": "obb",
    "stride": "32",
    "imgsz": "[640, 640]",
    "batch": "1",
    "channels": "3",
}
"""What ultralytics wants to know of the detector, as its own export writes it."""


def save(name: str, graph: onnx.GraphProto, metadata: dict[str, str]) -> None:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    onnx.save(model, str(HERE / name))


def picture_input() -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("images", TensorProto.FLOAT, ["n", 3, "h", "w"])


def detector() -> onnx.GraphProto:
    table = numpy_helper.from_array(CANDIDATES.T[None], "table")
    nothing = numpy_helper.from_array(np.zeros(1, np.float32), "nothing")
    nodes = [
        helper.make_node("ReduceMean", ["images"], ["mean"], axes=[0, 1, 2, 3], keepdims=0),
        helper.make_node("Mul", ["mean", "nothing"], ["zero"]),
        helper.make_node("Add", ["table", "zero"], ["output0"]),
    ]
    output = helper.make_tensor_value_info("output0", TensorProto.FLOAT, [1, 10, 4])
    return helper.make_graph(nodes, "toy", [picture_input()], [output], [table, nothing])


def reader() -> onnx.GraphProto:
    weights = {name: np.zeros((3, size), np.float32) for name, size in HEADS.items()}
    biases = {name: np.zeros(size, np.float32) for name, size in HEADS.items()}
    biases["side"][0] = 9.0
    biases["value"][4] = 9.0
    for channel, colour in enumerate((0, 3, 4)):
        weights["colour"][channel, colour] = 40.0
    nodes = [
        helper.make_node("GlobalAveragePool", ["images"], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["mean"], axis=1),
    ]
    nodes += [helper.make_node("Gemm", ["mean", f"{n}_w", f"{n}_b"], [n]) for n in HEADS]
    fixed = [numpy_helper.from_array(array, f"{name}_w") for name, array in weights.items()]
    fixed += [numpy_helper.from_array(array, f"{name}_b") for name, array in biases.items()]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", size])
        for name, size in HEADS.items()
    ]
    return helper.make_graph(nodes, "toy", [picture_input()], outputs, fixed)


if __name__ == "__main__":
    save("toy-detector.onnx", detector(), METADATA)
    save("toy-reader.onnx", reader(), {})
