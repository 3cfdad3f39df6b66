"""CP-SAT divides an objective by common factors and multiplies again in floats: 56 came back as 55.99999999999999."""

from __future__ import annotations

from fractions import Fraction

import pytest

from anoptima.solvers.lookup import get_solver
from tests.cases import Case, Closeness, Distinct, Equal, Size
from tests.trial import Cells, judge_solver

TABLES = {
    "an objective below the solution's cost": Case(
        rows=(
            ("c", None, "b"),
            ("c", "a", "a"),
            ("c", "a", "a"),
            ("d", None, "a"),
            ("c", None, "b"),
            ("a", None, "a"),
            ("d", None, "a"),
        ),
        demands=(Closeness(Fraction(1, 2), 0, Equal()), Distinct(3, 0)),
        sensitive=(("1/3", "3", "1/3", "1/3", "3", "1/3", "3.0"),),
        weights=(Fraction(1, 3), Fraction(1, 2), Fraction(1, 2)),
        dtype="inferred",
    ),
    "a bound above the optimum": Case(
        rows=(
            (None, "a", "a", "a"),
            (None, "a", "a", "a"),
            ("a", "a", "a", "a"),
            (None, "a", "b", None),
            (None, "a", "a", "a"),
            ("a", "a", "b", None),
            (None, "a", "b", None),
        ),
        demands=(Distinct(3, 0), Size(3)),
        sensitive=(("x", None, "y", None, "x", None, "y"), ("3.0", "1/3", "3.0", "3", "3", 0.1, "1/3")),
        weights=(Fraction(1), Fraction(7, 4), Fraction(1, 3), Fraction(1, 3)),
        dtype="category",
    ),
}


@pytest.mark.parametrize("solver", ["pattern/cp-sat", "assignment/cp-sat"])
@pytest.mark.parametrize("name", TABLES)
def test_objectives_with_common_factors(name: str, solver: str) -> None:
    assert not list(judge_solver(Cells(TABLES[name]), get_solver(solver)))
