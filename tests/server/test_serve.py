"""Serving: an address that cannot be opened is one clear line, and stopping is quick."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing
from http.client import HTTPConnection

import pytest
from flask import Flask

from companion.errors import ServerError
from companion.server.serve import PageServer
from companion.settings import Settings
from tests.server.conftest import HERE, Served


def test_a_port_in_use_is_one_line(app: Flask) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"port {port} is in use") as said:
            PageServer(app, Settings(host="127.0.0.1", port=port))
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("host", ["no such host", "192.0.2.77", "host.invalid"])
def test_an_address_that_is_not_ours_is_one_line(app: Flask, host: str) -> None:
    with pytest.raises(ServerError, match="no address of this machine"):
        PageServer(app, Settings(host=host, port=0))


def test_a_free_port_is_named(served: Served) -> None:
    assert served.port > 0
    with closing(HTTPConnection("127.0.0.1", served.port, timeout=5)) as connection:
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200


def test_stopping_does_not_wait_for_open_streams(app: Flask) -> None:
    server = PageServer(app, HERE)
    thread = threading.Thread(target=server.run)
    thread.start()
    with closing(HTTPConnection("127.0.0.1", server.settings.port, timeout=5)) as connection:
        connection.request("GET", "/stream")
        connection.getresponse().readline()
        begun_at_s = time.monotonic()
        server.close()
        thread.join(timeout=10)
    assert not thread.is_alive()
    assert time.monotonic() - begun_at_s < 5


def test_more_streams_than_places_are_refused_and_pages_still_come(app: Flask) -> None:
    from companion.server.stream import MOST_STREAMS

    client = app.test_client()
    held = [client.get("/stream") for _ in range(MOST_STREAMS)]
    try:
        refused = client.get("/stream")
        assert refused.status_code == 503
        assert "close one" in refused.get_json()["error"]["message"]
        assert client.get("/health").status_code == 200
    finally:
        for stream in held:
            stream.close()
    again = client.get("/stream")
    assert again.status_code == 200
    again.close()
