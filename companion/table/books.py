"""The books of a round: every number card in play lies in one pile, or on the table, or is missing.

A card that is seen too often is named, with every place where it was seen. A doubtful card is
answered by the books only where hardly anything else fits; where two stories fit, it is asked.
What was read is not touched: answers stand beside it.

>>> from companion.rules.cards import parse_card
>>> red, orange = parse_card("R5"), parse_card("O5")
>>> books = balance(Deck(Edition.CARDS_65, (Colour.RED, Colour.ORANGE)), [
...     Entry("1.0", ((red, 1.0),), sure=True, said=True),
...     Entry("1.1", ((red, 0.6), (orange, 0.4)), sure=False),
... ])
>>> str(books.answers["1.1"].card), len(books.missing)
('O5', 16)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from companion.rules.accounts import account
from companion.rules.cards import Card, Colour, NumberCard, TweakCard
from companion.rules.editions import TWEAK_COUNTS, Edition, number_cards
from companion.rules.scoring import points_of
from companion.table.chances import marginals

SETTLED = 0.99
"""From this probability on an answer is the only one that fits."""

WORTH_NAMING = 0.01
_LEAST = 0.001
_NONE_LEAST = 1e-4
_STRANGER = 0.05
"""How seldom something that is laid down to be counted is none of our cards."""
_UNSEEN = 0.01
"""How seldom a card that is laid down is not seen: where as many number cards were counted as there
are, a thing that is none of them takes the place of one that was not seen."""
_MISREAD, _MISREAD_TWICE = 0.001, 1e-5
"""How seldom a card that was read for sure is a certain other one of its colour or value, and one
of neither, whatever the eyes thought of."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What exists in a round (rules C1, C3, S1)."""

    edition: Edition
    colours: tuple[Colour, ...]

    def room(self) -> Counter[Card]:
        """How often each card exists; a T! card whose kind is not known as often as all of them."""
        room: Counter[Card] = Counter(number_cards(self.colours))
        kinds = TWEAK_COUNTS[self.edition]
        room.update({TweakCard(kind): count for kind, count in kinds.items()})
        room[TweakCard()] = sum(kinds.values())
        return room


@dataclass(frozen=True, slots=True)
class Entry:
    """One card that was counted.

    Attributes:
        key: names it.
        options: what it may be with probabilities, best first; they need not add up to 1, the
            rest is that it is none of our cards.
        sure: whether its reading may be used without asking.
        said: whether the players said what it is, so that nothing doubts it.
        scores: False for a card left on the table: whatever it is, it is worth nothing (E2).
        fixed: whether it counts as what it was read as till somebody says otherwise.
    """

    key: str
    options: tuple[tuple[Card, float], ...]
    sure: bool
    said: bool = False
    scores: bool = True
    fixed: bool = False

    @property
    def card(self) -> Card | None:
        """What it counts as before the books are asked."""
        return self.options[0][0] if self.options and (self.sure or self.said) else None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the books say of a doubtful card.

    Attributes:
        card: what it is, None where that stays open.
        points: what it is worth, None where that stays open; several cards may be worth the same.
        fits: the cards that fit, likeliest first.
    """

    card: Card | None
    points: int | None
    fits: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Twice:
    """A card that was seen more often than it exists.

    Attributes:
        card: the card.
        exists: how often it does; 0 for a colour that is not in play.
        keys: every entry that counts as it and that was not said by the players; where the
            players said all of them, those.
        instead: missing cards that one of them may be, likeliest first.
        settled: whether nothing hangs on it: all other cards are there, one of the keys is the card
            that is missing, and each of them is worth the same as that or is known.
    """

    card: Card
    exists: int
    keys: tuple[str, ...]
    instead: tuple[Card, ...] = ()
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Books:
    """How a round adds up.

    Attributes:
        counted: how many number cards were counted, doubtful ones among them.
        in_play: how many there are.
        missing: cards that no entry is, with those that a doubtful entry may be.
        explained: how many of the missing cards entries that are still open may be.
        twice: cards seen too often.
        answers: by key, what the books say of each doubtful entry, and of those that were read
            for sure and cannot all be what they were read as.
        gone: cards that no entry is and that the players said are lost; not among the missing.
    """

    counted: int = 0
    in_play: int = 0
    missing: tuple[NumberCard, ...] = ()
    explained: int = 0
    twice: tuple[Twice, ...] = ()
    answers: Mapping[str, Answer] = field(default_factory=lambda: MappingProxyType({}))
    gone: tuple[NumberCard, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The doubtful entries whose worth stays open."""
        return tuple(key for key, answer in self.answers.items() if answer.points is None)

    @property
    def balanced(self) -> bool:
        """Whether every card is where it can be, and nothing waits."""
        return all(one.settled for one in self.twice) and not self.asked and not self.lost

    @property
    def lost(self) -> tuple[NumberCard, ...]:
        """The missing cards, where open entries cannot be all of them."""
        return () if len(self.missing) == self.explained else self.missing


