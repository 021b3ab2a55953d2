"""The two editions and what is in their boxes (rules C1, C3, S1).

>>> number_copies(NumberCard(Colour.RED, 3)), number_copies(NumberCard(Colour.RED, 5))
(2, 1)
>>> len(number_cards(colours_in_play(Edition.CARDS_65, 4)))
45
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType

from companion.errors import BadInput, Phrase
from companion.rules.cards import VALUES, Card, Colour, NumberCard, Tweak, TweakCard

FEWEST_PLAYERS = 2
MOST_PLAYERS = 6
HAND_SIZE = 3
TABLE_SIZE = 2
END_TARGET = 7
"""The target once the deck is gone and the blue 7 shows (rules T2, C4)."""


class Edition(Enum):
    """An edition, named after the number of cards in its box."""

    CARDS_65 = "65"
    CARDS_72 = "72"


TWEAK_COUNTS: Mapping[Edition, Mapping[Tweak, int]] = MappingProxyType(
    {
        Edition.CARDS_65: MappingProxyType(
            {Tweak.THIEF: 4, Tweak.JOKER: 3, Tweak.SHIFTER: 2, Tweak.BOMB: 1}
        ),
        Edition.CARDS_72: MappingProxyType(
            {Tweak.THIEF: 5, Tweak.JOKER: 5, Tweak.SHIFTER: 5, Tweak.BOMB: 2}
        ),
    }
)
"""How many T! cards of each kind an edition has (rule C3)."""

_COLOURS_FOR_65 = {2: 4, 3: 4, 4: 5, 5: 6, 6: 6}


def parse_edition(text: object) -> Edition:
    """Read an edition's name.

    Raises:
        BadInput: it is neither ``65`` nor ``72``.
    """
    if isinstance(text, str) and text in {edition.value for edition in Edition}:
        return Edition(text)
    shown = repr(text)
    raise BadInput('an edition is "65" or "72", not %(given)s', given=shown[:40])


def check_players(players: int) -> int:
    """Give the number of players back if a match can have it (rule S1).

    Raises:
        BadInput: fewer than 2 or more than 6.
    """
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise BadInput("a match has 2 to 6 players, not %(players)s", players=players)
    return players


def colours_in_play(edition: Edition, players: int) -> tuple[Colour, ...]:
    """The colours that the sheets advise for so many players, red first (rule S1).

    Raises:
        BadInput: fewer than 2 or more than 6 players.
    """
    check_players(players)
    every = tuple(Colour)
    return every if edition is Edition.CARDS_72 else every[: _COLOURS_FOR_65[players]]


def check_colours(edition: Edition, colours: Iterable[Colour]) -> tuple[Colour, ...]:
    """Give the colours back in their usual order if this edition can be played with them (S1).

    Raises:
        BadInput: red is missing, a colour comes twice, or the 72-card edition lacks one.
    """
    chosen = list(colours)
    if len(set(chosen)) != len(chosen):
        raise BadInput("each colour can be chosen once")
    if Colour.RED not in chosen:
        raise BadInput("red is always in play: choose red and any other colours")
    if edition is Edition.CARDS_72 and len(chosen) != len(Colour):
        raise BadInput("the 72-card edition is played with all six colours")
    return tuple(colour for colour in Colour if colour in chosen)


def number_copies(card: NumberCard) -> int:
    """How many copies of a number card there are: two of 1-3, one of 4-6 (rule C1)."""
    return 2 if card.value <= 3 else 1


def number_cards(colours: Iterable[Colour]) -> tuple[NumberCard, ...]:
    """Every number card of these colours, each as often as it exists (rule C1)."""
    kinds = [NumberCard(colour, value) for colour in colours for value in VALUES]
    return tuple(card for card in kinds for _ in range(number_copies(card)))


def tweak_cards(edition: Edition) -> tuple[TweakCard, ...]:
    """The whole T! stack of an edition (rule C3)."""
    counts = TWEAK_COUNTS[edition]
    return tuple(TweakCard(kind) for kind, count in counts.items() for _ in range(count))


def check_copies(cards: Iterable[Card], edition: Edition | None = None) -> None:
    """Refuse more copies of a card than an edition has (rules C1, C3).

    Without an edition the T! cards of either will do.

    Raises:
        BadInput: names the first card that comes too often, with wanted and got.
    """
    for card, count in Counter(cards).items():
        most = _most_copies(card, edition)
        if count > most:
            times = {
                1: Phrase("%(card)s exists once", card=card),
                2: Phrase("%(card)s exists twice", card=card),
            }.get(most, Phrase("%(card)s exists %(count)s times", card=card, count=most))
            raise BadInput("%(often)s, but it is named %(count)s times", often=times, count=count)


def _most_copies(card: Card, edition: Edition | None) -> int:
    if isinstance(card, NumberCard):
        return number_copies(card)
    if isinstance(card, TweakCard):
        editions = [edition] if edition else list(Edition)
        counts = [TWEAK_COUNTS[one] for one in editions]
        return max(sum(c.values()) if card.kind is None else c[card.kind] for c in counts)
    return 1 if str(card) == "=7" else 54
