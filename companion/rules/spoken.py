"""What a player says aloud, read as a sum (rules T3, T5, D11).

Six languages, digits of any script or number words; what is not understood is handed back,
never guessed.

>>> heard = hear("1 and 3 is 4, and 2 is 6, and 3 is 9. TWEAK!")
>>> heard.addends, heard.totals, heard.claimed, heard.said_tweak, heard.rest
((1, 3, 2, 3), ((2, 4), (3, 6), (4, 9)), 9, True, ())
>>> hear("1 ועוד 3 זה 5").slips()
((4, 5),)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from companion.rules.words import (
    AFTER_EQUALS,
    AFTER_PLUS,
    BEFORE_EQUALS,
    EQUALS,
    JOINED_AND,
    JOINED_TO,
    NUMBERS,
    PLUS,
    TWEAK,
)

LONGEST_SPEECH = 2000
"""Characters that are listened to; the rest is handed back."""
LARGEST_NUMBER = 99

_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’׳][^\W\d_]+)*|[^\s\w.,;:!?¡¿،؛؟\"“”„«»()…]")
_HYPHENS = re.compile(r"(?<=\b[ול])[-־](?=\d)|(?<=\d)-(?:gyel|[vmt][ae]l|s?zal)\b")
"""Hebrew hyphens between a joined word and digits; Hungarian endings behind digits."""
_MARKS = re.compile(r"[\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]")


class _Kind(Enum):
    NUMBER = auto()
    PLUS = auto()
    EQUALS = auto()
    TWEAK = auto()
    OTHER = auto()


class _Word(NamedTuple):
    kind: _Kind
    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class SpokenSum:
    """A sum as it was said.

    Attributes:
        addends: the numbers that are added, in the order in which they were said.
        totals: every total said: after how many addends, and what it was.
        said_tweak: whether "TWEAK" was said.
        rest: the words that were not understood, in their order.
        complete: whether the sum was understood from its first number to its last.
    """

    addends: tuple[int, ...] = ()
    totals: tuple[tuple[int, int], ...] = ()
    said_tweak: bool = False
    rest: tuple[str, ...] = ()
    complete: bool = False

    @property
    def claimed(self) -> int | None:
        """The total said after the last addend, None where there was none."""
        if self.totals and self.totals[-1][0] == len(self.addends):
            return self.totals[-1][1]
        return None

    def slips(self) -> tuple[tuple[int, int], ...]:
        """Every total that is wrong: (what the addends so far make, what was said)."""
        made = [(sum(self.addends[:count]), said) for count, said in self.totals]
        return tuple((right, said) for right, said in made if right != said)


def hear(text: str) -> SpokenSum:
    """Read what was said; never raises, whatever it was.

    Args:
        text: a sentence in English, Hebrew, Arabic, Greek, Hungarian or Spanish, as said or as
            a phone's dictation wrote it.
    """
    words = _words(text[:LONGEST_SPEECH])
    said_tweak = any(word.kind is _Kind.TWEAK for word in words)
    others = [word for word in words if word.kind is not _Kind.TWEAK]
    telling = [place for place, word in enumerate(others) if word.kind is not _Kind.OTHER]
    beyond = (text[LONGEST_SPEECH:],) if len(text) > LONGEST_SPEECH else ()
    if not telling:
        return SpokenSum((), (), said_tweak, (*_texts(others), *beyond))
    first, last = telling[0], telling[-1] + 1
    found = _sum(others[first:last])
    return SpokenSum(
        addends=found.addends,
        totals=found.totals,
        said_tweak=said_tweak,
        rest=(*_texts(others[:first]), *found.rest, *_texts(others[last:]), *beyond),
        complete=found.complete and not beyond,
    )


def _sum(words: Sequence[_Word]) -> SpokenSum:
    """Read words from the first number or sign to the last; stops where they make no sense."""
    addends: list[int] = []
    totals: list[tuple[int, int]] = []
    before = _Kind.PLUS
    for place, word in enumerate(words):
        if word.kind is _Kind.NUMBER and before is _Kind.PLUS:
            addends.append(word.number)
        elif word.kind is _Kind.NUMBER and before is _Kind.EQUALS:
            totals.append((len(addends), word.number))
        elif word.kind is _Kind.NUMBER and _is_said_again(word, totals, len(addends)):
            pass
        elif not _is_sign_after_number(word, before, len(addends)):
            return _broken(addends, totals, words, place)
        before = word.kind
    if before is not _Kind.NUMBER:
        return _broken(addends, totals, words, len(words) - 1)
    return SpokenSum(tuple(addends), tuple(totals), complete=True)


def _is_said_again(word: _Word, totals: list[tuple[int, int]], addends: int) -> bool:
    """Whether a number only takes up the last total ("is 4, 4 and 2 is 6")."""
    return bool(totals) and totals[-1] == (addends, word.number)


def _is_sign_after_number(word: _Word, before: _Kind, addends: int) -> bool:
    if before is not _Kind.NUMBER:
        return False
    return word.kind is _Kind.PLUS or (word.kind is _Kind.EQUALS and addends > 1)


def _broken(
    addends: list[int], totals: list[tuple[int, int]], words: Sequence[_Word], place: int
) -> SpokenSum:
    return SpokenSum(tuple(addends), tuple(totals), rest=_texts(words[place:]))


def _texts(words: Sequence[_Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    plain = _MARKS.sub("", unicodedata.normalize("NFC", text))
    for token in _TOKEN.findall(_HYPHENS.sub(" ", plain)):
        word = _word(token)
        previous = words[-1] if words else None
        if previous and _adds_nothing(word, previous):
            continue
        if word.kind is _Kind.TWEAK and previous and previous.kind is _Kind.PLUS:
            words.pop()  # "is 9, and TWEAK!"
        words += _apart(word)
    return words


def _adds_nothing(word: _Word, previous: _Word) -> bool:
    lower = word.text.lower()
    if previous.kind is _Kind.EQUALS:  # "is equal to", "es igual a"
        return word.kind is _Kind.EQUALS or lower in AFTER_EQUALS
    if previous.kind is _Kind.NUMBER:
        return lower in BEFORE_EQUALS
    return previous.kind is _Kind.PLUS and lower in AFTER_PLUS


def _word(token: str) -> _Word:
    lower = token.lower()
    if token.isdecimal() and len(token) <= 3 and int(token) <= LARGEST_NUMBER:
        return _Word(_Kind.NUMBER, token, int(token))
    if lower in NUMBERS:
        return _Word(_Kind.NUMBER, token, NUMBERS[lower])
    for kind, known in ((_Kind.PLUS, PLUS), (_Kind.EQUALS, EQUALS), (_Kind.TWEAK, TWEAK)):
        if lower in known:
            return _Word(kind, token)
    return _Word(_Kind.OTHER, token)


def _apart(word: _Word) -> list[_Word]:
    """Take a joined "and" or "to" off a number ("ושלוש", "وثلاثة", "לארבע")."""
    if word.kind is _Kind.OTHER and word.text[:1] in JOINED_AND:
        inner = _word(word.text[1:])
        if inner.kind is _Kind.NUMBER:
            return [_Word(_Kind.PLUS, word.text[0]), inner]
    if word.kind is _Kind.OTHER and word.text[:1] == JOINED_TO:
        inner = _word(word.text[1:])
        return [inner if inner.kind is _Kind.NUMBER else word]
    return [word]
