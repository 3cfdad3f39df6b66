"""Tiny tables with demands on them, as plain data: said once to the package and once to the brute force.

`make_case` draws one from any source of choices: Hypothesis, which shrinks towards the first option of each, or a seeded generator.
The `repr` of a case is Python, so that one that went wrong can be kept as a test.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeVar

import pandas as pd

import anoptima as ao
from tests import brute_force
from tests.brute_force import Distance, Row, Rule

T = TypeVar("T")


class Choose(Protocol):
    """Picks one of some options, listed simplest first."""

    def __call__(self, options: Sequence[T]) -> T: ...


def seeded(seed: int) -> Choose:
    """Return a source of choices that repeats itself."""
    source = random.Random(seed)
    return lambda options: options[source.randrange(len(options))]


# ---- spaces -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equal:
    """Every two values at distance 1."""

    name = "equal"

    def space(self, values: Sequence[Any]) -> ao.Space | None:
        return ao.EqualDistance()

    def distance(self, values: Sequence[Any]) -> Distance:
        return brute_force.equal_distance


@dataclass(frozen=True)
class InOrder:
    """Values in an order that may have more of them."""

    order: tuple[Any, ...]
    name = "ordered"

    def space(self, values: Sequence[Any]) -> ao.Space:
        return ao.Ordered(self.order)

    def distance(self, values: Sequence[Any]) -> Distance:
        return brute_force.ordered_distance(self.order)


@dataclass(frozen=True)
class Numbers:
    """Numbers by their difference."""

    name = "numeric"

    def space(self, values: Sequence[Any]) -> ao.Space:
        return ao.Numeric()

    def distance(self, values: Sequence[Any]) -> Distance:
        return brute_force.numeric_distance(values)


@dataclass(frozen=True)
class Tree:
    """Leaves of a tree."""

    tree: Any
    name = "hierarchical"

    def space(self, values: Sequence[Any]) -> ao.Space:
        return ao.Hierarchical(self.tree)

    def distance(self, values: Sequence[Any]) -> Distance:
        return brute_force.tree_distance(self.tree)


@dataclass(frozen=True)
class Matrix:
    """Distances one by one."""

    values: tuple[Any, ...]
    distances: tuple[tuple[Fraction, ...], ...]
    name = "matrix"

    def space(self, values: Sequence[Any]) -> ao.Space:
        return ao.Explicit(self.values, self.distances)

    def distance(self, values: Sequence[Any]) -> Distance:
        return lambda v, w: self.distances[self.values.index(v)][self.values.index(w)]


@dataclass(frozen=True)
class Spelled:
    """Another space's distances, written out as a matrix: the same question through other constraints."""

    ground: Equal | InOrder | Numbers | Tree
    name = "spelled out"

    def space(self, values: Sequence[Any]) -> ao.Space:
        distance = self.ground.distance(values)
        different = list(dict.fromkeys(values))
        return ao.Explicit(different, [[distance(v, w) for w in different] for v in different])

    def distance(self, values: Sequence[Any]) -> Distance:
        return self.ground.distance(values)


Ground = Equal | InOrder | Numbers | Tree | Matrix | Spelled


# ---- demands ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    """k-anonymity."""

    k: int

    @property
    def name(self) -> str:
        return "k-anonymity"

    def principle(self, case: Case) -> ao.Principle:
        return ao.KAnonymity(self.k)

    def rule(self, case: Case) -> Rule:
        return brute_force.k_anonymous(self.k)


@dataclass(frozen=True)
class Frequency:
    """Frequency l-diversity of a sensitive column."""

    l: Fraction  # noqa: E741
    column: int

    @property
    def name(self) -> str:
        return "l-diversity, frequency"

    def principle(self, case: Case) -> ao.Principle:
        return ao.LDiversity(self.l, case.named(self.column))

    def rule(self, case: Case) -> Rule:
        return brute_force.frequency_diverse(case.sensitive[self.column], self.l)


@dataclass(frozen=True)
class Distinct:
    """Distinct l-diversity of a sensitive column."""

    l: int  # noqa: E741
    column: int

    @property
    def name(self) -> str:
        return "l-diversity, distinct"

    def principle(self, case: Case) -> ao.Principle:
        return ao.LDiversity(self.l, case.named(self.column), version="distinct")

    def rule(self, case: Case) -> Rule:
        return brute_force.distinct_diverse(case.sensitive[self.column], self.l)


