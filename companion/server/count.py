"""``/count``: the won cards of each player, listed with points, and the round closed on them.

The cards that were left on the table (rule E2) are counted like a player's, at the seat ``table``.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadInput
from companion.night.gains import tweak_gaps
from companion.night.values import (
    ON_TABLE,
    Batch,
    CountedCard,
    Holder,
    MatchNow,
    PlayerCount,
    SeenCard,
)
from companion.rules.cards import Tweak
from companion.server.desk import TABLE, desk, done, pad_card, pile_of, running_match, text, words

blueprint = Blueprint("count", __name__, url_prefix="/count")

MOST_TWEAKS = 17
LOST = "lost"


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The count of one pile; whose, and which card is looked at, is in the address."""
    snapshot = desk().session.snapshot()
    match = snapshot.match
    if match is None or match.ended is not None:
        return render_template("count/none.html")
    seat = _seat(match)
    player = pile_of(match, seat)
    count = match.left if player == ON_TABLE else match.counting[match.players.index(player)]
    fix = next((card for card in _cards(count) if card.id == request.args.get("fix")), None)
    return render_template(
        "count/show.html",
        match=match,
        seat=seat,
        on_table=player == ON_TABLE,
        count=count,
        fix=fix,
        doubtful=[card for card in _cards(count) if card.doubtful],
        outlines={batch.id: outlines(batch) for batch in count.batches},
        holder_outline=holder_outline,
        gaps={gap.player: gap for gap in tweak_gaps(match, snapshot.story)},
        waiting=[one.player for one in match.counting if not one.confirmed],
    )


@blueprint.post("/<seat>/look")
def look(seat: str) -> ResponseReturnValue:
    """Count what lies before the camera."""
    return done(desk().session.add_batch(_player(seat)), _here(seat))


@blueprint.post("/<seat>/add")
def add(seat: str) -> ResponseReturnValue:
    """Add one card by tap."""
    card = pad_card()
    if card is None:
        raise BadInput("wanted a card: tap its colour and its value")
    return done(desk().session.add_batch(_player(seat), [card]), _here(seat))


@blueprint.post("/<seat>/cards/<card_id>")
def correct(seat: str, card_id: str) -> ResponseReturnValue:
    """Say what a card is, or that it does not count."""
    session, player = desk().session, _player(seat)
    if text("remove") is not None:
        return done(session.remove_card(player, card_id), _here(seat))
    card = pad_card()
    if card is None:
        raise BadInput("wanted a card: tap its colour and its value")
    return done(session.correct_card(player, card_id, card), _here(seat))


@blueprint.post("/<seat>/twice/<card_id>")
def settle(seat: str, card_id: str) -> ResponseReturnValue:
    """Say of a card that is counted too often what it is here, or that it is not here."""
    card = None if text("remove") is not None else text("card")
    if card is None and text("remove") is None:
        raise BadInput("wanted the card that it is, or that it is not here")
    return done(desk().session.settle_twice(_player(seat), card_id, card), _here(seat))


@blueprint.post("/missing")
def find() -> ResponseReturnValue:
    """Say where missing cards are: with a player, left on the table, or lost."""
    session, where = desk().session, text("where")
    if where is None:
        raise BadInput("wanted where the card is: a player, the table, or lost")
    if where == LOST:
        return done(session.lose_missing(words("cards")), url_for("count.show"))
    return done(session.find_missing(_player(where), words("cards")), _here(where))


@blueprint.post("/lost")
def find_again() -> ResponseReturnValue:
    """Say that lost cards were found again."""
    return done(desk().session.find_lost(words("cards")), url_for("count.show"))


@blueprint.post("/<seat>/open")
def reopen(seat: str) -> ResponseReturnValue:
    """Begin a count, or open a confirmed one again."""
    return done(desk().session.start_count(_player(seat)), _here(seat))


@blueprint.post("/<seat>/confirm")
def confirm(seat: str) -> ResponseReturnValue:
    """Settle one player's count, T! cards included, and go on to the next who is not settled."""
    player = _player(seat)
    if player == ON_TABLE:
        raise BadInput("what was left on the table scores for nobody: there is nothing to confirm")
    snapshot = desk().session.confirm_count(player, tweaks_given())
    match = running_match(snapshot)
    own = match.players.index(player)
    order = [(own + step) % len(match.players) for step in range(1, len(match.players))]
    follows = next((other for other in order if not match.counting[other].confirmed), own)
    return done(snapshot, _here(str(follows)))


@blueprint.post("/close")
def close() -> ResponseReturnValue:
    """Close the round."""
    return done(desk().session.close_round(), url_for("match.show"))


def tweaks_given() -> list[str]:
    """The T! cards of a form: how many of each kind, and of those whose kind nobody said.

    Raises:
        BadInput: a number that no edition has.
    """
    given: list[str] = []
    for kind in ("", *(tweak.value for tweak in Tweak)):
        count = text(f"tweaks_{kind or 'any'}") or "0"
        if not (count.isascii() and count.isdecimal() and int(count) <= MOST_TWEAKS):
            raise BadInput("T! cards won: wanted a number from 0 to %(most)s", most=MOST_TWEAKS)
        given += [f"T!{kind}"] * int(count)
    return given


def outlines(batch: Batch) -> list[SeenCard]:
    """The cards of a batch as they are outlined on its picture: as they count, else as seen."""
    return [
        SeenCard(card.card or card.seen, not card.doubtful, quad=card.quad) for card in batch.cards
    ]


def holder_outline(holder: Holder) -> SeenCard:
    """Where a card that was counted too often lies in its picture."""
    return SeenCard(holder.seen, False, quad=holder.quad)


def _cards(count: PlayerCount) -> list[CountedCard]:
    return [card for batch in count.batches for card in batch.cards]


def _seat(match: MatchNow) -> str:
    asked = request.args.get("seat", "")
    if asked == TABLE:
        return TABLE
    if asked:
        return str(match.players.index(pile_of(match, asked)))
    open_seats = [seat for seat, one in enumerate(match.counting) if not one.confirmed]
    return str(open_seats[0] if open_seats else 0)


def _player(seat: str) -> str:
    return pile_of(running_match(desk().session.snapshot()), seat)


def _here(seat: str) -> str:
    return url_for("count.show", seat=seat)
