"""The journal: append-only events and their pictures in a database, through SQLAlchemy.

An event is handed back only after it is safe on disk, together with its pictures. SQLite runs
with a write-ahead log and ``synchronous=FULL``; any other SQLAlchemy address works by setting.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.pool import StaticPool

from companion.errors import JournalError, NotFound
from companion.night.events import Event, picture_name

SCHEMA_VERSION = 1
"""Version of the tables; a database of a newer one is refused."""

WAL_PAUSE_S = 0.02
"""Rest between two tries to switch a database on that another program is just switching."""

_METADATA = sa.MetaData()
_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_EVENTS = sa.Table(
    "events",
    _METADATA,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("at_utc", sa.String(40), nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)
_PICTURES = sa.Table(
    "pictures",
    _METADATA,
    sa.Column("sha256", sa.String(64), primary_key=True),
    sa.Column("media_type", sa.String(40), nullable=False),
    sa.Column("jpeg", sa.LargeBinary(2**24 - 1), nullable=False),
)
_META = sa.Table(
    "meta",
    _METADATA,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
_WRITING = {"companion_writes": True}


def utc_now() -> datetime:
    """The clock of a journal unless another is given."""
    return datetime.now(UTC)


class Journal:
    """An open journal; its methods may be called from any thread.

    >>> journal = Journal.open("sqlite://")
    >>> journal.append("zones set", {"deck": None}).id, journal.append("seen", {}).id
    (1, 2)
    >>> [event.kind for event in journal.events(after=1)]
    ['seen']
    >>> journal.close()
    """

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls, url: str, clock: Callable[[], datetime] = utc_now, busy_timeout_s: float = 5.0
    ) -> Journal:
        """Open the database at a SQLAlchemy address, making it where there is none.

        Raises:
            JournalError: locked, damaged, of a newer schema, something else's, or out of reach.
        """
        engine = _engine(url, busy_timeout_s)
        journal = cls(engine, clock)
        try:
            with journal._transaction("open", writes=True) as connection:
                _prepare(connection, engine.url)
        except JournalError:
            engine.dispose()
            raise
        return journal

    def append(
        self, kind: str, payload: Mapping[str, Any], pictures: Sequence[bytes] = ()
    ) -> Event:
        """Write one event with its JPEGs in one transaction; handed back once it is on disk.

        Raises:
            JournalError: it could not be written; nothing of it was.
        """
        at = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
        text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        row = {"at_utc": at, "kind": kind, "payload": text}
        with self._transaction("write to", writes=True) as connection:
            for jpeg in pictures:
                _insert_picture(connection, jpeg)
            result = connection.execute(_EVENTS.insert().values(row))
            assert result.inserted_primary_key is not None
            number = int(result.inserted_primary_key[0])
        return Event(id=number, at=at, kind=kind, payload=json.loads(text))

    def events(self, after: int = 0) -> list[Event]:
        """The events with a number above ``after``, oldest first.

        Raises:
            JournalError: the database cannot be read, or holds what is no JSON object.
        """
        query = sa.select(_EVENTS).where(_EVENTS.c.id > after).order_by(_EVENTS.c.id)
        with self._transaction("read") as connection:
            rows = connection.execute(query).all()
        return [Event(row.id, row.at_utc, row.kind, _payload(row.id, row.payload)) for row in rows]

    def picture(self, sha256: str) -> bytes:
        """The JPEG of that name.

        Raises:
            NotFound: the journal holds no such picture.
            JournalError: the database cannot be read.
        """
        query = sa.select(_PICTURES.c.jpeg).where(_PICTURES.c.sha256 == sha256)
        with self._transaction("read") as connection:
            jpeg = connection.execute(query).scalar_one_or_none()
        if jpeg is None:
            raise NotFound("the journal holds no picture %(name)r", name=sha256[:80])
        return bytes(jpeg)

    def close(self) -> None:
        """Let go of the database; what was appended stays."""
        with self._lock:
            self._engine.dispose()

    @contextmanager
    def _transaction(self, what: str, writes: bool = False) -> Iterator[Connection]:
        try:
            with self._lock, self._engine.connect() as plain:
                connection = plain.execution_options(**_WRITING) if writes else plain
                with connection.begin():
                    yield connection
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise JournalError(_explain(what, self._engine.url, error)) from error


def _engine(url: str, busy_timeout_s: float) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() != "sqlite":
            return sa.create_engine(parsed, pool_pre_ping=True)
        in_memory = parsed.database in (None, "", ":memory:")
        if not in_memory:
            Path(str(parsed.database)).expanduser().parent.mkdir(parents=True, exist_ok=True)
        timeout = {"timeout": busy_timeout_s, "check_same_thread": False}
        pool: dict[str, Any] = {"poolclass": StaticPool} if in_memory else {}
        engine = sa.create_engine(parsed, connect_args=timeout, **pool)
    except sa.exc.ArgumentError as error:
        raise JournalError(
            f"database {url!r}: wanted a SQLAlchemy address such as sqlite:////folder/night.db"
        ) from error
    except ImportError as error:
        raise JournalError(f"database {_shown(parsed)}: its driver is missing ({error})") from error
    except OSError as error:
        raise JournalError(f"database {_shown(parsed)}: its folder: {error.strerror}") from error
    sa.event.listen(engine, "connect", lambda raw, _record: _set_pragmas(raw, busy_timeout_s))
    sa.event.listen(engine, "begin", _begin)
    return engine


def _set_pragmas(connection: Any, busy_timeout_s: float) -> None:
    # The driver must not open transactions by itself: _begin says which kind is wanted.
    connection.isolation_level = None
    cursor = connection.cursor()
    _use_write_ahead_log(cursor, busy_timeout_s)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _use_write_ahead_log(cursor: Any, busy_timeout_s: float) -> None:
    # SQLite does not wait here, whatever timeout is set, where two programs open a new database
    # at once: so the waiting is done by us.
    give_up_at_s = time.monotonic() + busy_timeout_s
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= give_up_at_s:
                raise
            time.sleep(WAL_PAUSE_S)


def _begin(connection: Connection) -> None:
    # Taking the write lock at once keeps two processes from both reading first and then failing.
    writes = connection.get_execution_options().get("companion_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare(connection: Connection, url: URL) -> None:
    names = set(sa.inspect(connection).get_table_names())
    if "meta" not in names and names & {"events", "pictures"}:
        raise JournalError(f"database {_shown(url)}: wanted a journal of ours, it holds another's")
    _METADATA.create_all(connection)
    query = sa.select(_META.c.value).where(_META.c.name == "schema")
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        connection.execute(_META.insert().values(name="schema", value=str(SCHEMA_VERSION)))
    elif not found.isdigit() or int(found) > SCHEMA_VERSION:
        raise JournalError(
            f"database {_shown(url)} has schema {found}; this companion knows up to "
            f"{SCHEMA_VERSION}: update it, or choose another database"
        )


def _insert_picture(connection: Connection, jpeg: bytes) -> None:
    name = picture_name(jpeg)
    known = sa.select(_PICTURES.c.sha256).where(_PICTURES.c.sha256 == name)
    if connection.execute(known).first() is None:
        row = {"sha256": name, "media_type": "image/jpeg", "jpeg": jpeg}
        connection.execute(_PICTURES.insert().values(row))


def _payload(id: int, text: str) -> Mapping[str, Any]:
    try:
        payload = json.loads(text)
    except ValueError as error:
        raise JournalError(f"event {id} of the journal is damaged: wanted JSON") from error
    if not isinstance(payload, dict):
        raise JournalError(f"event {id} of the journal is damaged: wanted a JSON object")
    return payload


def _shown(url: URL) -> str:
    return (
        url.database or "in memory"
        if url.get_backend_name() == "sqlite"
        else url.render_as_string()
    )


def _explain(what: str, url: URL, error: Exception) -> str:
    cause = str(getattr(error, "orig", None) or error).splitlines()[0]
    where = f"database {_shown(url)}"
    if "locked" in cause or "busy" in cause:
        return f"{where} is locked by another program: close it and try again"
    if "not a database" in cause or "malformed" in cause:
        return f"{where} is damaged or no database: move it away, or choose another"
    if "unable to open" in cause or "readonly" in cause:
        return f"{where} cannot be written: wanted a folder and a file that may be written"
    return f"cannot {what} {where}: {cause}"
