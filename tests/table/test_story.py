"""Stories about what happened, told by the law from raw events."""

from __future__ import annotations

import pytest

from companion.errors import BadInput, NotFound
from companion.table.story import Choice, Story
from companion.table.story_values import Deed, Setting, Step
from companion.table.values import EventKind, TableEvent, parse_reading

TWO, THREE = Setting(players=2, first=0, cards=36), Setting(players=3, first=1, cards=36)


def laid(*cards: str) -> list[TableEvent]:
    return [TableEvent(EventKind.LAID, 0.0, 0, (parse_reading(card),)) for card in cards]


def taken(*cards: str) -> TableEvent:
    return TableEvent(EventKind.TAKEN, 0.0, 0, tuple(map(parse_reading, cards)))


def target(number: int) -> TableEvent:
    return TableEvent(EventKind.TARGET, 0.0, 0, after=number)


DECK_GONE = TableEvent(EventKind.DECK_GONE, 0.0, 0, before=9, after=7)
CLEARED = TableEvent(EventKind.CLEARED, 0.0, 0)


def told(
    *steps: list[TableEvent], setting: Setting = TWO, table: tuple[str, str] = ("R1", "Y3")
) -> Story:
    """A round dealt with two cards and the target 9, and then these steps, numbered 1, 2 …"""
    story = Story(setting).saw(0, Step((*laid(*table), target(9))))
    for number, events in enumerate(steps, start=1):
        story = story.saw(number, Step(tuple(events)))
    return story


def deeds(story: Story, step: int = -1) -> list[tuple[Deed, int | None]]:
    return [(one.deed, one.seat) for one in story.told[step].tale.happenings]


def others(story: Story) -> set[Deed]:
    return {tale.happenings[0].deed for tale in story.told[-1].others}


def test_the_turn_passes_from_who_the_law_lets_begin() -> None:
    story = told(laid("G5"), laid("B2"), laid("O1"), laid("P2"), setting=THREE)
    assert [deeds(story, step) for step in (1, 2, 3, 4)] == [
        [(Deed.LAID, 1)],
        [(Deed.LAID, 2)],
        [(Deed.LAID, 0)],
        [(Deed.LAID, 1)],
    ]


def test_a_hand_card_that_goes_straight_into_the_pile_is_inferred_and_said_so() -> None:
    story = told(laid("G5"), [taken("R1", "Y3")])
    (sum_made,) = story.told[-1].tale.happenings
    assert str(sum_made) == "a 5 from the hand, colour not seen, and R1 + Y3 make 9"
    assert (sum_made.seat, sum_made.hidden, sum_made.rules) == (1, True, ("T1",))
    assert [str(line) for line in story.running] == ["0", "8-9"]


def test_a_hidden_card_is_not_red_once_every_red_one_was_seen() -> None:
    story = told(laid("R5"), [taken("R1", "Y3")])
    assert str(story.running[1]) == "8"


def test_a_hand_card_laid_down_to_show_the_sum_is_seen_with_its_colour() -> None:
    story = told(laid("G5"), [taken("R1", "Y3", "G5")])
    assert str(story.told[-1].tale.happenings[0]) == "TWEAK: G5 and R1 + Y3 make 9"
    assert deeds(story) == [(Deed.TWEAK, 0)]
    assert [str(line) for line in story.running] == ["10", "0"]


def test_a_tweak_with_the_table_filled_at_once_and_a_later_target() -> None:
    story = told([taken("R1", "Y3"), *laid("B2", "P1"), target(8)])
    assert deeds(story) == [(Deed.TWEAK, 0), (Deed.FILLED, 0), (Deed.TARGET, None)]
    assert story.standing.seat == 1


def test_a_tweak_not_said_is_one_tap_away_and_wins_no_tweak_card() -> None:
    story = told([taken("R1", "Y3")])
    unsaid = next(tale for tale in story.told[-1].others if "D10" in tale.happenings[0].rules)
    story = story.choose(1, Choice(unsaid.key))
    assert str(story.running[0]) == "8-9"


def test_the_table_is_filled_one_card_after_the_other() -> None:
    story = told([taken("R1", "Y3")], laid("B2"), laid("P1"), laid("G1"))
    assert [deeds(story, step)[0][0] for step in (2, 3, 4)] == [
        Deed.FILLED,
        Deed.FILLED,
        Deed.LAID,
    ]


