"""The cards of TWEAK! and their one line of text (rules C1-C4).

Every card has one text and ``parse_card(str(card)) == card``:

======================= =====================================
number card             ``R5``: colour letter, value 1-6
T! card                 ``T!thief``, or ``T!`` (kind not read)
black back              ``#9``: the target 7-10
back of a T! card       ``T!back``
the blue seven          ``=7``
======================= =====================================

>>> parse_card("R5")
NumberCard(colour=<Colour.RED: 'red'>, value=5)
>>> str(parse_card("T!joker")), str(parse_card("#9")), str(parse_card("=7"))
('T!joker', '#9', '=7')
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.errors import UnknownCard

VALUES = (1, 2, 3, 4, 5, 6)
TARGETS = (7, 8, 9, 10)


class Colour(Enum):
    """The six colours of the number cards (rule C1)."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"

    @property
    def letter(self) -> str:
        """The letter that stands for the colour in a card's text: R O Y G B P."""
        return self.name[0]


class Tweak(Enum):
    """The four kinds of T! card (rule C3)."""

    THIEF = "thief"
    JOKER = "joker"
    SHIFTER = "shifter"
    BOMB = "bomb"


class Face(Enum):
    """What a card shows: which side of which kind of card lies up."""

    NUMBER = "number"
    TARGET_BACK = "target_back"
    TWEAK = "tweak"
    TWEAK_BACK = "tweak_back"
    SEVEN = "seven"
    UNKNOWN = "unknown"


_COLOUR_BY_LETTER = {colour.letter: colour for colour in Colour}


@dataclass(frozen=True, slots=True)
class NumberCard:
    """The front of a number card: a colour and a value 1-6 (rules C1, C2)."""

    colour: Colour
    value: int

    def __post_init__(self) -> None:
        if self.value not in VALUES:
            raise UnknownCard(
                "a number card has a value from 1 to 6, not %(value)s", value=self.value
            )

    def __str__(self) -> str:
        return f"{self.colour.letter}{self.value}"

    @property
    def face(self) -> Face:
        """The side that shows."""
        return Face.NUMBER


@dataclass(frozen=True, slots=True)
class TweakCard:
    """The front of a T! card; ``kind`` is None where it could not be read (rule C3)."""

    kind: Tweak | None = None

    def __str__(self) -> str:
        return f"T!{self.kind.value if self.kind else ''}"

    @property
    def face(self) -> Face:
        """The side that shows."""
        return Face.TWEAK


@dataclass(frozen=True, slots=True)
class TargetBack:
    """The black back of a number card, showing a target 7-10 (rule C2)."""

    target: int

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise UnknownCard(
                "a black back shows a target from 7 to 10, not %(target)s", target=self.target
            )

    def __str__(self) -> str:
        return f"#{self.target}"

    @property
    def face(self) -> Face:
        """The side that shows."""
        return Face.TARGET_BACK


@dataclass(frozen=True, slots=True)
class TweakBack:
    """The back of a T! card (rule C3)."""

    def __str__(self) -> str:
        return "T!back"

    @property
    def face(self) -> Face:
        """The side that shows."""
        return Face.TWEAK_BACK


@dataclass(frozen=True, slots=True)
class BlueSeven:
    """The special blue card, 7 on both sides, under the deck (rule C4)."""

    def __str__(self) -> str:
        return "=7"

    @property
    def face(self) -> Face:
        """The side that shows."""
        return Face.SEVEN


Card: TypeAlias = NumberCard | TweakCard | TargetBack | TweakBack | BlueSeven


def parse_card(text: str) -> Card:
    """Read one card from its text; letters may be of either case.

    Raises:
        UnknownCard: the text names no card.
    """
    word = text.strip()
    upper = word.upper()
    if upper == "=7":
        return BlueSeven()
    if upper == "T!BACK":
        return TweakBack()
    if upper.startswith("T!"):
        kind = word[2:].lower()
        if kind == "" or kind in {tweak.value for tweak in Tweak}:
            return TweakCard(Tweak(kind) if kind else None)
    elif upper[:1] == "#" and upper[1:] in {str(target) for target in TARGETS}:
        return TargetBack(int(upper[1:]))
    elif len(upper) == 2 and upper[0] in _COLOUR_BY_LETTER and upper[1] in "123456":
        return NumberCard(_COLOUR_BY_LETTER[upper[0]], int(upper[1]))
    shown = text if len(text) <= 20 else text[:20] + "…"
    raise UnknownCard(
        "%(text)r is no card: wanted a colour letter ROYGBP with a value 1-6 (R5), "
        "T!thief|joker|shifter|bomb, #7-#10, T!back or =7",
        text=shown,
    )


def parse_number_card(text: str) -> NumberCard:
    """Read one number card, as in ``R5``.

    Raises:
        UnknownCard: the text names no number card.
    """
    card = parse_card(text)
    if not isinstance(card, NumberCard):
        raise UnknownCard("%(text)r is no number card: wanted one such as R5", text=text.strip())
    return card
