"""From the state and the live picture to the Snapshot that the pages show."""

from __future__ import annotations

from companion.night.ledger import Ledger
from companion.night.live import Live
from companion.night.state import newest_batch
from companion.night.values import MatchLine, MatchNow, Snapshot, TableNow


def snapshot_of(ledger: Ledger, live: Live, table: TableNow | None, live_id: int) -> Snapshot:
    """Everything a page shows, put together; ``table`` is the one in force."""
    state = ledger.state
    return Snapshot(
        id=state.last_id,
        live_id=live_id,
        camera=live.camera,
        live=live.picture,
        table=table or TableNow(),
        zones=live.zones(state.zones),
        zones_note=live.zones_note,
        events=state.events,
        story=state.story,
        claims=state.claims,
        match=state.match,
        earlier=state.matches[-2::-1],
        tray_full=state.match is not None and _tray_full(state.match, live),
        matches=tuple(_line(match) for match in reversed(state.matches)),
        undo=ledger.undo,
        redo=ledger.redo,
        trouble=live.trouble,
        oddities=state.oddities,
    )


def _tray_full(match: MatchNow, live: Live) -> bool:
    newest = newest_batch(match)
    return newest is not None and live.tray.full([newest.id])


def _line(match: MatchNow) -> MatchLine:
    return MatchLine(
        id=match.id,
        at=match.at,
        players=match.players,
        edition=match.edition,
        rounds=len(match.rounds),
        totals=match.totals,
        winners=match.winners,
        over=match.over,
        ended=match.ended,
    )
