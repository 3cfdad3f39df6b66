from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest

import anoptima as ao
from anoptima.cli import doctor
from anoptima.machine import total_memory, usable_threads
from anoptima.models.base import Language
from anoptima.solvers.backends.base import Availability, Backend
from anoptima.solvers.backends.highs import Highs
from anoptima.solvers.backends.pyomo_named import PyomoSolvers
from anoptima.solvers.backends.registry import backend_names, get_backend
from tests.cli.conftest import Run


class Crashes(Highs):
    name = "crashes"

    def solve(self, *given: Any, **options: Any) -> Any:
        raise ao.SolverFailure("crashes", "its process\nended with signal 11")


class Unloadable(Highs):
    name = "unloadable"

    def solve(self, *given: Any, **options: Any) -> Any:
        raise ImportError("libx.so: failed to map segment")


class Absent(Highs):
    name = "absent"

    def availability(self) -> Availability:
        return Availability(False, "there is no program absent on the path")


class Speechless(Highs):
    name = "speechless"
    languages: frozenset[Language] = frozenset()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few backends, so that few processes are started."""
    found: list[Backend] = [get_backend("highs"), Crashes(), Absent(), Speechless()]
    monkeypatch.setattr(doctor, "_backends", lambda: found)


@pytest.mark.usefixtures("few")
def test_what_works_and_why_the_rest_does_not(run: Run) -> None:
    said = run("doctor")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"anoptima {ao.__version__}, Python 3.")
    assert f"  pandas        {version('pandas')}\n" in said.out
    (highs,) = [line for line in said.out.splitlines() if line.startswith("  highs ")]
    assert "works" in highs
    assert f"highspy {version('highspy')}" in highs
    assert "  crashes     does not work: crashes: its process ended with signal 11\n" in said.out
    assert "  absent      does not work: there is no program absent on the path\n" in said.out
    assert "  speechless  does not work: it takes none of the models pattern, assignment\n" in said.out
    assert f"  threads       {usable_threads()}\n" in said.out
    assert f"of {total_memory() / 2**30:.1f} GiB" in said.out
    document = run("doctor", "--json").json
    assert {trial["name"]: trial["works"] for trial in document["backends"]} == {
        "highs": True,
        "crashes": False,
        "absent": False,
        "speechless": False,
    }
    assert 0 < document["memory"]["available"] <= document["memory"]["total"]


@pytest.mark.usefixtures("few")
def test_what_is_not_installed_is_said_with_what_brings_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("pyscipopt", "pyarrow") else "1.0")
    said = run("doctor")
    assert said.code == 0
    assert "  pyscipopt     not installed: pip install 'anoptima[scip]'  (the backend scip)\n" in said.out
    document = run("doctor", "--json").json
    assert document["install"] == {"pyscipopt": "anoptima[scip]", "pyarrow": "anoptima[parquet]"}
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "numpy" else "1.0")
    said = run("doctor")
    assert said.code == 1
    assert "  numpy         NOT INSTALLED, and needed\n" in said.out


def test_nothing_that_works_is_a_no(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_backends", lambda: [Absent()])
    assert run("doctor").code == 1


def test_a_package_that_cannot_be_loaded_is_the_backends_reason() -> None:
    assert doctor.try_backend(Unloadable()).why == "libx.so: failed to map segment"


def test_members_of_pyomos_are_tried_beside_those_that_are_listed() -> None:
    names = [backend.name for backend in doctor._backends()]
    assert names[: len(backend_names())] == backend_names()
    assert "pyomo:appsi_highs" in names
    assert len(names) == len(set(names))


def test_where_pyomo_cannot_be_loaded_the_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> list[str]:
        raise ImportError

    monkeypatch.setattr(PyomoSolvers, "working", refuse)
    assert [backend.name for backend in doctor._backends()] == backend_names()


def test_solvers_that_are_nowhere_come_with_how_to_install_them() -> None:
    absent = PyomoSolvers().absent({"highs", "pyomo:gurobi_direct", "pyomo:glpk"})
    assert "pyomo:cbc" in absent
    assert not {"pyomo:gurobi", "pyomo:glpk", "pyomo:highs"} & set(absent)
    assert "gurobipy" in PyomoSolvers().absent(())["pyomo:gurobi"]
