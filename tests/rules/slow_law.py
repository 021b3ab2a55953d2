"""A second law, slow on purpose, written from the rule sheets and sharing no code with the first.

Positions are dictionaries of words, moves are lines of text, and whatever can be tried is tried.
"""

from collections.abc import Iterable
from itertools import chain, combinations, product
from typing import Any, TypeAlias

Position: TypeAlias = dict[str, Any]


def value(card: str) -> int:
    return int(card[1])


def worth(card: str) -> int:
    if card == "R5":
        return 5
    if card[1] == "5":
        return 4
    return 3 if card[0] == "R" else 1


def subsets(cards: list[str]) -> Iterable[tuple[int, ...]]:
    """Every choice of one or more places on the table."""
    places = range(len(cards))
    return chain.from_iterable(combinations(places, size) for size in range(1, len(cards) + 1))


def judge_claim(claim: dict[str, Any]) -> tuple[str, bool, list[str], int]:
    """(verdict, wins a T! card, cards won sorted, points) of a claim as of `companion judge`."""
    taken = sorted(claim["taken"])
    if not taken:
        return "legal", False, [], 0
    joker = {"joker+1": 1, "joker-1": -1}.get(claim["tweak"], 0)
    target = 7 if claim["deck_empty"] else claim["target"]
    thinkable = [7, 8, 9, 10] if target is None else [target]
    fits = set()
    wins = False
    for goal in thinkable:
        for places in subsets(claim["table"]):
            chosen = [claim["table"][place] for place in places]
            if sorted(chosen) != taken:
                continue
            if value(claim["hand"]) + sum(map(value, chosen)) == goal + joker:
                fits.add(goal)
                wins = wins or len(chosen) == len(claim["table"])
    if not fits:
        return "illegal", False, [], 0
    if target is None:
        return "unclear", False, [], 0
    won = sorted([claim["hand"], *taken])
    return "legal", wins and claim["said_tweak"], won, sum(map(worth, won))


def spread(words: Iterable[str]) -> list[str]:
    out: list[str] = []
    for word in words:
        if word == "-":
            continue
        name, _, count = word.partition("*")
        out += [name] * int(count or 1)
    return out


def read(line: str) -> Position:
    """A position from the line of a state, every card known and no house rule changed."""
    parts = line.split(" | ")
    here: Position = {"edition": parts[0].split()[0], "players": []}
    for part in parts[1:]:
        name, *words = part.split(" ")
        if name[0] == "p":
            marks = ["hand", "won", "has", "used"]
            starts = [words.index(mark) for mark in marks]
            ends = [*starts[1:], len(words)]
            pile = {
                mark: spread(word for word in words[start + 1 : end] if word != "short")
                for mark, start, end in zip(marks, starts, ends, strict=True)
            }
            here["players"].append({**pile, "short": "short" in words})
        elif name in ("table", "deck", "stack"):
            here[name] = spread(words)
        elif name == "dealer":
            here["dealer"] = int(words[0][1:]) - 1
        elif name == "turn":
            here["turn"] = int(words[0][1:]) - 1
            here["does"] = words[1]
            here["played"] = next(
                (word for word in words[2:] if word not in ("emptied", "unsaid")), None
            )
            here["emptied"] = "emptied" in words or "unsaid" in words
            here["unsaid"] = "unsaid" in words
    return here


def target_of(here: Position) -> int:
    """The number on the deck's top card, 7 once it is gone, with a Joker counted in (T2, X3)."""
    shown = int(here["deck"][0].split("#")[1]) if here["deck"] else 7
    return shown + {"joker+1": 1, "joker-1": -1}.get(here["played"], 0)


def moves(here: Position) -> set[str]:
    """Every legal move as a line of text, "TWEAK" only where it counts."""
    me = f"p{here['turn'] + 1}"
    player = here["players"][here["turn"]]
    found: set[str] = set()
    if here["does"] == "over":
        return found
    if here["does"] == "draw":
        if here["unsaid"]:
            found.add(f"{me} says TWEAK")
        count = min(3 - len(player["hand"]), len(here["deck"]))
        found.add(f"{me} draw {fronts(here, count)}")
        return found
    if here["does"] == "fill":
        found.add(f"{me} fill {fronts(here, min(2, len(here['deck'])))}")
        return found
    if not player["hand"]:
        return {f"{me} pass"}
    for card in player["hand"]:
        found.add(f"{me} lay {card}")
        for places in subsets(here["table"]):
            chosen = sorted(here["table"][place] for place in places)
            if value(card) + sum(map(value, chosen)) == target_of(here):
                found.add(f"{me} sum {' + '.join([card, *chosen])}")
                if len(chosen) == len(here["table"]):
                    found.add(f"{me} sum {' + '.join([card, *chosen])} TWEAK")
    if here["played"] is None:
        found |= tweak_moves(here, me, player)
    return found


