"""What the camera can say about a claim: the still pictures that it is judged on.

A claim is judged on the newest still picture from before the hand came in; a doubted play on that
one and on the first after it. What was seen before this program began is told from the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import BadClaim, NotFound
from companion.night.claim_values import PlaySeen
from companion.night.codec import PLACES, alternatives_of, seen_card
from companion.night.evidence import Evidence
from companion.night.live import Live, Still
from companion.night.state import NightState
from companion.night.values import Declared, SeenCard
from companion.rules.spoken import hear
from companion.table.evidence import Evidence as Shown
from companion.table.evidence import (
    evidence_for,
    hand_card,
    table_without_hand,
    taken_cards,
)
from companion.table.hearing import heard_sum
from companion.table.play import Play, play_between
from companion.table.scene import Scene
from companion.table.story import Story, Told
from companion.table.story_values import ENDS_TURN, Deed, Standing
from companion.table.values import EventKind
from companion.vision.values import Reading, Sighting, TableState

UNDER_WAY = 0
"""Names the play that is under way where a step of the story is wanted."""


def claimed(live: Live, declared: Declared) -> tuple[Declared, Evidence]:
    """The evidence for a claim, and the claim with what was only said aloud or only seen.

    Raises:
        BadClaim: no still picture yet, or the hand card was neither said nor seen.
    """
    scenes = [still.scene for still in live.stills]
    now_s = live.look.frame.taken_at_s if live.look else 0.0
    chosen = evidence_for(scenes, now_s, declared)
    if chosen is None:
        raise _no_picture()
    declared = _heard(declared, chosen)
    hand = hand_card(declared, chosen)
    table = table_without_hand(hand, taken_cards(declared), chosen)
    place = next(i for i, scene in enumerate(scenes) if scene is chosen.scene)
    after = live.stills[place + 1] if place + 1 < len(live.stills) else None
    found = _evidence(live, live.stills[place], after, table)
    return replace(declared, hand=str(hand)), found


def _heard(declared: Declared, chosen: Shown) -> Declared:
    """The claim with the cards that were only said aloud; a hand card laid openly is seen."""
    heard = hear(declared.spoken or "")
    if declared.taken or not heard.addends:
        return declared
    if declared.hand is None and chosen.before is not None:
        try:
            seen = hand_card(declared, chosen)
            table = table_without_hand(seen, (), chosen)
            return heard_sum(replace(declared, hand=str(seen)), heard, table)
        except BadClaim:
            pass  # The card laid last is not of this sum: the hand card was not seen.
    return heard_sum(declared, heard, chosen.scene.table)


def last_play(story: Story) -> Told | None:
    """The newest step of the story in which somebody ended a turn."""
    plays = (told for told in reversed(story.told) if not told.returned and _ends_turn(told))
    return next(plays, None)


def doubted(live: Live, state: NightState, step: int | None) -> tuple[str, Declared, Evidence]:
    """Whose play is doubted, what is known of what was said, and the two pictures of it.

    Args:
        step: ``id`` of a step of the story; :data:`UNDER_WAY`; None: the last play.

    Raises:
        NotFound: no such step in this round.
        BadClaim: no play was seen, or nobody plays just now.
    """
    if step == UNDER_WAY:
        return _under_way(live, state)
    told = _told(state.story, step)
    found = _from_stills(live, told) or _from_journal(state, told)
    done = next(one for one in told.tale.happenings if one.deed in ENDS_TURN)
    taken = tuple(found.cards[place].text for place in found.play.taken) if found.play else ()
    chosen = told.choice is not None and told.choice.key is not None
    declared = Declared(
        hand=None,
        taken=taken,
        said_tweak=done.deed is Deed.TWEAK,
        tweak=done.tweak if chosen else None,
    )
    return player_at(state, done.seat), declared, found


def player_at(state: NightState, seat: int | None) -> str:
    """The name at a seat, empty where nobody knows."""
    return "" if seat is None else state.running.players[seat]


def seen_play(play: Play, table: Sequence[Sighting], step: int) -> PlaySeen:
    """A play as it is kept: cards by their places on the table."""
    places = {id(one): place for place, one in enumerate(table)}
    return PlaySeen(
        step=step,
        taken=tuple(places[id(one)] for one in play.taken),
        beside=None if play.beside is None else places[id(play.beside)],
        laid=tuple(str(one.reading) for one in play.laid),
        jokers=play.jokers,
        over=play.over,
    )


def may_have_joker(standing: Standing, seat: int | None) -> bool:
    """Whether the player at turn can have played a Joker (rules T5, X1)."""
    return not standing.tweak_played and standing.may_play_tweak(seat)


def _ends_turn(told: Told) -> bool:
    return any(one.deed in ENDS_TURN for one in told.tale.happenings)


def _told(story: Story, step: int | None) -> Told:
    if step is None:
        told = last_play(story)
        if told is None:
            raise BadClaim("no play was seen yet: claim what was said instead")
        return told
    told = next((one for one in story.told if one.id == step), None)
    if told is None:
        raise NotFound("that step is not of this round")
    if not _ends_turn(told):
        raise BadClaim("nobody played a card in that step: there is nothing to doubt")
    return told


def _under_way(live: Live, state: NightState) -> tuple[str, Declared, Evidence]:
    if not live.stills:
        raise _no_picture()
    if live.look is not None and live.look.state in (TableState.STILL, TableState.CLEARED):
        raise BadClaim("nobody plays just now: doubt a play that was seen")
    still, now = live.stills[-1], state.story.standing
    play = PlaySeen(UNDER_WAY, jokers=may_have_joker(now, now.seat), over=False)
    found = _evidence(live, still, None, still.scene.table, play)
    return player_at(state, now.seat), Declared(None), found


def _from_stills(live: Live, told: Told) -> Evidence | None:
    """The evidence from the pictures at hand; None where they are no longer."""
    first = told.step.events[0]
    for place, still in enumerate(live.stills):
        same = [str(one) for one in still.events] == [str(one) for one in told.step.events]
        if place and same and still.events[0].frame_number == first.frame_number:
            before = live.stills[place - 1]
            play = play_of(before.scene, still.scene, told)
            seen = seen_play(play, before.scene.table, told.id)
            return _evidence(live, before, still, before.scene.table, seen)
    return None


def play_of(before: Scene, after: Scene, told: Told) -> Play:
    """What was played between two pictures, with what the story knows of the turn."""
    laid_last = told.before.laid[0] if told.before.laid else None
    play = play_between(before, after, laid_last)
    done = next((one for one in told.tale.happenings if one.deed in ENDS_TURN), None)
    seat = done.seat if done is not None else told.before.seat
    return replace(play, jokers=may_have_joker(told.before, seat))


def _from_journal(state: NightState, told: Told) -> Evidence:
    """The evidence as the journal tells it: readings without places, pictures by name."""
    table = list(told.before.table)
    free = list(range(len(table)))
    taken: list[int] = []
    for reading in told.step.cards(EventKind.TAKEN):
        place = next((i for i in free if str(table[i]) == str(reading)), None)
        if place is None:
            continue
        free.remove(place)
        taken.append(place)
    laid_last = told.before.laid[0] if told.before.laid else None
    beside = next((i for i in taken if len(taken) > 1 and str(table[i]) == laid_last), None)
    event = next((one for one in state.events if one.id == told.id), None)
    target = told.before.target
    return Evidence(
        source="camera",
        cards=tuple(map(_as_read, table)),
        target=target,
        target_text="" if target is None else f"#{target}",
        deck_gone=told.before.deck_gone,
        kept=(event.picture_before, event.picture_after) if event else (None, None),
        play=PlaySeen(
            step=told.id,
            taken=tuple(place for place in taken if place != beside),
            beside=beside,
            laid=tuple(map(str, told.step.cards(EventKind.LAID))),
            jokers=may_have_joker(told.before, told.before.seat),
        ),
    )


def _as_read(reading: Reading) -> SeenCard:
    return SeenCard(str(reading), reading.sure, alternatives=alternatives_of(reading))


def _evidence(
    live: Live,
    still: Still,
    after: Still | None,
    table: Sequence[Sighting],
    play: PlaySeen | None = None,
) -> Evidence:
    target = still.scene.target
    return Evidence(
        source="camera",
        cards=tuple(_kept(one, still) for one in table),
        target=still.scene.target_value,
        target_text="" if target is None else str(target),
        deck_gone=still.scene.deck_gone,
        picture=live.jpeg(still.frame),
        picture_after=live.jpeg(after.frame) if after else None,
        deck=_deck(still),
        after=after.cards() if after else (),
        size_px=(still.width_px, still.height_px),
        play=play,
    )


def _kept(sighting: Sighting, still: Still) -> SeenCard:
    card = seen_card(sighting, still.width_px, still.height_px)
    return replace(card, found=round(sighting.found, PLACES))


def _deck(still: Still) -> SeenCard | None:
    target = still.scene.target
    if target is None:
        return None
    lying = next((one for one in still.scene.others if one.reading is target), None)
    if lying is None:
        return replace(_as_read(target), place="deck")
    return seen_card(lying, still.width_px, still.height_px, place="deck")


def _no_picture() -> BadClaim:
    return BadClaim("no still picture of the table yet: wait till the cards lie still")
