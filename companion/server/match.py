"""``/match``: who plays by which rules, the rounds with their totals, and the winner."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadInput, NotFound
from companion.night.values import ON_TABLE, MatchNow, PlayerCount, RoundResult
from companion.rules.editions import FEWEST_PLAYERS, MOST_PLAYERS, Edition
from companion.rules.match import THRESHOLDS
from companion.server.count import outlines, tweaks_given
from companion.server.desk import desk, done, number, pile_of, running_match, text, words

blueprint = Blueprint("match", __name__, url_prefix="/match")


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The score board, or the form that starts a match."""
    match = desk().session.snapshot().match
    if match is None or match.ended is not None or "new" in request.args:
        return render_template(
            "match/start.html",
            seats=range(MOST_PLAYERS),
            fewest=FEWEST_PLAYERS,
            editions=tuple(Edition),
            thresholds=dict(THRESHOLDS),
            last=match,
        )
    return render_template("match/show.html", match=match)


@blueprint.post("/start")
def start() -> ResponseReturnValue:
    """Start a match; empty seats are left out."""
    names = [name.strip() for name in request.form.getlist("player") if name.strip()]
    own_colours = text("colours_by") == "hand"
    snapshot = desk().session.start_match(
        names,
        text("edition") or "",
        words("colour") if own_colours else None,
        threshold=number("threshold"),
        tie=text("tie") or "extra round",
        dealer=text("dealer"),
    )
    return done(snapshot, url_for("match.show"))


@blueprint.post("/dealer")
def set_dealer() -> ResponseReturnValue:
    """Say who deals this round."""
    return done(desk().session.set_dealer(text("dealer") or ""), url_for("match.show"))


@blueprint.post("/end")
def end() -> ResponseReturnValue:
    """End the match, decided or not."""
    return done(desk().session.end_match(), url_for("night.show"))


@blueprint.post("/undo")
def undo() -> ResponseReturnValue:
    """Take back the newest command, if it is still the one that was seen."""
    return done(desk().session.undo(number("step")), request.referrer or url_for("match.show"))


@blueprint.post("/redo")
def redo() -> ResponseReturnValue:
    """Bring the newest command that was taken back again."""
    return done(desk().session.redo(number("step")), request.referrer or url_for("match.show"))


@blueprint.get("/<int:match_id>/")
def record(match_id: int) -> ResponseReturnValue:
    """How a match of the journal went, ended or not."""
    match = _match(match_id)
    if match.ended is None:
        return redirect(url_for("match.show"))
    return render_template("match/record.html", match=match)


@blueprint.get("/<int:match_id>/rounds/<int:round_number>/<seat>")
def show_round(match_id: int, round_number: int, seat: str) -> ResponseReturnValue:
    """One pile of a closed round, a player's or the table's, to look at or to put right."""
    match = _match(match_id)
    player = pile_of(match, seat)
    closed = _round(match, round_number)
    count = closed.left if player == ON_TABLE else closed.counts[match.players.index(player)]
    return render_template(
        "match/round.html",
        match=match,
        home=_home(match),
        round=closed,
        seat=seat,
        on_table=player == ON_TABLE,
        count=count,
        cards=counted(count),
        outlines={batch.id: outlines(batch) for batch in count.batches},
    )


@blueprint.post("/<int:match_id>/rounds/<int:round_number>/<seat>")
def edit_round(match_id: int, round_number: int, seat: str) -> ResponseReturnValue:
    """Replace the cards of one pile in a closed round; totals and winner follow."""
    match = _match(match_id)
    player = pile_of(match, seat)
    _round(match, round_number)
    if "cards" not in request.form:
        raise BadInput("wanted the cards of the round, as in R5 G3")
    snapshot = desk().session.edit_round(
        round_number, player, words("cards"), tweaks_given(), match=match.id
    )
    return done(snapshot, _home(match))


def counted(count: PlayerCount) -> tuple[str, ...]:
    """The cards that count, as texts, in the order in which they were counted."""
    return tuple(card.shown for card in count.cards if card.shown is not None)


def _round(match: MatchNow, round_number: int) -> RoundResult:
    for closed in match.rounds:
        if closed.number == round_number:
            return closed
    raise NotFound("round %(number)s of this match is not closed yet", number=round_number)


def _match(match_id: int) -> MatchNow:
    snapshot = desk().session.snapshot()
    for match in (running_match(snapshot), *snapshot.earlier):
        if match.id == match_id:
            return match
    raise NotFound("there is no such match")


def _home(match: MatchNow) -> str:
    """The page of a match: the score board while it runs, its record afterwards."""
    if match.ended is None:
        return url_for("match.show")
    return url_for("match.record", match_id=match.id)
