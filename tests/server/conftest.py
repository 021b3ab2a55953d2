"""An app on a scripted session, and a real session served on a port of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from companion.night.journal import Journal
from companion.night.session import Session
from companion.server import create_app
from companion.server.serve import PageServer
from companion.settings import Settings
from tests.server.browser import PHONE, chromium, looking
from tests.server.scripted import ScriptedSession, busy_snapshot

HERE = Settings(host="127.0.0.1", port=0)


@pytest.fixture
def session() -> ScriptedSession:
    return ScriptedSession(busy_snapshot())


@pytest.fixture
def app(session: ScriptedSession) -> Flask:
    return create_app(session, Settings())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@dataclass(frozen=True)
class Served:
    """A session, and where its page is found."""

    session: Session
    address: str
    port: int


@contextmanager
def serving(session: Session) -> Iterator[Served]:
    """Serve a session on a free port until the block ends."""
    server = PageServer(create_app(session, HERE), HERE)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        port = server.settings.port
        yield Served(session, f"http://127.0.0.1:{port}", port)
    finally:
        server.close()
        thread.join(timeout=10)
        assert not thread.is_alive(), "the server did not stop"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    journal = Journal.open(f"sqlite:///{tmp_path / 'night.db'}")
    try:
        with serving(Session(journal)) as found:
            yield found
    finally:
        journal.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def phone(browser: Browser, served: Served) -> Iterator[Page]:
    with looking(browser, PHONE) as page:
        yield page
    assert served.port
