from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from anoptima.answer import BoundRaised, Budget, Claim, Clock, Event, Log, Origin, Stop
from anoptima.errors import NotApplicable
from anoptima.instances.census import census
from anoptima.principles import KAnonymity
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.auto import choose
from anoptima.solvers.compiling import loops, turns
from anoptima.solvers.exact.sifting import Sifting, run
from anoptima.solvers.exact.sifting.stages import branch, core_rounds
from anoptima.solvers.ledger import Ledger
from anoptima.table import Table
from tests.loops import each
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import every_release, problem_of


@each("seed", range(40))
def test_the_optimum_is_found_and_proved(seed: int) -> None:
    problem = problem_of(seed + 200)
    answer = Sifting().solve(problem)
    assert answer.claim is Claim.OPTIMAL
    assert answer.cost == min(cost for cost, _ in every_release(problem))
    assert not answer.verify().wrong


@each("is_loaded", [False, True])
def test_a_release_does_not_wait_for_loops_to_be_loaded(is_loaded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here they are never loaded: what there is comes from before."""
    monkeypatch.setattr(loops, "is_ready", lambda *_, at_hand: is_loaded)
    monkeypatch.setattr(turns, "in_turns", lambda *_, patience: None)
    frame = pd.DataFrame({"a": [row % 40 for row in range(80)], "b": range(80)})
    problem = CellSuppression(Table.from_frame(frame, ["a", "b"]), KAnonymity(2))
    answer = Sifting().solve(problem, Budget(seconds=1000))
    assert answer.cost == (problem.cost(problem.trivial()) if is_loaded else 80)


def test_what_is_left_to_search_is_searched_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_rounds, "PATIENCE", 0)
    monkeypatch.setattr(branch, "MOST_ARCS", 0)
    by = set()
    for seed in range(600, 612):
        problem = problem_of(seed)
        answer = Sifting().solve(problem)
        assert answer.claim is Claim.OPTIMAL
        assert answer.cost == min(cost for cost, _ in every_release(problem))
        assert not answer.verify().wrong
        assert answer.bound is not None
        if answer.bound.origin is Origin.BACKEND:
            by.add(answer.bound.by)
            assert answer.run.notes[-1].startswith("the last ")
            assert answer.run.notes[-1].endswith(f" arcs were searched by {answer.bound.by}")
    assert by
    assert by <= {"highs", "highs and scip"}


def test_without_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "kernels_here", lambda reference: reference)
    for seed in range(10):
        problem = problem_of(seed + 300)
        answer = Sifting().solve(problem)
        assert answer.cost == min(cost for cost, _ in every_release(problem))


def middling(rows: int = 120) -> CellSuppression:
    chance = np.random.default_rng(7)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 2, 3], (rows, 5)), columns=list("abcde"))
    frame["ill"] = chance.integers(0, 3, rows)
    return CellSuppression(Table.from_frame(frame, list("abcde"), "ill"), KAnonymity(3))


def brings_a_proof(event: Event) -> bool:
    return isinstance(event, BoundRaised) and event.proof is not None


def test_a_sensitive_column_changes_nothing_and_the_proof_is_about_the_table_itself() -> None:
    problem = middling(60)
    answer = Sifting().solve(problem, Budget(seconds=PATIENCE), None, brings_a_proof)
    assert answer.proof is not None
    assert answer.cost is not None
    assert answer.proof.proved(problem) <= answer.cost


def test_out_of_time_there_is_a_release_and_a_bound_that_is_proved() -> None:
    problem = middling()
    answer = Sifting().solve(problem, Budget(seconds=1))
    assert answer.claim in (Claim.FEASIBLE, Claim.OPTIMAL)
    assert answer.bound is not None
    assert answer.bound.origin in (Origin.PROOF, Origin.BACKEND)
    assert not answer.verify().wrong


def test_a_run_goes_on_from_its_own_proof() -> None:
    problem = middling()
    first = Sifting().solve(problem, Budget(seconds=PATIENCE), None, brings_a_proof)
    assert isinstance(first.proof, MultiplierProof)
    assert first.bound is not None
    before = first.proof.value
    bounds = [event.bound for event in resumed(problem, first.proof) if isinstance(event, BoundRaised)]
    assert bounds[-1] >= before
    assert all(bound == problem.lower_bound() or bound >= before for bound in bounds)


def test_a_proof_about_another_table_is_left_aside() -> None:
    proof = MultiplierProof(0, "another", 3, 1, (0,) * 120)
    logged = [event.line for event in resumed(middling(), proof) if isinstance(event, Log)]
    assert "the earlier proof is about another table or principle, or of another kind, and is left aside" in logged


def resumed(problem: CellSuppression, proof: MultiplierProof) -> list[Event]:
    """What a run tells that begins with a proof; it ends with a proof of the optimum, or after some seconds."""
    events: list[Event] = []
    ledger: Ledger[Partition] = Ledger(problem, "sifting", Budget(seconds=6), events.append)
    ledger.offer(problem.trivial())
    ledger.known.proof = proof
    run.run(problem, ledger, started=False)
    assert not ledger.answer(Stop.COMPLETE).verify().wrong
    return events


def test_without_numba_everything_is_found_as_well() -> None:
    program = """
import sys
sys.modules["numba"] = None
from anoptima.solvers.exact.sifting.algorithm import Sifting
from tests.processes import PATIENCE
from tests.solvers.exact.sifting.cases import every_release, problem_of
for seed in range(300, 308):
    problem = problem_of(seed)
    answer = Sifting().solve(problem)
    assert answer.cost == min(cost for cost, _ in every_release(problem)), seed
    assert not answer.verify().wrong
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_start_is_kept_and_a_listener_stops_it() -> None:
    problem = middling()
    start = Sifting().solve(problem, None, None, brings_a_proof).require_solution()
    answer = Sifting().solve(problem, None, start, brings_a_proof)
    assert answer.cost is not None
    assert answer.cost <= problem.cost(start)
    assert answer.stop in (Stop.CANCELLED, Stop.PROVED)


def test_auto_leaves_all_but_small_tables_to_it() -> None:
    for rows, name in ((200, "sifting and pattern/highs"), (2_000, "sifting")):
        choice = choose(middling(rows), Budget(), Clock(60), None)
        assert choice.solver.name == name
        assert choice.reason.startswith("auto chose sifting: it searches to optimality, with a proof where it can")


def test_what_it_is_not_for() -> None:
    table = middling(10).table
    with pytest.raises(NotApplicable, match="sifting is for cell-suppression, not for attribute-suppression"):
        Sifting().solve(AttributeSuppression(table, KAnonymity(2)))  # type: ignore[arg-type]


def test_a_column_of_different_values_is_starred_whole() -> None:
    frame = census().frame.head(60).assign(number=range(60))
    # With it there are more columns than a byte has bits.
    plain, numbered = (Table.from_frame(frame, [*census().quasi, *more]) for more in ((), ("number",)))
    answers = [Sifting().solve(CellSuppression(table, KAnonymity(3))) for table in (plain, numbered)]
    assert all(answer.claim is Claim.OPTIMAL for answer in answers)
    assert answers[0].cost is not None
    assert answers[1].cost == answers[0].cost + 60
