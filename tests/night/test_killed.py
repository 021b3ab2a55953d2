"""Whatever a page was shown survives ``kill -9`` at any moment."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from companion.night.events import picture_name
from companion.night.journal import Journal
from companion.night.projection import replay

PLAYER = """
import json, sys
from companion.night.journal import Journal
from companion.night.session import Session
from tests.night.fakes import FakeTable

session = Session(Journal.open(sys.argv[1]), lambda frame: b"picture %d" % frame.number)
table = FakeTable(session)
print("ready", flush=True)
turn = 0
while True:
    session.start_match(["Ann", "Ben"], "65")
    for card in ("R5", "G5", "Y1", "O2"):
        turn += 1
        table.shows([card], deck="#8" if turn % 2 else "#9")
        session.claim("Ann", "O4", [card], key=str(turn))
        shown = session.add_batch("Ben", [card])
        count = shown.match.counting[1]
        print(json.dumps({
            "id": shown.id, "match": shown.match.id, "claims": [one.id for one in shown.claims],
            "points": count.points, "event": shown.events[0].id, "turn": turn,
            "picture": shown.events[0].picture_after,
        }), flush=True)
"""


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_was_shown_is_lost(tmp_path: Path, seed: int) -> None:
    address = f"sqlite:///{tmp_path / 'night.db'}"
    chance = random.Random(seed)
    program = subprocess.Popen(
        [sys.executable, "-c", PLAYER, address], stdout=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        lines = [program.stdout.readline() for _ in range(chance.randint(1, 12))]
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(chance.uniform(0.0, 0.05))
        program.kill()
        lines += program.stdout.readlines()
    shown = [json.loads(line) for line in lines if line.endswith("}\n")]

    journal = Journal.open(address)
    events = journal.events()
    state = replay(events)
    assert not state.oddities
    last = shown[-1]
    assert {line["id"] for line in shown} <= {event.id for event in events}
    then = replay([event for event in events if event.id <= last["id"]])
    assert then.running.id == last["match"]
    assert [claim.id for claim in then.claims] == last["claims"]
    assert then.running.counting[1].points == last["points"]
    assert then.events[0].id == last["event"]
    assert picture_name(journal.picture(last["picture"])) == last["picture"]
    journal.close()
