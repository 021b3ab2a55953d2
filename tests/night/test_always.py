"""Laws that hold whatever the players tap, in whatever order."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadInput
from companion.night.journal import Journal
from companion.night.projection import replay
from companion.night.session import Session
from tests.night.fakes import FakeTable

PLAYERS = st.sampled_from(["Ann", "Ben", "Cleo"])
CARDS = st.lists(
    st.sampled_from(["R5", "R1", "G5", "Y3", "B2", "R3?O3", "P6", "#9", "?"]), max_size=4
)
TWEAKS = st.lists(st.sampled_from(["T!joker", "T!bomb", "T!"]), max_size=2)
Tap = Callable[[Session, FakeTable], object]


def first_card(session: Session, player: str) -> str:
    match = session.snapshot().match
    cards = [
        card.id
        for count in (match.counting if match else ())
        if count.player == player
        for batch in count.batches
        for card in batch.cards
    ]
    return cards[0] if cards else "0.0"


def newest_claim(session: Session) -> int:
    claims = session.snapshot().claims
    return claims[0].id if claims else 0


TAPS: st.SearchStrategy[Tap] = st.one_of(
    st.just(lambda s, t: s.start_match(["Ann", "Ben"], "65", threshold=20)),
    st.just(lambda s, t: s.end_match()),
    st.just(lambda s, t: s.close_round()),
    st.just(lambda s, t: s.undo()),
    st.just(lambda s, t: s.redo()),
    st.builds(lambda p: lambda s, t: s.start_count(p), PLAYERS),
    st.builds(lambda p: lambda s, t: s.set_dealer(p), PLAYERS),
    st.builds(lambda p, c: lambda s, t: s.add_batch(p, c), PLAYERS, st.none() | CARDS),
    st.builds(lambda p, w: lambda s, t: s.confirm_count(p, w), PLAYERS, TWEAKS),
    st.builds(lambda p, c: lambda s, t: s.correct_card(p, first_card(s, p), c), PLAYERS,
              st.sampled_from(["R5", "O3", "#9"])),
    st.builds(lambda p: lambda s, t: s.remove_card(p, first_card(s, p)), PLAYERS),
    st.builds(lambda p, c: lambda s, t: s.edit_round(1, p, c), PLAYERS, CARDS),
    st.builds(lambda c, g: lambda s, t: s.set_table(c, 9, deck_gone=g), CARDS, st.booleans()),
    st.builds(lambda p, c: lambda s, t: s.claim(p, "G5", c), PLAYERS, CARDS),
    st.builds(lambda g: lambda s, t: s.correct_claim(newest_claim(s), target=g),
              st.sampled_from([7, 8, 11])),
    st.builds(lambda c, d: lambda s, t: t.shows(c, deck=d), CARDS, st.sampled_from(["#8", None])),
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(TAPS, max_size=25))
def test_what_is_shown_is_what_the_journal_says(taps: list[Tap]) -> None:
    journal = Journal.open("sqlite://")
    session = Session(journal)
    table, refusals = FakeTable(session), []
    for tap in taps:
        before = session.snapshot()
        try:
            tap(session, table)
        except BadInput as error:
            refusals.append((str(error), before is session.snapshot()))
    assert all(unchanged and "\n" not in line for line, unchanged in refusals)
    assert replay(journal.events()) == session._ledger.state
    shown, again = session.snapshot(), Session(journal).snapshot()
    assert not shown.oddities
    assert (shown.id, shown.match, shown.matches) == (again.id, again.match, again.matches)
    assert (shown.claims, shown.events) == (again.claims, again.events)
    assert (shown.undo, shown.redo) == (again.undo, again.redo)
    journal.close()
