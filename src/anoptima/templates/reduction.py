"""Vertex cover to minimum cover: vertices are sets, and edges are what they cover.

Construction: an element for each edge, and for each vertex the set of its edges.
Why: a vertex covers an edge exactly if its set has the edge. Relation: the optima are equal. Maps: vertices are sets.
Size: m elements and n sets.
"""

# Yours: write your theorem above, with its proof.

from dataclasses import dataclass

from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover
from anoptima.problems.sources.source_problem import VertexSet
from anoptima.problems.sources.vertex_cover import VertexCover
from anoptima.reductions.base import Affine, Reduction


@dataclass(frozen=True, eq=False)
class SetsOfEdges(Affine):
    """Both problems, and the ways between their solutions.

    `Affine` is for optima with OPT(target) = offset + factor * OPT(source); derive from `Reduced` for anything else.
    """

    def forward(self, solution):
        """Carry a solution of the source to the target."""
        return ChosenSets(solution.vertices)

    def backward(self, solution):
        """Carry any solution of the target back."""
        return VertexSet(solution.names)

    @property
    def offset(self):
        """Return what the target costs where the source costs nothing."""
        return 0


class Template(Reduction):
    """A set of edges for every vertex."""

    # The words before and after `-to-` are the problems' names, or kinds of `anoptima.reductions.kinds`.
    name = "template"
    cites = "Karp: Reducibility among combinatorial problems (1972)"

    def why_not(self, problem):
        """Say which problems the theorem speaks of."""
        if not isinstance(problem, VertexCover):
            return f"it is for vertex-cover, not for {problem.name}"
        return None if problem.graph.edges else "it is for graphs with an edge: there must be something to cover"

    def target_size(self, problem):
        """Return quantities of the target's `size` by formula; the target is held to them."""
        size = problem.size()
        return {"elements": size["edges"], "sets": size["vertices"]}

    def apply_unchecked(self, problem):
        """Build the target."""
        edges = problem.graph.edges
        sets = {vertex: [e for e, ends in enumerate(edges) if vertex in ends] for vertex in problem.graph.vertices}
        return SetsOfEdges(problem, MinimumCover(range(len(edges)), sets))
