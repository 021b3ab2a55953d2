"""The rules page: every id of the law, in our own words."""

from __future__ import annotations

from flask.testing import FlaskClient
from markupsafe import escape

from companion.rules.book import RULES


def test_every_rule_is_on_the_page(client: FlaskClient) -> None:
    shown = client.get("/rules/", headers={"Accept": "text/html"}).get_data(as_text=True)
    for rule, words in RULES.items():
        assert f'id="{rule}"' in shown
        assert str(escape(words)) in shown
