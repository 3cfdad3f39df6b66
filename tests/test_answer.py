from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Clock, RunRecord, relative_gap, verify_answer
from anoptima.problems.base import Problem
from anoptima.proofs.multipliers import MultiplierProof

pytestmark = pytest.mark.usefixtures("weak_bound")

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
PARTITION = ao.Partition.from_groups([[0, 1, 2], [3, 4, 5, 6], [7, 8, 9]], 10)
CLAIMED = ao.Bound(54, ao.Origin.BACKEND, "highs")
ANSWER: ao.Answer[ao.Partition] = ao.Answer(
    PROBLEM,
    ao.Claim.OPTIMAL,
    ao.Stop.PROVED,
    PARTITION,
    54,
    CLAIMED,
    (),
    RunRecord("pattern/highs", ao.Budget(), {}, 0.42),
)


# ---- verification -------------------------------------------------------------------------------------------------------------


def test_a_true_answer_is_verified_and_says_what_is_proved_and_what_claimed() -> None:
    found = ANSWER.verify()
    assert found
    assert (found.proved, found.claimed) == (ao.Bound(52, ao.Origin.PROBLEM, "cell-suppression"), CLAIMED)
    assert str(found) == "verified; proved again: no solution is below 52; claimed by highs: none is below 54"


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (
            {"cost": 53},
            [
                "the cost is 54, not 53",
                "the bound 54 (backend) is above the cost 53",
                "optimal is claimed at cost 53 with bound 54 (backend)",
            ],
        ),
        ({"cost": 55}, ["the cost is 54, not 55", "optimal is claimed at cost 55 with bound 54 (backend)"]),
        ({"bound": None}, ["optimal is claimed at cost 54 with bound None"]),
        (
            {"bound": ao.Bound(53, ao.Origin.BACKEND, "highs")},
            ["optimal is claimed at cost 54 with bound 53 (backend)"],
        ),
        (
            {"bound": ao.Bound(54, ao.Origin.PROBLEM, "cell-suppression")},
            ["the problem proves a bound of 52, not 54"],
        ),
        (
            {"claim": ao.Claim.FEASIBLE, "bound": ao.Bound(55, ao.Origin.BACKEND, "highs")},
            ["the bound 55 (backend) is above the cost 54"],
        ),
        ({"claim": ao.Claim.INFEASIBLE}, ["infeasible is claimed, but a solution exists: the trivial one"]),
        ({"solution": None, "cost": None, "claim": ao.Claim.FEASIBLE}, ["feasible is claimed without a solution"]),
        (
            {"solution": ao.Partition.from_groups([[0, 1], [2], [*range(3, 10)]], 10)},
            [
                "the group of rows 1, 2: k = 3 but there are only 2 rows",
                "the group of row 3: k = 3 but there is only 1 row",
            ],
        ),
        (
            {"solution": ao.Partition(np.zeros(9, dtype=np.int64))},
            ["a partition of this table has 10 whole labels, one a row; this has shape (9,)"],
        ),
    ],
)
def test_a_false_answer_is_found_out(change: dict[str, Any], wrong: list[str]) -> None:
    found = replace(ANSWER, **change).verify()
    assert not found
    assert list(found.wrong) == wrong
    assert str(found) == "NOT VERIFIED: " + "; ".join(wrong)


def test_a_solution_to_what_has_none_is_found_out() -> None:
    impossible = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))
    assert replace(ANSWER, problem=impossible).verify().wrong == (
        "optimal is claimed, but no solution exists: k = 11 but there are only 10 rows",
    )
    nothing = replace(ANSWER, problem=impossible, claim=ao.Claim.INFEASIBLE, solution=None, cost=None, bound=None)
    assert nothing.verify()
    assert nothing.verify().proved is None


def test_a_bound_that_is_called_proved_is_a_claim_without_its_proof() -> None:
    found = replace(ANSWER, bound=ao.Bound(54, ao.Origin.PROOF, "oathless")).verify()
    assert found.claimed == ao.Bound(54, ao.Origin.PROOF, "oathless")
    assert str(found).endswith("; claimed by oathless: none is below 54")


def test_verification_recomputes_a_bound_of_the_problem() -> None:
    proved = replace(ANSWER, claim=ao.Claim.FEASIBLE, bound=ao.Bound(52, ao.Origin.PROBLEM, "cell-suppression"))
    assert verify_answer(proved)
    assert verify_answer(proved).claimed is None


# ---- answers ------------------------------------------------------------------------------------------------------------------


def test_an_answer_reads_as_one_line() -> None:
    assert str(ANSWER) == "OPTIMAL  54 stars of 80 cells, bound 54 (claimed by highs, not proved), 0.4 s, pattern/highs"
    feasible = replace(ANSWER, claim=ao.Claim.FEASIBLE, stop=ao.Stop.TIME, bound=None)
    assert str(feasible) == "FEASIBLE  54 stars of 80 cells, stopped: time, 0.4 s, pattern/highs"
    nothing = replace(ANSWER, claim=ao.Claim.UNKNOWN, stop=ao.Stop.MEMORY, solution=None, cost=None)
    assert str(nothing) == "UNKNOWN  stopped: memory, 0.4 s, pattern/highs"
    infeasible = replace(nothing, claim=ao.Claim.INFEASIBLE, reason="k = 11 but there are only 10 rows")
    assert str(infeasible) == "INFEASIBLE  k = 11 but there are only 10 rows, 0.4 s, pattern/highs"


