"""``/health`` for machines."""

from __future__ import annotations

from flask.testing import FlaskClient


def test_health_tells_camera_and_journal(client: FlaskClient) -> None:
    told = client.get("/health").get_json()
    assert told["ok"] is True
    assert told["journal"] == 60
    assert told["camera"] == {"wanted": True, "ok": True, "reason": ""}
    assert told["state"] == "still"
