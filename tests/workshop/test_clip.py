"""The demo clip's round obeys the law, its truth conserves cards, and it can be drawn."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from shutil import which

import cv2
import numpy as np
import pytest

from companion.errors import BadInput
from companion.rules.cards import Colour, parse_number_card
from companion.rules.claim import claim_from_json, judge
from companion.rules.editions import number_cards
from companion.rules.verdict import Ruling
from companion.table.values import Zones
from companion.table.zones import check_zones
from datasets.workshop.clip import Clip, ClipRecipe, Film, VideoFile, read_clip_recipe
from datasets.workshop.clip_plan import NAMES, tweak_piece
from datasets.workshop.story import LAST_TARGET, Story, Turn, shows_everything, tell

RECIPES = Path(__file__).resolve().parents[2] / "datasets" / "recipes"
COLOURS = (Colour.RED, Colour.GREEN)


@pytest.fixture(scope="module")
def clip() -> Clip:
    return Clip.of(read_clip_recipe(RECIPES / "demo.toml"))


def test_the_demo_shows_everything_within_two_minutes(clip: Clip) -> None:
    assert shows_everything(clip.story)
    assert 80 <= clip.lasts_s <= 115


@pytest.mark.parametrize("seed", range(40))
def test_every_told_round_conserves_its_cards(seed: int) -> None:
    story = tell(seed, COLOURS)
    ends = [*story.won_by(0), *story.won_by(1), *story.left]
    assert sorted(card.number for card in ends) == list(range(18))
    assert Counter(card.front for card in ends) == Counter(number_cards(COLOURS))


@pytest.mark.parametrize("seed", range(40))
def test_every_claim_of_a_told_round_is_judged_as_it_is_told(seed: int) -> None:
    for turn, gone in _turns_with_deck(tell(seed, COLOURS)):
        if turn.legal is None:
            continue
        verdict = judge(
            claim_from_json(
                {
                    "edition": "65",
                    "target": turn.target,
                    "deck_empty": gone,
                    "table": [str(card.front) for card in turn.table],
                    "hand": str(turn.played.front),
                    "taken": [str(card.front) for card in turn.joined],
                    "tweak": turn.tweak,
                    "said_tweak": turn.is_tweak,
                    "spoken": turn.spoken,
                }
            )
        )
        assert (verdict.ruling is Ruling.LEGAL) == turn.legal
        assert verdict.wins_tweak == (turn.won is not None)


def _turns_with_deck(story: Story) -> list[tuple[Turn, bool]]:
    left, found = 10, []
    for turn in story.turns:
        found.append((turn, left == 0))
        left -= len(turn.drawn) + len(turn.filled)
    return found


def test_a_wrong_claim_is_spoken_as_if_it_were_right() -> None:
    wrong = [t for seed in range(9) for t in tell(seed, COLOURS).turns if t.legal is False]
    assert wrong
    for turn in wrong:
        assert turn.spoken.endswith(f"is {turn.target}")


def test_the_truth_can_be_played_through_on_an_empty_table(clip: Clip) -> None:
    table: Counter[str] = Counter()
    target, said = "?", []
    for line in clip.truth():
        event = str(line["event"])
        said.append(event)
        if event.endswith(" laid"):
            table[event.removesuffix(" laid")] += 1
        elif event.endswith(" taken"):
            names = event.removesuffix(" taken").replace(" and ", ", ").split(", ")
            table.subtract(names)
            assert min(table.values()) >= 0
        elif event.startswith("target "):
            before, after = event.removeprefix("target ").split(" → ")
            assert before == target
            assert after != before
            target = after
        elif event == "cleared":
            assert not +table
    assert said.count("deck gone") == 1
    assert not +table


def test_truth_and_script_are_in_the_order_of_time(clip: Clip) -> None:
    for lines in (clip.truth(), clip.script()):
        times = [float(str(line["at_s"])) for line in lines]
        assert times == sorted(times)
        assert times[-1] < clip.lasts_s


def test_the_script_claims_what_lies_on_the_table(clip: Clip) -> None:
    events = [(float(str(line["at_s"])), str(line["event"])) for line in clip.truth()]
    for step in clip.script():
        if step["do"] != "claim":
            continue
        table: Counter[str] = Counter()
        for at_s, event in events:
            if at_s > float(str(step["at_s"])):
                break
            if event.endswith(" laid"):
                table[event.removesuffix(" laid")] += 1
            elif event.endswith(" taken"):
                table.subtract(event.removesuffix(" taken").replace(" and ", ", ").split(", "))
        taken = step["taken"]
        assert isinstance(taken, list)
        needed = Counter([str(step["hand"]), *taken])
        assert not needed - table


def test_the_counts_of_the_script_are_the_cards_won(clip: Clip) -> None:
    confirms = {step["player"]: step["tweaks"] for step in clip.script() if step["do"] == "confirm"}
    for seat, name in enumerate(NAMES):
        assert confirms[name] == [str(card) for card in clip.story.tweaks_of(seat)]


def test_the_zones_are_sound(clip: Clip) -> None:
    quads = {name: tuple((x, y) for x, y in quad) for name, quad in clip.zones().items()}
    deck, table = quads["deck"], quads["table"]
    assert len(deck) == len(table) == 4
    check_zones(Zones(deck=(deck[0], deck[1], deck[2], deck[3])))
    check_zones(Zones(table=(table[0], table[1], table[2], table[3])))


def test_at_the_end_of_the_deck_the_target_is_seven(clip: Clip) -> None:
    gone = next(float(str(t["at_s"])) for t in clip.truth() if t["event"] == "deck gone")
    plan = next(p for p in clip.plans if p.moved_s >= gone - 0.01)
    lying = plan.at(gone + 0.2).lying
    assert {one.piece for one in lying if abs(one.spot.x - 4.6) < 0.5} == {"seven"}
    assert all(turn.target == LAST_TARGET for turn, empty in _turns_with_deck(clip.story) if empty)


def test_no_piece_is_twice_on_the_table(clip: Clip) -> None:
    for at_s in np.arange(0, clip.lasts_s, 0.37):
        plan = next((p for p in reversed(clip.plans) if at_s >= p.start_s), clip.plans[0])
        now = plan.at(float(at_s))
        pieces = [one.piece for one in (*now.lying, *now.carried)]
        assert len(pieces) == len(set(pieces))


def test_the_same_recipe_tells_the_same_and_another_seed_does_not() -> None:
    recipe = ClipRecipe(deck=1, story=8554, seed=1)
    assert Clip.of(recipe).truth() == Clip.of(recipe).truth()
    assert Clip.of(recipe).truth() != Clip.of(replace(recipe, story=698)).truth()


def test_some_seconds_are_drawn_and_written(clip: Clip, tmp_path: Path) -> None:
    recipe = replace(clip.recipe, width_px=320, height_px=180, card_px=22.0)
    frames = list(Film(Clip.of(recipe)).frames(until_s=2.4))
    assert len(frames) == 24
    assert {frame.shape for frame in frames} == {(180, 320, 3)}
    still = [float(np.abs(a.astype(int) - b).mean()) for a, b in pairwise(frames)]
    assert max(still[:14]) < max(still) / 2
    if which("ffmpeg") is None:
        pytest.skip("writing the clip needs ffmpeg")
    with VideoFile(tmp_path / "clip.mp4", recipe) as video:
        for frame in frames:
            video.write(frame)
    read = cv2.VideoCapture(str(tmp_path / "clip.mp4"))
    assert sum(1 for _ in iter(lambda: read.read()[0], False)) == 24


def test_what_lies_beside_the_bundled_clip_is_what_its_recipe_tells(clip: Clip) -> None:
    folder = RECIPES.parents[1] / "calibration" / "demo"
    for name, lines in (("truth", clip.truth()), ("script", clip.script())):
        text = (folder / f"{name}.jsonl").read_text(encoding="utf-8")
        assert [json.loads(line) for line in text.splitlines()] == json.loads(json.dumps(lines))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("deck = 1\nstory = 1", "needs 'seed'"),
        ("deck = 1\nstory = 1\nseed = 1\ntabel = 'wood'", "did you mean table"),
        ("deck", "is no TOML"),
    ],
)
def test_a_wrong_clip_recipe_is_one_line(tmp_path: Path, text: str, wanted: str) -> None:
    path = tmp_path / "clip.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=wanted):
        read_clip_recipe(path)


def test_a_piece_of_the_stack_has_a_name() -> None:
    assert tweak_piece(3) == "t3"
    assert parse_number_card("R5").value == 5
