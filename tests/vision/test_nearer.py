"""A nearer look at a picture: what it alone shows, and what is hardly believed in."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.cards import Face, parse_card
from companion.vision.detect import Found
from companion.vision.evidence import faint
from companion.vision.merge import merge_views
from companion.vision.nearer import Part, besides, part_with
from companion.vision.values import Reading, Sighting, TableView
from tests.vision.toy import box_quad

ENOUGH = 0.75


def seen(
    place: int, *options: tuple[str, float], sure: bool = False, found: float = 0.9
) -> Sighting:
    """A card in a row of cards that do not touch."""
    told = tuple((parse_card(text), chance) for text, chance in options)
    return Sighting(box_quad(100 + 100 * place, 100, (60, 84)), Reading(told, sure), found)


def test_a_clear_card_that_only_the_nearer_look_shows_is_told() -> None:
    doubted, new = seen(0, ("R5", 0.7)), seen(1, ("B2", 0.97), sure=True)
    again = seen(0, ("R6", 0.99), sure=True)
    assert besides([doubted], [again, new], ENOUGH) == (new,)


@pytest.mark.parametrize(
    "new",
    [seen(1, ("B2", 0.8)), seen(1, ("B2", 0.97), found=0.1), seen(1, ("#9", 0.97))],
    ids=["not clear", "hardly there", "a back"],
)
def test_what_is_less_clear_is_not_told(new: Sighting) -> None:
    assert besides([seen(0, ("R5", 0.7))], [new], ENOUGH) == ()


def test_the_part_with_the_cards_lies_in_the_picture_and_leads_back() -> None:
    part = part_with([seen(0, ("R5", 0.9)), seen(3, ("R5", 0.9))], (640, 360))
    assert (part.left, part.top) == (0, 0)
    assert part.right > 430 + 60
    assert part.bottom < 360
    part = Part(100, 50, 200, 150)
    bgr = np.zeros((360, 640, 3), np.uint8)
    bgr[60, 110] = 255
    assert part.of(bgr)[10, 10].tolist() == [255, 255, 255]
    found = part.back(Found(((10, 10), (20, 10), (20, 30), (10, 30)), Face.NUMBER, 0.9, ()))
    assert found.quad_px == ((110, 60), (120, 60), (120, 80), (110, 80))


def test_what_reads_like_a_card_and_is_not_reported_is_faint() -> None:
    # Given a card, another find on it, and finds beside it: one that reads clearly, others not
    card = seen(0, ("R5", 0.95), sure=True)
    again = seen(0, ("R5", 0.9), found=0.1)
    beside = seen(1, ("B2", 0.95), sure=True, found=0.1)
    others = [
        seen(2, ("B2", 0.4), found=0.1),
        seen(3, ("#9", 0.95), found=0.1),
        seen(4, found=0.3),
        seen(5, ("B2", 0.95), found=0.01),
    ]
    assert faint([card, again, beside, *others], [card]) == (beside,)


def test_a_find_that_is_faint_in_most_views_is_faint_when_they_are_one() -> None:
    card, hardly = seen(0, ("R5", 0.95), sure=True), seen(1, ("B2", 0.9), found=0.1)
    views = [
        TableView((card,), 0.0, 0, 640, 360, (hardly,)),
        TableView((card, hardly), 0.1, 1, 640, 360),
        TableView((card,), 0.2, 2, 640, 360),
    ]
    merged = merge_views(views)
    assert [str(one.reading.best) for one in merged.sightings] == ["R5"]
    assert [str(one.reading.best) for one in merged.faint] == ["B2"]
    assert merge_views([views[0], views[2], views[2]]).faint == ()
