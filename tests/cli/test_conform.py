from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from anoptima.cli import conform
from anoptima.errors import SolverFailure
from anoptima.testing.checks import Broken, Check
from tests.cli.conftest import Run


def refusing() -> str:
    return "it does not claim that"


def breaking() -> None:
    raise Broken("it did not keep its word")


CHECKS = [
    Check("one", "highs", lambda: None),
    Check("one", "cp-sat", refusing),
    Check("another", "highs", breaking),
    Check("another", "cp-sat", lambda: None),
]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conform, "check_table", lambda: iter(CHECKS))


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    def checks(backend: Any) -> Iterator[Check]:
        return iter(CHECKS[:2])

    monkeypatch.setattr(conform, "check_backend", checks)


@pytest.mark.usefixtures("table")
def test_the_table_of_models_and_backends(run: Run) -> None:
    said = run("conform", "--all")
    assert said.code == 1
    assert said.out == (
        "model    highs  cp-sat\n"
        "one      green  -\n"
        "another  RED    green\n"
        "\n"
        "not green, because:\n"
        "  one on cp-sat: it does not claim that\n"
        "  another on highs: it did not keep its word\n"
        "\n"
        "2 green, 1 refused, 1 red\n"
    )


@pytest.mark.usefixtures("table")
def test_the_table_as_a_document(run: Run) -> None:
    document = run("conform", "--all", "--json").json
    assert document["conforms"] is False
    assert document["checks"][2] == {
        "subject": "another",
        "check": "highs",
        "state": "red",
        "words": "it did not keep its word",
    }


@pytest.mark.usefixtures("named")
def test_one_backend(run: Run) -> None:
    said = run("conform", "highs")
    assert (said.code, said.err) == (0, "")
    assert said.out == "highs   green\ncp-sat  refused  it does not claim that\n\n1 green, 1 refused, 0 red\n"


@pytest.mark.parametrize("name", ["attributes", "peel", "k-anonymity-to-t-closeness"])
def test_a_model_a_solver_and_a_reduction(run: Run, name: str) -> None:
    said = run("conform", name, "--quiet")
    assert said.code == 0, said.out
    assert said.out.endswith("0 refused, 0 red\n")


@pytest.mark.parametrize("words", [(), ("highs", "--all")])
def test_one_or_all(run: Run, words: tuple[str, ...]) -> None:
    said = run("conform", *words)
    assert said.code == 2
    assert (
        said.err
        == "anoptima: give either the NAME of what is to be checked, or --all for every model on every backend\n"
    )


def test_an_unknown_name(run: Run) -> None:
    said = run("conform", "gurobi")
    assert said.code == 2
    assert said.err.startswith("anoptima: there is no backend named 'gurobi'; did you mean pyomo:")
    assert said.err.endswith("; nor is there a model, a solver or a reduction of that name\n")


def test_a_plugin_that_does_not_load(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise SolverFailure(name, "the backend at moon:Moon cannot be loaded")

    monkeypatch.setattr(conform, "get_backend", broken)
    said = run("conform", "moon")
    assert (said.code, said.err) == (3, "anoptima: moon: the backend at moon:Moon cannot be loaded\n")
