"""What happened at the table, as the law tells it: deeds, tales to choose from, a round's standing.

Card texts are kept as they were read (``R5?O5``). A hand card that went straight into the pile
has its value alone (``5``): its colour was not seen.

>>> deed = Happening(Deed.SUM, seat=0, cards=("R1", "Y3"), hand="5", target=9, rules=("T1",))
>>> str(deed)
'a 5 from the hand, colour not seen, and R1 + Y3 make 9'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from companion.table.values import EventKind, TableEvent
from companion.vision.values import Reading


class Deed(Enum):
    """What players do, as far as a table tells it."""

    DEALT = "dealt"
    LAID = "laid"
    SUM = "sum"
    TWEAK = "tweak"
    FILLED = "filled"
    THIEF = "thief"
    BOMB = "bomb"
    SHIFTER = "shifter"
    GAINED = "gained"
    TARGET = "target"
    DECK_GONE = "deck gone"
    ROUND_OVER = "round over"
    CLEARED = "cleared"
    TAKEN = "taken"
    BACK = "back"
    AGAIN = "again"
    NOTHING = "nothing"


ENDS_TURN = frozenset({Deed.LAID, Deed.SUM, Deed.TWEAK, Deed.TAKEN})
WINS = frozenset({Deed.SUM, Deed.TWEAK, Deed.TAKEN})
PLAYS_TWEAK = frozenset({Deed.THIEF, Deed.BOMB, Deed.SHIFTER})

SUM_OPEN = "%(hand)s and %(cards)s make %(target)s"
SUM_HIDDEN = "a %(hand)s from the hand, colour not seen, and %(cards)s make %(target)s"
SUM_UNKNOWN = "%(cards)s taken with a card not seen"
TWEAK_OPEN = "TWEAK: %(hand)s and %(cards)s make %(target)s"
TWEAK_HIDDEN = "TWEAK: a %(hand)s from the hand, colour not seen, and %(cards)s make %(target)s"
TWEAK_UNKNOWN = "TWEAK: %(cards)s taken with a card not seen"
JOKERS: Mapping[str, str] = MappingProxyType(
    {
        template: template + ", with a Joker"
        for template in (SUM_OPEN, SUM_HIDDEN, TWEAK_OPEN, TWEAK_HIDDEN)
    }
)
_DEED_TEMPLATES: Mapping[Deed, str] = MappingProxyType(
    {
        Deed.DEALT: "%(cards)s dealt",
        Deed.LAID: "%(cards)s laid",
        Deed.FILLED: "table filled with %(cards)s",
        Deed.THIEF: "Thief: %(cards)s to the table",
        Deed.BOMB: "Bomb: %(cards)s to the table",
        Deed.SHIFTER: "Shifter: %(cards)s from the deck to the table",
        Deed.GAINED: "T! card gained: %(cards)s",
        Deed.TARGET: "the target is now %(target)s",
        Deed.DECK_GONE: "the deck is gone, the target stays 7",
        Deed.ROUND_OVER: "the round is over",
        Deed.CLEARED: "the table is cleared for counting",
        Deed.TAKEN: "%(cards)s taken, and no sum fits",
        Deed.BACK: "%(cards)s lay there all the time",
        Deed.AGAIN: "the table is seen again",
        Deed.NOTHING: "nothing happened, it was misread",
    }
)
TEMPLATES: tuple[str, ...] = (
    *(SUM_OPEN, SUM_HIDDEN, SUM_UNKNOWN, TWEAK_OPEN, TWEAK_HIDDEN, TWEAK_UNKNOWN),
    *JOKERS.values(),
    *_DEED_TEMPLATES.values(),
)
"""Every sentence a happening can be told in, for the translators."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened.

    Attributes:
        seat: who did it, None where neither turn order nor a tap tells.
        cards: the table cards it is about, as read.
        hand: the hand card of a sum: ``G5`` seen, ``5`` value alone, None where not even that.
        target: what the sum made (a Joker counted in), or the new target.
        tweak: ``joker+1`` or ``joker-1`` where a sum needs one.
        rules: ids of the rules that allow it, or that nothing allows it by.
        lawful: False where no rule allows it.
    """

    deed: Deed
    seat: int | None = None
    cards: tuple[str, ...] = ()
    hand: str | None = None
    target: int | None = None
    tweak: str | None = None
    rules: tuple[str, ...] = ()
    lawful: bool = True

    @property
    def hidden(self) -> bool:
        """Whether a hand card was won unseen: its value follows from the target, or not even."""
        seen = self.hand is not None and not self.hand.isdigit()
        return self.deed in WINS and not seen

    @property
    def template(self) -> str:
        """The sentence, with places for :attr:`values`."""
        if self.deed not in (Deed.SUM, Deed.TWEAK):
            return _DEED_TEMPLATES[self.deed]
        whole = self.deed is Deed.TWEAK
        if self.hand is None or self.target is None:
            return TWEAK_UNKNOWN if whole else SUM_UNKNOWN
        if self.hidden:
            chosen = TWEAK_HIDDEN if whole else SUM_HIDDEN
        else:
            chosen = TWEAK_OPEN if whole else SUM_OPEN
        return JOKERS[chosen] if self.tweak else chosen

    @property
    def values(self) -> Mapping[str, object]:
        """What goes into the sentence."""
        joint = " + " if self.deed in WINS else ", "
        return {"cards": joint.join(self.cards), "hand": self.hand, "target": self.target}

    def __str__(self) -> str:
        return self.template % self.values


@dataclass(frozen=True, slots=True)
class Tale:
    """One way to tell what happened between two settled views; ``chance`` only ranks tales."""

    happenings: tuple[Happening, ...]
    chance: float

    @property
    def lawful(self) -> bool:
        """Whether the law allows all of it."""
        return all(one.lawful for one in self.happenings)

    @property
    def key(self) -> str:
        """Names the tale among those of its step; who did it is left out."""
        return "; ".join(str(one) for one in self.happenings)

    def __str__(self) -> str:
        return self.key


@dataclass(frozen=True, slots=True)
class Setting:
    """What the story has to know of the match.

    Attributes:
        players: how many seats; 0 without a match.
        first: the seat that starts the round (rule D2), None without a match.
        clockwise: which way the turn passes.
        cards: number cards in play (rule S1) without lost ones, None where not known.
    """

    players: int = 0
    first: int | None = None
    clockwise: bool = True
    cards: int | None = None

    def after(self, seat: int | None) -> int | None:
        """The seat that plays next."""
        if seat is None or not self.players:
            return None
        return (seat + (1 if self.clockwise else -1)) % self.players


@dataclass(frozen=True, slots=True)
class Won:
    """What one sum won: cards as read, the hand card last (``5``, ``?``: its colour not seen)."""

    seat: int | None
    cards: tuple[str, ...]
    tweak: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How the round stands before a step.

    Attributes:
        playing: False while the table is still being dealt (rule S2).
        whole: whether it was followed from the deal on.
        table: the cards on the table, as read.
        target: as last read for sure, None before that.
        over: whether the table was cleared for counting; what lies there then is no play.
        seat: whose turn it is, None where not known.
        due: cards that are still to come from the deck to the emptied table (rule T7).
        laid: the hand card laid last, and who laid it: it may yet be the hand card of a sum.
        tweak_played: whether the player at turn has played a T! card (rule X1).
        played: the seat of every T! card played.
        faces: T! cards last seen face up before the players, None where none were looked for.
    """

    playing: bool = False
    whole: bool = True
    table: tuple[Reading, ...] = ()
    target: int | None = None
    deck_gone: bool = False
    over: bool = False
    seat: int | None = None
    due: int = 0
    laid: tuple[str, int | None] | None = None
    tweak_played: bool = False
    won: tuple[Won, ...] = ()
    played: tuple[int | None, ...] = ()
    faces: tuple[str, ...] | None = None

    def may_play_tweak(self, seat: int | None) -> bool:
        """Whether the player can have a T! card to play: won in an earlier turn (rule T5)."""
        if not self.whole:
            return True
        gained = [one.seat for one in self.won if one.tweak]
        if seat is None or None in gained or None in self.played:
            return len(gained) > len(self.played)
        return gained.count(seat) > self.played.count(seat)

    def by(self, seat: int | None) -> Standing:
        """The same, with another player at turn."""
        laid = None if self.laid is None else (self.laid[0], seat)
        return replace(self, seat=seat, laid=laid)


@dataclass(frozen=True, slots=True)
class Step:
    """The raw events between two settled views.

    Attributes:
        faces: T! cards seen face up after it, None where none were looked for.
    """

    events: tuple[TableEvent, ...]
    faces: tuple[str, ...] | None = None

    def cards(self, kind: EventKind) -> tuple[Reading, ...]:
        """All readings laid, or all taken."""
        return tuple(card for event in self.events if event.kind is kind for card in event.cards)

    def has(self, kind: EventKind) -> bool:
        """Whether an event of the kind is among them."""
        return any(event.kind is kind for event in self.events)

    @property
    def target(self) -> int | None:
        """The target it changed to, None where it did not or can't be read."""
        found = [event.after for event in self.events if event.kind is EventKind.TARGET]
        return found[-1] if found else None
