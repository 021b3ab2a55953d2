"""What a finished round must add up to (rules C1, C3, E2).

Every number card in play is in exactly one won pile or left on the table; no card exists more
often than the edition has it.

>>> from companion.rules.cards import Colour, parse_number_card
>>> result = account(Edition.CARDS_65, (Colour.RED,), [[parse_number_card("R5")] * 2])
>>> [str(card) for card in result.surplus], len(result.missing)
(['R5'], 8)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.cards import Card, Colour, NumberCard, TweakCard
from companion.rules.editions import TWEAK_COUNTS, Edition, number_cards
from companion.rules.round import State


@dataclass(frozen=True, slots=True)
class Account:
    """How a round adds up.

    Attributes:
        missing: number cards in play that are in no pile and not on the table.
        surplus: cards beyond those that exist, or of a colour that is not in play.
        unknown: cards that were counted without being known; each may be a missing one.
    """

    missing: tuple[NumberCard, ...]
    surplus: tuple[Card, ...]
    unknown: int = 0

    @property
    def balanced(self) -> bool:
        """Whether everything is where it can be, and nothing else is."""
        return not self.surplus and len(self.missing) == self.unknown

    @property
    def text(self) -> str:
        """One line for people: what is missing and what is too much, by name."""
        if self.balanced and not self.unknown:
            return "every card is accounted for"
        parts = [
            f"{name}: {', '.join(map(str, cards))}"
            for name, cards in (("missing", self.missing), ("too many", self.surplus))
            if cards
        ]
        return "; ".join(parts + ([f"not known: {self.unknown}"] if self.unknown else []))


def account(
    edition: Edition,
    colours: tuple[Colour, ...],
    piles: Iterable[Iterable[NumberCard | TweakCard | None]],
    table: Iterable[NumberCard | None] = (),
) -> Account:
    """Compare the piles that were won, and what was left, with what exists.

    Args:
        edition: which box is played.
        colours: the colours in play.
        piles: each player's number cards and T! cards; None for a card that is not known.
        table: the number cards left on the table.
    """
    found = [card for pile in piles for card in pile] + list(table)
    numbers = Counter(card for card in found if isinstance(card, NumberCard))
    tweaks = Counter(card for card in found if isinstance(card, TweakCard))
    in_play = Counter(number_cards(colours))
    surplus: list[Card] = list((numbers - in_play).elements())
    for card, count in tweaks.items():
        surplus += [card] * (count - _existing(edition, card))
    total = sum(TWEAK_COUNTS[edition].values())
    beyond = tweaks.total() - total - sum(isinstance(card, TweakCard) for card in surplus)
    surplus += [TweakCard()] * beyond
    missing = tuple((in_play - numbers).elements())
    return Account(missing, tuple(surplus), unknown=found.count(None))


def account_state(state: State) -> Account:
    """The account of a round as it stands: what is missing is still in hands and deck."""
    piles = [(*seat.won, *seat.has, *seat.used) for seat in state.seats]
    return account(state.edition, state.colours, piles, state.table)


def _existing(edition: Edition, card: TweakCard) -> int:
    counts = TWEAK_COUNTS[edition]
    return sum(counts.values()) if card.kind is None else counts[card.kind]
