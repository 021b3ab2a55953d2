from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.errors import JournalError, NotFound
from companion.night.events import picture_name
from companion.night.journal import Journal


@contextmanager
def opened(path: Path, busy_timeout_s: float = 5.0) -> Iterator[Journal]:
    journal = Journal.open(f"sqlite:///{path}", busy_timeout_s=busy_timeout_s)
    try:
        yield journal
    finally:
        journal.close()


def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db") as journal:
        event = journal.append("seen", {"text": "G5 laid", "n": [1, None, True]}, [b"jpeg"])
    with opened(tmp_path / "night.db") as journal:
        assert journal.events() == [event]
        assert journal.picture(picture_name(b"jpeg")) == b"jpeg"


def test_numbers_are_never_used_again(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db") as journal:
        journal.append("seen", {})
        last = journal.append("seen", {}).id
    with closing(sqlite3.connect(tmp_path / "night.db")) as database:
        database.execute("delete from events where id = ?", (last,))
        database.commit()
    with opened(tmp_path / "night.db") as journal:
        assert journal.append("seen", {}).id == last + 1


def test_the_same_picture_twice_is_kept_once(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db") as journal:
        journal.append("seen", {}, [b"one", b"two"])
        journal.append("seen", {}, [b"two", b"two"])
    with closing(sqlite3.connect(tmp_path / "night.db")) as database:
        assert database.execute("select count(*) from pictures").fetchone() == (2,)


def test_a_picture_that_is_not_there_is_named(journal: Journal) -> None:
    with pytest.raises(NotFound, match="no picture 'abc'"):
        journal.picture("abc")


def test_sqlite_writes_ahead_and_waits_for_the_disk(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db") as journal:
        journal.append("seen", {})
        with closing(sqlite3.connect(tmp_path / "night.db")) as database:
            assert database.execute("pragma journal_mode").fetchone() == ("wal",)
        with journal._transaction("read") as connection:
            assert connection.exec_driver_sql("pragma synchronous").scalar() == 2
            assert connection.exec_driver_sql("pragma foreign_keys").scalar() == 1


def test_a_locked_database_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db", busy_timeout_s=0.1) as journal:
        first = journal.append("seen", {})
        with closing(sqlite3.connect(tmp_path / "night.db")) as other:
            other.execute("begin immediate")
            with pytest.raises(JournalError, match="locked by another program"):
                journal.append("seen", {})
            with pytest.raises(JournalError, match="locked by another program"):
                Journal.open(f"sqlite:///{tmp_path / 'night.db'}", busy_timeout_s=0.1)
            assert journal.events() == [first]
            other.rollback()
        assert journal.append("seen", {}).id == first.id + 1


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db"):
        pass
    with closing(sqlite3.connect(tmp_path / "night.db")) as database:
        database.execute("update meta set value = '2' where name = 'schema'")
        database.commit()
    with pytest.raises(JournalError, match="has schema 2; this companion knows up to 1"):
        Journal.open(f"sqlite:///{tmp_path / 'night.db'}")


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "night.db").write_bytes(b"dear diary " * 500)
    with pytest.raises(JournalError, match="damaged or no database"):
        Journal.open(f"sqlite:///{tmp_path / 'night.db'}")
    assert (tmp_path / "night.db").read_bytes() == b"dear diary " * 500


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "night.db")) as database:
        database.execute("create table events (what text)")
    with pytest.raises(JournalError, match="it holds another's"):
        Journal.open(f"sqlite:///{tmp_path / 'night.db'}")


def test_a_damaged_event_is_named(tmp_path: Path) -> None:
    with opened(tmp_path / "night.db") as journal:
        journal.append("seen", {})
        with closing(sqlite3.connect(tmp_path / "night.db")) as database:
            database.execute("update events set payload = '{half'")
            database.commit()
        with pytest.raises(JournalError, match="event 1 of the journal is damaged"):
            journal.events()


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("night.db", "wanted a SQLAlchemy address"),
        ("abacus://night", "wanted a SQLAlchemy address"),
        ("sqlite:////dev/null/night.db", "its folder"),
        ("sqlite:////dev", "wanted a folder and a file that may be written"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_line(address: str, wanted: str) -> None:
    with pytest.raises(JournalError, match=wanted) as caught:
        Journal.open(address)
    assert "\n" not in str(caught.value)


WRITER = """
import sys
from companion.night.journal import Journal
journal = Journal.open(sys.argv[1])
for number in range(60):
    event = journal.append("seen", {"by": sys.argv[2], "number": number}, [b"same", b"%d" % number])
    print(event.id)
journal.close()
"""


def test_a_new_journal_waits_for_the_program_that_is_just_making_it(tmp_path: Path) -> None:
    path = tmp_path / "night.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    done = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    done.start()
    journal = Journal.open(f"sqlite:///{path}")
    done.join()
    other.close()
    assert journal.append("seen", {}).id == 1
    journal.close()


def test_two_programs_write_to_one_journal(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'night.db'}"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, address, name], stdout=subprocess.PIPE, text=True
        )
        for name in ("left", "right")
    ]
    told = [[int(line) for line in writer.communicate(timeout=60)[0].split()] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    with opened(tmp_path / "night.db") as journal:
        events = journal.events()
    assert sorted(told[0] + told[1]) == [event.id for event in events] == list(range(1, 121))
    for name, ids in zip(("left", "right"), told, strict=True):
        mine = [event for event in events if event.payload["by"] == name]
        assert [event.payload["number"] for event in mine] == list(range(60))
        assert [event.id for event in mine] == ids
