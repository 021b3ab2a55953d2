"""The books of the round that is counted: kept up with every card, and never in a reading's place.

Where one answer fits a doubtful card, the card counts as that answer and is marked as settled; its
raw reading stays. A count that was confirmed stands as it was confirmed until it is opened again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.night.matches import lost_in_play, rules_of
from companion.night.tallies import (
    raw_card,
    tally,
    with_card,
    with_cards,
    with_faint_told,
)
from companion.night.values import (
    ON_TABLE,
    Batch,
    BooksNow,
    CountedCard,
    Holder,
    MatchNow,
    Perhaps,
    PlayerCount,
    SeenTwice,
)
from companion.rules.cards import Card, NumberCard, TweakCard, parse_card, parse_number_card
from companion.table.books import Answer, Books, Deck, Entry, Twice
from companion.table.faint import with_faint

PERHAPS, MOST_PERHAPS = 0.3, 2
"""How clearly a faint find reads as a missing card to be shown, and so many are at the most."""


def with_books(match: MatchNow) -> MatchNow:
    """The match with the books of its open round brought up to date, doubtful cards answered."""
    deck = Deck(rules_of(match).edition, rules_of(match).colours)
    match_piles = (*match.counting, match.left)
    lost = tuple(parse_number_card(text) for text in lost_in_play(match))
    piles = tuple(count if count.confirmed else with_faint_told(count, ()) for count in match_piles)
    entries = [_entry(*one) for one in _counted(piles)]
    books, told = with_faint(deck, entries, _faint(piles), lost)
    *counting, left = (_answered(count, books, told) for count in piles)
    answered = replace(match, counting=tuple(counting), left=left)
    return replace(answered, books=_now(answered, books))


def _counted(piles: tuple[PlayerCount, ...]) -> Iterator[tuple[PlayerCount, Batch, CountedCard]]:
    for count in piles:
        for batch in count.batches:
            for card in batch.cards:
                yield count, batch, card


def _entry(count: PlayerCount, batch: Batch, card: CountedCard) -> Entry:
    scores = count.player != ON_TABLE
    if card.card is not None and (card.corrected or batch.source == "tap"):
        return Entry(card.id, ((parse_card(card.card), 1.0),), True, said=True, scores=scores)
    read = _options(card)
    if count.confirmed and card.card is not None:
        # It counts as confirmed, but the books may still find it twice.
        own = parse_card(card.card)
        others = tuple(option for option in read if option[0] != own)
        return Entry(card.id, ((own, dict(read).get(own, 1.0)), *others), sure=True, fixed=True)
    return Entry(card.id, read, sure=raw_card(card.seen) is not None, scores=scores)


def _faint(piles: tuple[PlayerCount, ...]) -> list[Entry]:
    """What may be a card besides in the counts that are still open."""
    found = []
    for count in piles:
        for batch in count.batches if not count.confirmed else ():
            there = {card.id for card in batch.cards}
            found += [
                Entry(card.id, _options(card), sure=False, scores=count.player != ON_TABLE)
                for card in batch.faint
                if card.id not in there
            ]
    return found


def _options(card: CountedCard) -> tuple[tuple[Card, float], ...]:
    read = [(parse_card(text), chance) for text, chance in card.alternatives]
    scoring = tuple(one for one in read if isinstance(one[0], (NumberCard, TweakCard)))
    raw = raw_card(card.seen)
    return ((raw, 1.0),) if raw is not None and not scoring else scoring


def _answered(count: PlayerCount, books: Books, faint: tuple[Entry, ...]) -> PlayerCount:
    if count.confirmed:
        return count
    told = {entry.key: entry.card for entry in faint}
    count = with_faint_told(count, told)
    new: dict[str, CountedCard | None] = {}
    for _, batch, card in _counted((count,)):
        if card.corrected or batch.source == "tap":
            continue
        if card.id in told:
            new[card.id] = replace(with_card(card, told[card.id]), settled=True)
            continue
        answer = books.answers.get(card.id)
        new[card.id] = (
            _as_answered(card, answer) if answer else with_card(card, raw_card(card.seen))
        )
    return tally(with_cards(count, new))


def _as_answered(card: CountedCard, answer: Answer) -> CountedCard:
    fits = tuple(map(str, answer.fits))
    plain = replace(with_card(card, answer.card), fits=fits)
    if answer.card is not None:
        return replace(plain, settled=True)
    if answer.points is not None:
        return replace(plain, settled=True, worth=answer.points, points=answer.points)
    return plain


def _now(match: MatchNow, books: Books) -> BooksNow:
    return BooksNow(
        counted=books.counted,
        in_play=books.in_play,
        missing=tuple(map(str, books.lost)),
        twice=tuple(_seen_twice(match, twice) for twice in books.twice),
        balanced=books.balanced,
        lost=tuple(map(str, books.gone)),
        perhaps=tuple(_perhaps(match, set(map(str, books.lost)))),
    )


def _perhaps(match: MatchNow, missing: set[str]) -> Iterator[Perhaps]:
    """Which counts show something that reads like a missing card, confirmed ones too."""
    readers: dict[str, list[tuple[float, Holder]]] = {}
    for count in (*match.counting, match.left):
        for batch in count.batches:
            counted = {card.id for card in batch.cards}
            for card in batch.faint if missing else ():
                holder = Holder(count.player, card.id, card.seen, batch.picture, card.quad)
                for text, chance in card.alternatives:
                    if text in missing and chance >= PERHAPS and card.id not in counted:
                        readers.setdefault(text, []).append((chance, holder))
    for text, found in readers.items():
        ranked = sorted(found, key=lambda pair: pair[0], reverse=True)
        yield Perhaps(text, tuple(holder for _, holder in ranked[:MOST_PERHAPS]))


def _seen_twice(match: MatchNow, twice: Twice) -> SeenTwice:
    holders = tuple(
        Holder(count.player, card.id, card.seen, batch.picture, card.quad)
        for count, batch, card in _counted((*match.counting, match.left))
        if card.id in twice.keys
    )
    instead = tuple(map(str, twice.instead))
    return SeenTwice(str(twice.card), twice.exists, holders, instead, twice.settled)
