"""The one mutable object of a night, behind one lock: commands in, frozen snapshots out.

Every command checks first, writes one event to the journal, and only then shows it: wrong input
is a :class:`~companion.errors.BadInput` of one line and leaves everything as it was. No command
needs a camera or a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.night.values import Snapshot
from companion.table.values import TableEvent
from companion.vision.values import Look, Quad


class Session:
    """One night at one table. All methods may be called from any thread."""

    # --- what the pages read -------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Everything a page shows now; the same object until something changes."""
        raise NotImplementedError

    def wait(
        self, after_id: int, timeout_s: float, after_live_id: int | None = None
    ) -> Snapshot | None:
        """Wait for news: an event after ``after_id``, or a live change after ``after_live_id``.

        With ``after_live_id`` None live changes do not count. None after ``timeout_s`` seconds.
        """
        raise NotImplementedError

    def picture(self, sha256: str) -> bytes:
        """The JPEG of a picture in the journal.

        Raises:
            NotFound: there is none of that name.
        """
        raise NotImplementedError

    def live_jpeg(self) -> tuple[int, bytes] | None:
        """Number and JPEG of the newest picture, without drawings; None without a camera."""
        raise NotImplementedError

    # --- the match -----------------------------------------------------------------------

    def start_match(
        self,
        players: Sequence[str],
        edition: str,
        colours: Sequence[str] | None = None,
        *,
        threshold: int | None = None,
        tie: str = "extra round",
        dealer: str | None = None,
        house: Mapping[str, object] | None = None,
    ) -> Snapshot:
        """Start a match; one that runs is ended first.

        Args:
            players: 2-6 different names in the order of the seats, clockwise.
            edition: ``65`` or ``72``.
            colours: names of the colours in play, red among them; None: as many as rule S1 says.
            threshold: points to reach; None: as rule M1 says.
            tie: ``extra round`` or ``shared`` (rule D1).
            dealer: who deals the first round; None: the first player.
            house: house rules that differ from the defaults, by name.

        Raises:
            BadInput: any of these is not what was wanted.
        """
        raise NotImplementedError

    def set_dealer(self, player: str) -> Snapshot:
        """Say who deals the round that is played now (rule S3 turns on from there)."""
        raise NotImplementedError

    def end_match(self) -> Snapshot:
        """End the match that runs, decided or not."""
        raise NotImplementedError

    # --- the table -----------------------------------------------------------------------

    def set_zones(self, deck: Quad | None, table: Quad | None = None) -> Snapshot:
        """Say where deck and table lie, in fractions of the picture; None: guessed, whole."""
        raise NotImplementedError

    def set_table(
        self, cards: Sequence[str], target: int | None, *, deck_gone: bool = False
    ) -> Snapshot:
        """Enter the table by tap; holds until the camera settles on something new."""
        raise NotImplementedError

    def saw(self, look: Look, events: Sequence[TableEvent] = ()) -> None:
        """Take in what the eyes saw: shown at once; events go to the journal with pictures."""
        raise NotImplementedError

    # --- claims --------------------------------------------------------------------------

    def claim(
        self,
        player: str,
        hand: str | None,
        taken: Sequence[str],
        *,
        said_tweak: bool = False,
        tweak: str | None = None,
        spoken: str | None = None,
        table: Sequence[str] | None = None,
        target: int | None = None,
        key: str | None = None,
    ) -> Snapshot:
        """Judge a claim on the newest still picture, or on ``table`` and ``target`` by tap.

        The same ``key`` twice, or the same words on the same evidence within a few seconds, is
        one claim. Without a camera and without ``table``, the table entered by tap is used.

        Raises:
            BadClaim: no evidence, or a declaration that cannot be judged.
            UnknownCard: a text that is no card.
            NotFound: no match runs, or the player is not in it.
        """
        raise NotImplementedError

    def correct_claim(
        self,
        claim_id: int,
        *,
        hand: str | None = None,
        taken: Sequence[str] | None = None,
        said_tweak: bool | None = None,
        tweak: str | None = None,
        table: Sequence[str] | None = None,
        target: int | None = None,
        deck_gone: bool | None = None,
    ) -> Snapshot:
        """Put a claim right (None: as it was) and judge it again; the first record stays."""
        raise NotImplementedError

    # --- counting a round ----------------------------------------------------------------

    def start_count(self, player: str) -> Snapshot:
        """Begin (or open again) the count of one player in the round that is played now."""
        raise NotImplementedError

    def add_batch(self, player: str, cards: Sequence[str] | None = None) -> Snapshot:
        """Add won cards: by tap where ``cards`` is given, else all that lie before the camera.

        Starts the player's count where it was not started.

        Raises:
            BadInput: nothing lies still before the camera, or the same batch was taken already.
        """
        raise NotImplementedError

    def correct_card(self, player: str, card_id: str, card: str) -> Snapshot:
        """Say what a counted card is; the raw reading stays beside it."""
        raise NotImplementedError

    def remove_card(self, player: str, card_id: str) -> Snapshot:
        """Take a card out of the count (not this player's, or no card at all)."""
        raise NotImplementedError

    def confirm_count(self, player: str, tweaks_won: Sequence[str] = ()) -> Snapshot:
        """Settle a player's count, with the T! cards in front of the player (``T!joker``).

        Raises:
            BadInput: a card is still doubtful; its id and reading are named.
        """
        raise NotImplementedError

    def close_round(self) -> Snapshot:
        """Close the round on confirmed counts; the deal passes on (rule S3).

        Raises:
            BadInput: a player is not confirmed; who is named.
        """
        raise NotImplementedError

    def edit_round(
        self, number: int, player: str, cards: Sequence[str], tweaks_won: Sequence[str] = ()
    ) -> Snapshot:
        """Replace one player's cards in a closed round; everything after it follows."""
        raise NotImplementedError

    # --- taking back ---------------------------------------------------------------------

    def undo(self, step_id: int | None = None) -> Snapshot:
        """Take back the newest command (``snapshot().undo``).

        Args:
            step_id: the step the player saw; refused where it is no longer the newest.
        """
        raise NotImplementedError

    def redo(self, step_id: int | None = None) -> Snapshot:
        """Bring the newest command that was taken back again (``snapshot().redo``)."""
        raise NotImplementedError
