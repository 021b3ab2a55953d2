"""Opens an ONNX network for the processor, with a set number of threads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors

from companion.errors import ModelError

Tensor: TypeAlias = npt.NDArray[np.float32]

# onnxruntime's own exceptions share no root narrower than Exception.
_REFUSALS = (
    onnx_errors.Fail,
    onnx_errors.InvalidArgument,
    onnx_errors.InvalidGraph,
    onnx_errors.InvalidProtobuf,
    onnx_errors.NoSuchFile,
    onnx_errors.NotImplemented,
    onnx_errors.RuntimeException,
)


class Network(Protocol):
    """A network as the eyes see it: one tensor in, named tensors out."""

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        """Outputs by name for a batch of shape (n, 3, height, width), RGB, 0-1."""
        ...


class OnnxNetwork:
    """A network run by onnxruntime on the processor.

    Args:
        path: the ONNX file; it has one input.
        threads: how many threads work on one picture.

    Raises:
        ModelError: the file is no network that onnxruntime understands.
    """

    def __init__(self, path: Path, threads: int = 2) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Spinning threads would keep the processor busy between two frames.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except _REFUSALS as error:
            reason = str(error).splitlines()[0]
            raise ModelError(f"model {path} cannot be opened: {reason}") from None
        if len(self._session.get_inputs()) != 1:
            raise ModelError(f"model {path}: wanted one input")
        self._input = self._session.get_inputs()[0].name
        self.outputs = tuple(output.name for output in self._session.get_outputs())

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        """Outputs by name for a batch of shape (n, 3, height, width), RGB, 0-1."""
        results = self._session.run(None, {self._input: batch})
        return dict(zip(self.outputs, results, strict=True))


def open_network(path: Path, wanted: Iterable[str], threads: int = 2) -> OnnxNetwork:
    """Open a network that has some outputs.

    Args:
        path: the ONNX file.
        wanted: names of the outputs.
        threads: how many threads work on one picture.

    Raises:
        ModelError: the file is no network, or one that lacks an output.
    """
    network = OnnxNetwork(path, threads)
    missing = [name for name in wanted if name not in network.outputs]
    if missing:
        raise ModelError(f"model {path} has no output {', '.join(missing)}")
    return network