def test_two_equal_cards_are_two_cards() -> None:
    story = told(laid("Y3"), [taken("Y3")], [taken("R1", "Y3")])
    assert [one.cards for one in story.standing.won] == [("Y3", "6"), ("R1", "Y3", "5")]
    assert story.standing.table == ()


def test_what_no_rule_allows_is_told_with_its_rule_and_counts_for_nobody() -> None:
    story = told(laid("G5"), laid("B6"), [taken("G5", "B6")])
    (odd,) = story.told[-1].tale.happenings
    assert (odd.deed, odd.lawful, odd.rules) == (Deed.TAKEN, False, ("T1",))
    assert not story.told[-1].entered
    assert [line.high for line in story.running] == [0, 0]
    assert story.standing.seat is None
    kept = story.choose(3, Choice(story.told[-1].tale.key, 0))
    assert [line.low for line in kept.running] == [6, 0]


def test_a_joker_needs_a_card_won_in_a_tweak_before() -> None:
    story = told(laid("G5"), laid("B3"), [taken("R1", "Y3", "G5")])
    assert deeds(story)[0][0] is Deed.TAKEN
    jokers = [t.happenings[0] for t in story.told[-1].others if t.happenings[0].tweak]
    assert [(one.tweak, one.lawful, one.rules) for one in jokers] == [("joker+1", False, ("T5",))]


def test_a_thief_a_shifter_and_a_bomb_bring_cards_once_somebody_has_a_tweak_card() -> None:
    begun = [[taken("R1", "Y3"), *laid("B2", "P1")], laid("G1"), laid("O2")]
    story = told(*begun, [*laid("G6"), target(8)], setting=THREE)
    assert deeds(story)[0] == (Deed.LAID, 1)
    assert {Deed.THIEF, Deed.SHIFTER} <= others(story)
    story = told(*begun, laid("G6", "Y2"), setting=THREE)
    assert Deed.BOMB in {story.told[-1].tale.happenings[0].deed, *others(story)}


def test_a_tweak_card_that_leaves_its_place_makes_its_tale_the_likeliest() -> None:
    story = told([taken("R1", "Y3"), *laid("B2", "P1")])
    story = story.saw(2, Step(tuple(laid("O1")), faces=("T!thief",)))
    story = story.saw(3, Step(tuple(laid("G1")), faces=()))
    assert deeds(story)[0] == (Deed.THIEF, 0)
    assert story.standing.seat == 0


def test_a_tweak_card_gained_is_told_where_it_is_seen() -> None:
    story = Story(TWO).saw(0, Step((*laid("R1", "Y3"), target(9)), faces=()))
    story = story.saw(1, Step((taken("R1", "Y3"),), faces=("T!bomb",)))
    assert [one.deed for one in story.told[-1].tale.happenings] == [Deed.TWEAK, Deed.GAINED]


def test_a_doubtful_card_is_taken_as_the_law_allows_and_its_reading_stays() -> None:
    story = told(laid("B2?B3"), laid("P6"), [taken("B2?B3")])
    assert story.told[-1].tale.happenings[0].hand == "6"
    assert str(story.standing.won[0].cards[0]) == "B2?B3"


def test_an_unknown_target_makes_a_sum_with_a_card_not_seen() -> None:
    story = Story(TWO).saw(0, Step(tuple(laid("R1", "Y3")))).saw(1, Step((taken("R1"),)))
    assert str(story.told[-1].tale) == "R1 taken with a card not seen"
    assert str(story.running[0]) == "4-8"


def test_glare_over_a_card_takes_it_away_and_brings_it_back_and_nothing_happened() -> None:
    story = told(laid("G5"), [taken("Y3")], laid("Y3"))
    assert deeds(story) == [(Deed.BACK, None)]
    assert story.told[-2].returned
    assert [line.high for line in story.running] == [0, 0]
    assert story.standing.seat == 1


def test_another_card_of_the_same_kind_may_have_been_laid_instead() -> None:
    story = told(laid("G5"), [taken("Y3")], laid("Y3"))
    other = next(t for t in story.told[-1].others if t.happenings[0].deed is Deed.LAID)
    story = story.choose(3, Choice(other.key))
    assert not story.told[-2].returned
    assert story.running[1].cards == 2


def test_a_card_turned_over_is_a_misreading_one_tap_away() -> None:
    story = told([taken("Y3")])
    wrong = next(t for t in story.told[-1].others if t.happenings[0].deed is Deed.NOTHING)
    story = story.choose(1, Choice(wrong.key))
    assert (story.standing.seat, [line.high for line in story.running]) == (0, [0, 0])


