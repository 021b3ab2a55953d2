"""How a card looks and is called on a page: colour with its letter and shape, value, points.

Colour is never the only cue: each has a letter and a shape of its own (see ``parts/shapes.svg``).

>>> face("R5").card, face("R5").points, face("R5?O5").doubt
('R5', 5, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flask import Flask
from flask_babel import lazy_gettext as _l

from companion.errors import UnknownCard
from companion.night.values import SeenEvent, Snapshot, Step
from companion.rules.book import rule_text
from companion.rules.cards import (
    VALUES,
    BlueSeven,
    Card,
    Colour,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
)
from companion.rules.scoring import points_of
from companion.rules.verdict import Ruling, Verdict
from companion.server.language import isolated
from companion.server.language import translate as _
from companion.server.notices import notice
from companion.table.places import is_somebody
from companion.table.story_values import Happening, Tale
from companion.table.values import SINGLE_ZONES, parse_reading
from companion.vision.values import TableState

COLOUR_NAMES = {
    Colour.RED: _l("red"),
    Colour.ORANGE: _l("orange"),
    Colour.YELLOW: _l("yellow"),
    Colour.GREEN: _l("green"),
    Colour.BLUE: _l("blue"),
    Colour.PURPLE: _l("purple"),
}
TWEAK_NAMES = {
    Tweak.THIEF: _l("Thief"),
    Tweak.JOKER: _l("Joker"),
    Tweak.SHIFTER: _l("Shifter"),
    Tweak.BOMB: _l("Bomb"),
}
LINE_WORDS = {
    "ordinary": _l("Ordinary cards"),
    "red": _l("Red cards"),
    "five": _l("Fives"),
    "red five": _l("The red five"),
    "T!": _l("T! cards"),
}
STATE_WORDS = {
    "no_camera": _l("No camera"),
    "unread": _l("Not read yet"),
    "hand": _l("Hand in view"),
    "moving": _l("Moving"),
    "still": _l("Still"),
    "cleared": _l("Cleared"),
}
ZONE_WORDS = {
    "deck": _l("Deck"),
    "table": _l("Table"),
    "tweaks": _l("T! stack"),
    "tray": _l("Counting tray"),
    "faces": _l("T! cards of %(player)s"),
    "pile": _l("Pile of %(player)s"),
}
SOMEBODY = _l("a player (%(number)s)")
VERDICT_WORDS = {
    Ruling.LEGAL: _l("Legal"),
    Ruling.ILLEGAL: _l("Illegal"),
    Ruling.UNCLEAR: _l("Can't tell"),
}


@dataclass(frozen=True, slots=True)
class Face:
    """What a page draws for one card.

    Attributes:
        text: the reading as it was given (``R5?O5``).
        card: the text of its likeliest card (``R5``), empty when it is none of ours.
        kind: names the look: a colour, ``black``, ``tweak``, ``back``, ``seven``, ``unknown``.
        letter: the colour's letter, empty where there is none.
        value: what is printed large.
        points: what it is worth when won; None for cards that nobody wins.
        doubt: whether the reading is not sure.
        best: the likeliest card, None when it is none of ours.
    """

    text: str
    card: str
    kind: str
    letter: str
    value: str
    points: int | None
    doubt: bool
    best: Card | None

    @property
    def name(self) -> str:
        """The card in words, in the reader's language."""
        plain = card_name(self.best)
        return _("perhaps %(card)s", card=plain) if self.doubt and self.best else plain

    @property
    def kind_name(self) -> str:
        """The kind of a T! card in the reader's language, empty for any other."""
        if isinstance(self.best, TweakCard) and self.best.kind is not None:
            return str(TWEAK_NAMES[self.best.kind])
        return ""


@lru_cache(maxsize=1024)
def face(text: str) -> Face:
    """The look of a card or of a doubtful reading; a text that is no card looks unknown."""
    try:
        reading = parse_reading(text)
    except UnknownCard:
        return Face(text, "", "unknown", "", "?", None, True, None)
    best = reading.best
    kind, letter, value = _look(best)
    points = points_of(best) if isinstance(best, (NumberCard, TweakCard)) else None
    shown = "" if best is None else str(best)
    return Face(text, shown, kind, letter, value, points, not reading.sure, best)


def _look(card: Card | None) -> tuple[str, str, str]:
    match card:
        case NumberCard(colour, value):
            return colour.value, colour.letter, str(value)
        case TargetBack(target):
            return "black", "", str(target)
        case TweakCard():
            return "tweak", "", "T!"
        case TweakBack():
            return "back", "", "T!"
        case BlueSeven():
            return "seven", "", "7"
        case _:
            return "unknown", "", "?"


