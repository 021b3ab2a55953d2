"""``/rules``: every rule in our own words, and our reading where the sheets are silent."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext as _l

from companion.rules.book import RULES

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

CHAPTERS = (
    ("C", _l("The cards")),
    ("S", _l("Setting up")),
    ("T", _l("A turn")),
    ("X", _l("T! cards")),
    ("K", _l("Clearing up")),
    ("E", _l("The end of a round")),
    ("P", _l("Points")),
    ("M", _l("The match")),
    ("D", _l("Our reading")),
)


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The whole law, chapter by chapter."""
    chapters = [
        (title, [rule for rule in RULES if rule.startswith(letter)]) for letter, title in CHAPTERS
    ]
    return render_template("rules/show.html", chapters=chapters)
