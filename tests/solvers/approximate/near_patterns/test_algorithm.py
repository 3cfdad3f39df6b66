from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import BoundRaised, Budget, Claim, Event, Incumbent, Origin, Stop
from anoptima.errors import NotApplicable
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.approximate.near_patterns import duals
from anoptima.solvers.approximate.near_patterns import run as near_run
from anoptima.solvers.approximate.near_patterns.algorithm import NearPatterns
from anoptima.solvers.approximate.near_patterns.generated_patterns import GeneratedPatterns
from anoptima.solvers.exact.sifting.bound.ascent import Course
from anoptima.table import Table
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import every_release, problem_of


@each("seed", range(20))
def test_small_tables_have_a_release_and_a_bound_with_the_optimum_between(seed: int) -> None:
    problem = problem_of(seed + 500, rows=7)
    answer = NearPatterns().solve(problem)
    best = min(cost for cost, _ in every_release(problem))
    assert answer.cost is not None
    assert answer.bound is not None
    assert answer.bound.value <= best <= answer.cost
    assert not answer.verify().wrong


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs end by themselves, soon."""
    for name, value in (("MOST_LOOKS", 100_000), ("FAILURES", 1), ("SECONDS", 0.1)):
        monkeypatch.setattr(near_run, name, value)
    for name in ("COURSE", "AGAIN"):
        monkeypatch.setattr(duals, name, Course(passes=30))


def wide_table(rows: int = 60, columns: int = 18) -> Table:
    chance = np.random.default_rng(11)
    kind = chance.integers(0, 8, rows)
    frame = pd.DataFrame(
        {
            f"q{j}": np.where(chance.random(rows) < 0.8, kind * (j + 1) % 7, chance.integers(0, 7, rows))
            for j in range(columns)
        }
    )
    frame["ill"] = chance.integers(0, 3, rows)
    return Table.from_frame(frame, [f"q{j}" for j in range(columns)], "ill", weights={"q1": 2, "q2": "1/2"})


def test_rows_of_large_tables_are_annealed_before_the_bound_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_run, "ANNEALED_TYPES", 10)
    shares: list[float] = []
    regions = near_run.Run._regions

    def told(run: near_run.Run, pool: GeneratedPatterns, share: float) -> Callable[[], bool]:
        shares.append(share)
        return regions(run, pool, share)

    monkeypatch.setattr(near_run.Run, "_regions", told)
    problem = CellSuppression(wide_table(60, 14), KAnonymity(3))
    answer = NearPatterns().solve(problem)
    assert shares[0] == near_run.FOR_MOVES
    assert set(shares[1:]) == {1.0}
    assert answer.cost is not None
    assert answer.cost < (ao.get_solver("mondrian-relaxed").solve(problem).cost or 0)
    assert not answer.verify().wrong


def brings_a_proof(event: Event) -> bool:
    return isinstance(event, BoundRaised) and event.proof is not None


def test_a_wide_table_has_a_better_release_than_its_start_and_a_proof() -> None:
    problem = CellSuppression(wide_table(60, 14), KAnonymity(3))
    first = ao.get_solver("mondrian-relaxed").solve(problem)
    told: list[Event] = []

    def better_and_proved(event: Event) -> bool:
        told.append(event)
        return any(isinstance(one, Incumbent) and one.cost < (first.cost or 0) for one in told) and any(
            map(brings_a_proof, told)
        )

    answer = NearPatterns().solve(problem, Budget(seconds=PATIENCE), None, better_and_proved)
    assert answer.cost is not None
    assert first.cost is not None
    assert answer.cost < first.cost
    assert answer.bound is not None
    assert answer.bound.origin is Origin.PROOF
    assert not answer.verify().wrong


def test_without_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_run, "kernels_here", lambda reference: reference)
    problem = CellSuppression(wide_table(30), KAnonymity(3))
    answer = NearPatterns().solve(problem, Budget(seconds=PATIENCE), None, brings_a_proof)
    assert answer.proof is not None
    assert not answer.verify().wrong


def test_a_start_is_kept_and_a_listener_stops_it() -> None:
    problem = CellSuppression(wide_table(40), KAnonymity(3))

    def stop(event: Event) -> bool:
        return isinstance(event, Incumbent)

    start = NearPatterns().solve(problem, None, None, stop)
    answer = NearPatterns().solve(problem, None, start.solution, stop)
    assert answer.cost == start.cost
    assert answer.stop is Stop.CANCELLED
    assert answer.claim in (Claim.FEASIBLE, Claim.OPTIMAL)


def test_it_says_what_it_is_not_for() -> None:
    close = CellSuppression(wide_table(20, 3), TCloseness("1/2"))
    message = r"^near-patterns has a bound for groups of two rows or more, and 1/2-closeness allows single rows"
    with pytest.raises(NotApplicable, match=message):
        NearPatterns().solve(close)


@pytest.mark.parametrize(
    "principle", [LDiversity(2), LDiversity(3, version="distinct"), KAnonymity(3) & TCloseness("1/2")], ids=str
)
def test_other_principles_have_the_bound_of_their_least_groups(principle: Principle) -> None:
    chance = np.random.default_rng(1)
    frame = pd.DataFrame(chance.integers(0, 4, (20, 10)), columns=[f"q{j}" for j in range(10)])
    quasi = list(frame.columns)
    frame["ill"] = [n % 4 for n in range(20)]
    table = Table.from_frame(frame, quasi, "ill")
    problem = CellSuppression(table, principle)
    answer = NearPatterns().solve(problem)
    alone = NearPatterns().solve(CellSuppression(table, KAnonymity(principle.least_size(table))))
    assert answer.verify()
    assert answer.proof is not None
    assert alone.proof is not None
    assert answer.proof.value >= alone.proof.value


def test_tables_of_more_columns_than_a_word_has_bits() -> None:
    # Sets of columns were told apart by 64 bits: groups of different patterns were taken for one and lost rows.
    chance = np.random.default_rng(7)
    frame = pd.DataFrame((chance.random((100, 130)) < 0.03).astype(int)).rename(columns="q{}".format)
    problem = CellSuppression(Table.from_frame(frame, list(frame.columns)), KAnonymity(3))
    answer = NearPatterns().solve(problem)
    assert answer.verify()
    assert answer.cost is not None
    assert answer.cost < problem.cost(ao.solve(problem, "residue").require_solution())


def test_auto_takes_it_where_patterns_cannot_be_listed() -> None:
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(chance.integers(0, 4, (40, 30)), columns=[f"q{j}" for j in range(30)])
    problem = CellSuppression(Table.from_frame(frame, list(frame.columns)), KAnonymity(3))
    answer = ao.solve(problem, start=None, time_limit=4, threads=2)
    assert answer.solver == "near-patterns and group-prices"
    assert answer.reason.startswith("auto chose near-patterns: it proves a bound at any size")
    assert not answer.verify().wrong


def test_there_is_a_release_where_no_quick_start_was_done_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_run, "quick_start", lambda *_, **__: None)
    problem = CellSuppression(wide_table(60), KAnonymity(3))

    def stop(event: Event) -> bool:
        return isinstance(event, Incumbent) and event.cost < problem.cost(problem.trivial())

    answer = NearPatterns().solve(problem, None, None, stop)
    assert answer.cost is not None
    assert answer.cost == problem.cost(ao.solve(problem, "mondrian-relaxed").require_solution())
