"""What the camera shows at this moment: drawn at once, never journaled, gone with the program.

The newest still pictures are kept, so that a claim finds the one from before the sum.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.errors import BadInput, Phrase
from companion.night.claims import plan_followed
from companion.night.codec import seen_card
from companion.night.counting import Laid
from companion.night.state import NightState, Plan
from companion.night.tables import plan_seen, with_sums
from companion.night.values import CameraNow, LivePictureNow, SeenCard, TableNow
from companion.table.count import Tray, lying_in, numbers_in
from companion.table.scene import Scene, faces_up
from companion.table.values import TableEvent, Zones
from companion.table.zones import in_force, split
from companion.vision.quads import scaled
from companion.vision.values import Frame, Look, Sighting, TableState, TableView

STILLS_KEPT = 8


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One settled picture: what lay there, and what had happened since the one before."""

    scene: Scene
    width_px: int
    height_px: int
    frame: Frame | None
    events: tuple[TableEvent, ...] = ()

    def cards(self) -> tuple[SeenCard, ...]:
        """The table cards, as the page shows them."""
        return tuple(seen_card(one, self.width_px, self.height_px) for one in self.scene.table)

    def lying(self, zones: Zones) -> tuple[Sighting, ...]:
        """What lies where won cards are counted."""
        tray = zones.tray and scaled(zones.tray, self.width_px, self.height_px)
        return lying_in(self.scene, tray)

    def besides(self, found: tuple[Sighting, ...], zones: Zones) -> tuple[Sighting, ...]:
        """Those of some other finds in this picture that lie there too."""
        view = TableView(found, 0.0, 0, self.width_px, self.height_px)
        return replace(self, scene=split(view, zones)).lying(zones)


class Live:
    """The part of a session that the camera alone knows; guarded by the session's lock."""

    def __init__(self, encode: Callable[[Frame], bytes] | None) -> None:
        self.camera = CameraNow()
        self.trouble = ""
        self.guessed, self.zones_note = Zones(), ""
        self.refused: set[str] = set()
        self.picture = LivePictureNow()
        self.look: Look | None = None
        self.stills: deque[Still] = deque(maxlen=STILLS_KEPT)
        self.tray = Tray()
        self.nearer: Callable[[Frame, TableView], TableView] | None = None
        self._encode = encode
        self._jpegs: deque[tuple[Frame, bytes]] = deque(maxlen=STILLS_KEPT)

    def zones(self, by_hand: Zones) -> Zones:
        """The zones in force: by hand, else guessed."""
        return in_force(by_hand, self.guessed)

    def batch(self, zones: Zones) -> Laid:
        """The won cards that lie in the tray now, doubtful ones first, and their picture.

        Raises:
            BadInput: the table is not still.
        """
        if self.look is None or not self.stills:
            raise BadInput("no picture comes in: tap the cards in instead")
        if self.look.state not in (TableState.STILL, TableState.CLEARED):
            why = self.look.reason or self.look.state.value
            raise BadInput("wait till the cards lie still: %(why)s", why=Phrase(why))
        still = self.stills[-1]
        new, faint = self._nearer(still, self.look.settled)
        lying = (*still.lying(zones), *still.besides(new, zones))
        batch = self.tray.batch(lying, tray_known=zones.tray is not None)
        hardly = numbers_in(still.besides(faint, zones))
        seen, besides = (
            tuple(seen_card(one, still.width_px, still.height_px) for one in cards)
            for cards in ([card.sighting for card in batch.cards], hardly)
        )
        return Laid(seen, self.jpeg(still.frame), self.tray, besides)

    def _nearer(
        self, still: Still, settled: TableView | None
    ) -> tuple[tuple[Sighting, ...], tuple[Sighting, ...]]:
        """What a nearer look at a still picture shows besides: clear cards, and faint ones."""
        if settled is None:
            return (), ()
        if self.nearer is None or still.frame is None:
            return (), settled.faint
        view = self.nearer(still.frame, settled)
        return view.sightings[len(settled.sightings) :], view.faint

    def looks_at_tray(self, zones: Zones, newest_id: int) -> None:
        """Take note of a tray that is seen clear, after the journal's event of that number."""
        resting = self.look is not None and self.look.state in (
            TableState.STILL,
            TableState.CLEARED,
        )
        if resting and self.stills:
            self.tray = self.tray.saw(self.stills[-1].lying(zones), newest_id)

    def table(self) -> TableNow | None:
        """The table as the camera last settled on it, None before the first time."""
        if not self.stills:
            return None
        still = self.stills[-1]
        target = still.scene.target
        return with_sums(
            TableNow(
                source="camera",
                cards=still.cards(),
                target=still.scene.target_value,
                target_text="" if target is None else str(target),
                deck_gone=still.scene.deck_gone,
            )
        )

    def plans(
        self,
        state: NightState,
        look: Look,
        events: Sequence[TableEvent],
        scene: Scene | None = None,
    ) -> list[Plan]:
        """What of it belongs in the journal, with the still pictures before and after."""
        if not events:
            return []
        before = self.jpeg(self.stills[-1].frame) if self.stills else None
        after = self.jpeg(look.settled_frame)
        faces = None if scene is None else faces_up(scene)
        plans = [plan_seen(event, before, after, faces) for event in events]
        # The first picture of a program tells nothing about claims from before its start.
        view = look.settled
        seen: tuple[SeenCard, ...] = ()
        if scene is not None and view is not None:
            seen = tuple(seen_card(one, view.width_px, view.height_px) for one in scene.table)
        followed = plan_followed(state, after if self.stills else None, seen)
        return plans if followed is None else [*plans, followed]

    def saw(self, look: Look, events: Sequence[TableEvent], scene: Scene | None) -> bool:
        """Take in what the eyes saw; True where the settled table is another than before."""
        self.look = look
        if scene is None or look.settled is None:
            return False
        view = look.settled
        still = Still(scene, view.width_px, view.height_px, look.settled_frame, tuple(events))
        if not self.stills or events or _texts(self.stills[-1]) != _texts(still):
            self.stills.append(still)
            return True
        self.stills[-1] = replace(still, events=self.stills[-1].events)
        return False

    def draws(self, look: Look, zones: Zones) -> bool:
        """Draw the newest picture's cards; True where something looks different now."""
        old, self.picture = self.picture, _picture(look, zones)
        return replace(old, for_s=0.0, picture=None) != replace(
            self.picture, for_s=0.0, picture=None
        )

    def jpeg(self, frame: Frame | None) -> bytes | None:
        """A frame packed for the journal; each frame is packed once."""
        if frame is None or self._encode is None:
            return None
        for known, packed in self._jpegs:
            if known is frame:
                return packed
        packed = self._encode(frame)
        self._jpegs.append((frame, packed))
        return packed


def _picture(look: Look, zones: Zones) -> LivePictureNow:
    view = look.live
    scene = split(view, zones)

    def place(sighting: Sighting) -> str:
        if any(sighting is one for one in scene.table):
            return "table"
        return "deck" if sighting.reading is scene.target else "other"

    return LivePictureNow(
        state=look.state,
        reason=look.reason,
        for_s=round(max(0.0, look.frame.taken_at_s - look.since_s), 1),
        picture=look.frame.number,
        width_px=view.width_px,
        height_px=view.height_px,
        sightings=tuple(
            seen_card(one, view.width_px, view.height_px, place=place(one))
            for one in view.sightings
        ),
    )


def _texts(still: Still) -> tuple[list[str], str]:
    return sorted(str(one.reading) for one in still.scene.table), str(still.scene.target_options)
