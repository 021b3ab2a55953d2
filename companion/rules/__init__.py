"""THE LAW: what the rules of TWEAK! allow, and why.

Standard library only: no clock, no files, no randomness that is not passed in.
Values are frozen; an ordinary "no" is a verdict, an exception is a broken promise.

==================== ==========================================================================
cards, editions      what is in the box (C1-C4), what is put into play (S1)
tweaks, sums         T! cards as they are played; every sum that a table allows
claim                one claim at the table, judged; the lines of ``companion judge``
round, moves         the state of a round and its moves, each with its one line of text
notation, record     read them back; a round's record replays to the same state
turn, legal, apply   ``judge`` a move, list the legal ones, carry one out
spoken, words        what people say aloud, in six languages (T3, D11)
scoring, match       points (P1-P4), totals, thresholds, the winner (M1, D1)
accounts             what a finished round must add up to
book, house          every rule in a sentence; our readings D1-D11 as settings
simulate, players    whole rounds between simple players
==================== ==========================================================================

A card laid without a claim, for instance, and what it gave away (K1):

>>> from companion.rules.claim import Claim, given_away, judge
>>> from companion.rules.cards import parse_number_card as card
>>> from companion.rules.editions import Edition
>>> table = (card("R1"), card("Y3"))
>>> laid = Claim(Edition.CARDS_65, 9, False, table, hand=card("G5"), taken=())
>>> judge(laid).reason, [str(one) for one in given_away(laid)]
('G5 is laid on the table, no sum is claimed', ['G5 + R1 + Y3'])
"""
