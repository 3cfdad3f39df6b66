"""Distances between sensitive values, and the earth mover's distance they give, in exact arithmetic.

A *space* says how far apart two sensitive values are, at most 1: equal distance, ordered, numeric, hierarchical, or an explicit
matrix. Fitted to the values of a column it becomes a *metric*, of one of two kinds:

- a **tree metric**: the values hang in a tree and their distance is the length of the path between them. Then the earth mover's
  distance is a sum over edges, `EMD(P, Q) = sum_e length_e |P(below e) - Q(below e)|`, because what flows over an edge is just what
  one side of it has too much of. Equal distance is a star, ordered and numeric values a path, a hierarchy its own tree.
- a **matrix metric**: any other; the earth mover's distance is a transportation problem, solved in integers. It lies between those along
  two trees, one nowhere longer and one nowhere shorter than the distances, by which most groups are decided and all are priced.
"""

from anoptima.spaces.matrix_metric import MatrixMetric
from anoptima.spaces.metrics import (
    BranchMetric,
    Metric,
    PathMetric,
    StarMetric,
    TreeMetric,
    path_lengths,
)
from anoptima.spaces.near_trees import near_trees_of
from anoptima.spaces.spaces import (
    EqualDistance,
    Explicit,
    Hierarchical,
    Numeric,
    Ordered,
    Space,
    Tree,
    fitted,
    space_from_json,
    space_kinds,
)
from anoptima.spaces.transport import MOST_CARRIED, carried_by_nearest, transport

__all__ = [
    "MOST_CARRIED",
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
    "carried_by_nearest",
    "near_trees_of",
    "fitted",
    "path_lengths",
    "space_from_json",
    "space_kinds",
    "transport",
]
