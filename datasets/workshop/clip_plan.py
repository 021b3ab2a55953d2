"""From a told round to the clip's beats: where cards go, what is seen, what is said.

The table, in card widths from its middle: two rows of cards in the middle, the deck on the right,
the T! stack beyond it, won piles and won T! cards on the left, in front of their player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.rules.cards import TweakCard

from .canvas import Spot
from .clip_beats import Beat, Lying, Stop, side
from .story import LAST_TARGET, DeckCard, Story, Turn

NAMES = ("Ann", "Ben")
DECK = (4.6, 0.0)
STACK = (6.5, 0.0)
SEVEN = "seven"
COLUMNS = (-0.95, 0.5, -2.4, 1.95, -3.85, -5.3)
SLOTS = tuple((x + shift, y) for x in COLUMNS for shift, y in ((0.0, -0.95), (0.7, 0.95)))
"""Places of the table's cards, the middle first; no two are equally far to the right."""

TABLE_BOX = (-6.2, -1.95, 3.4, 1.95)
DECK_BOX = (3.75, -1.2, 5.45, 1.2)
BATCH = 8
"""Most cards that a player lays before the camera at one time when counting."""

QUIET_S, READ_S, CLAIM_S = 0.0, 1.1, 1.9


def card_piece(card: DeckCard) -> str:
    """The name of a number card's piece."""
    return f"n{card.number}"


def tweak_piece(number: int) -> str:
    """The name of a T! card's piece by its place in the stack."""
    return f"t{number}"


