"""Distances between sensitive values, and the earth mover's distance they give, in exact arithmetic.

A *space* says how far apart two sensitive values are, at most 1: equal distance, ordered, numeric, hierarchical, or an explicit
matrix. Fitted to the values of a column it becomes a *metric*, of one of two kinds:

- a **tree metric**: the values hang in a tree and their distance is the length of the path between them. Then the earth mover's
  distance is a sum over edges, `EMD(P, Q) = sum_e length_e |P(below e) - Q(below e)|`, because what flows over an edge is just what
  one side of it has too much of. Equal distance is a star, ordered and numeric values a path, a hierarchy its own tree.
- a **matrix metric**: any other; the earth mover's distance is a transportation problem, solved in integers.
"""

from anoptima.spaces.metrics import (
    BranchMetric,
    MatrixMetric,
    Metric,
    PathMetric,
    StarMetric,
    TreeMetric,
    path_lengths,
    transport,
)
from anoptima.spaces.spaces import (
    EqualDistance,
    Explicit,
    Hierarchical,
    Numeric,
    Ordered,
    Space,
    Tree,
    space_from_json,
    space_kinds,
)

__all__ = [
    "BranchMetric",
    "EqualDistance",
    "Explicit",
    "Hierarchical",
    "MatrixMetric",
    "Metric",
    "Numeric",
    "Ordered",
    "PathMetric",
    "Space",
    "StarMetric",
    "Tree",
    "TreeMetric",
    "path_lengths",
    "space_from_json",
    "space_kinds",
    "transport",
]
