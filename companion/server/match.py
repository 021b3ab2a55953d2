"""``/match``: who plays by which rules, the rounds with their totals, and the winner."""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadInput, NotFound
from companion.night.values import MatchNow, PlayerCount, RoundResult
from companion.rules.editions import FEWEST_PLAYERS, MOST_PLAYERS, Edition
from companion.rules.match import THRESHOLDS
from companion.server.count import outlines, tweaks_given
from companion.server.desk import desk, done, number, player_of, running_match, text, words

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


@blueprint.get("/rounds/<int:round_number>/<int:seat>")
def show_round(round_number: int, seat: int) -> ResponseReturnValue:
    """One player's cards in a closed round, to look at or to put right."""
    match = running_match(desk().session.snapshot())
    player_of(match, seat)
    closed = _round(match, round_number)
    count = closed.counts[seat]
    return render_template(
        "match/round.html",
        match=match,
        round=closed,
        seat=seat,
        cards=counted(count),
        outlines={batch.id: outlines(batch) for batch in count.batches},
    )


@blueprint.post("/rounds/<int:round_number>/<int:seat>")
def edit_round(round_number: int, seat: int) -> ResponseReturnValue:
    """Replace one player's cards in a closed round; totals and winner follow."""
    match = running_match(desk().session.snapshot())
    player = player_of(match, seat)
    _round(match, round_number)
    if "cards" not in request.form:
        raise BadInput("wanted the cards of the round, as in R5 G3")
    snapshot = desk().session.edit_round(round_number, player, words("cards"), tweaks_given())
    return done(snapshot, url_for("match.show"))


def counted(count: PlayerCount) -> tuple[str, ...]:
    """The cards that count, as texts, in the order in which they were counted."""
    return tuple(card.shown for card in count.cards if card.shown is not None)


def _round(match: MatchNow, round_number: int) -> RoundResult:
    for closed in match.rounds:
        if closed.number == round_number:
            return closed
    raise NotFound(f"round {round_number} of this match is not closed yet")
