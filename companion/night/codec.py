"""How the night's values are written into payloads, and read back: plain JSON, nothing lost.

>>> verdict = Verdict(Ruling.LEGAL, ("T6",), "%(card)s is laid", {"card": "G5"})
>>> verdict_from_json(verdict_to_json(verdict)) == verdict
True
>>> seen_to_json(SeenCard("R5", sure=True))
{'text': 'R5', 'sure': True, 'place': 'table'}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.night.claim_values import Asking, PlaySeen
from companion.night.values import Declared, SeenCard
from companion.rules.cards import parse_card, parse_number_card
from companion.rules.verdict import Ruling, Verdict
from companion.table.values import SINGLE_ZONES, Zones
from companion.vision.values import Quad, Reading, Sighting, parse_reading

PLACES = 4
"""Decimal places of fractions and probabilities in the journal."""


def alternatives_of(reading: Reading) -> tuple[tuple[str, float], ...]:
    """The plausible cards as texts with probabilities, best first."""
    return tuple((str(card), round(score, PLACES)) for card, score in reading.options)


def seen_card(
    sighting: Sighting, width_px: int, height_px: int, *, place: str = "table"
) -> SeenCard:
    """A sighting as the page shows it, its quad in fractions of the picture."""
    return SeenCard(
        text=str(sighting.reading),
        sure=sighting.reading.sure,
        place=place,
        quad=_quad([(x / width_px, y / height_px) for x, y in sighting.quad_px]),
        alternatives=alternatives_of(sighting.reading),
    )


def tapped_card(text: str) -> SeenCard:
    """A card given by tap; doubtful texts (``R5?O5``) stay doubtful."""
    reading = parse_reading(text)
    return SeenCard(text=str(reading), sure=reading.sure, alternatives=alternatives_of(reading))


def reading_of(card: SeenCard) -> Reading:
    """The reading that a seen card stands for, with the probabilities that were kept.

    >>> str(reading_of(SeenCard("B2?B3", sure=False, alternatives=(("B2", 0.6), ("B3", 0.35)))))
    'B2?B3'
    """
    if not card.alternatives:
        return parse_reading(card.text)
    options = tuple((parse_card(text), score) for text, score in card.alternatives)
    return Reading(options=options, sure=card.sure)


def seen_to_json(card: SeenCard) -> dict[str, Any]:
    """A seen card as JSON; what it lacks is left out."""
    found: dict[str, Any] = {"text": card.text, "sure": card.sure, "place": card.place}
    if card.quad is not None:
        found["quad"] = [list(point) for point in card.quad]
    if card.alternatives:
        found["alternatives"] = [list(pair) for pair in card.alternatives]
    if card.found < 1.0:
        found["found"] = round(card.found, PLACES)
    return found


def seen_from_json(found: Mapping[str, Any]) -> SeenCard:
    """Read a seen card back."""
    return SeenCard(
        text=str(found["text"]),
        sure=bool(found["sure"]),
        place=str(found.get("place", "table")),
        quad=quad_from_json(found.get("quad")),
        alternatives=alternatives_from_json(found.get("alternatives", ())),
        found=float(found.get("found", 1.0)),
    )


def alternatives_from_json(found: Sequence[Sequence[Any]]) -> tuple[tuple[str, float], ...]:
    """Read alternatives back."""
    return tuple((str(text), float(score)) for text, score in found)


def quad_from_json(found: Sequence[Sequence[float]] | None) -> Quad | None:
    """Read a quad back; None stays None."""
    return None if found is None else _quad(found)


def zones_to_json(zones: Zones) -> dict[str, Any]:
    """The zones as JSON."""
    known = dict(zones.named())
    # Only deck and table are always written: the others came later, and old readers ignore them.
    written: dict[str, Any] = dict.fromkeys(("deck", "table"))
    return written | {name: [list(point) for point in quad] for name, quad in known.items()}


def zones_from_json(found: Mapping[str, Any]) -> Zones:
    """Read the zones back."""
    zones = Zones()
    for name, corners in found.items():
        kind = name.partition(" ")[0]
        if corners is not None and (name in SINGLE_ZONES or kind in ("faces", "pile")):
            zones = zones.put(name, quad_from_json(corners))
    return zones


def zones_apart(before: Zones, after: Zones) -> tuple[tuple[str, Quad | None], ...]:
    """The zones that lie elsewhere after, as far as that can be written; None: unknown there.

    >>> one: Quad = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5))
    >>> zones_apart(Zones(deck=one, tray=one), Zones(tray=one))
    (('deck', None),)
    """
    old, new = (dict(zones_from_json(zones_to_json(zones)).named()) for zones in (before, after))
    names = dict.fromkeys((*old, *new))
    return tuple((name, new.get(name)) for name in names if old.get(name) != new.get(name))


def declared_to_json(declared: Declared) -> dict[str, Any]:
    """A declaration as JSON."""
    return {
        "hand": declared.hand,
        "taken": list(declared.taken),
        "said_tweak": declared.said_tweak,
        "tweak": declared.tweak,
        "spoken": declared.spoken,
    }


def declared_from_json(found: Mapping[str, Any]) -> Declared:
    """Read a declaration back."""
    return Declared(
        hand=found["hand"],
        taken=tuple(str(text) for text in found["taken"]),
        said_tweak=bool(found["said_tweak"]),
        tweak=found["tweak"],
        spoken=found["spoken"],
    )


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON, its reason's template and values kept for other languages."""
    return {
        "ruling": verdict.ruling.value,
        "rules": list(verdict.rules),
        "template": verdict.template,
        "values": {name: _plain(value) for name, value in verdict.values.items()},
        "wins_tweak": verdict.wins_tweak,
        "won": [str(card) for card in verdict.won],
        "points": verdict.points,
    }


