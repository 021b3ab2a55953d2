"""Plays a round by the law with cards of cardboard, and cuts out the turns that a clip shows.

All moves are those of simple players, judged and carried out by :mod:`companion.rules`; here only
is kept track of which piece lies where, since there are two of many a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from companion.rules.apply import apply
from companion.rules.cards import NumberCard, TweakCard
from companion.rules.moves import (
    Draw,
    Fill,
    Lay,
    MakeSum,
    Move,
    PlayBomb,
    PlayJoker,
    PlayShifter,
    PlayThief,
    SayTweak,
)
from companion.rules.players import choose
from companion.rules.round import Phase, State
from companion.rules.simulate import deal

from .rounds_recipe import ClipDraw

Pieces: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Where every piece of the match is; number cards ``n0``, T! cards ``t0`` and so on.

    Attributes:
        fronts: the number cards, by the number of their piece.
        backs: the targets on their backs.
        kinds: the T! cards.
        hands, won: by seat.
        tweaks: T! cards before each player, played or not, oldest first.
        lying: the cards to play with.
        deck, stack: top first.
        used: T! cards that were played.
    """

    fronts: tuple[NumberCard, ...]
    backs: tuple[int, ...]
    kinds: tuple[TweakCard, ...]
    hands: tuple[Pieces, ...]
    won: tuple[Pieces, ...]
    tweaks: tuple[Pieces, ...]
    lying: Pieces
    deck: Pieces
    stack: Pieces
    used: Pieces = ()

    def card(self, piece: str) -> NumberCard:
        """The front of a number card."""
        return self.fronts[int(piece[1:])]

    @property
    def target(self) -> int:
        """What the deck shows (rule T2)."""
        return self.backs[int(self.deck[0][1:])] if self.deck else 7

    def find(self, card: NumberCard, among: Sequence[str]) -> str:
        """One of the pieces that is this card."""
        return next(piece for piece in among if self.card(piece) == card)


@dataclass(frozen=True, slots=True)
class Deed:
    """One move with its pieces.

    Attributes:
        move: the move.
        pieces: what is moved: the hand card first in a sum.
        won: the T! card won by it, or the one that is played.
        before, after: everything as it was, and as it then is.
        tweak: the T! card played in this turn, as in ``companion judge``, at the time of a sum.
        wrong: table cards that are claimed with a laid card although they don't fit.
        said_tweak: whether "TWEAK" is said.
    """

    move: Move
    pieces: Pieces
    won: str | None
    before: Table
    after: Table
    tweak: str | None = None
    wrong: Pieces = ()
    said_tweak: bool = False


@dataclass(slots=True)
class _Play:
    """The round while it is played: the law's state and the pieces, side by side."""

    state: State
    table: Table
    deeds: list[Deed] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the round has come to its end (rule E1)."""
        return self.state.phase is Phase.OVER

    def step(self, move: Move) -> None:
        played = self.state.tweak.value if self.state.tweak else None
        after = apply(self.state, move)
        pieces, won, table = _carry_out(self.table, move, self.state, after)
        if isinstance(move, PlayJoker | PlayThief | PlayBomb | PlayShifter):
            won = _own_tweak(self.table, move)
            table = replace(table, used=(*table.used, won))
        said = isinstance(move, MakeSum | SayTweak) and getattr(move, "said_tweak", True)
        self.deeds.append(Deed(move, pieces, won, self.table, table, played, said_tweak=said))
        self.state, self.table = after, table


def _without(pieces: Pieces, *gone: str) -> Pieces:
    return tuple(piece for piece in pieces if piece not in gone)


def _put(lists: tuple[Pieces, ...], seat: int, pieces: Pieces) -> tuple[Pieces, ...]:
    return (*lists[:seat], pieces, *lists[seat + 1 :])


def _carry_out(
    table: Table, move: Move, before: State, after: State
) -> tuple[Pieces, str | None, Table]:
    """The pieces of a move, the T! card that it wins, and everything afterwards."""
    seat = move.seat
    given: tuple[tuple[int, str], ...] = ()
    match move:
        case MakeSum():
            pieces, table = _take(table, move)
            return (pieces, *_win(table, seat, before, after))
        case SayTweak():
            return ((), *_win(table, seat, before, after))
        case Draw() | Fill():
            pieces, table = _from_deck(table, move)
            return pieces, None, table
        case PlayShifter():
            top = table.deck[0]
            return (top,), None, replace(table, deck=table.deck[1:], lying=(*table.lying, top))
        case Lay():
            given = ((seat, table.find(move.card, table.hands[seat])),)
        case PlayThief() if move.card is not None:
            given = ((move.victim, table.find(move.card, table.hands[move.victim])),)
        case PlayBomb():
            dropped = move.dropped
            given = tuple((one, table.find(card, table.hands[one])) for one, card in dropped)
        case _:
            pass
    return tuple(piece for _, piece in given), None, _to_table(table, given)


def _take(table: Table, move: MakeSum) -> tuple[Pieces, Table]:
    """The hand card and the table cards of a sum, and everything once they are won."""
    seat, hand = move.seat, table.hands[move.seat]
    own = table.find(move.hand, hand)
    taken: Pieces = ()
    for card in move.taken:
        taken += (table.find(card, _without(table.lying, *taken)),)
    after = replace(
        table,
        hands=_put(table.hands, seat, _without(hand, own)),
        won=_put(table.won, seat, (*table.won[seat], own, *taken)),
        lying=_without(table.lying, *taken),
    )
    return (own, *taken), after


def _from_deck(table: Table, move: Draw | Fill) -> tuple[Pieces, Table]:
    """The deck's top cards, and everything once they are in the hand or on the table."""
    count = len(move.cards)
    drawn, rest = table.deck[:count], table.deck[count:]
    if isinstance(move, Fill):
        return drawn, replace(table, deck=rest, lying=(*table.lying, *drawn))
    hands = _put(table.hands, move.seat, (*table.hands[move.seat], *drawn))
    return drawn, replace(table, deck=rest, hands=hands)


