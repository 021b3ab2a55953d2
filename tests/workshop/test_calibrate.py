"""Fitting how far scores can be trusted, and the figures of the model cards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadInput
from companion.vision.manifest import load_manifest
from datasets.workshop.calibrate import Reports, fit, write_calibration
from datasets.workshop.model_cards import BEGIN, END, fill_card
from tests.vision.toy import install_toy_models


def overconfident(count: int = 6000) -> Reports:
    """Reports of a reader that says twice the logit that it should."""
    rng = np.random.default_rng(5)
    true_logit = rng.normal(1.5, 1.5, count)
    right = rng.random(count) < 1.0 / (1.0 + np.exp(-true_logit))
    features = np.column_stack([2.0 * true_logit, rng.normal(0, 1, (count, 2))])
    return Reports(features, right.astype(np.float64))


def test_an_overconfident_reader_is_believed_less() -> None:
    reports = overconfident()

    fitted = fit(reports, sure=0.9)

    assert fitted.weights[1] == pytest.approx(0.5, abs=0.06)
    (chance,) = fitted.chances(np.array([[np.log(0.9 / 0.1), 0.0, 0.0]]))
    assert chance == pytest.approx(0.75, abs=0.03)  # half the logit of 0.9

    # What was sure is sure still, and says how often it is right
    before = 1.0 / (1.0 + np.exp(-reports.features[:, 0])) >= 0.9
    after = fitted.chances(reports.features) >= fitted.sure
    assert np.mean(before == after) > 0.999
    assert reports.right[after].mean() == pytest.approx(
        fitted.chances(reports.features)[after].mean(), abs=0.01
    )


def test_too_few_reports_are_refused() -> None:
    few = overconfident(20)

    with pytest.raises(BadInput, match="wants 50 reports or more"):
        fit(few, sure=0.8)


def test_the_manifest_keeps_its_models_and_one_calibration(tmp_path: Path) -> None:
    models = install_toy_models(tmp_path)
    before, fitted = load_manifest(models), fit(overconfident(), sure=0.8)

    write_calibration(models, fitted, "first")
    write_calibration(models, fitted, "second")

    after = load_manifest(models)
    assert (after.detector, after.reader) == (before.detector, before.reader)
    assert after.calibration == fitted
    assert (models / "manifest.toml").read_text(encoding="utf-8").count("[calibration]") == 1


def a_report() -> dict[str, object]:
    tally = {"pictures": 3, "labels": 12, "found_share": 0.9375, "strangers_sure_share": None}
    names = ("invented", "read", "colour", "value", "guess", "sure", "sure_right", "exact")
    row = {**tally, **{f"{name}_share": 0.5 for name in (*names, "exact_guess")}}
    curve = [{"coverage": 0.951, "from_score": 0.7, "right": 0.9951, "right_all": 0.99}]
    bins = [{"low": 0.9, "count": 12, "predicted": 0.97, "right": 0.96}]
    return {
        "accuracy": {"some/where/test": {"all": row}},
        "trust": {
            "some/where/test": {
                "reports": 12, "expected_error": 0.01, "reliability": bins, "abstention": curve,
            }
        },
        "speed": None,
        "still": {"core_share": 0.034},
    }  # fmt: skip


def test_a_card_s_figures_come_from_the_bench_and_the_rest_stays(tmp_path: Path) -> None:
    card = tmp_path / "detector.md"
    card.write_text(f"# The detector\n\n{BEGIN}\nold\n{END}\n\n## Misses\n", encoding="utf-8")

    fill_card(card, a_report())
    once = card.read_text(encoding="utf-8")
    fill_card(card, a_report())

    assert card.read_text(encoding="utf-8") == once
    assert once.startswith("# The detector\n")
    assert once.endswith("\n\n## Misses\n")
    assert "| all | 3 | 12 | 0.938 |" in once
    assert "0.9951 right at 0.951 of the cards" in once
    assert "3.4 % of one core" in once
    assert "old" not in once


def test_a_card_without_a_place_and_a_report_of_another_kind_are_named(tmp_path: Path) -> None:
    card = tmp_path / "reader.md"
    card.write_text("# The reader\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no place for figures"):
        fill_card(card, a_report())
    card.write_text(f"{BEGIN}{END}", encoding="utf-8")
    with pytest.raises(BadInput, match="no report of companion bench"):
        fill_card(card, {"accuracy": 3})
