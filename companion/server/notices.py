"""What camera, eyes and zones have to say, found again in the reader's language.

These lines come as plain English from rooms that know no gettext, with numbers already in them;
a line that is none of these is shown as it is.
"""

from __future__ import annotations

import re

from companion.server.language import translate as _

NOTICES: tuple[str, ...] = (
    "the camera has not been started",
    "the camera is being opened",
    "waiting for the first picture",
    "the camera has gone silent: is it still plugged in?",
    "the picture is black: is the lens covered?",
    "the picture is frozen: the camera sends the same one",
    "something reaches into the picture",
    "the table is moving",
    "not still for long enough yet",
    "it got dark: no reading",
    "the light changed",
    "everything looks different: lamp or camera moved",
    "the picture is mirrored: turn off the camera's mirror",
    "bring the camera closer: cards are %(size)s px",
    "glare on one card",
    "glare on %(count)s cards",
    "the camera seems to have moved: check the zones",
    "the stacks lie where they lay: the table's zones are those of the last time",
    "the stacks lie elsewhere than the last time: the zones are guessed anew, check them",
    "no camera %(name)s and no such file; cameras here: %(cameras)s",
    "the stream at %(address)s does not answer",
    "no card is read, tap them in: %(why)s",
)
"""Every such line, with places for what changes."""

_PLACE = re.compile(r"%\\\((\w+)\\\)s")
_SHAPES = [(text, re.compile(_PLACE.sub(r"(?P<\1>.+)", re.escape(text)))) for text in NOTICES]


def notice(line: str) -> str:
    """One line, or several with ``; `` between them, in the reader's language."""
    whole = _known(line)
    if whole is not None:
        return whole
    return "; ".join(_known(part) or part for part in line.split("; "))


def _known(line: str) -> str | None:
    for text, shape in _SHAPES:
        found = shape.fullmatch(line)
        if found is not None:
            values = found.groupdict()
            return _(text) % values if values else _(text)
    return None
