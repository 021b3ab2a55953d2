"""The bench of counting: rounds of made pictures with scripted eyes, and truthful taps."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadInput, NotFound
from companion.night.count_bench import run_counting
from companion.rules.cards import Colour, parse_card
from companion.rules.editions import number_cards
from companion.rules.scoring import score
from companion.vision.opencv import cv2
from companion.vision.values import Frame, Sighting, TableView, parse_reading
from tests.night.fakes import HEIGHT_PX, WIDTH_PX, card_at

EVERY = [
    str(card) for card in number_cards((Colour.RED, Colour.ORANGE, Colour.YELLOW, Colour.GREEN))
]
BATCH = 8


@dataclass
class PageEyes:
    """See the cards of the picture whose number is its brightness, but for what is misread."""

    pages: dict[int, list[str]]
    misread: dict[str, str] = field(default_factory=dict)

    def see(self, frame: Frame) -> TableView:
        cards = self.pages[int(frame.bgr[0, 0, 0])]
        seen = [(place, self.misread.get(text, text)) for place, text in enumerate(cards)]
        sightings = tuple(
            Sighting(card_at(place), parse_reading(text), 0.99) for place, text in seen if text
        )
        return TableView(sightings, frame.taken_at_s, frame.number, WIDTH_PX, HEIGHT_PX)


def a_round(folder: Path) -> dict[int, list[str]]:
    """One round of two players: Ann has all but two cards, those lie on the table."""
    pages: dict[int, list[str]] = {}
    piles = []
    (folder / "images").mkdir()
    labels = []
    for player, cards in (("Ann", EVERY[:20]), ("Ben", EVERY[20:34]), ("", EVERY[34:])):
        names = []
        for start in range(0, len(cards), BATCH):
            number, batch = 10 * (len(pages) + 1), cards[start : start + BATCH]
            pages[number] = batch
            names.append(f"images/{number}.png")
            bgr = np.full((HEIGHT_PX, WIDTH_PX, 3), number, np.uint8)
            cv2.imwrite(str(folder / names[-1]), bgr)
            known = [
                {"card": text, "quad": card_at(place), "visible": 1.0}
                for place, text in enumerate(batch)
            ]
            labels.append({"image": names[-1], "width": WIDTH_PX, "cards": known})
        points = score(map(parse_card, cards)).points if player else 0
        piles.append({"player": player, "points": points, "pictures": names, "cards": cards})
    told = {"round": 0, "edition": "65", "colours": ["red", "orange", "yellow", "green"]}
    (folder / "rounds.jsonl").write_text(json.dumps({**told, "piles": piles}) + "\n")
    (folder / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in labels))
    return pages


def test_eyes_that_see_everything_count_a_round_without_a_tap(tmp_path: Path) -> None:
    report = run_counting(tmp_path, PageEyes(a_round(tmp_path)), settled=False)
    (one,) = report.rounds
    assert (one.right_untapped, one.asked, one.right, one.taps) == (True, False, True, 0), one.note
    assert one.kinds["right"] == 36
    assert report.to_json()["wrong_and_silent"] == 0


def test_a_doubt_that_the_books_settle_takes_no_tap(tmp_path: Path) -> None:
    pages = a_round(tmp_path)
    (one,) = run_counting(tmp_path, PageEyes(pages, {"R5": "O5?R5"}), settled=False).rounds
    assert (one.right_untapped, one.taps, one.kinds["settled right"]) == (True, 0, 1)


def test_a_card_taken_for_another_is_named_and_put_right_with_one_tap(tmp_path: Path) -> None:
    pages = a_round(tmp_path)
    (one,) = run_counting(tmp_path, PageEyes(pages, {"R5": "O5"}), settled=False).rounds
    assert (one.right_untapped, one.asked, one.right, one.taps) == (False, True, True, 1)


def test_a_card_that_was_not_seen_is_missing_and_added_with_one_tap(tmp_path: Path) -> None:
    pages = a_round(tmp_path)
    (one,) = run_counting(tmp_path, PageEyes(pages, {"R6": ""}), settled=False).rounds
    assert (one.right, one.taps, one.kinds["not seen"]) == (True, 1, 1)


def test_a_folder_without_rounds_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"has no rounds\.jsonl"):
        run_counting(tmp_path, PageEyes({}))
    (tmp_path / "labels.jsonl").write_text("")
    (tmp_path / "rounds.jsonl").write_text("")
    with pytest.raises(BadInput, match="holds no round"):
        run_counting(tmp_path, PageEyes({}))
