"""What the night hands to the page: one frozen Snapshot, and everything inside it.

Cards are texts here (``R5``, ``R5?O5``): a page prints them without knowing the rooms below.
Places on a picture are quads in fractions (0-1) of its width and height.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from companion.night.claim_values import Asking, PlaySeen
from companion.night.count_values import NO_BOOKS, NOTHING_LEFT
from companion.night.count_values import ON_TABLE as ON_TABLE
from companion.night.count_values import Batch as Batch
from companion.night.count_values import BooksNow as BooksNow
from companion.night.count_values import CountedCard as CountedCard
from companion.night.count_values import Holder as Holder
from companion.night.count_values import Perhaps as Perhaps
from companion.night.count_values import PlayerCount as PlayerCount
from companion.night.count_values import RoundResult as RoundResult
from companion.night.count_values import SeenTwice as SeenTwice
from companion.rules.sums import Sum
from companion.rules.verdict import Verdict
from companion.table.evidence import Declaration
from companion.table.story import Story
from companion.table.values import Zones
from companion.vision.values import Quad, TableState


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card as it was seen in a picture, or given by tap.

    Attributes:
        text: the reading, best first where doubtful (``R5``, ``R5?O5``, ``?``).
        sure: whether the best may be used without asking.
        place: ``table``, ``deck`` or ``other`` (outside both zones).
        quad: four corners in fractions of the picture; None for a card given by tap.
        alternatives: (card text, probability), best first, the best included.
        found: probability that a card is there at all; kept for the evidence of claims.
    """

    text: str
    sure: bool
    place: str = "table"
    quad: Quad | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    found: float = 1.0


@dataclass(frozen=True, slots=True)
class CameraNow:
    """How the camera is doing.

    Attributes:
        wanted: whether this night has a camera at all; False means everything goes by tap.
        ok: whether pictures come in.
        source: what is looked at (``0``, an address, a file); empty without one.
        reason: one line for people, empty when all is well.
    """

    wanted: bool = False
    ok: bool = False
    source: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LivePictureNow:
    """What the newest picture shows: for drawing only, never scored, never journaled.

    Attributes:
        state: how the table looks now; ``state.value`` is the word for people.
        reason: one line for people, empty when all is well.
        for_s: for how long the state has held, in seconds, when this was made.
        picture: number of the frame, None before the first.
        sightings: every card in the picture, outlined and named.
    """

    state: TableState = TableState.NO_CAMERA
    reason: str = ""
    for_s: float = 0.0
    picture: int | None = None
    width_px: int = 0
    height_px: int = 0
    sightings: tuple[SeenCard, ...] = ()


@dataclass(frozen=True, slots=True)
class TableNow:
    """The table as it counts now: settled by the camera, or entered by tap.

    Attributes:
        source: ``camera``, ``tap``, or empty before anything is known.
        cards: the cards to play with.
        target: what the deck's top card shows (rule T2), None while unknown.
        target_text: the target's reading (``#9``, ``#8?#9``), empty while unknown.
        deck_gone: whether the deck is used up, so that the target is 7 for good.
        sums: the sums possible now, best points first; doubtful cards by their best reading.
        sums_sure: False where a doubtful card or target stands in them.
    """

    source: str = ""
    cards: tuple[SeenCard, ...] = ()
    target: int | None = None
    target_text: str = ""
    deck_gone: bool = False
    sums: tuple[Sum, ...] = ()
    sums_sure: bool = True


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """One thing that happened on the table, as the journal holds it.

    Attributes:
        id: number in the journal.
        at: UTC time in ISO 8601.
        kind: ``laid``, ``taken``, ``target``, ``deck gone`` or ``cleared``.
        text: the event in words (``G5 laid``).
        picture_before: sha256 of the still picture before, None without one.
        picture_after: sha256 of the still picture after, None without one.
    """

    id: int
    at: str
    kind: str
    text: str
    cards: tuple[str, ...] = ()
    target_before: int | None = None
    target_after: int | None = None
    picture_before: str | None = None
    picture_after: str | None = None


