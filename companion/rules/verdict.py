"""What the referee says: legal, illegal or unclear, by which rules, and why.

A reason is a template with values, so that a page can translate it:
``verdict.reason == verdict.template % verdict.values``.

>>> Verdict(Ruling.ILLEGAL, ("T1",), SUM, {"sum": "5 + 1", "total": 6, "target": 7}).reason
'5 + 1 is 6, the target is 7'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from companion.rules.cards import NumberCard

SUM = "%(sum)s is %(total)s, the target is %(target)s"
SUM_TWEAK = "%(sum)s is %(total)s, the target is %(target)s, and no card is left: a TWEAK"
SUM_CARDS_LEFT = (
    "%(sum)s is %(total)s, the target is %(target)s; "
    "no T! card for saying TWEAK with cards left on the table: %(left)s"
)
SUM_NOT_SAID = (
    "%(sum)s is %(total)s, the target is %(target)s; "
    "no card is left, but TWEAK was not said: no T! card"
)
SUM_NO_STACK = (
    "%(sum)s is %(total)s, the target is %(target)s, and no card is left: "
    "a TWEAK, but no T! card is left to win"
)
SUM_NEVER = "%(sum)s is %(total)s, and no target from %(lowest)s to %(highest)s fits"
SUM_UNSEEN = "%(sum)s is %(total)s: right if the target is %(needed)s, but the target is not seen"
LAID = "%(card)s is laid on the table, no sum is claimed"

MISSPOKEN: Mapping[str, str] = {
    SUM: SUM + "; misspoken: %(said)s",
    SUM_TWEAK: SUM_TWEAK + "; misspoken: %(said)s",
    SUM_CARDS_LEFT: SUM_CARDS_LEFT + "; misspoken: %(said)s",
    SUM_NOT_SAID: SUM_NOT_SAID + "; misspoken: %(said)s",
    SUM_NO_STACK: SUM_NO_STACK + "; misspoken: %(said)s",
}
"""What a reason becomes where the words did not fit the cards (D11)."""

TEMPLATES: tuple[str, ...] = (
    *(SUM, SUM_TWEAK, SUM_CARDS_LEFT, SUM_NOT_SAID, SUM_NO_STACK, SUM_NEVER, SUM_UNSEEN, LAID),
    *MISSPOKEN.values(),
)
"""Every template that a verdict on a claim can carry, for the translators."""


class Ruling(Enum):
    """The three answers of a referee."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One answer of the referee.

    Attributes:
        ruling: legal, illegal or unclear.
        rules: ids of the rules that decide, the main one first.
        template: the reason as an English sentence with ``%(name)s`` places.
        values: what goes into the places.
        wins_tweak: whether a T! card is won (rule T5).
        won: the cards won, the hand card first; empty unless legal.
        points: of the cards won, the T! card not counted in.
    """

    ruling: Ruling
    rules: tuple[str, ...]
    template: str
    values: Mapping[str, object] = field(hash=False)
    wins_tweak: bool = False
    won: tuple[NumberCard, ...] = ()
    points: int = 0

    @property
    def reason(self) -> str:
        """Why, in one English sentence with the numbers in it."""
        return self.template % self.values

    @property
    def legal(self) -> bool:
        """Whether the answer is a plain yes."""
        return self.ruling is Ruling.LEGAL
