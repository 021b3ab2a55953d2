"""Stories about claims, judged on what was seen and over all that it may have been."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import BadClaim, UnknownCard
from companion.rules.editions import Edition
from companion.rules.verdict import Ruling
from companion.table.referee import Declaration, Evidence, Ruled, evidence_for, rule_on, scene_of
from companion.table.scene import Scene
from tests.table.scenes import card, read_as, reading

BOX = Edition("65")


def judged(declaration: Declaration, scene: Scene, before: Scene | None = None) -> Ruled:
    return rule_on(declaration, Evidence(scene, before), BOX)


def answer(ruled: Ruled) -> tuple[str, str | None]:
    return ruled.verdict.ruling.value, ruled.ask


SUM = Declaration("G5", ("R1", "Y3"))
DOUBTFUL = reading({"B2": 0.6, "B3": 0.38})


def test_a_tweak_is_legal_and_wins() -> None:
    ruled = judged(replace(SUM, said_tweak=True), scene_of(["R1", "Y3"], "#9"))
    assert answer(ruled) == ("legal", None)
    assert ruled.verdict.wins_tweak
    assert (ruled.verdict.points, ruled.cases) == (8, 1)


def test_a_wrong_sum_is_illegal() -> None:
    assert answer(judged(SUM, scene_of(["R1", "Y3"], "#8"))) == ("illegal", None)


def test_a_card_left_on_the_table_wins_no_tweak() -> None:
    ruled = judged(replace(SUM, said_tweak=True), scene_of(["R1", "Y3", "P6"], "#9"))
    assert ruled.verdict.ruling is Ruling.LEGAL
    assert not ruled.verdict.wins_tweak


def test_doubt_that_cannot_change_the_answer_is_not_mentioned() -> None:
    scene = scene_of(["R1", "Y3?O3", "P6?P5"], "#9")
    ruled = judged(SUM, scene)
    assert answer(ruled) == ("legal", None)
    assert [str(won) for won in ruled.verdict.won] == ["G5", "R1", "Y3"]
    assert ruled.cases == 2


def test_doubt_that_matters_names_the_card_to_show() -> None:
    scene = scene_of(["R1", "B2"], "#8")
    scene = replace(scene, table=(scene.table[0], read_as(scene.table[1], DOUBTFUL)))
    ruled = judged(Declaration("G5", ("R1", "B2")), scene)
    assert answer(ruled) == ("unclear", "show me the card that is blue 2 or blue 3")
    assert ruled.question is not None
    assert [str(one) for one in ruled.question.options] == ["B2", "B3"]


def test_a_claim_wrong_under_every_reading_is_illegal() -> None:
    scene = scene_of(["R1", "B2"], "#10")
    scene = replace(scene, table=(scene.table[0], read_as(scene.table[1], DOUBTFUL)))
    assert answer(judged(Declaration("G5", ("R1", "B2")), scene)) == ("illegal", None)


def test_a_doubtful_target_asks_for_the_top_of_the_deck() -> None:
    scene = replace(scene_of(["R1", "Y3"]), target=reading({"#9": 0.5, "#7": 0.45}))
    asked = "show me the top card of the deck: it is 9 or 7"
    assert answer(judged(SUM, scene)) == ("unclear", asked)


def test_an_unseen_target_asks_for_the_top_of_the_deck() -> None:
    asked = "show me the top card of the deck"
    assert answer(judged(SUM, scene_of(["R1", "Y3"]))) == ("unclear", asked)


def test_with_the_deck_gone_the_target_is_seven() -> None:
    ruled = judged(Declaration("G5", ("R2",)), scene_of(["R2"], deck_gone=True))
    assert answer(ruled) == ("legal", None)


def test_a_claimed_card_that_is_not_there_is_named() -> None:
    with pytest.raises(BadClaim, match=r"Y3 is not on the table.*there lay R1, P6"):
        judged(SUM, scene_of(["R1", "P6"], "#9"))


def test_one_card_cannot_be_claimed_twice() -> None:
    with pytest.raises(BadClaim, match="R2 is not on the table"):
        judged(Declaration("G5", ("R2", "R2")), scene_of(["R2", "P6"], "#9"))


def test_a_card_that_cannot_be_read_may_be_the_claimed_one() -> None:
    asked = "show me the card that I cannot read"
    assert answer(judged(SUM, scene_of(["R1", "?"], "#9"))) == ("unclear", asked)


def test_a_card_that_cannot_be_read_only_counts_as_left_when_it_is_not_claimed() -> None:
    ruled = judged(replace(SUM, said_tweak=True), scene_of(["R1", "Y3", "?"], "#9"))
    assert answer(ruled) == ("legal", None)
    assert not ruled.verdict.wins_tweak


def test_a_card_that_may_not_be_there_matters_for_a_tweak_only() -> None:
    scene = scene_of(["R1", "Y3"], "#9")
    ghost = card("P4", (500, 200), found=0.3)
    scene = replace(scene, table=(*scene.table, ghost))
    assert answer(judged(SUM, scene)) == ("legal", None)
    asked = "tell me whether purple 4 still lies on the table"
    assert answer(judged(replace(SUM, said_tweak=True), scene)) == ("unclear", asked)


def test_the_joker_moves_the_target() -> None:
    ruled = judged(replace(SUM, tweak="joker-1"), scene_of(["R1", "Y3"], "#10"))
    assert answer(ruled) == ("legal", None)
    with pytest.raises(BadClaim, match="one of joker"):
        judged(replace(SUM, tweak="ace"), scene_of(["R1", "Y3"], "#10"))


def test_the_hand_card_laid_beside_the_others_is_no_table_card() -> None:
    before, after = scene_of(["R1", "Y3"], "#9"), scene_of(["R1", "Y3", "G5"], "#9")
    ruled = judged(replace(SUM, said_tweak=True), after, before)
    assert ruled.verdict.wins_tweak
    assert [str(one.reading) for one in ruled.table] == ["R1", "Y3"]


def test_a_twin_of_the_hand_card_that_lay_there_before_stays_a_table_card() -> None:
    before = scene_of(["G5", "R1", "Y3"], "#9")
    ruled = judged(replace(SUM, said_tweak=True), before, scene_of(["G5"], "#9"))
    assert not ruled.verdict.wins_tweak


def test_the_hand_card_is_seen_where_it_was_not_said() -> None:
    before, after = scene_of(["R1", "Y3"], "#9"), scene_of(["R1", "Y3", "G5"], "#9")
    ruled = judged(replace(SUM, hand=None), after, before)
    assert (str(ruled.hand), ruled.verdict.ruling) == ("G5", Ruling.LEGAL)
    with pytest.raises(BadClaim, match="say which card came from the hand"):
        judged(replace(SUM, hand=None), after)


def test_a_card_laid_is_always_legal() -> None:
    assert answer(judged(Declaration("G5"), scene_of(["R1", "?"], "#9"))) == ("legal", None)


def test_a_text_that_is_no_card_is_refused() -> None:
    with pytest.raises(UnknownCard):
        judged(Declaration("G9", ("R1",)), scene_of(["R1"], "#9"))


def test_a_reading_that_the_box_cannot_hold_is_passed_over() -> None:
    scene = scene_of(["R4", "Y3"], "#8")
    doubtful = read_as(scene.table[0], reading({"R5": 0.5, "R4": 0.45}))
    scene = replace(scene, table=(doubtful, scene.table[1]))
    assert answer(judged(Declaration("R5", ("Y3",)), scene)) == ("legal", None)
    with pytest.raises(BadClaim, match="R4"):
        judged(Declaration("R4", ("R4",)), scene_of(["R4"], "#8"))


def test_a_dozen_doubtful_cards_are_judged_at_once() -> None:
    many = scene_of(["R1?R2?R3"] * 12, "#9")
    ruled = judged(Declaration("G5", ("R1", "R3")), many)
    assert ruled.verdict.ruling is Ruling.UNCLEAR
    assert ruled.cases <= 1000


def test_the_evidence_is_the_newest_still_picture_from_before_the_claim() -> None:
    history = [
        replace(scene_of(["R1"], "#9"), at_s=1.0),
        replace(scene_of(["R1", "Y3"], "#9"), at_s=5.0),
        replace(scene_of(["P6"], "#8"), at_s=20.0),
    ]
    found = evidence_for(history, 10.0, SUM)
    assert found is not None
    assert found.scene.at_s == 5.0
    assert found.before is history[0]


def test_cards_swept_up_before_the_tap_are_found_in_the_picture_before() -> None:
    history = [
        replace(scene_of(["R1", "Y3"], "#9"), at_s=5.0),
        replace(scene_of([], "#8"), at_s=9.0),
    ]
    found = evidence_for(history, 10.0, SUM)
    assert found is not None
    assert found.scene.at_s == 5.0


def test_without_a_picture_there_is_no_evidence() -> None:
    assert evidence_for([], 10.0, SUM) is None
    assert evidence_for([replace(scene_of(["R1"]), at_s=11.0)], 10.0, SUM) is None
