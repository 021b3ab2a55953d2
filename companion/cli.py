"""The front door: the only file that knows every room.

Data goes to standard output, talk to standard error. A wrong argument, and any
:class:`~companion.errors.CompanionError`, is one line on standard error and exit code 2.
Rooms are imported by the command that needs them, so that judging a sum never loads a network.
"""

from __future__ import annotations

import gettext
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from companion import __version__
from companion.errors import BadInput, CompanionError
from companion.paths import home_dir, resource_dir
from companion.settings import Settings, load_settings

if TYPE_CHECKING:
    from companion.night.start import Night
    from companion.server.serve import PageServer

MAX_LINE_CHARS = 1_000_000
PATH = click.Path(path_type=Path)
_SETTLED = "The same, but each picture as ten unquiet frames, settled; repeatable."


class Report(Protocol):
    """What a bench found."""

    def to_json(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        ...

    def table(self) -> str:
        """The figures for people."""
        ...


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
@click.option("--config", type=PATH, help="Settings file (TOML).")
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


def put_report(report: Report, as_json: bool) -> None:
    """Hand out a bench's figures, as one JSON object or for people."""
    put(report.to_json()) if as_json else click.echo(report.table())


def progress_of(what: str) -> Callable[[int, int], None] | None:
    """Say how many are done of how many, where somebody looks."""
    if not sys.stderr.isatty():
        return None
    return lambda done, total: click.echo(f"\r{done}/{total} {what}", err=True, nl=done == total)


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
    from companion.rules.editions import check_copies
    from companion.rules.scoring import score as score_cards

    won = [parse_card(card) for card in cards]
    check_copies(won)
    total = score_cards(won)
    click.echo(total.points)
    if explain:
        for line in total.lines:
            click.echo(f"{line.count} × {line.each} = {line.points}  {line.label}")


@companion.command()
@click.argument("rule_id", required=False)
@click.option("--language", help="Language, where the page has it; the page's own if not given.")
@click.pass_context
def rules(context: click.Context, rule_id: str | None, language: str | None) -> None:
    """Print every rule in our own words, or the one called RULE_ID."""
    from companion.rules.book import RULES, rule_text

    wanted = settings_from(context, language=language).language
    texts = gettext.translation(
        "messages", resource_dir("web") / "translations", [wanted], fallback=True
    )
    for name in [rule_id.upper()] if rule_id else RULES:
        click.echo(f"{name}  {texts.gettext(rule_text(name))}")


@companion.command()
@click.option("--players", type=int, default=4, show_default=True, help="2 to 6.")
@click.option("--edition", default="65", show_default=True, help="65 or 72 cards.")
@click.option("--rounds", type=int, default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def simulate(players: int, edition: str, rounds: int, seed: int) -> None:
    """Play whole rounds between simple players, and say what came of them."""
    from companion.rules.editions import parse_edition
    from companion.rules.simulate import simulate as play

    began_s = time.perf_counter()
    report = play(players, parse_edition(edition), rounds, seed)
    for line in report.lines(time.perf_counter() - began_s):
        click.echo(line)


# --- the eyes ------------------------------------------------------------------------------


@companion.command()
@click.argument("images", nargs=-1, required=True, type=PATH)
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
            frame = Frame(bgr=read_image(image), taken_at_s=0.0)
        except BadInput as error:
            say(f"companion: {error}")
            broken += 1
        else:
            view, tips = eyes.see_warily(frame)
            put(view_to_json(str(image), view))
            for tip in tips:
                say(f"companion: {image}: {tip}")
    if broken:
        sys.exit(2)


@companion.command()
@click.argument("recording", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="One JSON object an event.")
@click.option("--zones", type=PATH, help="Where the deck lies (JSON).")
@click.option("--story", is_flag=True, help="Also tell what the law makes of it.")
@click.pass_context
def replay(
    context: click.Context, recording: Path, as_json: bool, zones: Path | None, story: bool
) -> None:
    """The table events that RECORDING shows: a clip, a folder of stills, or a file of evidence."""
    from companion.night.bundle import is_bundle, read_bundle
    from companion.night.replay import replay as events_of
    from companion.night.replay import zones_of
    from companion.night.retell import recorded, replayed
    from companion.vision.pipeline import load_pipeline

    if is_bundle(recording):
        lines, lacks = replayed(read_bundle(recording), story)
    else:
        settings = settings_from(context)
        eyes, by_hand = load_pipeline(settings.threads), zones_of(recording, zones)
        lines, lacks = recorded(events_of(recording, eyes, by_hand, settings), story)
    changed = False
    for line in lines:
        put(line.to_json()) if as_json else click.echo(str(line))
        changed |= bool(line.changed)
    for lack in lacks:
        say(f"companion: {lack}")
    if changed:
        sys.exit(1)


@companion.command()
@click.option("--photos", "folders", multiple=True, type=PATH, help="Labelled folder; repeatable.")
@click.option("--settled", "settled_folders", multiple=True, type=PATH, help=_SETTLED)
@click.option("--true-quads", is_flag=True, help="Read the cards at their true corners.")
@click.option("--plots", "plots_dir", type=PATH, help="Folder for curves (SVG).")
@click.option("--at-most", type=click.IntRange(1), help="Only so many pictures of each folder.")
@click.option("--mirrored", is_flag=True, help="Count how often mirrored pictures are noticed.")
@click.option("--misses", "misses_dir", type=PATH, help="Folder for pictures of misses.")
@click.option("--rounds", type=int, default=40, show_default=True, help="Frames timed; 0: none.")
@click.option("--models", "models_dir", type=PATH, help="Folder with a manifest.toml.")
@click.option("--threads", type=int, help="Processor threads for the networks.")
@click.option("--json", "as_json", is_flag=True, help="The same as one JSON object.")
@click.pass_context
def bench(context: click.Context, /, as_json: bool, threads: int | None, **options: Any) -> None:
    """Accuracy on labelled folders, speed on this machine, one table."""
    from companion.vision.bench import BenchOptions, run_bench

    threads = settings_from(context, threads=threads).threads
    report = run_bench(BenchOptions(threads=threads, **options), progress_of("pictures"))
    put_report(report, as_json)


@companion.command(name="bench-rounds")
@click.argument("folders", nargs=-1, required=True, type=PATH)
@click.option("--true-eyes", is_flag=True, help="Let the clips' own perfect eyes look.")
@click.option("--guess-zones", is_flag=True, help="Let deck and table be guessed.")
@click.option("--misses", is_flag=True, help="List everything that went wrong.")
@click.option("--models", type=PATH, help="Folder with a manifest.toml.")
@click.option("--threads", type=int, help="Processor threads for the networks.")
@click.option("--json", "as_json", is_flag=True, help="The same as one JSON object.")
@click.pass_context
def bench_rounds(
    context: click.Context, /, folders: tuple[Path, ...], as_json: bool, **options: Any
) -> None:
    """Events, targets and verdicts on made clips of rounds in FOLDERS, played as a live night."""
    from companion.night.round_bench import run_rounds
    from companion.vision.pipeline import load_pipeline

    settings = settings_from(context, threads=options["threads"])
    eyes = None if options["true_eyes"] else load_pipeline(settings.threads, options["models"])
    with_zones, progress = not options["guess_zones"], progress_of("clips")
    report = run_rounds(folders, eyes, settings, with_zones=with_zones, progress=progress)
    put_report(report, as_json)
    if options["misses"] and not as_json:
        click.echo("\n".join(report.misses) or "nothing went wrong")


@companion.command(name="bench-counting")
@click.argument("folder", type=PATH)
@click.option("--single", is_flag=True, help="One frame a picture, not ten settled ones.")
@click.option("--at-most", type=click.IntRange(1), help="Only so many rounds.")
@click.option("--misses", is_flag=True, help="List every round that came out wrong.")
@click.option("--models", type=PATH, help="Folder with a manifest.toml.")
@click.option("--threads", type=int, help="Processor threads for the networks.")
@click.option("--json", "as_json", is_flag=True, help="The same as one JSON object.")
@click.pass_context
def bench_counting(context: click.Context, /, folder: Path, as_json: bool, **options: Any) -> None:
    """Points of made rounds in FOLDER, counted by the eyes, the books and truthful taps."""
    from companion.night.count_bench import run_counting
    from companion.vision.pipeline import load_pipeline

    threads = settings_from(context, threads=options["threads"]).threads
    eyes, progress = load_pipeline(threads, options["models"]), progress_of("rounds")
    at_most, settled = options["at_most"], not options["single"]
    report = run_counting(folder, eyes, settled=settled, at_most=at_most, progress=progress)
    put_report(report, as_json)
    if options["misses"] and not as_json:
        click.echo("\n".join(report.notes) or "every round came out right")


# --- the night -----------------------------------------------------------------------------


@companion.command()
@click.option("--camera", help="Number, name, rtsp/http address, clip or folder; none: by tap.")
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on.")
@click.option("--database", help="SQLAlchemy address of the journal.")
@click.option("--language", help="Language of the page.")
@click.option("--threads", type=int, help="Processor threads for the networks.")
@click.pass_context
def serve(context: click.Context, /, **flags: Any) -> None:
    """Serve the page of the night, with a camera or without one."""
    from companion.night.start import open_night

    settings = settings_from(context, **flags)
    with open_night(settings) as night:
        _serve(night, settings)


@companion.command()
@click.option("--port", type=int, help="Port to listen on.")
@click.option("--host", help="Address to listen on.")
@click.pass_context
def demo(context: click.Context, /, **flags: Any) -> None:
    """Show everything on a bundled clip: no camera, no questions."""
    from companion.night.start import open_demo

    settings = settings_from(context, **flags)
    with open_demo(settings) as night:
        _serve(night, settings, begins_when_visited=True)


@companion.command()
@click.argument("claim_id", type=int, required=False)
@click.option("--out", type=PATH, required=True, help="The file to write.")
@click.option("--database", help="SQLAlchemy address of the journal.")
@click.pass_context
def report(context: click.Context, claim_id: int | None, out: Path, database: str | None) -> None:
    """Pack the evidence of claim CLAIM_ID, or of all nights, into one file without names.

    What it holds is replayed by `companion replay FILE`, and is a test case for
    `pytest --bundle FILE`.
    """
    from companion.night.bundle import save_bundle

    size = save_bundle(out, claim_id, settings_from(context, database=database))
    say(f"{out}: {size / 1024:.0f} KB")


def _serve(night: Night, settings: Settings, begins_when_visited: bool = False) -> None:
    """Open the page, say where it is, and stay until interrupted."""
    from companion.server import create_app
    from companion.server.serve import PageServer

    logging.basicConfig(level=logging.WARNING, format="companion: %(message)s")
    server = PageServer(create_app(night.session, settings), settings)
    signal.signal(signal.SIGTERM, lambda *_: server.close())
    click.echo(server.addresses[0])
    for address in server.addresses[1:]:
        say(f"also at {address}")
    say("open it on any phone in this network; Ctrl-C ends it")
    sys.stdout.flush()
    if begins_when_visited:
        say("the clip begins when the page is opened")
        threading.Thread(target=_begin_when_visited, args=(night, server), daemon=True).start()
    server.run()


def _begin_when_visited(night: Night, server: PageServer) -> None:
    server.visited.wait()
    night.begin()


@companion.command()
@click.option("--camera", help="The camera to try; the one in the settings where not given.")
@click.pass_context
def doctor(context: click.Context, camera: str | None) -> None:
    """What works here and what does not: camera, model, database, network, certificate."""
    from companion.doctor import examine

    findings = examine(settings_from(context, camera=camera))
    for finding in findings:
        click.echo(str(finding))
    if any(finding.broken for finding in findings):
        sys.exit(1)
