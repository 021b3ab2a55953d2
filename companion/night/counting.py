"""Counting a round, player by player: batches, corrections, confirmation.

A raw reading stays as it was seen; what the players say stands beside it and counts. So does what
the books of the round answer (:mod:`companion.night.books`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadInput, Phrase
from companion.night import events
from companion.night.books import with_books
from companion.night.codec import seen_to_json, tapped_card
from companion.night.events import SCHEMA, Event
from companion.night.matches import rules_of
from companion.night.state import NightState, Plan, newest_batch, seat_of, still_open, with_count
from companion.night.tallies import (
    card_of,
    countable,
    counted_card,
    known_cards,
    raw_card,
    said_cards,
    tally,
    tweak_of,
    tweaks_of,
    with_card,
    with_cards,
    with_faint_told,
)
from companion.night.values import ON_TABLE, Batch, CountedCard, MatchNow, PlayerCount, SeenCard
from companion.rules.cards import Card, NumberCard, TweakCard, parse_card
from companion.rules.editions import check_copies
from companion.table.count import Tray
from companion.vision.values import Quad

SAME_PLACE = 0.02
"""Corners nearer than this, in fractions of the picture, are one place."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What lies before the camera now.

    Attributes:
        cards: the won cards, doubtful ones first.
        jpeg: the picture that shows them, None where none is kept.
        tray: whether and when the tray was seen clear.
        faint: what may be a card besides.
    """

    cards: tuple[SeenCard, ...]
    jpeg: bytes | None
    tray: Tray
    faint: tuple[SeenCard, ...] = ()


def plan_count(state: NightState, player: str) -> Plan:
    """Open a player's count, or that of the cards left on the table (``ON_TABLE``)."""
    _open(state, player)
    return Plan(events.COUNT_STARTED, {"schema": SCHEMA, "player": player})


def fold_count(state: NightState, event: Event) -> NightState:
    """The count is open (again)."""
    match, count = _open(state, event.payload["player"])
    return _booked(state, match, replace(count, started=True, confirmed=False))


def plan_tapped(state: NightState, player: str, cards: Sequence[str]) -> Plan:
    """Won cards given by tap.

    Raises:
        BadInput: no card, a card that scores for nobody, or more copies than there are.
    """
    match, count = _open(state, player)
    given = [tapped_card(str(countable(text))) for text in texts(cards)]
    if not given:
        raise BadInput("a batch has one card at least")
    check_deck(match, [*_said(match), *(parse_card(card.text) for card in given)])
    return _batch(count.player, "tap", given)


def plan_seen(state: NightState, player: str, look: Callable[[], Laid]) -> Plan:
    """Won cards that lie before the camera; doubtful ones wait for an answer.

    Args:
        state: the night so far.
        player: whose cards they are.
        look: gives what lies there now.

    Raises:
        BadInput: there is no card, or the tray was not seen clear since the last batch.
    """
    match, count = _open(state, player)
    laid = look()
    if not laid.cards:
        raise BadInput("no card lies before the camera: lay the won cards face up, or tap them in")
    newest = newest_batch(match)
    if newest is not None and _lies_still(newest, laid.cards):
        raise BadInput("these cards are counted already: take them away, then lay the next ones")
    if newest is not None and laid.tray.full([newest.id]):
        raise BadInput(
            "take all counted cards away first, so that the tray is seen clear, "
            "or tap the next cards in"
        )
    return _batch(count.player, "camera", laid.cards, laid)


def fold_batch(state: NightState, event: Event) -> NightState:
    """More cards in a player's count, which is open again but for an answer to the books."""
    found = event.payload
    match, count = _open(state, found["player"])
    cards = tuple(counted_card(event.id, place, card) for place, card in enumerate(found["cards"]))
    faint = tuple(
        replace(counted_card(event.id, place, card), faint=True)
        for place, card in enumerate(found.get("faint", ()), start=len(cards))
    )
    batch = Batch(event.id, event.at, found["source"], cards, found.get("picture"), faint)
    grown = replace(count, started=True, batches=(*count.batches, batch))
    return _booked(state, match, replace(grown, confirmed=_stays(count, found)))


