"""Read states and moves back from their one line of text: ``parse(str(x)) == x``.

>>> str(parse_move('p1 sum G5 + R1 TWEAK wins T!joker said "5 and 1 is 6"'))
'p1 sum G5 + R1 TWEAK wins T!joker said "5 and 1 is 6"'
>>> str(parse_move("p2 bomb p1:R5 p3:G1")), str(parse_move("p1 draw R5 ? top #8"))
('p2 bomb p1:R5 p3:G1', 'p1 draw R5 ? top #8')
"""

from __future__ import annotations

import json
import re

from companion.errors import BadInput
from companion.rules.cards import NumberCard, Tweak, TweakCard, parse_card, parse_number_card
from companion.rules.moves import (
    Draw,
    Fill,
    Lay,
    MakeSum,
    Move,
    Pass,
    PlayBomb,
    PlayJoker,
    PlayShifter,
    PlayThief,
    SayTweak,
)
from companion.rules.round_text import NOTHING, UNKNOWN

LONGEST_LINE = 10_000
"""Characters of a state's or a move's line."""
_MOST_CARDS = 72
_COUNT = re.compile("[1-9][0-9]?")
_SAID = re.compile(r"^(?P<move>.*?) said (?P<said>\".*\")$", re.DOTALL)
_TAIL = re.compile(r"^(?P<move>.*?)(?: wins (?P<wins>T!\w+))?(?: top #(?P<top>\d{1,2}))?$")


def parse_move(text: str) -> Move:
    """Read one move.

    Raises:
        BadInput: the text is no move; says what was wanted.
    """
    line = _one_line(text)
    said = _SAID.match(line)
    spoken = _said(said["said"]) if said else None
    tail = _TAIL.match(said["move"] if said else line)
    words = (tail["move"] if tail else line).split()
    if tail is None or len(words) < 2:
        raise _no_move(text)
    seat, verb, rest = parse_seat(words[0]), words[1], words[2:]
    wins = _kind(tail["wins"]) if tail["wins"] else None
    top = int(tail["top"]) if tail["top"] else None
    given = {"wins": wins, "said": spoken, "top": top}
    move: Move
    if verb == "sum":
        move, allowed = _sum(seat, rest, wins, spoken), {"wins", "said"}
    elif verb == "says" and rest == ["TWEAK"]:
        move, allowed = SayTweak(seat, wins), {"wins"}
    else:
        move, allowed = _other(seat, verb, rest, top), _tails(verb)
    if any(value is not None and name not in allowed for name, value in given.items()):
        raise _no_move(text)
    return move


def _tails(verb: str) -> set[str]:
    return {"top"} if verb in ("thief", "bomb", "shifter", "draw", "fill") else set()


def parse_seat(word: str) -> int:
    """Read a seat's name: ``p1`` is seat 0.

    Raises:
        BadInput: it is not p1 to p6.
    """
    if len(word) == 2 and word[0] == "p" and word[1] in "123456":
        return int(word[1]) - 1
    raise BadInput(f"a seat is p1 to p6, not {word[:20]!r}")


def parse_cards(words: list[str]) -> list[str]:
    """Undo the counting of cards alike: ``?*3`` is three unknown ones, ``-`` is none.

    Raises:
        BadInput: a count that no match has.
    """
    if words == [NOTHING]:
        return []
    cards: list[str] = []
    for word in words:
        name, star, count = word.partition("*")
        if star and not _COUNT.fullmatch(count):
            raise BadInput(f"a count of cards is from 1 to 99, not {count[:20]!r}")
        cards += [name] * (int(count) if star else 1)
    if not cards or len(cards) > _MOST_CARDS:
        raise BadInput(f"wanted - or 1 to {_MOST_CARDS} cards, not {len(cards)}")
    return cards


def seen_card(word: str) -> NumberCard | None:
    """A number card, or ``?`` for one that is not known."""
    return None if word == UNKNOWN else parse_number_card(word)


def tweak_card(word: str) -> TweakCard:
    """A T! card; ``T!`` alone is one whose kind is not known."""
    card = parse_card(word)
    if isinstance(card, TweakCard):
        return card
    raise BadInput(f"wanted a T! card such as T!joker, not {word[:20]!r}")


def _one_line(text: str) -> str:
    if len(text) > LONGEST_LINE:
        raise BadInput(f"a line has at most {LONGEST_LINE} characters, not {len(text)}")
    return text.strip()


def _no_move(text: str) -> BadInput:
    return BadInput(
        f"{text[:40]!r} is no move: wanted one such as 'p1 sum G5 + R1', 'p1 lay G5' or 'p1 pass'"
    )


def _said(text: str) -> str:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, str):
        raise BadInput("what was said stands in double quotes at the end of the line")
    return found


def _kind(word: str) -> Tweak:
    kind = tweak_card(word).kind
    if kind is None:
        raise BadInput("a T! card that is won has a kind: wanted one such as T!joker")
    return kind


def _sum(seat: int, rest: list[str], wins: Tweak | None, spoken: str | None) -> MakeSum:
    said_tweak = rest[-1:] == ["TWEAK"]
    words = rest[:-1] if said_tweak else rest
    if words[1::2] != ["+"] * (len(words) // 2) or len(words) % 2 == 0:
        raise BadInput("a sum is written G5 + R1 + Y3, the hand card first")
    hand, *taken = (parse_number_card(word) for word in words[::2])
    return MakeSum(seat, hand, tuple(taken), said_tweak, wins, spoken)


def _other(seat: int, verb: str, rest: list[str], top: int | None) -> Move:
    match verb, rest:
        case "joker", ["+1" | "-1" as change]:
            return PlayJoker(seat, int(change))
        case "thief", [victim, card]:
            return PlayThief(seat, parse_seat(victim), seen_card(card), top)
        case "bomb", [_, *_]:
            return PlayBomb(seat, tuple(map(_dropped, parse_cards(rest))), top)
        case "shifter", [card]:
            return PlayShifter(seat, seen_card(card), top)
        case "lay", [card]:
            return Lay(seat, parse_number_card(card))
        case "draw", [_, *_]:
            return Draw(seat, tuple(map(seen_card, parse_cards(rest))), top)
        case "fill", [_, *_]:
            return Fill(seat, tuple(map(parse_number_card, parse_cards(rest))), top)
        case "pass", []:
            return Pass(seat)
    raise _no_move(" ".join([f"p{seat + 1}", verb, *rest]))


def _dropped(word: str) -> tuple[int, NumberCard]:
    seat, _, card = word.partition(":")
    return parse_seat(seat), parse_number_card(card)
