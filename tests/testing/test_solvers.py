from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import pytest

import anoptima as ao
from anoptima.problems.base import Problem
from anoptima.solvers.approximate.peel import Peel
from anoptima.solvers.base import Solver
from anoptima.testing import State, Verdict, check_solver
from anoptima.testing.checks import Fault


def verdict_on(solver: Solver[Any], name: str) -> Verdict:
    return next(check for check in check_solver(solver) if check.name == name)()


class Boast(Peel):
    """An approximation that says it is exact."""

    name = "boast"

    def ratio(self, problem: Problem[Any]) -> int:
        return 1


class Rough(Peel):
    """One whose ratio is a float."""

    name = "rough"

    def ratio(self, problem: Problem[Any]) -> Any:
        return 100.0


class Oathless(Peel):
    """One that says that its bounds come with proofs, and whose theorem alone stands for them."""

    name = "oathless"
    gives_proofs = True

    def ratio(self, problem: Problem[Any]) -> int:
        return 3


class Leaving(Peel):
    """One that ends the program, as what was written for a command line does."""

    name = "leaving"

    def partition(self, problem: ao.CellSuppression, is_over: Callable[[], bool]) -> ao.Partition:
        sys.exit(0)


class Drifting(Peel):
    """One whose answers depend on how often it was asked."""

    name = "drifting"
    uses_seed = uses_limit = True

    def __init__(self) -> None:
        self._asked = itertools.count()

    def partition(self, problem: ao.CellSuppression, is_over: Callable[[], bool]) -> ao.Partition:
        found = super().partition(problem, is_over)
        return problem.trivial() if next(self._asked) % 2 and problem.kept_at_least == () else found


CLAIMS = "its answers are what it claims"


def test_a_false_optimum_is_a_false_claim() -> None:
    verdict = verdict_on(Boast(), CLAIMS)
    assert verdict.fault is Fault.FALSE_CLAIM
    assert "it claims the optimum" in verdict.words


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        (Rough(), "claimed the ratio 100.0; it must be an int or a Fraction, since a bound follows from it"),
        (Oathless(), "it says that its bounds come with proofs, and gives none of "),
    ],
)
def test_what_bounds_rest_on_is_exact_and_there(solver: Solver[Any], words: str) -> None:
    verdict = verdict_on(solver, CLAIMS)
    assert verdict.fault is Fault.FALSE_CLAIM
    assert words in verdict.words


def test_one_that_ends_the_program_is_a_bug_and_the_others_are_checked() -> None:
    verdicts = {check.name: check() for check in check_solver(Leaving())}
    assert verdicts[CLAIMS].fault is Fault.BUG
    assert "its partition raises SystemExit: 0" in verdicts[CLAIMS].words
    assert verdicts["without time it claims nothing false"].state is State.GREEN


def test_one_that_ends_the_program_is_a_failure_with_the_best_that_is_known() -> None:
    with pytest.raises(ao.SolverFailure, match="its partition raises SystemExit: 0") as told:
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)), Leaving())
    assert isinstance(told.value.answer, ao.Answer)
    assert told.value.answer.verify()


def test_the_same_seed_gives_the_same_cost() -> None:
    assert verdict_on(Peel(), "asked again with the same seed, it comes to the same cost")
    verdict = verdict_on(Drifting(), "asked again with the same seed, it comes to the same cost")
    assert verdict.fault is Fault.BUG
    assert "when asked again" in verdict.words


def test_who_uses_seed_and_limit_promises_nothing_of_others() -> None:
    name = "a seed or a limit that it says it does not use changes nothing"
    assert verdict_on(Drifting(), name).state is State.REFUSED
    assert verdict_on(Peel(), name).state is State.GREEN


class Spoiling(Peel):
    """One that works in the table's own numbers, though these are not to be written into."""

    name = "spoiling"

    def partition(self, problem: ao.CellSuppression, is_over: Callable[[], bool]) -> ao.Partition:
        problem.table.types.setflags(write=True)
        problem.table.types.sort(axis=0)
        return super().partition(problem, is_over)


def test_one_that_changes_the_problem_is_told() -> None:
    verdict = verdict_on(Spoiling(), CLAIMS)
    assert verdict.fault is Fault.BUG
    assert "it has changed the problem, which others go on with" in verdict.words
