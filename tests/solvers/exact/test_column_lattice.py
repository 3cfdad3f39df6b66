from __future__ import annotations

import itertools

import pandas as pd
import pytest
from hypothesis import given, settings

import anoptima as ao
from anoptima.answer import Origin
from anoptima.solvers.exact.column_lattice import ColumnLattice
from tests.cases import Case
from tests.sizing import asked
from tests.strategies import cases
from tests.trial import Cells, Columns, judge_solver


@given(cases(8, 5))
def test_the_lattice_holds_every_valid_set_and_every_minimal_invalid_one(case: Case) -> None:
    problem = case.columns()
    names = problem.table.quasi
    sets = [frozenset(kept) for size in range(len(names) + 1) for kept in itertools.combinations(names, size)]
    valid = {kept for kept in sets if problem.is_valid(sorted(kept))}
    lattice = ColumnLattice(problem.table, problem.principle)
    found = [
        frozenset(name for j, name in enumerate(names) if kept >> j & 1) for level in lattice.levels() for kept in level
    ]
    assert len(found) == len(set(found))
    assert set(found) == valid
    if valid:
        minimal = {kept for kept in sets if kept not in valid and all(kept - {name} in valid for name in kept)}
        invalid = [frozenset(name for j, name in enumerate(names) if kept >> j & 1) for kept in lattice.invalid]
        assert set(invalid) == minimal
        assert len(invalid) == len(minimal)


@given(cases(8, 5))
def test_attribute_suppression_is_solved_and_proved(case: Case) -> None:
    assert list(judge_solver(Columns(case), ao.get_solver("column-lattice"))) == []


def test_the_optimum_comes_with_a_proof() -> None:
    problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))
    answer = ao.solve(problem, "column-lattice")
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 7)
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.PROOF, Origin.PROBLEM)
    assert answer.verify()


def test_the_proof_is_a_proof_where_the_cheap_bound_is_not_enough() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 1, 0]})
    answer = ao.solve(
        ao.AttributeSuppression(ao.Table.from_frame(frame, ["a", "b", "c"]), ao.KAnonymity(2)), "column-lattice"
    )
    assert (answer.cost, answer.bound and answer.bound.origin) == (2, Origin.PROOF)
    assert answer.proof is not None
    assert answer.proof.proved(answer.problem) == 2
    assert answer.verify()


def test_it_is_for_attributes() -> None:
    with pytest.raises(
        ao.NotApplicable, match=r"^column-lattice is for attribute-suppression, not for cell-suppression$"
    ):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "column-lattice")


@settings(max_examples=asked(12, 5_000))
@given(cases(8, 4))
def test_for_cells_it_is_the_cheapest_partition_by_one_set_of_columns(case: Case) -> None:
    problem = case.cells()
    if problem.why_infeasible() is None:
        names = problem.table.quasi
        costs = []
        for size in range(len(names) + 1):
            for kept in itertools.combinations(names, size):
                partition = ao.Partition.from_labels(problem.table.classes(kept))
                if problem.is_feasible(partition):
                    costs.append(problem.cost(partition))
        assert ao.solve(problem, "lattice").cost == min(costs)
    assert list(judge_solver(Cells(case), ao.get_solver("lattice"))) == []
