"""Spaces: how far apart two sensitive values are, at most 1."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from anoptima.argument_kinds import described
from anoptima.arguments import checked, require
from anoptima.errors import BadInput
from anoptima.exact import Number, as_fraction
from anoptima.origins import OURS, origin_of
from anoptima.registry import Kinds
from anoptima.spaces.matrix_metric import MatrixMetric
from anoptima.spaces.metrics import BranchMetric, Metric, PathMetric, StarMetric


@checked
class Space(ABC):
    """Says how far apart sensitive values are; frozen, and independent of any table until it is fitted.

    >>> import anoptima as ao
    >>> one, half = [1, 1, 1], [3, 0, 0]  # how often each of three values occurs in the table, and in a group
    >>> [space.fit([3, 4, 5]).emd(one, half) for space in (ao.Numeric(), ao.EqualDistance())]
    [Fraction(1, 2), Fraction(2, 3)]
    """

    kind: str

    holds_values: ClassVar[tuple[str, ...]] = ()
    """The entries of `as_json` that hold values of the column; read back, they are the column's own."""

    @abstractmethod
    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the metric on these values, in their order; `BadInput` names a value that has no place in the space."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return what `space_from_json` takes: the kind, as `kind`, and what `from_json` takes."""

    @classmethod
    @abstractmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the space that `as_json` wrote down."""

    @classmethod
    def examples(cls) -> Iterator[tuple[Space, Sequence[Any]]]:
        """Yield spaces of this kind, each with a few values that it knows: the conformance suite asks about them."""
        return iter(())


space_kinds: Kinds[type[Space]] = Kinds("space", Space, "anoptima.spaces", "anoptima.spaces")
"""Every kind of space, by the name that documents give it."""


@space_kinds.register
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

    @classmethod
    def examples(cls) -> Iterator[tuple[Space, Sequence[Any]]]:
        """Yield the space, and three values."""
        yield cls(), "abc"

    def as_json(self) -> dict[str, Any]:
        """Return the kind alone."""
        return {"kind": self.kind}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """There is only one such space."""
        return cls()


@space_kinds.register
@checked
@dataclass(frozen=True)
class Ordered(Space):
    """Values in a given order, evenly spaced: d(i, j) = |i - j| / (M - 1), M the number of values in `order`.

    >>> Ordered(["low", "mid", "high"]).fit(["high", "low"]).emd([1, 0], [1, 1])
    Fraction(1, 2)
    """

    order: tuple[Any, ...]
    kind = "ordered"
    holds_values = ("order",)

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

    @classmethod
    def examples(cls) -> Iterator[tuple[Space, Sequence[Any]]]:
        """Yield an order, and two of its values."""
        yield cls(["low", "mid", "high"]), ["high", "low"]

    def as_json(self) -> dict[str, Any]:
        """Return kind and order."""
        return {"kind": self.kind, "order": list(self.order)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `as_json`."""
        return cls(_entry(data, "order"))


@space_kinds.register
@checked
@dataclass(frozen=True)
class Numeric(Space):
    """Numbers: d(x, y) = |x - y| / (largest - smallest), over the values of the column.

    Values may be numbers or texts that write numbers; each is taken as the exact number it writes.

    >>> Numeric().fit([1, 2, 5]).emd([1, 0, 0], [0, 1, 0])
    Fraction(1, 4)
    """

    kind = "numeric"

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the path through these numbers."""
        numbers = [
            as_fraction(value, "a value of a numeric sensitive column") for value in _plain_values(values, "the column")
        ]
        least, span = min(numbers), max(numbers) - min(numbers)
        return PathMetric([(number - least) / span if span else Fraction(0) for number in numbers])

    @classmethod
    def examples(cls) -> Iterator[tuple[Space, Sequence[Any]]]:
        """Yield the space, and four numbers."""
        yield cls(), [3, 1, 7, 4]

    def as_json(self) -> dict[str, Any]:
        """Return the kind alone."""
        return {"kind": self.kind}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """There is only one such space."""
        return cls()


Tree = Mapping[str, Any] | Sequence[Any]
"""A hierarchy: a mapping from names to subtrees; a sequence of leaves, or of subtrees, at the bottom."""


@space_kinds.register
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
    holds_values = ("tree",)

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

    @classmethod
    def examples(cls) -> Iterator[tuple[Space, Sequence[Any]]]:
        """Yield a tree of two levels, and leaves of both branches."""
        yield cls({"virus": ["flu", "measles"], "heart": ["angina", "infarct"]}), ["flu", "infarct", "measles"]

    def as_json(self) -> dict[str, Any]:
        """Return kind and tree."""
        return {"kind": self.kind, "tree": self.tree}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `as_json`."""
        return cls(_entry(data, "tree"))


