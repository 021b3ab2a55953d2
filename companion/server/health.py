"""``/health``: whether the page answers, and how camera and journal are, for machines."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from companion.server.desk import desk

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def show() -> ResponseReturnValue:
    """One JSON object; 200 as long as the page can show the journal."""
    snapshot = desk().session.snapshot()
    return jsonify(
        {
            "ok": True,
            "journal": snapshot.id,
            "camera": {
                "wanted": snapshot.camera.wanted,
                "ok": snapshot.camera.ok,
                "reason": snapshot.camera.reason,
            },
            "state": snapshot.live.state.value,
            "trouble": snapshot.trouble,
        }
    )
