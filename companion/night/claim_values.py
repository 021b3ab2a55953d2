"""What a claim keeps beside its cards: what was asked, and which play was doubted.

>>> str(Asking("show me the card that is %(cards)s", (("cards", "blue 2 or blue 3"),), "card"))
'show me the card that is blue 2 or blue 3'
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asking:
    """What the referee wants to be shown or told; one tap on an option answers it.

    Attributes:
        template: the question as an English sentence; ``str(asking) == template % dict(values)``.
        about: ``card``, ``presence``, ``target``, ``hand``, ``tweak`` or ``play``.
        place: which card of the claim's table it is about, from 0; None for anything else.
        options: what it may be, likeliest first, as texts (``B2``, ``#9``, ``joker+1``; a hand
            card that nobody saw ``5``).
    """

    template: str
    values: tuple[tuple[str, str], ...] = ()
    about: str = ""
    place: int | None = None
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.template % dict(self.values)


@dataclass(frozen=True, slots=True)
class PlaySeen:
    """The play that a claim doubts, as two still pictures show it.

    Attributes:
        step: the step of the story that it is; 0 for one that was under way.
        taken: places (from 0) of the cards that went, among the claim's table cards.
        beside: place of the card laid last, where it went with them; None where none did.
        laid: the readings of the cards that came.
        jokers: whether its player can have had a Joker.
        over: False while no still picture shows how it ended.
    """

    step: int
    taken: tuple[int, ...] = ()
    beside: int | None = None
    laid: tuple[str, ...] = ()
    jokers: bool = False
    over: bool = True
