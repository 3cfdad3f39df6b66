"""What a stage is by itself, and what all stages of the engine have in common."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Any

import pytest

from anoptima.solvers.exact.sifting import stages
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.plan import plan_for_size, plan_under_rules
from anoptima.solvers.exact.sifting.run import go_through
from anoptima.solvers.exact.sifting.stages.stage import Stage
from anoptima.solvers.exact.sifting.standing import StandingUnderSize
from tests.solvers.exact.sifting.cases import problem_of
from tests.solvers.exact.sifting.cases_under_rules import close_problem
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules
from tests.solvers.exact.sifting.standings import under_rules, under_size


class Noted(Stage[StandingUnderSize]):
    """A stage that says no more than it must, and notes its turns."""

    def __init__(self, standing: StandingUnderSize) -> None:
        super().__init__(standing)
        self.limits: list[float] = []

    def run(self, limit: float) -> None:
        self.limits.append(limit)


class Needed(Noted):
    is_needed = True


class Diving(Noted):
    part = Part.DIVING


class Resting(Noted):
    is_needed = True

    def why_not(self) -> str | None:
        return "it rests"


def run_once(*sorts: type[Noted], is_done: bool = False, without: tuple[Part, ...] = ()) -> list[int]:
    """Let one stage of each sort run once, and return how many turns each has had."""
    standing = under_size(problem_of(0), without)
    standing.is_done = is_done
    made = [sort(standing) for sort in sorts]
    go_through(standing, made, [])
    return [len(stage.limits) for stage in made]


def test_a_stage_has_the_run_it_is_of_and_always_something_to_do_unless_it_says_so() -> None:
    standing = under_size(problem_of(0))
    stage = Noted(standing)
    assert stage.standing is standing
    assert (stage.part, stage.is_needed, stage.why_not()) == (None, False, None)
    with pytest.raises(TypeError, match="abstract"):
        Stage(standing)  # type: ignore[abstract]


def test_it_runs_unless_time_is_over_and_then_if_it_is_needed_but_never_where_it_has_nothing_to_do() -> None:
    assert run_once(Noted, Needed, Resting) == [1, 1, 0]
    assert run_once(Noted, Needed, Resting, is_done=True) == [0, 1, 0]


def test_it_is_left_out_where_a_study_leaves_out_its_part_of_the_method() -> None:
    assert run_once(Noted, Diving) == [1, 1]
    assert run_once(Noted, Diving, without=(Part.DIVING,)) == [1, 0]
    assert run_once(Noted, Diving, without=(Part.CUTS,)) == [1, 1]


def stages_of_the_engine() -> set[type[Stage[Any]]]:
    """Every stage that a module of the engine defines."""
    modules = [
        importlib.import_module(one.name) for one in pkgutil.iter_modules(stages.__path__, f"{stages.__name__}.")
    ]
    found = {
        its for module in modules for its in vars(module).values() if inspect.isclass(its) and issubclass(its, Stage)
    }
    return {its for its in found if not inspect.isabstract(its)}


def test_every_stage_of_the_engine_is_in_a_plan_and_says_whether_it_has_anything_to_do() -> None:
    planned: list[Stage[Any]] = []
    for group in plan_for_size(under_size(problem_of(0)), None, started=False):
        planned += group
    for problem in (problem_under_rules(0), close_problem(0, problem_under_rules(9).principle, rows=12)):
        for group in plan_under_rules(under_rules(problem), None, resumed=False):
            planned += group
    assert {type(stage) for stage in planned} == stages_of_the_engine()
    for stage in planned:
        reason = stage.why_not()
        assert reason is None or (reason == reason.strip() and reason)
        assert stage.part is None or isinstance(stage.part, Part)
        # What is needed cannot be left out.
        assert not (stage.is_needed and stage.part)
