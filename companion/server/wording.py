"""Hands the translators the sentences that come from the rooms below, which know no gettext.

``web/babel.cfg`` names :func:`sentences` as the way to read this file, and :func:`refusals` as the
way to read those that raise errors; :func:`words` says either in the reader's language.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages.extract import extract_python

from companion.errors import Phrase
from companion.night.events import STEP_TEXTS, TABLE_TEXTS
from companion.rules.book import RULES
from companion.rules.reasons import MOVE_TEMPLATES
from companion.rules.verdict import TEMPLATES as VERDICTS
from companion.server.language import translate as _
from companion.server.notices import NOTICES
from companion.table.play import TEMPLATES as PLAYS
from companion.table.referee import TEMPLATES as QUESTIONS
from companion.table.story_values import TEMPLATES as HAPPENINGS

SENTENCES: tuple[str, ...] = (
    *RULES.values(),
    *VERDICTS,
    *MOVE_TEMPLATES,
    *QUESTIONS,
    *PLAYS,
    *STEP_TEXTS.values(),
    *TABLE_TEXTS.values(),
    *HAPPENINGS,
    *NOTICES,
)
"""Every rule, reason, question, step, happening and notice that a page can show."""

REFUSALS = ("BadClaim", "BadInput", "NotFound", "Phrase", "UnknownCard")
"""Whose first text, where it stands in the source as it is, the translators get to see."""


def words(said: Phrase) -> str:
    """What an error says, in the reader's language."""
    values = {
        name: words(value) if isinstance(value, Phrase) else value
        for name, value in said.values.items()
    }
    return _(said.template) % values if values else _(said.template)


def sentences(
    source: object, keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Every sentence as a message for the translators (the form of a Babel extractor)."""
    for line, sentence in enumerate(SENTENCES, start=1):
        yield line, "", sentence, []


def refusals(
    source: BinaryIO, keywords: Mapping[str, Any], comment_tags: Collection[str], options: object
) -> Iterator[tuple[Any, ...]]:
    """Every text of a Python file for the translators, what its errors say among them."""
    code = source.read()
    yield from extract_python(BytesIO(code), keywords, comment_tags, {})
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(ast.Name(name), [ast.Constant(str(text))]) if name in REFUSALS:
                yield node.lineno, "", text, []
