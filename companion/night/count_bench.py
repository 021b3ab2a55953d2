"""The bench of counting: made pictures of whole rounds, through the eyes, the tray and the books.

Every round is counted in a night of its own, as at a table: batch by batch, the tray seen clear in
between, then what the page asks is answered truthfully, every count confirmed, the round closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any

from companion.errors import BadInput
from companion.night.count_files import TruePile, TrueRound, load_rounds
from companion.night.count_taps import Answering
from companion.night.journal import Journal
from companion.night.session import Session
from companion.night.values import MatchNow
from companion.table.values import Zones
from companion.table.zones import split
from companion.vision.bench_settled import settled_view
from companion.vision.pictures import read_image
from companion.vision.pipeline import Eyes
from companion.vision.values import Frame, Look, TableState, TableView
from companion.vision.wary import LooksNearer


@dataclass(frozen=True, slots=True)
class CountScore:
    """How one round was counted.

    Attributes:
        number: of the round.
        players: how many there were.
        cards: how many cards were in the pictures.
        right_untapped: whether all points were right before anybody tapped, nothing in doubt.
        asked: whether anything was asked or named.
        right: whether all points were right in the end.
        taps: how often the players tapped to answer.
        kinds: how many counted cards were right, wrong, in doubt; settled right and wrong.
        note: what went wrong, empty where nothing did.
    """

    number: int
    players: int
    cards: int
    right_untapped: bool
    asked: bool
    right: bool
    taps: int
    kinds: Counter[str]
    note: str = ""

    @property
    def silent(self) -> bool:
        """Whether it was wrong and nothing said so."""
        return not self.right_untapped and not self.asked


@dataclass(frozen=True, slots=True)
class CountReport:
    """All rounds of a bench."""

    rounds: tuple[CountScore, ...]
    frames: str
    took_s: float

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for every round that came out wrong."""
        return tuple(one.note for one in self.rounds if one.note)

    def to_json(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        taps = sorted(one.taps for one in self.rounds)
        kinds: Counter[str] = sum((one.kinds for one in self.rounds), Counter())
        return {
            "rounds": len(self.rounds),
            "frames": self.frames,
            "cards": sum(one.cards for one in self.rounds),
            "right_without_a_tap": round(mean(one.right_untapped for one in self.rounds), 4),
            "right_with_taps": round(mean(one.right for one in self.rounds), 4),
            "taps_median": median(taps),
            "taps_mean": round(mean(taps), 2),
            "taps_nine_in_ten": taps[int(0.9 * (len(taps) - 1))],
            "wrong_and_silent": sum(one.silent for one in self.rounds),
            "counted": dict(sorted(kinds.items())),
            "took_s": round(self.took_s, 1),
            "misses": list(self.notes),
        }

    def table(self) -> str:
        """The figures for people."""
        found = self.to_json()
        by_players = [_by_players(self.rounds, players) for players in range(2, 7)]
        counted = ", ".join(f"{name} {count}" for name, count in found["counted"].items())
        return "\n".join(
            (
                f"{found['rounds']} rounds, {found['cards']} cards; {found['frames']}",
                f"exactly right without a tap: {found['right_without_a_tap']:.3f}",
                f"exactly right with the taps asked for: {found['right_with_taps']:.3f}; "
                f"taps a round: median {found['taps_median']:g}, mean {found['taps_mean']:.1f}, "
                f"nine in ten at most {found['taps_nine_in_ten']}",
                f"wrong and silent: {found['wrong_and_silent']} of {found['rounds']}",
                f"cards as counted: {counted}",
                *(line for line in by_players if line),
                f"took {found['took_s']:.0f} s here",
            )
        )


def run_counting(
    folder: Path,
    eyes: Eyes,
    *,
    settled: bool = True,
    at_most: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CountReport:
    """Count every round of a folder.

    Args:
        folder: as ``python -m datasets.workshop counting`` leaves it.
        eyes: what looks.
        settled: ten unquiet frames of each picture through the settler, as at a table; else one.
        at_most: only so many rounds.
        progress: is told how many rounds are done, and of how many.

    Raises:
        NotFound: the folder holds no rounds.
        BadInput: they cannot be read, or there are none.
    """
    rounds = load_rounds(folder)[:at_most]
    if not rounds:
        raise BadInput(f"{folder} holds no round")
    began_s, scores = perf_counter(), []
    for done, truth in enumerate(rounds, start=1):
        scores.append(count_round(truth, eyes, settled))
        if progress is not None:
            progress(done, len(rounds))
    how = "ten frames a picture, settled" if settled else "one frame a picture"
    return CountReport(tuple(scores), how, perf_counter() - began_s)


def count_round(truth: TrueRound, eyes: Eyes, settled: bool) -> CountScore:
    """Count one round in a night of its own."""
    journal = Journal.open("sqlite://")
    try:
        night = Session(journal)
        night.start_match(truth.players, truth.edition, truth.colours)
        if isinstance(eyes, LooksNearer):
            night.look_nearer_with(eyes.look_nearer)
        players = Answering(night, truth)
        batches = [(pile, place) for pile in truth.piles for place in range(len(pile.pictures))]
        for number, (pile, place) in enumerate(batches):
            noise = 100 * truth.number + number if settled else None
            seen = _sights(pile.pictures[place].path, eyes, noise)
            _take(night, players, (pile, place), seen, number)
        return _score(night, players)
    finally:
        journal.close()


_Seen = tuple[Frame, TableView]


def _sights(path: Path, eyes: Eyes, noise: int | None) -> _Seen:
    frame = Frame(read_image(path), taken_at_s=0.0)
    return frame, eyes.see(frame) if noise is None else settled_view(eyes, frame.bgr, noise)


def _take(
    night: Session, players: Answering, batch: tuple[TruePile, int], seen: _Seen, number: int
) -> None:
    """Clear the tray, lay one batch there, count it."""
    (pile, place), (frame, seen_now) = batch, seen
    sightings = seen_now.sightings
    size_px = (frame.width_px, frame.height_px)
    for step, shown in ((0, ()), (1, sightings)):
        at_s = 10.0 * number + step
        now = Frame(frame.bgr, at_s, 2 * number + step)
        view = TableView(shown, at_s, now.number, *size_px, seen_now.faint if shown else ())
        state = TableState.STILL if shown else TableState.CLEARED
        night.saw(Look(state, at_s, view, view, now, now), (), split(view, Zones()))
    if sightings:
        try:
            night.add_batch(pile.player)
        except BadInput:
            return  # nothing among it that can be counted: the cards will be missing
        players.learn(pile, pile.pictures[place], size_px)


def _score(night: Session, players: Answering) -> CountScore:
    truth, before = players.truth, _match(night)
    untapped = tuple(count.points for count in before.counting) == truth.points
    untapped &= not any(count.doubtful for count in before.counting)
    untapped &= all(twice.settled for twice in before.books.twice)
    asked, kinds = players.asks, _kinds(before, players)
    taps, note = players.answer_all(), ""
    try:
        points = _match(night, closed=True).rounds[-1].points
    except BadInput as error:
        points, note = tuple(count.points for count in _match(night).counting), f"; {error}"
    right = points == truth.points and not note
    if not right or not (untapped or asked):
        names = zip(truth.players, points, truth.points, strict=True)
        told = ", ".join(f"{name} {got} for {true}" for name, got, true in names if got != true)
        note = f"round {truth.number}: {told or 'points right'}{note}"
    return CountScore(
        number=truth.number,
        players=len(truth.players),
        cards=sum(pile.cards.total() for pile in truth.piles),
        right_untapped=untapped,
        asked=asked,
        right=right,
        taps=taps,
        kinds=kinds,
        note=note,
    )


def _match(night: Session, *, closed: bool = False) -> MatchNow:
    match = (night.close_round() if closed else night.snapshot()).match
    assert match is not None, "a round is counted in a match"
    return match


def _kinds(match: MatchNow, players: Answering) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for count in (*match.counting, match.left):
        for card in count.cards:
            true = players.true_cards[card.id]
            if card.card is None:
                kinds["worth alone" if card.worth is not None else "in doubt"] += 1
            else:
                how = "settled " if card.settled else ""
                kinds[how + ("right" if card.card == str(true) else "wrong")] += 1
    kinds["not seen"] = sum(pile.cards.total() for pile in players.truth.piles) - sum(
        true is not None for true in players.true_cards.values()
    )
    return kinds


def _by_players(rounds: Sequence[CountScore], players: int) -> str:
    chosen = [one for one in rounds if one.players == players]
    if not chosen:
        return ""
    untapped, right = mean(o.right_untapped for o in chosen), mean(o.right for o in chosen)
    return (
        f"  {players} players: {len(chosen)} rounds, without a tap {untapped:.3f}, "
        f"with taps {right:.3f}, median {median(o.taps for o in chosen):g}"
    )
