"""A player's count as its cards say: points, their range, and what is doubtful.

A raw reading stays as it was seen; what the players say, and what the books answer, stands beside
it and counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import BadInput, NotFound, Phrase
from companion.night.codec import seen_from_json
from companion.night.values import Batch, CountedCard, PlayerCount
from companion.rules.cards import Card, NumberCard, TweakCard, parse_card
from companion.rules.scoring import points_of, score
from companion.vision.values import parse_reading

MOST_POINTS = 5
"""What the best card is worth (rule P3): the upper bound for a card that nobody can read."""


def tally(count: PlayerCount) -> PlayerCount:
    """The count with its points, their range, and what is doubtful, as its cards say."""
    total = score(scoring_cards(count))
    doubtful = [card for card in count.cards if card.doubtful]
    ranges = [_range(card) for card in doubtful]
    return replace(
        count,
        points=total.points,
        points_low=total.points + sum(low for low, _ in ranges),
        points_high=total.points + sum(high for _, high in ranges),
        lines=total.lines,
        doubtful=tuple(card.id for card in doubtful),
    )


def scoring_cards(count: PlayerCount) -> list[Card]:
    """Every card that scores; T! cards both counted and told are the same ones (rule P4)."""
    counted = [card for one in count.cards if (card := _worth_of(one)) is not None]
    numbers = [card for card in counted if isinstance(card, NumberCard)]
    return [*numbers, *tweaks_of(count)]


def tweaks_of(count: PlayerCount) -> list[TweakCard]:
    """The T! cards won: those counted, those told beyond them, and those of some kind or other."""
    seen = Counter(t for t in map(_parsed, _texts([count])) if isinstance(t, TweakCard))
    told = Counter(t for t in map(_parsed, count.tweaks_won) if isinstance(t, TweakCard))
    known = seen | told
    some = sum(c.card is None and isinstance(_worth_of(c), TweakCard) for c in count.cards)
    more = max(0, some - (known - seen).total())
    return [*known.elements(), *[TweakCard()] * more]


def known_cards(counts: Iterable[PlayerCount]) -> list[Card]:
    """Every card that is known, T! cards that are both counted and told once."""
    found: list[Card] = []
    for count in counts:
        cards = map(_parsed, _texts([count]))
        found += [card for card in cards if not isinstance(card, TweakCard)]
        found += tweaks_of(count)
    return found


def said_cards(counts: Iterable[PlayerCount]) -> list[Card]:
    """Those of the known cards that the players said themselves, by tap or by correction."""
    found: list[Card] = []
    for count in counts:
        for batch in count.batches:
            given = [c for c in batch.cards if c.card and (c.corrected or batch.source == "tap")]
            found += [parse_card(card.card) for card in given if card.card]
    return found


def countable(text: str) -> Card:
    """Read a card that can score.

    Raises:
        UnknownCard: the text names no card.
        BadInput: a back or the blue 7.
    """
    card = parse_card(text)
    points_of(card)
    return card


def counted_card(batch_id: int, place: int, found: Mapping[str, Any]) -> CountedCard:
    """A card of a batch as it is read from the journal."""
    seen = seen_from_json(found)
    return with_card(
        CountedCard(
            id=f"{batch_id}.{place}",
            seen=seen.text,
            card=None,
            corrected=False,
            quad=seen.quad,
            alternatives=seen.alternatives,
        ),
        raw_card(seen.text),
    )


def with_card(counted: CountedCard, card: Card | None) -> CountedCard:
    """The counted card as this card, or open again (None); what the books said is gone."""
    return replace(
        counted,
        card=None if card is None else str(card),
        points=0 if card is None else points_of(card),
        settled=False,
        worth=None,
        fits=(),
    )


def raw_card(seen: str) -> Card | None:
    """The card that a raw reading is sure of, None where it is not or where nobody wins it."""
    reading = parse_reading(seen)
    best = reading.best
    return best if reading.sure and isinstance(best, (NumberCard, TweakCard)) else None


def card_of(count: PlayerCount, card_id: str) -> CountedCard:
    """A counted card by its id.

    Raises:
        NotFound: no card of that id is in the count.
    """
    for card in count.cards:
        if card.id == card_id:
            return card
    whose = count.player or Phrase("the table")
    raise NotFound("no card %(card)r is counted for %(whose)s", card=str(card_id)[:40], whose=whose)


def with_cards(count: PlayerCount, new: Mapping[str, CountedCard | None]) -> PlayerCount:
    """The count with some cards replaced, or taken out (None), by their ids."""
    if not new:
        return count
    batches: list[Batch] = []
    for batch in count.batches:
        changed = (new.get(card.id, card) for card in batch.cards)
        cards = tuple(card for card in changed if card is not None)
        faint = tuple(card for card in batch.faint if new.get(card.id, card) is not None)
        batches.append(replace(batch, cards=cards, faint=faint))
    return replace(count, batches=tuple(batches))


def with_faint_told(count: PlayerCount, told: Container[str]) -> PlayerCount:
    """The count with those of its faint finds among its cards that were told, by their ids.

    Those that the players themselves said what they are stay.
    """
    batches: list[Batch] = []
    for batch in count.batches:
        cards = [c for c in batch.cards if not c.faint or c.corrected or c.id in told]
        there = {card.id for card in cards}
        cards += [card for card in batch.faint if card.id in told and card.id not in there]
        batches.append(replace(batch, cards=tuple(cards)))
    return replace(count, batches=tuple(batches))


def tweak_of(text: str) -> TweakCard:
    """Read a T! card.

    Raises:
        BadInput: it is none.
    """
    card = parse_card(text)
    if isinstance(card, TweakCard):
        return card
    raise BadInput(
        "%(text)r is no T! card: wanted T!thief, T!joker, T!shifter or T!bomb", text=text[:40]
    )


def _texts(counts: Iterable[PlayerCount]) -> list[str]:
    return [card.card for count in counts for card in count.cards if card.card]


def _parsed(text: str) -> Card:
    return parse_card(text)


def _worth_of(counted: CountedCard) -> Card | None:
    """The card, or where only its worth is known any card that it may be with that worth."""
    if counted.card is not None:
        return parse_card(counted.card)
    cards = [parse_card(text) for text in counted.fits]
    return next((card for card in cards if points_of(card) == counted.worth), None)


def _range(card: CountedCard) -> tuple[int, int]:
    worth = []
    for text in card.fits or [text for text, _ in card.alternatives]:
        option = parse_card(text)
        scores = isinstance(option, (NumberCard, TweakCard))
        worth.append(points_of(option) if scores else 0)
    return (min(worth), max(worth)) if worth else (0, MOST_POINTS)
