"""A principle that groups satisfy one by one and not together: what can still serve it does, and all others refuse and say why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.principles import AtLeastRows, AtLeastValues, Condition, NotLinear, Truths
from anoptima.problems.attribute_suppression import DroppedColumns
from anoptima.proofs.hitting import End, HittingProof
from anoptima.proofs.key_families import KeyFamilies
from anoptima.solvers.lookup import solvers_for
from anoptima.table import Groups, Table
from tests.principles.brute_force import least_cost, random_table
from tests.sizing import asked


@dataclass(frozen=True)
class Between(ao.Principle):
    """At least `least` rows, and at most `most`."""

    kind = "between"
    least: int
    most: int

    def holds_each(self, groups: Groups) -> Truths:
        return (groups.sizes >= self.least) & (groups.sizes <= self.most)

    def could_hold_each(self, groups: Groups) -> Truths:
        return groups.sizes >= self.least

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        size = groups.size(group)
        return None if self.least <= size <= self.most else f"it has {size} rows"

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.least), NotLinear("a largest size is not linear")]

    def require_columns(self, table: Table) -> None:
        pass

    def least_size(self, table: Table) -> int:
        return self.least

    def as_json(self) -> dict[str, Any]:
        return {"principle": self.kind, "least": self.least, "most": self.most}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Between:
        return cls(data["least"], data["most"])


@dataclass(frozen=True)
class AtMostRows(Condition):
    """A condition as somebody else would write it, who says nothing of merging."""

    rows: int

    def holds_each(self, groups: Groups) -> Truths:
        return groups.sizes <= self.rows


class Stated(Between):
    """The same, stated in full by conditions."""

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.least), AtMostRows(self.most)]


def test_a_condition_from_outside_is_not_taken_to_be_merge_closed() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"q": [1, 1, 2, 2]}), ["q"])
    for problem in (ao.CellSuppression(table, Stated(2, 3)), ao.AttributeSuppression(table, Stated(2, 3))):
        assert not problem.is_merge_closed
        answer = ao.solve(ao.CellSuppression(table, Stated(2, 3)))
        assert answer.claim is ao.Claim.OPTIMAL
        assert answer.cost == 0


def test_no_condition_passes_for_one_that_is_known() -> None:
    """One that asks for less would be proved to cost as much as the one that it is derived from."""
    with pytest.raises(
        TypeError, match="Lenient would be taken for AtLeastValues wherever that is known; derive it from Condition"
    ):

        class Lenient(AtLeastValues):  # type: ignore[misc]
            """At least so many values, or ten rows."""


def test_what_is_published_alike_is_one_group() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"q": [1, 1, 1, 1]}), ["q"])
    two = ao.Partition.from_groups([[0, 1], [2, 3]], 4)
    assert ao.CellSuppression(table, Between(2, 4)).is_feasible(two)
    assert ao.CellSuppression(table, Between(2, 3)).violations(two) == ["the group of rows 1, 2, 3, 4: it has 4 rows"]
    assert ao.CellSuppression(table, Between(2, 3)).why_infeasible() == "it has 4 rows"


@pytest.mark.parametrize(
    "principle", [Between(1, 3), Between(2, 4), Between(2, 3) & ao.LDiversity(2, version="distinct")], ids=str
)
def test_optima_are_those_of_brute_force(principle: ao.Principle) -> None:
    solved = 0
    for seed in range(asked(3, 5)):
        problem = ao.CellSuppression(random_table(seed), principle)
        best = least_cost(problem)
        answer = ao.solve(problem, "subset-dp")
        assert answer.cost == best
        assert answer.claim is (ao.Claim.INFEASIBLE if best is None else ao.Claim.OPTIMAL)
        assert answer.verify()
        assert {solver.name for solver in solvers_for(problem)} == {"subset-dp", "peel", "lattice"}
        if best is not None:
            solved += 1
            for name in ("peel", "lattice", "auto"):
                found = ao.solve(problem, name)
                assert found.verify()
                assert found.cost is not None
                assert found.cost >= best
    assert solved


def test_others_refuse_and_say_why() -> None:
    problem = ao.CellSuppression(random_table(0), Between(2, 4))
    with pytest.raises(ao.NotApplicable, match=r"local-search joins groups, and .* is not merge-closed"):
        ao.solve(problem, "local-search")
    with pytest.raises(ao.NotApplicable, match=r"programs cannot state .*: a largest size is not linear; subset-dp"):
        ao.solve(problem, "pattern/highs")
    columns = ao.AttributeSuppression(random_table(0), Between(1, 4))
    with pytest.raises(ao.NotApplicable, match="hitting-set joins groups"):
        ao.solve(columns, "hitting-set")


def test_columns_that_all_may_stay_are_not_dropped() -> None:
    """Classes of three rows on both columns, of six on one: the cuts of `attribute-cuts` would say that all must go."""
    frame = pd.DataFrame({"a": [0] * 6, "b": [0, 0, 0, 1, 1, 1]})
    problem = ao.AttributeSuppression(ao.Table.from_frame(frame, ["a", "b"]), Between(2, 4))
    assert problem.violations(DroppedColumns(frozenset())) == []
    with pytest.raises(ao.NotApplicable, match=r"the attribute-cuts model joins classes, and .* is not merge-closed"):
        ao.solve(problem, "attribute-cuts/cp-sat")
    with pytest.raises(ao.NotApplicable, match=r"no solver here is for attribute-suppression under Between"):
        ao.solve(problem)
    with pytest.raises(ao.NotApplicable, match=r"minimal sets say nothing of all others here: .* is not merge-closed"):
        ao.minimal_keys(problem)
    barrier = frozenset("a")
    with pytest.raises(ao.BadInput, match=r"barriers prove nothing here: .* is not merge-closed"):
        HittingProof(1, [barrier], 1, End(((0, 1),))).proved(problem)
    with pytest.raises(ao.BadInput, match=r"families of keys prove nothing here"):
        KeyFamilies([], [frozenset("ab")]).check(problem)


def test_where_nobody_knows_whether_there_is_a_solution_it_is_said() -> None:
    frame = pd.DataFrame({"q": np.arange(9) % 3 // 2})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"]), Between(2, 4))
    with pytest.raises(ao.NotApplicable, match=r"no solution is known to start from: .* is not merge-closed"):
        ao.solve(problem)


class Forgetful(Between):
    """It states a least size, and forgets the rest."""

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.least)]


def test_who_states_too_little_is_named_and_no_solver_is_blamed() -> None:
    problem = ao.CellSuppression(random_table(1), Forgetful(2, 7) & ao.LDiversity(2, version="distinct"))
    assert ao.solve(problem, "pattern/highs").cost == least_cost(problem)
    frame = pd.DataFrame({"q": [1] * 3 + [2] * 3})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["q"]), Odd(2, 3))
    for solver in ("pattern/highs", "sifting", "pattern/scip"):
        with pytest.raises(
            ao.BadInput, match=r"asks more than its conditions state: a group of 3 rows satisfies them all"
        ):
            ao.solve(problem, solver, start=None)


class Odd(Forgetful):
    """It asks for even sizes, which it does not state."""

    def holds_each(self, groups: Groups) -> Truths:
        truths: Truths = (groups.sizes >= self.least) & (groups.sizes % 2 == 0)
        return truths

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        return None if self.holds_each(groups)[group] else "its size is odd"
