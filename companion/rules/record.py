"""A round's record: its first state and its moves, a line each, readable by a person.

The record replays to the same state on any machine; text that does not is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import BadInput
from companion.rules.apply import apply, play
from companion.rules.moves import Move
from companion.rules.notation import parse_move
from companion.rules.round import State
from companion.rules.state_notation import parse_state

LONGEST_RECORD = 2_000
"""Lines; the longest rounds have some two hundred."""


@dataclass(frozen=True, slots=True)
class Record:
    """What happened in a round, from its deal on."""

    start: State
    moves: tuple[Move, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, (self.start, *self.moves)))

    def states(self) -> Iterator[State]:
        """The state before the first move, and after each.

        Raises:
            IllegalMove: the law refuses one of the moves.
        """
        state = self.start
        yield state
        for move in self.moves:
            state = apply(state, move)
            yield state

    def end(self) -> State:
        """The state after the last move.

        Raises:
            IllegalMove: the law refuses one of the moves.
        """
        return play(self.start, self.moves)


def parse_record(text: str) -> Record:
    """Read a record; empty lines and lines that begin with ``//`` are passed over.

    Raises:
        BadInput: a line is no state or no move; names the line.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not line.startswith("//")
    ]
    if not lines or len(lines) > LONGEST_RECORD:
        raise BadInput(f"a record has 1 to {LONGEST_RECORD} lines, not {len(lines)}")
    start = parse_state(lines[0][1])
    moves: list[Move] = []
    for number, line in lines[1:]:
        try:
            moves.append(parse_move(line))
        except BadInput as error:
            raise BadInput(f"line {number}: {error}") from None
    return Record(start, tuple(moves))
