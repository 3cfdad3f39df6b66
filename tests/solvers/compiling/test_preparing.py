"""Compiled loops are kept where they can be, prepared by one process at a time, and taken up by runs that began without them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anoptima.answer import Answer, Budget, Claim, Event, Log
from anoptima.documents.answers import answer_document
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.near_patterns.algorithm import NearPatterns
from anoptima.solvers.compiling import loops as compiling
from anoptima.solvers.compiling import preparing, turns
from anoptima.solvers.compiling.cache import DONE, NAME, PLACE, Cache, places
from anoptima.solvers.exact.sifting.algorithm import Sifting
from anoptima.table import Table
from tests.processes import is_running, wait_until, wait_until_gone


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in a process that has loaded nothing yet."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setattr(compiling, "_loaded", set())
    monkeypatch.setattr(compiling, "_twins", {})
    return tmp_path / NAME


def table_of(rows: int) -> Table:
    chance = np.random.default_rng(7)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2, 3], (rows, 5)), columns=list("abcde"))
    frame["ill"] = chance.integers(0, 3, rows)
    return Table.from_frame(frame, list("abcde"), "ill")


def heard(principle: Principle, seconds: float, rows: int = 150) -> tuple[Answer[Any], list[str]]:
    """What `sifting` answers, and the lines on the way."""
    lines: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Log):
            lines.append(event.line)

    return Sifting().solve(CellSuppression(table_of(rows), principle), Budget(seconds=seconds), listener=listen), lines


@pytest.mark.parametrize("principle", [KAnonymity(3), LDiversity(2), TCloseness("1/5")], ids=str)
def test_a_run_whose_loops_are_never_there_ends_with_a_right_answer_and_says_so(
    principle: Principle, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []
    monkeypatch.setattr(turns, "start", asked.append)
    monkeypatch.setattr(compiling, "compiled", lambda loop: pytest.fail(f"{loop} is compiled within a run"))
    answer, lines = heard(principle, 2.0)
    assert not answer.verify().wrong
    assert answer.bound is not None
    assert answer.bound.value > 0
    assert len(asked) == 1
    assert [line for line in lines if "another process prepares loops" in line] == lines[:1]
    assert answer.run.compiled is not None
    assert answer.run.compiled.since is None
    assert str(answer.run.compiled) == "no: still being prepared"
    assert any("anoptima prepare" in note for note in answer.run.notes)
    assert answer.run.prepare_seconds == 0
    assert answer_document(answer)["compiled"] == {"since": None, "why": "still being prepared"}


@pytest.mark.parametrize("solver", [Sifting(), NearPatterns()], ids=lambda solver: solver.name)
def test_loops_that_are_prepared_meanwhile_are_taken_up(solver: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[bool] = []
    runs: list[bool] = []
    ready, paused = compiling.is_ready, turns._paused

    def is_ready(*loops: Any, at_hand: bool = False) -> bool:
        return bool(there) and ready(*loops, at_hand=at_hand)

    def noted(ledger: Any, run: Callable[[], None], is_enough: Callable[[], bool]) -> bool:
        runs.append(paused(ledger, run, is_enough))
        return runs[-1]

    def listen(event: Event) -> None:
        # A release and a bound are known: whatever comes after goes on from them.
        if isinstance(event, Log) and ("closed patterns" in event.line or "neighbours" in event.line):
            there.append(True)

    for module in (compiling, turns):
        monkeypatch.setattr(module, "is_ready", is_ready)
    monkeypatch.setattr("anoptima.solvers.exact.sifting.releases.annealing.is_ready", is_ready)
    monkeypatch.setattr(turns, "start", lambda modules: None)
    monkeypatch.setattr(turns, "OFTEN", 0.0)
    monkeypatch.setattr(turns, "_paused", noted)
    answer = solver.solve(CellSuppression(table_of(150), KAnonymity(3)), Budget(seconds=4), listener=listen)
    assert runs == [True]
    assert not answer.verify().wrong
    assert answer.run.compiled is not None
    assert answer.run.compiled.since is not None
    assert answer.run.compiled.since > 0
    assert str(answer.run.compiled).startswith("from ")
    assert answer.run.notes == () or not any("without compiled loops" in note for note in answer.run.notes)


def test_a_run_whose_loops_are_there_says_so_and_what_loading_them_took() -> None:
    answer, lines = heard(KAnonymity(3), 2.0)
    assert str(answer.run.compiled) == "yes"
    assert not any("prepares" in line for line in lines)
    assert 0 <= answer.run.prepare_seconds <= answer.run.seconds
    assert answer.run.solving_seconds == pytest.approx(answer.run.seconds - answer.run.setup_seconds)


def test_small_tables_load_nothing(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "start", lambda modules: pytest.fail("a small table has loops prepared"))
    answer, _ = heard(KAnonymity(2), 60.0, rows=12)
    assert answer.claim is Claim.OPTIMAL
    assert answer.run.compiled is not None
    assert answer.run.compiled.since is None
    assert answer.run.notes == ()


@pytest.mark.parametrize("principle", [KAnonymity(3), TCloseness("1/5")], ids=str)
def test_without_numba_the_answer_says_what_is_missing(principle: Principle, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (compiling, preparing):
        monkeypatch.setattr(module, "why_no_numba", lambda: "numba: it is broken")
    missing = f"{preparing.WITHOUT_NUMBA} (numba: it is broken)"
    monkeypatch.setattr(compiling, "_loaded", set())
    answer, lines = heard(principle, 2.0)
    assert lines[0] == missing
    assert missing in answer.run.notes
    assert str(answer.run.compiled) == "no: numba cannot be imported"
    assert not answer.verify().wrong
    assert str(preparing.state()) == missing
    assert preparing.prepare().missing


def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").touch()
    monkeypatch.setenv(PLACE, str(tmp_path / "a file"))
    monkeypatch.setattr(compiling, "_loaded", set())
    answer, lines = heard(KAnonymity(3), 1.0)
    assert "cannot be written to; set NUMBA_CACHE_DIR" in lines[0]
    assert lines[0] in answer.run.notes
    assert not answer.verify().wrong


def test_places_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PLACE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert len(places()) == 2

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert len(places()) == 1
    assert str(Cache([]).why).startswith("there is no place")


def test_what_is_prepared_is_prepared_once_and_a_change_is_noticed(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one quick loop in place of all; `compiled` is told not to compile what is there."""
    modules = ("anoptima.solvers.exact.sifting.kernels.single_row_moves",)
    monkeypatch.setattr(preparing, "MODULES", modules)
    told: list[tuple[int, int]] = []

    def prepare() -> preparing.State:
        return preparing.prepare(lambda done, count, loop: told.append((done, count)))

    assert preparing.state(modules).missing
    prepare()
    assert told == [(0, 1)]
    (loop,) = compiling.loops(modules)
    assert (empty / loop.key / DONE).exists()
    assert not preparing.state(modules).missing
    prepare()
    assert told == [(0, 1)]
    # Another process finds it, and compiles nothing.
    monkeypatch.setattr(compiling, "_loaded", set())
    monkeypatch.setattr(compiling, "_twins", {})
    compiling.compiled(loop.function)
    stats = compiling._twins[loop.function].stats
    assert sum(stats.cache_hits.values()) == 1
    assert not stats.cache_misses
    # What was compiled from something else is not taken for it.
    compiling.key_of.cache_clear()
    monkeypatch.setitem(loop.function.__globals__, "_LOW", 7)
    assert preparing.state(modules).missing
    compiling.key_of.cache_clear()


