"""Read a state of a round back from its one line: ``parse_state(str(state)) == state``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput
from companion.rules.cards import Colour, parse_number_card
from companion.rules.editions import parse_edition
from companion.rules.house import CHOICES, HouseRules
from companion.rules.notation import (
    LONGEST_LINE,
    parse_cards,
    parse_seat,
    seen_card,
    tweak_card,
)
from companion.rules.round import DeckCard, Phase, Seat, State
from companion.rules.round_text import SEPARATOR, answer_word
from companion.rules.tweaks import TweakPlay

_SEAT = re.compile(
    r"hand (?P<hand>.+?) won (?P<won>.+?) has (?P<has>.+?) used (?P<used>.+?)(?P<short> short)?"
)
_NAMES = ("table", "deck", "stack", "dealer", "turn", "house")


def parse_state(text: str) -> State:
    """Read one state.

    Raises:
        BadInput: the text is no state, or a state that can't be; says what was wanted.
    """
    if len(text) > LONGEST_LINE:
        raise BadInput(f"a line has at most {LONGEST_LINE} characters, not {len(text)}")
    head, *parts = text.strip().split(SEPARATOR)
    edition, colours = _head(head)
    fields: dict[str, str] = {}
    for part in parts:
        name, _, value = part.partition(" ")
        if name in fields:
            raise BadInput(f"{name[:20]!r} comes twice in the state")
        fields[name] = value
    seats = [name for name in fields if name not in _NAMES]
    if seats != [f"p{number}" for number in range(1, len(seats) + 1)]:
        raise BadInput(f"wanted the seats p1, p2 … in order, not {', '.join(seats)[:40]!r}")
    phase, turn = _turn(_field(fields, "turn"))
    return State(
        edition=edition,
        colours=colours,
        seats=tuple(_seat(fields[name]) for name in seats),
        table=tuple(map(parse_number_card, _cards(fields, "table"))),
        deck=tuple(map(_deck_card, _cards(fields, "deck"))),
        stack=tuple(map(tweak_card, _cards(fields, "stack"))),
        dealer=parse_seat(_field(fields, "dealer")),
        house=_house(fields.get("house", "")),
        phase=phase,
        **turn,
    )


def _head(head: str) -> tuple[Any, tuple[Colour, ...]]:
    words = head.split()
    by_letter = {colour.letter: colour for colour in Colour}
    if len(words) != 2 or not set(words[1]) <= set(by_letter):
        raise BadInput(f"a state begins with its edition and colours, as in 65 ROYG: {head[:20]!r}")
    return parse_edition(words[0]), tuple(by_letter[letter] for letter in words[1])


def _field(fields: Mapping[str, str], name: str) -> str:
    if name not in fields:
        raise BadInput(f"the state lacks its {name}")
    return fields[name]


def _cards(fields: Mapping[str, str], name: str) -> list[str]:
    return parse_cards(_field(fields, name).split())


def _seat(text: str) -> Seat:
    found = _SEAT.fullmatch(text)
    if found is None:
        raise BadInput(f"a seat is written 'hand … won … has … used …', not {text[:40]!r}")
    return Seat(
        hand=tuple(map(seen_card, parse_cards(found["hand"].split()))),
        won=tuple(map(seen_card, parse_cards(found["won"].split()))),
        has=tuple(map(tweak_card, parse_cards(found["has"].split()))),
        used=tuple(map(tweak_card, parse_cards(found["used"].split()))),
        short=found["short"] is not None,
    )


def _deck_card(word: str) -> DeckCard:
    front, mark, target = word.partition("#")
    if not mark or target not in ("?", "7", "8", "9", "10"):
        raise BadInput(f"a card of the deck is written R5#9 or ?#?, not {word[:20]!r}")
    return DeckCard(seen_card(front), None if target == "?" else int(target))


def _turn(text: str) -> tuple[Phase, dict[str, Any]]:
    words = text.split()
    phases = [phase.value for phase in Phase]
    if len(words) < 2 or words[1] not in phases:
        raise BadInput(f"turn names a seat and {', '.join(phases)}, not {text[:40]!r}")
    turn: dict[str, Any] = {"turn": parse_seat(words[0])}
    for word in words[2:]:
        if word in ("emptied", "unsaid") and "emptied" not in turn:
            turn |= {"emptied": True, "unsaid": word == "unsaid"}
        elif word in {play.value for play in TweakPlay} and "tweak" not in turn:
            turn["tweak"] = TweakPlay(word)
        else:
            raise BadInput(f"{word[:20]!r} is not what a turn says after its phase")
    return Phase(words[1]), turn


def _house(text: str) -> HouseRules:
    chosen: dict[str, Any] = {}
    for word in text.split():
        name, _, answer = word.partition("=")
        if name not in CHOICES or name in chosen:
            raise BadInput(f"{name[:20]!r} is no house rule, or comes twice")
        answers = {answer_word(one): one for one in CHOICES[name][1]}
        if answer not in answers:
            raise BadInput(f"{name} is one of {', '.join(answers)}, not {answer[:20]!r}")
        chosen[name] = answers[answer]
    return HouseRules(**chosen)
