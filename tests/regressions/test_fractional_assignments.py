"""A solver may stop between two whole assignments of rows to open patterns; decoding used to crash there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import anoptima as ao
from anoptima.models import models
from tests.cases import Case, Demand, Distinct, Size

ROWS = (("a", "x"), ("a", "x"), ("a", "x"), ("a", "y"), ("b", "x"))
"""Of three equal rows, two may be published as (a, *) and one as (*, x), or the other way round."""


@pytest.mark.parametrize(
    ("demands", "sensitive"),
    [((Size(2),), "uvvvv"), ((Distinct(2, 0),), "uuuvv"), ((Size(2), Distinct(2, 0)), "uuuvv")],
)
def test_half_of_one_assignment_and_half_of_another(demands: Sequence[Demand], sensitive: str) -> None:
    case = Case(ROWS, tuple(demands), (tuple(sensitive),))
    problem = case.cells()
    built = models.get("pattern").build(problem)
    one, other = (
        built.encode(ao.Partition.from_groups(groups, 5)) for groups in ([[0, 1, 3], [2, 4]], [[0, 3], [1, 2, 4]])
    )
    between = (one + other) / 2
    assert (between != between.round()).any()
    back = built.decode(between)
    assert problem.violations(back) == []
    assert problem.cost(back) == 5
