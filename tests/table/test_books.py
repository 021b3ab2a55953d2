"""Stories about the books: what a round must add up to, and what they answer or ask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.cards import Colour, NumberCard, parse_card
from companion.rules.editions import Edition, number_cards
from companion.table.books import Books, Deck, Entry, balance

FOUR = Deck(Edition.CARDS_65, (Colour.RED, Colour.ORANGE, Colour.YELLOW, Colour.GREEN))
ALL = [str(card) for card in number_cards(FOUR.colours)]


def sure(key: str, text: str, **others: float) -> Entry:
    """A sure reading, with what else the eyes thought of."""
    rest = 1.0 - sum(others.values())
    options = {text: rest, **others}
    return Entry(key, tuple((parse_card(t), p) for t, p in options.items()), sure=True)


def doubt(key: str, **options: float) -> Entry:
    ranked = sorted(options.items(), key=lambda pair: -pair[1])
    return Entry(key, tuple((parse_card(t), p) for t, p in ranked), sure=False)


def without(*texts: str) -> list[Entry]:
    """Every card of the round counted once, but these."""
    left = list(ALL)
    for text in texts:
        left.remove(text)
    return [sure(f"k{place}", text) for place, text in enumerate(left)]


def answer(books: Books, key: str) -> str:
    return str(books.answers[key].card)


def test_a_round_that_is_all_there_is_balanced() -> None:
    books = balance(FOUR, without())
    assert (books.balanced, books.missing, books.counted, books.in_play) == (True, (), 36, 36)


def test_what_is_nowhere_is_missing_by_name() -> None:
    books = balance(FOUR, without("R5", "G2"))
    assert [str(card) for card in books.lost] == ["R5", "G2"]
    assert not books.balanced


def test_a_card_in_two_piles_is_seen_twice_with_both_places() -> None:
    books = balance(FOUR, [*without("O5"), sure("x", "R5", O5=0.02)])
    (twice,) = books.twice
    holders = {entry.key for entry in without("O5") if str(entry.card) == "R5"} | {"x"}
    assert (str(twice.card), twice.exists, set(twice.keys)) == ("R5", 1, holders)
    assert [str(card) for card in twice.instead] == ["O5"]
    assert not books.balanced


def misread(true: str, read: str, **others: float) -> Books:
    """The books of a whole round of which one card was read as another one, for sure."""
    return balance(FOUR, [*without(true), sure("x", read, **others)])


def test_where_all_are_there_a_sure_misread_is_named_and_costs_no_tap() -> None:
    # Given every card of the round, one green 3 of them read as a green 2
    books = misread("G3", "G2", G3=0.01)
    # Then it is named with all its places, and nothing hangs on which of them it is
    (twice,) = books.twice
    assert (str(twice.card), twice.exists, len(twice.keys), twice.settled) == ("G2", 2, 3, True)
    assert [str(card) for card in twice.instead] == ["G3"]
    assert {books.answers[key].points for key in twice.keys} == {1}
    assert books.balanced
    assert not books.lost


def test_where_points_hang_on_it_a_sure_misread_is_asked() -> None:
    books = misread("R3", "O3", R3=0.01)
    (twice,) = books.twice
    assert not twice.settled
    assert not books.balanced
    assert not set(twice.keys) & set(books.answers)


def test_where_only_one_of_them_can_have_been_misread_the_books_say_which() -> None:
    books = misread("R3", "O3", R3=0.4)
    assert (answer(books, "x"), books.balanced) == ("R3", True)


def test_a_confirmed_count_is_asked_where_the_books_would_have_it_worth_more() -> None:
    # Given a red 3 that the books can tell, though it was confirmed as an orange one
    fixed = replace(sure("x", "O3", R3=0.4), fixed=True)
    (twice,) = balance(FOUR, [*without("R3"), fixed]).twice
    assert not twice.settled
    # But where it is worth the same, nothing hangs on it
    fixed = replace(sure("x", "G2", G3=0.4), fixed=True)
    assert balance(FOUR, [*without("G3"), fixed]).balanced


def test_a_lost_card_is_not_one_that_was_misread() -> None:
    entries = [*without("G3", "Y4"), sure("x", "G2", G3=0.01)]
    lost = parse_card("Y4")
    assert isinstance(lost, NumberCard)
    assert balance(FOUR, entries, [lost]).balanced
    assert not balance(FOUR, entries).balanced


def test_a_doubtful_card_is_worth_what_the_missing_one_is_though_the_eyes_never_thought_of_it() -> (
    None
):
    books = balance(FOUR, [*without("R3"), doubt("x", R2=0.75, G2=0.24)])
    # It is the red 3, or the red 2, and one of the red 2s is the red 3: worth the same
    assert (books.answers["x"].points, books.balanced) == (3, True)
    # Where that is not so, it is asked
    books = balance(FOUR, [*without("R5"), doubt("x", R2=0.75, G2=0.24)])
    assert books.asked == ("x",)


def test_two_cards_read_too_often_are_answered_each_by_its_own() -> None:
    # One of the two can be told, the other cannot: it alone is asked
    entries = [*without("G3", "R4"), sure("x", "G2", G3=0.01), sure("y", "O4", R4=0.01)]
    settled = {str(one.card): one.settled for one in balance(FOUR, entries).twice}
    assert settled == {"G2": True, "O4": False}


def test_a_card_more_than_there_are_is_always_asked() -> None:
    (twice,) = balance(FOUR, [*without(), sure("x", "G2", G3=0.2)]).twice
    assert not twice.settled


def test_what_the_players_said_is_never_taken_for_a_misread() -> None:
    said = [
        Entry(entry.key, entry.options, True, said=str(entry.card) == "G2")
        for entry in without("G3")
    ]
    books = balance(FOUR, [*said, sure("x", "G2")])
    assert answer(books, "x") == "G3"


def test_one_doubtful_card_is_settled_where_one_answer_fits() -> None:
    books = balance(FOUR, [*without("O5"), doubt("x", R5=0.6, O5=0.38)])
    assert answer(books, "x") == "O5"
    assert books.balanced


def test_it_is_settled_before_all_is_counted_where_the_other_card_is_taken() -> None:
    books = balance(FOUR, [sure("a", "R5"), doubt("x", R5=0.6, O5=0.4)])
    assert answer(books, "x") == "O5"


def test_what_two_answers_fit_is_asked() -> None:
    books = balance(FOUR, [doubt("x", R5=0.6, O5=0.4)])
    assert books.asked == ("x",)
    assert [str(card) for card in books.answers["x"].fits] == ["R5", "O5"]


def test_two_doubtful_cards_that_may_be_either_way_round_are_asked_not_guessed() -> None:
    # Given a red and an orange five, each read as one or the other
    entries = [*without("R5", "O5"), doubt("x", R5=0.55, O5=0.45), doubt("y", R5=0.5, O5=0.5)]
    assert balance(FOUR, entries).asked == ("x", "y")
    # When somebody says what one of them is, the other is settled
    said = Entry("x", ((parse_card("R5"), 1.0),), sure=True, said=True)
    books = balance(FOUR, [*entries[:-2], said, entries[-1]])
    assert (answer(books, "y"), books.balanced) == ("O5", True)


def test_a_sure_reading_that_may_be_wrong_keeps_the_books_from_settling_on_it() -> None:
    # Given a five taken for red where orange was nearly as likely
    taken = sure("a", "R5", O5=0.08)
    books = balance(FOUR, [*without("R5", "O5"), taken, doubt("x", R5=0.6, O5=0.4)])
    # Then both ways round fit, and it is asked
    assert books.asked == ("x",)


def test_cards_worth_the_same_need_not_be_told_apart() -> None:
    books = balance(FOUR, [*without("O2", "G2"), doubt("x", O2=0.5, G2=0.5), sure("y", "O2")])
    assert answer(books, "x") == "G2"
    open_ = balance(FOUR, [*without("O2", "G2"), doubt("x", O2=0.5, G2=0.49)])
    assert (open_.answers["x"].card, open_.answers["x"].points) == (None, 1)
    assert open_.asked == ()
    assert not open_.balanced, "one of the two is missing"


def test_what_was_left_on_the_table_is_not_asked_about() -> None:
    left = Entry("x", ((parse_card("R5"), 0.5), (parse_card("O5"), 0.4)), sure=False, scores=False)
    books = balance(FOUR, [left])
    assert (books.answers["x"].card, books.answers["x"].points, books.asked) == (None, 0, ())


def test_an_open_card_explains_a_missing_one_only_where_it_may_be_that_card() -> None:
    tweak = Entry("x", ((parse_card("T!joker"), 0.5),), sure=False, scores=False)
    assert [str(card) for card in balance(FOUR, [*without("R5"), tweak]).lost] == ["R5"]
    red = Entry("x", ((parse_card("R5"), 0.5), (parse_card("R6"), 0.3)), sure=False, scores=False)
    assert balance(FOUR, [*without("R5", "R6"), red]).lost != ()


def test_a_colour_that_was_left_in_the_box_is_a_misread() -> None:
    books = balance(FOUR, [*without("R2"), sure("x", "P2", R2=0.03)])
    assert (answer(books, "x"), books.balanced) == ("R2", True)


def test_something_unreadable_is_asked_though_one_card_is_missing() -> None:
    books = balance(FOUR, [*without("R5"), Entry("x", (), sure=False)])
    assert books.asked == ("x",)
    assert [str(card) for card in books.missing] == ["R5"]


def test_what_the_players_said_is_named_when_it_is_all_that_there_is() -> None:
    both = [Entry(key, ((parse_card("R5"), 1.0),), sure=True, said=True) for key in "ab"]
    (twice,) = balance(FOUR, both).twice
    assert twice.keys == ("a", "b")


@pytest.mark.parametrize("edition", list(Edition))
def test_tweak_cards_are_bounded_by_the_box(edition: Edition) -> None:
    deck = Deck(edition, tuple(Colour))
    bombs = [sure(f"b{number}", "T!bomb") for number in range(2)]
    too_many = balance(deck, bombs).twice
    assert [str(twice.card) for twice in too_many] == (
        ["T!bomb"] if edition is Edition.CARDS_65 else []
    )


def test_a_night_of_doubts_is_answered_in_no_time() -> None:
    # Given twelve cards in doubt between neighbouring colours, each doubt touching the next
    pairs = [("R", "O"), ("O", "Y")]
    doubts = [
        doubt(f"d{value}{a}", **{f"{a}{value}": 0.6, f"{b}{value}": 0.4})
        for value in range(1, 7)
        for a, b in pairs
    ]
    texts = [str(entry.options[0][0]) for entry in doubts]
    books = balance(FOUR, [*without(*texts), *doubts])
    assert books.counted == 36
    assert len(books.answers) == 12
