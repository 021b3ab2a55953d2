"""A claim at the table, and the verdict on it (rules T1, T2, T5, T6, X3, D9-D11).

>>> judge_line('{"edition": "65", "target": 9, "deck_empty": false, "table": ["R1", "Y3"],'
...            ' "hand": "G5", "taken": ["R1", "Y3"], "said_tweak": true}')["won"]
['G5', 'R1', 'Y3']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import BadClaim, BadInput
from companion.rules.cards import TARGETS, NumberCard, parse_number_card
from companion.rules.editions import END_TARGET, Edition, check_copies, parse_edition
from companion.rules.house import DEFAULTS, HouseRules
from companion.rules.json_line import read_object, short
from companion.rules.spoken import hear
from companion.rules.sum_verdict import SumFacts, judge_sum
from companion.rules.sums import Sum, possible_sums
from companion.rules.tweaks import TweakPlay
from companion.rules.verdict import LAID, Ruling, Verdict

__all__ = [
    "END_TARGET",
    "Claim",
    "TweakPlay",
    "claim_from_json",
    "given_away",
    "judge",
    "judge_line",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a player claims: one hand card with table cards, or a hand card laid.

    Attributes:
        edition: which box is played.
        target: 7-10 as it shows; None where it is not seen. With the deck gone it is 7.
        deck_empty: whether the deck is gone.
        table: the cards on the table when the sum is made.
        hand: the card from the hand.
        taken: the table cards that are joined; none means that the card is laid.
        tweak: the T! card played in this turn.
        said_tweak: whether the player said "TWEAK".
        spoken: what was said aloud.
    """

    edition: Edition
    target: int | None
    deck_empty: bool
    table: tuple[NumberCard, ...]
    hand: NumberCard
    taken: tuple[NumberCard, ...]
    tweak: TweakPlay | None = None
    said_tweak: bool = False
    spoken: str | None = None

    def __post_init__(self) -> None:
        if self.deck_empty and self.target not in (None, END_TARGET):
            raise BadClaim("with the deck gone the target is 7, not %(target)s", target=self.target)
        if self.target is not None and self.target not in TARGETS:
            raise BadClaim("the target is from 7 to 10, not %(target)s", target=short(self.target))
        try:
            check_copies((*self.table, self.hand))
        except BadInput as error:
            raise BadClaim("table and hand: %(error)s", error=error.said) from None
        missing = Counter(self.taken) - Counter(self.table)
        if missing:
            names = ", ".join(str(card) for card in missing.elements())
            raise BadClaim("taken, but not on the table: %(cards)s", cards=names[:60])

    @property
    def known_target(self) -> int | None:
        """The target as it shows, None where it is not seen."""
        return END_TARGET if self.deck_empty else self.target


def judge(claim: Claim, house: HouseRules = DEFAULTS) -> Verdict:
    """Say whether a claim is within the law.

    Args:
        claim: what is claimed; its own promises were checked at its birth.
        house: the readings of this match; the defaults without it.
    """
    if not claim.taken:
        rules = ("T6", "D7") if claim.tweak else ("T6",)
        return Verdict(Ruling.LEGAL, rules, LAID, {"card": str(claim.hand)})
    return judge_sum(_facts(claim), house)


def given_away(claim: Claim) -> tuple[Sum, ...]:
    """The sums that a laid card gives away for good, best points first (K1).

    There are none for a claim that makes a sum, nor while the target is not seen.
    """
    target = claim.known_target
    if claim.taken or target is None:
        return ()
    change = claim.tweak.change if claim.tweak else 0
    return possible_sums(claim.table, target + change, (claim.hand,))


def _facts(claim: Claim) -> SumFacts:
    heard = hear(claim.spoken) if claim.spoken else None
    return SumFacts(
        cards=(claim.hand, *claim.taken),
        left=len(claim.table) - len(claim.taken),
        target=claim.known_target,
        change=claim.tweak.change if claim.tweak else 0,
        deck_gone=claim.deck_empty,
        said_tweak=claim.said_tweak or (heard is not None and heard.said_tweak),
        spoken=claim.spoken,
    )


_NEEDED = ("edition", "target", "table", "hand", "taken")
_OPTIONAL = ("deck_empty", "tweak", "said_tweak", "spoken")


def claim_from_json(found: Mapping[str, object]) -> Claim:
    """Read a claim from a JSON object of the ``companion judge`` contract.

    ``deck_empty``, ``tweak``, ``said_tweak`` and ``spoken`` may be left out.

    Raises:
        BadInput: a key is missing or unknown, or a value is not what was wanted.
    """
    for key in found:
        if key not in _NEEDED + _OPTIONAL:
            raise BadClaim(f"unknown key {short(key)}: wanted {', '.join(_NEEDED + _OPTIONAL)}")
    for key in _NEEDED:
        if key not in found:
            raise BadClaim(f"the key {key} is missing")
    return Claim(
        edition=parse_edition(found["edition"]),
        target=_whole_number(found["target"]),
        deck_empty=_truth(found, "deck_empty"),
        table=_cards(found, "table"),
        hand=_card(found["hand"], "hand"),
        taken=_cards(found, "taken"),
        tweak=_tweak(found.get("tweak")),
        said_tweak=_truth(found, "said_tweak"),
        spoken=_speech(found.get("spoken")),
    )


def judge_line(line: str | bytes, house: HouseRules = DEFAULTS) -> dict[str, object]:
    """Judge one line of ``companion judge``; a broken line gets an error object.

    Args:
        line: one JSON object as text, with or without its line end.
        house: the readings of this match; the defaults without it.

    Returns:
        The contract's JSON object: a verdict, or ``{"error": {"message": "one line"}}``.
    """
    try:
        verdict = judge(claim_from_json(read_object(line)), house)
    except BadInput as error:
        return {"error": {"message": str(error)}}
    return verdict_to_json(verdict)


def verdict_to_json(verdict: Verdict) -> dict[str, object]:
    """A verdict as the JSON object of the ``companion judge`` contract."""
    return {
        "verdict": verdict.ruling.value,
        "rules": list(verdict.rules),
        "reason": verdict.reason,
        "wins_tweak": verdict.wins_tweak,
        "won": [str(card) for card in verdict.won],
        "points": verdict.points,
    }


def _whole_number(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise BadClaim(f"target is a whole number from 7 to 10 or null, not {short(value)}")


def _truth(found: Mapping[str, object], key: str) -> bool:
    value = found.get(key, False)
    if isinstance(value, bool):
        return value
    raise BadClaim(f"{key} is true or false, not {short(value)}")


def _card(value: object, key: str) -> NumberCard:
    if isinstance(value, str):
        return parse_number_card(value)
    raise BadClaim(f"{key} is a card such as R5, not {short(value)}")


def _cards(found: Mapping[str, object], key: str) -> tuple[NumberCard, ...]:
    value = found[key]
    if isinstance(value, list):
        return tuple(_card(one, key) for one in value)
    raise BadClaim(f"{key} is a list of cards such as R5, not {short(value)}")


def _tweak(value: object) -> TweakPlay | None:
    if value is None:
        return None
    names = [play.value for play in TweakPlay]
    if isinstance(value, str) and value in names:
        return TweakPlay(value)
    raise BadClaim(f"tweak is null or one of {', '.join(names)}, not {short(value)}")


def _speech(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise BadClaim(f"spoken is a text or null, not {short(value)}")
