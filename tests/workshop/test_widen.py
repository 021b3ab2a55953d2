"""A widened detector answers as the narrow one did, and has more to learn with."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

pytest.importorskip("ultralytics")

from ultralytics.nn.tasks import OBBModel

from companion.errors import BadInput
from datasets.workshop.detector import NARROW, WIDE
from datasets.workshop.labels import CLASSES
from datasets.workshop.widen import widen_model


def _network(recipe: Path) -> OBBModel:
    return OBBModel(str(recipe), nc=len(CLASSES), verbose=False).eval()


def _untrained(recipe: Path) -> OBBModel:
    """A network whose every number was drawn, running averages too: nothing cancels out."""
    torch.manual_seed(7)
    network = _network(recipe)
    for name, value in network.state_dict().items():
        if name.endswith("running_mean"):
            value.normal_(0.0, 0.1)
        elif name.endswith("running_var"):
            value.uniform_(0.5, 1.5)
    return network


def test_a_widened_detector_answers_as_before_with_more_weights() -> None:
    narrow, wide = _untrained(NARROW), _network(WIDE)

    widen_model(narrow, wide, torch.Generator().manual_seed(1))

    picture = torch.rand(1, 3, 96, 128, generator=torch.Generator().manual_seed(2))
    with torch.no_grad():
        before, after = narrow(picture)[0], wide(picture)[0]
    weights = [sum(part.numel() for part in one.parameters()) for one in (narrow, wide)]
    assert torch.allclose(before, after, rtol=1e-3, atol=1e-2)
    assert weights[1] > 3 * weights[0]


def test_the_two_neighbours_of_a_channel_do_not_stay_twins() -> None:
    narrow, wide = _untrained(NARROW), _network(WIDE)

    widen_model(narrow, wide, torch.Generator().manual_seed(1))

    reading = wide.state_dict()["model.1.conv.weight"]
    assert not torch.allclose(reading[:, 0::2], reading[:, 1::2])


def test_a_network_that_is_no_multiple_is_refused() -> None:
    narrow, wide = torch.nn.Conv2d(8, 8, 1), torch.nn.Conv2d(8, 12, 1)

    with pytest.raises(BadInput, match="8 channels and shall have 12"):
        widen_model(narrow, wide, torch.Generator())
