"""The bound: what a program over all groups is worth, proved; and in every round a proof that holds."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import anoptima as ao
from anoptima.problems.cell_suppression import Partition
from anoptima.solvers.exact.least_groups.program import Optimum, Program
from tests.loops import each
from tests.solvers.exact.least_groups.tables import least_of, ledger_of, wide

PRINCIPLES: list[Any] = [ao.KAnonymity(3), ao.LDiversity(3), ao.KAnonymity(2), ao.LDiversity(2)]


@each("seed", range(12))
def test_it_is_that_of_all_groups_of_every_size(seed: int) -> None:
    """Of groups of k to 2k - 1 rows, which are enough: larger ones than k change nothing."""
    problem = wide(seed, 10, 7, PRINCIPLES[seed % 4], weighted=seed % 3 == 1)
    least = least_of(problem)
    least.raise_bound(lambda: False)
    k, kinds = least.pricing.k, least.pricing.kinds
    program = Program(10, least.left_over * 3)
    for size in range(k, 2 * k):
        groups = [g for g in itertools.combinations(range(10), size) if len({*kinds[[*g]].tolist()}) == size]
        if groups:
            program.add(np.array(groups), least.pricing.costs(np.array(groups)))
    [proof] = [least._ledger.proof]
    assert least.is_solved
    assert proof is not None
    wanted = math.ceil(program.optimum().cost - 1e-4)
    assert proof.value * problem.cost_scale == wanted
    assert proof.proved(problem) == proof.value


def test_every_round_proves_something_that_holds() -> None:
    """Also where no search for groups is finished."""
    problem = wide(7, 60, 20, ao.KAnonymity(4))
    least = least_of(problem)
    values = []
    for looks in (5, 50, 500, 1 << 20):
        least.looks = looks
        rounds = iter([False, True])
        least.raise_bound(lambda rounds=rounds: next(rounds))  # type: ignore[misc]
        proof = least._ledger.proof
        assert proof is None or proof.proved(problem) == proof.value
        values.append(0 if proof is None else proof.value)
    assert values == sorted(values)
    assert values[-1] > values[0]
    least.raise_bound(lambda: False)
    assert least._ledger.proof is not None
    assert least._ledger.proof.value >= values[-1]


def test_the_groups_of_a_partition_are_added() -> None:
    problem = wide(8, 23, 9, ao.LDiversity(3))
    least = least_of(problem)
    partition = Partition.from_groups([[*range(23)]], 23)
    least.add(partition)
    assert set(least.groups.rows.ravel().tolist()) == set(range(23))
    kinds = least.pricing.kinds[least.groups.rows]
    assert all(len({*row}) == 3 for row in kinds.tolist())


def test_small_numbers_are_preferred() -> None:
    problem = wide(9, 16, 12, ao.KAnonymity(2))
    ledger = ledger_of(problem)
    least = least_of(problem)
    least.raise_bound(lambda: False)
    proof: Any = least._ledger.proof
    assert ledger.proof is None
    assert proof.denominator <= 60
    assert proof.sets == ()


def test_numbers_fit_64_bits_whatever_columns_weigh() -> None:
    problem = wide(3, 12, 6, ao.KAnonymity(3))
    heavy = ao.CellSuppression(
        ao.Table.from_frame(problem.table.frame, problem.table.quasi, "ill", weights=dict.fromkeys(problem.table.quasi, 300_000_000)),
        problem.principle,
    )  # fmt: skip
    least = least_of(heavy)
    least.raise_bound(lambda: False)
    plain = least_of(problem)
    plain.raise_bound(lambda: False)
    assert least._ledger.proof is not None
    assert plain._ledger.proof is not None
    assert least._ledger.proof.value >= 300_000_000 * (plain._ledger.proof.value - 1)


def test_floats_that_are_no_numbers_prove_nothing_false() -> None:
    """A solver's worths may be anything: what is proved of them holds."""
    problem = wide(4, 20, 8, ao.KAnonymity(3))
    least = least_of(problem)
    strange = np.tile([np.nan, np.inf, -np.inf, 1e300, 7.5], 4)
    true = Program.optimum
    try:
        Program.optimum = lambda self, is_cover=False: Optimum(true(self, is_cover).cost, np.zeros(0), strange)  # type: ignore[method-assign]
        for _ in range(2):
            least._go_round()
    finally:
        Program.optimum = true  # type: ignore[method-assign]
    proof = least._ledger.proof
    best = ao.solve(problem, "group-prices").require_solution()
    assert proof is None or proof.proved(problem) <= problem.cost(best)