def test_an_answer_without_a_solution_has_no_release() -> None:
    nothing = replace(ANSWER, solution=None, cost=None, reason="k = 11 but there are only 10 rows")
    with pytest.raises(ao.InfeasibleProblem, match="k = 11 but there are only 10 rows"):
        _ = nothing.release
    with pytest.raises(ao.InfeasibleProblem, match=r"pattern/highs stopped \(proved\) before it found a solution"):
        replace(nothing, reason="").require_solution()


def test_an_answer_releases_what_its_partition_stars() -> None:
    release = ANSWER.release
    assert int((release[list(ao.ten_rows().quasi)].to_numpy() == "*").sum()) == 54
    assert [*release.iloc[0]] == ["9", "8", "*", "*", "*", "3", "*", "*", "viral"]
    pd.testing.assert_index_equal(release.index, ao.ten_rows().frame.index)


def test_a_problem_without_a_table_has_no_release() -> None:
    class Other(Problem[int]):
        name = "other"

    make: Any = Other
    make.__abstractmethods__ = frozenset()
    with pytest.raises(ao.NotApplicable, match="other releases no table; see `solution`"):
        _ = replace(ANSWER, problem=make()).release


@pytest.mark.parametrize(
    ("cost", "bound", "gap"),
    [
        (54, 51, Fraction(1, 18)),
        (54, 54, 0),
        (0, 0, 0),
        (None, 3, None),
        (3, None, None),
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 3)),
    ],
)
def test_the_gap_is_exact(cost: Any, bound: Any, gap: Any) -> None:
    assert relative_gap(cost, bound) == gap
    assert ao.Progress(0.0, cost, bound).gap == gap
    claimed = None if bound is None else ao.Bound(bound, ao.Origin.BACKEND, "x")
    assert replace(ANSWER, cost=cost, bound=claimed).gap == gap


# ---- budgets and clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seconds": -1}, "the time limit is -1; it must be a number of seconds from 0 up, or None for no limit"),
        ({"seconds": float("nan")}, "the time limit is nan; it must be a number of seconds"),
        ({"seconds": float("inf")}, "the time limit is inf; it must be a number of seconds"),
        ({"seconds": "60"}, "seconds is '60'; it must be a number or None"),
        ({"gap": -0.1}, "the gap is -1/10; it must lie between 0 and 1"),
        ({"gap": 2}, "the gap is 2; it must lie between 0 and 1"),
        ({"gap": "small"}, "the gap is 'small'; it must be a finite number"),
        ({"threads": 0}, "threads is 0; it must be at least 1, or None"),
        ({"threads": 1.5}, "threads is 1.5; it must be a whole number"),
        ({"memory": 0}, "memory is 0; it must be at least 1, or None"),
        ({"seed": -1}, "the seed is -1; it must lie between 0 and 2147483647"),
        ({"seed": 2**31}, "the seed is 2147483648; it must lie between 0 and 2147483647"),
        ({"seed": 0.5}, "seed is 0.5; it must be a whole number"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.Budget.of(**arguments)
    assert str(caught.value).startswith(message)


def test_a_budget_of_nothing_is_one() -> None:
    assert ao.Budget.of(seconds=0).seconds == 0
    seconds: Any = np.float32(1.5)
    assert ao.Budget.of(seconds=seconds).seconds == 1.5
    assert ao.Budget.of(gap="0.01").gap == Fraction(1, 100)
    one: Any = np.int64(1)
    assert "int64" not in repr(ao.Budget.of(threads=one, memory=one, seed=one))


def test_a_clock_starts_when_it_is_made_and_never_owes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("anoptima.answer.budget.time.monotonic", lambda: now)
    clock, endless = Clock(5), Clock()
    now = 104.0
    assert (clock.seconds(), clock.left(), clock.is_over()) == (4.0, 1.0, False)
    now = 105.0
    assert (clock.left(), clock.is_over()) == (0.0, True)
    now = 1e9
    assert clock.left() == 0.0
    assert (endless.left(), endless.is_over()) == (None, False)


def test_verifying_proves_what_is_proved_and_names_what_a_search_claims_beyond() -> None:
    worth = (25947, 25545, 28019, 30240, 30240, 30240, 30240, 15120, 30240, 34010)
    proof = MultiplierProof(53, PROBLEM.table.digest, 3, 5040, worth)
    found = replace(ANSWER, proof=proof).verify()
    assert (found.proved, found.claimed) == (ao.Bound(53, ao.Origin.PROOF, "pattern/highs"), CLAIMED)
    assert "bound 54: proof to 53, claimed by highs to 54" in str(replace(ANSWER, proof=proof))


def test_a_bound_compares_with_numbers_as_its_value() -> None:
    bound = ao.Bound(54, ao.Origin.PROOF, "sifting")
    assert bound == 54
    assert bound == Fraction(54)
    assert bound != 53
    assert 53 < bound <= 54 <= bound < 55
    assert bound != ao.Bound(54, ao.Origin.BACKEND, "highs")
    assert bound <= ao.Bound(54, ao.Origin.BACKEND, "highs") < Fraction(109, 2)
    assert len({bound, 54}) == 1
    assert bound != "54"


def test_answers_can_be_members_of_sets() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    answers: list[ao.Answer[Any]] = [
        ao.solve(problem, "sifting"),
        ao.solve(ao.AttributeSuppression(ao.ten_rows(), ao.KAnonymity(3))),
    ]
    assert len({*answers, *answers, replace(answers[0])}) == 2
    assert len({ao.check(problem.table), ao.check(problem.table, ao.KAnonymity(2))}) == 2
