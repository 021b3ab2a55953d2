"""Why a move is allowed or not: the sentences, as templates for the translators.

Seats stand in them as ``p1`` to ``p6``, cards as their texts.
"""

from __future__ import annotations

from companion.rules.verdict import Ruling, Verdict

ROUND_OVER = "the round is over: the deck is gone and every hand is empty"
OUT_OF_TURN = "it is the turn of %(turn)s, not of %(seat)s"
CARD_PLAYED = "one hand card is played in every turn, and %(seat)s has played one"
CHANCE_LOST = "the turn has gone on: nobody may claim this sum any more"
NO_CARD_LEFT = "%(seat)s has no hand card to play"
NOT_IN_HAND = "%(card)s is not in the hand of %(seat)s"
NOT_ON_TABLE = "not on the table: %(cards)s"
ALL_ELSEWHERE = "every %(card)s is seen elsewhere, so %(seat)s can't have one"
SUM_POSSIBLE = "after a T! card a sum has to be made: %(sum)s is possible"
SUM_PERHAPS = "after a T! card a sum has to be made, and the hand of %(seat)s is not seen"
LOST_TURN = "%(seat)s has no hand card and loses the turn"
HAS_CARDS = "%(seat)s plays one hand card in every turn (in hand: %(count)s)"

SECOND_TWEAK = "one T! card a turn: %(played)s is played already"
TWEAK_TOO_LATE = "a T! card helps towards the target: it is played before the hand card"
NO_SUCH_TWEAK = "%(seat)s has no %(card)s to play"
JOKER = "%(seat)s plays a Joker: the target %(target)s becomes %(now)s"
JOKER_UNSEEN = "%(seat)s plays a Joker: the target, not seen, changes by %(change)s"
THIEF = "%(seat)s plays a Thief: %(card)s of %(victim)s goes on the table"
THIEF_ON_ONESELF = "a Thief takes from another player's hand, not from one's own"
THIEF_EMPTY = "a Thief needs a victim with a card: the hand of %(victim)s is empty"
THIEF_WASTED = "%(seat)s plays a Thief on an empty hand, to no effect"
THIEF_UNNAMED = "unclear until the card that the Thief put on the table is named"
BOMB = "%(seat)s plays a Bomb (cards that go on the table: %(count)s)"
BOMB_ON_ONESELF = "a Bomb spares its player"
BOMB_MISSES = "a Bomb makes everybody else with a card put one down: %(seats)s missing"
BOMB_EMPTY = "a Bomb passes over empty hands: %(victim)s has no card"
SHIFTER = "%(seat)s plays a Shifter: %(card)s goes on the table"
SHIFTER_NO_DECK = "a Shifter can't be played once the deck is gone"
SHIFTER_WASTED = "%(seat)s plays a Shifter with the deck gone, to no effect"
SHIFTER_UNNAMED = "unclear until the card that the Shifter put on the table is named"

DRAWN = "%(seat)s draws %(count)s (then in hand: %(hand)s, in the deck: %(deck)s)"
DRAW_FIRST_PLAY = "%(seat)s plays a hand card before drawing"
DRAW_FIRST_PASS = "%(seat)s has no hand card: the turn is passed before drawing"
ALREADY_DRAWN = "%(seat)s has drawn already"
DRAW_COUNT = "%(seat)s draws %(wanted)s, not %(count)s (in hand: %(hand)s, in the deck: %(deck)s)"
FILLED = "the emptied table is filled (cards from the deck: %(count)s)"
FILL_COUNT = "the emptied table takes %(wanted)s from the deck, not %(count)s"
FILL_TOO_EARLY = "hand first, table last: %(seat)s draws before the table is filled"
NOT_EMPTIED = "the table is filled only after a sum has emptied it"
OTHER_CARD = "the deck gives %(wanted)s, not %(card)s"
ALL_OUT_OF_DECK = "every %(card)s is seen elsewhere, so the deck can't give one"
OTHER_KIND = "the stack gives %(wanted)s, not %(card)s"
OTHER_TOP = "the deck then shows %(wanted)s, not %(top)s"
FILL_UNNAMED = "unclear until the cards that go on the table are named"
TWEAK_SAID_LATE = "TWEAK is said before the draw: it counts"
TWEAK_SAID_NO_STACK = "TWEAK is said before the draw, but no T! card is left to win"
NOTHING_WON = "no T! card is won with this, so it can't be T!%(wins)s"
KIND_USED_UP = "every T!%(wins)s is seen elsewhere, so it can't be won"
TWEAK_NOT_DUE = "no sum of this turn is waiting for TWEAK to be said"
TWEAK_AFTER_DRAW = "TWEAK counts until the player draws"

MOVE_TEMPLATES: tuple[str, ...] = (
    *(ROUND_OVER, OUT_OF_TURN, CARD_PLAYED, CHANCE_LOST, NO_CARD_LEFT, NOT_IN_HAND),
    *(NOT_ON_TABLE, ALL_ELSEWHERE, SUM_POSSIBLE, SUM_PERHAPS, LOST_TURN, HAS_CARDS),
    *(SECOND_TWEAK, TWEAK_TOO_LATE, NO_SUCH_TWEAK, JOKER, JOKER_UNSEEN, THIEF),
    *(THIEF_ON_ONESELF, THIEF_EMPTY, THIEF_WASTED, THIEF_UNNAMED, BOMB, BOMB_ON_ONESELF),
    *(BOMB_MISSES, BOMB_EMPTY, SHIFTER, SHIFTER_NO_DECK, SHIFTER_WASTED, SHIFTER_UNNAMED),
    *(DRAWN, DRAW_FIRST_PLAY, DRAW_FIRST_PASS, ALREADY_DRAWN, DRAW_COUNT, FILLED, FILL_COUNT),
    *(FILL_TOO_EARLY, NOT_EMPTIED, OTHER_CARD, ALL_OUT_OF_DECK, OTHER_KIND, OTHER_TOP),
    *(FILL_UNNAMED, TWEAK_SAID_LATE, TWEAK_SAID_NO_STACK, NOTHING_WON, KIND_USED_UP),
    *(TWEAK_NOT_DUE, TWEAK_AFTER_DRAW),
)
"""Every sentence above."""


def yes(rules: tuple[str, ...], template: str, **values: object) -> Verdict:
    """A move that the law allows."""
    return Verdict(Ruling.LEGAL, rules, template, values)


def no(rules: tuple[str, ...], template: str, **values: object) -> Verdict:
    """A move that the law refuses."""
    return Verdict(Ruling.ILLEGAL, rules, template, values)


def unclear(rules: tuple[str, ...], template: str, **values: object) -> Verdict:
    """A move that can't be judged until what the template says is known."""
    return Verdict(Ruling.UNCLEAR, rules, template, values)
