"""The stages of a run, in order, and what a run that goes on from an earlier one does first."""

from __future__ import annotations

from typing import Any

from anoptima.principles import TCloseness
from anoptima.solvers.exact.sifting.plan import plan_for_size, plan_under_rules
from anoptima.solvers.exact.sifting.read_back import Earlier
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.spaces import Ordered
from tests.solvers.exact.sifting.cases import problem_of
from tests.solvers.exact.sifting.cases_under_rules import close_problem
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules
from tests.solvers.exact.sifting.standings import under_rules, under_size


def names(stages: list[Stage[Any]]) -> list[str]:
    return [type(stage).__name__ for stage in stages]


def test_a_release_and_a_bound_come_first_and_what_they_need_is_done_even_late() -> None:
    standing = under_size(problem_of(0))
    once, in_turns = plan_for_size(standing, None, started=False)
    assert names(once) == ["FirstRelease", "Ascend"]
    assert names(in_turns) == ["Rounds", "CoreRounds", "Branch", "Close"]
    assert [stage.is_needed for stage in (*once, *in_turns)] == [True, True, False, False, False, False]


def test_a_run_that_had_begun_to_branch_branches_at_once() -> None:
    standing = under_size(problem_of(0))
    at = standing.point.at
    earlier = Earlier(1, [], [(((0, True),), at), (((0, False),), at)], standing.instance.d)
    once, in_turns = plan_for_size(standing, earlier, started=True)
    assert once[-1] is in_turns[2]
    assert names(once) == ["FirstRelease", "Ascend", "Branch"]


def test_under_rules_releases_and_bounds_alternate_until_regions_and_the_rest_take_turns() -> None:
    once, in_turns = plan_under_rules(under_rules(problem_under_rules(0)), None, resumed=False)
    assert names(once[:3]) == ["GreedyRelease", "AscendWorths", "GreedyRelease"]
    assert names(in_turns) == ["Dive", "Regions", "CutWorths", "CloseUnderRules"]
    assert [stage.is_needed for stage in once[:3]] == [True, True, True]


def test_along_edges_the_tree_comes_before_small_changes() -> None:
    for principle, order in (
        (TCloseness("1/3", space=Ordered(list("vwxyz")), column="s"), ["BranchBySize", "MoveRows"]),
        (TCloseness("1/3", column="s"), ["MoveRows", "BranchBySize"]),
    ):
        once, _ = plan_under_rules(under_rules(close_problem(0, principle, rows=12)), None, resumed=False)
        assert names(once[3:6]) == ["BranchSoon", *order]
