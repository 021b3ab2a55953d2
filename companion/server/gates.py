"""Who may ask for what: same-origin commands, and headers that keep strangers out.

The page has no accounts: whoever is in the house's network may play along. What it must not be
is a tool for another website that a player happens to have open.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_SAFE = {"GET", "HEAD", "OPTIONS"}
_OWN_SITES = {"same-origin", "none"}


def set_up(app: Flask) -> None:
    """Check every command's origin, and put the headers on every answer."""
    app.before_request(_same_origin)
    app.after_request(_headers)


def _same_origin() -> None:
    if request.method in _SAFE:
        return
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    foreign = origin is not None and urlsplit(origin).netloc != request.host
    if foreign or (site is not None and site not in _OWN_SITES):
        abort(403)


def _headers(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response