@space_kinds.register
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
    holds_values = ("values",)

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
        try:
            _require_triangles(MatrixMetric(d), names)
        except BadInput as error:
            raise BadInput(f"the distance matrix is not a metric: {error}") from None

    def fit(self, values: Sequence[Any]) -> Metric:
        """Return the matrix of these values."""
        for value in _plain_values(values, "the column"):
            if value not in self.values:
                raise BadInput(
                    f"the value {value!r} is not in the distance matrix; it has {', '.join(map(str, self.values))}"
                )
        place = [self.values.index(value) for value in values]
        return MatrixMetric([[self.matrix[i][j] for j in place] for i in place])

    @classmethod
    def examples(cls) -> Iterator[tuple[Space, Sequence[Any]]]:
        """Yield a metric that is not a line, and its values in another order."""
        yield cls(["a", "b", "c"], [[0, "1/2", 1], ["1/2", 0, "2/3"], [1, "2/3", 0]]), ["c", "a", "b"]

    def as_json(self) -> dict[str, Any]:
        """Return kind, values and matrix, each distance as text."""
        return {
            "kind": self.kind,
            "values": list(self.values),
            "matrix": [[str(d) for d in row] for row in self.matrix],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `as_json`."""
        return cls(_entry(data, "values"), _entry(data, "matrix"))


def _plain_values(values: Sequence[Any], where: str) -> tuple[Any, ...]:
    """Return sensitive values as a tuple, once it is known that they can be looked up, and that there are some."""
    found = tuple(values)
    if not found:
        raise BadInput(f"{where} has no values; it needs one at least")
    for value in found:
        if not isinstance(value, Hashable):
            raise BadInput(f"{where} holds {described(value)}; its values must be plain ones, such as texts or numbers")
    return found


def fitted(space: Space, values: Sequence[Any], column: str) -> Metric:
    """Return the metric of a space on a column's values; `BadInput` says what is wrong with one of somebody else's."""
    try:
        metric, what = space.fit(values), f"what the space {space.kind!r} is fitted as to {column!r}"
    except BadInput as error:
        raise BadInput(f"column {column!r}: {error}") from None
    require(metric, Metric, what)
    if origin_of(space) != OURS:
        scale, apart = metric.scale, np.asarray(metric.distances())
        if apart.shape != (len(values), len(values)):
            raise BadInput(f"{what} has distances of shape {apart.shape} for {len(values):,} values")
        if not all(isinstance(number, int) for number in (scale, *apart.ravel().tolist())) or scale < 1:
            raise BadInput(f"{what} has distances that are no whole multiples of 1 over its scale, {scale!r}")
        try:
            _require_near(apart.astype(object) * Fraction(1, scale), values)
            _require_triangles(metric, values)
        except BadInput as error:
            raise BadInput(f"{what} is no metric: {error}") from None
    return metric


def _require_near(d: NDArray[Any], names: Sequence[Any]) -> None:
    """Refuse distances beyond 0 and 1, of a value from itself, and that are not the same both ways; different values may be at 0."""
    for wrong, words in (
        ((d < 0) | (d > 1), "{} is {}; distances lie between 0 and 1"),
        ((d != 0) & np.eye(len(d), dtype=bool), "{} is {}; it must be 0"),
        (d != d.T, "{} is {} one way and {} the other"),
    ):
        if wrong.any():
            i, j = np.argwhere(wrong)[0].tolist()
            raise BadInput("the distance of " + words.format(f"{names[i]!r} and {names[j]!r}", d[i, j], d[j, i]))


def _require_triangles(metric: Metric, names: Sequence[Any]) -> None:
    """Refuse distances of which one is longer than a way round; a scale below 2^62 has sums of two in 64 bits."""
    scale = metric.scale
    whole = metric.distances().astype(np.int64 if scale < 1 << 62 else object)
    for i, first in enumerate(names):
        too_far = whole[i] > whole[i][:, None] + whole
        if too_far.any():
            j, k = np.argwhere(too_far)[0].tolist()
            one, two, both = (Fraction(int(whole[place]), scale) for place in ((i, j), (j, k), (i, k)))
            raise BadInput(
                f"{first!r}, {names[j]!r}, {names[k]!r} break the triangle inequality, d({first}, {names[k]}) = {both} > {one} + {two}"
            )


def space_from_json(data: Mapping[str, Any]) -> Space:
    """Return the space that `as_json` wrote down.

    >>> space_from_json({"kind": "ordered", "order": ["low", "high"]})
    Ordered(order=('low', 'high'))
    """
    return space_kinds.get(_entry(data, "kind")).from_json(data)


def _entry(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise BadInput(f"the space lacks the entry {name!r}")
    return data[name]
