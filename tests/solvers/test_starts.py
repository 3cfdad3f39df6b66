"""Starts: what every approximation returns goes into every exact solver, and costs no time that was not granted."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import anoptima as ao
from anoptima.answer import Budget, Clock, StartFate
from anoptima.errors import OutOfTime
from anoptima.problems.table_problem import TableProblem
from anoptima.solvers import algorithms, solving, starts
from anoptima.solvers.approximate.clustering import Clustering
from anoptima.solvers.base import Kind
from anoptima.solvers.starts import (
    LEAST_S,
    LEAST_WAIT_S,
    MOST_S,
    QuickApproximations,
    half,
    quick_solvers,
    quick_start,
    start_clock,
)  # fmt: skip
from tests import clocks
from tests.cases import Case
from tests.sizing import asked
from tests.strategies import cases
from tests.trial import evaluate, models_for, questions
from tests.turns import has_turns, in_turn


@settings(max_examples=asked(10, settings().max_examples))
@given(cases())
def test_every_model_takes_what_every_approximation_returns(case: Case) -> None:
    """All models x all approximations: a start keeps every constraint, and its objective is at most its cost."""
    for question in questions(case):
        problem: TableProblem[object] = question.problem
        if problem.why_infeasible() is not None:
            continue
        starts = {
            solver.name: ao.solve(problem, solver).require_solution()
            for solver in algorithms.all()
            if solver.kind is Kind.APPROXIMATE and solver.why_not(problem) is None
        }
        assert starts
        for model in models_for(problem):
            built = model.build(problem)
            for name, start in starts.items():
                objective, broken = evaluate(built, built.encode(start))
                assert broken is None, f"{model.name} from {name}: {broken}\n{case!r}"
                assert objective <= problem.cost(start) * problem.cost_scale, f"{model.name} from {name}\n{case!r}"


TABLE = ao.Table.from_frame(
    pd.DataFrame({"a": [1, 1, 2, 2, 3, 3, 1], "b": [1, 2, 1, 2, 1, 2, 3], "ill": list("xyxyxyx")}), ["a", "b"], "ill"
)
PROBLEMS: list[TableProblem[Any]] = [
    make(TABLE, principle)
    for make in (ao.CellSuppression, ao.AttributeSuppression)
    for principle in (
        ao.KAnonymity(2),
        ao.LDiversity("3/2"),
        ao.LDiversity(2, version="distinct"),
        ao.TCloseness("1/3"),
    )
]


@pytest.mark.parametrize("turn", range(len(PROBLEMS)), ids=[f"{p.name} under {p.principle}" for p in PROBLEMS])
def test_every_exact_solver_accepts_what_every_approximation_returns(turn: int) -> None:
    problem = PROBLEMS[turn]
    starts = [
        ao.solve(problem, solver).require_solution()
        for solver in algorithms.all()
        if solver.kind is Kind.APPROXIMATE and solver.why_not(problem) is None
    ]
    exact = in_turn((solver.name for solver in ao.solvers_for(problem) if solver.kind is not Kind.APPROXIMATE), turn)
    best = ao.solve(problem, exact[0]).cost
    for number, solver in enumerate(exact):
        # Every approximation meets some solvers here, and all models above.
        chosen = starts[number % 2 :: 2]
        for start in chosen[:2] if has_turns(solver) else chosen:
            answer = ao.solve(problem, solver, start=start, threads=1)
            assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, best), solver
            # Where the start is optimal, or the backend takes none, it is not looked at.
            assert answer.run.start in (StartFate.ACCEPTED, StartFate.UNUSED, StartFate.UNSUPPORTED), solver


def test_quick_solvers_come_in_the_order_of_their_places() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    places = [solver.quick for solver in quick_solvers(problem)]
    assert places == sorted(place for place in places if place is not None)
    assert "local-search" not in {solver.name for solver in quick_solvers(problem)}


def test_where_clustering_takes_all_the_time_there_is_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2,000 rows of 20 columns it takes a second or more, and of a start that is cut short all cells may be starred."""
    now = [7.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def too_slow(*_: Any) -> None:
        now[0] += 2.0
        raise OutOfTime

    monkeypatch.setattr(Clustering, "partition", too_slow)
    codes = np.random.default_rng(3).integers(0, 2, (60, 15))
    frame = pd.DataFrame(codes).rename(columns=str).assign(ill=[*"xyz"] * 20)
    problem = ao.CellSuppression(ao.Table.from_frame(frame, [*frame][:15], "ill"), ao.TCloseness("0.3"))
    start = quick_start(problem, Budget(1.0), Clock(1.0))
    assert start is not None
    assert problem.cost(start) == ao.solve(problem, "mondrian-relaxed").cost
    assert problem.cost(start) < problem.cost(problem.trivial())


def test_the_start_is_as_good_as_each_quick_one() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    start = quick_start(problem, Budget(), Clock())
    assert start is not None
    assert problem.cost(start) == min(ao.solve(problem, solver).cost or 0 for solver in quick_solvers(problem))


def test_a_start_takes_no_time_for_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = [(3 * (x * 37 % 16) / 16, 3 * (x * 53 % 17) / 16) for x in range(16)]
    problem, few = ao.FakePoints(crowd, 4), ao.FakePoints([(0, 0, 0), (3, 3, 3), (3, 3, "3.5")], 2)
    trivial = problem.cost(problem.trivial())

    def lower_bound(problem: Any) -> Any:
        raise AssertionError("nobody needs a bound to begin with")

    for kind in (ao.FakePoints, ao.LowerBoundedFacilities):
        monkeypatch.setattr(kind, "lower_bound", lower_bound)
    start = quick_start(problem, Budget(), Clock(None))
    assert start is not None
    assert problem.cost(start) < trivial
    # A grid would cost more than topping up.
    start = quick_start(few, Budget(), Clock(None))
    assert start is not None
    assert few.cost(start) <= few.cost(few.trivial()) == few.most
    line = [(f, c, abs(at - place)) for f, at in enumerate((0, 2, 4)) for c, place in enumerate((0, 1, 4))]
    clients = ao.LowerBoundedFacilities([2, 1, 2], line, 2)
    connected = quick_start(clients, Budget(), Clock(None))
    assert connected is not None
    assert clients.cost(connected) == 1 < clients.cost(clients.trivial())


def test_without_a_share_a_start_has_the_least_time_also_where_there_is_no_limit() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    assert start_clock(Clock(None), problem, share=0.0).left() == pytest.approx(LEAST_S, abs=LEAST_S)
    assert start_clock(Clock(None), problem).left() == pytest.approx(MOST_S, abs=LEAST_S)


def test_a_large_table_has_the_time_to_be_peeled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many rows that are nearly all different quick approximations take longer than a tenth of the time, and are worth it."""
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    monkeypatch.setattr(starts, "_LARGE_RECORDS", 5)
    monkeypatch.setattr(starts, "_SURELY_PEELED_A_SECOND", 10_000)
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    needed = starts._looks(problem) / starts._SURELY_PEELED_A_SECOND
    assert start_clock(Clock(2 * needed), problem, share=0.01).left() == pytest.approx(
        2 * needed * starts._PEELING_SHARE
    )
    assert start_clock(Clock(20 * needed), problem, share=0.01).left() == pytest.approx(needed)
    assert start_clock(Clock(None), problem, share=0.01).left() == pytest.approx(needed)
    frame = pd.DataFrame(np.arange(6_000).reshape(6, 1_000)).rename(columns=str)
    many = ao.Table.from_frame(frame, [str(name) for name in frame])
    assert start_clock(Clock(None), ao.CellSuppression(many, ao.KAnonymity(2))).left() == pytest.approx(MOST_S)
    columns = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))
    assert start_clock(Clock(None), columns, share=0.01).left() == pytest.approx(MOST_S)


def test_there_is_no_start_without_time_or_without_a_solution() -> None:
    assert quick_start(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), Budget(), Clock(0)) is None
    assert quick_start(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11)), Budget(), Clock()) is None


def test_a_start_may_take_half_of_what_is_left() -> None:
    left = half(Clock(1e9)).left()
    assert left is not None
    assert 0 <= 5e8 - left < 4e8
    assert half(Clock()).left() is None


def test_the_least_that_a_start_may_take_is_counted_in_seconds_of_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for a processor counts too, but less: a busy machine makes no worse starts, and no limit is far exceeded."""
    clock, used = clocks.Clock(monkeypatch), 7.0
    monkeypatch.setattr(time, "thread_time", lambda: used)
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    first, second = start_clock(Clock(0), problem), start_clock(Clock(0), problem)
    clock.forward(LEAST_WAIT_S / 3)
    assert not first.is_over()
    used += 2 * LEAST_S
    assert first.is_over()
    used = 7.0
    assert not second.is_over()
    clock.forward(LEAST_WAIT_S)
    assert second.is_over()
    assert second.left() == 0
    more = start_clock(Clock(1e9), problem).left()
    assert more is not None
    assert MOST_S - 1 < more <= MOST_S


def test_the_start_is_in_the_time_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = clocks.Clock(monkeypatch)

    def take_an_hour(*arguments: Any) -> object:
        clock.forward(3600)
        return quick_start(*arguments)

    monkeypatch.setattr(solving, "quick_start", take_an_hour)
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    heard: list[float] = []
    answer = ao.solve(problem, "pattern/highs", on_progress=lambda progress: heard.append(progress.seconds))
    assert heard[0] >= 3600
    assert heard == sorted(heard)
    assert 3600 <= answer.trace[0].seconds <= answer.trace[-1].seconds <= answer.run.seconds


def test_a_wide_table_has_a_start_that_does_not_try_all_column_sets() -> None:
    columns = {f"q{j}": [(row >> j % 4) & 1 for row in range(16)] for j in range(40)}
    problem = ao.CellSuppression(ao.Table.from_frame(pd.DataFrame(columns), [*columns]), ao.KAnonymity(2))
    start = quick_start(problem, Budget(), Clock(30))
    assert start is not None
    assert problem.cost(start) < problem.cost(problem.trivial())


def test_quick_approximations_tell_of_each_that_is_the_best_so_far() -> None:
    problem, costs = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2)), list[Any]()
    best = quick_start(problem, Budget(), Clock(), tell=lambda found: costs.append(problem.cost(found)))
    assert best is not None
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == problem.cost(best) == QuickApproximations().solve(problem).cost


@pytest.mark.parametrize(
    ("principle", "most", "tried"),
    [(ao.LDiversity(2), 10, False), (ao.LDiversity(2), 0, True), (ao.KAnonymity(2) & ao.LDiversity(2), 0, True)],
    ids=str,
)
def test_residues_are_tried_beside_peeling_where_that_takes_long_and_values_are_asked_for(
    principle: ao.Principle, most: int, tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "_SLOWLY_PEELED", most)
    residue, problem = algorithms.get("residue"), ao.CellSuppression(ao.ten_rows(), principle)
    assert starts._fits(residue, problem, Clock()) is tried
    assert not starts._fits(residue, ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), Clock())
