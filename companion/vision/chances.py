"""What a reader's network answers about a cut: the probability of each class, by head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.rules.cards import (
    TARGETS,
    VALUES,
    BlueSeven,
    Card,
    Colour,
    Face,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
)
from companion.vision.networks import Network, Tensor

Chances: TypeAlias = Mapping[str, Mapping[str, float]]
"""Probability of each class, by head."""

Heads: TypeAlias = Mapping[str, Sequence[str]]
"""Classes of each output of a network, in order."""

_NUMBERS = tuple(NumberCard(colour, value) for colour in Colour for value in VALUES)
_BACKS = tuple(TargetBack(target) for target in TARGETS)
_TWEAKS = {kind.value: TweakCard(kind) for kind in Tweak}
_TWEAK_BACK, _SEVEN = TweakBack(), BlueSeven()
_TINY = 1e-6


def look(
    network: Network, batch: Tensor, heads: Heads, temperature: Mapping[str, float] | None = None
) -> list[Chances]:
    """The probabilities that a network gives each cut of a batch.

    Args:
        network: one output for each head.
        batch: shape (cuts, 3, height, width), RGB, 0-1.
        heads: which classes its outputs stand for.
        temperature: what each head's logits are divided by; 1 where nothing is said.
    """
    outputs = network.run(batch)
    warm = temperature or {}
    told = {name: _softmax(outputs[name], warm.get(name, 1.0)) for name in heads}
    return [
        {
            name: dict(zip(heads[name], map(float, rows[row]), strict=True))
            for name, rows in told.items()
        }
        for row in range(len(batch))
    ]


def _softmax(logits: Tensor, temperature: float) -> npt.NDArray[np.float64]:
    """Probabilities of shape (cuts, classes)."""
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def mixed(one: Chances, other: Chances) -> Chances:
    """The mean of two answers."""
    return {
        head: {name: (chance + other[head][name]) / 2 for name, chance in chances.items()}
        for head, chances in one.items()
    }


def pooled(one: Chances, other: Chances, weights: tuple[float, float]) -> Chances:
    """The logarithmic opinion pool of two answers: the product of their powers, normalised.

    Weights that add up to more than 1 say that the two know different things.
    """
    found = {}
    for head, chances in one.items():
        powers = {
            name: max(chance, _TINY) ** weights[0] * max(other[head][name], _TINY) ** weights[1]
            for name, chance in chances.items()
        }
        total = sum(powers.values())
        found[head] = {name: power / total for name, power in powers.items()}
    return found


def clarity(chances: Chances) -> float:
    """The probability of the likeliest card."""
    return options_of(chances)[0][1]


def options_of(chances: Chances) -> tuple[tuple[Card, float], ...]:
    """Every card that exists with its probability, best first."""
    side, colour, value, tweak = (chances[name] for name in ("side", "colour", "value", "tweak"))
    number, back = side[Face.NUMBER.value], side[Face.TARGET_BACK.value]
    options: list[tuple[Card, float]] = [
        (card, number * colour[card.colour.value] * value[str(card.value)]) for card in _NUMBERS
    ]
    options += [(card, back * value[str(card.target)]) for card in _BACKS]
    options += [(card, side[Face.TWEAK.value] * tweak[kind]) for kind, card in _TWEAKS.items()]
    options += [(_TWEAK_BACK, side[Face.TWEAK_BACK.value]), (_SEVEN, side[Face.SEVEN.value])]
    return tuple(sorted(options, key=lambda option: -option[1]))
