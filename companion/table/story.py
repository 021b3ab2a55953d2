"""The story of one round: raw events in, what happened out, with a running score.

A lawful proposal is entered at once and stays open to another choice; what no rule allows counts
for nobody until the players say so. A choice about an earlier step is told anew from there on.

>>> from companion.table.values import EventKind, TableEvent, parse_reading
>>> def seen(kind, *cards, after=None):
...     readings = tuple(map(parse_reading, cards))
...     return TableEvent(EventKind(kind), 0.0, 0, readings, after=after)
>>> story = Story(Setting(players=2, first=0))
>>> story = story.saw(1, Step((seen("laid", "R1"), seen("laid", "Y3"), seen("target", after=9))))
>>> story = story.saw(5, Step((seen("taken", "R1", "Y3"),)))
>>> str(story.told[-1].tale)
'TWEAK: a 5 from the hand, colour not seen, and R1 + Y3 make 9'
>>> [str(line) for line in story.running]
['10-11', '0']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from companion.errors import BadInput, NotFound
from companion.rules.cards import VALUES, Colour, NumberCard
from companion.rules.editions import END_TARGET, TABLE_SIZE, number_copies
from companion.rules.scoring import points_of
from companion.table.story_law import came_back, left_on, tales_of
from companion.table.story_values import (
    ENDS_TURN,
    PLAYS_TWEAK,
    WINS,
    Deed,
    Happening,
    Setting,
    Standing,
    Step,
    Tale,
    Won,
)
from companion.table.values import EventKind, parse_reading

TWEAK_POINTS = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """What the players tapped: the tale's key, and whose turn it was; None: as proposed."""

    key: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """One step, told.

    Attributes:
        id: names the step: the journal number of its first raw event.
        before: how the round stood before it.
        tales: all that fit, the proposal first.
        choice: what the players tapped, None where nobody did.
        returned: whether its cards were seen in their place again, so that nothing happened.
    """

    id: int
    step: Step
    before: Standing
    tales: tuple[Tale, ...]
    choice: Choice | None = None
    returned: bool = False

    @property
    def tale(self) -> Tale:
        """The tale in force: as chosen, else the proposal."""
        key = self.choice.key if self.choice else None
        return next((tale for tale in self.tales if tale.key == key), self.tales[0])

    @property
    def others(self) -> tuple[Tale, ...]:
        """The tales that are one tap away."""
        return tuple(tale for tale in self.tales if tale is not self.tale)

    @property
    def entered(self) -> bool:
        """Whether it counts: lawful, or chosen by the players."""
        chosen = self.choice is not None and self.choice.key is not None
        return not self.returned and (chosen or self.tale.lawful)


