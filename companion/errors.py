"""The errors that Companion raises on purpose.

::

    CompanionError                 a promise was broken; str() is one line for people
    ├── BadInput                   what was given is not what was wanted (exit 2, HTTP 4xx)
    │   ├── UnknownCard            a text that names no card
    │   ├── BadClaim               a claim that cannot be judged as it stands
    │   ├── IllegalMove            a move that the law refuses was to be carried out
    │   ├── BadSetting             an unknown or impossible setting
    │   ├── BadPicture             a picture or clip that cannot be decoded
    │   └── NotFound               a thing that was asked for by name and is not there
    ├── CameraError                the camera is missing, refused, frozen or black
    ├── ModelError                 a model file is missing, altered or of another kind
    ├── JournalError               the database is locked, newer than we are, or damaged
    └── ServerError                the address is taken or cannot be opened

An ordinary "no" (an illegal sum, an unclear reading) is a value, never an exception.

What the page may have to say stands as a sentence with ``%(name)s`` places, so that the server
can say it in the reader's language; what only the command line says may be plain text:

>>> error = NotFound("round %(number)s is not closed: wanted 1 to %(last)s", number=4, last=2)
>>> str(error), error.said.template
('round 4 is not closed: wanted 1 to 2', 'round %(number)s is not closed: wanted 1 to %(last)s')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Phrase:
    """An English sentence, or a part of one, with its places still open for a translation.

    Attributes:
        template: the English with ``%(name)s`` places; the translators find it where it is made.
        values: what goes into the places; phrases among them are translated too.
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, /, **values: object) -> None:
        self.template = template
        self.values: Mapping[str, object] = values

    def __str__(self) -> str:
        return self.template % self.values if self.values else self.template


class CompanionError(Exception):
    """Root of every error raised on purpose; its text is one line that says what was wanted.

    Attributes:
        said: that line with its places open, for the reader's language.
    """

    def __init__(self, template: str = "", /, **values: object) -> None:
        self.said = Phrase(template, **values)
        super().__init__(str(self.said))


class BadInput(CompanionError, ValueError):
    """Something given from outside is not what was wanted."""


class UnknownCard(BadInput):
    """A text that is no card in the notation of :mod:`companion.rules.cards`."""


class BadClaim(BadInput):
    """A claim that cannot be judged as it stands."""


class IllegalMove(BadInput):
    """A move that the law refuses, or cannot judge, was to be carried out."""


class BadSetting(BadInput):
    """An unknown setting, or a known one with an impossible value."""


class BadPicture(BadInput):
    """A picture or clip that cannot be decoded."""


class NotFound(BadInput):
    """A thing that was asked for by name and is not there."""


class CameraError(CompanionError):
    """The camera is missing, refused, frozen or black."""


class ModelError(CompanionError):
    """A model file is missing, altered, or not of the kind that was wanted."""


class JournalError(CompanionError):
    """The database is locked, of a newer schema, or damaged."""


class ServerError(CompanionError):
    """The address cannot be served: taken, refused, or not ours."""


def listed(names: Iterable[object]) -> object:
    """Names in a row.

    >>> str(listed(["Ann", "Bo", "Cleo"])), str(listed(["Ann"]))
    ('Ann, Bo and Cleo', 'Ann')
    """
    *most, last = names
    if not most:
        return last
    return Phrase("%(most)s and %(last)s", most=_row(most), last=last)


def either(names: Iterable[object]) -> object:
    """Names of which one is meant.

    >>> str(either(["R1", "G1"]))
    'R1 or G1'
    """
    *most, last = names
    if not most:
        return last
    return Phrase("%(most)s or %(last)s", most=_row(most), last=last)


def _row(names: Iterable[object]) -> object:
    first, *others = names
    for name in others:
        first = Phrase("%(first)s, %(next)s", first=first, next=name)
    return first
