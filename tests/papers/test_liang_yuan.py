"""Liang and Yuan, On the complexity of t-closeness anonymization (2013), Theorem 10: the m-approximation, and its third case."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.instances.errata import errata
from anoptima.instances.errata_cells import table_of
from anoptima.solvers.approximate.classes import by_classes

a, b, c, d = "00", "01", "10", "11"


def test_case_3() -> None:
    """Claimed: one big class is starred in all of its rows by every partition. True: each partition has one, not always the same."""
    found = errata.get("classes-case-3").show()
    assert found["with a big class starred in all of its rows"] == found["feasible partitions"] == 11
    assert found["big classes starred in all rows of every such partition"] == 0
    assert found["stars of the algorithm"] == found["L + min |C_i|"] == found["optimum"] == 3


@pytest.mark.parametrize(
    ("rows", "k", "cost"),
    [
        ([a, a, a, b, c, d], 3, 6),  # case 1
        ([a, a, a, a, a, a, b, c], 3, 6),  # case 2
        ([a, a, a, d, d, d, b], 3, 4),  # case 3
        ([a, a, d, d, b], 2, 3),  # case 3, other k
        ([a, a, b, b], 2, 0),  # nothing is left over
    ],
)
def test_expected_costs(rows: list[str], k: int, cost: int) -> None:
    """What the three cases give, and it is optimal on all of these."""
    problem = ao.CellSuppression(table_of(rows), ao.KAnonymity(k))
    assert problem.cost(by_classes(problem.table, k)) == cost
    assert ao.solve(problem, "pattern/highs").cost == cost


def test_the_ratio_is_attained() -> None:
    """Three pairs that differ in one column each, without a big class: m times the optimum before anything is chopped."""
    problem = ao.CellSuppression(table_of(["00", "01", "20", "21", "42", "52"]), ao.KAnonymity(2))
    assert problem.cost(by_classes(problem.table, 2)) == 2 * 6
    assert ao.solve(problem, "pattern/highs").cost == 6
    assert ao.solve(problem, "classes").cost == 6
