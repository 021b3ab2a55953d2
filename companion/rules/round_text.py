"""One line of text for a state; :mod:`companion.rules.notation` reads it back.

The fields are set apart by `` | ``. ``?`` is a number card that is not known, ``R5#9`` a card of
the deck with its front and back, ``?#?*30`` thirty of one sort in a row, ``-`` nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from itertools import groupby
from typing import TYPE_CHECKING

from companion.rules.house import CHOICES, HouseRules

if TYPE_CHECKING:
    from companion.rules.round import Seat, State

SEPARATOR = " | "
NOTHING = "-"
UNKNOWN = "?"


def cards_text(cards: Iterable[object]) -> str:
    """Cards in a row; three and more alike are counted.

    >>> cards_text([None, None, None, "R5"])
    '?*3 R5'
    """
    words = (UNKNOWN if card is None else str(card) for card in cards)
    runs = ((word, len(list(run))) for word, run in groupby(words))
    parts = [f"{word}*{count}" if count > 2 else " ".join([word] * count) for word, count in runs]
    return " ".join(parts) or NOTHING


def seat_name(seat: int) -> str:
    """The name of a seat: ``p1`` is seat 0."""
    return f"p{seat + 1}"


def state_text(state: State) -> str:
    """The one line of a state."""
    letters = "".join(colour.letter for colour in state.colours)
    parts = [f"{state.edition.value} {letters}"]
    parts += [f"{seat_name(number)} {_seat(seat)}" for number, seat in enumerate(state.seats)]
    parts += [
        f"table {cards_text(state.table)}",
        f"deck {cards_text(state.deck)}",
        f"stack {cards_text(state.stack)}",
        f"dealer {seat_name(state.dealer)}",
        f"turn {seat_name(state.turn)} {_turn(state)}",
    ]
    house = _house(state.house)
    return SEPARATOR.join([*parts, f"house {house}"] if house else parts)


def _seat(seat: Seat) -> str:
    text = f"hand {cards_text(seat.hand)} won {cards_text(seat.won)}"
    text += f" has {cards_text(seat.has)} used {cards_text(seat.used)}"
    return f"{text} short" if seat.short else text


def _turn(state: State) -> str:
    words = [state.phase.value]
    if state.tweak:
        words.append(state.tweak.value)
    if state.emptied:
        words.append("unsaid" if state.unsaid else "emptied")
    return " ".join(words)


def _house(house: HouseRules) -> str:
    changed = [
        f"{one.name}={answer_word(getattr(house, one.name))}"
        for one in fields(house)
        if getattr(house, one.name) != CHOICES[one.name][1][0]
    ]
    return " ".join(changed)


def answer_word(answer: object) -> str:
    """The answer to a house question as one word.

    >>> answer_word("right of dealer"), answer_word(True)
    ('right_of_dealer', 'true')
    """
    word = str(answer).lower() if isinstance(answer, bool) else str(answer)
    return word.replace(" ", "_")
