"""The stream: news with the journal's number, caught up after a break, one slow reader's own."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse

from flask.testing import FlaskClient

from companion.night.session import Session
from tests.server.conftest import Served
from tests.server.scripted import ScriptedSession


@contextmanager
def following(served: Served, address: str = "/stream", **headers: str) -> Iterator[HTTPResponse]:
    """A stream that somebody reads."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=10)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(connection):
        connection.request("GET", address, headers=named)
        with closing(connection.getresponse()) as response:
            yield response


def next_event(stream: HTTPResponse, kind: str) -> dict[str, str]:
    """Read on to the next event of a kind: its fields."""
    fields: dict[str, str] = {}
    while True:
        line = stream.readline().decode().rstrip("\n")
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif fields.get("event") == kind:
            return fields
        else:
            fields = {}


PATIENCE_S = 10.0


def start(session: Session) -> int:
    return session.start_match(["Ann", "Bo"], "65").id


def test_news_carries_the_number_of_the_journal(served: Served) -> None:
    with following(served) as stream:
        assert stream.getheader("Content-Type", "").startswith("text/event-stream")
        assert next_event(stream, "journal")["id"] == "0"
        number = start(served.session)
        told = next_event(stream, "journal")
        assert told["id"] == str(number)
        assert json.loads(told["data"]) == {"id": number}


def test_after_a_break_the_reader_is_told_at_once_what_it_missed(served: Served) -> None:
    old = start(served.session)
    new = served.session.set_table(["R1"], 9).id
    with following(served, Last_Event_ID=str(old)) as stream:
        assert next_event(stream, "journal")["id"] == str(new)


def test_a_reader_who_knows_everything_hears_only_news(served: Served) -> None:
    old = start(served.session)
    with following(served, f"/stream?after={old}") as stream:
        next_event(stream, "live")
        new = served.session.set_table(["R1"], 9).id
        assert next_event(stream, "journal")["id"] == str(new)


def test_a_number_from_another_journal_is_put_right(served: Served) -> None:
    with following(served, "/stream?after=999") as stream:
        assert next_event(stream, "journal")["id"] == "0"


def test_the_state_of_the_table_is_told_in_a_word(served: Served) -> None:
    with following(served) as stream:
        told = json.loads(next_event(stream, "live")["data"])
    assert told["state"] == "no_camera"
    assert told["word"] == "No camera"


def test_who_does_not_read_holds_up_nobody(served: Served) -> None:
    with closing(socket.create_connection(("127.0.0.1", served.port))) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.sendall(b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\n")
        with following(served) as stream:
            next_event(stream, "journal")
            for value in range(1, 7):
                told_at_s = time.monotonic()
                number = served.session.set_table([f"R{value}"], 9).id
                assert next_event(stream, "journal")["id"] == str(number)
                assert time.monotonic() - told_at_s < PATIENCE_S


def test_what_is_no_number_counts_as_knowing_nothing(
    client: FlaskClient, session: ScriptedSession
) -> None:
    for given in ("x", "-1", "9" * 40, "٣"):
        with client.get(
            "/stream", headers={"Last-Event-ID": given.encode().decode("latin-1")}
        ) as got:
            chunks = got.iter_encoded()
            next(chunks)
            assert b"id: 60\n" in next(chunks)