def plan_correct(state: NightState, player: str, card_id: str, card: str) -> Plan:
    """Say what a counted card is.

    Raises:
        NotFound: no card of that id is counted for the player.
        BadInput: a card that scores for nobody, or one more than there are.
    """
    match, count = _open(state, player)
    old = card_of(count, card_id)
    new = countable(card)
    others = [
        with_cards(one, {old.id: None} if one.player == player else {})
        for one in (*match.counting, match.left)
    ]
    check_deck(match, [*said_cards(others), new])
    payload = {"schema": SCHEMA, "player": player, "card_id": card_id, "card": str(new)}
    return Plan(events.CARD_CORRECTED, payload)


def fold_correct(state: NightState, event: Event) -> NightState:
    """A counted card is what the players say."""
    match, count = _open(state, event.payload["player"])
    old = card_of(count, event.payload["card_id"])
    new = replace(with_card(old, countable(event.payload["card"])), corrected=True)
    changed = with_cards(count, {old.id: new})
    return _booked(state, match, replace(changed, confirmed=_stays(count, event.payload)))


def plan_remove(state: NightState, player: str, card_id: str) -> Plan:
    """Take a card out of a player's count."""
    _, count = _open(state, player)
    card_of(count, card_id)
    payload = {"schema": SCHEMA, "player": player, "card_id": card_id}
    return Plan(events.CARD_REMOVED, payload)


def fold_remove(state: NightState, event: Event) -> NightState:
    """A card counts no longer."""
    match, count = _open(state, event.payload["player"])
    old = card_of(count, event.payload["card_id"])
    changed = with_cards(count, {old.id: None})
    return _booked(state, match, replace(changed, confirmed=_stays(count, event.payload)))


def plan_confirm(state: NightState, player: str, tweaks_won: Sequence[str] | None) -> Plan:
    """Settle a player's count, T! cards included.

    Args:
        state: the night so far.
        player: whose count it is.
        tweaks_won: every T! card the player won; None: those among the counted cards.

    Raises:
        BadInput: a card is doubtful still, a text is no T! card of this edition, or fewer T!
            cards are told than were counted.
    """
    match = still_open(state.running)
    count = match.counting[seat_of(match, player)]
    for card_id in count.doubtful:
        seen = card_of(count, card_id).seen
        raise BadInput(
            "card %(card)r of %(player)s is doubtful: say what it is, or remove it",
            card=seen,
            player=player,
        )
    told = _tweaks_told(count, tweaks_won)
    others = [one for one in match.counting if one.player != player]
    tweaks = known_cards([*others, replace(count, tweaks_won=tuple(told))])
    check_copies([card for card in tweaks if isinstance(card, TweakCard)], rules_of(match).edition)
    payload: dict[str, Any] = {"schema": SCHEMA, "player": player, "tweaks_won": told}
    payload["settled"] = {c.id: c.card for c in count.cards if c.settled and c.card}
    payload["worth"] = {c.id: [c.worth, *c.fits] for c in count.cards if c.worth is not None}
    return Plan(events.COUNT_CONFIRMED, payload)


def fold_confirm(state: NightState, event: Event) -> NightState:
    """A player's count is settled, with what the books said when it was."""
    found = event.payload
    match, count = _open(state, found["player"])
    count = with_faint_told(count, found.get("settled", {}))
    settled = {card.id: _as_confirmed(card, found) for card in count.cards}
    count = tally(with_cards(count, settled))
    if count.doubtful:
        raise BadInput("the count of %(player)s holds doubtful cards", player=count.player)
    tweaks = tuple(str(tweak_of(text)) for text in found["tweaks_won"])
    confirmed = replace(count, started=True, confirmed=True, tweaks_won=tweaks)
    return _booked(state, match, confirmed)


def check_deck(match: MatchNow, cards: Sequence[Card]) -> None:
    """Refuse cards that are not in play, or more copies than there are (rules C1, C3, S1).

    Raises:
        BadInput: names the first such card.
    """
    rules = rules_of(match)
    for card in cards:
        if isinstance(card, NumberCard) and card.colour not in rules.colours:
            raise BadInput(
                "%(card)s is not in play: %(colour)s was left in the box",
                card=card,
                colour=Phrase(card.colour.value),
            )
    check_copies(cards, rules.edition)