def card_name(card: Card | None) -> str:
    """A card in words, in the reader's language."""
    match card:
        case NumberCard(colour, value):
            return _("%(colour)s %(value)s", colour=COLOUR_NAMES[colour], value=value)
        case TargetBack(target):
            return _("target %(number)s", number=target)
        case TweakCard(None):
            return _("T! card")
        case TweakCard(kind):
            return str(TWEAK_NAMES[kind]) if kind else _("T! card")
        case TweakBack():
            return _("back of a T! card")
        case BlueSeven():
            return _("blue seven")
        case _:
            return _("unknown card")


def state_key(snapshot: Snapshot) -> str:
    """Names the state of the table for signs and words: ``still``, ``hand``, ``unread`` …"""
    state = snapshot.live.state
    unread = state is TableState.NO_CAMERA and snapshot.camera.ok
    return "unread" if unread else state.name.lower()


def zone_words(name: str) -> str:
    """A zone in words, in the reader's language: ``pile Ann`` is Ann's, ``pile ?1`` a player's."""
    kind, _, player = name.partition(" ")
    if is_somebody(player):
        player = isolated(str(SOMEBODY)) % {"number": player[1:]}
    return isolated(str(ZONE_WORDS[kind])) % {"player": player}


def zone_names(snapshot: Snapshot) -> tuple[str, ...]:
    """Every zone that there can be: the players' places of the match that runs, and those known."""
    match = snapshot.match if snapshot.match and not snapshot.match.ended else None
    players = match.players if match else ()
    places = tuple(f"{kind} {player}" for player in players for kind in ("faces", "pile"))
    known = tuple(name for name, _ in snapshot.zones.named())
    return tuple(dict.fromkeys((*SINGLE_ZONES, *places, *known)))


def verdict_word(verdict: Verdict) -> str:
    """The verdict in a word or two, in the reader's language."""
    return str(VERDICT_WORDS[verdict.ruling])


def reason(verdict: Verdict) -> str:
    """The verdict's one sentence, in the reader's language."""
    values = dict(verdict.values)
    for name in ("target", "needed"):
        if isinstance(target := values.get(name), str):
            # As in "8 (7, Joker +1)".
            values[name] = isolated(target.replace("Joker", str(TWEAK_NAMES[Tweak.JOKER])))
    return _(verdict.template) % values


def step_words(step: Step) -> str:
    """What undo would take back, in the reader's language."""
    return _(step.template) % dict(step.values) if step.template else step.text


def line_words(label: str) -> str:
    """A sort of won cards, in the reader's language."""
    return str(LINE_WORDS.get(label, label))


def law(id: str) -> str:
    """A rule in our own words, in the reader's language."""
    return _(rule_text(id))


def event_words(event: SeenEvent) -> str:
    """What happened, in the reader's language (``G5 laid``, ``R1 and Y3 taken``)."""
    cards = _listed(event.cards)
    match event.kind:
        case "laid":
            return _("%(cards)s laid", cards=cards)
        case "taken":
            return _("%(cards)s taken", cards=cards)
        case "target":
            before, after = event.target_before or "?", event.target_after or "?"
            return _("target %(before)s → %(after)s", before=before, after=after)
        case "deck gone":
            return _("deck gone")
        case "cleared":
            return _("cleared")
        case _:
            return event.text


def happening_words(happening: Happening) -> str:
    """One thing that happened, in the reader's language."""
    return _(happening.template) % dict(happening.values)


def tale_words(tale: Tale) -> str:
    """One way to tell a step, in the reader's language."""
    return "; ".join(happening_words(one) for one in tale.happenings)


def _listed(names: tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names)
    return _("%(most)s and %(last)s", most=", ".join(names[:-1]), last=names[-1])


def set_up(app: Flask) -> None:
    """Let every template draw cards and name what it shows."""
    app.jinja_env.globals.update(
        face=face,
        state_key=state_key,
        STATE_WORDS=STATE_WORDS,
        zone_words=zone_words,
        zone_names=zone_names,
        verdict_word=verdict_word,
        reason=reason,
        event_words=event_words,
        happening_words=happening_words,
        tale_words=tale_words,
        law=law,
        notice=notice,
        line_words=line_words,
        step_words=step_words,
        COLOURS=tuple(Colour),
        COLOUR_NAMES={colour.value: name for colour, name in COLOUR_NAMES.items()},
        TWEAK_NAMES={kind.value: name for kind, name in TWEAK_NAMES.items()},
        VALUES=VALUES,
    )
    app.jinja_env.filters["best_card"] = lambda text: face(text).card
