"""What moves in the clip: pieces on the table, and hands that pick them up and put them down.

A beat is one visit of one hand: it comes in, goes from stop to stop, and leaves. Places are in
card widths on the table, seconds are the clip's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .canvas import Spot

LIFT = 0.25
"""Height at which a hand carries cards, in card widths."""

GRIP = 0.55
"""How far the middle of a carried card lies beyond the fingertips."""

AWAY = 5.8
"""Distance from the table's middle at which a hand and what it carries are out of sight."""

_SPEED = 20.0
_REACT_S = 0.16
_DWELL_S = 0.1


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece on the table: which, where, and whether its front shows."""

    piece: str
    spot: Spot
    front: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of a hand: it puts pieces down, then picks pieces up, and may rest there."""

    x: float
    y: float
    drops: tuple[Lying, ...] = ()
    picks: tuple[str, ...] = ()
    rest_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Beat:
    """One visit of a hand, and the stillness after it.

    Attributes:
        player: whose hand; seat 0 reaches up from the bottom, seat 1 down from the top.
        stops: where it goes.
        still_s: how long nothing moves afterwards.
        events: what a camera should have seen happen, in the texts of the table's events.
        script: (seconds into the stillness, step) that people say and tap meanwhile.
        out: the way from the table to the player, a unit vector; None: as the seat says.
        away: how far out the hand is out of sight.
    """

    player: int
    stops: tuple[Stop, ...]
    still_s: float
    events: tuple[str, ...] = ()
    script: tuple[tuple[float, dict[str, object]], ...] = ()
    out: tuple[float, float] | None = None
    away: float = AWAY

    @property
    def way(self) -> tuple[float, float]:
        """From the table to the player."""
        return self.out or (0.0, float(side(self.player)))

    def out_of_sight(self, stop: Stop) -> tuple[float, float]:
        """Where the hand comes from and goes to, for a stop nearby."""
        x, y = self.way
        along = stop.x * x + stop.y * y
        beside = (0.6 * (stop.x - along * x), 0.6 * (stop.y - along * y))
        return (beside[0] + self.away * x, beside[1] + self.away * y)

    def carried_in(self) -> tuple[str, ...]:
        """Pieces that are put down without having been picked up: they come with the hand."""
        held: set[str] = set()
        brought = []
        for stop in self.stops:
            brought += [one.piece for one in stop.drops if one.piece not in held]
            held |= set(stop.picks)
        return tuple(brought)


def side(player: int) -> int:
    """1 for the hand from the bottom, -1 for the one from the top."""
    return 1 if player == 0 else -1


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at one moment.

    Attributes:
        lying: pieces that lie still, lowest first.
        carried: pieces in the hand.
        tips: where the fingertips are, None without a hand.
    """

    lying: tuple[Lying, ...]
    carried: tuple[Lying, ...] = ()
    tips: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class _Leg:
    start_s: float
    end_s: float
    start: tuple[float, float]
    end: tuple[float, float]
    held: tuple[str, ...]
    lying: tuple[Lying, ...]


@dataclass(slots=True)
class Schedule:
    """A beat worked out: where the hand and the pieces are at every moment.

    Attributes:
        beat: the beat.
        before: the table before it.
        start_s: when the hand sets out.
        after: the table once the hand is away.
        moved_s: when the hand is away again and the stillness begins.
    """

    beat: Beat
    before: tuple[Lying, ...]
    start_s: float
    after: tuple[Lying, ...] = ()
    moved_s: float = 0.0
    legs: list[_Leg] = field(default_factory=list)

    def __post_init__(self) -> None:
        x, y = self.beat.way
        first, last = self.beat.stops[0], self.beat.stops[-1]
        at, when = self.beat.out_of_sight(first), self.start_s
        lying, held = self.before, self.beat.carried_in()
        for stop in self.beat.stops:
            goal = (stop.x + x * GRIP, stop.y + y * GRIP)
            when = self._leg(when, (at, goal), held, lying) + stop.rest_s
            at = goal
            lying, held = _exchange(stop, lying, held)
        self._leg(when, (at, self.beat.out_of_sight(last)), held, lying)
        self.moved_s = self.legs[-1].end_s
        self.after = lying

    @property
    def end_s(self) -> float:
        """When the stillness ends."""
        return self.moved_s + self.beat.still_s

    def _leg(
        self,
        when: float,
        way: tuple[tuple[float, float], tuple[float, float]],
        held: tuple[str, ...],
        lying: tuple[Lying, ...],
    ) -> float:
        lasts = _REACT_S + math.dist(*way) / _SPEED
        self.legs.append(_Leg(when, when + lasts, way[0], way[1], held, lying))
        return when + lasts + _DWELL_S

    def at(self, at_s: float) -> Moment:
        """What lies where at a moment."""
        if not self.start_s <= at_s < self.moved_s:
            return Moment(self.before if at_s < self.start_s else self.after)
        leg = next(leg for leg in reversed(self.legs) if at_s >= leg.start_s)
        share = min(1.0, (at_s - leg.start_s) / (leg.end_s - leg.start_s))
        share = _eased(share, leg is self.legs[0], leg is self.legs[-1])
        x, y = (a + share * (b - a) for a, b in zip(leg.start, leg.end, strict=True))
        return Moment(leg.lying, tuple(self._carried(leg.held, (x, y))), (x, y))

    def _carried(self, held: tuple[str, ...], tips: tuple[float, float]) -> Iterator[Lying]:
        x, y = self.beat.way
        known = {one.piece: one for one in self.before}
        goals = {one.piece: one for stop in self.beat.stops for one in stop.drops}
        for number, piece in enumerate(held):
            model = known.get(piece) or goals[piece]
            turn = goals[piece].spot.turn_deg if piece in goals else model.spot.turn_deg
            shift = 0.04 * min(number, 6)
            spot = Spot(tips[0] - x * GRIP + shift, tips[1] - y * GRIP + shift, turn, LIFT)
            yield replace(model, spot=spot)


def _eased(share: float, first: bool, last: bool) -> float:
    """Speed up and slow down at a stop, but not out of sight."""
    if first:
        return share * (2 - share)
    return share * share if last else share * share * (3 - 2 * share)


def _exchange(
    stop: Stop, lying: tuple[Lying, ...], held: tuple[str, ...]
) -> tuple[tuple[Lying, ...], tuple[str, ...]]:
    down = {one.piece for one in stop.drops}
    kept = tuple(one for one in lying if one.piece not in stop.picks)
    rest = tuple(piece for piece in held if piece not in down)
    return (*kept, *stop.drops), (*rest, *stop.picks)


def schedule(
    beats: tuple[Beat, ...], first_s: float, lying: tuple[Lying, ...] = ()
) -> tuple[Schedule, ...]:
    """Work all beats out, one after the other; the first hand sets out at ``first_s``."""
    plans: list[Schedule] = []
    for beat in beats:
        before = plans[-1].after if plans else lying
        start_s = plans[-1].end_s if plans else first_s
        plans.append(Schedule(beat, before, start_s))
    return tuple(plans)
