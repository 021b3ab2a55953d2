"""Which language a page speaks: the browser's where we have it, else the setting's, else English.

A translation is a folder ``web/translations/<language>/LC_MESSAGES/messages.mo``; see the README
beside them. Where it is written from right to left, whatever stands in a place of a sentence keeps
its own direction (the browser is told so by isolates, U+2068 to U+2069).

Times are shown in the zone of the machine, which stands at the table.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from babel import Locale
from babel.dates import format_date, format_time
from flask import Flask, request
from flask_babel import Babel, get_domain, get_locale, gettext

from companion.settings import Settings

ENGLISH = "en"

_OF_ITS_OWN = re.compile(r"%\(\w+\)[rs]|T!\w*|(?<![\w%+−])[+−±]\d+")
"""A place, a T! card, a number with its sign: they run from left to right in any sentence."""


def set_up(app: Flask, settings: Settings, translations: Path) -> None:
    """Let every text of the app go through gettext in the reader's language."""
    spoken = available(translations)
    default = settings.language if settings.language in spoken else ENGLISH

    def choose() -> str:
        return request.accept_languages.best_match(spoken, default) or default

    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(translations)
    Babel(app, locale_selector=choose)
    app.jinja_env.globals.update(locale_now=locale_now)
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # of Jinja's i18n
        lambda text: isolated(gettext(text)),
        lambda one, many, number: isolated(
            get_domain().get_translations().ungettext(one, many, number)
        ),
        newstyle=True,
    )
    app.jinja_env.filters.update(clock=clock, day=day)


def available(translations: Path) -> list[str]:
    """The languages that there are: English, and every compiled translation."""
    compiled = translations.glob("*/LC_MESSAGES/messages.mo")
    return [ENGLISH, *sorted(found.parent.parent.name for found in compiled)]


def locale_now() -> Locale:
    """The reader's language."""
    return get_locale() or Locale(ENGLISH)


def translate(text: str, **values: object) -> str:
    """A text in the reader's language, with its ``%(name)s`` places filled; imported as ``_``."""
    found = isolated(gettext(text))
    return found % values if values else found


def isolated(text: str) -> str:
    """A translation whose places each keep a direction of their own, where it matters."""
    if locale_now().text_direction != "rtl":
        return str(text)
    return _OF_ITS_OWN.sub("\u2068\\g<0>\u2069", str(text))


def clock(at: str) -> str:
    """A moment of the journal (UTC, ISO 8601) as the reader's time of day."""
    return format_time(_local(at), "short", locale=locale_now())


def day(at: str) -> str:
    """A moment of the journal (UTC, ISO 8601) as the reader's date."""
    return format_date(_local(at), "medium", locale=locale_now())


def _local(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()
