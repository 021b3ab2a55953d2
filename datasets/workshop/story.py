"""A short round played by the law, for the demo clip: who plays what, claims what, wins what.

Two honest players who see every sum, one of whom once miscounts. All chance comes from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.rules.cards import TARGETS, Colour, NumberCard, Tweak, TweakCard
from companion.rules.editions import HAND_SIZE, TABLE_SIZE, Edition, number_cards, tweak_cards
from companion.rules.sums import Sum, possible_sums

LAST_TARGET = 7
EDITION = Edition.CARDS_65
PLAYERS = 2


@dataclass(frozen=True, slots=True)
class DeckCard:
    """One card of cardboard: its place in the shuffled deck, its front, the target on its back."""

    number: int
    front: NumberCard
    target: int


@dataclass(frozen=True, slots=True)
class Turn:
    """What one player does in one turn.

    Attributes:
        player: seat of the player, from 0.
        played: the hand card.
        joined: table cards that are claimed; empty for a card that is laid.
        target: the target at the time, the Joker not counted in.
        legal: whether the claim is right; None without a claim.
        tweak: the T! card played, as in ``companion judge``, or None.
        is_tweak: whether the sum takes every table card.
        won: the T! card won.
        drawn: cards drawn to the hand.
        filled: cards that go from the deck to the table.
        table: the table before the turn.
    """

    player: int
    played: DeckCard
    joined: tuple[DeckCard, ...]
    target: int
    legal: bool | None
    tweak: str | None
    is_tweak: bool
    won: TweakCard | None
    drawn: tuple[DeckCard, ...]
    filled: tuple[DeckCard, ...]
    table: tuple[DeckCard, ...]

    @property
    def spoken(self) -> str:
        """The sum as it is said aloud, step by step (rule T3)."""
        values = [*sorted(card.front.value for card in self.joined), self.played.front.value]
        total, words = values[0], str(values[0])
        for step, value in enumerate(values[1:], 1):
            total += value
            last = step == len(values) - 1
            said = self.target if last and self.legal is False else total
            words += f" and {value} is {said}" if step == 1 else f", and {value} is {said}"
        return words + (", TWEAK" if self.is_tweak and self.legal else "")


@dataclass(frozen=True, slots=True)
class Story:
    """One round from deal to the last card.

    Attributes:
        cards: all cards in the order of the shuffled deck, top first: the hand of seat 1, the
            table, the hand of seat 0 (who deals), and the deck.
        stack: the T! cards, top first.
        turns: in order; seat 1 begins (D2).
        left: the cards that stay on the table (E2).
    """

    cards: tuple[DeckCard, ...]
    stack: tuple[TweakCard, ...]
    turns: tuple[Turn, ...]
    left: tuple[DeckCard, ...]

    def won_by(self, player: int) -> tuple[DeckCard, ...]:
        """The number cards that a player won, in their order."""
        return tuple(
            card
            for turn in self.turns
            if turn.player == player and turn.legal
            for card in (*turn.joined, turn.played)
        )

    def tweaks_of(self, player: int) -> tuple[TweakCard, ...]:
        """The T! cards that a player won, played or not."""
        return tuple(turn.won for turn in self.turns if turn.won and turn.player == player)


@dataclass(slots=True)
class _Round:
    """The round while it is played."""

    rng: np.random.Generator
    hands: list[list[DeckCard]]
    table: list[DeckCard]
    deck: list[DeckCard]
    stack: list[TweakCard]
    jokers: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    turns: list[Turn] = field(default_factory=list)
    miscounted: bool = False

    @property
    def target(self) -> int:
        return self.deck[0].target if self.deck else LAST_TARGET

    def play(self, player: int) -> None:
        """One turn (rules T1-T7, X3)."""
        table, target, jokers = tuple(self.table), self.target, self.jokers[player]
        found = self._best_sum(player)
        if found is not None:
            tweak, best = found
            self._take(player, (tweak, best), (table, target))
        elif (slip := self._slip(player)) is not None:
            self.miscounted = True
            self._lay(player, slip, (table, target))
        else:
            hand = self.hands[player]
            card = hand[int(self.rng.integers(len(hand)))]
            self._lay(player, (card, ()), (table, target))
        assert self.jokers[player] >= jokers - 1

    def _best_sum(self, player: int) -> tuple[str | None, Sum] | None:
        fronts = tuple(card.front for card in self.hands[player])
        table = tuple(card.front for card in self.table)
        plays = [(None, 0)] + ([("joker+1", 1), ("joker-1", -1)] if self.jokers[player] else [])
        for tweak, change in plays:
            sums = possible_sums(table, self.target + change, fronts)
            if sums:
                return tweak, max(sums, key=lambda one: (one.is_tweak, one.points))
        return None

    def _slip(self, player: int) -> tuple[DeckCard, tuple[DeckCard, ...]] | None:
        """A sum that is one off, which somebody claims once in a round."""
        if self.miscounted or len(self.turns) < 3:
            return None
        for card in self.hands[player]:
            for other in self.table:
                if abs(card.front.value + other.front.value - self.target) == 1:
                    return card, (other,)
        return None

    def _take(
        self, player: int, made: tuple[str | None, Sum], before: tuple[tuple[DeckCard, ...], int]
    ) -> None:
        tweak, best = made
        assert best.hand_card is not None
        played = _pick(self.hands[player], best.hand_card)
        joined = tuple(_pick(self.table, front) for front in best.taken)
        won = self.stack.pop(0) if best.is_tweak and self.stack else None
        if tweak:
            self.jokers[player] -= 1
        if won and won.kind is Tweak.JOKER:
            self.jokers[player] += 1
        self._end(player, (played, joined), before, (True, tweak, won, best.is_tweak))

    def _lay(
        self,
        player: int,
        said: tuple[DeckCard, tuple[DeckCard, ...]],
        before: tuple[tuple[DeckCard, ...], int],
    ) -> None:
        played, claimed = said
        self.hands[player].remove(played)
        self.table.append(played)
        legal = False if claimed else None
        self._end(player, (played, claimed), before, (legal, None, None, False))

    def _end(
        self,
        player: int,
        cards: tuple[DeckCard, tuple[DeckCard, ...]],
        before: tuple[tuple[DeckCard, ...], int],
        result: tuple[bool | None, str | None, TweakCard | None, bool],
    ) -> None:
        legal, tweak, won, is_tweak = result
        hand = self.hands[player]
        drawn = tuple(self.deck.pop(0) for _ in range(min(HAND_SIZE - len(hand), len(self.deck))))
        hand.extend(drawn)
        short = TABLE_SIZE if is_tweak else 0
        filled = tuple(self.deck.pop(0) for _ in range(min(short, len(self.deck))))
        self.table.extend(filled)
        (played, joined), (table, target) = cards, before
        self.turns.append(
            Turn(player, played, joined, target, legal, tweak, is_tweak, won, drawn, filled, table)
        )


def _pick(cards: list[DeckCard], front: NumberCard) -> DeckCard:
    card = next(card for card in cards if card.front == front)
    cards.remove(card)
    return card


def tell(seed: int, colours: Sequence[Colour]) -> Story:
    """Play one round of two players with the number cards of these colours."""
    rng = np.random.default_rng(seed)
    fronts = list(number_cards(colours))
    order = rng.permutation(len(fronts))
    cards = tuple(
        DeckCard(number, fronts[int(place)], int(rng.choice(TARGETS)))
        for number, place in enumerate(order)
    )
    stack = list(tweak_cards(EDITION))
    stack = [stack[int(place)] for place in rng.permutation(len(stack))]
    table_at, hand_at = HAND_SIZE, HAND_SIZE + TABLE_SIZE
    deck_at = hand_at + HAND_SIZE
    now = _Round(
        rng=rng,
        hands=[list(cards[hand_at:deck_at]), list(cards[:table_at])],
        table=list(cards[table_at:hand_at]),
        deck=list(cards[deck_at:]),
        stack=list(stack),
    )
    player = 1
    while any(now.hands):
        if now.hands[player]:
            now.play(player)
        player = (player + 1) % PLAYERS
    return Story(cards, tuple(stack), tuple(now.turns), tuple(now.table))


def shows_everything(story: Story) -> bool:
    """Whether a round shows what a newcomer should see once.

    A TWEAK that wins a Joker, the Joker played later, a wrong claim, a sum after the deck has
    gone, points for both, no table of more than eight cards.
    """
    turns = story.turns
    jokers = [turn for turn in turns if turn.won and turn.won.kind is Tweak.JOKER]
    after = [t for t in turns if t.legal and t.table and _deck_gone_before(story, t)]
    return (
        bool(jokers)
        and any(turn.tweak for turn in turns)
        and any(turn.legal is False for turn in turns)
        and bool(after)
        and all(4 <= len(story.won_by(player)) <= 10 for player in range(PLAYERS))
        and max(len(turn.table) for turn in turns) <= 8
    )


def _deck_gone_before(story: Story, turn: Turn) -> bool:
    """Whether the deck was gone before this turn."""
    gone = 2 * HAND_SIZE + TABLE_SIZE
    for one in story.turns:
        if one is turn:
            return gone == len(story.cards)
        gone += len(one.drawn) + len(one.filled)
    return False
