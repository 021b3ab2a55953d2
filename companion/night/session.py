"""The one mutable object of a night, behind one lock: commands in, frozen snapshots out.

Every command checks first, writes one event to the journal, and only then shows it: wrong input
is a :class:`~companion.errors.BadInput` of one line and leaves everything as it was. No command
needs a camera or a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.night import answers, counting, editing, matches, stories, tables
from companion.night.disputes import Disputes
from companion.night.journal import Journal
from companion.night.values import Snapshot
from companion.vision.values import Quad

__all__ = ["Journal", "Session"]


class Session(Disputes):
    """One night at one table: the commands. All methods may be called from any thread.

    >>> session = Session(Journal.open("sqlite://"))
    >>> now = session.start_match(["Ann", "Ben"], "65")
    >>> now = session.claim("Ann", "G5", ["R1", "Y3"], said_tweak=True,
    ...                     table=["R1", "Y3"], target=9)
    >>> now.claims[0].ruling.reason
    '5 + 1 + 3 is 9, the target is 9, and no card is left: a TWEAK'
    >>> session.undo().claims
    ()
    """

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
        wish = matches.MatchWish(players, edition, colours, threshold, tie, dealer, house)
        return self._do(lambda _: matches.plan_start(wish))

    def set_dealer(self, player: str) -> Snapshot:
        """Say who deals the round that is played now (rule S3 turns on from there)."""
        return self._do(lambda state: matches.plan_dealer(state, player))

    def end_match(self) -> Snapshot:
        """End the match that runs, decided or not."""
        return self._do(matches.plan_end)

    # --- the table -----------------------------------------------------------------------

    def set_zones(self, deck: Quad | None, table: Quad | None = None) -> Snapshot:
        """Say where deck and table lie, in fractions of the picture; None: guessed, whole."""
        return self._do(lambda state: tables.plan_zones(state, deck, table))

    def set_zone(self, name: str, quad: Quad | None) -> Snapshot:
        """Say where one zone lies (:meth:`Zones.put` names them); None: unknown, or guessed.

        A player's place that was guessed is not guessed there again once it is forgotten.
        """
        if quad is None and " " in name:
            self.refuse_guess(name)
        return self._do(lambda state: tables.plan_zone(state, name, quad))

    def set_table(
        self, cards: Sequence[str], target: int | None, *, deck_gone: bool = False
    ) -> Snapshot:
        """Enter the table by tap; holds until the camera settles on something new."""
        return self._do(lambda _: tables.plan_table(cards, target, deck_gone))

    def choose_happening(
        self, step: int, key: str | None = None, player: str | None = None
    ) -> Snapshot:
        """Say what happened in a step of the story, or who did it; later steps follow.

        Args:
            step: ``id`` of one of ``snapshot().story.told``.
            key: which of its tales; None: the one in force.
            player: whose turn it was; None: as the turn order tells.

        Raises:
            NotFound: no such step in this round, or no such player.
            BadInput: none of the step's tales, or neither tale nor player given.
        """
        return self._do(lambda state: stories.plan_choice(state, step, key, player))

    # --- counting a round ----------------------------------------------------------------

    def start_count(self, player: str) -> Snapshot:
        """Begin (or open again) the count of one player in the round that is played now."""
        return self._do(lambda state: counting.plan_count(state, player))

    def add_batch(self, player: str, cards: Sequence[str] | None = None) -> Snapshot:
        """Add won cards: by tap where ``cards`` is given, else all that lie before the camera.

        Starts the player's count where it was not started. ``player`` may be ``ON_TABLE``: the
        cards that were left on the table, which score for nobody.

        Raises:
            BadInput: nothing lies still before the camera, or the tray was not seen clear since
                the last batch.
        """
        if cards is not None:
            return self._do(lambda state: counting.plan_tapped(state, player, cards))
        return self._do(lambda state: counting.plan_seen(state, player, self._laid))

    def correct_card(self, player: str, card_id: str, card: str) -> Snapshot:
        """Say what a counted card is; the raw reading stays beside it."""
        return self._do(lambda state: counting.plan_correct(state, player, card_id, card))

    def remove_card(self, player: str, card_id: str) -> Snapshot:
        """Take a card out of the count (not this player's, or no card at all)."""
        return self._do(lambda state: counting.plan_remove(state, player, card_id))

    def confirm_count(self, player: str, tweaks_won: Sequence[str] | None = None) -> Snapshot:
        """Settle a player's count, with all T! cards that the player won (``T!joker``).

        Without ``tweaks_won`` those among the counted cards are all.

        Raises:
            BadInput: a card is still doubtful; its reading is named.
        """
        return self._do(lambda state: counting.plan_confirm(state, player, tweaks_won))

    def find_missing(self, player: str, cards: Sequence[str]) -> Snapshot:
        """Say where cards are that the books miss (``snapshot().match.books.missing``).

        Args:
            player: in whose pile, or ``ON_TABLE``; a confirmed count stays confirmed.
            cards: one card; for ``ON_TABLE`` any number.

        Raises:
            NotFound: no such player.
            BadInput: a card is not missing, or more than one is given for a player.
        """
        return self._do(lambda state: answers.plan_found(state, player, cards))

    def lose_missing(self, cards: Sequence[str]) -> Snapshot:
        """Say that cards which the books miss are lost: in no pile and not on the table.

        They stay lost in later rounds and matches with this deck, till one turns up in a pile or
        is said to be found.

        Raises:
            BadInput: a card is not missing.
        """
        return self._do(lambda state: answers.plan_lost(state, cards))

    def find_lost(self, cards: Sequence[str]) -> Snapshot:
        """Say that lost cards (``snapshot().match.lost``) were found again.

        Raises:
            BadInput: a card is not said to be lost.
        """
        return self._do(lambda state: answers.plan_found_again(state, cards))

    def settle_twice(self, player: str, card_id: str, card: str | None = None) -> Snapshot:
        """Say that a card counted too often is wrong in this place.

        Args:
            player: in whose pile, or ``ON_TABLE``; a confirmed count stays confirmed.
            card_id: one of ``snapshot().match.books.twice``'s holders.
            card: what it is instead; None: it is not there at all.

        Raises:
            NotFound: that card is not counted too often, or no longer.
            BadInput: the other card scores for nobody, or all of it are told already.
        """
        return self._do(lambda state: answers.plan_twice(state, player, card_id, card))

    def close_round(self) -> Snapshot:
        """Close the round on confirmed counts; the deal passes on (rule S3).

        Raises:
            BadInput: a player is not confirmed, or a card was counted too often; both are named.
        """
        return self._do(matches.plan_close)

    def edit_round(
        self,
        number: int,
        player: str,
        cards: Sequence[str],
        tweaks_won: Sequence[str] = (),
        *,
        match: int | None = None,
    ) -> Snapshot:
        """Replace one player's cards in a closed round; everything after it follows.

        Args:
            number: of the round.
            player: whose cards, or ``ON_TABLE`` for those left on the table.
            cards: all number cards.
            tweaks_won: all T! cards.
            match: number of the match in the journal, ended ones too; None: the newest.

        Raises:
            NotFound: no such match, round or player.
            BadInput: the deck has no such cards.
        """
        given = (cards, tweaks_won)
        return self._do(lambda state: editing.plan_edit(state, (match, number), player, given))

    # --- taking back ---------------------------------------------------------------------

    def undo(self, step_id: int | None = None) -> Snapshot:
        """Take back the newest command (``snapshot().undo``).

        Args:
            step_id: the step the player saw; refused where it is no longer the newest.
        """
        return self._do(lambda _: self._ledger.plan_undo(step_id))

    def redo(self, step_id: int | None = None) -> Snapshot:
        """Bring the newest command that was taken back again (``snapshot().redo``)."""
        return self._do(lambda _: self._ledger.plan_redo(step_id))

    # --- how it works --------------------------------------------------------------------

    def _laid(self) -> counting.Laid:
        return self._live.batch(self.zones())
