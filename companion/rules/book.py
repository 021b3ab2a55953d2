"""The law in our own words: one sentence for every id of a rule.

>>> rule_text("P4")
'Each T! card won is worth 2 points, whether it was played or not.'
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.errors import NotFound

RULES: Mapping[str, str] = MappingProxyType(
    {
        "C1": "There are 54 number cards: each of the six colours has two 1s, two 2s, two 3s, "
        "and one 4, one 5 and one 6.",
        "C2": "The front of a number card shows its value from 1 to 6 and its points; "
        "the black back shows a target from 7 to 10.",
        "C3": "The T! cards are a stack of their own: 10 in the 65-card edition (4 Thieves, "
        "3 Jokers, 2 Shifters, 1 Bomb), 17 in the 72-card edition (5, 5, 5 and 2).",
        "C4": "The blue 7 lies under the deck and stays on the table; "
        "nobody plays, steals or scores it.",
        "S1": "Two to six play. In the 65-card edition two or three take four colours, four take "
        "five, more take all six, and red is always in; the 72-card edition uses every colour.",
        "S2": "Everybody gets three cards, two go face up on the table, and the rest is the deck, "
        "face down on the blue 7; the T! cards are shuffled apart.",
        "S3": "The first dealer is drawn by chance; after each round the player on the dealer's "
        "right deals.",
        "T1": "A sum joins exactly one hand card with one or more table cards, "
        "and their values make exactly the target.",
        "T2": "The target is the number on top of the deck; once the deck is gone it stays 7.",
        "T3": "A sum is said aloud step by step, so that everybody can follow it.",
        "T4": "The cards of a sum are won, and kept face down until the round is over.",
        "T5": "Whoever takes every table card with a sum and says TWEAK wins a T! card, "
        "kept face up and playable from a later turn on.",
        "T6": "Without a sum, one hand card is laid on the table; "
        "every turn uses one hand card, either way.",
        "T7": "A turn ends by drawing up to three cards; after an emptied table two cards then "
        "follow from the deck, the hand first, as far as the deck goes.",
        "X1": "At most one T! card a turn, in one's own turn, as a help towards the target.",
        "X2": "The Thief moves a card drawn blindly from another hand to the table; "
        "its victim plays the next turn one card short.",
        "X3": "The Joker raises or lowers the target by one, as its player says.",
        "X4": "The Shifter turns the deck's top card face up onto the table; "
        "what then lies on top is the new target.",
        "X5": "The Bomb makes everybody else put one hand card on the table "
        "and play the next turn one card short.",
        "X6": "Without a hand card no T! card can be played; it still scores.",
        "K1": "Whoever lays a card that could have made a sum has lost that chance, "
        "and nobody else may claim the sum.",
        "K2": "Whoever has lost all hand cards to Thieves or Bombs loses the next turn, "
        "but draws up to three before passing it on.",
        "K3": "With the deck gone the target is 7 and nobody draws; "
        "play goes on until every hand is empty.",
        "E1": "The round is over once the deck is gone and every hand is empty.",
        "E2": "Cards left on the table score for nobody.",
        "P1": "An ordinary number card is worth 1 point.",
        "P2": "A red card is worth 3 points, the red 5 apart.",
        "P3": "A 5 is worth 4 points, the red 5 is worth 5.",
        "P4": "Each T! card won is worth 2 points, whether it was played or not.",
        "M1": "Points add up over the rounds until somebody reaches the threshold: "
        "140 for two players, 120 for three, 100 for four, 80 for five, 60 for six.",
        "D1": "Our reading: if several pass the threshold in one round, the highest total wins; "
        "level at the top, one more round is played.",
        "D2": "Our reading: the player on the dealer's left starts, and play goes clockwise.",
        "D3": 'Our reading: "TWEAK" still counts until its player draws.',
        "D4": "Our reading: with no T! card left to win, a TWEAK wins the cards of its sum alone.",
        "D5": "Our reading: the Shifter can't be played once the deck is gone.",
        "D6": "Our reading: a Thief needs a victim with a card, a Bomb passes over empty hands.",
        "D7": "Our reading: a card may be laid even after a T! card was played.",
        "D8": "Our reading: a victim draws again only at the end of their own next turn.",
        "D9": 'Our reading: if "TWEAK" is said with a card left on the table, '
        "the sum stands without a T! card.",
        "D10": 'Our reading: if all table cards are taken and "TWEAK" is not said, the cards are '
        "won without a T! card, and the table is filled up all the same.",
        "D11": "Our reading: right cards with wrong words count, and the slip is noted; "
        "a strict match refuses them.",
    }
)
"""Every rule by its id, in the order of the book."""


def rule_text(rule: str) -> str:
    """The sentence of one rule.

    Raises:
        NotFound: no rule has this id.
    """
    if rule.strip().upper() in RULES:
        return RULES[rule.strip().upper()]
    raise NotFound(f"no rule {rule[:10]!r}: wanted one of {', '.join(RULES)}")
