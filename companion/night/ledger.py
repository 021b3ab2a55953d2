"""The journal with what follows from it, kept in step; guarded by the session's lock.

Other programs may write to the same journal: :meth:`Ledger.catch_up` takes their events in.
"""

from __future__ import annotations

from typing import Any

from companion.errors import BadInput, Phrase
from companion.night.events import SCHEMA, UNDONE, Event, about_of, next_steps
from companion.night.journal import Journal
from companion.night.projection import advance, replay
from companion.night.state import NightState, Plan
from companion.night.values import Step


class Ledger:
    """Every event of the journal, and the state that they lead to.

    >>> ledger = Ledger(Journal.open("sqlite://"))
    >>> ledger.write(Plan("zones set", {"deck": None, "table": None}))
    >>> ledger.write(ledger.plan_undo())
    >>> ledger.undo is None, ledger.redo.text
    (True, 'zones set')
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._events: list[Event] = journal.events()
        self.state: NightState = replay(self._events)
        self.undo, self.redo = next_steps(self._events)

    def write(self, plan: Plan) -> None:
        """Put a command's event on disk, then into the state.

        Raises:
            JournalError: it could not be written; the state is as before.
        """
        event = self.journal.append(plan.kind, plan.payload, plan.pictures)
        if event.id == self.state.last_id + 1:
            self._take_in(event)
        else:
            self.catch_up()

    def catch_up(self) -> bool:
        """Take in what other programs have written; True where there was something.

        Raises:
            JournalError: the database cannot be read.
        """
        news = self.journal.events(after=self.state.last_id)
        for event in news:
            self._take_in(event)
        return bool(news)

    def plan_undo(self, step_id: int | None = None) -> Plan:
        """Take the newest command back.

        Raises:
            BadInput: there is none, or another than the one named.
        """
        return self._back(self.undo, step_id, BadInput("there is nothing to take back"))

    def plan_redo(self, step_id: int | None = None) -> Plan:
        """Bring the newest command that was taken back again.

        Raises:
            BadInput: there is none, or another than the one named.
        """
        return self._back(self.redo, step_id, BadInput("there is nothing to bring again"))

    def _back(self, step: Step | None, step_id: int | None, nothing: BadInput) -> Plan:
        if step is None:
            raise nothing
        if step_id is not None and step_id != step.id:
            newest = Phrase(step.template, **dict(step.values)) if step.template else step.text
            raise BadInput(
                "something happened since: the newest step is now '%(step)s'", step=newest
            )
        taken_back = next(event for event in reversed(self._events) if event.id == step.id)
        payload: dict[str, Any] = {"schema": SCHEMA, "event": step.id, "was": taken_back.kind}
        if taken_back.kind != UNDONE:
            payload["about"] = about_of(taken_back.payload)
        return Plan(UNDONE, payload)

    def _take_in(self, event: Event) -> None:
        self._events.append(event)
        self.state = advance(self.state, self._events)
        self.undo, self.redo = next_steps(self._events)
