"""Distances between sensitive values, and the earth mover's distance they give, in exact arithmetic.

A *space* says how far apart two sensitive values are, at most 1: equal distance, ordered, numeric, hierarchical, or an explicit
matrix. Fitted to the values of a column it becomes a *metric*, of one of two kinds:

- a **tree metric**: the values hang in a tree and their distance is the length of the path between them. Then the earth mover's
  distance is a sum over edges, `EMD(P, Q) = sum_e length_e |P(below e) - Q(below e)|`, because what flows over an edge is just what
  one side of it has too much of. Equal distance is a star, ordered and numeric values a path, a hierarchy its own tree.
- a **matrix metric**: any other; the earth mover's distance is a transportation problem, solved in integers.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.argument_kinds import described
from anoptima.arguments import checked
from anoptima.deadline import check_time
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction, common_denominator
from anoptima.packages import nx
from anoptima.table import Groups


class Metric(ABC):
    """Exact distances between the values of one column, numbered 0..M-1, and the earth mover's distance they give."""

    @property
    @abstractmethod
    def scale(self) -> int:
        """An integer that makes every distance, and every edge length of a tree, whole."""

    @abstractmethod
    def distances(self) -> NDArray[Any]:
        """Return `scale` times the distance of every two values, M x M integers."""

    @abstractmethod
    def scaled_emd(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Return `scale * size_g * n * EMD(group g, whole)` for every row g of `counts`, as exact integers.

        `counts` is groups x M, `whole` the counts of the whole table, `size_g` and n their sums.
        """

    def steepness(self, potentials: NDArray[np.int64]) -> Fraction | None:
        """Return the least L such that potentials of values differ by at most L times their distance; None if no L will do.

        >>> str(Numeric().fit([1, 3, 4]).steepness(np.array([0, 4, 5])))
        '6'
        """
        distances = self.distances()
        apart = np.abs(potentials[:, None] - potentials[None, :])
        if (apart[distances == 0] != 0).any():
            return None
        found = (largest_ratio(line, its) for line, its in zip(apart, distances, strict=True))
        return self.scale * max(found, default=Fraction(0))

    def merged(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the counts with those of values at distance 0 added up; where different values are apart, as they are."""
        return counts

    def emd(self, counts: Sequence[int], whole: Sequence[int]) -> Fraction:
        """Return the earth mover's distance between two distributions given by counts, exactly.

        >>> Numeric().fit(range(3, 12)).emd([1, 1, 1, 0, 0, 0, 0, 0, 0], [1] * 9)
        Fraction(3, 8)
        """
        p, q = np.array([list(counts)], dtype=object), np.array(list(whole), dtype=object)
        return Fraction(int(self.scaled_emd(p, q)[0]), self.scale * int(p.sum()) * int(q.sum()))

    def emd_numerators(self, groups: Groups, column: str) -> NDArray[Any]:
        """Return `scaled_emd` of every group against the whole column, a block of groups at a time."""
        whole = groups.sensitive[column].counts
        n = int(whole.sum())
        room = max(1, self.scale) * n * n * len(whole)
        kind: Any = np.int64 if room < 2**62 else object
        parts = [self.scaled_emd(block.astype(kind), whole.astype(kind)) for _, block in groups.blocks(column)]
        return np.concatenate(parts)


def largest_ratio(numbers: NDArray[Any], parts: NDArray[Any]) -> Fraction:
    """Return the largest of `numbers / parts`, of whole numbers from 0 up, leaving out those whose part is 0; 0 if there are none.

    >>> str(largest_ratio(np.array([3, 5, 9]), np.array([2, 4, 0])))
    '3/2'
    """
    some = np.flatnonzero((parts != 0) & (numbers != 0))
    if not len(some):
        return Fraction(0)
    # Doubles leave those in question; each is off by less than this.
    near = numbers[some].astype(float) / parts[some].astype(float)
    some = some[near >= near.max() * (1 - 1e-9)]
    pairs = {(int(number), int(part)) for number, part in zip(numbers[some], parts[some], strict=True)}
    return max(Fraction(number, part) for number, part in pairs)


def path_lengths(sides: NDArray[np.bool_], lengths: Sequence[int]) -> NDArray[Any]:
    """Return the lengths of the paths between every two values: of the edges with exactly one of the two below them.

    >>> path_lengths(np.array([[True, False, False], [True, True, False]]), [2, 3]).tolist()
    [[0, 2, 5], [2, 0, 3], [5, 3, 0]]
    """
    if sum(lengths) >= 2**51:
        found = np.zeros((sides.shape[1],) * 2, dtype=object)
        for side, length in zip(sides, lengths, strict=True):
            check_time()
            found[side[:, None] != side[None, :]] += length
        return found
    # Sums stay below 2^53, so doubles hold them exactly, and are multiplied much faster.
    weighted = sides * np.array(lengths, dtype=float)[:, None]
    depth = weighted.sum(axis=0)
    apart: NDArray[np.int64] = (depth[:, None] + depth[None, :] - 2 * (weighted.T @ sides.astype(float))).astype(
        np.int64
    )
    return apart


class TreeMetric(Metric):
    """Path lengths in a tree that the values hang in: `lengths[e]` for each edge e, `sides[e, v]` whether value v lies below it."""

    def __init__(self, lengths: Sequence[Fraction]) -> None:
        self.lengths = tuple(lengths)
        self._scale = common_denominator(self.lengths)

    @property
    def scale(self) -> int:
        """The least common denominator of the edge lengths."""
        return self._scale

    @property
    def scaled_lengths(self) -> list[int]:
        """The edge lengths times `scale`."""
        return [int(length * self._scale) for length in self.lengths]

    @property
    @abstractmethod
    def sides(self) -> NDArray[np.bool_]:
        """Which values lie below which edge: edges x M."""

    def distances(self) -> NDArray[Any]:
        """Return the scaled distances: the lengths of the edges with exactly one of the two values below them."""
        return path_lengths(self.sides, self.scaled_lengths)

    def scaled_emd(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Sum over the edges the surplus below them, times their length."""
        surplus = counts * whole.sum() - counts.sum(axis=1)[:, None] * whole
        result: NDArray[Any] = np.abs(self.below(surplus)) @ np.array(self.scaled_lengths, dtype=counts.dtype)
        return result

    def below(self, surplus: NDArray[Any]) -> NDArray[Any]:
        """Sum, for every group and edge, the surplus of the values below the edge."""
        result: NDArray[Any] = surplus @ self.sides.T.astype(surplus.dtype)
        return result


class StarMetric(TreeMetric):
    """Every two of M values at distance 1: each on an edge of its own, half as long. The distance is total variation."""

    def __init__(self, size: int) -> None:
        super().__init__([Fraction(1, 2)] * size)

    def distances(self) -> NDArray[Any]:
        """Return `scale` for every two values, 0 for each with itself."""
        return self.scale * (1 - np.eye(len(self.lengths), dtype=np.int64))

    def steepness(self, potentials: NDArray[np.int64]) -> Fraction:
        """Return the largest difference."""
        return Fraction(int(potentials.max()) - int(potentials.min()))

    @property
    def sides(self) -> NDArray[np.bool_]:
        """The identity."""
        return np.eye(len(self.lengths), dtype=bool)

    def below(self, surplus: NDArray[Any]) -> NDArray[Any]:
        """Return the surplus itself."""
        return surplus

    def emd_numerators(self, groups: Groups, column: str) -> NDArray[Any]:
        """Sum over the values that occur, then add those that do not, so that a column of n distinct values costs O(n)."""
        whole = groups.sensitive[column].counts
        n = int(whole.sum())
        kind: Any = np.int64 if 4 * n * n < 2**62 else object
        tally = groups.tally(column)
        size, total = groups.sizes.astype(kind), whole.astype(kind)
        starts = np.searchsorted(tally.group, np.arange(len(groups)))
        occurring = np.abs(n * tally.count.astype(kind) - size[tally.group] * total[tally.value])
        absent = n - np.add.reduceat(total[tally.value], starts)
        result: NDArray[Any] = np.add.reduceat(occurring, starts) + size * absent
        return result


class PathMetric(TreeMetric):
    """Values on a line, at `positions` between 0 and 1: an edge between each value and the next."""

    def __init__(self, positions: Sequence[Fraction]) -> None:
        self.order = np.array(sorted(range(len(positions)), key=positions.__getitem__), dtype=np.int64)
        line = sorted(positions)
        super().__init__([after - before for before, after in itertools.pairwise(line)])

    def distances(self) -> NDArray[Any]:
        """Return the scaled distances: differences of places along the line."""
        place = np.zeros(len(self.order), dtype=self._between.dtype)
        place[self.order[1:]] = np.cumsum(self._between)
        result: NDArray[Any] = np.abs(place[:, None] - place[None, :])
        return result

    def steepness(self, potentials: NDArray[np.int64]) -> Fraction | None:
        """Return the steepest rise or fall from a value to the next: between those further apart it is no steeper."""
        apart = np.abs(np.diff(potentials[self.order]))
        if (apart[self._between == 0] != 0).any():
            return None
        return self.scale * largest_ratio(apart, self._between)

    @cached_property
    def _between(self) -> NDArray[Any]:
        kind: Any = np.int64 if self.scale < 2**62 else object
        return np.array(self.scaled_lengths, dtype=kind)

    @property
    def sides(self) -> NDArray[np.bool_]:
        """Edge e has the first e + 1 values of the order below it."""
        rank = np.argsort(self.order)
        return rank[None, :] <= np.arange(len(self.lengths))[:, None]

    def merged(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Add up the counts of one position: a number may be written in several ways."""
        begins = [0, *(e + 1 for e, length in enumerate(self.lengths) if length)]
        result: NDArray[Any] = np.add.reduceat(counts[self.order], begins)
        return result

    def below(self, surplus: NDArray[Any]) -> NDArray[Any]:
        """Return the prefix sums along the line."""
        result: NDArray[Any] = np.cumsum(surplus[:, self.order], axis=1)[:, :-1]
        return result


class BranchMetric(TreeMetric):
    """A tree given by its edges: their lengths and the values below each."""

    def __init__(self, sides: NDArray[np.bool_], lengths: Sequence[Fraction]) -> None:
        super().__init__(lengths)
        self._sides = sides

    @property
    def sides(self) -> NDArray[np.bool_]:
        """As given."""
        return self._sides


class MatrixMetric(Metric):
    """Distances as given; the earth mover's distance by minimum-cost flow in integers."""

    def __init__(self, matrix: Sequence[Sequence[Fraction]]) -> None:
        self._scale = common_denominator(distance for row in matrix for distance in row)
        self._distances = np.array([[int(d * self._scale) for d in row] for row in matrix], dtype=object)

    @property
    def scale(self) -> int:
        """The least common denominator of the distances."""
        return self._scale

    def distances(self) -> NDArray[Any]:
        """Return the scaled matrix."""
        return self._distances

    def scaled_emd(self, counts: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
        """Solve one transportation problem for each different row of counts: in a large table most groups are small, and many alike."""
        total, costs = [int(count) for count in whole], self._distances.tolist()
        n, rows = sum(total), [tuple(int(count) for count in row) for row in counts]
        known = {
            row: transport([n * count for count in row], [sum(row) * count for count in total], costs)[0]
            for row in set(rows)
        }
        return np.array([known[row] for row in rows], dtype=object)


def transport(
    supply: Sequence[int], demand: Sequence[int], costs: Sequence[Sequence[int]]
) -> tuple[int, dict[tuple[int, int], int]]:
    """Return the least cost of carrying `supply` to `demand`, `costs[i][j]` a unit, and what goes from i to j in a cheapest plan.

    The general earth mover's distance. Network simplex on the M x M bipartite graph; with integer data every step is exact.

    >>> transport([2, 0], [1, 1], [[0, 3], [3, 0]])
    (3, {(0, 0): 1, (0, 1): 1})
    """
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for i, amount in enumerate(supply):
        graph.add_node(("from", i), demand=-amount)
    for j, amount in enumerate(demand):
        graph.add_node(("to", j), demand=amount)
    for i, amount in enumerate(supply):
        for j, wanted in enumerate(demand):
            if amount and wanted:
                graph.add_edge(("from", i), ("to", j), weight=costs[i][j])
    cost, flow = nx.network_simplex(graph)
    return int(cost), {(i, j): int(flow[("from", i)][("to", j)]) for (_, i), (_, j) in graph.edges}


@checked
class Space(ABC):
    """Says how far apart sensitive values are; frozen, and independent of any table until it is fitted."""

    kind: str

    @abstractmethod
    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the metric on these values, in their order; `BadInput` names a value that has no place in the space."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return what `space_from_json` takes."""


@checked
@dataclass(frozen=True)
class EqualDistance(Space):
    """Every two different values are at distance 1.

    >>> EqualDistance().fit("VHC").emd([1, 1, 0], [3, 3, 4])
    Fraction(2, 5)
    """

    kind = "equal"

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return total variation on these values."""
        return StarMetric(len(_plain_values(values, "the column")))

    def as_json(self) -> dict[str, Any]:
        """Return the kind alone."""
        return {"kind": self.kind}


@checked
@dataclass(frozen=True)
class Ordered(Space):
    """Values in a given order, evenly spaced: d(i, j) = |i - j| / (M - 1), M the number of values in `order`.

    >>> Ordered(["low", "mid", "high"]).fit(["high", "low"]).emd([1, 0], [1, 1])
    Fraction(1, 2)
    """

    order: tuple[Any, ...]
    kind = "ordered"

    def __init__(self, order: Sequence[Any]) -> None:
        object.__setattr__(self, "order", _plain_values(order, "the order"))
        if isinstance(order, str) or len(set(self.order)) != len(self.order) or not self.order:
            raise BadInput(f"the order is {order!r}; it must be a list of different values, smallest first")

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the path through these values."""
        place = {value: i for i, value in enumerate(self.order)}
        for value in _plain_values(values, "the column"):
            if value not in place:
                raise BadInput(f"the value {value!r} has no place in the order {', '.join(map(repr, self.order))}")
        return PathMetric([Fraction(place[value], max(1, len(self.order) - 1)) for value in values])

    def as_json(self) -> dict[str, Any]:
        """Return kind and order."""
        return {"kind": self.kind, "order": list(self.order)}


@checked
@dataclass(frozen=True)
class Numeric(Space):
    """Numbers: d(x, y) = |x - y| / (largest - smallest), over the values of the column.

    Values may be numbers or texts that write numbers; each is taken as the exact number it writes.
    """

    kind = "numeric"

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the path through these numbers."""
        numbers = [
            as_fraction(value, "a value of a numeric sensitive column") for value in _plain_values(values, "the column")
        ]
        least, span = min(numbers), max(numbers) - min(numbers)
        return PathMetric([(number - least) / span if span else Fraction(0) for number in numbers])

    def as_json(self) -> dict[str, Any]:
        """Return the kind alone."""
        return {"kind": self.kind}


Tree = Mapping[str, Any] | Sequence[Any]
"""A hierarchy: a mapping from names to subtrees; a sequence of leaves, or of subtrees, at the bottom."""


@checked
@dataclass(frozen=True, eq=False)
class Hierarchical(Space):
    """A hierarchy with all leaves at one depth h: d(v, w) = height of their lowest common ancestor / h.

    >>> space = Hierarchical({"virus": ["flu", "measles"], "heart": ["angina", "infarct"]})
    >>> space.fit(["flu", "measles", "angina", "infarct"]).emd([1, 0, 1, 0], [1, 1, 1, 1])
    Fraction(1, 4)
    """

    tree: Tree
    kind = "hierarchical"

    def __post_init__(self) -> None:
        depths = {len(path) for path in self._paths().values()}
        if len(depths) > 1:
            raise BadInput(f"the hierarchy has leaves at depths {sorted(depths)}; all must be at one depth")

    def _paths(self) -> dict[Any, tuple[int, ...]]:
        paths: dict[Any, tuple[int, ...]] = {}
        numbers = iter(range(1 << 62))

        def walk(node: Any, path: tuple[int, ...]) -> None:
            if isinstance(node, Mapping):
                children: Sequence[Any] = list(node.values())
            elif isinstance(node, Sequence) and not isinstance(node, str):
                children = node
            else:
                _plain_values([node], "the hierarchy")
                if node in paths:
                    raise BadInput(f"the hierarchy has the leaf {node!r} twice")
                paths[node] = path
                return
            for child in children:
                walk(child, (*path, next(numbers)))

        walk(self.tree, ())
        if not paths:
            raise BadInput("the hierarchy has no leaves")
        return paths

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the tree above these values."""
        paths = self._paths()
        for value in _plain_values(values, "the column"):
            if value not in paths:
                raise BadInput(
                    f"the value {value!r} is no leaf of the hierarchy; its leaves are {', '.join(map(str, paths))}"
                )
        nodes = sorted({node for value in values for node in paths[value]})
        sides = np.array([[node in paths[value] for value in values] for node in nodes], dtype=bool).reshape(
            -1, len(values)
        )
        height = max((len(path) for path in paths.values()), default=0)
        return BranchMetric(sides, [Fraction(1, 2 * height)] * len(nodes) if height else [])

    def as_json(self) -> dict[str, Any]:
        """Return kind and tree."""
        return {"kind": self.kind, "tree": self.tree}


@checked
@dataclass(frozen=True)
class Explicit(Space):
    """Distances by a matrix, checked to be a metric with values between 0 and 1.

    >>> Explicit(["a", "b"], [[0, 1], [1, 0]]).fit(["b", "a"]).emd([1, 0], [1, 1])
    Fraction(1, 2)
    """

    values: tuple[Any, ...]
    matrix: tuple[tuple[Fraction, ...], ...]
    kind = "matrix"

    def __init__(self, values: Sequence[Any], matrix: Sequence[Sequence[Number]]) -> None:
        object.__setattr__(self, "values", _plain_values(values, "a distance matrix"))
        rows = tuple(tuple(as_fraction(d, f"the distance in row {i + 1}") for d in row) for i, row in enumerate(matrix))
        object.__setattr__(self, "matrix", rows)
        if len(set(self.values)) != len(self.values) or not self.values:
            raise BadInput("the values of a distance matrix must be different, and at least one")
        if len(rows) != len(self.values) or any(len(row) != len(rows) for row in rows):
            raise BadInput(
                f"the distance matrix must be {len(self.values)} x {len(self.values)}, one row and column a value"
            )
        self._require_metric()

    def _require_metric(self) -> None:
        d, names = self.matrix, self.values
        for i, first in enumerate(names):
            for j, second in enumerate(names):
                if not 0 <= d[i][j] <= 1:
                    raise BadInput(
                        f"the distance of {first!r} and {second!r} is {d[i][j]}; distances lie between 0 and 1"
                    )
                if (d[i][j] == 0) != (i == j):
                    raise BadInput(
                        f"the distance of {first!r} and {second!r} is {d[i][j]}; it must be 0 for equal values only"
                    )
                if d[i][j] != d[j][i]:
                    raise BadInput(
                        f"the distance of {first!r} and {second!r} is {d[i][j]} one way and {d[j][i]} the other"
                    )
        for i, first in enumerate(names):
            for j, second in enumerate(names):
                for k, third in enumerate(names):
                    if d[i][k] > d[i][j] + d[j][k]:
                        raise BadInput(
                            f"the distance matrix is not a metric: {first!r}, {second!r}, {third!r} break the triangle inequality, "
                            f"d({first}, {third}) = {d[i][k]} > {d[i][j]} + {d[j][k]}"
                        )

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the matrix of these values."""
        for value in _plain_values(values, "the column"):
            if value not in self.values:
                raise BadInput(
                    f"the value {value!r} is not in the distance matrix; it has {', '.join(map(str, self.values))}"
                )
        place = [self.values.index(value) for value in values]
        return MatrixMetric([[self.matrix[i][j] for j in place] for i in place])

    def as_json(self) -> dict[str, Any]:
        """Return kind, values and matrix, each distance as text."""
        return {
            "kind": self.kind,
            "values": list(self.values),
            "matrix": [[str(d) for d in row] for row in self.matrix],
        }


def _plain_values(values: Sequence[Any], where: str) -> tuple[Any, ...]:
    """Return sensitive values as a tuple, once it is known that they can be looked up, and that there are some."""
    found = tuple(values)
    if not found:
        raise BadInput(f"{where} has no values; it needs one at least")
    for value in found:
        if not isinstance(value, Hashable):
            raise BadInput(f"{where} holds {described(value)}; its values must be plain ones, such as texts or numbers")
    return found


def space_from_json(data: Mapping[str, Any]) -> Space:
    """Return the space that `as_json` wrote down.

    >>> space_from_json({"kind": "ordered", "order": ["low", "high"]})
    Ordered(order=('low', 'high'))
    """
    match data.get("kind"):
        case "equal":
            return EqualDistance()
        case "ordered":
            return Ordered(data["order"])
        case "numeric":
            return Numeric()
        case "hierarchical":
            return Hierarchical(data["tree"])
        case "matrix":
            return Explicit(data["values"], data["matrix"])
        case other:
            raise BadInput(
                f"{other!r} is no kind of space; the kinds are equal, ordered, numeric, hierarchical, matrix"
            )
