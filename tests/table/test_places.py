from __future__ import annotations

import pytest

from companion.table.places import TOO_MANY, disproved, guess_places, is_somebody
from companion.table.values import Zones
from companion.table.zones import check_zones, in_force, split
from companion.vision.quads import contains
from companion.vision.values import Quad, Sighting, TableView
from tests.table.scenes import DECK, ZONES, card, read_as, reading, view

LEFT, BELOW = (20.0, 150.0), (280.0, 280.0)
MIDDLE = (290.0, 140.0)
ROUND_LEFT: Quad = ((0.0, 0.3), (0.2, 0.3), (0.2, 0.7), (0.0, 0.7))


def still(*cards: Sighting, times: int = 3) -> list[TableView]:
    """Settled views of a table where these cards and the deck lie, one every three seconds."""
    return [view([card("#9", DECK), *cards], 3.0 * at) for at in range(times)]


def test_a_pile_that_stays_at_the_edge_is_somebodys_place() -> None:
    views = still(card("#10", LEFT), card("R1", MIDDLE))
    places = guess_places(views, ZONES, 2).places
    assert [name for name, _ in places.named()] == ["pile ?1"]
    assert contains(places.piles[0][1], ((LEFT[0] + 22) / 640, (LEFT[1] + 32) / 360))
    assert check_zones(places) == places
    scene = split(views[-1], in_force(ZONES, places))
    assert ([str(one.reading) for one in scene.table], scene.target_value) == (["R1"], 9)


def test_a_back_in_a_guessed_place_is_never_the_target() -> None:
    places = guess_places(still(card("#10", LEFT)), ZONES, 2).places
    wide = Zones(deck=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    seen = view([card("#9", DECK, 0.8), card("#7", LEFT, 0.99)])
    assert split(seen, wide).target_value == 7
    assert split(seen, in_force(Zones(), places.put("deck", wide.deck))).target_value == 9


def test_a_number_in_doubt_is_still_a_back() -> None:
    doubtful = read_as(card("#9", LEFT), reading({"#9": 0.6, "#10": 0.4}))
    assert guess_places(still(doubtful), ZONES, 2).places.piles


def test_tweaks_beside_each_other_are_one_place() -> None:
    views = still(card("T!joker", BELOW), card("T!thief", (BELOW[0] + 50, BELOW[1])))
    places = guess_places(views, ZONES, 2).places
    assert [name for name, _ in places.named()] == ["faces ?1"]
    for x in (BELOW[0] + 22, BELOW[0] + 72):
        assert contains(places.faces[0][1], (x / 640, (BELOW[1] + 32) / 360))


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ([card("#10", MIDDLE)], "it lies in the middle of the table"),
        ([card("#10", (DECK[0] - 60, DECK[1]))], "it was pushed off the deck"),
        ([card("R5", LEFT)], "cards are played there"),
        ([card("#10", LEFT), card("R5", (LEFT[0] + 14, LEFT[1] + 16))], "a card lies over it"),
        ([read_as(card("#9", LEFT), reading({"#9": 0.6, "R6": 0.4}))], "it may be a card"),
    ],
)
def test_what_may_be_something_else_is_no_place(cards: list[Sighting], why: str) -> None:
    assert guess_places(still(*cards), ZONES, 2).places == Zones(), why


def test_what_just_came_is_no_place_yet() -> None:
    before, came = still(times=2), still(card("#10", LEFT))
    assert guess_places([*before, *came[1:]], ZONES, 2).places == Zones()
    assert guess_places([*before, *came], ZONES, 2).places.piles


def test_where_the_deck_is_not_known_any_back_may_be_it() -> None:
    assert guess_places(still(card("#10", LEFT)), Zones(), 2).places == Zones()


def test_without_a_match_nobody_has_a_place() -> None:
    assert guess_places(still(card("#10", LEFT)), ZONES, 0).places == Zones()


def test_more_piles_than_people_are_none_and_it_says_so() -> None:
    views = still(card("#10", LEFT), card("#8", BELOW))
    assert len(guess_places(views, ZONES, 2).places.piles) == 2
    by_hand = ZONES.put("pile Ann", ((0.9, 0.8), (1.0, 0.8), (1.0, 1.0), (0.9, 1.0)))
    guess = guess_places(views, by_hand, 2)
    assert (guess.places, guess.doubt) == (Zones(), TOO_MANY)


def test_a_place_set_by_hand_is_not_guessed_again_and_hides_a_guess_below_it() -> None:
    views = still(card("#10", LEFT), card("#8", BELOW))
    places = guess_places(views, ZONES, 2).places
    by_hand = ZONES.put("pile Ann", ROUND_LEFT)
    names = [name for name, _ in in_force(by_hand, places).named()]
    assert names == ["deck", "pile Ann", "pile ?2"]
    again = guess_places(views, in_force(by_hand, places), 2)
    assert (again.places, again.doubt) == (Zones(), "")


def test_nothing_is_guessed_where_somebody_said_that_no_place_is() -> None:
    views = still(card("#10", LEFT))
    assert guess_places(views, ZONES, 2, [ROUND_LEFT]).places == Zones()


def test_a_card_played_in_a_guessed_place_disproves_it() -> None:
    places = (
        Zones()
        .put("pile ?1", ROUND_LEFT)
        .put("pile ?2", ((0.4, 0.7), (0.6, 0.7), (0.6, 1.0), (0.4, 1.0)))
    )
    assert disproved(places, view([card("#10", LEFT), card("R1", BELOW)])) == ("pile ?2",)
    assert disproved(places, view([card("#10", LEFT), card("T!joker", BELOW)])) == ()


@pytest.mark.parametrize(
    ("name", "guessed"), [("?1", True), ("?12", True), ("?", False), ("Ann", False)]
)
def test_a_guessed_place_is_nobodys(name: str, guessed: bool) -> None:
    assert is_somebody(name) is guessed
