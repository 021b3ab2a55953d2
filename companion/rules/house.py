"""Where the sheets are silent: our readings D1-D11, as settings of a match.

>>> HouseRules().tie, HouseRules(strict_speech=True).strict_speech
('extra round', True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Literal

from companion.errors import BadSetting

CHOICES: Mapping[str, tuple[str, tuple[object, ...]]] = MappingProxyType(
    {
        "tie": ("D1", ("extra round", "shared")),
        "first": ("D2", ("left of dealer", "right of dealer", "dealer")),
        "direction": ("D2", ("clockwise", "anticlockwise")),
        "late_tweak": ("D3", ("until draw", "with the sum")),
        "empty_stack": ("D4", ("sum stands", "no sum")),
        "shifter_without_deck": ("D5", ("refused", "wasted")),
        "empty_victim": ("D6", ("refused", "wasted")),
        "tweak_without_sum": ("D7", ("allowed", "refused")),
        "short_hand": ("D8", ("until own turn ends", "drawn at once")),
        "tweak_with_cards_left": ("D9", ("sum stands", "no sum")),
        "tweak_not_said": ("D10", ("no T! card", "T! card")),
        "strict_speech": ("D11", (False, True)),
    }
)
"""Every setting: the id of the question, and its answers with the default first."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Our answers where the sheets are silent; each default is the one on the rules page.

    Attributes:
        tie: D1, level at the top over the threshold: one more round, or shared.
        first: D2, who plays first.
        direction: D2, which way the turn goes round.
        late_tweak: D3, until when "TWEAK" may be said.
        empty_stack: D4, what a TWEAK is worth once the T! stack is empty.
        shifter_without_deck: D5, whether a Shifter can be played with the deck gone.
        empty_victim: D6, whether a Thief may be played on an empty hand (to no effect);
            a Bomb passes over empty hands either way, and is refused if all are empty.
        tweak_without_sum: D7, whether a card may be laid after a T! card; where refused,
            only if no sum was possible.
        short_hand: D8, when a victim's hand is filled again.
        tweak_with_cards_left: D9, what "TWEAK" said with a card left does to the sum.
        tweak_not_said: D10, whether taking everything wins a T! card without the word.
        strict_speech: D11, whether wrong arithmetic said aloud makes a right sum illegal.
    """

    tie: Literal["extra round", "shared"] = "extra round"
    first: Literal["left of dealer", "right of dealer", "dealer"] = "left of dealer"
    direction: Literal["clockwise", "anticlockwise"] = "clockwise"
    late_tweak: Literal["until draw", "with the sum"] = "until draw"
    empty_stack: Literal["sum stands", "no sum"] = "sum stands"
    shifter_without_deck: Literal["refused", "wasted"] = "refused"
    empty_victim: Literal["refused", "wasted"] = "refused"
    tweak_without_sum: Literal["allowed", "refused"] = "allowed"
    short_hand: Literal["until own turn ends", "drawn at once"] = "until own turn ends"
    tweak_with_cards_left: Literal["sum stands", "no sum"] = "sum stands"
    tweak_not_said: Literal["no T! card", "T! card"] = "no T! card"
    strict_speech: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            rule, answers = CHOICES[field.name]
            given = getattr(self, field.name)
            if not any(given is answer or given == answer for answer in answers):
                wanted = " or ".join(str(answer).lower() for answer in answers)
                raise BadSetting(f"{field.name} ({rule}) is {wanted}, not {str(given)[:40]!r}")


DEFAULTS = HouseRules()
"""Our reading of every question, for a match that has not chosen another."""
