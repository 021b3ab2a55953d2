"""Clips of rounds obey the law, their truth adds up, and perfect eyes see all of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from shutil import which

import numpy as np
import pytest

from companion.errors import BadInput
from companion.night.replay import read_zones
from companion.night.round_bench import RoundsReport, run_rounds
from companion.night.round_score import event_key
from companion.settings import Settings
from companion.table.zones import check_zones
from datasets.workshop.rounds import (
    EyesFile,
    about_clip,
    claims_of,
    smaller,
    tables_of,
    truth_of,
    write_clip,
    write_story,
)
from datasets.workshop.rounds_film import RoundClip, RoundFilm, Seen
from datasets.workshop.rounds_recipe import MISHAPS, RoundsRecipe, draw_clip, read_rounds_recipe

RECIPE = read_rounds_recipe(
    Path(__file__).resolve().parents[2] / "datasets" / "recipes" / "rounds.toml"
)
CLIPS = range(RECIPE.rounds)


@pytest.fixture(scope="module")
def clips() -> list[RoundClip]:
    return [RoundClip.of(RECIPE, index) for index in CLIPS]


def test_the_recipe_has_every_edition_number_of_players_and_mishap() -> None:
    draws = [draw_clip(RECIPE, index) for index in CLIPS]
    assert len(draws) >= 20
    assert {(draw.players, draw.edition.value) for draw in draws} == {
        (players, edition) for players in (2, 3, 4, 5, 6) for edition in ("65", "72")
    }
    assert {slip for draw in draws for slip in draw.slips} >= set(MISHAPS)
    assert {draw.part == 0.0 for draw in draws} == {True, False}


def test_the_truth_of_every_clip_ends_on_the_tables_it_tells(clips: list[RoundClip]) -> None:
    for clip in clips:
        told = truth_of(clip)
        for known in tables_of(clip):
            table: Counter[str] = Counter()
            target: int | None = None
            for line in told:
                if line["at_s"] > known["at_s"]:
                    break
                kind, cards = event_key(line["event"])
                if kind == "laid":
                    table.update(cards)
                elif kind == "taken":
                    table.subtract(cards)
                elif kind.startswith("target"):
                    target = int(kind.rpartition(" ")[2])
                else:
                    target = 7
            assert table == Counter(known["table"])
            assert target in (known["target"], None)


def test_claims_are_right_and_wrong_and_some_say_tweak_too_early(clips: list[RoundClip]) -> None:
    claims = [claim for clip in clips for claim in claims_of(clip)]
    assert Counter(claim["verdict"] for claim in claims)["illegal"] >= 20
    early = [one for one in claims if one["said_tweak"] and not one["wins_tweak"]]
    assert any(one["verdict"] == "legal" for one in early)
    assert any(one["tweak"] for one in claims)
    assert any(one["spoken"] for one in claims)


def test_all_is_in_the_order_of_time_and_within_the_clip(clips: list[RoundClip]) -> None:
    for clip in clips:
        for lines in (truth_of(clip), tables_of(clip), claims_of(clip)):
            times = [line["at_s"] for line in lines]
            assert times == sorted(times)
            assert not times or times[-1] <= clip.lasts_s


def test_the_idle_clip_lasts_and_nothing_happens_in_it() -> None:
    clip = RoundClip.of(RECIPE, RECIPE.rounds, idle=True)
    assert clip.lasts_s >= 60 * RECIPE.idle_minutes
    assert {line["at_s"] for line in truth_of(clip)} == {0.0}
    assert claims_of(clip) == []
    assert about_clip(clip)["idle"]


def test_zones_of_every_clip_are_sound(clips: list[RoundClip], tmp_path: Path) -> None:
    for clip in clips[:5]:
        write_story(clip, tmp_path)
        assert check_zones(read_zones(tmp_path / "zones.json")).deck is not None


def test_a_hand_is_out_of_the_picture_before_and_after(clips: list[RoundClip]) -> None:
    recipe = smaller(replace(RECIPE, fps=4), 320)
    film = RoundFilm(RoundClip.of(recipe, 4))
    first = [bgr for bgr, _ in film.frames(until_s=1.5)]
    assert {bgr.shape for bgr in first} == {(180, 320, 3)}
    assert max(float(np.abs(first[0].astype(int) - bgr).mean()) for bgr in first) < 6


def test_perfect_eyes_are_written_by_changes() -> None:
    eyes, quad = EyesFile(), ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    one, two = Seen("R5", quad), Seen("G1", quad)
    for frame, seen in enumerate([[one], [one], [two, one], [two, one], []]):
        eyes.add(frame, seen)
    assert [line["frame"] for line in eyes.lines] == [0, 2, 4]
    assert [line["cards"] for line in eyes.lines] == [[0], [1, 0], []]
    assert [len(line["new"]) for line in eyes.lines] == [1, 1, 0]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> RoundsReport:
    """A few seconds of a round with all its files, played with perfect eyes."""
    if which("ffmpeg") is None:
        pytest.skip("writing a clip needs ffmpeg")
    folder = tmp_path_factory.mktemp("rounds")
    recipe = smaller(replace(RECIPE, turns=(3, 3), mishaps=0), 480)
    write_clip(RoundClip.of(recipe, 2), folder / "one")
    return run_rounds([folder], None, Settings())


def test_with_perfect_eyes_all_of_a_short_clip_comes_out_right(report: RoundsReport) -> None:
    assert report.misses == ()
    assert (report.precision, report.recall, report.targets) == (1.0, 1.0, 1.0)
    found = report.to_json()
    assert found["claims"] == found["verdicts_right"] > 0


def test_the_report_is_one_table_and_one_json_object(report: RoundsReport) -> None:
    assert "perfect eyes" in report.table()
    assert json.loads(json.dumps(report.to_json()))["eyes"] == "true"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('name = "x"\nseed = 1', "needs 'rounds'"),
        ('name = "x"\nseed = 1\nrounds = 1\nplayer = [2]', "did you mean players"),
        ('name = "x"\nseed = 1\nrounds = 1\nplayers = [7]', "2 to 6 players"),
        ('name = "x"\nseed = 1\nrounds = 1\neditions = ["66"]', "66"),
    ],
)
def test_a_wrong_recipe_of_rounds_is_one_line(tmp_path: Path, text: str, wanted: str) -> None:
    path = tmp_path / "rounds.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=wanted):
        read_rounds_recipe(path)


def test_the_same_draw_makes_the_same_clip() -> None:
    recipe = RoundsRecipe("x", 3, 2)
    assert truth_of(RoundClip.of(recipe, 1)) == truth_of(RoundClip.of(recipe, 1))
    assert truth_of(RoundClip.of(recipe, 0)) != truth_of(RoundClip.of(recipe, 1))
