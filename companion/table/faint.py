"""Cards that the eyes hardly believed in, counted where the books miss just such a card.

A find is never reported for its reading alone: a book or a shadow may read like a card. But where
a round is all but counted, a card is missing, and one faint find in the piles reads as that very
card, hardly anything else fits. What was read is not touched, and the books are kept with the find
as one more card; once the missing card turns up elsewhere, the find counts no longer.

>>> from companion.rules.cards import Colour
>>> from companion.rules.editions import Edition, number_cards
>>> deck = Deck(Edition.CARDS_65, (Colour.RED, Colour.BLUE))
>>> one, *others = number_cards(deck.colours)
>>> entries = [Entry(str(i), ((card, 1.0),), sure=True) for i, card in enumerate(others)]
>>> books, told = with_faint(deck, entries, [Entry("f", ((one, 0.9),), sure=False)])
>>> [entry.key for entry in told], books.missing
(['f'], ())
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.rules.cards import Card, NumberCard
from companion.table.books import Books, Deck, Entry, balance

NEAR_THE_END = 0.2
"""From when no more than this share of the number cards is missing faint finds are asked."""

TOLD = 0.5
"""The least probability with which a faint find reads as the card that is missing."""

ALSO = 0.1
"""From this probability on another missing card, or another find, might be meant as well."""


def with_faint(
    deck: Deck,
    entries: Sequence[Entry],
    faint: Sequence[Entry],
    lost: Sequence[NumberCard] = (),
) -> tuple[Books, tuple[Entry, ...]]:
    """Open the books of a round, with the faint finds that they tell.

    Args:
        deck: the cards that exist.
        entries: every card counted so far.
        faint: what may be a card besides, and is not counted.
        lost: cards that the players said are lost.

    Returns:
        The books, and the faint finds that count, each as the card that it is.
    """
    books = balance(deck, entries, lost)
    if not faint or not 0 < len(books.missing) <= NEAR_THE_END * books.in_play:
        return books, ()
    told = _told(books, faint)
    return (balance(deck, [*entries, *told], lost), told) if told else (books, ())


def _told(books: Books, faint: Sequence[Entry]) -> tuple[Entry, ...]:
    """The faint finds that read as a missing card which nothing else may be."""
    missing: Counter[Card] = Counter(books.missing)
    open_to = {
        card for answer in books.answers.values() if answer.card is None for card in answer.fits
    }
    told: list[Entry] = []
    for card, count in missing.items():
        readers = [entry for entry in faint if dict(entry.options).get(card, 0.0) >= ALSO]
        if card not in open_to and len(readers) <= count:
            told += [_as(entry, card) for entry in readers if _reads_as(entry, card, missing)]
    return tuple(told)


def _reads_as(entry: Entry, card: Card, missing: Counter[Card]) -> bool:
    """Whether a find reads as this card, and as no other one that is missing."""
    chances = dict(entry.options)
    others = [chance for other, chance in chances.items() if other != card and missing[other]]
    return chances[card] >= TOLD and max(others, default=0.0) < ALSO


def _as(entry: Entry, card: Card) -> Entry:
    """A faint find as a card that was read for sure, so that the books go on with it."""
    others = tuple(option for option in entry.options if option[0] != card)
    return replace(entry, options=((card, dict(entry.options)[card]), *others), sure=True)
