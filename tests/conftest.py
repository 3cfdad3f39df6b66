"""What all tests share: how many examples Hypothesis draws, processes that may not be left, and a file with durations."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before doctests are collected: a module that pytest imports ahead of its package is made twice, and classes are then not themselves.
import anoptima.models  # noqa: F401
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.levels import by_sets
from anoptima.solvers.backends import process
from anoptima.solvers.compiling.preparing import UNASKED, state
from tests.keepers import keep_keepers
from tests.processes import PATIENCE, drop_interrupts, none_left_behind
from tests.remembered import remember_feasible_solutions

# `ci` draws the same examples every time, so that a change breaks a test and chance does not. `deep` looks for news, by
# hand: `make test-deep`, or HYPOTHESIS_PROFILE=deep with any choice of tests.
settings.register_profile(
    "ci",
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep",
    max_examples=5000,
    derandomize=False,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


drop_interrupts()

# Idle workers wait for the next test that needs them, whenever that comes: each start takes up to a second.
process.PATIENCE = PATIENCE

remember_feasible_solutions()

keep_keepers()

# Loops are compiled before the first test: then no test compiles any, and none starts a process that does.
os.environ[UNASKED] = "0"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what is missing. Workers come up after this."""
    known = state()
    if not hasattr(session.config, "workerinput") and known.missing and not known.why:
        subprocess.run([sys.executable, "-m", "anoptima", "prepare"], check=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where workers share the tests, begin with the slow ones: then no worker waits in the end for another one's last."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """What was made by now stays: whoever collects garbage, as some tests do by hand, need not look through millions of objects again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _plugins_are_named_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test hear what is wrong with a plug-in: it is said once in a process."""
    monkeypatch.setattr("anoptima.registry._said", set())


@pytest.fixture
def weak_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let cell suppression prove by itself no more than what each row pays alone: small tables are left to solvers and their proofs."""
    monkeypatch.setattr(CellSuppression, "lower_bound", lambda problem: problem.unscale(by_sets(problem, 1)[0]))


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    with none_left_behind():
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--durations-file", help="write there how long every file and every test took, slowest first")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Keep durations. With several workers this runs where their reports come together."""
    path = config.getoption("--durations-file")
    if not path:
        return
    tests: defaultdict[str, float] = defaultdict(float)
    files: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                tests[report.nodeid] += report.duration
                files[report.nodeid.partition("::")[0]] += report.duration
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    ranked = [sorted(kind.items(), key=lambda item: -item[1]) for kind in (files, tests)]
    lines = [f"{seconds:10.3f}  {name}\n" for kind in ranked for name, seconds in kind]
    Path(path).write_text("".join(lines), encoding="utf-8")
