"""T! cards as they are played in a turn (rules X2-X5).

>>> TweakPlay("joker+1").kind.value, TweakPlay("joker-1").change, TweakPlay("bomb").change
('joker', -1, 0)
"""

from __future__ import annotations

from enum import Enum

from companion.rules.cards import Tweak


class TweakPlay(Enum):
    """A T! card as it was played in this turn, the Joker with its choice (rules X2-X5)."""

    JOKER_UP = "joker+1"
    JOKER_DOWN = "joker-1"
    THIEF = "thief"
    BOMB = "bomb"
    SHIFTER = "shifter"

    @property
    def kind(self) -> Tweak:
        """The card that is played."""
        return Tweak(self.value.rstrip("+-1"))

    @property
    def change(self) -> int:
        """What it does to the target: +1, -1 or 0."""
        return {TweakPlay.JOKER_UP: 1, TweakPlay.JOKER_DOWN: -1}.get(self, 0)
