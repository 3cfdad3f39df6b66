"""Models and algorithms of plug-ins that break where they are asked: what is said names them."""

from __future__ import annotations

from typing import Any

import pytest

import anoptima as ao
from anoptima.models.base import ModelSize
from anoptima.models.pattern import PatternModel
from anoptima.solvers.approximate.peel import Peel
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.modelled import Modelled

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(4))


class Nothing(PatternModel):
    """Builds nothing."""

    name = "nothing"

    def build_unchecked(self, problem: Any, size: ModelSize) -> Any:
        return None


class Raising(PatternModel):
    """Raises an error while it builds."""

    name = "raising"

    def build_unchecked(self, problem: Any, size: ModelSize) -> Any:
        raise ZeroDivisionError("by\nnothing")


class Number(PatternModel):
    """Estimates a number."""

    name = "number"

    def estimate(self, problem: Any) -> Any:
        return 5


class Undecoded(PatternModel):
    """Reads no solution out of values."""

    name = "undecoded"

    def build_unchecked(self, problem: Any, size: ModelSize) -> Any:
        built = super().build_unchecked(problem, size)
        built.decode = lambda values: None  # type: ignore[method-assign, assignment, return-value]
        return built


class NoPartition(Peel):
    """Returns nothing."""

    name = "no-partition"

    def partition(self, *_: Any, **__: Any) -> Any:
        return None


SAID = {
    Nothing: "nothing: its program is a NoneType; it must be a BuiltModel",
    Raising: r"raising: its program could not be built \(ZeroDivisionError: by nothing\)",
    Number: "number: its estimate is 5; it must be a ModelSize",
    Undecoded: "highs: claimed what is no solution at all: solution is None; it must be a Partition",
}


@pytest.mark.parametrize("model", SAID)
def test_a_model_that_breaks_is_named(model: type[PatternModel]) -> None:
    solver = Modelled(model(), get_backend("highs").in_this_process())
    with pytest.raises(ao.SolverFailure, match=f"^{SAID[model]}$"):
        ao.solve(PROBLEM, solver, start=None)


def test_an_algorithm_that_returns_no_solution_is_named() -> None:
    with pytest.raises(ao.FalseClaim, match=r"^no-partition: claimed what is no solution at all: solution is None; it"):
        ao.solve(PROBLEM, NoPartition(), start=None)
