from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.night.codec import zones_apart
from companion.night.journal import Journal
from companion.night.keeper import ELSEWHERE, TAKEN_UP, Keeper
from companion.night.profile import Profile, profile_path, read_profile, write_profile
from companion.night.session import Session
from companion.night.start import keeper_for
from companion.night.watch import Watch
from companion.settings import Settings
from companion.table.values import Zones
from companion.table.zones import zone_round
from companion.vision.values import Quad, Sighting, TableView
from tests.night.fakes import DECK, DECK_CARD, HEIGHT_PX, WIDTH_PX, sightings
from tests.night.test_watch import SETTINGS, Watching, painted, shifted

SIZE = (WIDTH_PX, HEIGHT_PX)
PILE: Quad = ((0.8, 0.6), (1.0, 0.6), (1.0, 1.0), (0.8, 1.0))
TRAY: Quad = ((0.3, 0.6), (0.6, 0.6), (0.6, 1.0), (0.3, 1.0))


class Evening(Watching):
    """A night in a journal of its own, with a keeper before the camera."""

    def __init__(self, folder: Path, journal: Journal | None = None) -> None:
        self.session = Session(journal or Journal.open("sqlite://"))
        super().__init__(self.session)
        self.keeper = Keeper(folder)
        self.table = painted(seed=5)
        self.watch = Watch(
            self.session,
            self.lens,
            self.eyes,
            SETTINGS,
            clock=lambda: self.number / 10,
            keeper=self.keeper,
        )

    def lays(self, *cards: Sighting) -> None:
        """Lay these cards and nothing else, and look for some time."""
        self.eyes.seen = cards
        self.table = painted(seed=5)
        for one in cards:
            (left, top), _, (right, bottom), _ = one.quad_px
            shade = 40 + 25 * (sum(map(ord, str(one.reading))) % 8)
            self.table[int(top) : int(bottom), int(left) : int(right)] = shade
        self.number += 40
        self.looks(12)
        self.number += 40
        self.looks(3)

    def named(self) -> list[str]:
        return [name for name, _ in self.session.snapshot().zones.named()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "calibration"


@pytest.fixture
def file(folder: Path) -> Path:
    return profile_path(folder, SIZE)


def a_night_that_sets_its_zones(folder: Path) -> Evening:
    evening = Evening(folder)
    evening.session.start_match(["Ann", "Ben"], "65")
    evening.lays(*sightings(["R1"], "#9"))
    evening.session.set_zone("pile Ann", PILE)
    evening.session.set_zone("tray", TRAY)
    evening.looks(2)
    return evening


def test_zones_set_on_one_night_are_there_on_the_next(folder: Path) -> None:
    # Given a night on which people set zones by hand beside the guessed deck
    before = a_night_that_sets_its_zones(folder).session.snapshot().zones
    assert [name for name, _ in before.named()] == ["deck", "tray", "pile Ann"]
    # When the program starts anew, with a new journal, and the deck lies where it lay
    after = Evening(folder)
    after.lays(*sightings(["B2"], "#8"))
    # Then the zones are those of the last time, from the first still picture on
    shown = after.session.snapshot()
    assert not zones_apart(before, shown.zones)
    assert (shown.zones_note, shown.live.reason) == (TAKEN_UP, "")
    assert [event.text for event in shown.events] == ["target ? → 8", "B2 laid"]
    # And they can be taken back like any step
    assert after.session.undo().zones.tray is None


def test_a_restart_in_the_middle_of_a_night_changes_nothing(folder: Path, journal: Journal) -> None:
    evening = Evening(folder, journal)
    evening.session.set_zones(DECK)
    evening.lays(*sightings(["R1"], "#9"))
    evening.bump(7)
    evening.looks(12)
    before = evening.session.snapshot()
    again = Evening(folder, journal)
    again.lays(*(shifted(one, 7) for one in sightings(["R1"], "#9")))
    after = again.session.snapshot()
    assert again.keeper.note == TAKEN_UP
    assert (after.zones, after.undo) == (before.zones, before.undo)


def test_a_deck_that_lies_elsewhere_gives_the_zones_up_and_says_so(
    folder: Path, file: Path
) -> None:
    a_night_that_sets_its_zones(folder)
    kept = file.read_text(encoding="utf-8")
    evening = Evening(folder)
    evening.lays(*sightings(["", "", "", "", "#8"]))
    shown = evening.session.snapshot()
    assert evening.named() == ["deck"]
    assert shown.table.target == 8
    assert (shown.zones_note, shown.live.reason) == (ELSEWHERE, ELSEWHERE)
    # What was kept stays till somebody sets a zone here.
    assert file.read_text(encoding="utf-8") == kept
    evening.session.set_zone("tray", TRAY)
    evening.looks(2)
    found = read_profile(file, SIZE)
    assert found is not None
    assert [name for name, _ in found.by_hand.named()] == ["tray"]
    assert evening.session.snapshot().live.reason == ""


def test_that_the_deck_lies_elsewhere_is_said_for_a_minute(folder: Path) -> None:
    a_night_that_sets_its_zones(folder)
    evening = Evening(folder)
    evening.lays(*sightings(["", "", "", "", "#8"]))
    assert evening.session.snapshot().live.reason == ELSEWHERE
    evening.number += 600
    evening.looks(2)
    assert evening.session.snapshot().live.reason == ""
    assert evening.session.snapshot().zones_note == ELSEWHERE


def test_zones_of_the_journal_are_given_up_too_and_undo_brings_them_back(
    folder: Path, journal: Journal
) -> None:
    evening = Evening(folder, journal)
    evening.session.set_zones(DECK)
    evening.lays(*sightings(["R1"], "#9"))
    again = Evening(folder, journal)
    again.lays(*sightings(["", "", "", "", "#8"]))
    assert again.session.zones_by_hand() == Zones()
    assert again.session.undo().zones.deck == DECK


def test_while_no_deck_is_seen_nothing_is_decided(folder: Path, file: Path) -> None:
    a_night_that_sets_its_zones(folder)
    kept = file.read_text(encoding="utf-8")
    evening = Evening(folder)
    evening.lays(*sightings(["R1"]))
    assert (evening.named(), evening.keeper.note) == ([], "")
    # Some card in the deck's place does not tell that the deck is gone, either.
    over = Sighting(DECK_CARD, sightings(["R1"])[0].reading, 0.99)
    evening.lays(over, *sightings(["", "", "", "", "", "#8"]))
    assert evening.keeper.note == ""
    evening.lays(*sightings(["R1"], "#9"))
    assert evening.named() == ["deck", "tray", "pile Ann"]
    assert file.read_text(encoding="utf-8") == kept


def test_a_zone_set_before_the_deck_was_seen_joins_those_kept(folder: Path, file: Path) -> None:
    a_night_that_sets_its_zones(folder)
    evening = Evening(folder)
    evening.looks(3)
    other: Quad = ((0.3, 0.5), (0.7, 0.5), (0.7, 1.0), (0.3, 1.0))
    evening.session.set_zone("tray", other)
    evening.looks(2)
    found = read_profile(file, SIZE)
    assert found is not None
    assert found.by_hand == evening.session.zones_by_hand()
    assert dict(found.by_hand.named()) == {"tray": other, "pile Ann": PILE}


def test_where_the_deck_was_not_known_the_tweak_stack_tells(folder: Path, file: Path) -> None:
    at = zone_round(DECK_CARD, TableView((), 0.0, 0, *SIZE))
    write_profile(file, Profile(SIZE, Zones(tray=TRAY), Zones(tweaks=at)))
    evening = Evening(folder)
    evening.lays(*sightings(["R1"], "T!back"))
    assert evening.named() == ["tweaks", "tray"]
    moved = Evening(folder)
    moved.lays(*sightings(["R1", "", "", "T!back"]))
    assert (moved.named(), moved.keeper.note) == (["tweaks"], ELSEWHERE)


def test_a_deck_set_by_hand_elsewhere_begins_a_new_profile(folder: Path, file: Path) -> None:
    a_night_that_sets_its_zones(folder)
    evening = Evening(folder)
    evening.looks(3)
    evening.session.set_zones(PILE)
    evening.looks(2)
    found = read_profile(file, SIZE)
    assert found is not None
    assert found.by_hand == Zones(deck=PILE)


def test_a_bump_is_kept(folder: Path, file: Path) -> None:
    evening = a_night_that_sets_its_zones(folder)
    evening.bump(-40)
    evening.looks(12)
    found = read_profile(file, SIZE)
    assert found is not None
    assert found.by_hand.tray is not None
    assert found.by_hand.tray[0][0] == pytest.approx(TRAY[0][0] - 40 / 640, abs=0.005)


def test_without_a_zone_set_by_hand_no_file_is_made(folder: Path) -> None:
    evening = Evening(folder)
    evening.lays(*sightings(["R1"], "#9"))
    assert evening.named() == ["deck"]
    assert not folder.exists()


def test_another_size_of_picture_has_another_profile(folder: Path, file: Path) -> None:
    write_profile(profile_path(folder, (1280, 720)), Profile((1280, 720), Zones(tray=TRAY)))
    evening = Evening(folder)
    evening.lays(*sightings(["R1"], "#9"))
    assert evening.named() == ["deck"]
    assert read_profile(file, SIZE) is None


def without_schema(text: str) -> str:
    return text.replace('"schema": 1', '"schema": 2')


def cut(text: str) -> str:
    return text[: len(text) // 2]


def corner_outside(text: str) -> str:
    return text.replace("0.6", "6.6")


def other_picture(text: str) -> str:
    return text.replace("640", "1280")


@pytest.mark.parametrize("spoil", [without_schema, cut, corner_outside, other_picture])
def test_a_broken_profile_is_named_in_one_line_and_nothing_in_it_is_lost(
    folder: Path, file: Path, spoil: Callable[[str], str]
) -> None:
    # Given a file that is broken
    a_night_that_sets_its_zones(folder)
    broken = spoil(file.read_text(encoding="utf-8"))
    file.write_text(broken, encoding="utf-8")
    # When a night begins
    evening = Evening(folder)
    evening.lays(*sightings(["R1"], "#9"))
    # Then one line names it, the zones are guessed, and it is left alone
    said = evening.watch.trouble()
    assert str(file) in said
    assert "wanted a JSON object" in said
    assert "\n" not in said
    assert evening.named() == ["deck"]
    assert file.read_text(encoding="utf-8") == broken
    # And once a zone is set, it is kept beside the new one
    evening.session.set_zone("tray", TRAY)
    evening.looks(2)
    assert evening.watch.trouble() == ""
    aside = file.with_name(file.name + ".broken-1")
    assert aside.read_text(encoding="utf-8") == broken
    assert str(aside) in evening.session.snapshot().zones_note
    assert json.loads(file.read_text(encoding="utf-8"))["zones"]["tray"]


def test_a_folder_that_cannot_be_written_is_named_and_the_night_goes_on(tmp_path: Path) -> None:
    blocked = tmp_path / "calibration"
    blocked.write_text("a file where a folder is wanted", encoding="utf-8")
    evening = Evening(blocked)
    evening.lays(*sightings(["R1"], "#9"))
    evening.session.set_zone("tray", TRAY)
    evening.looks(2)
    assert "table profile" in evening.watch.trouble()
    assert "tray" in evening.named()


def test_a_profile_comes_back_as_it_was_written(file: Path) -> None:
    guessed = Zones(deck=DECK).put("pile ?1", PILE)
    profile = Profile(SIZE, Zones(tray=TRAY).put("faces Ann", PILE), guessed)
    write_profile(file, profile)
    assert read_profile(file, SIZE) == profile
    corners = "[ [ 0.8, 0.6 ], [ 1.0, 0.6 ], [ 1.0, 1.0 ], [ 0.8, 1.0 ] ]"
    assert f'  "pile ?1": {corners}' in file.read_text(encoding="utf-8").splitlines()
    with pytest.raises(BadInput, match="table profile"):
        read_profile(file, (1280, 720))


def test_a_recording_has_no_keeper_and_a_camera_keeps_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert keeper_for(Settings()) is None
    assert keeper_for(Settings(camera=str(tmp_path))) is None
    keeper = keeper_for(Settings(camera="0"))
    assert keeper is not None
    assert keeper._folder == tmp_path / "calibration"
