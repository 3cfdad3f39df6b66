"""What tests of both annealings begin with, and how often they come to the optimum of a small table."""

from __future__ import annotations

from collections.abc import Callable

from anoptima.patterns import Patterns
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.releases.release import Release, partition_of, release_of
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


def begun(seed: int, rows: int) -> tuple[CellSuppression, Patterns, Arcs, Release]:
    """Return a question, its patterns and arcs, and the release of stars alone."""
    problem = problem_of(seed, rows)
    patterns, arcs = arcs_of(problem)
    return problem, patterns, arcs, release_of(problem, patterns, problem.trivial())


def cost_of(arcs: Arcs, release: Release) -> int:
    """Return the scaled cost of a release."""
    return int(arcs.cost[arcs.pattern_of[release.arc]] @ release.count)


def optima_reached(anneal: Callable[[Arcs, Release, int], Release]) -> int:
    """Return in how many of twenty tables of eight rows what is annealed costs least; it never costs less."""
    reached = 0
    for seed in range(20):
        problem, patterns, arcs, release = begun(seed, 8)
        optimum = min(cost for cost, _ in every_release(problem))
        cost = problem.cost(partition_of(patterns, anneal(arcs, release, seed)))
        assert cost >= optimum
        reached += cost == optimum
    return reached
