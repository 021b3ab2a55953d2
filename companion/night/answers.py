"""What the players answer where the books name a card: whose it is, or which reading was wrong.

Each answer is one step that stands beside the raw readings and can be taken back. It is about one
card, so a count that was confirmed stays confirmed, with the answer in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.errors import BadInput, NotFound
from companion.night import events
from companion.night.books import with_books
from companion.night.counting import plan_correct, plan_remove, plan_tapped, texts
from companion.night.events import SCHEMA, Event
from companion.night.state import NightState, Plan, seat_of, still_open
from companion.night.tallies import countable
from companion.night.values import ON_TABLE, MatchNow
from companion.rules.cards import NumberCard, parse_card


def plan_found(state: NightState, player: str, cards: Sequence[str]) -> Plan:
    """Say where missing cards are: in a player's pile, or left on the table (``ON_TABLE``).

    Where a card of the player is known by its worth alone and may be the missing one, it is that
    one; else the missing card counts as one more.

    Raises:
        NotFound: nobody of that name plays.
        BadInput: no card, one that is not missing, or more than one for a player.
    """
    match = still_open(state.running)
    given = _missing(match, cards)
    if player == ON_TABLE:
        return _answer(plan_tapped(state, player, given))
    count = match.counting[seat_of(match, player)]
    if len(given) > 1:
        raise BadInput("say of one missing card at a time whose it is")
    for card in count.cards:
        if card.card is None and given[0] in card.fits:
            return _answer(plan_correct(state, player, card.id, given[0]))
    return _answer(plan_tapped(state, player, given))


def plan_lost(state: NightState, cards: Sequence[str]) -> Plan:
    """Say that missing cards are lost: in no pile and not on the table, in later rounds neither.

    Raises:
        BadInput: no card, or one that is not missing.
    """
    given = _missing(still_open(state.running), cards)
    payload = {"schema": SCHEMA, "cards": given, "card": ", ".join(given)}
    return Plan(events.CARDS_LOST, payload)


def fold_lost(state: NightState, event: Event) -> NightState:
    """Cards are lost till they are found; one that turns up in a pile after all is not."""
    match = still_open(state.running)
    lost = (*match.lost, *(str(countable(text)) for text in event.payload["cards"]))
    return state.with_match(with_books(replace(match, lost=lost)))


def plan_found_again(state: NightState, cards: Sequence[str]) -> Plan:
    """Say that lost cards were found again: from now on the books ask for them.

    Raises:
        BadInput: no card, or one that nobody said is lost.
    """
    match = still_open(state.running)
    given = [str(countable(text)) for text in texts(cards)]
    if not given:
        raise BadInput("wanted a lost card")
    for card in Counter(given) - Counter(match.lost):
        raise BadInput("%(card)s is not said to be lost: look at the books again", card=card)
    payload = {"schema": SCHEMA, "cards": given, "card": ", ".join(given)}
    return Plan(events.CARDS_FOUND, payload)


def fold_found_again(state: NightState, event: Event) -> NightState:
    """Cards are lost no longer; closed rounds stay as they were."""
    match = still_open(state.running)
    found = Counter(str(countable(text)) for text in event.payload["cards"])
    lost = tuple((Counter(match.lost) - found).elements())
    return state.with_match(with_books(replace(match, lost=lost)))


def plan_twice(state: NightState, player: str, card_id: str, card: str | None) -> Plan:
    """Say of a card that is counted too often that it is wrong in this place.

    Args:
        state: the night so far.
        player: in whose pile, or ``ON_TABLE``.
        card_id: which of its cards.
        card: what it is instead; None: it is not there at all.

    Raises:
        NotFound: that card is not counted too often, or no longer.
        BadInput: the other card scores for nobody, or all of it are told already.
    """
    match = still_open(state.running)
    for twice in match.books.twice:
        if (player, card_id) in {(one.player, one.card_id) for one in twice.holders}:
            plan = (
                plan_remove(state, player, card_id)
                if card is None
                else plan_correct(state, player, card_id, card)
            )
            # T! cards are told when a count is confirmed, so that has to be done again.
            is_number = isinstance(parse_card(twice.card), NumberCard)
            return _answer(plan) if is_number else plan
    raise NotFound("that card is no longer counted too often: look at the books again")


def _answer(plan: Plan) -> Plan:
    payload: dict[str, Any] = dict(plan.payload) | {"answers": events.BOOKS}
    return Plan(plan.kind, payload)


def _missing(match: MatchNow, cards: Sequence[str]) -> list[str]:
    given = [str(countable(text)) for text in texts(cards)]
    if not given:
        raise BadInput("wanted a missing card")
    for card in Counter(given) - Counter(match.books.missing):
        raise BadInput("%(card)s is not missing: look at the books again", card=card)
    return given
