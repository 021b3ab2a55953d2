"""From the deeds of a round to the beats of its clip: hands, cards, truth, and what is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.errors import BadInput
from companion.rules.moves import Draw, Fill, Lay, MakeSum, PlayBomb, PlayJoker, SayTweak

from .canvas import Spot
from .clip_beats import Beat, Lying, Stop
from .rounds_claims import Known, Mishap, Plan, Said, claim_line
from .rounds_play import Deed, Part, Pieces, Table
from .rounds_recipe import MISHAPS, ClipDraw
from .rounds_seats import Home, Places

SEVEN = "seven"
READ_S, CLAIM_S, LAST_S = 1.3, 2.0, 2.0
CLAIMED_AFTER_S = 1.2
"""How long after a card lies still its player taps the claim."""


@dataclass(slots=True)
class RoundDirector:
    """Turns the deeds into beats and keeps where every piece lies."""

    part: Part
    places: Places
    draw: ClipDraw
    beats: list[Beat] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    mishaps: list[Mishap] = field(default_factory=list)
    spots: dict[str, Spot] = field(default_factory=dict)
    slots: dict[str, tuple[float, float]] = field(default_factory=dict)
    freed: set[tuple[float, float]] = field(default_factory=set)
    piles: list[int] = field(default_factory=list)
    pending: tuple[str, ...] = ()
    table: Table = field(init=False)
    target: int = field(init=False)
    had_deck: bool = field(init=False)
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = self.draw.rng(2)
        self.table = self.part.start
        self.target, self.had_deck = self.table.target, bool(self.table.deck)

    def plan(self) -> Plan:
        """The whole clip."""
        lying = self._laid_out()
        first = self._laid(self.table.lying)
        if self.table.deck:
            first = (*first, f"target ? → {self.target}")
        for number, turn in enumerate(self.part.turns):
            self._turn(turn)
            self._slip(number)
        last = self.beats[-1]
        self.beats[-1] = replace(last, still_s=max(LAST_S, last.still_s))
        return Plan(
            lying,
            first,
            tuple(self.beats),
            tuple(self.known),
            tuple(self.said),
            tuple(self.mishaps),
        )

    def plan_idle(self, minutes: float, pause_s: tuple[float, float]) -> Plan:
        """Nobody plays; a hand comes in now and then, rests somewhere, and goes."""
        lying = self._laid_out()
        first = (*self._laid(self.table.lying), f"target ? → {self.target}")
        lasts_s = 0.0
        while lasts_s < 60.0 * minutes:
            seat = self._somebody()
            goal = self._near((self.rng.uniform(-6, 6), self.rng.uniform(-2, 2)), 0.1)
            rest_s = float(self.rng.choice((0.0, 0.5, 2.0, 5.0)))
            still_s = float(self.rng.uniform(*pause_s))
            self._visit(seat, [Stop(*goal, rest_s=rest_s)], self.table, (), still_s=still_s)
            lasts_s += rest_s + still_s + 1.2
        return Plan(lying, first, tuple(self.beats), tuple(self.known), (), ())

    # --- what lies there at the start -----------------------------------------------------

    def _laid_out(self) -> tuple[Lying, ...]:
        table, places = self.table, self.places
        lying = [Lying(SEVEN, Spot(*places.deck, 1.0), True)]
        for at, pieces in ((places.deck, table.deck), (places.stack, table.stack)):
            for place, piece in enumerate(reversed(pieces)):
                spot = Spot(*self._near(at, 0.015), self._askew(0.8), 0.012 * place)
                lying.append(Lying(piece, spot, False))
        self.piles = [0 for _ in places.homes]
        for seat, home in enumerate(places.homes):
            lying += [self._on_pile(seat, piece) for piece in table.won[seat]]
            for number, piece in enumerate(table.tweaks[seat]):
                lying.append(self._tweak(home, number, piece, piece in table.used))
        lying += [Lying(piece, self._free_spot(piece, None), True) for piece in table.lying]
        return tuple(lying)

    def _on_pile(self, seat: int, piece: str) -> Lying:
        home = self.places.homes[seat]
        height = 0.012 * self.piles[seat]
        self.piles[seat] += 1
        at = self._near((home.x, home.y), 0.05)
        return Lying(piece, Spot(*at, self._askew(5), height), False)

    def _tweak(self, home: Home, number: int, piece: str, played: bool) -> Lying:
        x, y = home.tweak(number)
        turn = home.turn_deg + self._askew(4) + (90 if played else 0)
        return Lying(piece, Spot(x, y, turn, 0.004 * number), True)

    # --- turns ----------------------------------------------------------------------------

    def _turn(self, deeds: Sequence[Deed]) -> None:
        self.freed = set()
        stops: list[Stop] = []
        for deed in deeds:
            self.table = deed.before
            after = deed.after
            match deed.move:
                case MakeSum():
                    self._sum(deed, after, stops)
                case Lay():
                    self._lay(deed, after, stops)
                case Draw():
                    if deed.pieces:
                        stops.append(Stop(*self.places.deck, picks=deed.pieces))
                case Fill():
                    if stops:
                        stops = self._close(deed.move.seat, stops, deed.before)
                    self._visit(deed.move.seat, self._fill(deed), after, self._laid(deed.pieces))
                case SayTweak():
                    if deed.won:
                        stops += self._win(deed.move.seat, deed, after)
                case PlayBomb():
                    self._bomb(deed, after)
                case _:
                    self._play_tweak(deed, after)
            self.table = after
        if stops:
            self._close(deeds[0].move.seat, stops, self.table)

    def _close(self, seat: int, stops: list[Stop], after: Table) -> list[Stop]:
        """One visit for what has gathered; the events of a taking were kept in ``pending``."""
        events, self.pending = self.pending, ()
        self._visit(seat, stops, after, events)
        return []

    def _visit(
        self,
        seat: int,
        stops: Sequence[Stop],
        after: Table,
        events: tuple[str, ...],
        *,
        still_s: float = READ_S,
    ) -> None:
        home = self.places.homes[seat]
        told = (*events, *self._target_event(after))
        beat = Beat(seat, tuple(stops), still_s, told, (), home.way, home.away)
        self.beats.append(beat)
        cards = tuple(str(after.card(piece)) for piece in after.lying)
        self.known.append(Known(after.target, cards))

    def _target_event(self, after: Table) -> tuple[str, ...]:
        before, self.target = self.target, after.target
        had, self.had_deck = self.had_deck, bool(after.deck)
        if not after.deck:
            return ("deck gone",) if had else ()
        return () if before == after.target else (f"target {before} → {after.target}",)

    def _lay(self, deed: Deed, after: Table, stops: list[Stop]) -> None:
        seat, piece = deed.move.seat, deed.pieces[0]
        stop = self._drop(piece, seat)
        event = (f"{after.card(piece)} laid",)
        if deed.wrong:
            before = bool(self.rng.random() < 0.5) and bool(self.beats)
            if not before:
                seen = replace(deed.before, lying=after.lying)
                self._visit(seat, [stop], seen, event, still_s=CLAIM_S)
                self._claim(deed, (piece, *deed.wrong), before=False)
                return
            self._claim(deed, (piece, *deed.wrong), before=True)
        stops.append(stop)
        self.pending = event

    def _sum(self, deed: Deed, after: Table, stops: list[Stop]) -> None:
        seat, own = deed.move.seat, deed.pieces[0]
        shown = self.rng.random() < 0.5
        before = not shown and bool(self.rng.random() < 0.6) and bool(self.beats)
        if shown:
            seen = replace(deed.before, lying=(*deed.before.lying, own))
            laid = (f"{deed.before.card(own)} laid",)
            self._visit(seat, [self._drop(own, seat)], seen, laid, still_s=CLAIM_S)
        if shown or before:
            self._claim(deed, deed.pieces, before=before)
        taken = self._in_order(deed.pieces if shown else deed.pieces[1:])
        stops += [Stop(*_at(self.spots[piece]), picks=(piece,)) for piece in taken]
        self.freed |= {self.slots.pop(piece) for piece in taken}
        home = self.places.homes[seat]
        drops = tuple(self._on_pile(seat, piece) for piece in deed.pieces)
        stops.append(Stop(home.x, home.y, drops=drops))
        names = [str(deed.before.card(piece)) for piece in taken]
        self.pending = (f"{_listed(names)} taken",)
        if deed.won:
            stops += self._win(seat, deed, after)
        if not shown and not before:
            gathered, stops[:] = list(stops), []
            self._close(seat, gathered, after)
            self.beats[-1] = replace(self.beats[-1], still_s=CLAIM_S)
            self._claim(deed, deed.pieces, before=False)

    def _win(self, seat: int, deed: Deed, after: Table) -> list[Stop]:
        assert deed.won is not None
        number = after.tweaks[seat].index(deed.won)
        one = self._tweak(self.places.homes[seat], number, deed.won, played=False)
        there = Stop(*_at(one.spot), drops=(one,))
        return [Stop(*self.places.stack, picks=(deed.won,)), there]

    def _fill(self, deed: Deed) -> list[Stop]:
        stops = []
        for piece in deed.pieces:
            stops += [Stop(*self.places.deck, picks=(piece,)), self._drop(piece, None)]
        return stops

    def _turned(self, deed: Deed) -> list[Stop]:
        """A T! card that is played is turned crosswise before its player."""
        seat, piece = deed.move.seat, deed.won
        assert piece is not None
        home = self.places.homes[seat]
        number = deed.before.tweaks[seat].index(piece)
        one = self._tweak(home, number, piece, played=True)
        return [Stop(*home.tweak(number), picks=(piece,)), Stop(*_at(one.spot), drops=(one,))]

    def _play_tweak(self, deed: Deed, after: Table) -> None:
        """A Joker, a Thief with the stolen card, or a Shifter with the deck's top card."""
        if deed.won is None:
            return
        stops = self._turned(deed)
        if deed.pieces:
            from_deck = deed.pieces[0] in deed.before.deck
            if from_deck:
                stops.append(Stop(*self.places.deck, picks=deed.pieces))
            stops.append(self._drop(deed.pieces[0], deed.move.seat))
        still_s = 0.6 if isinstance(deed.move, PlayJoker) else READ_S
        self._visit(deed.move.seat, stops, after, self._laid(deed.pieces), still_s=still_s)

    def _bomb(self, deed: Deed, after: Table) -> None:
        assert isinstance(deed.move, PlayBomb)
        self._visit(deed.move.seat, self._turned(deed), deed.before, (), still_s=0.6)
        lying = deed.before.lying
        for (seat, _), piece in zip(deed.move.dropped, deed.pieces, strict=True):
            lying = (*lying, piece)
            then = replace(after, lying=lying)
            self._visit(seat, [self._drop(piece, seat)], then, self._laid((piece,)))

    # --- claims ---------------------------------------------------------------------------

    def _claim(self, deed: Deed, pieces: Pieces, before: bool) -> None:
        """Note what is claimed at the last beat's stillness, or just before the next beat."""
        line = claim_line(deed, pieces, self.draw.edition, aloud=bool(self.rng.random() < 0.5))
        self.said.append(Said(len(self.beats) - (not before), before, line))

    # --- slips that change nothing --------------------------------------------------------

    def _slip(self, number: int) -> None:
        """After some turns: a nudge, a sleeve over the deck, a bump, a lamp."""
        quiet = [slip for slip in self.draw.slips if slip in MISHAPS]
        if number % 2 == 0 or number // 2 >= len(quiet):
            return
        match quiet[number // 2]:
            case "nudge":
                self._nudge()
            case "sleeve":
                self._sleeve()
            case "bump":
                self._mishap("bump", 0.3)
            case _:
                kind = "dim" if self.rng.random() < 0.4 else "dark"
                self._mishap(kind, float(self.rng.uniform(1.5, 2.5)))

    def _nudge(self) -> None:
        lying = self.table.lying
        if not lying:
            return
        piece = lying[int(self.rng.integers(len(lying)))]
        old = self.spots[piece]
        dx = float(self.rng.uniform(-0.25, 0.25))
        dy = float(np.sign(old.y) * self.rng.uniform(0.1, 0.35))
        new = Spot(old.x + dx, old.y + dy, old.turn_deg + self._askew(12))
        self.spots[piece] = new
        stops = [Stop(*_at(old), picks=(piece,)), Stop(*_at(new), drops=(Lying(piece, new, True),))]
        self._visit(self._somebody(), stops, self.table, ())

    def _sleeve(self) -> None:
        seat = self._somebody()
        x, y = self.places.homes[seat].way
        deck = self.places.deck
        stop = Stop(deck[0] - 3.2 * x, deck[1] - 3.2 * y, rest_s=float(self.rng.uniform(1, 3)))
        self._visit(seat, [stop], self.table, ())

    def _mishap(self, kind: str, lasts_s: float) -> None:
        last = self.beats[-1]
        self.mishaps.append(Mishap(len(self.beats) - 1, kind, last.still_s, lasts_s))
        self.beats[-1] = replace(last, still_s=last.still_s + lasts_s + 1.8)

    def _somebody(self) -> int:
        return int(self.rng.integers(len(self.places.homes)))

    # --- where cards lie ------------------------------------------------------------------

    def _drop(self, piece: str, seat: int | None) -> Stop:
        spot = self._free_spot(piece, seat)
        return Stop(spot.x, spot.y, drops=(Lying(piece, spot, True),))

    def _free_spot(self, piece: str, seat: int | None) -> Spot:
        used = set(self.slots.values())
        free = [slot for slot in self.places.slots if slot not in used]
        if not free:
            raise BadInput("more cards on the table than a round clip has room for")
        fresh = [slot for slot in free if slot not in self.freed] or free
        slot = fresh[0] if self.rng.random() < 0.7 else fresh[int(self.rng.integers(len(fresh)))]
        self.slots[piece] = slot
        turn = 0.0 if seat is None else self.places.homes[seat].turn_deg
        spot = Spot(*self._near(slot, 0.06), self._askew(6) + turn)
        self.spots[piece] = spot
        return spot

    def _in_order(self, pieces: Sequence[str]) -> list[str]:
        return sorted(pieces, key=lambda piece: (self.spots[piece].x, self.spots[piece].y))

    def _laid(self, pieces: Sequence[str]) -> tuple[str, ...]:
        """One event a card, from left to right."""
        return tuple(f"{self.table.card(piece)} laid" for piece in self._in_order(pieces))

    def _near(self, at: tuple[float, float], by: float) -> tuple[float, float]:
        dx, dy = self.rng.normal(0, by, 2)
        return at[0] + float(dx), at[1] + float(dy)

    def _askew(self, by_deg: float) -> float:
        return float(self.rng.normal(0, by_deg))


def _at(spot: Spot) -> tuple[float, float]:
    return spot.x, spot.y


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