def fronts(here: Position, count: int) -> str:
    words = [word.split("#")[0] for word in here["deck"][:count]]
    if not words:
        return "-"
    return f"{words[0]}*3" if len(words) == 3 and len(set(words)) == 1 else " ".join(words)


def tweak_moves(here: Position, me: str, player: Position) -> set[str]:
    found: set[str] = set()
    others = [seat for seat in range(len(here["players"])) if seat != here["turn"]]
    for card in player["has"]:
        if card == "T!joker":
            found |= {f"{me} joker +1", f"{me} joker -1"}
        elif card == "T!thief":
            for seat in others:
                for stolen in here["players"][seat]["hand"]:
                    found.add(f"{me} thief p{seat + 1} {stolen}")
        elif card == "T!shifter" and here["deck"]:
            found.add(f"{me} shifter {fronts(here, 1)}")
        elif card == "T!bomb":
            losers = [seat for seat in others if here["players"][seat]["hand"]]
            for dropped in product(*(here["players"][seat]["hand"] for seat in losers)):
                words = [f"p{seat + 1}:{one}" for seat, one in zip(losers, dropped, strict=True)]
                found.add(f"{me} bomb {' '.join(words) or '-'}")
    return found


def after(here: Position, line: str) -> Position:
    """The position that follows."""
    new = {**here, **{name: list(here[name]) for name in ("table", "deck", "stack")}}
    new["players"] = [
        {**player, **{pile: list(player[pile]) for pile in ("hand", "won", "has", "used")}}
        for player in here["players"]
    ]
    words = line.split()
    player, verb = new["players"][new["turn"]], words[1]
    if verb in ("joker", "thief", "shifter", "bomb"):
        play_tweak(new, player, verb, words[2:])
    elif verb == "sum":
        make_sum(new, player, [word for word in words[2:] if word not in "+"])
    elif verb == "lay":
        player["hand"].remove(words[2])
        new["table"].append(words[2])
        new["does"] = "draw"
    elif verb == "says":
        win_tweak(new, player)
        new["unsaid"] = False
    elif verb == "pass":
        new["does"] = "draw"
    elif verb == "draw":
        while len(player["hand"]) < 3 and new["deck"]:
            player["hand"].append(new["deck"].pop(0).split("#")[0])
        player["short"] = new["unsaid"] = False
        new["does"] = "fill"
        if not (new["emptied"] and new["deck"]):
            pass_on(new)
    elif verb == "fill":
        for _ in range(2):
            if new["deck"]:
                new["table"].append(new["deck"].pop(0).split("#")[0])
        pass_on(new)
    return new


def play_tweak(new: Position, player: Position, verb: str, words: list[str]) -> None:
    player["has"].remove(f"T!{verb}")
    player["used"].append(f"T!{verb}")
    new["played"] = verb + words[0] if verb == "joker" else verb
    if verb == "thief":
        lose(new, int(words[0][1:]) - 1, words[1])
    elif verb == "bomb":
        for word in words:
            if word != "-":
                lose(new, int(word[1]) - 1, word[3:])
    elif verb == "shifter":
        new["table"].append(new["deck"].pop(0).split("#")[0])


def lose(new: Position, seat: int, card: str) -> None:
    new["players"][seat]["hand"].remove(card)
    new["players"][seat]["short"] = True
    new["table"].append(card)


def make_sum(new: Position, player: Position, words: list[str]) -> None:
    said = words[-1] == "TWEAK"
    cards = words[:-1] if said else words
    player["hand"].remove(cards[0])
    for card in cards[1:]:
        new["table"].remove(card)
    player["won"] += cards
    new["does"], new["emptied"] = "draw", not new["table"]
    new["unsaid"] = not new["table"] and not said
    if not new["table"] and said:
        win_tweak(new, player)


def win_tweak(new: Position, player: Position) -> None:
    if new["stack"]:
        player["has"].append(new["stack"].pop(0))


def pass_on(new: Position) -> None:
    new.update(played=None, emptied=False, unsaid=False, does="play")
    if not new["deck"] and not any(player["hand"] for player in new["players"]):
        new["does"] = "over"
    else:
        new["turn"] = (new["turn"] + 1) % len(new["players"])


def count_lines(here: Position, depth: int) -> int:
    """How many different lines of moves there are, so many moves deep."""
    if depth == 0:
        return 1
    return sum(count_lines(after(here, line), depth - 1) for line in moves(here))


def in_order(line: str) -> str:
    """A move's line with the cards it takes in order, as this law writes them."""
    words = line.split()
    if words[1] != "sum":
        return line
    cards = [word for word in words[2:] if word not in ("+", "TWEAK")]
    tweak = " TWEAK" if words[-1] == "TWEAK" else ""
    return f"{words[0]} sum {' + '.join([cards[0], *sorted(cards[1:])])}{tweak}"


def deck_of(letters: str) -> list[str]:
    """Every number card of these colours (C1)."""
    return [f"{letter}{number}" for letter in letters for number in (1, 1, 2, 2, 3, 3, 4, 5, 6)]