@dataclass(frozen=True)
class Closeness:
    """t-closeness of a sensitive column in a space."""

    t: Fraction
    column: int
    ground: Ground

    @property
    def name(self) -> str:
        return f"t-closeness, {self.ground.name}"

    def principle(self, case: Case) -> ao.Principle:
        return ao.TCloseness(
            self.t, space=self.ground.space(case.sensitive[self.column]), column=case.named(self.column)
        )

    def rule(self, case: Case) -> Rule:
        values = case.sensitive[self.column]
        return brute_force.close(values, self.t, self.ground.distance(values))


Demand = Size | Frequency | Distinct | Closeness


# ---- cases --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A table, row by row; sensitive columns, column by column; and what every group must satisfy, all of it."""

    rows: tuple[Row, ...]
    demands: tuple[Demand, ...]
    sensitive: tuple[tuple[Any, ...], ...] = ()
    weights: tuple[Fraction, ...] = ()
    dtype: Literal["object", "inferred", "category"] = "object"

    @property
    def name(self) -> str:
        """What is demanded, in general terms."""
        return self.demands[0].name if len(self.demands) == 1 else f"{len(self.demands)} principles"

    @property
    def prices(self) -> tuple[Fraction, ...]:
        """What a star costs in each column."""
        return self.weights or tuple(Fraction(1) for _ in self.rows[0])

    def named(self, column: int) -> str | None:
        """Return the name of a sensitive column, or None where the table has one only."""
        return f"s{column}" if len(self.sensitive) > 1 else None

    def rule(self) -> Rule:
        """Return all demands as one rule."""
        return brute_force.all_of([demand.rule(self) for demand in self.demands])

    def principle(self) -> ao.Principle:
        """Return all demands as one principle."""
        first, *others = (demand.principle(self) for demand in self.demands)
        for other in others:
            first = first & other
        return first

    def table(self) -> ao.Table:
        """Return the table."""
        quasi = [f"q{j}" for j in range(len(self.rows[0]))]
        columns = dict(zip(quasi, zip(*self.rows, strict=True), strict=True))
        columns |= {f"s{c}": values for c, values in enumerate(self.sensitive)}
        frame = pd.DataFrame(columns, dtype=None if self.dtype == "inferred" else object)
        if self.dtype == "category":
            frame = frame.astype("category")
        weights = dict(zip(quasi, self.weights, strict=True)) if self.weights else None
        return ao.Table.from_frame(frame, quasi, [f"s{c}" for c in range(len(self.sensitive))], weights=weights)

    def cells(self) -> ao.CellSuppression:
        """Return the question for the cheapest stars."""
        return ao.CellSuppression(self.table(), self.principle())

    def columns(self) -> ao.AttributeSuppression:
        """Return the question for the cheapest columns."""
        return ao.AttributeSuppression(self.table(), self.principle())


def published(release: pd.DataFrame, columns: int) -> list[Row]:
    """Return the quasi-identifying cells of a released table as tuples, None where a value is missing."""
    shown = [release[f"q{j}"].tolist() for j in range(columns)]
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in zip(*shown, strict=True)]


