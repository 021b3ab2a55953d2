"""Plays a made clip through the very watcher and session of a live night, as fast as it can.

The clip's own clock is the only one: every frame that a camera's watcher would have looked at is
looked at, every claim is tapped at its time, and what the page then shows is noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import perf_counter

from companion.errors import BadClaim
from companion.night.journal import Journal
from companion.night.round_files import CLIP, RoundFiles, TimedEvent, TrueClaim
from companion.night.session import Session
from companion.night.watch import Health, Watch
from companion.settings import Settings
from companion.vision.pipeline import Eyes
from companion.vision.playback import recorded_frames
from companion.vision.values import Frame

_EVENING = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the page said to a claim.

    Attributes:
        verdict: ``legal``, ``illegal``, ``unclear``, or ``refused`` with an error instead.
        wins_tweak: whether it wins a T! card.
        text: the reason, the question or the error.
        table: the table cards and the target that it was judged on, as read.
    """

    verdict: str
    wins_tweak: bool
    text: str
    table: str


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a clip.

    Attributes:
        events: table events as they came up on the page.
        answers: to the clip's claims, in their order.
        targets: the target on the page at each of the clip's true tables.
        tables: the table cards on the page then.
        took_s: how long playing it took here.
    """

    events: tuple[TimedEvent, ...]
    answers: tuple[Answer, ...]
    targets: tuple[int | None, ...]
    tables: tuple[tuple[str, ...], ...]
    took_s: float


@dataclass(frozen=True, slots=True)
class _Well:
    ok: bool = True
    reason: str = ""


class _Projector:
    """A camera that shows a clip's frames one by one, when it is told to."""

    def __init__(self) -> None:
        self.frame: Frame | None = None

    def wait_newer(self, number: int, timeout_s: float = 1.0) -> Frame | None:
        return self.frame

    def health(self) -> Health:
        return _Well()


class _Table:
    """One clip's session and watcher, and what is noted of them."""

    def __init__(self, clip: RoundFiles, journal: Journal, lens: _Projector) -> None:
        self._clip, self._lens = clip, lens
        self.session = Session(journal, now_utc=self.now_utc)
        self.events: list[TimedEvent] = []
        self._newest = 0

    @property
    def now_s(self) -> float:
        """The clip's clock."""
        return self._lens.frame.taken_at_s if self._lens.frame else 0.0

    def now_utc(self) -> datetime:
        """The clip's clock as a time of day."""
        return _EVENING + timedelta(seconds=self.now_s)

    def begin(self, with_zones: bool) -> None:
        """What the players tap in before they begin."""
        clip, session = self._clip, self.session
        session.start_match(clip.players, clip.edition, clip.colours)
        if with_zones:
            session.set_zones(clip.zones.deck, clip.zones.table)

    def note(self) -> None:
        """Note the events that came up since the last time."""
        seen = self.session.snapshot().events
        new = [event for event in seen if event.id > self._newest]
        self._newest = max((event.id for event in seen), default=0)
        self.events += [TimedEvent(self.now_s, event.text) for event in reversed(new)]

    def claim(self, claim: TrueClaim) -> Answer:
        """Tap a claim, and read the page's answer."""
        said = claim.declared
        try:
            now = self.session.claim(
                claim.player,
                said.hand,
                said.taken,
                said_tweak=said.said_tweak,
                tweak=said.tweak,
                spoken=said.spoken,
            )
        except BadClaim as error:
            table = self.session.snapshot().table
            lay = " ".join(card.text for card in table.cards)
            return Answer("refused", False, str(error), f"{lay} {table.target_text}")
        record = now.claims[0]
        verdict = record.ruling
        lay = " ".join(card.text for card in record.table)
        return Answer(
            verdict.ruling.value,
            verdict.wins_tweak,
            record.ask or verdict.reason,
            f"{lay} {record.target_text}{' deck gone' if record.deck_gone else ''}",
        )


def play_round(clip: RoundFiles, eyes: Eyes, settings: Settings, with_zones: bool) -> Played:
    """Play one clip to its end.

    Args:
        clip: the clip with its claims.
        eyes: what sees the cards.
        settings: how often to look, how many still frames are wanted.
        with_zones: whether somebody has put the zones right before, else they are guessed.

    Raises:
        BadPicture: the clip can't be decoded.
    """
    began_s = perf_counter()
    lens = _Projector()
    answers: list[Answer] = []
    targets: list[int | None] = []
    tables: list[tuple[str, ...]] = []
    claims, wanted = list(clip.claims), list(clip.tables)
    with closing(Journal.open("sqlite://")) as journal:
        table = _Table(clip, journal, lens)
        table.begin(with_zones)
        watch = Watch(table.session, lens, eyes, settings, clock=lambda: table.now_s)
        for frame in _looked_at(clip, settings.looks_per_s):
            while claims and claims[0].at_s < frame.taken_at_s:
                answers.append(table.claim(claims.pop(0)))
            while wanted and wanted[0].at_s < frame.taken_at_s:
                wanted.pop(0)
                now = table.session.snapshot().table
                targets.append(now.target)
                tables.append(tuple(card.text for card in now.cards))
            lens.frame = frame
            watch.step()
            table.note()
        answers += [table.claim(claim) for claim in claims]
        now = table.session.snapshot().table
        for _ in wanted:
            targets.append(now.target)
            tables.append(tuple(card.text for card in now.cards))
        events = tuple(table.events)
    took_s = perf_counter() - began_s
    return Played(events, tuple(answers), tuple(targets), tuple(tables), took_s)


def _looked_at(clip: RoundFiles, looks_per_s: float) -> Iterator[Frame]:
    """The frames that a watcher looks at, at its own pace."""
    due_s = 0.0
    for frame in recorded_frames(clip.folder / CLIP):
        if frame.taken_at_s + 1e-9 >= due_s:
            due_s = max(due_s, frame.taken_at_s) + 1.0 / looks_per_s - 1e-6
            yield frame
