"""A pytest plugin: ``pytest --bundle FILE`` runs the claims of a report as test cases.

Each claim is judged anew from its stored readings, and its pictures are read anew where models are
at hand. Files in a folder ``tests/reported`` run in every test run. Pytest finds the plugin by the
entry point of this distribution, so that FILE may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.errors import BadInput, CompanionError, ModelError, NotFound

# Pytest loads this file in every run of every project beside us: the rooms come in when needed.
if TYPE_CHECKING:
    from companion.night.bundle import Bundle
    from companion.night.rejudge import Case
    from companion.vision.pipeline import Pipeline

KEPT = "reported"


class Otherwise(Exception):
    """A reported claim is judged or read otherwise than then."""


class ReportFile(pytest.File):
    """A file that ``companion report`` wrote."""

    def collect(self) -> Iterator[ReportedClaim]:
        """Two test cases for each claim.

        Raises:
            CollectError: it is no such file; says so in one line.
        """
        from companion.night.bundle import read_bundle
        from companion.night.rejudge import cases_of

        try:
            bundle = read_bundle(self.path)
            cases = cases_of(bundle)
        except BadInput as error:
            raise self.CollectError(str(error)) from None
        if not cases:
            raise self.CollectError(f"bundle {self.path} holds no claim")
        for case in cases:
            for check in (Judged, Read):
                name = f"{case} is {check.__name__.lower()} as then"
                yield check.from_parent(self, name=name, bundle=bundle, case=case)


class ReportedClaim(pytest.Item):
    """One claim of a report."""

    def __init__(self, *, bundle: Bundle, case: Case, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # pytest's own arguments
        self.bundle, self.case = bundle, case

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """What changed, line by line; anything unexpected with its traceback."""
        if isinstance(excinfo.value, (Otherwise, CompanionError)):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the claim comes from, for pytest's report."""
        return self.path, None, self.name


class Judged(ReportedClaim):
    """The stored readings give the verdicts that they gave then."""

    def runtest(self) -> None:
        """Judge the claim anew.

        Raises:
            Otherwise: a verdict or question is another now.
        """
        from companion.night.rejudge import differences

        _same(differences(self.case))


class Read(ReportedClaim):
    """The stored pictures are read as they were then; skipped without models."""

    def runtest(self) -> None:
        """Read the claim's pictures anew.

        Raises:
            Otherwise: a card is not found, or read as another one now.
        """
        from companion.night.rejudge import misread

        try:
            eyes = _eyes()
        except (ModelError, NotFound) as error:
            pytest.skip(f"no model is at hand to read the pictures: {error}")
        _same(misread(self.case, self.bundle, eyes))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--bundle``."""
    parser.addoption(
        "--bundle",
        action="append",
        default=[],
        metavar="FILE",
        help="a file that companion report wrote: its claims are judged and read anew",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Run the given bundles, and without other paths nothing else."""
    given = [str(Path(name).resolve()) for name in config.getoption("bundle")]
    if given:
        asked = config.args_source is pytest.Config.ArgsSource.ARGS
        config.args = [*config.args, *given] if asked else given


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ReportFile | None:
    """Take the given bundles for test files, and those in a folder of kept reports."""
    given = {Path(name).resolve() for name in parent.config.getoption("bundle")}
    kept = file_path.suffix == ".zip" and file_path.parent.name == KEPT
    if kept or file_path.resolve() in given:
        report: ReportFile = ReportFile.from_parent(parent, path=file_path)
        return report
    return None


@lru_cache(maxsize=1)
def _eyes() -> Pipeline:
    from companion.vision.pipeline import load_pipeline

    return load_pipeline()


def _same(changed: list[str]) -> None:
    if changed:
        raise Otherwise("\n".join(changed))
