"""Stories about where deck and table are."""

from __future__ import annotations

import pytest

from companion.errors import BadInput
from companion.table.values import Zones
from companion.table.zones import check_zones, guess_zones, split, stacks_stand
from companion.vision.quads import contains
from companion.vision.values import Quad
from tests.table.scenes import DECK, ZONES, card, read_as, reading, view

HALF: Quad = ((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0))


def test_sound_zones_pass() -> None:
    assert check_zones(ZONES) == ZONES
    assert check_zones(Zones()) == Zones()
    assert check_zones(Zones(table=HALF[::-1])).table == HALF[::-1]


@pytest.mark.parametrize(
    ("quad", "words"),
    [
        (((0.0, 0.0), (1.2, 0.0), (1.2, 1.0), (0.0, 1.0)), "inside the picture"),
        (((0.2, 0.2), (0.2, 0.2), (0.2, 0.2), (0.2, 0.2)), "some part of the picture"),
        (((0.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.0, 0.5)), "in order round"),
        (((0.0, 0.0), (float("nan"), 0.0), (1.0, 1.0), (0.0, 1.0)), "inside the picture"),
    ],
)
def test_a_zone_that_cannot_be_is_one_clear_line(quad: Quad, words: str) -> None:
    with pytest.raises(BadInput, match=f"the deck zone .*{words}"):
        check_zones(Zones(deck=quad))


def test_cards_piles_and_tweaks_are_told_apart() -> None:
    cards = [
        card(text, (60 + 70 * i, 220)) for i, text in enumerate(["R1", "#8", "T!joker", "T!back"])
    ]
    scene = split(view([*cards, card("#9", DECK)]), ZONES)
    assert [str(one.reading) for one in scene.table] == ["R1"]
    assert scene.target_value == 9
    assert len(scene.others) == 4
    assert not scene.deck_gone


def test_a_card_that_cannot_be_read_still_lies_on_the_table() -> None:
    unread = read_as(card("R1", (60, 60)), reading({}))
    assert split(view([unread]), ZONES).table == (unread,)


def test_outside_the_table_zone_is_not_on_the_table() -> None:
    inside, outside = card("R1", (60, 60)), card("Y3", (360, 200))
    scene = split(view([inside, outside]), Zones(deck=ZONES.deck, table=HALF))
    assert scene.table == (inside,)
    assert scene.others == (outside,)


def test_a_seven_that_peeps_out_from_under_the_deck_is_not_the_end() -> None:
    peeping = card("=7", (DECK[0] + 6, DECK[1] + 8))
    assert not split(view([peeping, card("#9", DECK)]), ZONES).deck_gone
    assert not split(view([peeping, card("#9", DECK)]), Zones()).deck_gone
    assert split(view([peeping]), ZONES).deck_gone
    assert split(view([peeping]), Zones()).deck_gone


def test_the_deck_is_guessed_at_the_blue_seven() -> None:
    zones = guess_zones([view([card("=7", DECK), card("#9", (60, 60))])])
    assert zones.deck is not None
    assert contains(zones.deck, ((DECK[0] + 22) / 640, (DECK[1] + 32) / 360))


def test_the_deck_is_guessed_where_a_back_stays_put() -> None:
    views = [
        view([card("#9", DECK), card("R1", (60, 60))]),
        view([card("#7", DECK)]),
        view([card("#8", DECK), card("#10", (60, 250))]),
    ]
    zones = guess_zones(views)
    assert zones.deck is not None
    assert split(views[-1], zones).target_value == 8
    assert check_zones(zones) == zones


def test_two_backs_alike_or_none_tell_nothing() -> None:
    assert guess_zones([view([card("#9", DECK), card("#8", (60, 60))])]) == Zones()
    assert guess_zones([view([card("R1", (60, 60))])]) == Zones()
    assert guess_zones([]) == Zones()


def test_backs_in_a_players_place_are_never_the_target() -> None:
    around: Quad = ((0.0, 0.5), (0.3, 0.5), (0.3, 1.0), (0.0, 1.0))
    zones = Zones(deck=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))).put("pile Ann", around)
    scene = split(view([card("#9", DECK, 0.8), card("#10", (60, 250), 0.99)]), zones)
    assert scene.target_value == 9


def test_a_card_in_a_players_place_is_not_on_the_table() -> None:
    around: Quad = ((0.0, 0.5), (0.3, 0.5), (0.3, 1.0), (0.0, 1.0))
    zones = ZONES.put("faces Ann", around)
    scene = split(
        view([card("T!joker", (60, 250)), card("R1", (60, 220)), card("Y3", (60, 60))]), zones
    )
    assert [str(one.reading) for one in scene.table] == ["Y3"]


def test_the_deck_is_not_guessed_in_a_players_place() -> None:
    around: Quad = ((0.0, 0.5), (0.3, 0.5), (0.3, 1.0), (0.0, 1.0))
    backs = view([card("#9", DECK), card("#10", (60, 250))])
    assert guess_zones([backs]).deck is None
    deck = guess_zones([backs], Zones().put("pile Ann", around)).deck
    assert deck is not None
    assert contains(deck, ((DECK[0] + 22) / 640, (DECK[1] + 32) / 360))


def test_the_stack_of_tweaks_is_guessed_at_its_back() -> None:
    zones = guess_zones([view([card("T!back", (60, 60)), card("#9", DECK)])])
    assert zones.tweaks is not None
    assert contains(zones.tweaks, (82 / 640, 92 / 360))


def test_a_zone_of_no_name_and_one_outside_are_refused() -> None:
    with pytest.raises(BadInput, match="a zone is one of deck"):
        Zones().put("moon", HALF)
    with pytest.raises(BadInput, match=r"the pile Ann zone .*inside the picture"):
        check_zones(Zones().put("pile Ann", ((0.0, 0.0), (1.2, 0.0), (1.2, 1.0), (0.0, 1.0))))


def test_a_deck_stands_where_a_back_or_the_blue_seven_lies_in_its_zone() -> None:
    assert stacks_stand(view([card("#9", DECK), card("#8", (60, 60))]), ZONES) is True
    assert stacks_stand(view([card("=7", DECK)]), ZONES) is True


def test_a_deck_is_elsewhere_only_where_its_zone_is_bare_and_one_back_lies_apart() -> None:
    assert stacks_stand(view([card("#9", (60, 60))]), ZONES) is False
    assert stacks_stand(view([card("#9", (60, 60)), card("R1", DECK)]), ZONES) is None
    assert stacks_stand(view([card("#9", (60, 60)), card("#8", (60, 250))]), ZONES) is None
    assert stacks_stand(view([card("R1", (60, 60))]), ZONES) is None
    around: Quad = ((0.0, 0.0), (0.3, 0.0), (0.3, 0.5), (0.0, 0.5))
    assert stacks_stand(view([card("#9", (60, 60))]), ZONES.put("pile Ann", around)) is None


def test_without_a_deck_zone_the_tweak_stack_tells() -> None:
    zones = Zones(tweaks=ZONES.deck)
    assert stacks_stand(view([card("T!back", DECK), card("#9", (60, 60))]), zones) is True
    assert stacks_stand(view([card("T!back", (60, 60))]), zones) is False
    assert stacks_stand(view([card("#9", DECK)]), zones) is None
    assert stacks_stand(view([card("#9", DECK)]), Zones(tray=HALF)) is None
