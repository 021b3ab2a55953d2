"""Rules T1 and T5: every sum that the table allows, best first."""

import random
import time
from itertools import combinations
from statistics import median

from companion.rules.cards import Colour, NumberCard, parse_number_card
from companion.rules.editions import number_cards
from companion.rules.sums import possible_sums


def cards(text: str) -> tuple[NumberCard, ...]:
    return tuple(parse_number_card(word) for word in text.split())


def test_the_best_points_come_first_and_a_tweak_is_marked() -> None:
    sums = possible_sums(cards("R1 Y3 G5"), 9, cards("G1 B5"))
    assert [(str(one), one.points, one.is_tweak) for one in sums] == [
        ("B5 + R1 + Y3", 8, False),
        ("G1 + Y3 + G5", 6, False),
    ]
    tweak = possible_sums(cards("R1 Y3"), 9, cards("G5"))
    assert [one.is_tweak for one in tweak] == [True]


def test_without_a_hand_every_value_is_tried() -> None:
    sums = possible_sums(cards("R1 Y3"), 7)
    assert {(one.hand_card, one.hand_value, one.taken) for one in sums} == {
        (None, 6, cards("R1")),
        (None, 4, cards("Y3")),
        (None, 3, cards("R1 Y3")),
    }


def test_equal_cards_give_one_sum() -> None:
    assert [str(one) for one in possible_sums(cards("R1 R1"), 7, cards("G6 G6"))] == ["G6 + R1"]


def test_no_table_or_no_hand_gives_no_sum() -> None:
    assert possible_sums((), 7) == ()
    assert possible_sums(cards("R1"), 7, ()) == ()


def test_random_tables_agree_with_brute_force() -> None:
    dice = random.Random(3)
    deck = list(number_cards(Colour))
    for _ in range(300):
        dice.shuffle(deck)
        size = dice.randint(1, 8)
        table, hand, target = tuple(deck[:size]), tuple(deck[size : size + 3]), dice.randint(6, 11)
        found = possible_sums(table, target, hand)
        slow = {
            (one, tuple(sorted(map(str, some))))
            for one in hand
            for count in range(1, size + 1)
            for some in combinations(table, count)
            if one.value + sum(card.value for card in some) == target
        }
        assert len(found) == len(slow)
        assert {(one.hand_card, tuple(sorted(map(str, one.taken)))) for one in found} == slow
        points = [one.points for one in found]
        assert points == sorted(points, reverse=True)


def test_a_table_of_twelve_is_fast_enough_for_every_frame() -> None:
    dice = random.Random(12)
    deck = list(number_cards(Colour))
    times_s = []
    for _ in range(60):
        dice.shuffle(deck)
        start_s = time.process_time()
        possible_sums(tuple(deck[:12]), dice.randint(7, 10))
        times_s.append(time.process_time() - start_s)
    assert median(times_s) < 0.001
