"""Stories about faint finds: which of them the books of a round tell, and which they leave."""

from __future__ import annotations

import pytest

from companion.table.books import Books, Entry
from companion.table.faint import with_faint
from tests.table.test_books import ALL, FOUR, doubt, sure, without


def told(entries: list[Entry], *faint: Entry) -> tuple[Books, dict[str, str]]:
    books, found = with_faint(FOUR, entries, faint)
    return books, {entry.key: str(entry.card) for entry in found}


def test_a_faint_find_that_reads_as_the_missing_card_is_it() -> None:
    books, found = told(without("R5"), doubt("f", R5=0.9, O5=0.05))
    assert found == {"f": "R5"}
    assert books.balanced
    assert books.missing == ()
    assert books.counted == 36


@pytest.mark.parametrize(
    "faint",
    [
        [doubt("f", O5=0.9)],
        [doubt("f", O5=0.6, R5=0.4)],
        [doubt("f", R5=0.9), doubt("g", R5=0.5, O5=0.3)],
    ],
    ids=["reads as another card", "hardly reads as it", "two finds may be it"],
)
def test_what_is_not_clear_stays_missing(faint: list[Entry]) -> None:
    books, found = told(without("R5"), *faint)
    assert found == {}
    assert [str(card) for card in books.lost] == ["R5"]


def test_a_find_that_may_be_either_of_two_missing_cards_is_left() -> None:
    assert told(without("R5", "O5"), doubt("f", R5=0.7, O5=0.2))[1] == {}
    assert told(without("R5", "O5"), doubt("f", R5=0.9, O5=0.01))[1] == {"f": "R5"}


def test_a_doubtful_card_that_may_be_it_comes_first() -> None:
    open_one = doubt("d", R5=0.5, O4=0.5)
    books, found = told([*without("R5", "O4"), open_one], doubt("f", R5=0.9))
    assert found == {}
    assert books.answers["d"].card is None


def test_a_card_that_turns_up_elsewhere_is_not_counted_twice() -> None:
    books, found = told([*without("R5"), sure("late", "R5")], doubt("f", R5=0.99))
    assert found == {}
    assert (books.balanced, books.counted) == (True, 36)


def test_while_much_is_still_to_be_counted_nothing_faint_is_told() -> None:
    early = [sure(f"k{place}", text) for place, text in enumerate(ALL[:20])]
    assert told(early, doubt("f", **{ALL[30]: 0.99}))[1] == {}
