"""One JSON object from one line that anybody may have written.

Whatever is wrong with the line, the answer is one :class:`BadClaim` of one line.

>>> read_object('{"a": 1}')
{'a': 1}
"""

from __future__ import annotations

import json
from typing import NoReturn

from companion.errors import BadClaim

LONGEST_LINE = 65_536
"""Characters; the largest honest claim has a few hundred."""


def read_object(line: str | bytes) -> dict[str, object]:
    """Read a JSON object from one line.

    Raises:
        BadClaim: too long, not UTF-8, not JSON (NaN is not), nested too deep, no object, or
            a key that comes twice.
    """
    if len(line) > LONGEST_LINE:
        raise BadClaim(f"a line has at most {LONGEST_LINE} characters, not {len(line)}")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        found = json.loads(
            text.strip("\ufeff \t\r\n"),
            object_pairs_hook=_object,
            parse_constant=_refuse,
        )
    except UnicodeDecodeError:
        raise BadClaim("a line is text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadClaim(f"not JSON at character {error.pos + 1}: {error.msg}") from None
    except RecursionError:
        raise BadClaim("nested too deep: wanted one flat JSON object") from None
    except ValueError as error:
        raise BadClaim(f"not JSON that can be used: {str(error)[:80]}") from None
    if not isinstance(found, dict):
        raise BadClaim(f"wanted a JSON object, not {short(found)}")
    return found


def short(value: object) -> str:
    """A value as it can be shown in one line of an error."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str):
        return ascii(value if len(value) <= 20 else value[:20] + "...")
    if isinstance(value, int) and not -(10**12) < value < 10**12:
        return "a huge number"
    return json.dumps(value)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise BadClaim(f"the key {short(key)} comes twice")
        found[key] = value
    return found


def _refuse(word: str) -> NoReturn:
    raise BadClaim(f"{word} is no JSON number")
