"""Every reduction, source and target by brute force: two searches that share no code, with each other or with the package."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import anoptima as ao
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduction
from anoptima.testing.families import families, spread
from tests import brute_force as tables
from tests.sizing import asked
from tests.sources import brute_force as sources

HALF = Fraction(1, 2)


def source_optimum(problem: Problem[Any]) -> Exact:
    match problem:
        case ao.HypergraphMatching() | ao.ThreeDimensionalMatching():
            return sources.unmatched(len(problem.named), problem.members)
        case ao.MinimumBisection():
            return sources.cut(len(problem.graph.vertices), places(problem.graph))
        case ao.CliqueOfSize() | ao.HalfClique():
            return sources.missing(len(problem.graph.vertices), places(problem.graph), problem.order)
        case ao.MinimumCover():
            family = [[problem.position[element] for element in members] for members in problem.sets]
            return sources.covering_sets(len(problem.universe), family)
        case ao.VertexCover():
            return sources.cover(places(problem.graph))
        case ao.PlanarThreeSat():
            return sources.unsatisfied(problem.formula.variables, problem.formula.clauses)
        case _:
            return target_optimum(problem)


def target_optimum(problem: Problem[Any]) -> Exact:
    match problem:
        case ao.CellSuppression():
            found = tables.best_partition(rows_of(problem.table), problem.table.weights, rule_of(problem))
            assert found is not None
            return found[0]
        case ao.AttributeSuppression():
            return columns(problem.table, lambda kept: least_class(problem.table, kept) >= k_of(problem), keep=True)
        case ao.IdentifyingColumns():
            return columns(problem.table, lambda kept: classes(problem.table, kept) == len(set(rows_of(problem.table))))
        case ao.WitnessColumns():
            return columns(problem.table, lambda kept: least_class(problem.table, kept) < problem.k)
        case ao.SimplexMatching():
            return sources.cheapest_groups(  # type: ignore[no-any-return]
                len(problem.vertices), {problem.places(e): c for e, c in problem.cost_of.items()}
            )
        case _:
            return source_optimum(problem)


def places(graph: ao.Graph) -> list[tuple[int, int]]:
    return [(graph.position[first], graph.position[second]) for first, second in graph.edges]


def rows_of(table: ao.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(table.frame[name].to_list() for name in table.quasi), strict=True))


def k_of(problem: Any) -> int:
    assert isinstance(problem.principle, ao.KAnonymity)
    return problem.principle.k


def rule_of(problem: ao.CellSuppression) -> tables.Rule:
    if isinstance(problem.principle, ao.KAnonymity):
        return tables.k_anonymous(problem.principle.k)
    values = problem.table.frame[problem.table.sensitive[0]].to_list()
    if isinstance(problem.principle, ao.LDiversity):
        return tables.frequency_diverse(values, problem.principle.l)
    assert isinstance(problem.principle, ao.TCloseness)

    def star(v: Any, w: Any) -> Fraction:
        return Fraction(0) if v == w else HALF if "N" in (v, w) else Fraction(1)

    return tables.close(values, problem.principle.t, star if "N" in values else tables.equal_distance)


def classes(table: ao.Table, kept: tuple[int, ...]) -> int:
    return len({tuple(row[j] for j in kept) for row in rows_of(table)})


def least_class(table: ao.Table, kept: tuple[int, ...]) -> int:
    seen = [tuple(row[j] for j in kept) for row in rows_of(table)]
    return min(map(seen.count, seen))


def columns(table: ao.Table, good: Callable[[tuple[int, ...]], bool], *, keep: bool = False) -> int:
    """The fewest columns that are good; or the fewest to drop such that those kept are."""
    m = len(table.quasi)
    counts = [count for count in range(m + 1) for kept in itertools.combinations(range(m), count) if good(kept)]
    return m - max(counts) if keep else min(counts)


LARGE = ("lower-bounded-facilities", "vertex-cover", "3-partition", "rectilinear-3-sat", "patch-cover", "fake-boxes")
"""Where one side is too large to try everything; the tests of those reductions have searches of their own."""

VARIANTS: dict[str, list[Any]] = {
    "half-anonymity-to-share-anonymity": ["1/3", "1/4"],
    "half-clique-to-share-anonymity": ["2/5", "3/8"],
    "3d-matching-to-t-closeness": [0, "33/100"],
    "3d-matching-to-looser-t-closeness": ["1/3", "7/20"],
}
"""Values of a reduction's first parameter."""


def cases() -> Iterator[Any]:
    slow = {
        "3d-matching-to-looser-t-closeness": 5,
        "k-anonymity-to-t-closeness": 6,
        "half-anonymity-to-share-anonymity": 8,
        "half-clique-to-t-closeness": 4,
    }
    for reduction in reductions.all():
        if reduction.target_kind in LARGE or reduction.source_kind in LARGE:
            continue
        if reduction.target_kind in ("patch-cover", "fake-boxes"):  # too large; see test_planar_three_sat.py
            continue
        variants = VARIANTS.get(reduction.name, [None])
        for value in variants:
            changed = (
                reduction if value is None else reduction.with_parameters(**{next(iter(reduction.parameters)): value})
            )
            yield pytest.param(changed, slow.get(reduction.name, 15), id=f"{reduction.name}, {value}")


@pytest.mark.parametrize(("reduction", "most"), list(cases()))
def test_the_optima_are_related_as_the_theorem_says(reduction: Reduction[Any, Any], most: int) -> None:
    # To ask whether it is for a problem may take as long as to apply it.
    candidates = spread(list(families()[reduction.source_kind]()), asked(100, 10**6))
    family = (problem for problem in candidates if reduction.why_not(problem) is None)
    small = [problem for problem in family if reduction.target_size(problem).get("rows", 0) <= 9]
    answers = set()
    for problem in spread(small, most):
        reduced = reduction.apply(problem)
        least, found = source_optimum(problem), target_optimum(reduced.target)
        assert found <= reduced.target_cost(least), problem
        assert least <= reduced.source_cost(found), problem
        assert reduced.source_bound(found) <= least, problem
        for bound in range(int(least) + 2):
            if reduced.decides(bound):
                assert (least <= bound) == (found <= reduced.threshold(bound)), (problem, bound)
                answers.add(least <= bound)
    assert answers == {True, False}
