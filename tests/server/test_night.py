"""The night: matches so far, records, and the way in for the others."""

from __future__ import annotations

from flask.testing import FlaskClient

from companion.server.night import records
from companion.server.reach import addresses
from companion.settings import Settings
from tests.server.scripted import busy_snapshot


def test_the_home_page_is_the_table(client: FlaskClient) -> None:
    assert client.get("/").location == "/table/"


def test_the_night_lists_matches_and_the_address(client: FlaskClient) -> None:
    shown = client.get("/night/", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert "<bdi>Ann</bdi> 142 ★" in shown
    assert "http://127.0.0.1:8765/" in shown
    assert "<svg" in shown.split('class="qr"')[1]


def test_records_put_the_winner_first() -> None:
    first = records(busy_snapshot())[0]
    assert (first.player, first.wins, first.best, first.points) == ("Ann", 1, 142, 173)


def test_an_address_of_the_new_kind_is_bracketed() -> None:
    assert addresses(Settings(host="::1", port=80)) == ["http://[::1]:80/"]
