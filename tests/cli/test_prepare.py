from __future__ import annotations

from collections.abc import Callable

import pytest

from anoptima.cli import prepare
from anoptima.solvers.compiling.loops import Loop, loops
from anoptima.solvers.compiling.preparing import WITHOUT_NUMBA, State
from tests.cli.conftest import Run

EVERY = tuple(loops())


def test_it_counts_what_it_prepares_and_finds_nothing_to_do_the_second_time(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list(EVERY[:3])

    def known() -> State:
        return State(tuple(done), tuple(loop for loop in EVERY if loop not in done))

    def compile_all(on_progress: Callable[[int, int, Loop], None]) -> State:
        for loop in EVERY[3:]:
            on_progress(len(done), len(EVERY), loop)
            done.append(loop)
        return known()

    monkeypatch.setattr(prepare, "state", known)
    monkeypatch.setattr(prepare, "prepare", compile_all)
    said = run("prepare")
    assert said.code == 0
    assert said.out.startswith(f"everything is prepared: {len(EVERY)} loops, ")
    lines = said.err.splitlines()
    assert len(lines) == len(EVERY) - 3
    assert lines[0].startswith(f"compiling loops, once for this machine: 3 of {len(EVERY)}, ")
    again = run("prepare")
    assert (again.code, again.out, again.err) == (0, "everything is prepared\n", "")
    assert run("prepare", "--json").json["missing"] == []


def test_where_nothing_can_be_prepared_it_says_why(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "state", lambda: State((), EVERY, WITHOUT_NUMBA))
    said = run("prepare")
    assert (said.code, said.out) == (1, f"{WITHOUT_NUMBA}\n")


def test_quietly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_all(on_progress: Callable[[int, int, Loop], None]) -> State:
        on_progress(0, 1, EVERY[0])
        return State(EVERY, ())

    monkeypatch.setattr(prepare, "state", lambda: State((), EVERY))
    monkeypatch.setattr(prepare, "prepare", compile_all)
    assert run("prepare", "--quiet").err == ""