def test_after_the_decks_last_card_the_target_is_seven_and_nothing_is_filled() -> None:
    story = told([*laid("G5"), DECK_GONE], [taken("R1", "Y3")], [taken("G5")], laid("B2"))
    assert deeds(story, 1) == [(Deed.LAID, 0), (Deed.DECK_GONE, None)]
    assert [one.cards[-1] for one in story.standing.won] == ["3", "2"]
    assert deeds(story)[0][0] is Deed.LAID


def test_the_round_is_over_once_the_deck_is_gone_and_every_hand_is_empty() -> None:
    small = Setting(players=2, first=0, cards=6)
    story = told([*laid("G5"), DECK_GONE], [taken("R1", "Y3")], setting=small)
    assert (story.hands_left, story.over) == (2, False)
    story = story.saw(3, Step(tuple(laid("B2")))).saw(4, Step(tuple(laid("O2"))))
    assert (story.hands_left, story.over) == (0, True)


def test_the_table_cleared_for_counting_is_no_sum_and_batches_are_no_play() -> None:
    story = told(laid("G5"), [DECK_GONE], [taken("R1", "Y3", "G5"), CLEARED], laid("B2", "B4"))
    assert deeds(story, 3) == [(Deed.ROUND_OVER, None), (Deed.CLEARED, None)]
    assert deeds(story) == []
    assert [line.high for line in story.running] == [0, 0]


def test_a_camera_frozen_in_mid_turn_tells_two_turns_in_either_order() -> None:
    story = told(laid("G5"), [taken("R1", "Y3"), *laid("B2")])
    assert deeds(story) == [(Deed.SUM, 1), (Deed.LAID, 0)]
    turned = next(t for t in story.told[-1].others if t.happenings[0].deed is Deed.LAID)
    assert [one.seat for one in turned.happenings] == [1, 0]


def test_a_tap_on_who_did_it_moves_the_turn_and_the_score() -> None:
    story = told([taken("Y3")], laid("G5"), laid("B2")).choose(1, Choice(seat=1))
    assert [deeds(story, step)[0][1] for step in (1, 2, 3)] == [1, 0, 1]
    assert story.running[0].cards == 0


def test_without_a_match_nobody_is_named() -> None:
    story = told([taken("R1", "Y3")], setting=Setting())
    assert [(line.seat, str(line)) for line in story.running] == [(None, "10-11")]


def test_a_companion_that_comes_late_knows_no_turn() -> None:
    story = Story(TWO).saw(0, Step((*laid("R1", "Y3", "G5", "B2"), target(9))))
    assert deeds(story.saw(1, Step(tuple(laid("O1"))))) == [(Deed.LAID, None)]


def test_a_table_seen_again_after_a_restart_is_no_play() -> None:
    story = told(laid("G5"), [*laid("R1", "Y3", "G5"), target(9)])
    assert deeds(story) == [(Deed.AGAIN, None)]
    assert (len(story.standing.table), story.standing.seat) == (3, 1)


@pytest.mark.parametrize(
    ("step", "choice", "error"),
    [
        (9, Choice("x"), NotFound),
        (1, Choice("a goal"), BadInput),
        (1, Choice(seat=2), BadInput),
    ],
)
def test_a_choice_that_fits_nothing_is_refused(
    step: int, choice: Choice, error: type[Exception]
) -> None:
    with pytest.raises(error):
        told(laid("G5")).choose(step, choice)


def test_tweak_cards_gained_are_known_for_each_player_also_when_the_table_is_cleared() -> None:
    story = told([taken("R1", "Y3"), *laid("B2", "P1")], [taken("B2", "P1")], [CLEARED])
    assert story.standing.over
    assert story.tweaks_gained == ((1, 1), (1, 1))


def test_before_any_play_nothing_is_said_of_tweak_cards() -> None:
    assert told().tweaks_gained == ()


def test_a_round_seen_in_part_tells_the_least_only() -> None:
    # Given a table that had more than two cards when it was first seen
    dealt = Step((*laid("R1", "Y3", "B2"), target(9)))
    story = Story(TWO).saw(0, dealt).saw(1, Step((CLEARED,)))
    assert story.tweaks_gained == ((0, None), (0, None))


def test_cards_taken_by_no_rule_may_have_been_a_tweak() -> None:
    story = told(laid("G5"), laid("B6"), [taken("G5", "B6")])
    assert story.tweaks_gained == ((0, None), (0, None))
