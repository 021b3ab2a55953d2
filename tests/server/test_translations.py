"""Every language says everything: no text is left in English, no place lost, no file stale."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from tests.server.texts import WEB, Text, extracted

FILES = sorted((WEB / "translations").glob("*/LC_MESSAGES/messages.po"))
PLACE = re.compile(r"%\(\w+\)[a-z]")
CARD_TEXT = re.compile(r"\b[ROYGBP][1-6]\b|T!\w*|#\d+|=7")
FIRST = "pybabel extract -F web/babel.cfg -k _l -o messages.pot ."
UPDATE = f"{FIRST} && pybabel update -i messages.pot -d web/translations"
COMPILE = "pybabel compile -d web/translations"


def language_of(file: Path) -> str:
    return file.parent.parent.name


@cache
def catalog_of(file: Path) -> Catalog:
    with file.open("rb") as source:
        return read_po(source, locale=language_of(file), abort_invalid=True)


def translated(file: Path) -> list[Message]:
    return [message for message in catalog_of(file) if message.id]


def key(message: Message) -> Text:
    return message.id if isinstance(message.id, str) else tuple(message.id or ())


def texts(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a message says in English, and in the other language, each form of it."""
    english, other = message.id, message.string
    return (
        (english,) if isinstance(english, str) else tuple(english),
        (other,) if isinstance(other, str) else tuple(other or ()),
    )


def test_hebrew_and_hungarian_are_there() -> None:
    assert {language_of(file) for file in FILES} == {"he", "hu"}


@pytest.mark.parametrize("file", FILES, ids=language_of)
def test_every_text_is_translated(file: Path) -> None:
    done = {
        key(message) for message in translated(file) if all(texts(message)[1]) and not message.fuzzy
    }
    lacking = sorted(map(str, extracted() - done))
    assert not lacking, f"{file} lacks {lacking}: {UPDATE}, translate them, then {COMPILE}"


@pytest.mark.parametrize("file", FILES, ids=language_of)
def test_no_place_is_lost_or_made_up(file: Path) -> None:
    for message in translated(file):
        english, other = texts(message)
        places = sorted(PLACE.findall(english[-1]))
        assert sorted(PLACE.findall(other[-1])) == places, message.id
        # "one card" may do without its number.
        for form in other[:-1]:
            assert {*PLACE.findall(form)} | {"%(num)s"} == {*places} | {"%(num)s"}, message.id


@pytest.mark.parametrize("file", FILES, ids=language_of)
def test_texts_of_cards_stay_as_they_are(file: Path) -> None:
    for message in translated(file):
        english, other = texts(message)
        if len(english) == 1 and "2s" not in english[0]:
            assert sorted(CARD_TEXT.findall(other[0])) == sorted(CARD_TEXT.findall(english[0]))


@pytest.mark.parametrize("file", FILES, ids=language_of)
def test_each_language_has_the_forms_that_its_plural_wants(file: Path) -> None:
    catalog = catalog_of(file)
    for message in translated(file):
        english, other = texts(message)
        assert len(other) == (1 if len(english) == 1 else catalog.num_plurals), message.id


@pytest.mark.parametrize("file", FILES, ids=language_of)
def test_what_is_compiled_is_what_is_written(file: Path) -> None:
    with file.with_suffix(".mo").open("rb") as source:
        compiled = read_mo(source)
    said = {key(message): texts(message)[1] for message in compiled if message.id}
    written = {key(message): texts(message)[1] for message in translated(file)}
    assert said == written, f"{file.with_suffix('.mo')} is stale: {COMPILE}"


@pytest.mark.parametrize("file", FILES, ids=language_of)
def test_a_page_says_no_english_sentence(file: Path, client: FlaskClient) -> None:
    language = language_of(file)
    sentences = {key(message) for message in translated(file)}
    english = [text for text in sentences if isinstance(text, str) and text.count(" ") > 1]
    for address in (
        "/table/",
        "/table/?edit=table",
        "/table/claims/40",
        "/count/",
        "/match/?new=1",
    ):
        headers = {"Accept": "text/html", "Accept-Language": language}
        page = html.unescape(client.get(address, headers=headers).get_data(as_text=True))
        assert f'<html lang="{language}"' in page
        assert [text for text in english if text in page] == [], address
