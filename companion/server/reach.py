"""Where this page is found: the addresses for the other phones at the table, and a picture of one.

>>> from companion.settings import Settings
>>> addresses(Settings(host="127.0.0.1", port=8765))
['http://127.0.0.1:8765/']
"""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache

import segno

from companion.settings import Settings

_EVERYWHERE = {"", "0.0.0.0", "::"}
_NO_PACKET_IS_SENT = ("192.0.2.1", 9)
"""An address kept for documentation: asking for the way there sends nothing."""


def addresses(settings: Settings) -> list[str]:
    """Addresses of the page, the likeliest to work for a phone first; never empty."""
    if settings.host not in _EVERYWHERE:
        return [_url(settings.host, settings.port)]
    found = [place for place in _own_places() if not ipaddress.ip_address(place).is_loopback]
    return [_url(place, settings.port) for place in [*found, "127.0.0.1"]]


def _own_places() -> list[str]:
    places: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_NO_PACKET_IS_SENT)
            places.append(way.getsockname()[0])
        except OSError:
            pass
    try:
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        named = []
    return list(dict.fromkeys([*places, *(str(place[4][0]) for place in named)]))


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


@lru_cache(maxsize=8)
def qr_svg(address: str) -> str:
    """An address as a QR code, an SVG element with its own white ground."""
    code = segno.make(address, error="m", micro=False)
    return str(code.svg_inline(scale=4, border=3, dark="#000", light="#fff", omitsize=True))
