"""The front door: the only file that knows every room.

Data goes to standard output, talk to standard error. A wrong argument, and any
:class:`~companion.errors.CompanionError`, is one line on standard error and exit code 2.
Rooms are imported by the command that needs them, so that judging a sum never loads a network.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from companion import __version__
from companion.errors import BadInput, CompanionError
from companion.paths import home_dir
from companion.settings import Settings, load_settings

MAX_LINE_CHARS = 1_000_000


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
@click.option("--config", type=click.Path(path_type=Path), help="Settings file (TOML).")
@click.pass_context
def companion(context: click.Context, config: Path | None) -> None:
    """A table companion and scorekeeper for TWEAK!, the card game of quick sums."""
    default = home_dir() / "companion.toml"
    context.obj = config or (default if default.exists() else None)


def settings_from(context: click.Context, **flags: object) -> Settings:
    """The settings in force for one command."""
    file: Path | None = context.obj
    return load_settings(file, os.environ, flags)


def say(text: str) -> None:
    """Talk to the person, on standard error."""
    click.echo(text, err=True)


def put(line: dict[str, Any]) -> None:
    """Hand out one JSON object as one line of data."""
    click.echo(json.dumps(line, ensure_ascii=False, separators=(", ", ": ")))


def main(arguments: list[str] | None = None) -> None:
    """Run one command; every expected failure is one line and exit code 2."""
    try:
        companion.main(args=arguments, prog_name="companion", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except click.ClickException as error:
        say(f"companion: {' '.join(error.format_message().split())}")
        sys.exit(2)
    except CompanionError as error:
        say(f"companion: {error}")
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


# --- the law -------------------------------------------------------------------------------


@companion.command()
def judge() -> None:
    """Judge claims: one JSON object a line on standard input, one verdict a line out."""
    from companion.rules.claim import judge_line

    for line in _lines(sys.stdin.buffer):
        if line.strip():
            put(judge_line(line))
            sys.stdout.flush()


def _lines(stream: Any) -> Iterator[str]:
    """Lines of any length and encoding; one beyond the limit comes cut, so it fails as JSON."""
    while raw := stream.readline(MAX_LINE_CHARS):
        line: bytes = raw
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(MAX_LINE_CHARS)
        yield line.decode("utf-8", errors="replace")


@companion.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Also say how the points come about.")
def score(cards: tuple[str, ...], explain: bool) -> None:
    """Points of won CARDS, such as R5 G1 T!joker."""
    from companion.rules.cards import parse_card
    from companion.rules.scoring import score as score_cards

    total = score_cards([parse_card(card) for card in cards])
    click.echo(total.points)
    if explain:
        for line in total.lines:
            click.echo(f"{line.count} × {line.each} = {line.points}  {line.label}")


@companion.command()
@click.argument("rule_id", required=False)
def rules(rule_id: str | None) -> None:
    """Print every rule in our own words, or the one called RULE_ID."""
    from companion.rules.book import RULES, rule_text

    for name in [rule_id.upper()] if rule_id else RULES:
        click.echo(f"{name}  {rule_text(name)}")


# --- the eyes ------------------------------------------------------------------------------


@companion.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--threads", type=int, help="Processor threads for the networks.")
@click.pass_context
def read(context: click.Context, images: tuple[Path, ...], threads: int | None) -> None:
    """Read the cards in IMAGES: one JSON object a line.

    A picture that cannot be read is named on standard error; the others are read all the same.
    """
    from companion.vision.pipeline import load_pipeline, read_image, view_to_json
    from companion.vision.values import Frame

    eyes = load_pipeline(threads=settings_from(context, threads=threads).threads)
    broken = 0
    for image in images:
        try:
            view = eyes.see(Frame(bgr=read_image(image), taken_at_s=0.0))
        except BadInput as error:
            say(f"companion: {error}")
            broken += 1
        else:
            put(view_to_json(str(image), view))
    if broken:
        sys.exit(2)
