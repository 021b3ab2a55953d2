from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.night.journal import Journal
from companion.night.session import Session
from tests.night.fakes import FakeCalendar


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'night.db'}"


@pytest.fixture
def journal(address: str) -> Iterator[Journal]:
    journal = Journal.open(address)
    yield journal
    journal.close()


@pytest.fixture
def calendar() -> FakeCalendar:
    return FakeCalendar()


@pytest.fixture
def session(address: str, calendar: FakeCalendar) -> Iterator[Session]:
    journal = Journal.open(address, clock=calendar)
    yield Session(journal, lambda frame: b"picture %d" % frame.number, now_utc=calendar)
    journal.close()
