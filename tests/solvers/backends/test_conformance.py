"""What every backend promises (`base`), asked of every backend there is."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from anoptima.answer import BoundRaised, Budget, Event, Finished, Incumbent, Log, Started, StartFate, Stop
from anoptima.errors import NotApplicable, SolverFailure
from anoptima.models.base import Language
from anoptima.solvers.backends.base import Backend, Outcome
from anoptima.solvers.backends.process import POOL
from anoptima.solvers.backends.registry import backend_names, get_backend
from tests.solvers.backends import programs
from tests.solvers.backends.programs import Program

LINEAR = [name for name in backend_names() if Language.PYOMO in get_backend(name).languages]
CONSTRAINT = [name for name in backend_names() if Language.CP_SAT in get_backend(name).languages]

linear_backends = pytest.mark.parametrize("backend", [get_backend(name) for name in LINEAR], ids=LINEAR)

HARD = [(name, programs.market_split) for name in LINEAR] + [(name, programs.market_split_cp) for name in CONSTRAINT]
hard_programs = pytest.mark.parametrize(
    ("backend", "hard"),
    [(get_backend(name), make) for name, make in HARD],
    ids=[f"{name}-{make.__name__}" for name, make in HARD],
)

ENOUGH = Budget(seconds=60)


def assert_consistent(outcome: Outcome) -> None:
    """What holds of every outcome, whatever happened."""
    assert (outcome.values is None) == (outcome.objective is None)
    if outcome.objective is not None and outcome.bound is not None:
        assert outcome.bound <= outcome.objective
    if outcome.stop is Stop.PROVED:
        assert outcome.infeasible or outcome.bound == outcome.objective
    if outcome.infeasible:
        assert outcome.stop is Stop.PROVED
        assert outcome.values is None
    assert outcome.versions


class Listening:
    """Keeps the events of a run, and asks it to stop when `until` says so."""

    def __init__(self, until: Callable[[Event], bool] = lambda event: False) -> None:
        self.events: list[Event] = []
        self.until = until

    def __call__(self, event: Event) -> bool:
        self.events.append(event)
        return self.until(event)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def assert_tells_the_story_of(self, outcome: Outcome) -> None:
        assert isinstance(self.events[0], Started)
        assert isinstance(self.events[-1], Finished)
        assert self.events[-1].stop is outcome.stop
        seconds = [event.seconds for event in self.events]
        assert seconds == sorted(seconds)
        costs = [event.cost for event in self.events if isinstance(event, Incumbent)]
        assert all(later < earlier for earlier, later in itertools.pairwise(costs))
        assert (costs[-1] if costs else None) == outcome.objective
        bounds = [event.bound for event in self.events if isinstance(event, BoundRaised)]
        assert all(later > earlier for earlier, later in itertools.pairwise(bounds))
        assert (bounds[-1] if bounds else None) == outcome.bound


def objective_of(model: Program, values: np.ndarray) -> float:
    return float(model.matrix.objective @ values) + model.matrix.constant


@linear_backends
class TestAnswers:
    def test_optimum(self, backend: Backend) -> None:
        outcome = backend.solve(programs.knapsack(), ENOUGH)
        assert_consistent(outcome)
        assert outcome.stop is Stop.PROVED
        assert outcome.objective == outcome.bound == 8
        assert outcome.values is not None
        assert outcome.values.tolist() == [1, 0, 1, 0]
        assert outcome.start is StartFate.NONE

    def test_the_constant_counts(self, backend: Backend) -> None:
        outcome = backend.solve(programs.knapsack(constant=-20), ENOUGH)
        assert outcome.objective == outcome.bound == -12

    def test_infeasible(self, backend: Backend) -> None:
        outcome = backend.solve(programs.infeasible(), ENOUGH)
        assert_consistent(outcome)
        assert outcome.infeasible

    def test_infeasible_by_its_bounds(self, backend: Backend) -> None:
        assert backend.solve(programs.linear([1], [], upper=0.6, lower=0.4), ENOUGH).infeasible

    def test_infeasible_by_a_row_without_columns(self, backend: Backend) -> None:
        assert backend.solve(programs.linear([1], [([0], 1, None)]), ENOUGH).infeasible

    def test_infeasible_and_unbounded_directions_at_once(self, backend: Backend) -> None:
        rows = [([1.0, -1.0], 0.0, 0.0), ([2.0, -4.0], 1.0, 1.0)]
        try:
            assert backend.solve(programs.linear([-1, 0], rows, upper=None), ENOUGH).infeasible
        except NotApplicable as refused:
            assert "bounds" in str(refused)  # noqa: PT017 - either way will do

    def test_unbounded_is_refused(self, backend: Backend) -> None:
        with pytest.raises(NotApplicable, match="bound"):
            backend.solve(programs.unbounded(), ENOUGH)

    def test_nothing_to_decide(self, backend: Backend) -> None:
        outcome = backend.solve(programs.linear([], [], constant=3), ENOUGH)
        assert_consistent(outcome)
        assert outcome.objective == outcome.bound == 3

    def test_no_rows(self, backend: Backend) -> None:
        outcome = backend.solve(programs.linear([2, -3], [], upper=4), ENOUGH)
        assert outcome.objective == outcome.bound == -12

    def test_a_column_that_nothing_mentions(self, backend: Backend) -> None:
        outcome = backend.solve(programs.linear([0, 1], [([0, 1], 1, None)]), ENOUGH)
        assert outcome.objective == 1
        assert outcome.values is not None
        assert len(outcome.values) == 2

    def test_large_numbers(self, backend: Backend) -> None:
        outcome = backend.solve(programs.linear([1_000_003, 999_983], [([1, 1], 1, None)], constant=10**6), ENOUGH)
        assert outcome.objective == outcome.bound == 1_999_983
        assert outcome.stop is Stop.PROVED

    def test_the_language_is_looked_at(self, backend: Backend) -> None:
        if Language.CP_SAT not in backend.languages:
            with pytest.raises(NotApplicable, match=f"{backend.name} takes models written in pyomo, not in cp-sat"):
                backend.solve(programs.all_different(), ENOUGH)


@pytest.mark.parametrize("backend", [get_backend(name) for name in CONSTRAINT], ids=CONSTRAINT)
class TestConstraintPrograms:
    def test_optimum(self, backend: Backend) -> None:
        outcome = backend.solve(programs.all_different(4), ENOUGH)
        assert_consistent(outcome)
        assert outcome.objective == outcome.bound == 6

    def test_infeasible(self, backend: Backend) -> None:
        assert backend.solve(programs.infeasible_cp(), ENOUGH).infeasible

    def test_start_that_is_a_solution(self, backend: Backend) -> None:
        listening = Listening()
        outcome = backend.solve(programs.all_different(3), ENOUGH, np.array([5.0, 6.0, 4.0]), listening)
        assert outcome.objective == 3
        assert outcome.start is StartFate.ACCEPTED
        first = listening.of(Incumbent)[0]
        assert isinstance(first, Incumbent)
        assert first.cost == 15

    @pytest.mark.parametrize("start", [[5, 5, 4], [5, 6], [0.5, 1, 2], [7, 8, 9]])
    def test_start_that_is_none(self, backend: Backend, start: list[float]) -> None:
        outcome = backend.solve(programs.all_different(3), ENOUGH, np.array(start, dtype=float))
        assert outcome.objective == 3
        assert outcome.start is StartFate.REJECTED


@linear_backends
class TestStarts:
    def test_an_optimal_start_is_kept(self, backend: Backend) -> None:
        outcome = backend.solve(programs.knapsack(), ENOUGH, np.array([1.0, 0, 1, 0]))
        assert outcome.objective == outcome.bound == 8
        assert outcome.start in (StartFate.ACCEPTED, StartFate.UNUSED)

    def test_a_start_that_is_no_solution(self, backend: Backend) -> None:
        outcome = backend.solve(programs.knapsack(), ENOUGH, np.array([1.0, 0, 0, 0]))
        assert outcome.start is StartFate.REJECTED
        assert outcome.objective == 8
        assert any("the start was rejected" in note for note in outcome.notes)

    def test_a_start_of_the_wrong_length(self, backend: Backend) -> None:
        outcome = backend.solve(programs.knapsack(), ENOUGH, np.ones(7))
        assert outcome.start is StartFate.REJECTED
        assert outcome.objective == 8

    def test_infeasible_despite_a_start(self, backend: Backend) -> None:
        outcome = backend.solve(programs.infeasible(), ENOUGH, np.zeros(2))
        assert outcome.infeasible


@hard_programs
class TestHardPrograms:
    def test_time_limit_with_an_incumbent(self, backend: Backend, hard: Callable[[], Program]) -> None:
        programs.make_ready(backend)
        listening = Listening()
        outcome = backend.solve(hard(), Budget(seconds=2), programs.market_start(), listening)
        assert_consistent(outcome)
        assert outcome.stop is Stop.TIME
        assert outcome.seconds < 10
        assert outcome.bound is not None
        assert outcome.objective is not None
        assert outcome.objective < programs.market_start()[40:].sum()
        assert outcome.start is StartFate.ACCEPTED
        listening.assert_tells_the_story_of(outcome)

    def test_incumbents_are_solutions(self, backend: Backend, hard: Callable[[], Program]) -> None:
        programs.make_ready(backend)
        listening = Listening()
        backend.solve(hard(), Budget(seconds=1), programs.market_start(), listening)
        form = programs.market_split().matrix
        found = [event for event in listening.events if isinstance(event, Incumbent)]
        assert found
        for event in found:
            activity = np.bincount(
                np.repeat(np.arange(form.rows), np.diff(form.row_start)), form.coefficient * event.solution[form.column]
            )
            assert (activity == form.row_lower).all()
            assert form.objective @ event.solution == event.cost

    @pytest.mark.parametrize("start", [None, programs.market_start()], ids=["cold", "warm"])
    def test_no_time_at_all(self, backend: Backend, hard: Callable[[], Program], start: np.ndarray | None) -> None:
        listening = Listening()
        outcome = backend.solve(hard(), Budget(seconds=0), start, listening)
        assert_consistent(outcome)
        assert outcome.stop is Stop.TIME
        assert outcome.values is None
        assert outcome.start is (StartFate.NONE if start is None else StartFate.UNUSED)
        listening.assert_tells_the_story_of(outcome)

    def test_next_to_no_time(self, backend: Backend, hard: Callable[[], Program]) -> None:
        outcome = backend.solve(hard(), Budget(seconds=0.02), programs.market_start())
        assert_consistent(outcome)
        assert outcome.stop is Stop.TIME
        assert outcome.objective is None or outcome.objective <= programs.market_start()[40:].sum()

    def test_the_listener_stops_it(self, backend: Backend, hard: Callable[[], Program]) -> None:
        listening = Listening(until=lambda event: isinstance(event, Incumbent))
        outcome = backend.solve(hard(), Budget(seconds=60), None, listening)
        assert_consistent(outcome)
        assert outcome.stop is Stop.CANCELLED
        assert outcome.values is not None
        assert outcome.seconds < 30
        listening.assert_tells_the_story_of(outcome)

    def test_the_listener_stops_it_at_once(self, backend: Backend, hard: Callable[[], Program]) -> None:
        outcome = backend.solve(hard(), Budget(seconds=60), None, lambda event: True)
        assert_consistent(outcome)
        assert outcome.stop is Stop.CANCELLED
        assert outcome.seconds < 30

    def test_its_process_is_killed(self, backend: Backend, hard: Callable[[], Program]) -> None:
        programs.make_ready(backend)
        key = type(backend).__module__, type(backend).__qualname__
        workers = [worker for worker in POOL._all if worker.key == key]

        def kill(event: Event) -> bool:
            if isinstance(event, Incumbent):
                for worker in workers:
                    os.kill(worker.pid, signal.SIGKILL)
            return False

        with pytest.raises(SolverFailure, match=f"^{backend.name}: its process was killed by SIGKILL") as caught:
            backend.solve(hard(), ENOUGH, programs.market_start(), kill)
        partial = caught.value.partial
        assert isinstance(partial, Outcome)
        assert_consistent(partial)
        assert partial.values is not None
        assert backend.solve(hard(), Budget(seconds=0.2)).stop is Stop.TIME

    def test_a_listener_that_fails_is_heard(self, backend: Backend, hard: Callable[[], Program]) -> None:
        def failing(event: Event) -> bool:
            if isinstance(event, Incumbent):
                raise ZeroDivisionError("in the listener")
            return False

        with pytest.raises(ZeroDivisionError, match="in the listener"):
            backend.solve(hard(), Budget(seconds=60), programs.market_start(), failing)
        assert get_backend(backend.name).solve(hard(), Budget(seconds=0.5)).stop is Stop.TIME


@linear_backends
class TestBudget:
    def test_gap_zero_means_zero(self, backend: Backend) -> None:
        """The two best solutions cost 1,000,000 and 1,000,001: a relative difference of 1e-6, far below any default."""
        model = programs.linear([1_000_001, 1_000_000, 2_000_000], [([1, 1, 1], 1, None), ([1, 2, 2], 1, None)])
        for seed in range(5):
            outcome = backend.solve(model, Budget(seconds=60, seed=seed))
            assert outcome.stop is Stop.PROVED
            assert outcome.objective == outcome.bound == 1_000_000

    def test_a_gap_is_kept_to_and_not_called_a_proof(self, backend: Backend) -> None:
        model = programs.market_split(2, 16)
        best = backend.solve(model, ENOUGH)
        outcome = backend.solve(programs.market_split(2, 16), Budget(seconds=60, gap=Fraction(9, 10)))
        assert_consistent(outcome)
        assert best.objective is not None
        assert outcome.objective is not None
        assert outcome.bound is not None
        assert outcome.bound <= best.objective <= outcome.objective
        if outcome.stop is Stop.GAP:
            assert outcome.objective - outcome.bound <= Fraction(9, 10) * outcome.objective
        else:
            assert outcome.objective == best.objective

    def test_everything_goes_at_gap_one(self, backend: Backend) -> None:
        outcome = backend.solve(programs.market_split(), Budget(seconds=60, gap=Fraction(1)))
        assert_consistent(outcome)
        assert outcome.stop is Stop.GAP

    def test_the_same_seed_gives_the_same_answer(self, backend: Backend) -> None:
        budget = Budget(seconds=60, threads=1, seed=7)
        first, second = (backend.solve(programs.market_split(2, 14), budget) for _ in range(2))
        assert first.values is not None
        assert second.values is not None
        assert first.values.tolist() == second.values.tolist()

    def test_threads_may_change_from_one_solve_to_the_next(self, backend: Backend) -> None:
        for threads in (1, 2, None, 1):
            assert backend.solve(programs.knapsack(), Budget(seconds=60, threads=threads)).objective == 8

    def test_too_little_memory(self, backend: Backend) -> None:
        outcome = backend.solve(programs.market_split(), Budget(seconds=60, memory=2**20), programs.market_start())
        assert_consistent(outcome)
        assert outcome.stop is Stop.MEMORY
        assert backend.solve(programs.knapsack(), ENOUGH).objective == 8

    def test_enough_memory(self, backend: Backend) -> None:
        assert backend.solve(programs.knapsack(), Budget(seconds=60, threads=1, memory=2**30)).objective == 8


@linear_backends
class TestEvents:
    def test_a_program_that_presolve_solves_still_has_a_story(self, backend: Backend) -> None:
        listening = Listening()
        outcome = backend.solve(programs.knapsack(), ENOUGH, None, listening)
        assert outcome.stop is Stop.PROVED
        assert listening.of(Incumbent)
        assert listening.of(BoundRaised)
        listening.assert_tells_the_story_of(outcome)

    def test_a_log_is_passed_on(self, backend: Backend) -> None:
        listening = Listening()
        backend.solve(programs.market_split(2, 14), ENOUGH, None, listening)
        lines = [event.line for event in listening.events if isinstance(event, Log)]
        assert any(lines)
        assert not any(line.endswith("\n") for line in lines)


@linear_backends
class TestPresence:
    def test_it_is_there(self, backend: Backend) -> None:
        assert backend.availability()
        assert all(version[0].isdigit() for version in backend.versions().values())

    def test_prepare_does_not_wait(self, backend: Backend) -> None:
        backend.prepare()
        assert backend.solve(programs.knapsack(), ENOUGH).objective == 8

    def test_several_threads_at_once(self, backend: Backend) -> None:
        found: list[object] = []

        def solve(constant: int) -> None:
            found.extend(backend.solve(programs.knapsack(constant), ENOUGH).objective for _ in range(5))

        threads = [threading.Thread(target=solve, args=(n,)) for n in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == sorted([8, 9, 10] * 5)  # type: ignore[type-var]
