"""``/stream``: one stream of server-sent events a tab.

``journal`` events carry the journal's number as their id: the browser hands it back after a
break (``Last-Event-ID``) and is told at once what it missed. ``live`` events tell how camera and
table are; they have no id, for nothing of them is kept. Each reader has a thread of its own, so
that one who does not read holds up nobody.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

from flask import Blueprint, Response, abort, request, stream_with_context
from flask.typing import ResponseReturnValue

from companion.night.values import Snapshot
from companion.server.desk import Desk, desk
from companion.server.faces import state_word

blueprint = Blueprint("stream", __name__)

HEARTBEAT_S = 10.0
LIVE_PAUSE_S = 0.25
LONGEST_WAIT_S = 1.0
MOST_STREAMS = 36
"""Streams at once; the other threads of the server stay free for pages and commands."""

_places = threading.BoundedSemaphore(MOST_STREAMS)


@blueprint.get("/stream")
def follow() -> ResponseReturnValue:
    """Follow the night from the number that the reader knows (``Last-Event-ID`` or ``after``)."""
    if not _places.acquire(blocking=False):
        abort(503, "too many open pages follow this table: close one")
    place = _Place()
    news = stream_with_context(_news(desk(), _known(), place))
    response = Response(news, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(place.leave)
    return response


class _Place:
    """One of the server's places for a stream, given back once."""

    def __init__(self) -> None:
        self._taken = True
        self._lock = threading.Lock()

    def leave(self) -> None:
        with self._lock:
            if self._taken:
                self._taken = False
                _places.release()


def _known() -> int | None:
    given = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else None


def _news(at: Desk, known: int | None, place: _Place) -> Iterator[str]:
    try:
        yield "retry: 1000\n\n"
        snapshot = at.session.snapshot()
        shown = ""
        told_s = time.monotonic()
        while not at.closing.is_set():
            if snapshot.id != known:
                known = snapshot.id
                yield f'id: {known}\nevent: journal\ndata: {{"id": {known}}}\n\n'
                told_s = time.monotonic()
            live = _live(snapshot)
            if live != shown:
                shown = live
                yield f"event: live\ndata: {live}\n\n"
                told_s = time.monotonic()
            if time.monotonic() - told_s >= HEARTBEAT_S:
                yield ": still here\n\n"
                told_s = time.monotonic()
            snapshot = _next(at, snapshot)
    finally:
        place.leave()


def _next(at: Desk, seen: Snapshot) -> Snapshot:
    news = at.session.wait(seen.id, LONGEST_WAIT_S, seen.live_id)
    if news is None:
        return seen
    if news.id == seen.id:
        at.closing.wait(LIVE_PAUSE_S)
        return at.session.snapshot()
    return news


def _live(snapshot: Snapshot) -> str:
    return json.dumps(
        {
            "state": snapshot.live.state.name.lower(),
            "word": state_word(snapshot.live.state),
            "reason": snapshot.trouble or snapshot.live.reason or snapshot.camera.reason,
            "camera": snapshot.camera.ok,
        },
        sort_keys=True,
    )
