"""Matches: how one starts, who deals, how closed rounds add up, how it ends (S1, S3, M1, D1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.errors import BadInput, Phrase, listed
from companion.night import events
from companion.night.count_values import NO_BOOKS, NOTHING_LEFT
from companion.night.events import SCHEMA, Event
from companion.night.state import NightState, Plan, seat_of, still_open
from companion.night.values import MatchNow, PlayerCount, RoundResult, SeenTwice
from companion.rules.cards import Colour, parse_number_card
from companion.rules.editions import parse_edition
from companion.rules.house import HouseRules
from companion.rules.match import MatchRules, next_dealer, standing

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class MatchWish:
    """What a table wants to play, as given from outside; see ``Session.start_match``."""

    players: Sequence[str]
    edition: str
    colours: Sequence[str] | None = None
    threshold: int | None = None
    tie: str = "extra round"
    dealer: str | None = None
    house: Mapping[str, object] | None = None


def plan_start(wish: MatchWish) -> Plan:
    """Check what is wanted and write it down.

    Raises:
        BadInput: names, edition, colours, threshold or house rules cannot be played with.
    """
    players = _names(wish.players)
    colours = () if wish.colours is None else tuple(_colour(name) for name in wish.colours)
    house = dict(wish.house or {})
    house.setdefault("tie", wish.tie)
    _house(house)
    rules = MatchRules(
        players=len(players),
        edition=parse_edition(wish.edition),
        colours=colours,
        threshold=_threshold(wish.threshold),
        tie=house["tie"],  # type: ignore[arg-type]  # _house has checked it
    )
    dealer = players[0] if wish.dealer is None else wish.dealer
    if dealer not in players:
        raise BadInput(
            "the dealer is one of %(players)s, not %(dealer)r",
            players=", ".join(players),
            dealer=str(dealer)[:40],
        )
    return Plan(
        events.MATCH_STARTED,
        {
            "schema": SCHEMA,
            "players": list(players),
            "edition": rules.edition.value,
            "colours": [colour.value for colour in rules.colours],
            "threshold": rules.threshold,
            "dealer": dealer,
            "house": house,
        },
    )


def fold_start(state: NightState, event: Event) -> NightState:
    """A new match; one that ran is ended. What the same deck has lost before stays lost."""
    found = event.payload
    players = tuple(found["players"])
    match = MatchNow(
        id=event.id,
        at=event.at,
        players=players,
        edition=found["edition"],
        colours=tuple(found["colours"]),
        threshold=int(found["threshold"]),
        tie=found["house"]["tie"],
        dealer=found["dealer"],
        round_number=1,
        rounds=(),
        counting=_fresh(players),
        totals=(),
        to_go=(),
        over=False,
        winners=(),
        extra_round=False,
        house=tuple((name, str(value)) for name, value in found["house"].items()),
    )
    older = state.matches
    same_deck = [one for one in older if one.edition == match.edition]
    match = _dealt_anew(match, still_lost(same_deck[-1]) if same_deck else ())
    if older and older[-1].ended is None:
        older = (*older[:-1], replace(older[-1], ended=event.at))
    return replace(state, matches=(*older, add_up(match)), claims=(), claim_keys=())


def plan_dealer(state: NightState, player: str) -> Plan:
    """Say who deals the current round."""
    seat_of(state.running, player)
    return Plan(events.DEALER_SET, {"schema": SCHEMA, "player": player})


def fold_dealer(state: NightState, event: Event) -> NightState:
    """Another dealer for the current round."""
    match = state.running
    seat_of(match, event.payload["player"])
    return state.with_match(replace(match, dealer=event.payload["player"]))


def plan_end(state: NightState) -> Plan:
    """End the match that runs."""
    return Plan(events.MATCH_ENDED, {"schema": SCHEMA, "match": state.running.id})


def fold_end(state: NightState, event: Event) -> NightState:
    """The match is ended, decided or not."""
    return state.with_match(replace(state.running, ended=event.at))


def plan_close(state: NightState) -> Plan:
    """Close the round on confirmed counts only.

    Raises:
        BadInput: a player is not confirmed, a card was counted too often, the match is decided,
            or no round holds so much.
    """
    match = still_open(state.running)
    waiting = [count.player for count in match.counting if not count.confirmed]
    if waiting:
        raise BadInput("the count of %(players)s is not confirmed yet", players=listed(waiting))
    for twice in match.books.twice:
        if not twice.settled:
            raise too_often(twice)
    missing = [*match.books.missing, *match.books.lost]
    add_up(replace(match, rounds=(*match.rounds, _closed(match, missing))))
    payload = {"schema": SCHEMA, "number": match.round_number, "missing": missing}
    return Plan(events.ROUND_CLOSED, payload)


def too_often(twice: SeenTwice) -> BadInput:
    """What to say of a card that was counted more often than it exists."""
    names = dict.fromkeys(holder.player for holder in twice.holders)
    whose = listed([name or Phrase("the table") for name in names])
    exists = {
        0: Phrase("%(card)s is not in play", card=twice.card),
        1: Phrase("%(card)s exists once", card=twice.card),
        2: Phrase("%(card)s exists twice", card=twice.card),
    }
    times = Phrase("%(card)s exists %(count)s times", card=twice.card, count=twice.exists)
    return BadInput(
        "%(often)s, but it is counted more often, for %(whose)s: say which is right",
        often=exists.get(twice.exists, times),
        whose=whose,
    )


def fold_close(state: NightState, event: Event) -> NightState:
    """The counts become a round; the deal passes to the dealer's right (rule S3)."""
    match = still_open(state.running)
    if event.payload["number"] != match.round_number:
        raise BadInput(f"round {event.payload['number']} is not the one that is played")
    seat = next_dealer(seat_of(match, match.dealer), len(match.players))
    after = replace(
        match,
        rounds=(*match.rounds, _closed(match, event.payload.get("missing", ()))),
        round_number=match.round_number + 1,
        counting=_fresh(match.players),
        left=NOTHING_LEFT,
        dealer=match.players[seat],
    )
    return state.with_match(add_up(_dealt_anew(after, still_lost(match))))


