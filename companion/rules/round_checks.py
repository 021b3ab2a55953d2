"""What every state of a round must hold; anything else is refused with wanted and got."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from companion.errors import BadInput
from companion.rules.editions import (
    HAND_SIZE,
    TWEAK_COUNTS,
    check_colours,
    check_copies,
    check_players,
    number_cards,
    tweak_cards,
)

if TYPE_CHECKING:
    from companion.rules.round import State


def check_state(state: State) -> None:
    """Refuse a state that can't be.

    Raises:
        BadInput: names the first promise that is broken.
    """
    check_players(len(state.seats))
    if check_colours(state.edition, state.colours) != state.colours:
        raise BadInput("colours come in their usual order: ROYGBP")
    for name, seat in (("dealer", state.dealer), ("turn", state.turn)):
        if not 0 <= seat < len(state.seats):
            raise BadInput(f"{name} is p1 to p{len(state.seats)}, not p{seat + 1}")
    for number, player in enumerate(state.seats, start=1):
        if len(player.hand) > HAND_SIZE:
            raise BadInput(f"a hand has at most 3 cards, p{number} has {len(player.hand)}")
    _check_number_cards(state)
    _check_tweak_cards(state)
    _check_phase(state)


def _check_number_cards(state: State) -> None:
    known = Counter(card for card in state.number_cards() if card is not None)
    for card in known:
        if card.colour not in state.colours:
            raise BadInput(f"{card} is of a colour that is not in play")
    check_copies(known.elements())
    wanted, got = len(number_cards(state.colours)), sum(1 for _ in state.number_cards())
    if got != wanted:
        raise BadInput(f"{wanted} number cards are in play, the state has {got}")


def _check_tweak_cards(state: State) -> None:
    cards = tuple(state.tweak_cards())
    counts = TWEAK_COUNTS[state.edition]
    for card, count in Counter(cards).items():
        if card.kind is not None and count > counts[card.kind]:
            wanted = counts[card.kind]
            raise BadInput(f"the edition has {wanted} of {card}, the state has {count}")
    wanted = len(tweak_cards(state.edition))
    if len(cards) != wanted:
        raise BadInput(f"the edition has {wanted} T! cards, the state has {len(cards)}")
    if state.tweak is not None:
        kinds = {card.kind for card in state.player.used}
        if state.tweak.kind not in kinds and None not in kinds:
            raise BadInput(f"{state.tweak.value} is played, but its card is not among those used")


def _check_phase(state: State) -> None:
    phase = state.phase.value
    if phase in ("over", "play") and state.finished != (phase == "over"):
        raise BadInput("a round is over once the deck is gone and every hand is empty, not before")
    if state.emptied and (state.table or phase not in ("draw", "fill")):
        raise BadInput("an emptied table has no card, and waits to be filled")
    if state.unsaid and not (state.emptied and phase == "draw"):
        raise BadInput("TWEAK may be said late only for an emptied table, before the draw")
    if phase == "fill" and not (state.emptied and state.deck):
        raise BadInput("the table is filled when a sum emptied it and the deck has a card")
    if phase == "draw" and len(state.player.hand) == HAND_SIZE:
        raise BadInput("a player who draws has played a card")
