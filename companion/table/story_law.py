"""The tales that fit the raw events between two settled views, likeliest first.

Readings are never rewritten here: a tale only says what the law makes of them. What no rule
allows is told as such, with the rule's id, and is never the proposal where a lawful tale fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.rules.editions import TABLE_SIZE
from companion.table.scene import may_be_same
from companion.table.story_sums import sum_tales
from companion.table.story_values import Deed, Happening, Setting, Standing, Step, Tale
from companion.table.values import EventKind
from companion.vision.values import Reading

MOST_TALES = 6
_NOT_SAID = 0.05
_ORDER_TURNED = 0.3
_THIEF, _SHIFTER, _BOMB = 0.1, 0.15, 0.6
_SEEN_PLAYED = 50.0
_MISREAD = 0.02


def tales_of(step: Step, now: Standing, setting: Setting) -> tuple[Tale, ...]:
    """Every tale that fits, the proposal first; never empty."""
    taken, laid = step.cards(EventKind.TAKEN), step.cards(EventKind.LAID)
    if step.has(EventKind.CLEARED):
        return (Tale(_cleared(now), 1.0), _misread())
    if now.over and step.target is None:
        return (Tale((), 1.0),)
    if not now.playing:
        return (Tale((*_dealt(laid), *_tail(step, now)), 1.0),)
    if not taken and len(laid) > 1 and _alike(laid, now.table):
        return (Tale((Happening(Deed.AGAIN),), 1.0),)
    if taken:
        tales = _of_taken(step, now, setting)
    elif laid:
        tales = _of_laid(step, now, setting)
    else:
        tales = [Tale((), 1.0)]
    tales = [replace(tale, happenings=(*tale.happenings, *_tail(step, now))) for tale in tales]
    tales.sort(key=lambda tale: (not tale.lawful, -tale.chance))
    best = tales[: MOST_TALES - 1]
    return (*best, _misread()) if taken or laid else tuple(best)


def came_back(step: Step, before: Step) -> Tale | None:
    """The tale of cards that were out of sight for one view (glare, a sleeve) and lie there again.

    None where the step before did not take just these cards, or the deck moved meanwhile.
    """
    if any(event.kind is not EventKind.TAKEN for event in before.events):
        return None
    if any(event.kind is not EventKind.LAID for event in step.events):
        return None
    laid = step.cards(EventKind.LAID)
    if not _alike(laid, before.cards(EventKind.TAKEN)):
        return None
    return Tale((Happening(Deed.BACK, cards=_texts(laid)),), 10.0)


def left_on(table: Sequence[Reading], taken: Sequence[Reading]) -> tuple[Reading, ...]:
    """The table without the cards taken: equal readings first, then any that may be the same."""
    rest = list(table)
    for card in taken:
        same = [one for one in rest if str(one) == str(card)]
        same = same or [one for one in rest if may_be_same(one, card)] or rest[:1]
        if same:
            rest.remove(same[0])
    return tuple(rest)


def _misread() -> Tale:
    return Tale((Happening(Deed.NOTHING),), _MISREAD)


def _cleared(now: Standing) -> tuple[Happening, ...]:
    if now.deck_gone and not now.over:
        return (Happening(Deed.ROUND_OVER, rules=("E1", "E2")), Happening(Deed.CLEARED))
    return (Happening(Deed.CLEARED),)


def _dealt(laid: tuple[Reading, ...]) -> tuple[Happening, ...]:
    return (Happening(Deed.DEALT, cards=_texts(laid), rules=("S2",)),) if laid else ()


def _tail(step: Step, now: Standing) -> tuple[Happening, ...]:
    """T! cards, deck and target are seen, whatever the players did."""
    found: list[Happening] = []
    if now.faces is not None and step.faces is not None:
        gained = tuple((Counter(step.faces) - Counter(now.faces)).elements())
        found += [Happening(Deed.GAINED, cards=gained, rules=("T5",))] if gained else []
    if step.has(EventKind.DECK_GONE):
        found.append(Happening(Deed.DECK_GONE, target=7, rules=("T2", "K3")))
    elif step.target is not None:
        found.append(Happening(Deed.TARGET, target=step.target, rules=("T2",)))
    return tuple(found)


def _put_away(step: Step, now: Standing) -> frozenset[str]:
    """T! cards that lay face up before and no longer do: played, as far as is seen."""
    if now.faces is None or step.faces is None:
        return frozenset()
    return frozenset(Counter(now.faces) - Counter(step.faces))


def _of_taken(step: Step, now: Standing, setting: Setting) -> list[Tale]:
    taken, laid = step.cards(EventKind.TAKEN), step.cards(EventKind.LAID)
    whole = len(taken) >= len(now.table)
    sums = sum_tales(taken, now, whole=whole)
    if "T!joker" in _put_away(step, now):
        sums = [
            replace(tale, chance=tale.chance * (_SEEN_PLAYED if tale.happenings[0].tweak else 1.0))
            for tale in sums
        ]
    if not any(tale.lawful for tale in sums):
        odd = Happening(Deed.TAKEN, now.seat, _texts(taken), rules=("T1",), lawful=False)
        sums.insert(0, Tale((odd,), 1.0))
    tales: list[Tale] = []
    for tale in sums:
        tales += _with_laid(tale, laid, now, setting)
    if whole:
        tales += [
            replace(tale, happenings=tuple(map(_unsaid, tale.happenings)), chance=_NOT_SAID)
            for tale in tales[:1]
            if tale.happenings[0].deed is Deed.TWEAK
        ]
    return tales


def _unsaid(one: Happening) -> Happening:
    return replace(one, deed=Deed.SUM, rules=("T1", "D10")) if one.deed is Deed.TWEAK else one


def _with_laid(
    tale: Tale, laid: tuple[Reading, ...], now: Standing, setting: Setting
) -> list[Tale]:
    """A sum and the cards that were laid before the next still picture: filled, or later turns."""
    (done,) = tale.happenings
    if not laid:
        return [tale]
    following = setting.after(done.seat)
    if done.deed is Deed.TWEAK and not now.deck_gone:
        filled = Happening(Deed.FILLED, done.seat, _texts(laid[:TABLE_SIZE]), rules=("T7",))
        more = _lays(laid[TABLE_SIZE:], following, setting)
        return [replace(tale, happenings=(done, filled, *more))]
    then = replace(tale, happenings=(done, *_lays(laid, following, setting)))
    if done.seat is not None and done.seat != now.seat:
        return [then]
    first = _lays(laid, now.seat, setting)
    last = replace(done, seat=setting.after(first[-1].seat))
    return [then, Tale((*first, last), _ORDER_TURNED * tale.chance)]


def _lays(laid: Sequence[Reading], seat: int | None, setting: Setting) -> tuple[Happening, ...]:
    """One card a turn (rule T6), player after player."""
    found: list[Happening] = []
    for reading in laid:
        found.append(Happening(Deed.LAID, seat, (str(reading),), rules=("T6",)))
        seat = setting.after(seat)
    return tuple(found)


def _of_laid(step: Step, now: Standing, setting: Setting) -> list[Tale]:
    laid = step.cards(EventKind.LAID)
    if now.due:
        filled = Happening(Deed.FILLED, None, _texts(laid[: now.due]), rules=("T7",))
        return [Tale((filled, *_lays(laid[now.due :], now.seat, setting)), 1.0)]
    tales = [Tale(_lays(laid, now.seat, setting), 1.0 if len(laid) == 1 else 0.4)]
    for deed, chance in _tweaks_that_fit(step, len(laid), now, setting):
        tales.append(Tale((_tweak(deed, laid, now),), chance))
    if len(laid) > 1:
        at_once = Happening(Deed.LAID, now.seat, _texts(laid), rules=("T6",), lawful=False)
        tales.append(Tale((at_once,), 0.1))
    return tales


def _tweaks_that_fit(
    step: Step, count: int, now: Standing, setting: Setting
) -> list[tuple[Deed, float]]:
    """The T! cards that bring so many cards to the table (rules X2, X4, X5, D5)."""
    fits: list[tuple[Deed, float]] = []
    deck_moved = step.target is not None or step.has(EventKind.DECK_GONE)
    if count == 1:
        fits.append((Deed.THIEF, _THIEF))
        if deck_moved and not now.deck_gone:
            fits.append((Deed.SHIFTER, _SHIFTER))
    if 1 <= count < setting.players and (count > 1 or setting.players == 2):
        fits.append((Deed.BOMB, _BOMB if count == setting.players - 1 > 1 else _THIEF))
    away = _put_away(step, now)
    return [
        (deed, chance * (_SEEN_PLAYED if f"T!{deed.value}" in away else 1.0))
        for deed, chance in fits
    ]


_BRINGS = {Deed.THIEF: "X2", Deed.SHIFTER: "X4", Deed.BOMB: "X5"}


def _tweak(deed: Deed, laid: tuple[Reading, ...], now: Standing) -> Happening:
    rules, lawful = (_BRINGS[deed],), True
    if now.tweak_played:
        rules, lawful = ("X1",), False
    elif not now.may_play_tweak(now.seat):
        rules, lawful = ("T5",), False
    return Happening(deed, now.seat, _texts(laid), rules=rules, lawful=lawful)


def _alike(one: Sequence[Reading], other: Sequence[Reading]) -> bool:
    """Whether two heaps may be the same cards."""
    rest = list(other)
    for card in one:
        same = [old for old in rest if may_be_same(old, card)]
        if not same:
            return False
        rest.remove(same[0])
    return not rest


def _texts(readings: Sequence[Reading]) -> tuple[str, ...]:
    return tuple(str(reading) for reading in readings)
