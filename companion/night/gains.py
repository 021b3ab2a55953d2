"""T! cards as they are counted, beside what the story of the round says each player has won.

The story is told from what the camera saw, so this only names a difference: nothing waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.night.matches import rules_of
from companion.night.tallies import tweaks_of
from companion.night.values import MatchNow
from companion.rules.editions import TWEAK_COUNTS
from companion.table.story import Story


@dataclass(frozen=True, slots=True)
class TweakGap:
    """A player whose T! cards are not as many as the story tells.

    Attributes:
        counted: T! cards counted or told for the player so far.
        least: the fewest that the story allows.
        most: the most, None where the story does not know all of the round.
    """

    player: str
    counted: int
    least: int
    most: int | None


def tweak_gaps(match: MatchNow, story: Story) -> tuple[TweakGap, ...]:
    """Every player of the open round whose T! cards differ from the story's (rules T5, P4).

    Empty where the story saw no play, is of other players, or tells of more TWEAKs than the box
    has T! cards: then some of them have won none (rule D4).
    """
    gained = story.tweaks_gained
    box = sum(TWEAK_COUNTS[rules_of(match).edition].values())
    if len(gained) != len(match.players) or sum(least for least, _ in gained) > box:
        return ()
    found = []
    for count, (least, most) in zip(match.counting, gained, strict=True):
        counted = len(tweaks_of(count))
        if counted < least or (most is not None and counted > most):
            found.append(TweakGap(count.player, counted, least, most))
    return tuple(found)
