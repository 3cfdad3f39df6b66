"""Random tables for the engine, their arcs, and every partition of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.proofs.blocks import BlockProof
from anoptima.proofs.near import NearProof
from anoptima.solvers.approximate.near_patterns.nearest_types import nearest
from anoptima.solvers.exact.sifting import arcs as kernels
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.ascent import Course, ascend
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers, first_multipliers
from anoptima.solvers.exact.sifting.whole_numbers import denominator_of
from anoptima.table import Table
from tests.brute_force import group_cost


@cache
def problem_of(seed: int, rows: int = 8) -> CellSuppression:
    """Draw a table with duplicates and, in one of three, weights."""
    chance = np.random.default_rng(seed)
    n, m = int(chance.integers(3, rows + 1)), int(chance.integers(1, 5))
    frame = pd.DataFrame(chance.integers(0, chance.integers(2, 4), (n, m)), columns=list("abcd")[:m])
    weights = {name: int(chance.integers(1, 4)) for name in frame.columns} if chance.random() < 1 / 3 else {}
    k = int(chance.integers(1, min(5, n) + 1))
    return CellSuppression(Table.from_frame(frame, list(frame.columns), weights=weights), KAnonymity(k))


def arcs_of(problem: CellSuppression) -> tuple[Patterns, Arcs]:
    patterns = closed_patterns(problem)
    copies = patterns.table.records.multiplicity.astype(np.int64)
    assert isinstance(problem.principle, KAnonymity)
    return patterns, kernels.arcs_of(patterns, copies, problem.principle.k)


@cache
def every_release(problem: CellSuppression) -> list[tuple[Exact, Partition]]:
    """Return every partition into groups that may be, with what its stars cost as one counts them who does not know the package."""
    table, principle = problem.table, problem.principle
    rows = list(table.frame[list(table.quasi)].itertuples(index=False, name=None))
    prices: dict[tuple[int, ...], Fraction] = {}
    every: list[tuple[Exact, Partition]] = []
    for found in problem.solutions():
        groups = [tuple(group) for group in found.groups()]
        if min(map(len, groups)) >= principle.k if isinstance(principle, KAnonymity) else problem.is_feasible(found):
            for group in groups:
                if group not in prices:
                    prices[group] = group_cost(rows, table.weights, group)
            every.append((sum((prices[group] for group in groups), Fraction(0)), found))
    return every


def near_bound(problem: CellSuppression, reach: int, passes: int = 60) -> NearProof:
    """Prove what the patterns of fewer stars than `reach` do."""
    table = problem.table
    assert isinstance(problem.principle, KAnonymity)
    k, weights = problem.principle.k, table.scaled_weights.tolist()
    radius = nearest(table.types, table.multiplicity, weights, k, 4, lambda: False).radius
    _, full = arcs_of(problem)
    arcs = part_of_patterns(full, np.flatnonzero(full.cost < reach))
    ceiling = np.maximum(reach, radius).astype(float)
    at, terms, d = Multipliers(ceiling, np.zeros(0)), Terms(arcs, kernels), denominator_of(problem)
    if len(arcs.cost):
        first = np.minimum(first_multipliers(arcs).worth, ceiling)
        at = ascend(arcs, terms, Multipliers(first, np.zeros(0)), lambda: False, Course(passes), ceiling=ceiling).at
    worth = np.minimum(np.rint(at.worth * d).astype(np.int64), d * np.maximum(reach, radius))
    least = terms.exactly(Multipliers(worth, np.zeros(0, dtype=np.int64)), d) if len(arcs) else int(arcs.copies @ worth)
    return NearProof(problem.unscale(-(-least // d)), table.digest, k, d, reach, tuple(worth.tolist()))


def part_of_patterns(arcs: Arcs, some: NDArray[np.int64]) -> Arcs:
    """Return some of the patterns."""
    length = np.diff(arcs.start)[some]
    member = np.concatenate([arcs.member[:0], *(arcs.member[arcs.start[p] : arcs.start[p + 1]] for p in some)])
    return Arcs(np.concatenate([[0], np.cumsum(length)]), member, arcs.cost[some], arcs.copies, arcs.least[some])


def proves(proof: BlockProof | NearProof, problem: CellSuppression) -> bool:
    """Tell whether a proof stands."""
    try:
        proof.proved(problem)
    except BadInput:
        return False
    return True
