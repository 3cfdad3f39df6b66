from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import anoptima as ao
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.quasi_identifier import QuasiIdentifier
from anoptima.solvers.approximate.greedy_descent import descend
from anoptima.solvers.exact import barriers, hitting_set
from anoptima.solvers.exact.covering import bits, lightest_hit
from anoptima.solvers.exact.descents import Descents
from tests.column_sets import Choice, asked, table_of


@given(asked(most_rows=12, most_columns=6))
def test_the_optimum_is_found_proved_and_verified_for_all_three_problems(asked: list[Choice]) -> None:
    for choice in asked:
        optimum = choice.optimum()
        answer = ao.solve(choice.problem, "hitting-set")
        assert answer.verify()
        if optimum is None:
            assert answer.claim is ao.Claim.INFEASIBLE
            continue
        assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, optimum)
        assert answer.bound is not None
        assert answer.bound.origin in (ao.Origin.PROBLEM, ao.Origin.PROOF)
        assert (answer.proof is not None) == (answer.bound.origin is ao.Origin.PROOF)
        verification = answer.verify()
        assert verification.proved is not None
        assert (verification.proved.value, verification.claimed) == (optimum, None)
        assert choice.good(tuple(sorted(choice.problem.columns_of(answer.solution))))


def _adding_to(barriers: list[int]) -> Callable[[hitting_set._Run, list[int]], None]:
    add = hitting_set._Run._add

    def adding(self: hitting_set._Run, found: list[int]) -> None:
        barriers.extend(found)
        add(self, found)

    return adding


def test_columns_are_given_up_while_barriers_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level of the lattice may take all the time, and better solutions must not wait for it."""
    rng = np.random.default_rng(1)
    table = table_of([tuple(row) for row in rng.integers(0, 3, (80, 7)).tolist()])
    descents: list[int] = []
    barriers: list[int] = []
    monkeypatch.setattr(hitting_set._Run, "_add", _adding_to(barriers))
    monkeypatch.setattr(Descents, "go_on", lambda self: descents.append(len(barriers)))
    answer = ao.solve(ao.AttributeSuppression(table, ao.KAnonymity(3)), "hitting-set")
    assert answer.claim is ao.Claim.OPTIMAL
    assert descents[0] == 0


def test_once_all_that_fails_is_known_one_search_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where few columns can be kept, all that fails is soon known; steps of the bound would search the same cases again and again."""
    rng = np.random.default_rng(1)
    problem = ao.AttributeSuppression(table_of(rng.integers(0, 5, (60, 14)).tolist()), ao.KAnonymity(2))
    known: list[bool] = []
    turn = hitting_set._Run._exact_turn

    def exact_turn(self: hitting_set._Run) -> None:
        known.append(self._oracle.every() is not None)
        turn(self)

    monkeypatch.setattr(hitting_set._Run, "_exact_turn", exact_turn)
    answer = ao.solve(problem, "hitting-set")
    assert (answer.claim, answer.verify().claimed) == (ao.Claim.OPTIMAL, None)
    assert known.count(True) == 1
    assert answer.cost is not None
    assert answer.cost > 10


def test_large_levels_and_large_proofs_cost_time_and_not_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    table = table_of([tuple(row) for row in rng.integers(0, 3, (60, 9)).tolist()])
    problem = ao.AttributeSuppression(table, ao.KAnonymity(3))
    plain = ao.solve(problem, "hitting-set")
    levels: list[int] = []
    further = barriers.FailingClasses._go_further

    def go_further(self: barriers.FailingClasses) -> None:
        levels.append(self._samples)
        further(self)

    monkeypatch.setattr(barriers.FailingClasses, "_go_further", go_further)
    monkeypatch.setattr(barriers, "_QUICK_LOOKS", 0)
    monkeypatch.setattr(hitting_set, "_SHARES_PER_S", 200)
    answer = ao.solve(problem, "hitting-set")
    assert (answer.claim, answer.cost, answer.verify().claimed) == (ao.Claim.OPTIMAL, plain.cost, None)
    assert min(levels, default=barriers._SAMPLES) == barriers._SAMPLES, "samples come before levels"


def test_any_principle_will_do() -> None:
    rng = np.random.default_rng(3)
    frame = table_of([tuple(row) for row in rng.integers(0, 3, (60, 5)).tolist()]).frame
    frame = frame.assign(ill=rng.choice(["a", "b", "c"], 60))
    table = ao.Table.from_frame(frame, [f"q{j}" for j in range(5)], "ill")
    for principle in (
        ao.KAnonymity(3) & ao.LDiversity(2),
        ao.LDiversity(3, version="distinct"),
        ao.TCloseness("3/10"),
        ao.KAnonymity(8),
    ):
        problem = ao.AttributeSuppression(table, principle)
        best = min(problem.cost(solution) for solution in problem.solutions() if problem.is_feasible(solution))
        answer = ao.solve(problem, "hitting-set")
        assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, best)
        assert answer.verify()