def _to_table(table: Table, from_hands: tuple[tuple[int, str], ...]) -> Table:
    for seat, piece in from_hands:
        hands = _put(table.hands, seat, _without(table.hands[seat], piece))
        table = replace(table, hands=hands, lying=(*table.lying, piece))
    return table


def _win(table: Table, seat: int, before: State, after: State) -> tuple[str | None, Table]:
    if len(after.stack) == len(before.stack):
        return None, table
    won = table.stack[0]
    tweaks = _put(table.tweaks, seat, (*table.tweaks[seat], won))
    return won, replace(table, stack=table.stack[1:], tweaks=tweaks)


def _own_tweak(table: Table, move: PlayJoker | PlayThief | PlayBomb | PlayShifter) -> str:
    """The T! card that is played: one of that kind before the player, not yet played."""
    kind = move.play.kind
    free = (piece for piece in table.tweaks[move.seat] if piece not in table.used)
    return next(piece for piece in free if table.kinds[int(piece[1:])].kind is kind)


def play_deeds(draw: ClipDraw) -> tuple[Table, tuple[tuple[Deed, ...], ...]]:
    """Play one round; everything after the deal, and the deeds of each turn (rules S1-S3)."""
    dice = Random(repr(draw.seed))
    state = deal(draw.edition, draw.players, dice.randrange(draw.players), dice)
    play = _Play(state, _laid_out(state))
    first = play.table
    turns: list[tuple[Deed, ...]] = []
    while not play.over:
        seat, play.deeds = play.state.turn, []
        while not play.over and play.state.turn == seat:
            play.step(choose(play.state, dice))
        turns.append(tuple(play.deeds))
    return first, tuple(turns)


def _laid_out(state: State) -> Table:
    """Give every card of the dealt round a piece: hands first, then table and deck."""
    fronts: list[NumberCard] = []
    backs: list[int] = []

    def pieces(cards: Sequence[object], targets: Sequence[int | None] | None = None) -> Pieces:
        start = len(fronts)
        fronts.extend(card for card in cards if isinstance(card, NumberCard))
        backs.extend(
            targets[place] or 7 if targets else 7 + place % 4 for place in range(len(cards))
        )
        return tuple(f"n{number}" for number in range(start, len(fronts)))

    hands = tuple(pieces(seat.hand) for seat in state.seats)
    lying = pieces(state.table)
    deck = pieces([card.front for card in state.deck], [card.target for card in state.deck])
    players = len(state.seats)
    return Table(
        fronts=tuple(fronts),
        backs=tuple(backs),
        kinds=state.stack,
        hands=hands,
        won=((),) * players,
        tweaks=((),) * players,
        lying=lying,
        deck=deck,
        stack=tuple(f"t{number}" for number in range(len(state.stack))),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a round that a clip shows.

    Attributes:
        start: everything as it is when the clip begins.
        turns: the deeds of each turn shown.
        from_deal: whether nothing was played before.
        to_end: whether nothing is played after.
    """

    start: Table
    turns: tuple[tuple[Deed, ...], ...]
    from_deal: bool
    to_end: bool


def play_part(draw: ClipDraw) -> Part:
    """The turns of a round that this clip shows, with the wrong claims put in."""
    first, turns = play_deeds(draw)
    shown = min(draw.turns, len(turns))
    begin = round(draw.part * (len(turns) - shown))
    chosen = turns[begin : begin + shown]
    start = chosen[0][0].before if begin else first
    return Part(start, _slipped(draw, chosen), begin == 0, begin + shown == len(turns))


def _slipped(draw: ClipDraw, turns: tuple[tuple[Deed, ...], ...]) -> tuple[tuple[Deed, ...], ...]:
    """The turns with sums that don't add up, and a TWEAK said where cards are left."""
    wanted = [slip for slip in ("wrong sum", "wrong sum", "false tweak") if slip in draw.slips]
    done = []
    for turn in turns:
        for slip in tuple(wanted):
            changed = tuple(_slip(deed, slip) for deed in turn)
            if changed != turn:
                turn = changed
                wanted.remove(slip)
                break
        done.append(turn)
    return tuple(done)


def _slip(deed: Deed, slip: str) -> Deed:
    lying = deed.before.lying
    if slip == "wrong sum" and isinstance(deed.move, Lay) and lying:
        own = deed.before.card(deed.pieces[0]).value
        for taken in (lying[:2], lying[-2:], lying[:1], lying[-1:], lying[:3], lying):
            total = own + sum(deed.before.card(piece).value for piece in taken)
            if 0 < abs(total - deed.before.target) <= 3 and deed.tweak is None:
                return replace(deed, wrong=taken)
    left = len(lying) - len(deed.pieces) + 1
    if slip == "false tweak" and isinstance(deed.move, MakeSum) and left:
        return replace(deed, said_tweak=True)
    return deed
