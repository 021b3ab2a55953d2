"""Counting a round, player by player: batches, corrections, confirmation, edits afterwards.

A raw reading stays as it was seen; what the players say stands beside it and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from companion.errors import BadInput, NotFound
from companion.night import events
from companion.night.codec import seen_from_json, seen_to_json, tapped_card
from companion.night.events import SCHEMA, Event
from companion.night.matches import add_up, rules_of
from companion.night.state import NightState, Plan, seat_of, still_open, with_count
from companion.night.values import (
    Batch,
    CountedCard,
    MatchNow,
    PlayerCount,
    RoundResult,
    SeenCard,
)
from companion.rules.cards import Card, NumberCard, TweakCard, parse_card
from companion.rules.editions import check_copies
from companion.rules.scoring import points_of, score
from companion.vision.values import Quad

MOST_POINTS = 5
"""What the best card is worth (rule P3): the upper bound for a card that nobody can read."""

SAME_PLACE = 0.02
"""Corners nearer than this, in fractions of the picture, are one place."""

Laid: TypeAlias = tuple[Sequence[SeenCard], bytes | None]
"""Cards before the camera, and the JPEG of the picture that shows them."""


def plan_count(state: NightState, player: str) -> Plan:
    """Open a player's count."""
    seat_of(still_open(state.running), player)
    return Plan(events.COUNT_STARTED, {"schema": SCHEMA, "player": player})


def fold_count(state: NightState, event: Event) -> NightState:
    """The count is open (again)."""
    match, count = _open(state, event.payload["player"])
    return state.with_match(with_count(match, replace(count, started=True, confirmed=False)))


def plan_tapped(state: NightState, player: str, cards: Sequence[str]) -> Plan:
    """Won cards given by tap.

    Raises:
        BadInput: no card, a card that scores for nobody, or more copies than there are.
    """
    match, count = _open(state, player)
    given = [tapped_card(str(countable(text))) for text in _texts(cards)]
    if not given:
        raise BadInput("a batch has one card at least")
    _check_deck(match, [*_known(match.counting), *(parse_card(card.text) for card in given)])
    return _batch(count.player, "tap", given)


def plan_seen(state: NightState, player: str, look: Callable[[], Laid]) -> Plan:
    """Won cards that lie before the camera; doubtful ones wait for an answer.

    Args:
        state: the night so far.
        player: whose cards they are.
        look: gives the cards that lie there now, with their picture.

    Raises:
        BadInput: there is no card, or the last batch lies there still.
    """
    match, count = _open(state, player)
    cards, jpeg = look()
    if not cards:
        raise BadInput("no card lies before the camera: lay the won cards face up, or tap them in")
    if _lies_still(match, cards):
        raise BadInput("these cards are counted already: take them away, then lay the next ones")
    return _batch(count.player, "camera", cards, jpeg)


def fold_batch(state: NightState, event: Event) -> NightState:
    """More cards in a player's count, which is open again."""
    found = event.payload
    match, count = _open(state, found["player"])
    cards = tuple(_counted(event.id, place, card) for place, card in enumerate(found["cards"]))
    batch = Batch(event.id, event.at, found["source"], cards, found.get("picture"))
    opened = replace(count, started=True, confirmed=False, batches=(*count.batches, batch))
    return state.with_match(with_count(match, tally(opened)))


def plan_correct(state: NightState, player: str, card_id: str, card: str) -> Plan:
    """Say what a counted card is.

    Raises:
        NotFound: no card of that id is counted for the player.
        BadInput: a card that scores for nobody, or one more than there are.
    """
    match, count = _open(state, player)
    old = _card(count, card_id)
    new = countable(card)
    others = list(_known(match.counting))
    if old.card is not None:
        others.remove(parse_card(old.card))
    _check_deck(match, [*others, new])
    payload = {"schema": SCHEMA, "player": player, "card_id": card_id, "card": str(new)}
    return Plan(events.CARD_CORRECTED, payload)


def fold_correct(state: NightState, event: Event) -> NightState:
    """A counted card is what the players say."""
    match, count = _open(state, event.payload["player"])
    old = _card(count, event.payload["card_id"])
    card = countable(event.payload["card"])
    new = replace(old, card=str(card), corrected=True, points=points_of(card))
    changed = _with_cards(count, old.id, (new,))
    return state.with_match(with_count(match, tally(replace(changed, confirmed=False))))


def plan_remove(state: NightState, player: str, card_id: str) -> Plan:
    """Take a card out of a player's count."""
    _, count = _open(state, player)
    _card(count, card_id)
    payload = {"schema": SCHEMA, "player": player, "card_id": card_id}
    return Plan(events.CARD_REMOVED, payload)