@dataclass(frozen=True, eq=False)
class Threshold(ColumnChoice[QuasiIdentifier]):
    """Another monotone family: the sets of at least `least` columns."""

    table: ao.Table
    least: int
    name = "threshold"

    def suffices(self, columns: Iterable[int]) -> bool:
        return len(set(columns)) >= self.least

    def columns_of(self, solution: QuasiIdentifier) -> frozenset[int]:
        return frozenset(self.table.quasi.index(name) for name in solution.names)

    def solution_of(self, columns: Iterable[int]) -> QuasiIdentifier:
        return QuasiIdentifier(frozenset(self.table.quasi[c] for c in columns))

    def violations(self, solution: QuasiIdentifier) -> list[str]:
        return [] if self.suffices(self.columns_of(solution)) else ["too few"]

    def cost(self, solution: QuasiIdentifier) -> int | Fraction:
        return self.weight(self.columns_of(solution))

    def trivial(self) -> QuasiIdentifier:
        return QuasiIdentifier(frozenset(self.table.quasi))

    def lower_bound(self) -> int:
        return 0

    def why_infeasible(self) -> None:
        return None


def test_whatever_is_monotone_and_has_a_checker_is_solved() -> None:
    weights = [3, 1, 4, 1, 5, 9, 2]
    problem = Threshold(table_of([(0,) * 7], weights), 4)
    answer = ao.solve(problem, "hitting-set")
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, 1 + 1 + 2 + 3)
    assert answer.verify()


def test_without_time_the_trivial_solution_and_the_cheap_bound_come_back() -> None:
    problem = ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))
    answer = ao.solve(problem, "hitting-set", time_limit=0, start=None)
    assert answer.stop is ao.Stop.TIME
    assert answer.solution == problem.trivial()
    assert answer.bound is not None
    assert answer.verify()


def hard() -> ao.IdentifyingColumns:
    rng = np.random.default_rng(5)
    return ao.IdentifyingColumns(table_of([tuple(row) for row in rng.integers(0, 2, (90, 14)).tolist()]))


def test_a_listener_hears_costs_fall_and_bounds_rise_and_can_stop_the_run() -> None:
    heard: list[ao.Progress] = []
    whole = ao.solve(hard(), "hitting-set", on_progress=heard.append)
    assert whole.claim is ao.Claim.OPTIMAL
    assert whole.proof is not None
    assert whole.verify()
    costs = [step.cost for step in heard if step.cost is not None]
    bounds = [step.bound for step in heard if step.bound is not None]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert whole.cost == costs[-1] == bounds[-1]
    stopped = ao.solve(hard(), "hitting-set", on_progress=lambda step: step.cost is not None)
    assert stopped.stop is ao.Stop.CANCELLED
    assert stopped.solution is not None
    assert stopped.verify()


def test_a_gap_ends_the_run_when_it_is_reached() -> None:
    answer = ao.solve(hard(), "hitting-set", gap="1/2")
    assert answer.gap is not None
    assert answer.gap <= Fraction(1, 2)
    assert answer.stop in (ao.Stop.GAP, ao.Stop.PROVED)


def test_it_is_never_worse_than_its_start() -> None:
    problem = hard()
    best = ao.solve(problem, "hitting-set").require_solution()
    again = ao.solve(problem, "hitting-set", start=best, time_limit=0)
    assert again.cost == problem.cost(best)


def test_more_descents_find_what_the_first_one_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last column alone suffices, and is the first that a descent gives up."""
    for turn in ("_cheap_turns", "_exact_turn"):
        monkeypatch.setattr(hitting_set._Run, turn, lambda run: None)
    problem = ao.IdentifyingColumns(table_of([(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3)]))
    assert descend(problem, range(3), lambda: False) == {0, 1}
    assert descend(problem, range(3), lambda: False, [3.0, 2.0, 1.0]) == {2}
    assert ao.solve(problem, "hitting-set").cost == 1


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second = (ao.solve(hard(), "hitting-set", seed=7) for _ in range(2))
    assert (first.solution, first.proof) == (second.solution, second.proof)


def test_auto_chooses_it_and_says_so() -> None:
    answer = ao.solve(hard())
    assert answer.solver == "hitting-set"
    assert answer.reason == "auto chose hitting-set: it proves optimality, and needs no model"


def test_it_is_not_for_cells() -> None:
    with pytest.raises(ao.NotApplicable, match=r"^hitting-set is for problems that choose columns, not for cell-supp"):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "hitting-set")


def test_keys_of_binary_tables_are_the_hitting_sets_of_all_pairs() -> None:
    rng = np.random.default_rng(11)
    rows = sorted({tuple(row) for row in rng.integers(0, 2, (40, 10)).tolist()})
    pairs = {sum(1 << c for c in range(10) if a[c] != b[c]) for a, b in itertools.combinations(rows, 2)}
    expected = lightest_hit(sorted(pairs), [1] * 10, below=11)
    answer = ao.solve(ao.IdentifyingColumns(table_of(rows)), "hitting-set")
    assert answer.cost == expected.weight
    assert expected.chosen is not None
    assert len(list(bits(expected.chosen))) == answer.cost
