"""What follows from the journal: one frozen state, and what a command wants to write.

The state holds the very values that the page shows; what only this program has seen (the live
picture, the camera's health) is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import BadInput, NotFound, listed
from companion.night.values import (
    ON_TABLE,
    Batch,
    ClaimRecord,
    MatchNow,
    PlayerCount,
    SeenEvent,
    TableNow,
)
from companion.table.story import Story
from companion.table.values import Zones

NEWEST_EVENTS = 50
"""So many table events are shown; the journal holds them all."""


@dataclass(frozen=True, slots=True)
class NightState:
    """Everything that the journal's events in force say.

    Attributes:
        last_id: number of the last event folded in.
        zones: as set by hand; empty where they are guessed.
        tapped: the table as last entered by tap, None before that.
        events: newest first, at most :data:`NEWEST_EVENTS`.
        story: what happened in the round that is played now, as the law tells it.
        claims: of the newest match, newest first.
        claim_keys: keys of those claims, so that one tapped twice is one.
        matches: oldest first; the last one may be running.
        oddities: one line for each event that could not be understood.
    """

    last_id: int = 0
    zones: Zones = field(default_factory=Zones)
    tapped: TableNow | None = None
    events: tuple[SeenEvent, ...] = ()
    story: Story = field(default_factory=Story)
    claims: tuple[ClaimRecord, ...] = ()
    claim_keys: tuple[str, ...] = ()
    matches: tuple[MatchNow, ...] = ()
    oddities: tuple[str, ...] = ()

    @property
    def match(self) -> MatchNow | None:
        """The match that runs, or ran last."""
        return self.matches[-1] if self.matches else None

    @property
    def running(self) -> MatchNow:
        """The match that runs.

        Raises:
            NotFound: none does.
        """
        match = self.match
        if match is None or match.ended is not None:
            raise NotFound("no match is running: start one first")
        return match

    def with_match(self, match: MatchNow) -> NightState:
        """The state with the match of that number replaced."""
        matches = (match if one.id == match.id else one for one in self.matches)
        return replace(self, matches=tuple(matches))


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command, found good, wants to be written to the journal."""

    kind: str
    payload: Mapping[str, Any]
    pictures: tuple[bytes, ...] = ()


def seat_of(match: MatchNow, player: str) -> int:
    """The seat of a player, from 0.

    Raises:
        NotFound: nobody of that name plays in this match.
    """
    if player not in match.players:
        names = ", ".join(match.players)
        raise NotFound(
            "%(name)r is not in this match: wanted one of %(players)s",
            name=str(player)[:40],
            players=names,
        )
    return match.players.index(player)


def still_open(match: MatchNow) -> MatchNow:
    """Give the match back if rounds may still be counted in it.

    Raises:
        BadInput: it is decided.
    """
    if match.over:
        raise BadInput(
            "the match is decided, %(players)s won: start a new one, or undo",
            players=listed(match.winners),
        )
    return match


def with_count(match: MatchNow, count: PlayerCount) -> MatchNow:
    """The match with one count of the current round replaced, a player's or the table's."""
    if count.player == ON_TABLE:
        return replace(match, left=count)
    counting = tuple(count if old.player == count.player else old for old in match.counting)
    return replace(match, counting=counting)


def newest_batch(match: MatchNow) -> Batch | None:
    """The batch that the camera counted last in a match, None before the first."""
    counts = [*match.counting, match.left]
    for closed in match.rounds:
        counts += [*closed.counts, closed.left]
    seen = [batch for count in counts for batch in count.batches if batch.source == "camera"]
    return max(seen, key=lambda batch: batch.id, default=None)
