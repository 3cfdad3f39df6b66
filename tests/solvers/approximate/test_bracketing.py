"""Principles that conditions do not state in full: bounds and releases from either side, held against brute force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.answer import Origin, Stop
from anoptima.errors import NotApplicable
from anoptima.principles import AtLeastRows, Condition, NotLinear, Truths
from anoptima.table import Groups, Table
from anoptima.testing.partly_stated import PartlyStated
from tests.principles.brute_force import least_cost, random_table
from tests.sizing import asked


@dataclass(frozen=True)
class Few(ao.Principle):
    """At least `least` rows, and no more than that of one value for each three rows of others: nothing but the size is stated."""

    kind = "few"
    merge_closed = True
    least: int

    def holds_each(self, groups: Groups) -> Truths:
        tops = np.array([int(groups.counts("ill", group).max()) for group in range(len(groups))])
        return (groups.sizes >= self.least) & (3 * tops <= 2 * groups.sizes)

    def could_hold_each(self, groups: Groups) -> Truths:
        return groups.sizes >= self.least

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        return None if self.holds_each(groups)[group] else "it has too few rows, or too many of one value"

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(self.least), NotLinear("it keeps that to itself")]

    def require_columns(self, table: Table) -> None:
        pass

    def least_size(self, table: Table) -> int:
        return self.least

    def as_json(self) -> dict[str, Any]:
        return {"principle": self.kind, "least": self.least}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Few:
        return cls(data["least"])


@pytest.mark.parametrize(
    "principle",
    [
        PartlyStated(2),
        PartlyStated("5/2"),
        PartlyStated("3/2") & ao.KAnonymity(3),
        PartlyStated(2) & ao.AlphaKAnonymity("1/2", 2, values=[0]),
        Few(2),
    ],
    ids=str,
)
def test_the_optimum_is_between_bound_and_cost(principle: ao.Principle) -> None:
    met = solved = 0
    for seed in range(asked(5, 10)):
        table = random_table(seed, values=4)
        if 0 not in table.sensitive_column("ill").values:
            continue
        problem = ao.CellSuppression(table, principle)
        best = least_cost(problem)
        if best is None:
            assert problem.why_infeasible() is not None
            continue
        answer = ao.solve(problem, "bracketing")
        solved += 1
        assert answer.bound is not None
        assert answer.cost is not None
        assert answer.bound.value <= best <= answer.cost
        assert not answer.verify().wrong
        met += answer.cost == best
        if answer.proof is not None and answer.bound.origin is Origin.PROOF:
            assert answer.proof.proved(problem) == answer.bound.value
    assert solved >= asked(2, 3)
    assert met >= solved - asked(1, 2), "nothing promises so; a change that makes it worse ought to be noticed"


def test_a_bound_by_what_is_implied_is_written_and_verified(tmp_path: Path) -> None:
    table = ao.census(["sex", "race", "marital-status", "education"], "occupation")
    table = ao.Table.from_frame(table.frame.iloc[:60], table.quasi, table.sensitive)
    problem = ao.CellSuppression(table, PartlyStated(3))
    answer = ao.solve(problem, time_limit=20)
    assert "bracketing" in answer.reason
    assert answer.bound is not None
    assert answer.bound.origin is Origin.PROOF
    ao.save_proof(answer, tmp_path / "proof.json")
    document = ao.read_proof(tmp_path / "proof.json")
    assert document.proved(problem) == answer.bound.value
    with pytest.raises(ao.AnoptimaError, match="another principle"):
        document.proof.proved(ao.CellSuppression(table, ao.KAnonymity(2)))


def test_a_run_goes_on_from_an_earlier_proof() -> None:
    problem = ao.CellSuppression(random_table(5, rows=40, columns=4, values=4), PartlyStated(2))
    first = ao.solve(problem, "bracketing", time_limit=20)
    assert first.proof is not None
    again = ao.get_solver("bracketing").solve(problem, ao.Budget(seconds=0.01), first.solution, None, first.proof)
    assert again.bound is not None
    assert again.bound.value == first.proof.value
    assert again.cost == first.cost


def test_it_is_for_what_sifting_cannot_price() -> None:
    table = random_table(1)
    for principle, why in (
        (ao.KAnonymity(2), "sifting prices 2-anonymity as it is"),
        (ao.EntropyDiversity(2), "sifting prices entropy 2-diversity as it is"),
        (ao.RecursiveDiversity(2, 3), r"sifting prices recursive \(2, 3\)-diversity as it is"),
        (Few(1), "nothing is known to follow"),
    ):
        with pytest.raises(NotApplicable, match=why):
            ao.solve(ao.CellSuppression(table, principle), "bracketing")


def test_an_interrupt_leaves_the_best_that_there_is() -> None:
    problem = ao.CellSuppression(random_table(3, rows=60, columns=5, values=4), PartlyStated(2))

    def stop(event: object) -> bool:
        return True

    answer = ao.get_solver("bracketing").solve(problem, ao.Budget(), None, stop)
    assert answer.stop is Stop.CANCELLED
    assert problem.is_feasible(answer.require_solution())