def fold_remove(state: NightState, event: Event) -> NightState:
    """A card counts no longer."""
    match, count = _open(state, event.payload["player"])
    old = _card(count, event.payload["card_id"])
    changed = _with_cards(count, old.id, ())
    return state.with_match(with_count(match, tally(replace(changed, confirmed=False))))


def plan_confirm(state: NightState, player: str, tweaks_won: Sequence[str]) -> Plan:
    """Settle a player's count, T! cards included.

    Raises:
        BadInput: a card is doubtful still, or a text is no T! card of this edition.
    """
    match, count = _open(state, player)
    for card_id in count.doubtful:
        seen = _card(count, card_id).seen
        raise BadInput(f"card {seen!r} of {player} is doubtful: say what it is, or remove it")
    tweaks = [str(_tweak(text)) for text in _texts(tweaks_won)]
    others = [one for one in match.counting if one.player != player]
    unsettled = replace(count, tweaks_won=tuple(tweaks))
    _check_tweaks(match, [*_known(others), *_known([unsettled])])
    payload = {"schema": SCHEMA, "player": player, "tweaks_won": tweaks}
    return Plan(events.COUNT_CONFIRMED, payload)


def fold_confirm(state: NightState, event: Event) -> NightState:
    """A player's count is settled."""
    match, count = _open(state, event.payload["player"])
    if count.doubtful:
        raise BadInput(f"the count of {count.player} holds doubtful cards")
    tweaks = tuple(str(_tweak(text)) for text in event.payload["tweaks_won"])
    settled = replace(count, started=True, confirmed=True, tweaks_won=tweaks)
    return state.with_match(with_count(match, tally(settled)))


def plan_edit(
    state: NightState, number: int, player: str, cards: Sequence[str], tweaks_won: Sequence[str]
) -> Plan:
    """Replace a player's cards in a closed round.

    Raises:
        NotFound: no such round or player.
        BadInput: a card that scores for nobody, or more copies than the deck has.
    """
    match = state.running
    seat, old = seat_of(match, player), _round(match, number)
    texts = [str(countable(text)) for text in _texts(cards)]
    tweaks = [str(_tweak(text)) for text in _texts(tweaks_won)]
    others = [count for place, count in enumerate(old.counts) if place != seat]
    mine = [parse_card(text) for text in (*texts, *tweaks)]
    _check_deck(match, [*_known(others), *mine])
    payload: dict[str, Any] = {"schema": SCHEMA, "number": old.number, "player": player}
    payload |= {"cards": texts, "tweaks_won": tweaks}
    plan = Plan(events.ROUND_EDITED, payload)
    fold_edit(state, Event(0, "", plan.kind, plan.payload))
    return plan


def fold_edit(state: NightState, event: Event) -> NightState:
    """A closed round is changed, and the match adds up anew (thresholds and winners too)."""
    found, match = event.payload, state.running
    seat, old = seat_of(match, found["player"]), _round(match, found["number"])
    cards = [seen_to_json(tapped_card(text)) for text in found["cards"]]
    counted = tuple(_counted(event.id, place, card) for place, card in enumerate(cards))
    batches = (Batch(event.id, event.at, "tap", counted),) if counted else ()
    tweaks = tuple(found["tweaks_won"])
    count = tally(PlayerCount(found["player"], True, batches, tweaks, confirmed=True))
    counts = (*old.counts[:seat], count, *old.counts[seat + 1 :])
    points = tuple(one.points for one in counts)
    edited = replace(old, counts=counts, points=points, edited=True)
    rounds = (*match.rounds[: old.number - 1], edited, *match.rounds[old.number :])
    return state.with_match(add_up(replace(match, rounds=rounds)))


def tally(count: PlayerCount) -> PlayerCount:
    """The count with its points, their range, and what is doubtful, as its cards say."""
    cards = [card for batch in count.batches for card in batch.cards]
    total = score(_known([count]))
    doubtful = [card for card in cards if card.doubtful]
    ranges = [_range(card) for card in doubtful]
    return replace(
        count,
        points=total.points,
        points_low=total.points + sum(low for low, _ in ranges),
        points_high=total.points + sum(high for _, high in ranges),
        lines=total.lines,
        doubtful=tuple(card.id for card in doubtful),
    )


def countable(text: str) -> Card:
    """Read a card that can score.

    Raises:
        UnknownCard: the text names no card.
        BadInput: a back or the blue 7.
    """
    card = parse_card(text)
    points_of(card)
    return card