@dataclass(frozen=True, slots=True)
class Running:
    """What a player has won so far this round, T! cards counted in (rules P1-P4).

    Attributes:
        seat: None for what somebody won, nobody knows who.
        low: the least it can be worth; equal to ``high`` where every colour is known.
    """

    seat: int | None
    cards: int
    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Story:
    """One round as far as it was seen; immutable."""

    setting: Setting = field(default_factory=Setting)
    told: tuple[Told, ...] = ()
    standing: Standing = field(default_factory=Standing)

    def saw(self, id: int, step: Step) -> Story:
        """One more step between two settled views; the same ``id`` again grows that step."""
        if self.told and self.told[-1].id == id:
            last = self.told[-1]
            return self._up_to(len(self.told) - 1, last.before)._tell(id, step, last.choice)
        return self._tell(id, step, None)

    def choose(self, id: int, choice: Choice) -> Story:
        """The players say what happened, or who did it; every later step is told anew.

        Raises:
            NotFound: the story has no such step.
            BadInput: the step has no such tale, or the match no such seat.
        """
        places = [place for place, told in enumerate(self.told) if told.id == id]
        if not places:
            raise NotFound("that step is not of this round")
        if choice.seat is not None and not 0 <= choice.seat < self.setting.players:
            raise BadInput("seat %(seat)s is not in this match", seat=choice.seat + 1)
        old = self.told[places[0]]
        if choice.key is not None and choice.key not in {tale.key for tale in old.tales}:
            raise BadInput("that is none of the ways in which it can have happened")
        was = old.choice or Choice()
        merged = Choice(
            was.key if choice.key is None else choice.key,
            was.seat if choice.seat is None else choice.seat,
        )
        story = self._up_to(places[0], old.before)
        for told in self.told[places[0] :]:
            story = story._tell(told.id, told.step, merged if told.id == id else told.choice)
        return story

    @property
    def running(self) -> tuple[Running, ...]:
        """What every player has won so far, and last what nobody knows who won."""
        out = self._cards_out()
        seats: list[int | None] = list(range(self.setting.players))
        if any(won.seat is None for won in self.standing.won):
            seats.append(None)
        lines: list[Running] = []
        for seat in seats:
            heaps = [won for won in self.standing.won if won.seat == seat]
            worth = [_worth(text, out) for won in heaps for text in won.cards]
            extra = TWEAK_POINTS * sum(won.tweak for won in heaps)
            low, high = (sum(pair[side] for pair in worth) + extra for side in (0, 1))
            lines.append(Running(seat, len(worth), low, high))
        return tuple(lines)

    @property
    def tweaks_gained(self) -> tuple[tuple[int, int | None], ...]:
        """How many T! cards each player has won (rule T5): the least, and the most.

        The most is None where a part of the round was not seen, or is told by no rule. Empty
        where no play was seen at all.
        """
        if not any(told.before.playing for told in self.told):
            return ()
        gained = [won.seat for won in self.standing.won if won.tweak]
        odd = any(_is_open(told) for told in self.told)
        known = self.standing.whole and not odd
        least = [gained.count(seat) for seat in range(self.setting.players)]
        return tuple((many, many + gained.count(None) if known else None) for many in least)

    def _up_to(self, count: int, standing: Standing) -> Story:
        kept = self.told[:count]
        if kept:
            kept = (*kept[:-1], replace(kept[-1], returned=False))
        return replace(self, told=kept, standing=standing)

    def _tell(self, id: int, step: Step, choice: Choice | None) -> Story:
        now = self.standing
        if choice is not None and choice.seat is not None:
            now = now.by(choice.seat)
        tales = tales_of(step, now, self.setting)
        last = self.told[-1] if self.told else None
        back = came_back(step, last.step) if last is not None and last.choice is None else None
        tales = tales if back is None else (back, *tales)
        told = Told(id, step, self.standing, tales, choice)
        earlier = self.told
        if back is not None and last is not None and told.tale is back:
            now, earlier = last.before, (*self.told[:-1], replace(last, returned=True))
        after = self._after(told, now, self.standing)
        return replace(self, told=(*earlier, told), standing=after)

    def _after(self, told: Told, now: Standing, seen: Standing) -> Standing:
        """How the round stands after a step: cards and target as seen, the rest as told."""
        for happening in told.tale.happenings:
            now = _entered(happening, now, self.setting, told.entered)
        step = told.step
        laid = step.cards(EventKind.LAID)
        again = told.tale.happenings[:1] == (Happening(Deed.AGAIN),)
        kept = () if again else left_on(seen.table, step.cards(EventKind.TAKEN))
        gone = seen.deck_gone or step.has(EventKind.DECK_GONE)
        target = END_TARGET if gone else step.target or seen.target
        faces = seen.faces if step.faces is None else step.faces
        now = replace(now, table=(*kept, *laid), target=target, deck_gone=gone, faces=faces)
        if step.has(EventKind.CLEARED):
            return Standing(won=now.won, over=True, whole=now.whole)
        if now.over and step.target is not None:
            now = replace(now, over=False, won=())
        if not (now.playing or now.over) and len(now.table) >= TABLE_SIZE:
            whole = len(now.table) == TABLE_SIZE
            seat = self.setting.first if now.seat is None and whole else now.seat
            now = replace(now, playing=True, whole=whole, seat=seat)
        return replace(now, due=0) if gone else now

    @property
    def hands_left(self) -> int | None:
        """Cards still in hands, once the deck is gone (rule E1); None where it can't be told."""
        now = self.standing
        if not (now.deck_gone and now.whole and self.setting.cards):
            return None
        won = sum(len(one.cards) for one in now.won)
        return max(0, self.setting.cards - won - len(now.table))

    @property
    def over(self) -> bool:
        """Whether the round is over: deck gone and every hand empty, or the table cleared."""
        return self.standing.over or self.hands_left == 0

    def _cards_out(self) -> tuple[str, ...]:
        """The texts of all cards that were seen for sure: no unseen card can be one of them."""
        return tuple(_seen_cards(self.standing))


def _is_open(told: Told) -> bool:
    """Whether cards were won in a step that counts for nobody yet."""
    wins = any(one.deed in WINS for one in told.tale.happenings)
    return wins and not told.entered and not told.returned


def _seen_cards(now: Standing) -> Iterator[str]:
    for won in now.won:
        yield from won.cards
    for reading in now.table:
        yield str(reading)


def _entered(one: Happening, now: Standing, setting: Setting, counts: bool) -> Standing:
    """The standing after one happening; what does not count leaves the turn unknown."""
    if not counts:
        return replace(now, seat=None, laid=None) if one.deed in ENDS_TURN else now
    if one.deed in PLAYS_TWEAK:
        return replace(now, tweak_played=True, played=(*now.played, one.seat))
    if one.deed is Deed.FILLED:
        return replace(now, due=max(0, now.due - len(one.cards)))
    if one.deed not in ENDS_TURN:
        return now
    following = replace(now, seat=setting.after(one.seat), tweak_played=False, laid=None)
    if one.deed is Deed.LAID:
        return replace(following, laid=(one.cards[-1], one.seat))
    if one.tweak:
        following = replace(following, played=(*now.played, one.seat))
    whole = one.deed is Deed.TWEAK or "D10" in one.rules
    won = Won(one.seat, (*one.cards, one.hand or "?"), one.deed is Deed.TWEAK)
    due = TABLE_SIZE if whole and not now.deck_gone else 0
    return replace(following, won=(*now.won, won), due=due)


def _worth(text: str, out: tuple[str, ...]) -> tuple[int, int]:
    """The least and the most that a card won can be worth; ``5`` and ``?`` have no colour."""
    if text.isdigit() or text == "?":
        values = VALUES if text == "?" else (int(text),)
        cards = [
            card
            for card in (NumberCard(colour, value) for colour in Colour for value in values)
            if out.count(str(card)) < number_copies(card)
        ]
    else:
        cards = [card for card in parse_reading(text).plausible if isinstance(card, NumberCard)]
    worth = [points_of(card) for card in cards] or [1, 5]
    return min(worth), max(worth)
