"""Stories about evidence that leaves the house: one file, without names, and a test case."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import BadInput, NotFound
from companion.night.bundle import MANIFEST, is_bundle, pack_claim, read_bundle, save_bundle
from companion.night.journal import Journal
from companion.night.rejudge import cases_of, differences, misread, replay_bundle
from companion.night.session import Session
from companion.settings import Settings
from companion.vision.draw import encode_jpeg
from tests.night.fakes import HEIGHT_PX, WIDTH_PX, FakeCalendar, FakeEyes, FakeTable, sightings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def night(address: str, calendar: FakeCalendar) -> Session:
    """A night whose last claim hung on a doubtful card, which was shown to the camera."""
    journal = Journal.open(address, clock=calendar)
    session = Session(journal, lambda frame: encode_jpeg(frame.bgr), now_utc=calendar)
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    session.claim("Ben", "G4", ["R1", "Y3"], spoken="Ann says 1 and 3 and 4 is 8")
    session.claim("Ann", "G5", ["R1", "B3"])
    table.shows(["", "Y3", ""], deck="#9")
    table.shows(["", "Y3", "", "B3"], deck="#9")
    session.tell_claim(session.snapshot().claims[0].id, "hand", "5")
    return session


@pytest.fixture
def packed(night: Session, tmp_path: Path) -> Path:
    path = tmp_path / "claim.zip"
    path.write_bytes(night.report(night.snapshot().claims[0].id, Settings()))
    return path


def rewritten(path: Path, old: str, new: str) -> Path:
    """The same bundle with another manifest."""
    other = path.with_name("other.zip")
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(other, "w") as out:
        for name in given.namelist():
            data = given.read(name)
            if name == MANIFEST:
                assert old in data.decode()
                data = data.decode().replace(old, new).encode()
            out.writestr(name, data)
    return other


def manifest_of(path: Path) -> str:
    with zipfile.ZipFile(path) as given:
        return given.read(MANIFEST).decode()


def test_a_claim_goes_into_one_file_and_is_judged_the_same(packed: Path, night: Session) -> None:
    bundle = read_bundle(packed)
    (case,) = cases_of(bundle)
    claim = night.snapshot().claims[0]
    assert replace(case.claim, player="Ann") == claim
    assert [one.by for one in case.claim.corrections] == ["camera", "players"]
    assert differences(case) == []
    assert set(bundle.pictures) >= {claim.picture, claim.picture_after}
    assert {"companion", "python", "numpy", "onnxruntime"} <= set(bundle.about["versions"])
    assert bundle.about["settings"]["still_frames"] == 3


def test_no_name_leaves_the_house(packed: Path, night: Session, tmp_path: Path) -> None:
    whole = tmp_path / "night.zip"
    save_bundle(whole, None, Settings(database=str(night._ledger.journal._engine.url)))
    for path in (packed, whole):
        text = manifest_of(path)
        assert "Ann" not in text
        assert "Ben" not in text
        assert '"P1"' in text
    assert "word word 1 and 3 and 4 is 8" in manifest_of(whole)


def test_a_verdict_that_changed_is_named(packed: Path) -> None:
    other = rewritten(packed, '"ruling": "legal"', '"ruling": "illegal"')
    (case,) = cases_of(read_bundle(other))
    assert differences(case)[0] == f"{case} was illegal by T1, and is legal by T1 now"


def test_pictures_are_read_anew_and_compared(packed: Path) -> None:
    bundle = read_bundle(packed)
    (case,) = cases_of(bundle)
    case = replace(case, claim=replace(case.claim, picture_after=None))
    alike = FakeEyes(sightings(["R1", "Y3", "B3"]))
    assert misread(case, bundle, alike) == []
    other = FakeEyes(sightings(["R2", "", "B2"]))
    assert misread(case, bundle, other) == ["R1 is read as R2 now", "Y3 is not found any more"]
    assert case.claim.size_px == (WIDTH_PX, HEIGHT_PX)


def test_a_night_is_replayed_event_by_event(night: Session, tmp_path: Path) -> None:
    path = tmp_path / "night.zip"
    save_bundle(path, None, Settings(database=str(night._ledger.journal._engine.url)))
    lines = [line.event for line in replay_bundle(read_bundle(path))]
    assert lines[:4] == ["R1 laid", "Y3 laid", "B2?B3 laid", "target ? → 9"]
    assert [line.split(": ")[1] for line in lines if line.startswith("claim")] == [
        "illegal by T1",
        "legal by T1",
    ]


def test_a_claim_that_is_not_there(night: Session) -> None:
    with pytest.raises(NotFound, match="the journal has no claim 99"):
        night.report(99, Settings())
    claim, journal = night.snapshot().claims[0].id, night._ledger.journal
    night.undo()
    night.undo()
    with pytest.raises(NotFound):
        pack_claim(journal.events(), claim, journal.picture, Settings())


def test_a_broken_or_foreign_bundle_is_one_clear_line(packed: Path, tmp_path: Path) -> None:
    text = tmp_path / "notes.zip"
    text.write_text("no zip at all")
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as out:
        out.writestr("hello.txt", "hello")
    half = tmp_path / "half.zip"
    half.write_bytes(packed.read_bytes()[:-200])
    bad = {
        text: "is no bundle: wanted a file that companion report wrote",
        foreign: "is no bundle of this companion: wanted a manifest.json",
        half: "is no bundle",
        tmp_path / "none.zip": "No such file",
        rewritten(packed, '"schema": 1,\n "kind"', '"schema": 9,\n "kind"'): "has schema 9",
    }
    for path, wanted in bad.items():
        with pytest.raises(BadInput, match=wanted) as caught:
            read_bundle(path)
        assert "\n" not in str(caught.value)
    assert is_bundle(text)
    assert not is_bundle(tmp_path)


@pytest.mark.parametrize("place", range(60, 260, 20))
def test_a_bundle_damaged_on_its_way_is_one_clear_line(packed: Path, place: int) -> None:
    spoilt = bytearray(packed.read_bytes())
    spoilt[place : place + 4] = bytes(byte ^ 0xFF for byte in spoilt[place : place + 4])
    packed.write_bytes(spoilt)
    with pytest.raises(BadInput, match="bundle"):
        read_bundle(packed)


def test_a_picture_that_is_not_what_its_name_says(packed: Path) -> None:
    with zipfile.ZipFile(packed) as given:
        files = {name: given.read(name) for name in given.namelist()}
    with zipfile.ZipFile(packed, "w") as out:
        for name, data in files.items():
            out.writestr(name, data if name == MANIFEST else b"another picture")
    with pytest.raises(BadInput, match=r"picture [0-9a-f]{12}… is damaged"):
        read_bundle(packed)


def test_events_that_make_no_sense_are_named(packed: Path) -> None:
    other = rewritten(packed, '"kind": "match started"', '"kind": "moon landed"')
    with pytest.raises(BadInput, match="cannot be followed"):
        cases_of(read_bundle(other))


def run(*words: str) -> subprocess.CompletedProcess[str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    environment = ours | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_pytest_runs_a_reported_claim_and_fails_clearly_where_it_changed(packed: Path) -> None:
    only = ("-q", "-p", "no:cacheprovider", "-k", "judged")
    good = run("pytest", f"--bundle={packed}", *only)
    assert good.returncode == 0, good.stdout + good.stderr
    assert "1 passed" in good.stdout
    other = rewritten(packed, '"ruling": "legal"', '"ruling": "illegal"')
    changed = run("pytest", f"--bundle={other}", *only)
    assert changed.returncode == 1
    assert "was illegal by T1, and is legal by T1 now" in changed.stdout
    broken = run("pytest", f"--bundle={ROOT / 'README.md'}", *only)
    assert broken.returncode != 0
    assert "README.md is no bundle: wanted a file that companion report wrote" in broken.stdout


def test_the_commands_pack_and_replay(night: Session, tmp_path: Path) -> None:
    address, out = str(night._ledger.journal._engine.url), tmp_path / "out.zip"
    claim = str(night.snapshot().claims[0].id)
    done = run("companion", "report", claim, "--out", str(out), "--database", address)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    replayed = run("companion", "replay", str(out), "--json")
    lines = [json.loads(line) for line in replayed.stdout.splitlines()]
    assert f"claim {claim}: legal by T1" in [line["event"] for line in lines]
    out.write_bytes(out.read_bytes()[:100])
    wrong = run("companion", "replay", str(out))
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "is no bundle" in wrong.stderr
    assert len(wrong.stderr.splitlines()) == 1