def balance(deck: Deck, entries: Sequence[Entry], lost: Sequence[NumberCard] = ()) -> Books:
    """Open the books of a round.

    Args:
        deck: the cards that exist.
        entries: every card counted so far, in all piles and on the table.
        lost: cards that are in no pile and not on the table, as the players said.
    """
    entries = [_lawful(deck, entry) for entry in entries]
    answers = _answers(deck, entries, lost)
    known = [_known(entry, answers) for entry in entries]
    accounted = account(deck.edition, deck.colours, [known])
    gone = Counter(accounted.missing) & Counter(lost)
    missing = tuple((Counter(accounted.missing) - gone).elements())
    return Books(
        counted=sum(card is None or not _is_tweak(card) for card in known),
        in_play=len(number_cards(deck.colours)),
        missing=missing,
        explained=_explained(answers, missing),
        twice=(
            *(_twice(deck, card, entries, missing) for card in Counter(accounted.surplus)),
            *_settled_twice(deck, entries, answers),
        ),
        answers=MappingProxyType(answers),
        gone=tuple(gone.elements()),
    )


def _explained(answers: Mapping[str, Answer], missing: Sequence[NumberCard]) -> int:
    """How many missing cards the open entries may be, each entry one of them (Kuhn's paths)."""
    fits = [answer.fits for answer in answers.values() if answer.card is None]
    taken: dict[int, int] = {}

    def place(entry: int, tried: set[int]) -> bool:
        for spot, card in enumerate(missing):
            if card in fits[entry] and spot not in tried:
                tried.add(spot)
                if spot not in taken or place(taken[spot], tried):
                    taken[spot] = entry
                    return True
        return False

    return sum(place(entry, set()) for entry in range(len(fits)))


def _lawful(deck: Deck, entry: Entry) -> Entry:
    """A card of a colour left in the box was misread: what the eyes were sure of is a doubt."""
    card = entry.card
    if entry.said or not isinstance(card, NumberCard) or card.colour in deck.colours:
        return entry
    return replace(entry, sure=False)


def _known(entry: Entry, answers: Mapping[str, Answer]) -> NumberCard | TweakCard | None:
    card = answers[entry.key].card if entry.key in answers else entry.card
    return card if isinstance(card, NumberCard | TweakCard) else None


def _answers(deck: Deck, entries: Sequence[Entry], lost: Sequence[NumberCard]) -> dict[str, Answer]:
    """What the books say of doubtful entries, and of those that cannot all be what they seem."""
    room = deck.room()
    numbers = sum(bool(entry.options) and not _is_tweak(entry.options[0][0]) for entry in entries)
    complete = numbers + len(lost) - len(number_cards(deck.colours))
    contested = _contested(room, entries) if complete == 0 else []
    doubtful = [entry for entry in entries if entry.card is None]
    if not doubtful and not contested:
        return {}
    asked = [*doubtful, *contested]
    chosen = {entry.key for entry in asked}
    wanted = {card for entry in asked for card, chance in entry.options if chance >= _LEAST}
    holding = [e for e in entries if e.key not in chosen and not e.said and e.card in wanted]
    wavering = [e for e in holding if complete == 0 or _may_be_another(e, room)]
    weighed = asked + wavering
    chosen |= {entry.key for entry in wavering}
    room.subtract(e.card for e in entries if e.card is not None and e.key not in chosen)
    for card in lost:
        room[card] -= room[card] > 0
    open_to = [_open_to(entry, room, complete >= 0) for entry in weighed]
    if complete == 0:
        for entry, chances in zip(weighed, open_to, strict=True):
            _may_be_misread(entry, chances, room)
    free: dict[Card | None, int] = dict(room.items())
    found = marginals(open_to, free)
    answers = {e.key: _answer(e, c) for e, c in zip(asked, found, strict=False)}
    open_still = {entry.card for entry in contested if _stays_open(entry, answers[entry.key])}
    for entry in contested:
        if entry.card in open_still:
            del answers[entry.key]  # it is seen too often, and somebody must say where
    return _apart(answers, free)


