"""What our own algorithms share: a search that is interrupted leaves what it has."""

from __future__ import annotations

import pytest

import anoptima as ao
from anoptima.answer import Stop
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.all_partitions import AllPartitions
from anoptima.proofs.multipliers import MultiplierProof
from anoptima.solvers.exact.sifting.algorithm import Sifting
from anoptima.solvers.ledger import Ledger


@pytest.mark.usefixtures("weak_bound")
@pytest.mark.parametrize(("cut", "stop"), [(KeyboardInterrupt, Stop.CANCELLED), (MemoryError, Stop.MEMORY)])
def test_a_search_that_is_cut_short_answers_with_what_it_has(
    cut: type[BaseException], stop: Stop, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    best = ao.solve(problem, "subset-dp").solution
    assert best is not None

    def search(self: Sifting, problem: CellSuppression, ledger: Ledger[Partition], start: Partition | None) -> None:
        ledger.offer(best)
        raise cut

    monkeypatch.setattr(Sifting, "search", search)
    answer = Sifting().solve(problem)
    assert answer.claim is ao.Claim.FEASIBLE
    assert answer.solution == best
    assert answer.stop is stop


def test_the_engine_goes_on_to_a_proof_where_the_problem_itself_proves_the_optimum() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    assert problem.lower_bound() == 54
    for solver, kind in (("sifting", MultiplierProof), ("auto", AllPartitions)):
        answer = ao.solve(problem, solver)
        assert isinstance(answer.proof, kind)
        assert answer.bound is not None
        assert (answer.cost, answer.bound.value, answer.bound.origin) == (54, 54, ao.Origin.PROOF)
    answer = ao.solve(problem, "near-patterns")
    assert (answer.claim, answer.bound) == (ao.Claim.OPTIMAL, ao.Bound(54, ao.Origin.PROBLEM, problem.name))


def test_algorithms_that_fill_a_folder_are_found_by_name() -> None:
    for name in ("sifting", "near-patterns"):
        assert ao.get_solver(name).name == name
