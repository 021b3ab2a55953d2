"""Serves the page with waitress, which gives every request a thread of its own."""

from __future__ import annotations

import errno
import socket
import threading
from dataclasses import replace
from typing import Any

import waitress
import waitress.wasyncore
from flask import Flask

from companion.errors import ServerError
from companion.server.desk import attached
from companion.server.reach import addresses
from companion.settings import Settings

__all__ = ["PageServer", "addresses"]

THREADS = 48
MOST_CONNECTIONS = 300
SILENCE_S = 60
LARGEST_HEADER_BYTES = 16 * 1024
GONE_AFTER_MS = 30_000
"""A phone that left the house without a word loses its stream after so long."""


class PageServer:
    """One app on one address: opened at birth, served by :meth:`run` until :meth:`close`.

    Attributes:
        settings: as given, with the port that was really opened.

    Raises:
        ServerError: at birth, when the address is taken or is not ours.
    """

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._desk = attached(app)
        self._sockets: dict[int, Any] = {}
        listening = _listen(settings)
        self.settings = replace(settings, port=int(listening.getsockname()[1]))
        self._server = waitress.create_server(
            app,
            map=self._sockets,
            sockets=[listening],
            threads=THREADS,
            connection_limit=MOST_CONNECTIONS,
            channel_timeout=SILENCE_S,
            max_request_header_size=LARGEST_HEADER_BYTES,
            ident="companion",
        )

    @property
    def addresses(self) -> list[str]:
        """Where the page is found, the likeliest to work for a phone first."""
        return addresses(self.settings)

    @property
    def visited(self) -> threading.Event:
        """Set once somebody has opened the page."""
        return self._desk.visited

    def run(self) -> None:
        """Serve until closed or interrupted."""
        try:
            self._server.run()
        finally:
            self._desk.closing.set()
            self._server.task_dispatcher.shutdown(timeout=3)

    def close(self) -> None:
        """Stop serving; may be called from any thread. Open streams end within a second."""
        self._desk.closing.set()
        self._server.trigger.pull_trigger(self._let_go)

    def _let_go(self) -> None:
        waitress.wasyncore.close_all(self._sockets, ignore_all=True)


def _listen(settings: Settings) -> socket.socket:
    where = f"{settings.host or 'every address'} port {settings.port}"
    try:
        found = socket.getaddrinfo(
            settings.host or None,
            settings.port,
            type=socket.SOCK_STREAM,
            flags=socket.AI_PASSIVE,
        )
        family, _, _, _, address = found[0]
        listening = socket.create_server(address[:2], family=family, backlog=128)
    except socket.gaierror as error:
        raise ServerError(f"{settings.host!r} is no address of this machine") from error
    except OSError as error:
        raise ServerError(_why(error, where, settings.port)) from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER_MS)
    return listening


def _why(error: OSError, where: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"{where} is in use: stop what runs there, or choose another with --port"
        case errno.EACCES:
            return f"port {port} needs rights that this user has not: choose one from 1024 up"
        case errno.EADDRNOTAVAIL:
            return f"{where} is no address of this machine"
        case _:
            return f"{where} cannot be opened: {error.strerror or error}"