def verdict_from_json(found: Mapping[str, Any]) -> Verdict:
    """Read a verdict back."""
    return Verdict(
        ruling=Ruling(found["ruling"]),
        rules=tuple(found["rules"]),
        template=str(found["template"]),
        values=dict(found["values"]),
        wins_tweak=bool(found["wins_tweak"]),
        won=tuple(parse_number_card(text) for text in found["won"]),
        points=int(found["points"]),
    )


def asking_to_json(asking: Asking | None) -> dict[str, Any]:
    """A question as JSON; an empty template says that nothing is asked."""
    if asking is None:
        return {"template": "", "values": {}}
    return {
        "template": asking.template,
        "values": dict(asking.values),
        "about": asking.about,
        "place": asking.place,
        "options": list(asking.options),
    }


def asking_from_json(found: Mapping[str, Any] | None) -> Asking | None:
    """Read a question back; None where nothing was asked."""
    if not found or not found["template"]:
        return None
    place = found.get("place")
    return Asking(
        template=str(found["template"]),
        values=tuple((str(name), str(value)) for name, value in found["values"].items()),
        about=str(found.get("about", "")),
        place=None if place is None else int(place),
        options=tuple(map(str, found.get("options", ()))),
    )


def play_to_json(play: PlaySeen) -> dict[str, Any]:
    """A doubted play as JSON."""
    return {
        "step": play.step,
        "taken": list(play.taken),
        "beside": play.beside,
        "laid": list(play.laid),
        "jokers": play.jokers,
        "over": play.over,
    }


def play_from_json(found: Mapping[str, Any] | None) -> PlaySeen | None:
    """Read a doubted play back; None for a claim."""
    if not found:
        return None
    return PlaySeen(
        step=int(found["step"]),
        taken=tuple(map(int, found["taken"])),
        beside=None if found["beside"] is None else int(found["beside"]),
        laid=tuple(map(str, found["laid"])),
        jokers=bool(found["jokers"]),
        over=bool(found["over"]),
    )


def _quad(points: Sequence[Sequence[float]]) -> Quad:
    a, b, c, d = (
        (round(float(point[0]), PLACES), round(float(point[1]), PLACES)) for point in points
    )
    return (a, b, c, d)


def _plain(value: object) -> object:
    return value if isinstance(value, (int, float, str)) or value is None else str(value)
