"""Counting as the photographs' note asks, and the bench's table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import BadInput, NotFound
from companion.rules.cards import parse_card
from companion.vision.bench import BenchOptions, BenchReport, run_bench
from companion.vision.bench_labels import LabelledPicture, load_labels
from companion.vision.bench_settled import FRAMES, jittered_frames
from companion.vision.bench_slices import EASY, slices_of
from companion.vision.opencv import cv2
from companion.vision.pictures import read_image
from companion.vision.score import MissKind, Tally, TrueCard, pair, score_picture
from companion.vision.values import Quad, Sighting, parse_reading
from tests.vision.toy import BLUE_BGR, RED_BGR, box_quad, install_toy_models, paint


def place(number: int) -> Quad:
    """Where the n-th card lies; far from all others."""
    return box_quad(100 + 200 * number, 100, (80, 112))


def there(number: int, text: str, visible: float = 1.0) -> TrueCard:
    card = None if text == "stranger" else parse_card(text)
    return TrueCard(card, place(number), visible, text)


def seen(number: int, text: str) -> Sighting:
    return Sighting(place(number), parse_reading(text), found=0.9)


def labelled(folder: Path, cards: list[dict[str, Any]]) -> Path:
    """A folder with one photograph of a red and a blue card, labelled as given."""
    bgr = np.zeros((360, 640, 3), dtype=np.uint8)
    paint(bgr, box_quad(200, 150, (80, 112), turn_deg=30), RED_BGR)
    paint(bgr, box_quad(420, 200, (80, 112)), BLUE_BGR)
    (folder / "images").mkdir(parents=True)
    cv2.imwrite(str(folder / "images" / "a.png"), bgr)
    record = {"image": "images/a.png", "set": "toy", "width": 640, "height": 360, "cards": cards}
    (folder / "labels.json").write_text(json.dumps([record]), encoding="utf-8")
    return folder


def front(colour: str, value: int, quad: Quad) -> dict[str, Any]:
    corners = [list(corner) for corner in quad]
    return {"face": "front", "colour": colour, "value": value, "quad": corners, "visible": 1.0}


RED_AT, BLUE_AT = box_quad(200, 150, (80, 112), turn_deg=30), box_quad(420, 200, (80, 112))


def test_a_table_read_right_is_exact() -> None:
    tally, misses = score_picture([there(0, "R5"), there(1, "#9")], [seen(1, "#9"), seen(0, "R5")])

    assert tally == Tally(
        pictures=1, exact=1, exact_guess=1, labels=2, found=2, numbers=1, both=1, colour=1, value=1,
        guess=1, sure=2, sure_right=2,
    )  # fmt: skip
    assert misses == ()


def test_what_pairs_with_nothing_is_invented_and_what_is_not_seen_is_not_found() -> None:
    tally, misses = score_picture([there(0, "R5")], [seen(1, "R5")])

    assert (tally.labels, tally.found, tally.invented, tally.exact) == (1, 0, 1, 0)
    assert [miss.kind for miss in misses] == [MissKind.INVENTED, MissKind.NOT_FOUND]


def test_colour_and_value_count_apart() -> None:
    cards = [there(0, "R5"), there(1, "R5"), there(2, "R5")]
    tally, misses = score_picture(cards, [seen(0, "R5"), seen(1, "R6"), seen(2, "O5")])

    assert (tally.numbers, tally.both, tally.colour, tally.value) == (3, 1, 2, 2)
    assert [miss.kind for miss in misses] == [MissKind.MISREAD] * 2


def test_a_doubt_counts_for_the_part_that_is_sure() -> None:
    tally, (miss,) = score_picture([there(0, "R5")], [seen(0, "R5?O5")])

    assert (tally.both, tally.colour, tally.value, tally.guess) == (0, 0, 1, 1)
    assert (tally.exact, tally.exact_guess, tally.sure) == (0, 1, 0)
    assert miss.kind is MissKind.UNSURE


def test_a_stranger_is_right_when_it_is_doubted() -> None:
    doubted, _ = score_picture([there(0, "stranger")], [seen(0, "R5?")])
    trusted, (miss,) = score_picture([there(0, "stranger")], [seen(0, "R5")])

    assert (doubted.found, doubted.strangers_sure, doubted.exact) == (1, 0, 1)
    assert (trusted.strangers, trusted.strangers_sure, trusted.exact) == (1, 1, 0)
    assert miss.kind is MissKind.STRANGER


def test_a_stranger_that_nobody_speaks_of_spoils_no_table() -> None:
    tally, (miss,) = score_picture([there(0, "R5"), there(1, "stranger")], [seen(0, "R5")])

    assert (tally.labels, tally.found, tally.exact, tally.exact_guess) == (2, 1, 1, 1)
    assert miss.kind is MissKind.NOT_FOUND


def test_a_card_under_half_in_sight_may_be_seen_or_not() -> None:
    cards = [there(0, "R5"), there(1, "B2", visible=0.3)]
    without, _ = score_picture(cards, [seen(0, "R5")], least_visible=0.5)
    misread, _ = score_picture(cards, [seen(0, "R5"), seen(1, "B3")], least_visible=0.5)

    for tally in (without, misread):
        assert (tally.exact, tally.invented, tally.labels) == (1, 0, 1)


def test_pairs_are_one_to_one_and_the_closest_come_first() -> None:
    here, near, far = (box_quad(x, 100, (80, 112)) for x in (100, 108, 400))

    assert pair([here], [near, here]) == {0: 1}
    assert pair([here, near], [near]) == {1: 0}
    assert pair([here], [far]) == {}


def test_half_over_each_other_is_no_pair() -> None:
    assert pair([box_quad(100, 100, (80, 112))], [box_quad(130, 100, (80, 112))]) == {}


def test_photographs_of_another_deck_become_our_cards_or_strangers(tmp_path: Path) -> None:
    wild = {**front("red", 1, BLUE_AT), "colour": None, "value": None, "symbol": "wild"}
    buried = {**front("red", 1, BLUE_AT), "quad": None}
    folder = labelled(tmp_path, [front("red", 5, RED_AT), front("red", 7, RED_AT), wild, buried])

    (picture,) = load_labels(folder)

    assert [card.card for card in picture.cards] == [parse_card("R5"), None, None]
    assert [card.text for card in picture.cards] == ["red 5", "red 7", "wild"]
    assert picture.least_visible == 0.0


def test_made_pictures_have_our_cards_and_slices(tmp_path: Path) -> None:
    line = {
        "image": "images/000000.jpg", "width": 640, "height": 360,
        "slices": {"lamp": "warm", "tilt": 12.5},
        "cards": [{"card": "T!bomb", "face": "tweak", "quad": RED_AT, "visible": 0.4},
                  {"card": "stranger", "face": "number", "quad": BLUE_AT, "visible": 1.0}],
    }  # fmt: skip
    (tmp_path / "labels.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")

    (picture,) = load_labels(tmp_path)

    assert [card.card for card in picture.cards] == [parse_card("T!bomb"), None]
    assert picture.path == tmp_path / "images" / "000000.jpg"
    assert slices_of([picture]) == [("lamp: warm", "tilt: 12.5")]


def test_many_numbers_are_put_into_quarters_and_easy_pictures_get_their_own_row() -> None:
    pictures = [
        LabelledPicture(Path("a.jpg"), {"tilt": float(tilt)}, (there(0, "R5"),), 0.5, 1280)
        for tilt in range(40)
    ]

    names = slices_of(pictures)

    assert names[0] == ("tilt: 0-9.25", EASY)
    assert len({row[0] for row in names}) == 4


def test_a_folder_without_labels_or_with_broken_ones_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"labels\.json"):
        load_labels(tmp_path)
    (tmp_path / "labels.json").write_text('[{"image": 3}]', encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read as labels"):
        load_labels(tmp_path)


def test_the_bench_measures_both_and_prints_one_table(tmp_path: Path) -> None:
    folder = labelled(tmp_path / "photos", [front("red", 5, RED_AT), front("blue", 3, BLUE_AT)])
    done: list[tuple[int, int]] = []
    options = BenchOptions(
        folders=(folder,),
        models_dir=install_toy_models(tmp_path / "models"),
        threads=1,
        misses_dir=tmp_path / "misses",
        speed_picture=folder / "images" / "a.png",
        rounds=3,
    )

    report = run_bench(options, lambda now, total: done.append((now, total)))

    everything = report.tallies[str(folder)]["all"]
    assert (everything.labels, everything.found, everything.both) == (2, 2, 1)
    assert (everything.colour, everything.value, everything.exact) == (2, 1, 0)
    assert done == [(1, 1)]
    assert report.still is not None
    assert report.still.looks < report.still.frames / 10
    assert "a still table" in report.table()
    assert report.speed is not None
    assert report.speed.cards == 2
    assert report.speed.ratio_to_bare > 1.0
    assert [path.name for path in report.misses] == ["misses.jpg", "images-a.jpg"]
    assert all(path.stat().st_size > 1000 for path in report.misses)
    assert "set: toy" in report.table()
    assert "networks alone" in report.table()
    shares = json.loads(json.dumps(report.to_json()))["accuracy"][str(folder)]["set: toy"]
    assert (shares["found_share"], shares["read_share"]) == (1.0, 0.5)


def test_settled_over_ten_frames_is_measured_apart_with_the_same_counting(tmp_path: Path) -> None:
    folder = labelled(tmp_path / "photos", [front("red", 5, RED_AT), front("blue", 5, BLUE_AT)])
    picture = folder / "images" / "a.png"
    # Softer edges than black beside red: a shift by parts of a pixel is no movement.
    cv2.imwrite(str(picture), read_image(picture) // 2 + 40)
    options = BenchOptions(
        settled_folders=(folder,),
        models_dir=install_toy_models(tmp_path / "models"),
        threads=1,
        rounds=0,
        plots_dir=tmp_path / "plots",
        at_most=1,
    )

    report = run_bench(options)

    rows = report.tallies[f"{folder} (settled)"]
    assert (rows["all"].found, rows["all"].invented, rows["all"].exact) == (2, 0, 1)
    assert [path.name for path in report.plots] == [
        "reliability-photos-settled.svg",
        "abstention-photos-settled.svg",
    ]
    trust = json.loads(json.dumps(report.to_json()))["trust"][f"{folder} (settled)"]
    assert trust["reports"] == 2
    assert "how far scores can be trusted" in report.table()


def test_ten_jittered_frames_differ_a_little_and_are_the_same_again() -> None:
    bgr = np.full((90, 160, 3), 120, dtype=np.uint8)
    bgr[30:60, 50:90] = 220

    frames, again = list(jittered_frames(bgr, 3)), list(jittered_frames(bgr, 3))

    assert len(frames) == FRAMES
    assert all(np.array_equal(one, other) for one, other in zip(frames, again, strict=True))
    assert not np.array_equal(frames[0], frames[1])
    apart = np.abs(frames[0].astype(float) - bgr)
    assert apart.mean() < 12


def test_true_corners_measure_the_reader_alone(tmp_path: Path) -> None:
    elsewhere = box_quad(420, 195, (70, 100), turn_deg=2)
    labels = [front("blue", 5, elsewhere), front("red", 5, box_quad(60, 300, (80, 112)))]
    options = BenchOptions(
        folders=(labelled(tmp_path / "photos", labels),),
        models_dir=install_toy_models(tmp_path / "models"),
        true_quads=True,
        rounds=0,
    )

    report = run_bench(options)

    (rows,) = report.tallies.values()
    assert (rows["all"].found, rows["all"].invented) == (2, 0)
    assert report.speed is None


def test_mirrors_are_counted_where_that_is_asked_for(tmp_path: Path) -> None:
    folder = labelled(tmp_path / "photos", [front("red", 5, RED_AT), front("blue", 5, BLUE_AT)])
    models = install_toy_models(tmp_path / "models")

    report = run_bench(BenchOptions(folders=(folder,), models_dir=models, rounds=0, mirrored=True))

    counts = {"pictures": 1, "false_alarms": 0, "mirrored": 1, "noticed": 0}
    assert report.to_json()["mirrors"] == {str(folder): counts}
    assert "mirrored pictures noticed 0 of 1, others called mirrored 0 of 1" in report.table()


def test_an_empty_report_is_an_empty_table() -> None:
    assert BenchReport().table() == ""
