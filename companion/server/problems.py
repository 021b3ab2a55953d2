"""What goes wrong, in one shape: ``{"error": {"message": "…"}}`` for scripts, a page for people."""

from __future__ import annotations

from flask import Flask, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.errors import BadInput, CompanionError, NotFound
from companion.server.desk import wants_page
from companion.server.language import translate as _
from companion.server.wording import words


def set_up(app: Flask) -> None:
    """Answer every error of ours and of HTTP; anything else is a bug and becomes a 500."""
    app.register_error_handler(CompanionError, _ours)
    app.register_error_handler(HTTPException, _of_http)


def _ours(error: CompanionError) -> ResponseReturnValue:
    if isinstance(error, NotFound):
        return answer(404, words(error.said))
    if isinstance(error, BadInput):
        return answer(400, words(error.said))
    return answer(503, words(error.said))


def _of_http(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    said = {
        403: _("commands are taken from this page only, not from another website"),
        404: _("there is no such page"),
        405: _("this address does not take that"),
        413: _("that was too much at once"),
        500: _("something broke here; what was counted is safe in the journal"),
    }
    return answer(code, said.get(code) or error.description or error.name)


def answer(code: int, message: str) -> ResponseReturnValue:
    """One error in the shape that the reader of this request understands."""
    if wants_page():
        back = request.referrer if _from_here() else None
        page = render_template("problem.html", code=code, message=message, back=back)
        return page, code
    return jsonify({"error": {"message": message}}), code


def _from_here() -> bool:
    return bool(request.referrer) and str(request.referrer).startswith(request.host_url)
