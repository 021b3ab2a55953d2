"""Every page stands on a real session, whatever has just happened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask.testing import FlaskClient

from companion.night.journal import Journal
from companion.night.session import Session
from companion.server import create_app
from companion.settings import Settings

PAGES = (
    "/table/",
    "/table/?edit=table",
    "/count/",
    "/match/",
    "/match/?new=1",
    "/night/",
    "/rules/",
)

STEPS: tuple[Callable[[Session], object], ...] = (
    lambda night: night.snapshot(),
    lambda night: night.set_table(["R1", "Y3"], 9),
    lambda night: night.start_match(["Ann", "Bo"], "65"),
    lambda night: night.set_dealer("Bo"),
    lambda night: night.claim("Ann", "G5", ["R1", "Y3"], said_tweak=True),
    lambda night: night.claim("Bo", "G4", ["R1", "Y3"]),
    lambda night: night.correct_claim(night.snapshot().claims[0].id, hand="G5"),
    lambda night: night.add_batch("Ann", ["R5", "T!joker"]),
    lambda night: night.undo(),
    lambda night: night.redo(),
    lambda night: night.confirm_count("Ann", ["T!bomb", "T!"]),
    lambda night: night.add_batch("Bo", ["R4"]),
    lambda night: night.confirm_count("Bo"),
    lambda night: night.close_round(),
    lambda night: night.edit_round(1, "Bo", ["R3", "G1"]),
    lambda night: night.set_table([], 7, deck_gone=True),
    lambda night: night.end_match(),
    lambda night: night.edit_round(1, "Bo", ["R3"], match=night.snapshot().matches[0].id),
    lambda night: night.start_match(["Cleo", "Ann"], "72"),
)


def shown(client: FlaskClient, address: str) -> str:
    answer = client.get(address, headers={"Accept": "text/html"})
    assert answer.status_code == 200, address
    return answer.get_data(as_text=True)


def test_every_page_stands_after_every_step(tmp_path: Path) -> None:
    journal = Journal.open(f"sqlite:///{tmp_path / 'night.db'}")
    night = Session(journal)
    client = create_app(night, Settings()).test_client()
    for step in STEPS:
        step(night)
        for address in PAGES:
            assert f'data-at="{night.snapshot().id}"' in shown(client, address)
        for claim in night.snapshot().claims:
            assert "What lay there" in shown(client, f"/table/claims/{claim.id}")
        for line in night.snapshot().matches:
            assert client.get(f"/match/{line.id}/").status_code == (200 if line.ended else 302)
        match = night.snapshot().match
        if match is None:
            continue
        for closed in match.rounds:
            for pile in ("1", "table"):
                at = f"/match/{match.id}/rounds/{closed.number}/{pile}"
                assert "Round 1" in shown(client, at)
    journal.close()
