"""What the night hands to the page of a count: batches, counts, the books, closed rounds.

>>> CountedCard(id="7.0", seen="R5?O5", card=None, corrected=False).doubtful
True
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.scoring import ScoreLine
from companion.vision.values import Quad

ON_TABLE = ""
"""Stands for the player where cards were left on the table, which score for nobody (rule E2)."""


@dataclass(frozen=True, slots=True)
class CountedCard:
    """One card of a counted batch.

    Attributes:
        id: names the card in commands (``"<batch id>.<place>"``).
        seen: the raw reading, kept for ever; for a card given by tap the same as ``card``.
        card: the card that counts (``R5``, ``T!joker``), None while doubtful.
        corrected: whether the players said what it is.
        alternatives: (card text, probability), best first, as they were read.
        points: its points, 0 while doubtful.
        settled: whether the books say what it is, or what it is worth, since one answer fits.
        worth: its points where that is known though the card is not, else None.
        fits: the cards that it may be as far as the books can tell, likeliest first.
        faint: whether the eyes hardly believed in it; it counts where the books miss it.
    """

    id: str
    seen: str
    card: str | None
    corrected: bool
    quad: Quad | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    points: int = 0
    settled: bool = False
    worth: int | None = None
    fits: tuple[str, ...] = ()
    faint: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the card still waits for somebody to say what it is."""
        return self.card is None and self.worth is None

    @property
    def shown(self) -> str | None:
        """The card as a text: what counts, or the likeliest where only its worth is known."""
        if self.card is not None or self.worth is None:
            return self.card
        return next(iter(self.fits), None)


@dataclass(frozen=True, slots=True)
class Batch:
    """Won cards laid before the camera at once, or given by tap.

    Attributes:
        id: number in the journal.
        source: ``camera`` or ``tap``.
        cards: removed ones are left out.
        picture: sha256 of the picture, None for cards given by tap.
        faint: what may be a card besides; those of them that the books tell are among the cards.
    """

    id: int
    at: str
    source: str
    cards: tuple[CountedCard, ...]
    picture: str | None = None
    faint: tuple[CountedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """What one player won in one round.

    Attributes:
        player: the name, or :data:`ON_TABLE`.
        started: whether counting has begun for this player.
        tweaks_won: the T! cards won as the player told, each as text (``T!joker``, ``T!``); those
            among the counted cards are told again, not counted twice.
        confirmed: whether the player's count is settled; needs no doubtful card.
        points: points of the cards that are known.
        points_low: the least that it can come to with the doubtful cards.
        points_high: the most that it can come to.
        doubtful: ids of the cards that wait for an answer.
    """

    player: str
    started: bool = False
    batches: tuple[Batch, ...] = ()
    tweaks_won: tuple[str, ...] = ()
    confirmed: bool = False
    points: int = 0
    points_low: int = 0
    points_high: int = 0
    lines: tuple[ScoreLine, ...] = ()
    doubtful: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[CountedCard, ...]:
        """All counted cards, in the order in which they were counted."""
        return tuple(card for batch in self.batches for card in batch.cards)


@dataclass(frozen=True, slots=True)
class Holder:
    """One place where a card was counted.

    Attributes:
        player: whose count it is in.
        card_id: names it in commands.
        seen: what was read.
        picture: sha256 of the picture that shows it, None for one given by tap.
        quad: where in that picture.
    """

    player: str
    card_id: str
    seen: str
    picture: str | None = None
    quad: Quad | None = None


@dataclass(frozen=True, slots=True)
class SeenTwice:
    """A card that was counted more often than it exists.

    Attributes:
        card: its text.
        exists: how often it does; 0 for a colour that is not in play.
        holders: where it was counted.
        instead: missing cards that one of them may be, likeliest first.
        settled: whether the books say what it is, or what it is worth: nothing is asked.
    """

    card: str
    exists: int
    holders: tuple[Holder, ...]
    instead: tuple[str, ...] = ()
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Perhaps:
    """Where a missing card may be seen, though the eyes hardly believed in it.

    Attributes:
        card: its text.
        holders: the counts that show it, the likeliest first.
    """

    card: str
    holders: tuple[Holder, ...]


@dataclass(frozen=True, slots=True)
class BooksNow:
    """How the round that is counted adds up.

    Attributes:
        counted: number cards counted so far, those on the table among them.
        in_play: how many there are in this match; 0 before anything was counted.
        missing: cards in play that no counted card is, or can be any more.
        lost: those that the players said are lost, in this round or before; they are not missing.
        twice: cards counted too often.
        balanced: whether every card is where it can be, and nothing waits.
        perhaps: where missing cards may be seen.
    """

    counted: int = 0
    in_play: int = 0
    missing: tuple[str, ...] = ()
    twice: tuple[SeenTwice, ...] = ()
    balanced: bool = False
    lost: tuple[str, ...] = ()
    perhaps: tuple[Perhaps, ...] = ()


NOTHING_LEFT = PlayerCount(ON_TABLE)
NO_BOOKS = BooksNow()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One closed round.

    Attributes:
        number: counts from 1.
        dealer: who dealt.
        counts: one for each player, in the order of the seats.
        points: one for each player.
        edited: whether it was changed after it was closed.
        left: the cards left on the table (rule E2).
        missing: number cards that were in no pile and not on the table.
    """

    number: int
    dealer: str
    counts: tuple[PlayerCount, ...]
    points: tuple[int, ...]
    edited: bool = False
    left: PlayerCount = NOTHING_LEFT
    missing: tuple[str, ...] = ()
