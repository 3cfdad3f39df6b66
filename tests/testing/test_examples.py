from __future__ import annotations

from anoptima.problems.base import problem_kinds
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.testing.examples import all_examples
from tests.testing.own_reduction import OwnCover


def test_data_are_made_once_and_problems_are_not_shared() -> None:
    one, other = (next(one for one in all_examples() if isinstance(one, CellSuppression)) for _ in range(2))
    assert one.table is other.table
    before = set(vars(other))
    assert one.lower_bound() > 0
    assert set(vars(one)) > before == set(vars(other))


def test_a_kind_of_problem_that_comes_later_has_its_examples() -> None:
    def ours() -> int:
        return sum(isinstance(problem, OwnCover) for problem in all_examples())

    assert ours() == 0
    problem_kinds.add(OwnCover)
    try:
        assert ours() > 0
    finally:
        problem_kinds.remove(OwnCover.name)
    assert ours() == 0