def make_case(choose: Choose, most_rows: int = 7, most_columns: int = 4) -> Case:
    """Draw a case: duplicates, constant columns, one row type, missing values, n = k and n < k are all likely."""
    n = choose((*range(1, most_rows + 1), *range(most_rows // 2 + 1, most_rows + 1)))
    columns = [choose(_ALPHABETS) for _ in range(choose(range(1, most_columns + 1)))]
    types = [
        tuple(choose(column) for column in columns) for _ in range(choose((1, n, (n + 1) // 2, n, 2 * n, n, 2 * n)))
    ]
    rows = tuple(choose(types) for _ in range(n))
    sensitive = tuple(_sensitive(choose, n) for _ in range(choose((1, 0, 1, 2))))
    demands = tuple(_demand(choose, n, sensitive) for _ in range(choose((1, 1, 2, 3))))
    return Case(rows, demands, sensitive, _weights(choose, len(columns)), choose(("object", "inferred", "category")))


_ALPHABETS: tuple[tuple[Any, ...], ...] = (
    ("a", "b"),
    ("a",),
    (0, 1, 2),
    ("a", "b", "c", "d"),
    ("a", "b", "c"),
    ("a", None),
    (1, 2, None),
    (0.5, 1.5),
)


_VALUES: tuple[tuple[Any, ...], ...] = (
    ("x", "y"),
    ("x", "y", "z"),
    (1, 2, 4),
    ("x",),
    ("x", "y", None),
    (0.1, 3, "1/3", "3.0"),
    ("w", "x", "y", "z"),
)


def _sensitive(choose: Choose, n: int) -> tuple[Any, ...]:
    pool = choose(_VALUES)
    return tuple(choose(pool) for _ in range(n))


def _weights(choose: Choose, columns: int) -> tuple[Fraction, ...]:
    pool = choose(((), (1, 2, 5), (Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(7, 4))))
    return tuple(Fraction(choose(pool)) for _ in range(columns)) if pool else ()


def _demand(choose: Choose, n: int, sensitive: tuple[tuple[Any, ...], ...]) -> Demand:
    kind = choose(("k", "frequency", "distinct", "t", "t", "t")) if sensitive else "k"
    if kind == "k":
        return Size(choose((1, 2, 3, 2, n, n + 1)))
    column = choose(range(len(sensitive)))
    values = sensitive[column]
    if kind == "frequency":
        # The last but one is the largest that the table allows, the last is out of reach by a hair.
        most = Fraction(n, max(Counter(values).values()))
        return Frequency(
            choose((Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2), most, most + Fraction(1, 1000))), column
        )
    if kind == "distinct":
        return Distinct(choose((1, 2, 3, len(set(values)), len(set(values)) + 1)), column)
    ground = _ground(choose, values)
    return Closeness(_limit(choose, values, ground), column, ground)


def _limit(choose: Choose, values: tuple[Any, ...], ground: Ground) -> Fraction:
    """Return a round number, or the very distance of some group, or a hair less."""
    t: Fraction | None = choose(
        (Fraction(0), None, Fraction(1, 10), Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), None, Fraction(1))
    )
    if t is not None:
        return t
    group = [value for value in values if choose((True, False))] or list(values[:1])
    different, distance = list(dict.fromkeys(values)), ground.distance(values)
    lengths = [[distance(v, w) for w in different] for v in different]
    t = brute_force.earth_mover(brute_force.shares(group, different), brute_force.shares(values, different), lengths)
    return max(Fraction(0), t - choose((Fraction(0), Fraction(1, 1000))))


def _ground(choose: Choose, values: tuple[Any, ...]) -> Ground:
    different = list(dict.fromkeys(values))
    numeric = None not in values and all(not isinstance(value, str) or not value.isalpha() for value in values)
    plain: Equal | InOrder | Numbers | Tree
    kind = choose(("equal", "ordered", "hierarchical", "matrix", "numeric" if numeric else "ordered"))
    if kind == "matrix":
        return _matrix(choose, (*different, "unseen") if choose((False, True)) else tuple(different))
    if kind == "equal":
        plain = Equal()
    elif kind == "numeric":
        plain = Numbers()
    elif kind == "ordered":
        plain = InOrder(shuffled(choose, [*different, "unseen"] if choose((False, True)) else different))
    else:
        plain = Tree(_tree(choose, [*different, "unseen"], choose((1, 2, 3))))
    # Written out, values at distance 0 would be refused: numbers can be equal and written differently.
    distance = plain.distance(values)
    apart = all(distance(v, w) > 0 for v, w in itertools.combinations(different, 2))
    return Spelled(plain) if apart and choose((False, True, False)) else plain


def shuffled(choose: Choose, values: Iterable[T]) -> tuple[T, ...]:
    """Return values in an order that is chosen."""
    left, order = list(values), []
    while left:
        order.append(left.pop(choose(range(len(left)))))
    return tuple(order)


def _tree(choose: Choose, leaves: list[Any], depth: int) -> Any:
    if depth == 1:
        return leaves
    sides: dict[str, list[Any]] = {}
    for leaf in leaves:
        sides.setdefault(choose("LR"), []).append(leaf)
    return {side: _tree(choose, members, depth - 1) for side, members in sides.items()}


def _matrix(choose: Choose, values: tuple[Any, ...]) -> Matrix:
    """Return the lengths of shortest ways between the values, whatever the direct ways: a metric."""
    size = len(values)
    ways = [[0] * size for _ in values]
    for i, j in itertools.combinations(range(size), 2):
        ways[i][j] = ways[j][i] = choose((5, 1, 2, 3, 4))
    for k, i, j in itertools.product(range(size), repeat=3):
        ways[i][j] = min(ways[i][j], ways[i][k] + ways[k][j])
    most = choose((5, 7))
    return Matrix(values, tuple(tuple(Fraction(way, most) for way in line) for line in ways))
