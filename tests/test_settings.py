"""Settings: defaults <- file <- environment <- flags, and every mistake named."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import BadSetting
from companion.settings import Settings, load_settings, setting_help

ROOT = Path(__file__).resolve().parent.parent


def test_each_layer_overrides_the_one_below(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('port = 1000\ncamera = "1"\nlanguage = "he"\n')
    settings = load_settings(
        file, {"COMPANION_PORT": "2000", "COMPANION_CAMERA": "2"}, {"port": 3000, "camera": None}
    )
    assert (settings.port, settings.camera, settings.language) == (3000, "2", "he")


def test_an_unknown_setting_names_the_nearest_one(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("prot = 1000\n")
    with pytest.raises(BadSetting, match=r"unknown setting 'prot'.*did you mean 'port'"):
        load_settings(file)
    with pytest.raises(BadSetting, match="the environment; did you mean 'threads'"):
        load_settings(environment={"COMPANION_THREAD": "3"})


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("port", "high", "wanted int"),
        ("port", 70000, "0 to 65535"),
        ("port", True, "wanted int"),
        ("still_frames", 2, "from 3 to 30"),
        ("camera", 0, "wanted str"),
        ("pictures_per_s", 60.0, "from 0 to 10"),
    ],
)
def test_an_impossible_value_says_what_was_wanted(key: str, value: object, wanted: str) -> None:
    with pytest.raises(
        BadSetting, match=f"setting {key}: wanted .*{wanted.removeprefix('wanted ')}"
    ):
        load_settings(flags={key: value})


def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("port = = 3")
    with pytest.raises(BadSetting) as caught:
        load_settings(file)
    assert "\n" not in str(caught.value)


def test_every_setting_is_documented() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, (default, help_line) in setting_help().items():
        assert len(help_line) > 10
        assert f"`{name}`" in readme, f"README does not name the setting {name}"
        assert default == getattr(Settings(), name)
