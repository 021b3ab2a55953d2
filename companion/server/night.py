"""``/night``: the matches so far, and where the others at the table find this page."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from companion.night.values import MatchLine, Snapshot
from companion.server.desk import desk
from companion.server.reach import addresses, qr_svg

blueprint = Blueprint("night", __name__)


@dataclass(frozen=True, slots=True)
class Record:
    """How one player has fared over the matches of the journal."""

    player: str
    matches: int
    wins: int
    best: int
    points: int


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """The table is what people come for."""
    return redirect(url_for("table.show"))


@blueprint.get("/night/")
def show() -> ResponseReturnValue:
    """Every match in the journal, newest first."""
    snapshot = desk().session.snapshot()
    found = addresses(desk().settings)
    return render_template(
        "night/show.html", records=records(snapshot), addresses=found, qr=qr_svg(found[0])
    )


def records(snapshot: Snapshot) -> list[Record]:
    """Matches, wins, best and all points of each player; most wins first."""
    names = sorted({name for line in snapshot.matches for name in line.players})
    found = [_record(name, snapshot.matches) for name in names]
    return sorted(found, key=lambda record: (-record.wins, -record.points, record.player))


def _record(player: str, matches: tuple[MatchLine, ...]) -> Record:
    played = [line for line in matches if player in line.players]
    points = [line.totals[line.players.index(player)] for line in played if line.totals]
    wins = sum(1 for line in played if line.over and player in line.winners)
    return Record(player, len(played), wins, max(points, default=0), sum(points))