def _contested(room: Counter[Card], entries: Sequence[Entry]) -> list[Entry]:
    """Number cards that were read for sure, more often than they exist: one of them is another."""
    claimed = Counter(entry.card for entry in entries if entry.card is not None)
    return [
        entry
        for entry in entries
        if isinstance(entry.card, NumberCard)
        and not entry.said
        and claimed[entry.card] > room[entry.card] > 0
    ]


def _stays_open(entry: Entry, answer: Answer) -> bool:
    """Whether the books cannot say what a contested card is worth, or it counts as worth less."""
    if answer.points is None or not entry.fixed:
        return answer.points is None
    assert entry.card is not None, "only what was read for sure is contested"
    return answer.points != (points_of(entry.card) if entry.scores else 0)


def _may_be_misread(
    entry: Entry, chances: dict[Card | None, float], room: Mapping[Card, int]
) -> None:
    """Leave open that what was read as a number card is any card that is still free."""
    read = entry.options[0][0] if entry.options else None
    if not isinstance(read, NumberCard):
        return
    for card, free in room.items():
        if free > 0 and isinstance(card, NumberCard) and card != read:
            alike = card.colour is read.colour or card.value == read.value
            chances[card] = max(chances.get(card, 0.0), _MISREAD if alike else _MISREAD_TWICE)


def _apart(answers: Mapping[str, Answer], free: Mapping[Card | None, int]) -> dict[str, Answer]:
    """Where only a card's worth is known, name a card first that no other one is named for."""
    room, apart = dict(free), dict(answers)
    for answer in answers.values():
        room[answer.card] = room.get(answer.card, 0) - 1
    for key, answer in answers.items():
        if answer.card is not None or answer.points is None:
            continue
        same = [card for card in answer.fits if points_of(card) == answer.points]
        own = next((card for card in same if room.get(card, 0) > 0), None)
        if own is not None:
            room[own] -= 1
            others = tuple(card for card in answer.fits if card != own)
            apart[key] = replace(answer, fits=(own, *others))
    return apart


def _may_be_another(entry: Entry, room: Mapping[Card, int]) -> bool:
    """Whether the eyes thought of another card that there may be."""
    return any(chance >= _LEAST and room.get(c, 0) > 0 for c, chance in entry.options[1:])


def _open_to(entry: Entry, room: Mapping[Card, int], complete: bool) -> dict[Card | None, float]:
    """What an entry may be, None for none of our cards; that is unlikely where none is missing."""
    rest = max(_NONE_LEAST, 1.0 - sum(chance for _, chance in entry.options))
    found: dict[Card | None, float] = {
        card: chance for card, chance in entry.options if chance >= _LEAST and card in room
    }
    found[None] = rest * _STRANGER * (_UNSEEN if complete else 1.0)
    return found


def _is_tweak(card: Card) -> bool:
    return isinstance(card, TweakCard)


def _answer(entry: Entry, chances: Mapping[Card | None, float]) -> Answer:
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])
    fits = tuple(card for card, chance in ranked if card is not None and chance >= WORTH_NAMING)
    best, chance = ranked[0]
    if best is not None and chance >= SETTLED:
        return Answer(best, points_of(best), fits)
    if not entry.scores:
        return Answer(None, 0, fits)
    worth: dict[int, float] = defaultdict(float)
    for card, likely in chances.items():
        if card is not None:
            worth[points_of(card)] += likely
    points = next((points for points, likely in worth.items() if likely >= SETTLED), None)
    return Answer(None, points, fits)


def _settled_twice(
    deck: Deck, entries: Sequence[Entry], answers: Mapping[str, Answer]
) -> list[Twice]:
    """Cards that were read for sure more often than they exist, where the books know better."""
    holders: dict[Card, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.card is not None and entry.key in answers:
            holders[entry.card].append(entry)
    found = []
    for card, same in holders.items():
        fits = dict.fromkeys(fit for one in same for fit in answers[one.key].fits if fit != card)
        keys = tuple(one.key for one in same)
        found.append(Twice(card, deck.room()[card], keys, tuple(fits), settled=True))
    return found


def _twice(
    deck: Deck, card: Card, entries: Sequence[Entry], missing: Sequence[NumberCard]
) -> Twice:
    holders = [entry for entry in entries if entry.card == card]
    doubted = [entry for entry in holders if not entry.said] or holders
    chances: dict[Card, float] = defaultdict(float)
    for entry in doubted:
        for option, chance in entry.options:
            chances[option] = max(chances[option], chance)
    instead = sorted(set(missing), key=lambda one: (-chances[one], missing.index(one)))
    return Twice(card, deck.room()[card], tuple(one.key for one in doubted), tuple(instead))