def lost_in_play(match: MatchNow) -> tuple[str, ...]:
    """The lost cards of a match's deck, without those of colours that were left in the box."""
    colours = rules_of(match).colours
    return tuple(text for text in match.lost if parse_number_card(text).colour in colours)


def still_lost(match: MatchNow) -> tuple[str, ...]:
    """What of the deck is lost after the round that is counted: not what turned up in it."""
    boxed = Counter(match.lost) - Counter(lost_in_play(match))
    return (*match.books.lost, *boxed.elements())


def _dealt_anew(match: MatchNow, lost: tuple[str, ...]) -> MatchNow:
    """The match before anything of its round was counted, with the cards that its deck lacks."""
    match = replace(match, lost=lost)
    return replace(match, books=replace(NO_BOOKS, lost=lost_in_play(match)))


def add_up(match: MatchNow) -> MatchNow:
    """The match with totals, threshold and winners as its rounds say (rules M1, D1).

    Raises:
        BadInput: a round holds more points than its cards have.
    """
    stand = standing(rules_of(match), tuple(one.points for one in match.rounds))
    return replace(
        match,
        totals=stand.totals,
        to_go=stand.to_go,
        over=stand.over,
        winners=tuple(match.players[seat] for seat in stand.winners),
        extra_round=stand.extra_round,
    )


def rules_of(match: MatchNow) -> MatchRules:
    """What the law needs to know of a match."""
    return _rules(len(match.players), match.edition, match.colours, (match.threshold, match.tie))


def house_of(match: MatchNow) -> HouseRules:
    """The house rules of a match."""
    given = {name: {"True": True, "False": False}.get(text, text) for name, text in match.house}
    return HouseRules(**given)  # type: ignore[arg-type]  # HouseRules checks each at birth


@lru_cache(maxsize=64)
def _rules(
    players: int, edition: str, colours: tuple[str, ...], end: tuple[int, str]
) -> MatchRules:
    return MatchRules(
        players=players,
        edition=parse_edition(edition),
        colours=tuple(Colour(name) for name in colours),
        threshold=end[0],
        tie=end[1],  # type: ignore[arg-type]  # checked at the start
    )


def _closed(match: MatchNow, missing: Sequence[str]) -> RoundResult:
    points = tuple(count.points for count in match.counting)
    return RoundResult(
        number=match.round_number,
        dealer=match.dealer,
        counts=match.counting,
        points=points,
        left=match.left,
        missing=tuple(missing),
    )


def _fresh(players: tuple[str, ...]) -> tuple[PlayerCount, ...]:
    return tuple(PlayerCount(player) for player in players)


def _names(players: Sequence[str]) -> tuple[str, ...]:
    if isinstance(players, str) or not all(isinstance(name, str) for name in players):
        raise BadInput("players are a list of names")
    names = tuple(" ".join(name.split()) for name in players)
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise BadInput(
                "a player's name has 1 to %(most)s letters, not %(name)r",
                most=LONGEST_NAME,
                name=name[:40],
            )
    if len({name.casefold() for name in names}) != len(names):
        raise BadInput("two players have the same name: give each a name of their own")
    return names


def _colour(name: object) -> Colour:
    if isinstance(name, str) and name in {colour.value for colour in Colour}:
        return Colour(name)
    wanted = ", ".join(colour.value for colour in Colour)
    raise BadInput(
        "%(name)r is no colour: wanted one of %(wanted)s", name=str(name)[:40], wanted=wanted
    )


def _threshold(points: object) -> int:
    if points is None:
        return 0
    if isinstance(points, int) and not isinstance(points, bool) and 1 <= points <= 10_000:
        return points
    raise BadInput(
        "the threshold is a number of points from 1 to 10000, not %(points)r",
        points=str(points)[:40],
    )


def _house(given: Mapping[str, object]) -> HouseRules:
    try:
        return HouseRules(**given)  # type: ignore[arg-type]  # HouseRules checks each at birth
    except TypeError:
        unknown = [name for name in given if name not in HouseRules.__dataclass_fields__]
        raise BadInput("%(name)r is no house rule", name=str(unknown[0])[:40]) from None
