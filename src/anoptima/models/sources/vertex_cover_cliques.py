"""Vertex cover by what it leaves: an independent set, one vertex at most of each clique.

Variables: a_v true if vertex v is *not* in the cover. Every edge lies in one of the cliques of a family C, grown greedily.

    minimise    n - sum_v a_v
    (alone)     at most one a_v of the members of Q         for each clique Q in C

A triangle then forces two vertices where its three edges force one and a half.

Size, for n vertices and p joined pairs: n variables, at most p constraints, at most 2 p + n coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.problems.sources.vertex_cover import VertexCover


class BuiltVertexCoverCliques(BuiltModel[VertexSet]):
    """The program; variables are a."""

    language = Language.CP_SAT
    problem: VertexCover

    def __init__(self, problem: VertexCover, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "vertex cover by cliques"
        super().__init__(problem, program, size)
        alone = [program.new_bool_var(f"alone[{v}]") for v in range(len(problem.graph.vertices))]
        for clique in edge_cliques(problem.graph):
            program.add_at_most_one(alone[v] for v in clique)
        program.minimize(len(alone) - sum(alone))

    def encode(self, solution: VertexSet) -> Values:
        """Set a outside the cover."""
        names = self.problem.graph.vertices
        return ones(len(names), [place for place, name in enumerate(names) if name not in solution.vertices])

    def decode(self, values: Values) -> VertexSet:
        """Take the vertices that are not left outside."""
        names = self.problem.graph.vertices
        return VertexSet(frozenset(names) - {names[place] for place in chosen(values)})


@models.register
class VertexCoverCliquesModel(SourceModel[VertexSet]):
    """At most one vertex of each clique left outside; for vertex cover."""

    name = "vertex-cover-cliques"
    problems = (VertexCover,)
    built = BuiltVertexCoverCliques

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """One variable for each vertex, one row for each clique; at worst one clique for each edge."""
        pairs = len(problem.graph.pairs)
        return len(problem.graph.vertices), pairs, 2 * pairs + len(problem.graph.vertices)


def edge_cliques(graph: Graph) -> list[list[int]]:
    """Return cliques, by places, that have every edge between them: each grown from an edge that no clique before it has.

    >>> edge_cliques(Graph("abcd", ["ab", "bc", "ca", "cd"]))
    [[0, 1, 2], [2, 3]]
    """
    found: list[list[int]] = []
    done: set[tuple[int, int]] = set()
    for pair in sorted(graph.pairs):
        if pair in done:
            continue
        clique = list(pair)
        common = graph.neighbours[pair[0]] & graph.neighbours[pair[1]]
        while common:
            vertex = min(common)
            clique.append(vertex)
            common &= graph.neighbours[vertex]
        clique.sort()
        done.update((first, second) for i, first in enumerate(clique) for second in clique[i + 1 :])
        found.append(clique)
    return found
