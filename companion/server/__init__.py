"""SHOWS: the page that every phone at the table can open. No cv2 here, and no rule decided.

``create_app(session, settings)`` is the door: one blueprint a page; blueprint, template folder
and test share a name. Views parse, ask the session, render.
"""

from __future__ import annotations

from flask import Flask

from companion.night.session import Session
from companion.paths import resource_dir
from companion.server import (
    count,
    disputes,
    faces,
    gates,
    health,
    language,
    match,
    night,
    picture,
    problems,
    rules,
    stream,
    table,
)
from companion.server.desk import Desk
from companion.settings import Settings

__all__ = ["create_app"]

LARGEST_POST_BYTES = 64 * 1024


def create_app(session: Session, settings: Settings) -> Flask:
    """The page of one night: everything that is shown comes from ``session.snapshot()``."""
    web = resource_dir("web")
    app = Flask(
        "companion.server",
        template_folder=str(web / "templates"),
        static_folder=str(web / "static"),
    )
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_POST_BYTES
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "autoescape": True}
    Desk(session, settings).attach(app)
    language.set_up(app, settings, web / "translations")
    faces.set_up(app)
    disputes.set_up(app)
    problems.set_up(app)
    gates.set_up(app)
    for room in (table, count, match, night, rules, stream, picture, health):
        app.register_blueprint(room.blueprint)
    return app
