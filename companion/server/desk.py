"""What every view needs at hand: the session, the settings, and how a command is answered."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import cast

from flask import Flask, current_app, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from companion.errors import BadInput, NotFound
from companion.night.session import Session
from companion.night.values import ON_TABLE, MatchNow, Snapshot
from companion.settings import Settings

TABLE = "table"
"""Stands in addresses where a seat would, for the cards that were left on the table."""

_NAME = "companion"


@dataclass(frozen=True, slots=True)
class Desk:
    """The session and the settings of one app, and the sign that it is closing.

    Attributes:
        session: the night that is shown.
        settings: how the page was asked to run.
        closing: set when the server stops, so that open streams end at once.
        visited: set once somebody has opened a page.
    """

    session: Session
    settings: Settings
    closing: threading.Event = field(default_factory=threading.Event)
    visited: threading.Event = field(default_factory=threading.Event)

    def attach(self, app: Flask) -> None:
        """Make this the desk of ``app`` and hand the newest snapshot to every template."""
        app.extensions[_NAME] = self
        app.before_request(self.visited.set)

        @app.context_processor
        def newest() -> dict[str, object]:
            return {"snapshot": self.session.snapshot(), "settings": self.settings}


def attached(app: Flask) -> Desk:
    """The desk of an app."""
    return cast(Desk, app.extensions[_NAME])


def desk() -> Desk:
    """The desk of the app that answers now."""
    return attached(current_app)


def wants_page() -> bool:
    """Whether somebody reads the answer in a browser window, not a script through fetch."""
    return "text/html" in request.headers.get("Accept", "")


def done(snapshot: Snapshot, back: str) -> ResponseReturnValue:
    """Answer a command: back to the page for a plain form, the journal's number for a script."""
    if wants_page():
        return redirect(back, code=303)
    return jsonify({"id": snapshot.id})


def running_match(snapshot: Snapshot) -> MatchNow:
    """The match that is on the table.

    Raises:
        NotFound: none was started yet.
    """
    if snapshot.match is None:
        raise NotFound("no match runs: start one on the Match page")
    return snapshot.match


def player_of(match: MatchNow, seat: int) -> str:
    """The name at a seat, counted from 0.

    Raises:
        NotFound: the match has no such seat.
    """
    if not 0 <= seat < len(match.players):
        raise NotFound(
            "seat %(seat)s is not in this match: it has %(count)s",
            seat=seat + 1,
            count=len(match.players),
        )
    return match.players[seat]


def pile_of(match: MatchNow, seat: str) -> str:
    """Whose pile an address means: the name at a seat, or ``ON_TABLE``.

    Raises:
        NotFound: the match has no such seat.
    """
    if seat == TABLE:
        return ON_TABLE
    if seat.isascii() and seat.isdecimal():
        return player_of(match, int(seat))
    raise NotFound("this match has no such seat")


def words(name: str) -> list[str]:
    """All texts of a form field, split at spaces and commas (``R5 G3`` is two)."""
    given = " ".join(request.form.getlist(name))
    return given.replace(",", " ").split()


def text(name: str) -> str | None:
    """One text of a form field, None where it is empty."""
    return request.form.get(name, "").strip() or None


def number(name: str) -> int | None:
    """One whole number of a form field, None where it is empty.

    Raises:
        BadInput: there is something that is no whole number.
    """
    given = text(name)
    if given is None:
        return None
    try:
        return int(given)
    except ValueError:
        raise BadInput(
            "%(name)s: wanted a whole number, got %(given)r", name=name, given=given[:20]
        ) from None


def ticked(name: str) -> bool:
    """Whether a box of the form was ticked."""
    return request.form.get(name, "") not in ("", "0", "false")


def pad_card() -> str | None:
    """The card tapped on a pad: its colour and its value, or its whole text.

    Raises:
        BadInput: a value without a colour, or a colour without a value.
    """
    whole = text("card")
    if whole is not None:
        return whole
    colour, value = text("colour"), text("value")
    if colour is None and value is None:
        return None
    if colour is None or value is None:
        raise BadInput("wanted a colour and a value: tap both")
    return f"{colour}{value}"
