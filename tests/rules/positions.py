"""Positions for the tests: say what matters, the other cards go where they do no harm."""

from collections import Counter
from dataclasses import replace
from typing import Any

from companion.rules.cards import Colour, NumberCard, TweakCard, parse_card, parse_number_card
from companion.rules.editions import Edition, number_cards, tweak_cards
from companion.rules.moves import Move
from companion.rules.notation import parse_move
from companion.rules.round import DeckCard, Seat, State
from companion.rules.turn import judge
from companion.rules.verdict import Verdict


def cards(text: str) -> tuple[NumberCard, ...]:
    return tuple(parse_number_card(word) for word in text.split())


def tweaks(text: str) -> tuple[TweakCard, ...]:
    found = [parse_card(word) for word in text.split()]
    return tuple(card for card in found if isinstance(card, TweakCard))


def deck_card(word: str) -> DeckCard:
    front, _, target = word.partition("#")
    return DeckCard(None if front == "?" else parse_number_card(front), int(target or 7))


def position(
    *hands: str,
    table: str = "",
    deck: str = "",
    has: str = "",
    stack: str | None = None,
    edition: str = "65",
    **more: Any,
) -> State:
    """A position with p1 to play (unless told), T! cards of p1 in ``has``.

    Number cards that are not named lie in the last player's won pile. T! cards that are not named
    lie in the stack, or, where the stack is told, among those the last player has used.
    """
    box = Edition(edition)
    deck_cards = tuple(map(deck_card, deck.split()))
    rest = Counter(number_cards(Colour))
    rest.subtract(cards(" ".join(hands) + " " + table))
    rest.subtract(card.front for card in deck_cards if card.front is not None)
    played = (TweakCard(more["tweak"].kind),) if more.get("tweak") else ()
    tweak_rest = Counter(tweak_cards(box)) - Counter(tweaks(has)) - Counter(played)
    if stack is not None:
        tweak_rest -= Counter(tweaks(stack))
    seats = [Seat(hand=cards(hand)) for hand in hands]
    seats[0] = replace(seats[0], has=tweaks(has))
    turn = more.get("turn", 0)
    seats[turn] = replace(seats[turn], used=played)
    spare = tuple(tweak_rest.elements())
    seats[-1] = replace(
        seats[-1],
        won=tuple(rest.elements()),
        used=seats[-1].used + (spare if stack is not None else ()),
    )
    return State(
        edition=box,
        colours=tuple(Colour),
        seats=tuple(seats),
        table=cards(table),
        deck=deck_cards,
        stack=spare if stack is None else tweaks(stack),
        **more,
    )


def move(text: str) -> Move:
    return parse_move(text)


def ask(state: State, text: str) -> Verdict:
    return judge(state, parse_move(text))
