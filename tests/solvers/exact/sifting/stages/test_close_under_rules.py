from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anoptima.answer import Clock
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cases import GroupCasesProof
from anoptima.solvers.exact.sifting.releases.region_program import Found, Programs
from anoptima.solvers.exact.sifting.stages import branch_by_size
from anoptima.solvers.exact.sifting.stages.branch_by_size import BranchBySize
from anoptima.solvers.exact.sifting.stages.close import CloseUnderRules
from anoptima.solvers.exact.subset_dp import SubsetDp
from anoptima.table import Table
from tests.loops import each
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths


def test_a_search_that_ends_has_the_optimum() -> None:
    for seed in (0, 6):
        problem = problem_of(seed)
        standing = ascended_worths(problem)
        stage = CloseUnderRules(standing, BranchBySize(standing, None))
        while not (standing.is_done or standing.is_over()):
            stage.run(60.0)
        assert standing.ledger.cost == optimum_of(problem)
        assert standing.ledger.bound is not None
        assert standing.ledger.bound.value == optimum_of(problem)


@each("seed", (0, 28, 125, 231))
def test_what_a_search_says_is_proved_by_cases(seed: int) -> None:
    problem = problem_of(seed)
    standing = ascended_worths(problem)
    stage = CloseUnderRules(standing, BranchBySize(standing, None))
    stage.run(60.0)
    proof = standing.ledger.proof
    assert isinstance(proof, GroupCasesProof)
    assert proof.proved(problem) == optimum_of(problem)


def test_cases_are_for_one_diversity_in_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BranchBySize(ascended_worths(problem_of(22)), None).why_not_settle() == "there are no proofs by cases of it"
    stage = BranchBySize(ascended_worths(problem_of(0)), None)
    assert stage.why_not_settle() is None
    monkeypatch.setattr(branch_by_size, "MOST_ARCS", 0)
    assert stage.why_not_settle() == "its tree would be too large"


@each("seed", (6, 9, 23))
def test_what_programs_cannot_state_is_searched_as_nearly_as_they_can(seed: int) -> None:
    """Where one column weighs more than the others together, arcs that gain cost more than regions have."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(7, 11))
    frame = pd.DataFrame({name: chance.integers(0, 3, rows) for name in "abcs"})
    table = Table.from_frame(frame, ["a", "b", "c"], "s", weights={"a": 1, "b": 1000, "c": 10**6})
    problem = CellSuppression(table, EntropyDiversity("3/2"))
    standing = ascended_worths(problem)
    CloseUnderRules(standing, BranchBySize(standing, None)).run(60.0)
    assert standing.is_done
    assert standing.ledger.cost == SubsetDp().solve(problem).cost


def test_too_many_arcs_are_left_for_a_later_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = ascended_worths(problem_of(0))
    stage = CloseUnderRules(standing, BranchBySize(standing, None))
    monkeypatch.setattr(stage, "arcs_per_s", 1)
    stage.run(1.0)
    assert not standing.is_done
    monkeypatch.undo()
    stage.run(60.0)
    assert standing.is_done


def test_a_search_has_the_seconds_of_its_turn_where_there_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    standing, given = ascended_worths(problem_of(0)), []
    improve = Programs.improve

    def watch(
        self: Programs, region: object, start: object, seconds: float, *others: object, **options: object
    ) -> Found:
        if options.get("careful"):
            given.append(seconds)
        return improve(self, region, start, seconds, *others, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Programs, "improve", watch)
    standing.ledger.clock = Clock(None)
    CloseUnderRules(standing, BranchBySize(standing, None)).run(7.0)
    assert set(given) == {7.0}
