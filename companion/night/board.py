"""What the pages read and what the eyes tell: journal and live picture, kept as one snapshot.

One lock guards what changes; a snapshot is handed out without it, so that no reader ever waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from companion.errors import JournalError
from companion.night import followups
from companion.night.events import TABLE_SET
from companion.night.journal import Journal, utc_now
from companion.night.ledger import Ledger
from companion.night.live import Live
from companion.night.picture import LivePicture
from companion.night.show import snapshot_of
from companion.night.state import NightState, Plan
from companion.night.tables import plan_all_zones, plan_bumped
from companion.night.values import CameraNow, Snapshot, TableNow
from companion.table.scene import Scene
from companion.table.values import TableEvent, Zones
from companion.vision.move import Move
from companion.vision.values import Frame, Look, TableView

LOOK_ROUND_S = 1.0
"""How often a waiting page looks whether another program wrote to the same journal."""


class Board:
    """The mutable part of a session.

    Args:
        journal: where everything is kept; its events are read at birth.
        encode: packs a frame as JPEG for the journal; None keeps no pictures.
        live: the live picture that the pages fetch; None: there is none.
        now_utc: the wall clock, for claims tapped twice.
    """

    def __init__(
        self,
        journal: Journal,
        encode: Callable[[Frame], bytes] | None = None,
        live: LivePicture | None = None,
        *,
        now_utc: Callable[[], datetime] = utc_now,
    ) -> None:
        self._now_utc = now_utc
        self._lock = threading.RLock()
        self._news = threading.Condition()
        self._live_picture = live
        self._live, self._live_id = Live(encode), 0
        self._camera_table: TableNow | None = None
        self._tap_shows = True
        self._ledger = Ledger(journal)
        self._looked_round_at_s = time.monotonic()
        self._journal_ails = False
        self._snapshot = Snapshot()
        self._publish()

    def look_nearer_with(self, look: Callable[[Frame, TableView], TableView]) -> None:
        """Give the eyes that look once more, from nearer, at cards that are to be counted."""
        with self._lock:
            self._live.nearer = look

    def snapshot(self) -> Snapshot:
        """Everything a page shows now; the same object until something changes."""
        return self._snapshot

    def wait(
        self, after_id: int, timeout_s: float, after_live_id: int | None = None
    ) -> Snapshot | None:
        """Wait for news: an event after ``after_id``, or a live change after ``after_live_id``.

        With ``after_live_id`` None live changes do not count. None after ``timeout_s`` seconds.
        """

        def fresh() -> bool:
            now = self._snapshot
            lively = after_live_id is not None and now.live_id > after_live_id
            return now.id > after_id or lively

        ends_at_s = time.monotonic() + timeout_s
        while not fresh():
            left_s = ends_at_s - time.monotonic()
            if left_s <= 0:
                return None
            with self._news:
                self._news.wait_for(fresh, min(left_s, LOOK_ROUND_S))
            self._look_round()
        return self._snapshot

    def picture(self, sha256: str) -> bytes:
        """The JPEG of a picture in the journal.

        Raises:
            NotFound: there is none of that name.
        """
        return self._ledger.journal.picture(sha256)

    def live_jpeg(self) -> tuple[int, bytes] | None:
        """Number and JPEG of the newest picture, without drawings; None without a camera."""
        return None if self._live_picture is None else self._live_picture.jpeg()

    def saw(
        self, look: Look, events: Sequence[TableEvent] = (), scene: Scene | None = None
    ) -> None:
        """Take in what the eyes saw: drawn at once; events go to the journal with pictures.

        Args:
            look: the newest look at the table.
            events: what happened since the look before.
            scene: the settled view as the game sees it, None while nothing new has settled.
        """
        with self._lock:
            for plan in self._live.plans(self._ledger.state, look, events, scene):
                self._ledger.write(plan)
            other_table = self._live.saw(look, events, scene)
            self._live.looks_at_tray(self.zones(), self._ledger.state.last_id)
            if other_table:
                for plan in followups.plans(self._ledger.state, self._live):
                    self._ledger.write(plan)
                self._camera_table, self._tap_shows = self._live.table(), False
            if self._live.draws(look, self.zones()) or other_table or events:
                self._publish(live=True)

    def camera_is(self, camera: CameraNow) -> None:
        """Say how the camera is doing; nothing is said where nothing changed."""
        with self._lock:
            if camera != self._live.camera:
                self._live.camera = camera
                self._publish(live=True)

    def trouble_is(self, reason: str) -> None:
        """Say what is wrong with the eyes, or that all is well (empty)."""
        with self._lock:
            if reason != self._live.trouble:
                self._live.trouble = reason
                self._publish(live=True)

    def bumped(self, move: Move) -> None:
        """Write down that the camera was bumped, so that zones set by hand move along for good."""
        with self._lock:
            if self._ledger.state.zones != Zones():
                self._ledger.write(plan_bumped(move))
                self._publish()

    def zones_guessed(self, zones: Zones, note: str = "") -> None:
        """Say where deck and players' places seem to lie; zones set by hand come first.

        Args:
            zones: as guessed.
            note: what people should know about the zones, one line, or nothing.
        """
        with self._lock:
            if (zones, note) != (self._live.guessed, self._live.zones_note):
                self._live.guessed, self._live.zones_note = zones, note
                self._publish(live=True)

    def refuse_guess(self, name: str) -> None:
        """Say that a guessed zone is none; of a player's place no other is guessed there."""
        with self._lock:
            if name in dict(self._live.guessed.named()):
                self._live.refused.add(name)
                self._live.guessed = self._live.guessed.put(name, None)
                self._publish(live=True)

    def take_refused(self) -> set[str]:
        """The guesses that were refused since this was asked last."""
        with self._lock:
            refused, self._live.refused = self._live.refused, set()
            return refused

    def people(self) -> int:
        """How many people play in the match that runs; 0 where none does."""
        match = self._ledger.state.match
        return 0 if match is None or match.ended is not None else len(match.players)

    def zones_taken_up(self, zones: Zones) -> None:
        """Set all zones as the table's profile has them; one step, which can be taken back."""
        with self._lock:
            plan = plan_all_zones(self._ledger.state, zones)
            if plan is not None:
                self._ledger.write(plan)
                self._publish()

    def zones_by_hand(self) -> Zones:
        """The zones as set by hand; None where they are to be guessed."""
        return self._ledger.state.zones

    def zones(self) -> Zones:
        """The zones in force: as set by hand, else as guessed from what was seen."""
        return self._live.zones(self._ledger.state.zones)

    def _do(self, plan_for: Callable[[NightState], Plan | None]) -> Snapshot:
        """Check, write, show; a plan of None means that there is nothing new to write."""
        with self._lock:
            news = self._ledger.catch_up()
            try:
                plan = plan_for(self._ledger.state)
                if plan is not None:
                    self._ledger.write(plan)
                    self._tap_shows |= plan.kind == TABLE_SET
                    news = True
            finally:
                if news:
                    self._publish()
            return self._snapshot

    def _publish(self, live: bool = False) -> None:
        """Make a new snapshot and wake who waits for it."""
        self._live_id += live
        snapshot = snapshot_of(self._ledger, self._live, self._table(), self._live_id)
        with self._news:
            self._snapshot = snapshot
            self._news.notify_all()

    def _table(self) -> TableNow | None:
        """The table in force: the newer of the one tapped in and the one the camera settled on."""
        tapped = self._ledger.state.tapped
        return tapped if self._tap_shows and tapped is not None else self._camera_table

    def _look_round(self) -> None:
        """Take in what another program wrote to the same journal, now and then."""
        with self._lock:
            now_s = time.monotonic()
            if now_s - self._looked_round_at_s >= LOOK_ROUND_S:
                self._looked_round_at_s = now_s
                try:
                    news = self._ledger.catch_up()
                except JournalError as error:
                    self._journal_ails = True
                    self.trouble_is(str(error))
                else:
                    if self._journal_ails:
                        self._journal_ails = False
                        self.trouble_is("")
                    if news:
                        self._publish()
