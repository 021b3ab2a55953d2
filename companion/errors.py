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
"""

from __future__ import annotations


class CompanionError(Exception):
    """Root of every error raised on purpose; its text is one line that says what was wanted."""


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