def _open(state: NightState, player: str) -> tuple[MatchNow, PlayerCount]:
    match = still_open(state.running)
    return match, match.counting[seat_of(match, player)]


def _batch(player: str, source: str, cards: Sequence[SeenCard], jpeg: bytes | None = None) -> Plan:
    payload: dict[str, Any] = {"schema": SCHEMA, "player": player, "source": source}
    payload["cards"] = [seen_to_json(card) for card in cards]
    if jpeg:
        payload["picture"] = events.picture_name(jpeg)
    return Plan(events.BATCH_ADDED, payload, (jpeg,) if jpeg else ())


def _lies_still(match: MatchNow, cards: Sequence[SeenCard]) -> bool:
    """Whether half of these cards are those of the newest batch, at the same places."""
    batches = [batch for count in match.counting for batch in count.batches]
    seen = [batch for batch in batches if batch.source == "camera"]
    if not seen:
        return False
    old = [(card.seen, card.quad) for card in max(seen, key=lambda batch: batch.id).cards]
    same = sum(any(_near(card, text, quad) for text, quad in old) for card in cards)
    return 2 * same >= len(cards)


def _near(card: SeenCard, text: str, quad: Quad | None) -> bool:
    if card.quad is None or quad is None or card.text != text:
        return False
    return all(
        abs(x - a) <= SAME_PLACE and abs(y - b) <= SAME_PLACE
        for (x, y), (a, b) in zip(card.quad, quad, strict=True)
    )


def _counted(batch_id: int, place: int, found: dict[str, Any]) -> CountedCard:
    seen = seen_from_json(found)
    card = parse_card(seen.text) if seen.sure else None
    if not isinstance(card, (NumberCard, TweakCard)):
        card = None
    return CountedCard(
        id=f"{batch_id}.{place}",
        seen=seen.text,
        card=None if card is None else str(card),
        corrected=False,
        quad=seen.quad,
        alternatives=seen.alternatives,
        points=0 if card is None else points_of(card),
    )


def _card(count: PlayerCount, card_id: str) -> CountedCard:
    for batch in count.batches:
        for card in batch.cards:
            if card.id == card_id:
                return card
    raise NotFound(f"no card {str(card_id)[:40]!r} is counted for {count.player}")


def _with_cards(count: PlayerCount, card_id: str, new: tuple[CountedCard, ...]) -> PlayerCount:
    batches = []
    for batch in count.batches:
        cards: list[CountedCard] = []
        for card in batch.cards:
            cards.extend(new if card.id == card_id else (card,))
        batches.append(replace(batch, cards=tuple(cards)))
    return replace(count, batches=tuple(batches))


def _round(match: MatchNow, number: object) -> RoundResult:
    for closed in match.rounds:
        if closed.number == number:
            return closed
    raise NotFound(f"round {str(number)[:40]} is not closed: wanted 1 to {len(match.rounds)}")


def _known(counts: Iterable[PlayerCount]) -> list[Card]:
    texts: list[str] = []
    for count in counts:
        texts += [card.card for batch in count.batches for card in batch.cards if card.card]
        texts += count.tweaks_won
    return [parse_card(text) for text in texts]


def _range(card: CountedCard) -> tuple[int, int]:
    worth = []
    for text, _ in card.alternatives:
        option = parse_card(text)
        scores = isinstance(option, (NumberCard, TweakCard))
        worth.append(points_of(option) if scores else 0)
    return (min(worth), max(worth)) if worth else (0, MOST_POINTS)


def _tweak(text: str) -> TweakCard:
    card = parse_card(text)
    if isinstance(card, TweakCard):
        return card
    raise BadInput(f"{text[:40]!r} is no T! card: wanted T!thief, T!joker, T!shifter or T!bomb")


def _check_deck(match: MatchNow, cards: Sequence[Card]) -> None:
    rules = rules_of(match)
    for card in cards:
        if isinstance(card, NumberCard) and card.colour not in rules.colours:
            raise BadInput(f"{card} is not in play: {card.colour.value} was left in the box")
    check_copies(cards, rules.edition)


def _check_tweaks(match: MatchNow, cards: Sequence[Card]) -> None:
    check_copies([card for card in cards if isinstance(card, TweakCard)], rules_of(match).edition)


def _texts(cards: Sequence[str]) -> list[str]:
    if isinstance(cards, str) or not all(isinstance(text, str) for text in cards):
        raise BadInput("cards are a list of texts such as R5")
    return list(cards)
