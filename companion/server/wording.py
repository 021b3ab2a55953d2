"""Hands the translators the sentences that come from the rooms below, which know no gettext.

``web/babel.cfg`` names :func:`sentences` as the way to read this file.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.night.events import STEP_TEXTS, TABLE_TEXTS
from companion.rules.book import RULES
from companion.rules.reasons import MOVE_TEMPLATES
from companion.rules.verdict import TEMPLATES as VERDICTS
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
)
"""Every rule, reason, question, step and happening that a page can show."""


def sentences(
    source: object, keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Every sentence as a message for the translators (the form of a Babel extractor)."""
    for line, sentence in enumerate(SENTENCES, start=1):
        yield line, "", sentence, []
