"""`companion judge` and `companion score`, run as a person runs them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

CLAIM = {
    "edition": "65",
    "target": 9,
    "deck_empty": False,
    "table": ["R1", "Y3"],
    "hand": "G5",
    "taken": ["R1", "Y3"],
    "tweak": None,
    "said_tweak": True,
    "spoken": "1 and 3 is 4, and 5 is 9, TWEAK",
}


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_true_tweak_is_legal_and_wins_a_tweak_card() -> None:
    done = run("judge", stdin=json.dumps(CLAIM) + "\n")
    verdict = json.loads(done.stdout)
    assert (verdict["verdict"], verdict["wins_tweak"]) == ("legal", True)
    assert verdict["won"] == ["G5", "R1", "Y3"]
    assert verdict["points"] == 4 + 3 + 1
    assert done.returncode == 0


def test_a_broken_line_is_answered_in_its_place() -> None:
    false_sum = json.dumps({**CLAIM, "target": 8})
    done = run(
        "judge", stdin="\n".join([json.dumps(CLAIM), '{"edition": "65", ', false_sum]) + "\n"
    )
    first, broken, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert first["verdict"] == "legal"
    assert list(broken) == ["error"]
    assert "\n" not in broken["error"]["message"]
    assert last["verdict"] == "illegal"
    assert "T1" in last["rules"]


def test_points_and_how_they_come_about() -> None:
    assert run("score", "R5", "G5", "R1", "Y3", "T!joker").stdout == "15\n"
    explained = run("score", "R5", "T!joker", "--explain").stdout.splitlines()
    assert explained[0] == "7"
    assert len(explained) == 3


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("score", "R7"), "no card"),
        (("score",), "Missing argument"),
        (("juge",), "No such command"),
        (("read", "nothing-here.jpg"), "nothing-here.jpg"),
        (("rules", "Z9"), "Z9"),
    ],
)
def test_a_wrong_argument_exits_2_with_one_line(arguments: tuple[str, ...], wanted: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert wanted in done.stderr
    assert done.stderr.count("\n") == 1
