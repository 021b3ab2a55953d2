"""Scores that can be trusted: the calibration in the manifest, and how the bench measures it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.errors import ModelError
from companion.rules.cards import parse_card
from companion.vision.bench_plots import write_plots
from companion.vision.bench_trust import (
    Trial,
    abstention,
    expected_error,
    reliability,
    trials_of,
    trust_table,
)
from companion.vision.manifest import load_manifest
from companion.vision.pipeline import load_pipeline
from companion.vision.score import TrueCard
from companion.vision.trust import Calibration, calibration_of
from companion.vision.values import Reading, Sighting, parse_reading
from tests.vision.toy import box_quad, install_toy_models

DOUBLING = Calibration((0.0, 1.0, 0.0, 0.0), (0.0, 0.5, 1.0), (0.0, 0.25, 1.0), sure=0.9)
"""Says 0.25 where the reader said 0.5."""


def sighting(first: float, second: float, width_px: float = 60.0) -> Sighting:
    options = ((parse_card("R5"), first), (parse_card("O5"), second))
    reading = Reading(options, sure=False, stranger=1.0 - first - second)
    return Sighting(box_quad(200, 200, (width_px, 1.4 * width_px)), reading, found=0.9)


def test_the_best_card_gets_the_trusted_score_and_the_guess_stays() -> None:
    (one,) = DOUBLING.trust([sighting(0.5, 0.4)])

    assert one.reading.best == parse_card("R5")
    assert one.reading.score == pytest.approx(0.25)
    assert one.reading.options[1][1] == pytest.approx(0.25)  # never above the guess
    assert one.reading.stranger == pytest.approx(0.15)


def test_sure_follows_from_the_trusted_score_but_never_for_a_tiny_card() -> None:
    clear, doubtful, tiny = DOUBLING.trust(
        [sighting(0.99, 0.005), sighting(0.8, 0.1), sighting(0.99, 0.005, width_px=10.0)]
    )

    assert (clear.reading.sure, doubtful.reading.sure, tiny.reading.sure) == (True, False, False)


def test_what_names_no_card_stays_as_it_is() -> None:
    nothing = Sighting(box_quad(200, 200, (60, 84)), Reading((), sure=False, stranger=0.97), 0.8)

    assert DOUBLING.trust([nothing]) == (nothing,)


def test_a_manifest_without_calibration_loads_as_before_and_one_with_it_is_used(
    tmp_path: Path,
) -> None:
    models = install_toy_models(tmp_path)
    assert load_manifest(models).calibration is None

    with (models / "manifest.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(
            "\n[calibration]\nweights = [0, 1, 0, 0]\nscore = [0, 0.5, 1]\n"
            'right = [0, 0.25, 1]\nsure = 0.9\nrecipe = "by hand"\n'
        )

    assert load_pipeline(1, models).calibration == DOUBLING


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"weights": [1.0]}, "wanted 4 weights"),
        ({"score": [0.0, 0.6, 0.5]}, "must rise"),
        ({"right": [0.0, 0.6, 0.5]}, "must not fall"),
        ({"right": [0.0, 1.0]}, "of one length"),
        ({"sure": 1.5}, "between 0 and 1"),
        ({"sure": "often"}, "wanted weights, score, right, sure"),
    ],
)
def test_a_broken_calibration_is_refused_in_one_line(change: dict[str, object], match: str) -> None:
    table = {"weights": [0, 1, 0, 0], "score": [0, 0.5, 1], "right": [0, 0.25, 1], "sure": 0.9}

    with pytest.raises(ModelError, match=match):
        calibration_of({**table, **change})


def test_a_trial_is_right_only_where_that_very_card_lies() -> None:
    places = [box_quad(100 + 200 * number, 100, (80, 112)) for number in range(4)]
    cards = [
        TrueCard(parse_card("R5"), places[0]),
        TrueCard(parse_card("B2"), places[1]),
        TrueCard(None, places[2]),
    ]
    texts = ("R5", "B3", "G1", "P6")
    seen = [Sighting(q, parse_reading(t), 0.9) for q, t in zip(places, texts, strict=True)]

    trials = trials_of(cards, seen)

    assert [(one.right, one.ours) for one in trials] == [
        (True, True),
        (False, True),
        (False, False),  # a stranger taken for a card
        (False, False),  # an invention
    ]


def test_reliability_compares_what_is_said_with_what_comes_true() -> None:
    trials = [Trial(0.95, True, True)] * 3 + [Trial(0.95, False, True)] + [Trial(0.2, False, False)]

    low, high = reliability(trials)

    assert (low.low, low.count, low.right) == (0.2, 1, 0.0)
    assert (high.low, high.count, high.right) == (0.9, 4, 0.75)
    assert expected_error((low, high)) == pytest.approx((0.2 + 4 * 0.2) / 5)


def test_abstaining_keeps_the_clearest_and_counts_inventions_apart() -> None:
    trials = [Trial(0.9 - 0.01 * i, True, True) for i in range(19)]
    trials += [Trial(0.895, False, False), Trial(0.1, False, True)]

    at_95, whole = abstention(trials, (0.95, 1.0))

    assert (at_95.coverage, at_95.right) == (0.95, 1.0)
    assert at_95.right_all == pytest.approx(19 / 20)
    assert whole.right == pytest.approx(19 / 20)
    assert whole.from_score == 0.1
    assert abstention([]) == ()


def test_both_curves_are_drawn_and_told(tmp_path: Path) -> None:
    trials = [Trial(0.1 * i + 0.05, i > 4, True) for i in range(10)]

    paths = write_plots(tmp_path / "plots", "toy", trials)

    assert [path.name for path in paths] == ["reliability-toy.svg", "abstention-toy.svg"]
    for path in paths:
        assert len(ElementTree.parse(path).getroot().findall(".//{*}polyline")) == 2
    assert "mean gap" in trust_table("toy", trials)
