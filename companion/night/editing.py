"""A closed round put right, of any match of the journal: totals, threshold and winner follow.

What the camera read stays with the cards that are kept; cards that the players add stand beside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.errors import NotFound
from companion.night import events
from companion.night.codec import seen_to_json, tapped_card
from companion.night.counting import check_deck, texts
from companion.night.events import SCHEMA, Event
from companion.night.matches import add_up, rules_of
from companion.night.state import NightState, Plan, seat_of
from companion.night.tallies import (
    countable,
    counted_card,
    known_cards,
    tally,
    tweak_of,
    with_cards,
)
from companion.night.values import (
    ON_TABLE,
    Batch,
    CountedCard,
    MatchNow,
    PlayerCount,
    RoundResult,
)
from companion.rules.accounts import account
from companion.rules.cards import NumberCard, parse_card


def plan_edit(
    state: NightState,
    where: tuple[int | None, int],
    player: str,
    cards: tuple[Sequence[str], Sequence[str]],
) -> Plan:
    """Replace a player's cards in a closed round, or those left on the table (``ON_TABLE``).

    Args:
        state: the night so far.
        where: the match by its number in the journal (None: the newest), and the round's number.
        player: whose cards.
        cards: all number cards won, and all T! cards won.

    Raises:
        NotFound: no such match, round or player.
        BadInput: a card that scores for nobody, or more copies than the deck has.
    """
    match = match_of(state, where[0])
    old = _round(match, where[1])
    count = _count(match, old, player)
    given = [str(countable(text)) for text in texts(cards[0])]
    tweaks = [str(tweak_of(text)) for text in texts(cards[1])]
    others = [one for one in (*old.counts, old.left) if one is not count]
    check_deck(match, [*known_cards(others), *map(parse_card, (*given, *tweaks))])
    payload: dict[str, Any] = {"schema": SCHEMA, "number": old.number, "player": player}
    payload |= {"cards": given, "tweaks_won": tweaks, "match": match.id}
    plan = Plan(events.ROUND_EDITED, payload)
    fold_edit(state, Event(0, "", plan.kind, plan.payload))
    return plan


def fold_edit(state: NightState, event: Event) -> NightState:
    """A closed round is changed, and the match adds up anew (thresholds and winners too)."""
    found = event.payload
    match = match_of(state, found.get("match"))
    old = _round(match, found["number"])
    edited = _with_count(match, old, _edited(_count(match, old, found["player"]), event))
    rounds = (*match.rounds[: old.number - 1], edited, *match.rounds[old.number :])
    return state.with_match(add_up(replace(match, rounds=rounds)))


def match_of(state: NightState, match_id: object) -> MatchNow:
    """A match by its number in the journal, the newest for None; ended ones too.

    Raises:
        NotFound: there is none.
    """
    for match in reversed(state.matches):
        if match_id in (None, match.id):
            return match
    if match_id is None:
        raise NotFound("no match was played yet")
    raise NotFound("there is no such match")


def _round(match: MatchNow, number: object) -> RoundResult:
    for closed in match.rounds:
        if closed.number == number:
            return closed
    raise NotFound(
        "round %(number)s is not closed: wanted 1 to %(last)s",
        number=str(number)[:40],
        last=len(match.rounds),
    )


def _count(match: MatchNow, closed: RoundResult, player: str) -> PlayerCount:
    return closed.left if player == ON_TABLE else closed.counts[seat_of(match, player)]


def _edited(count: PlayerCount, event: Event) -> PlayerCount:
    """The count with these cards: those it had keep their readings and pictures."""
    found = event.payload
    wanted = Counter(parse_card(text) for text in found["cards"])
    gone: dict[str, CountedCard | None] = {}
    for card in count.cards:
        own = card.shown
        if own is None or not wanted[parse_card(own)]:
            gone[card.id] = None
        else:
            wanted[parse_card(own)] -= 1
    kept = with_cards(count, gone)
    new = [seen_to_json(tapped_card(str(card))) for card in wanted.elements()]
    added = tuple(counted_card(event.id, place, card) for place, card in enumerate(new))
    batches = (*kept.batches, Batch(event.id, event.at, "tap", added)) if added else kept.batches
    whole = replace(kept, batches=batches, tweaks_won=tuple(found["tweaks_won"]))
    return tally(replace(whole, started=True, confirmed=True))


def _with_count(match: MatchNow, closed: RoundResult, count: PlayerCount) -> RoundResult:
    if count.player == ON_TABLE:
        changed = replace(closed, left=count, edited=True)
    else:
        counts = tuple(count if one.player == count.player else one for one in closed.counts)
        points = tuple(one.points for one in counts)
        changed = replace(closed, counts=counts, points=points, edited=True)
    return replace(changed, missing=_missing(match, changed))


def _missing(match: MatchNow, closed: RoundResult) -> tuple[str, ...]:
    """What is in no pile now; where only a card's worth is known, it may be one of these."""
    rules = rules_of(match)
    piles = [_numbers((*closed.counts, closed.left))]
    accounted = account(rules.edition, rules.colours, piles)
    return () if accounted.balanced else tuple(map(str, accounted.missing))


def _numbers(counts: Iterable[PlayerCount]) -> list[NumberCard | None]:
    found: list[NumberCard | None] = []
    for count in counts:
        for counted in count.cards:
            card = None if counted.card is None else parse_card(counted.card)
            if card is None or isinstance(card, NumberCard):
                found.append(card)
    return found
