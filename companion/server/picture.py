"""``/picture``: the live picture with its outlines, and the pictures kept as evidence."""

from __future__ import annotations

import json
import re

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from companion.errors import NotFound
from companion.night.values import Snapshot
from companion.server.desk import desk
from companion.server.faces import face, zone_words

blueprint = Blueprint("picture", __name__, url_prefix="/picture")

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FOR_EVER = "public, max-age=31536000, immutable"


@blueprint.get("/live")
def live() -> ResponseReturnValue:
    """The newest picture; 204 where the reader has it already (``?after=NUMBER``).

    The outlines travel with it in the header ``X-Look`` (JSON), so that both are of one moment.

    Raises:
        NotFound: there is no camera, or it has given no picture yet.
    """
    newest = desk().session.live_jpeg()
    if newest is None:
        raise NotFound("there is no live picture: no camera gives one")
    number, jpeg = newest
    if request.args.get("after") == str(number):
        return Response(status=204, headers={"Cache-Control": "no-store"})
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Picture"] = str(number)
    response.headers["X-Look"] = json.dumps(_look(desk().session.snapshot()))
    return response


@blueprint.get("/<sha256>.jpg")
def kept(sha256: str) -> ResponseReturnValue:
    """A picture of the journal, named by what it is, and so the same for ever.

    Raises:
        NotFound: the journal has none of that name.
    """
    if _SHA256.fullmatch(sha256) is None:
        raise NotFound("there is no picture of that name")
    if request.if_none_match.contains(sha256):
        return Response(status=304, headers={"Cache-Control": _FOR_EVER})
    response = Response(desk().session.picture(sha256), mimetype="image/jpeg")
    response.headers["Cache-Control"] = _FOR_EVER
    response.set_etag(sha256)
    return response


def _look(snapshot: Snapshot) -> dict[str, object]:
    now = snapshot.live
    cards = [
        {
            "text": seen.text,
            "card": face(seen.text).card,
            "name": face(seen.text).name,
            "kind": face(seen.text).kind,
            "sure": seen.sure,
            "place": seen.place,
            "quad": [[round(x, 4), round(y, 4)] for x, y in seen.quad],
        }
        for seen in now.sightings
        if seen.quad is not None
    ]
    return {
        "width": now.width_px,
        "height": now.height_px,
        "cards": cards,
        "zones": [
            {
                "name": name,
                "label": zone_words(name),
                "quad": [[round(x, 4), round(y, 4)] for x, y in quad],
            }
            for name, quad in snapshot.zones.named()
        ],
    }
