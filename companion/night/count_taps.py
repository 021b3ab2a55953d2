"""Players who answer what the count asks, truthfully and nothing else, and how often they tap.

One tap says what a doubtful card is where the page shows it among the first; another card takes
three (Other, colour, value), taking a find out that is no card two. A card seen twice, and a
missing one, take one each where the page offers the answer.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from companion.errors import BadInput
from companion.night.count_files import TruePile, TrueRound
from companion.night.session import Session
from companion.night.values import ON_TABLE, CountedCard, MatchNow, PlayerCount, SeenTwice
from companion.rules.cards import Card, NumberCard, TweakCard, parse_card
from companion.vision.bench_labels import LabelledPicture
from companion.vision.quads import iou, scaled

SHOWN = 3
"""So many answers stand beside a doubtful card."""

_SAME = 0.3
_MOST_ANSWERS = 60


@dataclass(slots=True)
class Answering:
    """The players of one round, who know every card.

    Attributes:
        session: the night that asks.
        truth: the round.
        true_cards: by the ids of counted cards, what each truly is; None for no card at all.
    """

    session: Session
    truth: TrueRound
    true_cards: dict[str, Card | None] = field(default_factory=dict)

    def learn(self, pile: TruePile, picture: LabelledPicture, size_px: tuple[int, int]) -> None:
        """Look which card of the newest batch is which of those that truly lie there."""
        newest = _count(self._match, pile.player).batches[-1]
        counted = tuple({card.id: card for card in (*newest.faint, *newest.cards)}.values())
        pairs = []
        for card in counted:
            self.true_cards[card.id] = None
            quad = card.quad and scaled(card.quad, *size_px)
            for place, label in enumerate(picture.cards):
                shared = iou(quad, label.quad_px) if quad else 0.0
                if shared >= _SAME:
                    pairs.append((shared, card.id, place))
        taken: set[int] = set()
        for _, card_id, place in sorted(pairs, reverse=True):
            if place not in taken and self.true_cards[card_id] is None:
                self.true_cards[card_id] = picture.cards[place].card
                taken.add(place)

    def answer_all(self) -> int:
        """Answer till nothing is asked any more, and confirm; the number of taps."""
        taps = 0
        for _ in range(_MOST_ANSWERS):
            more = self._doubtful() or self._seen_twice() or self._missing()
            if not more:
                break
            taps += more
        return taps + sum(self._tweaks(pile) for pile in self.truth.piles if pile.player)

    @property
    def asks(self) -> bool:
        """Whether the page asks or names anything now."""
        match = self._match
        if any(count.doubtful for count in match.counting) or not match.books.balanced:
            return True
        return any(
            len(pile.tweaks) != len(_tweaks(_count(match, pile.player)))
            for pile in self.truth.piles
            if pile.player
        )

    @property
    def _match(self) -> MatchNow:
        match = self.session.snapshot().match
        assert match is not None, "a round is counted in a match"
        return match

    def _doubtful(self) -> int:
        for count in self._match.counting:
            for card in count.cards:
                if card.doubtful:
                    return self._say(count.player, card)
        return 0

    def _say(self, player: str, card: CountedCard) -> int:
        true = self.true_cards.get(card.id)
        if true is None or isinstance(true, TweakCard):
            # The pad has no T! cards: they are told when the count is confirmed.
            self.session.remove_card(player, card.id)
            return 2
        shown = (card.fits or [text for text, _ in card.alternatives])[:SHOWN]
        return self._correct(player, card.id, true, 1 if str(true) in shown else 3)

    def _seen_twice(self) -> int:
        for twice in self._match.books.twice:
            taps = 0 if twice.settled else self._put_right(twice)
            if taps:
                return taps
        return 0

    def _put_right(self, twice: SeenTwice) -> int:
        for holder in twice.holders:
            true = self.true_cards.get(holder.card_id, parse_card(twice.card))
            if true is None:
                self.session.remove_card(holder.player, holder.card_id)
                return 1
            if str(true) != twice.card:
                shown = str(true) in twice.instead[:SHOWN]
                return self._correct(holder.player, holder.card_id, true, 1 if shown else 3)
        return 0

    def _missing(self) -> int:
        match = self._match
        owners = {text: self._owner(text) for text in match.books.missing}
        if owners and set(owners.values()) == {ON_TABLE}:
            self.session.add_batch(ON_TABLE, match.books.missing)
            return 1
        for text, owner in owners.items():
            if owner is not None and (self._is_this_one(owner, text) or self._add(owner, text)):
                return 1
        return 0

    def _is_this_one(self, owner: str, text: str) -> bool:
        """Say that a card of which the worth alone is known is the missing one."""
        for card in _count(self._match, owner).cards:
            true = self.true_cards.get(card.id)
            if card.card is None and true is not None and str(true) == text:
                return bool(self._correct(owner, card.id, true, 1))
        return False

    def _owner(self, text: str) -> str | None:
        """In whose pile a card lies that was not counted there."""
        for pile in self.truth.piles:
            counted = [card.card for card in _count(self._match, pile.player).cards]
            if pile.cards[parse_card(text)] > counted.count(text):
                return pile.player
        return None

    def _add(self, player: str, text: str) -> bool:
        try:
            self.session.add_batch(player, [text])
        except BadInput:
            return False
        return True

    def _correct(self, player: str, card_id: str, true: Card, taps: int) -> int:
        try:
            self.session.correct_card(player, card_id, str(true))
        except BadInput:
            # Players said before that all copies lie elsewhere: nothing more to be told here.
            self.session.remove_card(player, card_id)
        return taps

    def _tweaks(self, pile: TruePile) -> int:
        """Confirm with the T! cards that truly were won; a tap for each that was not seen."""
        counted = _tweaks(_count(self._match, pile.player))
        extra, taps = counted - Counter(pile.tweaks), 0
        for card in _count(self._match, pile.player).cards:
            if card.card is not None and extra[card.card] > 0:
                extra[card.card] -= 1
                self.session.remove_card(pile.player, card.id)
                taps += 2
        if not _count(self._match, pile.player).doubtful:
            self.session.confirm_count(pile.player, pile.tweaks)
        return taps + sum((Counter(pile.tweaks) - counted).values())


def _count(match: MatchNow, player: str) -> PlayerCount:
    return match.left if player == ON_TABLE else match.counting[match.players.index(player)]


def _tweaks(count: PlayerCount) -> Counter[str]:
    texts = [card.card for card in count.cards if card.card is not None]
    return Counter(text for text in texts if not isinstance(parse_card(text), NumberCard))
