"""Which sum took the cards: the hand card follows from target and table (rules T1, T5, X3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from companion.rules.cards import VALUES, NumberCard
from companion.table.story_values import Deed, Happening, Standing, Tale
from companion.vision.values import PLAUSIBLE, Reading

MOST_READINGS = 64
"""Of doubtful cards taken together, so many readings are tried, likeliest first."""
_JOKER_CHANCE = 0.1
_JOKERS = ((0, None), (1, "joker+1"), (-1, "joker-1"))


def sum_tales(taken: Sequence[Reading], now: Standing, *, whole: bool) -> list[Tale]:
    """Every sum that may have taken these cards, unlawful ones with the rule that is missing.

    Args:
        taken: the cards that left the table, the hand card among them where it lay there openly.
        now: the standing before.
        whole: whether no card was left, so that it may be a TWEAK.
    """
    deed = Deed.TWEAK if whole else Deed.SUM
    texts = tuple(str(reading) for reading in taken)
    if now.target is None:
        rules = ("T1", "T5") if whole else ("T1",)
        return [Tale((Happening(deed, now.seat, texts, rules=rules),), 1.0)]
    chances: dict[Happening, float] = {}
    for values, chance in _values(taken):
        for one, share in _sums(texts, values, now, deed):
            chances[one] = chances.get(one, 0.0) + share * chance
    return [Tale((one,), chance) for one, chance in chances.items()]


def _sums(
    texts: tuple[str, ...], values: tuple[int, ...], now: Standing, deed: Deed
) -> Iterator[tuple[Happening, float]]:
    assert now.target is not None
    open_at = _place_of_laid(texts, now)
    for change, tweak in _JOKERS:
        target, share = now.target + change, 1.0 if tweak is None else _JOKER_CHANCE
        hand = target - sum(values)
        if hand == 0 and open_at is not None and len(texts) > 1:
            rest = texts[:open_at] + texts[open_at + 1 :]
            seat = now.laid[1] if now.laid else None
            rules, lawful = _law(deed, tweak, now, seat)
            yield (
                Happening(deed, seat, rest, texts[open_at], target, tweak, rules, lawful),
                2 * share,
            )
        if hand in VALUES:
            rules, lawful = _law(deed, tweak, now, now.seat)
            yield (
                Happening(deed, now.seat, texts, str(hand), target, tweak, rules, lawful),
                share,
            )


def _law(
    deed: Deed, tweak: str | None, now: Standing, seat: int | None
) -> tuple[tuple[str, ...], bool]:
    """The rules that decide, and whether they allow it."""
    if tweak is not None:
        if now.tweak_played:
            return ("X1",), False
        if not now.may_play_tweak(seat):
            return ("T5",), False
    return ("T1", *(("T5",) if deed is Deed.TWEAK else ()), *(("X3",) if tweak else ())), True


def _place_of_laid(texts: tuple[str, ...], now: Standing) -> int | None:
    """Which of the cards taken was laid last: it may be the hand card, laid down to show."""
    laid = now.laid[0] if now.laid else None
    return texts.index(laid) if laid in texts else None


def _values(taken: Sequence[Reading]) -> Iterator[tuple[tuple[int, ...], float]]:
    """What the cards may add up from, with chances; unreadable cards may be anything."""
    each = [_values_of(reading) for reading in taken]
    for combination in islice(product(*each), MOST_READINGS):
        chance = 1.0
        for _, share in combination:
            chance *= share
        yield tuple(value for value, _ in combination), chance


def _values_of(reading: Reading) -> list[tuple[int, float]]:
    """The values a card may have, likeliest first, each with its chance."""
    shares: dict[int, float] = {}
    options = reading.options[:1] if reading.sure else reading.options
    for card, chance in options:
        if isinstance(card, NumberCard) and chance >= PLAUSIBLE:
            shares[card.value] = shares.get(card.value, 0.0) + chance
    if not shares:
        return [(value, 1 / len(VALUES)) for value in VALUES]
    return sorted(shares.items(), key=lambda item: -item[1])
