"""What was seen of a round against what truly happened: events, targets, verdicts.

>>> truth = [TimedEvent(3.0, "G5 laid"), TimedEvent(9.0, "G5 and R1 taken")]
>>> seen = [TimedEvent(3.6, "G5 laid"), TimedEvent(9.7, "R1 and G5 taken")]
>>> seen.append(TimedEvent(20.0, "B1 laid"))
>>> score = match_events(truth, seen)
>>> len(score.right), [one.text for one in score.missed], [one.text for one in score.false]
(2, [], ['B1 laid'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.night.round_files import RoundFiles, TimedEvent, TrueClaim
from companion.night.round_play import Answer, Played

EARLY_S, LATE_S = 1.0, 6.0
"""An event counts as seen from so long before the table is still until so long after."""

_KINDS = ("laid", "taken")


def event_key(text: str) -> tuple[str, tuple[str, ...]]:
    """The kind of an event and its cards, in whatever order they were named.

    >>> event_key("Y3 and R1 taken"), event_key("target 9 → 7")
    (('taken', ('R1', 'Y3')), ('target 9 → 7', ()))
    """
    kind = text.rpartition(" ")[2]
    if kind not in _KINDS:
        return text, ()
    names = text[: -len(kind) - 1].replace(" and ", ", ").split(", ")
    return kind, tuple(sorted(names))


@dataclass(frozen=True, slots=True)
class EventScore:
    """Which events were seen.

    Attributes:
        right: pairs of what happened and what was seen.
        missed: what happened and was not seen.
        false: what was seen and did not happen.
    """

    right: tuple[tuple[TimedEvent, TimedEvent], ...]
    missed: tuple[TimedEvent, ...]
    false: tuple[TimedEvent, ...]


def match_events(truth: Iterable[TimedEvent], seen: Iterable[TimedEvent]) -> EventScore:
    """Pair what was seen with what happened: same kind, same cards, and about the same time.

    Each is paired once at most, in the order of time.
    """
    free = list(seen)
    right: list[tuple[TimedEvent, TimedEvent]] = []
    missed: list[TimedEvent] = []
    for event in truth:
        key = event_key(event.text)
        fits = (
            one
            for one in free
            if -EARLY_S <= one.at_s - event.at_s <= LATE_S and event_key(one.text) == key
        )
        found = min(fits, key=lambda one: abs(one.at_s - event.at_s), default=None)
        if found is None:
            missed.append(event)
        else:
            free.remove(found)
            right.append((event, found))
    return EventScore(tuple(right), tuple(missed), tuple(free))


def judged(claim: TrueClaim, answer: Answer) -> str:
    """``right``, ``wrong`` or ``can't tell``: an error or a question tells nothing."""
    if answer.verdict not in ("legal", "illegal"):
        return "can't tell"
    same = (answer.verdict, answer.wins_tweak) == (claim.verdict, claim.wins_tweak)
    return "right" if same else "wrong"


@dataclass(frozen=True, slots=True)
class ClipScore:
    """One clip's figures.

    Attributes:
        events: which events were seen.
        verdicts: right, wrong, can't tell, one for each claim.
        targets: for each true table, whether the page showed its target.
        misses: one line each, for people.
    """

    clip: RoundFiles
    played: Played
    events: EventScore
    verdicts: tuple[str, ...]
    targets: tuple[bool, ...]
    misses: tuple[str, ...]


def score_clip(clip: RoundFiles, played: Played) -> ClipScore:
    """Set what was seen of a clip against its truth."""
    events = match_events(clip.events, played.events)
    verdicts = tuple(map(judged, clip.claims, played.answers))
    targets = tuple(
        true.target == shown for true, shown in zip(clip.tables, played.targets, strict=True)
    )
    misses = sorted(_misses(clip, played, events, verdicts))
    return ClipScore(clip, played, events, verdicts, targets, tuple(text for _, text in misses))


def _misses(
    clip: RoundFiles, played: Played, events: EventScore, verdicts: Sequence[str]
) -> Iterable[tuple[float, str]]:
    for event in events.missed:
        yield event.at_s, f"{clip.name} {event.at_s:6.1f} s  missed: {event.text}"
    for event in events.false:
        yield event.at_s, f"{clip.name} {event.at_s:6.1f} s  false: {event.text}"
    for true, shown in zip(clip.tables, played.targets, strict=True):
        if true.target != shown:
            yield true.at_s, f"{clip.name} {true.at_s:6.1f} s  target {true.target}, shown {shown}"
    for claim, answer, verdict in zip(clip.claims, played.answers, verdicts, strict=True):
        if verdict != "right":
            yield claim.at_s, f"{clip.name} {claim.at_s:6.1f} s  {_told(claim, answer, verdict)}"


def _told(claim: TrueClaim, answer: Answer, verdict: str) -> str:
    said = claim.declared
    cards = " + ".join((said.hand or "?", *said.taken))
    what = f"{cards}{' ' + said.tweak if said.tweak else ''}{' TWEAK' if said.said_tweak else ''}"
    wins = " with a T! card" if claim.wins_tweak else ""
    return (
        f"claim {verdict}: {what} is {claim.verdict}{wins}, answered {answer.verdict} "
        f"({answer.text}) on {answer.table}"
    )


def count_verdicts(scores: Iterable[ClipScore]) -> Counter[str]:
    """How many claims were judged right, wrong, or not."""
    return Counter(verdict for score in scores for verdict in score.verdicts)
