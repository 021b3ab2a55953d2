"""Stories about a doubted play, judged on what two still pictures show of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.editions import Edition
from companion.rules.verdict import Ruling
from companion.table.evidence import Declaration, scene_of
from companion.table.play import NO_TWEAK, Play, play_between, rule_on_play
from companion.table.referee import About, Ruled
from companion.table.scene import Scene
from tests.table.scenes import read_as, reading

NOTHING = Declaration(None)


def judged(play: Play, said: Declaration = NOTHING) -> Ruled:
    return rule_on_play(play, said, Edition("65"))


def swept(table: list[str], target: str | None, *places: int, jokers: bool = False) -> Play:
    scene = scene_of(table, target)
    return Play(scene, taken=tuple(scene.table[place] for place in places), jokers=jokers)


def with_doubt(scene: Scene, place: int, **options: float) -> Scene:
    table = list(scene.table)
    table[place] = read_as(table[place], reading(options))
    return replace(scene, table=tuple(table))


def test_what_went_and_what_came_is_told_by_places() -> None:
    before = scene_of(["R1", "Y3", "G5"], "#9")
    play = play_between(before, replace(before, table=before.table[2:]), laid_last="Y3")
    assert [str(one.reading) for one in play.taken] == ["R1"]
    assert play.beside is before.table[1]
    assert play.laid == ()


def test_a_card_that_went_alone_is_no_hand_card_laid_beside_others() -> None:
    before = scene_of(["R1", "Y3"], "#9")
    play = play_between(before, replace(before, table=before.table[1:]), laid_last="R1")
    assert (play.beside, play.taken) == (None, before.table[:1])


@pytest.mark.parametrize("hand", ["5", "G5"])
def test_the_hand_card_told_settles_it(hand: str) -> None:
    play = swept(["R1", "Y3", "B6"], "#9", 0, 1)
    assert judged(play).verdict.ruling is Ruling.UNCLEAR
    assert judged(play, replace(NOTHING, hand=hand)).verdict.legal
    assert not judged(play, replace(NOTHING, hand="G4")).verdict.legal


def test_equal_cards_are_told_apart_by_their_places() -> None:
    play = swept(["R1", "R1", "B6"], "#8", 0, 1)
    ruled = judged(play, replace(NOTHING, hand="6"))
    assert ruled.verdict.legal
    assert [str(card) for card in ruled.verdict.won] == ["R1", "R1"]
    assert not ruled.verdict.wins_tweak


def test_too_much_is_illegal_whatever_the_hand_card_was() -> None:
    ruled = judged(swept(["R4", "Y6"], "#9", 0, 1))
    assert (ruled.verdict.ruling, ruled.question) == (Ruling.ILLEGAL, None)
    assert ruled.verdict.reason == (
        "the table cards make 4 + 6 = 10, and no card from the hand makes it 9"
    )


def test_a_joker_that_may_have_been_played_is_reckoned_with() -> None:
    nine = swept(["R4", "Y5"], "#9", 0, 1)
    assert judged(nine).verdict.ruling is Ruling.ILLEGAL
    ruled = judged(replace(nine, jokers=True))
    assert ruled.ask == (
        "tell me the card from the hand: only with a Joker it can be right, with a 1"
    )
    told = replace(NOTHING, hand="1")
    asked = judged(replace(nine, jokers=True), told)
    assert asked.question is not None
    assert asked.question.about is About.TWEAK
    assert judged(replace(nine, jokers=True), replace(told, tweak="joker+1")).verdict.legal
    plain = judged(replace(nine, jokers=True), replace(told, tweak=NO_TWEAK))
    assert plain.verdict.ruling is Ruling.ILLEGAL


def test_a_target_that_nobody_can_read_is_asked_for() -> None:
    ruled = judged(swept(["R1", "Y3"], None, 0))
    assert ruled.ask == "show me the top card of the deck"


def test_a_doubtful_card_is_asked_for_once_the_hand_card_is_known() -> None:
    scene = with_doubt(scene_of(["R1", "B3"], "#9"), 1, B2=0.5, B3=0.45)
    play = Play(scene, taken=scene.table)
    ruled = judged(play, replace(NOTHING, hand="5"))
    assert ruled.ask == "show me the card that is blue 2 or blue 3"
    known = ((scene.table[1], scene_of(["B3"]).table[0].reading.best),)
    settled = rule_on_play(play, replace(NOTHING, hand="5"), Edition("65"), None, known)  # type: ignore[arg-type]
    assert settled.verdict.legal


def test_a_doubtful_card_that_changes_nothing_is_not_mentioned() -> None:
    scene = with_doubt(scene_of(["R4", "B6"], "#9"), 1, B6=0.5, B5=0.45)
    ruled = judged(Play(scene, taken=scene.table))
    assert (ruled.verdict.ruling, ruled.ask) == (Ruling.ILLEGAL, None)
    assert ruled.cases > 1


def test_one_card_laid_is_a_turn_and_several_at_once_are_left_open() -> None:
    scene = scene_of(["R1"], "#9")
    new = scene_of(["G5", "B2"]).table
    assert judged(Play(scene, laid=new[:1])).verdict.rules == ("T6",)
    several = judged(Play(scene, laid=new)).verdict
    assert several.ruling is Ruling.UNCLEAR
    assert several.reason.startswith("2 cards came to the table together")
