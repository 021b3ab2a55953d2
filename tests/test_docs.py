"""The documents keep their word: commands, settings and files that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli import companion
from companion.night.profile import profile_path, read_profile
from companion.paths import profiles_dir

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(companion.commands))
def test_readme_names_every_command(command: str) -> None:
    assert f"companion {command}" in README


@pytest.mark.parametrize("command", sorted(companion.commands))
def test_every_command_has_help(command: str) -> None:
    assert companion.commands[command].help


def test_readme_names_only_files_that_are_there() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert links
    missing = [link for link in links if not (ROOT / link).exists()]
    assert missing == []


def test_readme_names_only_make_targets_that_are_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"`make ([a-z]+)", README))
    assert {"demo", "test"} <= named <= targets


def test_the_profile_of_a_table_is_documented_as_it_is_read(tmp_path: Path) -> None:
    name = profile_path(Path(profiles_dir().name), (1280, 720)).as_posix()
    documents = [README, (ROOT / "calibration" / "README.md").read_text(encoding="utf-8")]
    assert all(f"`{name}`" in text for text in documents)
    shown = tmp_path / "shown.json"
    shown.write_text(documents[1].split("```")[1], encoding="utf-8")
    profile = read_profile(shown, (1280, 720))
    assert profile is not None
    assert (profile.by_hand.deck is None, len(profile.guessed.piles)) == (False, 1)


def test_no_document_names_a_path_of_somebodys_machine() -> None:
    for file in [*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *ROOT.glob("models/*.toml")]:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.])/(work|root|tmp|home)/\w", text), file
