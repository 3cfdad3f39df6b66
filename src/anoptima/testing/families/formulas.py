"""Formulas, with and without a layout on a line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from anoptima.problems.base import Problem
from anoptima.problems.sources.formula import Formula, RectilinearEmbedding
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat
from anoptima.testing.families import register


def all_formulas(variables: int = 2) -> Iterator[PlanarThreeSat]:
    """Yield every set of different clauses of up to two literals: 2^8 on two variables, each embedded with all clauses above."""
    literals = [x for variable in range(1, variables + 1) for x in (variable, -variable)]
    clauses = [
        clause
        for count in (1, 2)
        for clause in itertools.combinations(literals, count)
        if len({abs(x) for x in clause}) == count
    ]
    for count in range(len(clauses) + 1):
        for chosen in itertools.combinations(clauses, count):
            formula = Formula(variables, chosen)
            embedding = RectilinearEmbedding(tuple(range(1, variables + 1)), (True,) * count)
            yield PlanarThreeSat(formula, embedding if embedding.why_not(formula) is None else None)


@register("rectilinear-3-sat")
def _on_a_line() -> Iterator[Problem[Any]]:
    """Yield small formulas with embeddings, and every set of three clauses or more of two literals on two variables, two above.

    At the end formulas on one variable that fail: a unit and its negation, and up to two more clauses, on all sides of the line.
    """
    line = RectilinearEmbedding((1,), (True, True, False))
    for units in ([(-1,), (-1,), (1,)], [(1,), (1,), (1,)]):
        yield PlanarThreeSat(Formula(1, units), line)
    yield from (problem for problem in all_formulas(1) if problem.embedding is not None)
    few = (problem for problem in all_formulas(2) if len(problem.formula.clauses) <= 3)
    yield from (problem for problem in few if problem.embedding is not None)
    pairs = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    for clauses in (pairs, *itertools.combinations(pairs, 3)):
        above = tuple(number < 2 for number in range(len(clauses)))
        yield PlanarThreeSat(Formula(2, clauses), RectilinearEmbedding((1, 2), above))
    for more in range(3):
        for added in itertools.combinations_with_replacement([(1,), (-1,)], more):
            for above in itertools.product((True, False), repeat=more + 2):
                problem = PlanarThreeSat(Formula(1, [(1,), (-1,), *added]), RectilinearEmbedding((1,), above))
                if above[0]:
                    yield problem


def on_no_line() -> PlanarThreeSat:
    """Return the edges of the Goldner-Harary graph as clauses: a triangulation without a Hamiltonian cycle, so that copies are needed."""
    faces = [(apex, *pair) for apex in (1, 2) for pair in ((3, 4), (4, 5), (3, 5))]
    edges = [*itertools.product((1, 2), (3, 4, 5)), (3, 4), (4, 5), (3, 5)]
    edges += [(corner, middle) for middle, face in enumerate(faces, start=6) for corner in face]
    return PlanarThreeSat(Formula(11, [(-x, -y) if x % 2 else (x, -y) for x, y in edges]))


@register("planar-3-sat")
def _planar() -> Iterator[Problem[Any]]:
    yield on_no_line()
    yield from all_formulas(2)
    yield from (PlanarThreeSat(problem.formula) for problem in all_formulas(2))
