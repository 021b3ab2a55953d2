"""``/table``: what lies there, what it could make, and claims judged with their evidence."""

from __future__ import annotations

import math

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import BadInput, NotFound
from companion.night.values import ClaimRecord, Snapshot
from companion.server.desk import desk, done, number, pad_card, text, ticked, words
from companion.server.faces import face
from companion.vision.values import Quad

blueprint = Blueprint("table", __name__, url_prefix="/table")

MOST_SUMS = 8


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The table as it is now."""
    return render_template("table/show.html", most_sums=MOST_SUMS, edit=request.args.get("edit"))


@blueprint.get("/claims/<int:claim_id>")
def claim(claim_id: int) -> ResponseReturnValue:
    """One claim: what was said, what was seen, what follows."""
    found = _claim(desk().session.snapshot(), claim_id)
    return render_template("table/claim.html", claim=found, edit=request.args.get("edit"))


@blueprint.post("/claim")
def make_claim() -> ResponseReturnValue:
    """Judge what a player says."""
    snapshot = desk().session.claim(
        text("player") or "",
        _hand(),
        words("taken"),
        said_tweak=ticked("said_tweak"),
        tweak=text("tweak"),
        spoken=text("spoken"),
        key=text("key"),
    )
    return done(snapshot, url_for("table.show"))


@blueprint.post("/doubt")
def doubt() -> ResponseReturnValue:
    """Doubt a play that was seen: ``step`` names it, 0 the one under way; without it the last."""
    snapshot = desk().session.doubt(number("step"), text("key"))
    return done(snapshot, url_for("table.show"))


@blueprint.post("/claims/<int:claim_id>/tell")
def tell(claim_id: int) -> ResponseReturnValue:
    """Say one thing about a claim: ``about`` what, for a card at which ``place``, what is so."""
    told = text("told") or pad_card()
    if told is None:
        raise BadInput("wanted what is so: tap one of the answers")
    snapshot = desk().session.tell_claim(claim_id, text("about") or "", told, number("place"))
    return done(snapshot, url_for("table.claim", claim_id=claim_id))


@blueprint.get("/claims/<int:claim_id>/report")
def report(claim_id: int) -> ResponseReturnValue:
    """A claim's pictures, readings, settings and versions, without names, as one file."""
    packed = desk().session.report(claim_id, desk().settings)
    answer = Response(packed, mimetype="application/zip")
    answer.headers["Content-Disposition"] = f"attachment; filename=companion-claim-{claim_id}.zip"
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.post("/claims/<int:claim_id>")
def correct_claim(claim_id: int) -> ResponseReturnValue:
    """Put a claim right as the players say; the first record stays beside it."""
    snapshot = desk().session.snapshot()
    old = _claim(snapshot, claim_id)
    target = number("target")
    now = old.corrections[-1].target if old.corrections else old.target
    snapshot = desk().session.correct_claim(
        claim_id,
        hand=text("hand"),
        taken=words("taken") if "taken" in request.form else None,
        said_tweak=ticked("said_tweak") if "said_tweak_shown" in request.form else None,
        table=words("table") if "table" in request.form else None,
        target=now if target is None else target,
    )
    return done(snapshot, url_for("table.claim", claim_id=claim_id))


@blueprint.post("/steps/<int:step>")
def choose(step: int) -> ResponseReturnValue:
    """Say what happened in a step of the story, or whose turn it was."""
    snapshot = desk().session.choose_happening(step, text("tale"), text("player"))
    return done(snapshot, url_for("table.show"))


@blueprint.post("/set")
def set_table() -> ResponseReturnValue:
    """Enter the table by tap: one card more, one card less, another target, or all anew."""
    now = desk().session.snapshot().table
    cards = [card for card in (face(seen.text).card for seen in now.cards) if card]
    if "cards" in request.form:
        cards = words("cards")
    added = pad_card()
    if added is not None:
        cards.append(added)
    gone = text("remove")
    if gone is not None:
        if gone not in cards:
            raise NotFound("%(card)s does not lie on the table", card=gone)
        cards.remove(gone)
    deck_gone = ticked("deck_gone") if "target" in request.form else now.deck_gone
    target = number("target") if "target" in request.form else now.target
    snapshot = desk().session.set_table(cards, 7 if deck_gone else target, deck_gone=deck_gone)
    return done(snapshot, url_for("table.show", edit="table"))


@blueprint.post("/zones")
def set_zones() -> ResponseReturnValue:
    """Say where a zone lies, in fractions of the picture, or forget it.

    ``zone`` with ``quad`` (four corners as x y x y x y x y); ``deck`` alone is a box's two corners.
    """
    name = text("zone")
    if name is not None:
        quad = _quad(words("quad")) if text("quad") is not None else None
        return done(desk().session.set_zone(name, quad), url_for("table.show", edit="table"))
    if text("deck") is None:
        return done(desk().session.set_zones(None), url_for("table.show"))
    return done(desk().session.set_zones(_box(words("deck"))), url_for("table.show"))


def _quad(corners: list[str]) -> Quad:
    try:
        sides = [float(word) for word in corners]
    except ValueError:
        sides = []
    if len(sides) != 8 or not all(math.isfinite(side) and 0 <= side <= 1 for side in sides):
        raise BadInput("a zone: wanted four corners as x y x y x y x y, each from 0 to 1")
    a, b, c, d = zip(sides[::2], sides[1::2], strict=True)
    return (a, b, c, d)


def _box(corners: list[str]) -> Quad:
    try:
        sides = [float(word) for word in corners]
    except ValueError:
        sides = []
    if len(sides) != 4 or not all(math.isfinite(side) and 0 <= side <= 1 for side in sides):
        raise BadInput("deck: wanted the two corners of a box as x y x y, each from 0 to 1")
    x0, x1 = sorted((sides[0], sides[2]))
    y0, y1 = sorted((sides[1], sides[3]))
    if x1 - x0 < 0.02 or y1 - y0 < 0.02:
        raise BadInput("deck: that box is too small: drag from one corner of the deck to the other")
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def _hand() -> str | None:
    whole = text("hand")
    if whole is not None:
        return whole
    colour, value = text("hand_colour"), text("hand_value")
    if colour is not None and value is None:
        raise BadInput("the card from the hand: wanted its colour and its value, tap both")
    # A value without a colour: nobody saw which colour it had.
    return None if value is None else f"{colour or ''}{value}"


def _claim(snapshot: Snapshot, claim_id: int) -> ClaimRecord:
    for found in snapshot.claims:
        if found.id == claim_id:
            return found
    raise NotFound("this match has no such claim")