Declared: TypeAlias = Declaration
"""What a player declared: hand card, cards taken, TWEAK said, T! card played, words spoken."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was told about a claim since, and the verdict that follows; the first one stays.

    Attributes:
        id: number in the journal.
        table: the table cards as they are taken to be now, empty texts for cards not there.
        target: the target as it is taken to be.
        by: ``players``, or ``camera`` where a later still picture showed what was asked for.
        question: what is still asked, None when it is sure.
        told: for each table card, what was told of it (empty: not there), None where nothing.
        retyped: whether the players told the whole table anew.
        picture: sha256 of the picture that showed it, None for the players'.
        seen: the reading that decided, empty for the players'.
        step: the step of the story in which it was shown, None where nothing was laid for it.
    """

    id: int
    at: str
    declared: Declared
    table: tuple[str, ...]
    target: int | None
    deck_gone: bool
    verdict: Verdict
    by: str = "players"
    question: Asking | None = None
    told: tuple[str | None, ...] = ()
    retyped: bool = False
    picture: str | None = None
    seen: str = ""
    step: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """One claim: who, when, what was said, what was seen, what follows (never rewritten).

    Attributes:
        id: number in the journal.
        player: who claims; whose play is doubted, empty where nobody knows.
        evidence: ``camera`` (judged over all plausible readings) or ``tap``.
        table: the table cards at the moment of the sum.
        target_text: the target's reading then.
        verdict: the first verdict; :attr:`ruling` is the one in force.
        question: what the referee asked first; :attr:`asking` is the question in force.
        picture: sha256 of the evidence picture, None for a claim by tap.
        picture_after: sha256 of the first still picture afterwards, None until there is one.
        corrections: what was told since, oldest first.
        play: the play that is doubted, as it was known at the tap; None for a claim.
        play_seen: the same once it was over, where it was doubted before.
        deck: the reading of the deck's top card, None where none was seen.
        after: the cards in ``picture_after``, as far as they were seen when it was judged.
        size_px: width and height of the picture that the quads were found in, in pixels.
    """

    id: int
    at: str
    player: str
    declared: Declared
    evidence: str
    table: tuple[SeenCard, ...]
    target: int | None
    target_text: str
    deck_gone: bool
    verdict: Verdict
    picture: str | None = None
    picture_after: str | None = None
    corrections: tuple[Correction, ...] = ()
    question: Asking | None = None
    play: PlaySeen | None = None
    deck: SeenCard | None = None
    after: tuple[SeenCard, ...] = ()
    size_px: tuple[int, int] = (0, 0)
    play_seen: PlaySeen | None = None

    @property
    def ruling(self) -> Verdict:
        """The verdict in force: of what was told last, else the first."""
        return self.corrections[-1].verdict if self.corrections else self.verdict

    @property
    def asking(self) -> Asking | None:
        """The question in force, None when the verdict is sure."""
        return self.corrections[-1].question if self.corrections else self.question

    @property
    def ask(self) -> str:
        """The question in force in English, empty when the verdict is sure."""
        return "" if self.asking is None else str(self.asking)

    @property
    def said(self) -> Declared:
        """What was declared, as told last."""
        return self.corrections[-1].declared if self.corrections else self.declared


@dataclass(frozen=True, slots=True)
class MatchNow:
    """One match: its rules, its rounds, and how it stands (rule M1).

    Attributes:
        id: number in the journal of its start.
        players: in the order of the seats, clockwise.
        edition: ``65`` or ``72``.
        colours: colours in play, by name; red is always among them.
        house: house rules that differ from their defaults, by name.
        dealer: who deals the round that is played now (rule S3).
        round_number: the round that is played now, from 1.
        counting: one for each player, of the round that is played now.
        left: the cards that are left on the table in that round (rule E2).
        books: how that round adds up so far.
        lost: the cards of its deck that the players said are lost, and did not find since.
        totals, to_go: one for each player; ``to_go`` is never below 0.
        over: whether the threshold was reached and the match is decided.
        extra_round: whether a tie at the top asks for one more round (rule D1).
        ended: UTC time at which the players ended it, None while it runs.
    """

    id: int
    at: str
    players: tuple[str, ...]
    edition: str
    colours: tuple[str, ...]
    threshold: int
    tie: str
    dealer: str
    round_number: int
    rounds: tuple[RoundResult, ...]
    counting: tuple[PlayerCount, ...]
    totals: tuple[int, ...]
    to_go: tuple[int, ...]
    over: bool
    winners: tuple[str, ...]
    extra_round: bool
    house: tuple[tuple[str, str], ...] = ()
    ended: str | None = None
    left: PlayerCount = NOTHING_LEFT
    books: BooksNow = NO_BOOKS
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match of the night, in a line of a list."""

    id: int
    at: str
    players: tuple[str, ...]
    edition: str
    rounds: int
    totals: tuple[int, ...]
    winners: tuple[str, ...]
    over: bool
    ended: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A command that ``undo`` would take back, or ``redo`` would bring again.

    Attributes:
        id: number in the journal.
        kind: one of the kinds of :mod:`companion.night.events`.
        text: the command in words (``claim by Ann``, ``round 2 closed``).
        template: the same for translation; ``text == template % dict(values)``.
    """

    id: int
    kind: str
    text: str
    template: str = ""
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a page shows, at one moment; cheap to hand out, never changed.

    Attributes:
        id: number of the journal's last event: the id of the server-sent event stream.
        live_id: counts the changes of what is not journaled (``live``, ``camera``, ``trouble``).
        zones_note: what people should know about the zones, one line; empty where all is well.
        events: what happened on the table lately, newest first.
        story: what happened in this round as the law tells it, with the running score.
        claims: of the match that runs (or ran last), newest first.
        match: the match that runs, or ran last; None before the first.
        earlier: the matches before that one, newest first.
        tray_full: whether counted cards lie in the tray, which must be seen clear before the next.
        matches: every match in the journal, newest first.
        trouble: one line naming what is wrong with eyes or camera, empty when all is well.
        oddities: one line for each event of the journal that could not be understood.
    """

    id: int = 0
    live_id: int = 0
    camera: CameraNow = field(default_factory=CameraNow)
    live: LivePictureNow = field(default_factory=LivePictureNow)
    table: TableNow = field(default_factory=TableNow)
    zones: Zones = field(default_factory=Zones)
    zones_note: str = ""
    events: tuple[SeenEvent, ...] = ()
    story: Story = field(default_factory=Story)
    claims: tuple[ClaimRecord, ...] = ()
    match: MatchNow | None = None
    earlier: tuple[MatchNow, ...] = ()
    tray_full: bool = False
    matches: tuple[MatchLine, ...] = ()
    undo: Step | None = None
    redo: Step | None = None
    trouble: str = ""
    oddities: tuple[str, ...] = ()