def texts(cards: Sequence[str]) -> list[str]:
    """Give texts of cards back as a list.

    Raises:
        BadInput: they are something else.
    """
    if isinstance(cards, str) or not all(isinstance(text, str) for text in cards):
        raise BadInput("cards are a list of texts such as R5")
    return list(cards)


def _open(state: NightState, player: str) -> tuple[MatchNow, PlayerCount]:
    match = still_open(state.running)
    return match, match.left if player == ON_TABLE else match.counting[seat_of(match, player)]


def _booked(state: NightState, match: MatchNow, count: PlayerCount) -> NightState:
    return state.with_match(with_books(with_count(match, tally(count))))


def _stays(count: PlayerCount, found: Mapping[str, Any]) -> bool:
    """Whether the count stays confirmed: only where a step answers what the books asked."""
    return count.confirmed and found.get("answers") == events.BOOKS


def _said(match: MatchNow) -> list[Card]:
    return said_cards((*match.counting, match.left))


def _batch(player: str, source: str, cards: Sequence[SeenCard], laid: Laid | None = None) -> Plan:
    payload: dict[str, Any] = {"schema": SCHEMA, "player": player, "source": source}
    payload["cards"] = [seen_to_json(card) for card in cards]
    if laid and laid.faint:
        payload["faint"] = [seen_to_json(card) for card in laid.faint]
    jpeg = laid and laid.jpeg
    if jpeg:
        payload["picture"] = events.picture_name(jpeg)
    return Plan(events.BATCH_ADDED, payload, (jpeg,) if jpeg else ())


def _lies_still(newest: Batch, cards: Sequence[SeenCard]) -> bool:
    """Whether half of these cards are those of the newest batch, at the same places."""
    old = [(card.seen, card.quad) for card in newest.cards]
    same = sum(any(_near(card, text, quad) for text, quad in old) for card in cards)
    return 2 * same >= len(cards)


def _near(card: SeenCard, text: str, quad: Quad | None) -> bool:
    if card.quad is None or quad is None or card.text != text:
        return False
    return all(
        abs(x - a) <= SAME_PLACE and abs(y - b) <= SAME_PLACE
        for (x, y), (a, b) in zip(card.quad, quad, strict=True)
    )


def _tweaks_told(count: PlayerCount, tweaks_won: Sequence[str] | None) -> list[str]:
    """The T! cards told, each that was counted among them; one of any kind stands for it."""
    cards = [parse_card(card.card) for card in count.cards if card.card]
    seen = Counter(card for card in cards if isinstance(card, TweakCard))
    if tweaks_won is None:
        return [str(card) for card in tweaks_of(count)]
    told = _told(texts(tweaks_won))
    short = seen - told
    if short.total() > told[TweakCard()]:
        names = ", ".join(str(card) for card in short.elements())
        raise BadInput(
            "%(cards)s of %(player)s is counted but not told: take it out, or tell it",
            cards=names,
            player=count.player,
        )
    told = told + short - Counter({TweakCard(): short.total()})
    return [str(card) for card in told.elements()]


def _told(given: Sequence[str]) -> Counter[TweakCard]:
    return Counter(tweak_of(text) for text in given)


def _as_confirmed(card: CountedCard, found: Any) -> CountedCard:
    """The card as it was when its count was confirmed, whatever today's books would say."""
    if "settled" not in found:
        # Written before there were books: what was sure counted.
        return card if card.corrected or card.card else with_card(card, raw_card(card.seen))
    if card.id in found["settled"]:
        return replace(with_card(card, parse_card(found["settled"][card.id])), settled=True)
    if card.id in found["worth"]:
        worth, *fits = found["worth"][card.id]
        plain = with_card(card, None)
        return replace(plain, settled=True, worth=worth, points=worth, fits=tuple(fits))
    return card if card.corrected or not card.settled else with_card(card, raw_card(card.seen))
