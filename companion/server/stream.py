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
from collections.abc import Iterator, Mapping

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from companion.night.values import Snapshot
from companion.server.desk import Desk, desk
from companion.server.faces import STATE_WORDS, state_key

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
    reader = _Reader(desk(), {key: str(word) for key, word in STATE_WORDS.items()})
    response = Response(reader.news(_known()), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(reader.leave)
    return response


def _known() -> int | None:
    given = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else None


class _Reader:
    """One open stream: what it was told, in its language, and its place, given back once."""

    def __init__(self, at: Desk, words: Mapping[str, str]) -> None:
        self._at = at
        self._words = words
        self._place_is_taken = True
        self._told_at_s = time.monotonic()
        self._lock = threading.Lock()

    def leave(self) -> None:
        with self._lock:
            if self._place_is_taken:
                self._place_is_taken = False
                _places.release()

    def news(self, known: int | None) -> Iterator[str]:
        yield "retry: 1000\n\n"
        snapshot, shown = self._at.session.snapshot(), ""
        while not self._at.closing.is_set():
            if snapshot.id != known:
                known = snapshot.id
                yield self._said(f'id: {known}\nevent: journal\ndata: {{"id": {known}}}')
            live = self._live(snapshot)
            if live != shown:
                shown = live
                yield self._said(f"event: live\ndata: {live}")
            if time.monotonic() - self._told_at_s >= HEARTBEAT_S:
                yield self._said(": still here")
            snapshot = self._next(snapshot)

    def _said(self, event: str) -> str:
        self._told_at_s = time.monotonic()
        return f"{event}\n\n"

    def _next(self, seen: Snapshot) -> Snapshot:
        news = self._at.session.wait(seen.id, LONGEST_WAIT_S, seen.live_id)
        if news is None:
            return self._at.session.snapshot()
        if news.id == seen.id:
            self._at.closing.wait(LIVE_PAUSE_S)
            return self._at.session.snapshot()
        return news

    def _live(self, snapshot: Snapshot) -> str:
        reason = snapshot.trouble or snapshot.live.reason or snapshot.camera.reason
        state = state_key(snapshot)
        now = {
            "state": state,
            "word": self._words[state],
            "reason": reason,
            "camera": snapshot.camera.ok,
        }
        return json.dumps(now, sort_keys=True)
