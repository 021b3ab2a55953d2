"""Made pictures of rounds being counted, as the workshop leaves them: ``rounds.jsonl`` and labels.

A line of ``rounds.jsonl`` is ``{"round", "edition", "colours", "piles": [{"player", "points",
"pictures", "cards"}]}``; the pile of no player is what was left on the table.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import BadInput, NotFound
from companion.rules.cards import Card, TweakCard, parse_card
from companion.vision.bench_labels import LabelledPicture, load_labels


@dataclass(frozen=True, slots=True)
class TruePile:
    """One pile as it truly is.

    Attributes:
        player: whose it is; empty for the cards left on the table.
        cards: number cards and T! cards.
        points: what it is worth to its player.
        pictures: its batches.
    """

    player: str
    cards: Counter[Card]
    points: int
    pictures: tuple[LabelledPicture, ...]

    @property
    def tweaks(self) -> tuple[str, ...]:
        """The T! cards."""
        cards = self.cards.elements()
        return tuple(str(card) for card in cards if isinstance(card, TweakCard))


@dataclass(frozen=True, slots=True)
class TrueRound:
    """One round as it truly is."""

    number: int
    edition: str
    colours: tuple[str, ...]
    piles: tuple[TruePile, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """The names in the order of the seats."""
        return tuple(pile.player for pile in self.piles if pile.player)

    @property
    def points(self) -> tuple[int, ...]:
        """What each player's pile is worth."""
        return tuple(pile.points for pile in self.piles if pile.player)


def load_rounds(folder: Path) -> tuple[TrueRound, ...]:
    """Every round of a folder.

    Raises:
        NotFound: the folder has no ``rounds.jsonl``.
        BadInput: it is not as described above.
    """
    source = folder / "rounds.jsonl"
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise NotFound(f"{folder} has no rounds.jsonl: make a counting recipe's pictures") from None
    pictures = {picture.path: picture for picture in load_labels(folder)}
    try:
        return tuple(_round(folder, json.loads(line), pictures) for line in lines if line.strip())
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{source} cannot be read as rounds: {error!r}") from None


def _round(
    folder: Path, record: dict[str, Any], pictures: dict[Path, LabelledPicture]
) -> TrueRound:
    piles = tuple(
        TruePile(
            player=str(pile["player"]),
            cards=Counter(parse_card(text) for text in pile["cards"]),
            points=int(pile["points"]),
            pictures=tuple(pictures[folder / name] for name in pile["pictures"]),
        )
        for pile in record["piles"]
    )
    colours = tuple(str(name) for name in record["colours"])
    return TrueRound(int(record["round"]), str(record["edition"]), colours, piles)