def test_one_process_prepares_at_a_time_and_one_that_is_killed_is_replaced(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(preparing.UNASKED, raising=False)
    monkeypatch.setattr(preparing, "_started", [])
    # A process that holds the lock, and prepares nothing.
    monkeypatch.setattr(
        preparing,
        "_BOOT",
        """
import sys, time
sys.path[:] = {path!r}
from anoptima.solvers.compiling.loops import here
with here().locked(wait=False) as may:
    (here().folder / ("held" if may else "refused")).touch()
    time.sleep(600 if may else 0)
""",
    )
    preparing.start(compiling.KERNELS)
    (first,) = preparing._started
    wait_until((empty / "held").exists, "the first process has the lock")
    assert os.getpgid(first.pid) != os.getpgid(0)
    preparing.start(compiling.KERNELS)
    assert preparing._started == [first]
    # So it is for another process of ours, which does not know the first.
    monkeypatch.setattr(preparing, "_started", [])
    preparing.start(compiling.KERNELS)
    assert preparing._started == []
    os.kill(first.pid, signal.SIGKILL)
    wait_until_gone(first.pid)
    wait_until(lambda: first.returncode, "nobody waits for the process that was killed")
    (empty / "held").unlink()
    preparing.start(compiling.KERNELS)
    (second,) = preparing._started
    wait_until((empty / "held").exists, "the second process has the lock")
    assert not (empty / "refused").exists()
    assert is_running(second.pid)
    os.kill(second.pid, signal.SIGKILL)
    wait_until(lambda: second.returncode, "nobody waits for the second process")


def test_the_process_prepares_what_is_asked_for_first(empty: Path) -> None:
    program = f"""
import sys
sys.path[:] = {sys.path!r}
from anoptima.solvers.compiling import loops as compiling
from anoptima.solvers.compiling import preparing
compiling.compiled = preparing.compiled = lambda function: print(function.__module__)
preparing.main(compiling.COVERING)
"""
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert said[0] == compiling.COVERING[0]
    assert set(said) == set(compiling.MODULES)
    assert not preparing.state().missing
