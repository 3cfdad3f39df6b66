"""Proofs by cases: what they prove is never above the optimum, and the cases that are left out are missed."""

from __future__ import annotations

import numpy as np

from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.branched import BranchedProof, Fork, Leaf, Tree
from anoptima.proofs.cuts import Cut
from tests.loops import each
from tests.proofs.test_soundness import proved_by, random_cut
from tests.solvers.exact.sifting.cases import every_release, problem_of


def random_tree(
    problem: CellSuppression, cuts: tuple[Cut, ...], scale: int, depth: int, chance: np.random.Generator
) -> Tree:
    table = problem.table
    if depth == 0 or chance.random() < 0.2:
        worth = chance.integers(0, int(table.scaled_weights.sum()) * scale, len(table.types))
        return Leaf(tuple(map(int, worth)), tuple(int(price) for price in chance.integers(0, scale, len(cuts))))
    kept = frozenset(name for name in table.quasi if chance.random() < 0.5)
    sides = [random_tree(problem, cuts, scale, depth - 1, chance) for _ in range(2)]
    return Fork(kept, int(chance.integers(len(table.types))), *sides)


@each("seed", range(30))
def test_no_tree_gets_above_the_optimum(seed: int) -> None:
    problem = problem_of(seed + 500)
    assert isinstance(problem.principle, KAnonymity)
    best = min(cost for cost, _ in every_release(problem))
    chance = np.random.default_rng(seed)
    k, scale = problem.principle.k, 4
    cuts = tuple(cut for _ in range(6) if (cut := random_cut(problem, chance)) is not None)
    held = 0
    for _ in range(12):
        tree = random_tree(problem, cuts, scale, 3, chance)
        value = proved_by(BranchedProof(0, problem.table.digest, k, scale, cuts, tree), problem)
        assert value is None or value <= best
        held += value is not None
    assert held