@dataclass(slots=True)
class Director:
    """Turns a story into beats and keeps where every piece lies.

    Attributes:
        story: the round.
        rng: how exactly things come to lie.
    """

    story: Story
    rng: np.random.Generator
    slots: dict[str, tuple[float, float]] = field(default_factory=dict)
    piles: dict[int, list[str]] = field(default_factory=lambda: {0: [], 1: []})
    tweaks: dict[int, list[str]] = field(default_factory=lambda: {0: [], 1: []})
    deck: list[DeckCard] = field(default_factory=list)
    used: int = 0
    freed: tuple[tuple[float, float], ...] = ()
    target: int | None = None
    gone: bool = False

    def __post_init__(self) -> None:
        self.deck = list(self.story.cards)

    def beats(self) -> tuple[Beat, ...]:
        """The whole clip."""
        beats = list(self._deal())
        for turn in self.story.turns:
            beats += self._turn(turn)
        beats += self._clear_away()
        for player in (0, 1):
            beats += self._count(player)
        last = beats[-1]
        close: tuple[float, dict[str, object]] = (0.4, {"do": "close_round"})
        beats[-1] = Beat(last.player, last.stops, 3.0, last.events, (*last.script, close))
        return tuple(beats)

    # --- the deal ------------------------------------------------------------------------

    def _deal(self) -> list[Beat]:
        under = Lying(SEVEN, Spot(*DECK, 1.0), True)
        deck = tuple(
            Lying(card_piece(card), Spot(*self._near(DECK, 0.015), self._askew(0.6), z), False)
            for card, z in zip(reversed(self.deck), _heights(len(self.deck)), strict=True)
        )
        stack = tuple(
            Lying(tweak_piece(number), Spot(*self._near(STACK, 0.02), self._askew(1), z), False)
            for number, z in zip(
                reversed(range(len(self.story.stack))),
                _heights(len(self.story.stack)),
                strict=True,
            )
        )
        bring = Beat(0, (Stop(*STACK, drops=stack), Stop(*DECK, drops=(under, *deck))), QUIET_S)
        hand_1 = self._draw(3)
        take_1 = Beat(1, (Stop(*DECK, picks=_pieces(hand_1)),), QUIET_S)
        table = self._draw(2)
        to_table, spots = self._to_table(table)
        hand_0 = self._draw(3)
        stops = (*to_table, Stop(*DECK, picks=_pieces(hand_0)))
        events = (*_laid(spots), *self._target_event())
        return [bring, take_1, Beat(0, stops, 2.2, events)]

    def _draw(self, count: int) -> tuple[DeckCard, ...]:
        drawn, self.deck = tuple(self.deck[:count]), self.deck[count:]
        return drawn

    def _target_event(self) -> tuple[str, ...]:
        before = self.target
        self.target = self.deck[0].target if self.deck else LAST_TARGET
        if not self.deck:
            said, self.gone = self.gone, True
            return () if said else ("deck gone",)
        return () if self.target == before else (f"target {before or '?'} → {self.target}",)

    # --- a turn --------------------------------------------------------------------------

    def _turn(self, turn: Turn) -> list[Beat]:
        self.freed = ()
        stop = self._lay(turn.player, turn.played)
        laid = (f"{turn.played.front} laid",)
        if turn.legal is None:
            draw = self._draw_stops(turn)
            return [Beat(turn.player, (stop, *draw), READ_S, (*laid, *self._target_event()))]
        said = self._claim(turn)
        beats = [Beat(turn.player, (stop,), CLAIM_S, laid, ((1.1, said),))]
        if not turn.legal:
            if turn.drawn:
                draw = self._draw_stops(turn)
                beats.append(Beat(turn.player, draw, READ_S, self._target_event()))
            return beats
        take, taken = self._take(turn)
        if turn.filled:
            beats.append(Beat(turn.player, take, 0.9, (taken,)))
            draw = self._draw_stops(turn)
            fill, spots = self._to_table(self._draw(len(turn.filled)))
            events = (*_laid(spots), *self._target_event())
            beats.append(Beat(turn.player, (*draw, *fill), READ_S, events))
        else:
            draw = self._draw_stops(turn)
            events = (taken, *self._target_event())
            beats.append(Beat(turn.player, (*take, *draw), READ_S, events))
        return beats

    def _claim(self, turn: Turn) -> dict[str, object]:
        return {
            "do": "claim",
            "player": NAMES[turn.player],
            "hand": str(turn.played.front),
            "taken": [str(card.front) for card in turn.joined],
            "said_tweak": bool(turn.is_tweak),
            "spoken": turn.spoken,
            "tweak": turn.tweak,
        }

    def _lay(self, player: int, card: DeckCard) -> Stop:
        spot = self._free_spot(card)
        turned = Spot(spot.x, spot.y, spot.turn_deg + (180 if player else 0))
        return Stop(spot.x, spot.y, drops=(Lying(card_piece(card), turned, True),))

    def _draw_stops(self, turn: Turn) -> tuple[Stop, ...]:
        drawn = self._draw(len(turn.drawn))
        return (Stop(*DECK, picks=_pieces(drawn)),) if drawn else ()

    def _take(self, turn: Turn) -> tuple[tuple[Stop, ...], str]:
        cards = sorted((turn.played, *turn.joined), key=lambda card: self.slots[card_piece(card)])
        stops = [Stop(*self.slots[card_piece(card)], picks=(card_piece(card),)) for card in cards]
        self.freed = tuple(self.slots.pop(card_piece(card)) for card in cards)
        stops.append(self._on_pile(turn.player, cards))
        if turn.tweak:
            stops += self._use_joker(turn.player)
        if turn.won:
            stops += self._win_tweak(turn.player)
        names = [str(card.front) for card in cards]
        return tuple(stops), f"{_listed(names)} taken"

    def _on_pile(self, player: int, cards: Sequence[DeckCard]) -> Stop:
        pile, at = self.piles[player], (-6.1, side(player) * 3.2)
        drops = []
        for card in cards:
            spot = Spot(*self._near(at, 0.05), self._askew(5), 0.012 * len(pile))
            drops.append(Lying(card_piece(card), spot, False))
            pile.append(card_piece(card))
        return Stop(*at, drops=tuple(drops))

    def _win_tweak(self, player: int) -> tuple[Stop, Stop]:
        piece = tweak_piece(self.used)
        self.used += 1
        at = (-4.7 + 1.25 * len(self.tweaks[player]), side(player) * 3.2)
        self.tweaks[player].append(piece)
        spot = Spot(*at, self._askew(4) + (180 if player else 0))
        return Stop(*STACK, picks=(piece,)), Stop(*at, drops=(Lying(piece, spot, True),))

    def _use_joker(self, player: int) -> tuple[Stop, Stop]:
        """A played T! card stays in front of its player, turned crosswise (P4: it scores)."""
        number = next(
            place
            for place, piece in enumerate(self.tweaks[player])
            if str(self.story.stack[int(piece[1:])]) == "T!joker"
        )
        piece = self.tweaks[player][number]
        at = (-4.7 + 1.25 * number, side(player) * 3.2)
        back = (at[0] - 0.0, at[1] + side(player) * 0.25)
        spot = Spot(*back, 90 + self._askew(4))
        return Stop(*at, picks=(piece,)), Stop(*back, drops=(Lying(piece, spot, True),))

    # --- where cards lie -----------------------------------------------------------------

    def _free_spot(self, card: DeckCard) -> Spot:
        taken = set(self.slots.values()) | set(self.freed)
        slot = next(slot for slot in SLOTS if slot not in taken)
        self.slots[card_piece(card)] = slot
        return Spot(*self._near(slot, 0.05), self._askew(5))

    def _to_table(
        self, cards: Sequence[DeckCard]
    ) -> tuple[tuple[Stop, ...], list[tuple[Spot, str]]]:
        stops, spots = [], []
        for card in cards:
            spot = self._free_spot(card)
            piece = card_piece(card)
            stops.append(Stop(*DECK, picks=(piece,)))
            stops.append(Stop(spot.x, spot.y, drops=(Lying(piece, spot, True),)))
            spots.append((spot, str(card.front)))
        return tuple(stops), spots

    def _near(self, at: tuple[float, float], by: float) -> tuple[float, float]:
        dx, dy = self.rng.normal(0, by, 2)
        return at[0] + float(dx), at[1] + float(dy)

    def _askew(self, by_deg: float) -> float:
        return float(self.rng.normal(0, by_deg))

    # --- the end and the count -----------------------------------------------------------

    def _clear_away(self) -> list[Beat]:
        """Both take their won cards; the one that deals takes the rest of the table too."""
        left = sorted(self.story.left, key=lambda card: self.slots[card_piece(card)])
        rest = [Stop(*self.slots[card_piece(card)], picks=(card_piece(card),)) for card in left]
        stack = tuple(tweak_piece(n) for n in range(self.used, len(self.story.stack)))
        rest += [Stop(*DECK, picks=(SEVEN,)), Stop(*STACK, picks=stack)]
        names = [str(card.front) for card in left]
        taken = (f"{_listed(names)} taken",) if names else ()
        self.slots.clear()
        return [
            Beat(1, (self._own(1),), QUIET_S),
            Beat(0, (self._own(0),), QUIET_S),
            Beat(0, tuple(rest), READ_S, (*taken, "cleared")),
        ]

    def _own(self, player: int) -> Stop:
        pieces = (*self.piles[player], *self.tweaks[player])
        return Stop(-5.5, side(player) * 3.2, picks=pieces)

    def _count(self, player: int) -> list[Beat]:
        cards, beats = self.story.won_by(player), []
        parts = -(-len(cards) // BATCH)
        size = -(-len(cards) // parts)
        for start in range(0, len(cards), size):
            batch = cards[start : start + size]
            spots = [(self._free_spot(card), card) for card in batch]
            spots.sort(key=lambda pair: (pair[0].y > 0, pair[0].x))
            stops = [
                _put(spots[at : at + 2], 180.0 if player else 0.0) for at in range(0, len(spots), 2)
            ]
            script: list[tuple[float, dict[str, object]]] = [
                (1.2, {"do": "count_batch", "player": NAMES[player]})
            ]
            if start + size >= len(cards):
                won = [str(tweak) for tweak in self.story.tweaks_of(player)]
                script.append((1.7, {"do": "confirm", "player": NAMES[player], "tweaks": won}))
            events = _laid([(spot, str(card.front)) for spot, card in spots])
            beats.append(Beat(player, tuple(stops), 2.3, events, tuple(script)))
            ordered = sorted(spots, key=lambda pair: (pair[0].x, pair[0].y))
            names = [str(card.front) for _, card in ordered]
            beats.append(
                Beat(player, _swept(ordered), READ_S, (f"{_listed(names)} taken", "cleared"))
            )
            self.slots.clear()
        return beats


def _heights(count: int) -> list[float]:
    return [0.012 * place for place in range(count)]


def _pieces(cards: Sequence[DeckCard]) -> tuple[str, ...]:
    return tuple(card_piece(card) for card in cards)


def _laid(spots: Sequence[tuple[Spot, str]]) -> tuple[str, ...]:
    """One event a card, from left to right."""
    ordered = sorted(spots, key=lambda pair: (pair[0].x, pair[0].y))
    return tuple(f"{name} laid" for _, name in ordered)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _put(spots: Sequence[tuple[Spot, DeckCard]], turn_deg: float) -> Stop:
    drops = tuple(
        Lying(card_piece(card), Spot(spot.x, spot.y, spot.turn_deg + turn_deg), True)
        for spot, card in spots
    )
    middle = sum(spot.x for spot, _ in spots) / len(spots)
    return Stop(middle, spots[0][0].y, drops=drops)


def _swept(spots: Sequence[tuple[Spot, DeckCard]]) -> tuple[Stop, ...]:
    """Cards picked up from left to right, three at a time."""
    groups = [spots[at : at + 3] for at in range(0, len(spots), 3)]
    return tuple(
        Stop(group[-1][0].x, 0.0, picks=_pieces([card for _, card in group])) for group in groups
    )


def tweak_card(story: Story, piece: str) -> TweakCard:
    """The T! card that a piece is."""
    return story.stack[int(piece[1:])]
