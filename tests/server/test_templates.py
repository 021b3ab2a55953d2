"""What every template and style sheet promises: translatable, any direction, nothing foreign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.server.wording import SENTENCES
from tests.server.texts import WEB, extracted

TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
SHEETS = sorted((WEB / "static").rglob("*.css"))
SCRIPTS = sorted((WEB / "static").rglob("*.js"))

SPOKEN = ("alt", "aria-label", "placeholder", "title")
PHYSICAL = re.compile(
    r"(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right|top|bottom)"
    r"|(?:left|right|top|bottom|width|height|min-width|max-width|min-height|max-height)\s*:"
    r"|float\s*:\s*(?:left|right)|text-align\s*:\s*(?:left|right))"
)


def name_of(file: Path) -> str:
    return file.relative_to(WEB).as_posix()


def without_jinja(text: str) -> str:
    text = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
    return re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", text, flags=re.DOTALL)


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_every_word_goes_through_translation(file: Path) -> None:
    plain = without_jinja(file.read_text(encoding="utf-8"))
    bare = re.sub(r"<[^>]*>", " ", plain)
    assert re.findall(r"[^\W\d_]{2,}", bare) == []
    for attribute in SPOKEN:
        for value in re.findall(rf'\b{attribute}="([^"]*)"', plain):
            assert re.findall(r"[^\W\d_]{2,}", value) == [], f"{attribute}={value!r}"


@pytest.mark.parametrize("file", SHEETS, ids=name_of)
def test_styles_use_logical_properties_only(file: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"@media[^{]*", "", text)
    assert PHYSICAL.findall(text) == []


@pytest.mark.parametrize("file", [*TEMPLATES, *SHEETS, *SCRIPTS], ids=name_of)
def test_nothing_is_fetched_from_outside(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"https?://|//cdn|@import", text) == []


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_no_template_carries_a_script_or_a_style(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:", text) == []
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


@pytest.mark.parametrize("file", [*TEMPLATES, *SHEETS, *SCRIPTS], ids=name_of)
def test_no_file_grows_too_long_to_read(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 400


def test_the_translators_see_every_text_of_the_pages_and_of_the_law() -> None:
    found = extracted()
    assert {"Judge it", "Count what lies there", "Start the match", "Hand in view"} <= found
    assert set(SENTENCES) <= found


def test_the_translators_see_what_is_refused_on_the_pages() -> None:
    found = extracted()
    assert "no picture comes in: tap the cards in instead" in found
    assert "round %(number)s is not closed: wanted 1 to %(last)s" in found
    assert "%(card)s exists once" in found


def test_a_language_that_is_not_there_falls_back_to_english(client: FlaskClient) -> None:
    answer = client.get("/table/", headers={"Accept": "text/html", "Accept-Language": "tlh"})
    assert '<html lang="en" dir="ltr">' in answer.get_data(as_text=True)
