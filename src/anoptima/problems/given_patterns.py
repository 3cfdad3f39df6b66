"""Cell suppression with given patterns: every row is published as one of them, and each gets k rows or more.

The first program of Chakaravarthy, Pandit and Sabharwal (2010, section 4) is for one given set of open patterns; k-anonymity by cell
suppression is the minimum over all sets. Choosing the patterns is the hard part: with the set given, only the assignment of rows
remains, which is a network flow. As in the paper, *open* means used: a pattern that gets no row is a violation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact
from anoptima.limits import said
from anoptima.packages import pd
from anoptima.principles import AtLeastRows, KAnonymity
from anoptima.principles.in_a_table import own_value, principle_on, stated
from anoptima.problems.base import entry, problem_kinds
from anoptima.problems.lower_bounds import serve_all
from anoptima.problems.released import false_cells, released_stars
from anoptima.problems.table_problem import TableProblem
from anoptima.table import STAR, Counts, Table

Pattern = tuple[Any, ...]
"""A value or `*` for each quasi-identifying column."""


@checked
@dataclass(frozen=True, eq=False)
class Publication:
    """The pattern of each row: `pattern[i]` is the position of row i's pattern in the problem's `patterns`.

    >>> import anoptima as ao
    >>> table = ao.Table.from_frame(pd.DataFrame({"a": [0, 0, 0, 1]}), quasi=["a"])
    >>> ao.solve(ao.GivenPatterns(table, ao.KAnonymity(2), [("*",), (0,)])).solution.pattern.tolist()
    [1, 1, 0, 0]
    """

    pattern: Counts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Publication) and np.array_equal(self.pattern, other.pattern)

    def __hash__(self) -> int:
        return hash(self.pattern.tobytes())


@problem_kinds.register
@checked
@dataclass(frozen=True, eq=False)
class GivenPatterns(TableProblem[Publication]):
    """Stars of least total weight when exactly the `patterns` are published, each for at least k rows.

    Parameters
    ----------
    table, principle
        As in cell suppression; the principle asks for a least number of rows and nothing else.
    patterns
        Tuples with a value or `*` for each quasi-identifying column, in the table's order.

    Examples
    --------
    >>> from anoptima.principles import KAnonymity
    >>> from anoptima.table import Table
    >>> table = Table.from_frame(pd.DataFrame({"a": [0, 0, 0, 1]}), quasi=["a"])
    >>> problem = GivenPatterns(table, KAnonymity(2), [("*",), (0,)])
    >>> problem.cost(Publication(np.array([1, 1, 0, 0]))), problem.lower_bound()
    (2, 1)
    >>> GivenPatterns(table, KAnonymity(2), [(0,)]).why_infeasible()
    'row 4 matches none of the given patterns'
    """

    patterns: Sequence[Pattern]

    name = "given-patterns"
    unit = "stars"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(isinstance(condition, AtLeastRows) for condition in self.principle.conditions(self.table)):
            raise BadInput(f"given patterns are for k-anonymity, not for {self.principle}")
        object.__setattr__(self, "patterns", tuple(_fitting(pattern, self.table) for pattern in self.patterns))
        written = [(p, tuple(map(str, p))) for p in self.patterns]
        twice = next((p for i, (p, how) in enumerate(written) if (p, how) in written[:i]), None)
        if twice is not None:
            raise BadInput(f"the pattern {pattern_text(twice)!r} is given twice; each may be given once")
        if not self.patterns:
            raise BadInput("no pattern is given; rows can be published as nothing")

    @property
    def least(self) -> int:
        """The least number of rows of a pattern."""
        return self.principle.least_size(self.table)

    @cached_property
    def starred(self) -> NDArray[np.bool_]:
        """The columns that each pattern stars: patterns x columns."""
        return np.array([[isinstance(v, str) and v == STAR for v in pattern] for pattern in self.patterns], dtype=bool)

    @cached_property
    def matches(self) -> NDArray[np.bool_]:
        """The row types that each pattern matches: patterns x row types. O(|P| T m)."""
        matches = np.ones((len(self.patterns), len(self.table.types)), dtype=bool)
        for c, column in enumerate(self.table.quasi_columns):
            # Equal values that are written differently are two values; what is written as neither is the first.
            place: dict[Any, int] = {}
            for code, value in enumerate(column.values):
                place.setdefault(value, code)
                place[(value, str(value))] = code
            codes = np.array([place.get((p[c], str(p[c])), place.get(p[c], -1)) for p in self.patterns])
            matches &= self.starred[:, c, None] | (codes[:, None] == self.table.types[None, :, c])
        return matches

    @cached_property
    def scaled_costs(self) -> Counts:
        """The cost of one row published as each pattern, in scaled weights."""
        costs: Counts = self.starred.astype(np.int64) @ self.table.scaled_weights
        return costs

    def cost(self, solution: Publication) -> Exact:
        """Return the exact weight of all stars. O(n)."""
        return self.unscale(int(self.scaled_costs[solution.pattern].sum()))

    def violations(self, solution: Publication) -> list[str]:
        """Name the rows that their patterns do not match, and the patterns that get too few rows."""
        rows, chosen = self.table.rows, solution.pattern
        if chosen.shape != (rows,) or chosen.dtype.kind not in "iu":
            return [f"a publication of this table has {rows} whole numbers, one a row; this has shape {chosen.shape}"]
        if chosen.min() < 0 or chosen.max() >= len(self.patterns):
            return [
                f"patterns are numbered from 0 to {len(self.patterns) - 1}; this has {chosen.min()} to {chosen.max()}"
            ]
        false = (
            f"row {row + 1} does not match the pattern {pattern_text(self.patterns[chosen[row]])!r}"
            for row in np.flatnonzero(~self.matches[chosen, self.table.type_of_row])
        )
        sizes = np.bincount(chosen, minlength=len(self.patterns))
        small = (
            f"the pattern {pattern_text(self.patterns[p])!r} gets {sizes[p]} rows; k = {self.least}"
            for p in np.flatnonzero(sizes < self.least).tolist()
        )
        return [*said(false, "rows do not match their patterns"), *said(small, "patterns get too few rows")]

    def trivial(self) -> Publication:
        """Return some publication, by maximum flow."""
        self.require_feasible()
        left: dict[int, list[int]] = {}
        for row, kind in enumerate(self.table.type_of_row.tolist()):
            left.setdefault(kind, []).append(row)
        pattern = np.empty(self.table.rows, dtype=np.int64)
        for (p, kind), count in self._served[0].items():
            for _ in range(count):
                pattern[left[kind].pop()] = p
        return Publication(pattern)

    def lower_bound(self) -> Exact:
        """Publish every row as the cheapest pattern that it matches. O(|P| T)."""
        self.require_feasible()
        costs = np.where(self.matches, self.scaled_costs[:, None], np.iinfo(np.int64).max)
        return self.unscale(int(self.table.multiplicity @ costs.min(axis=0)))

    def why_infeasible(self) -> str | None:
        """Name a row without a pattern, or patterns with too few rows between them; there is a flow if there are neither."""
        reason = super().why_infeasible()
        if reason is not None:
            return reason
        alone: NDArray[np.bool_] = ~np.asarray(self.matches.any(axis=0))[self.table.type_of_row]
        if alone.any():
            return f"row {int(alone.argmax()) + 1} matches none of the given patterns"
        short = sorted(self._served[1])
        if not short:
            return None
        between = int(self.table.multiplicity @ self.matches[short].any(axis=0))
        named = ", ".join(repr(pattern_text(self.patterns[p])) for p in short[:3]) + (", ..." if len(short) > 3 else "")
        return (
            f"the given pattern{'s' if len(short) > 1 else ''} {named} match{'' if len(short) > 1 else 'es'} "
            f"{between} rows{' between them' if len(short) > 1 else ''}, and {len(short)} x {self.least} are needed"
        )

    @cached_property
    def _served(self) -> tuple[dict[tuple[int, int], int], frozenset[int]]:
        arcs = [(int(p), int(kind)) for p, kind in np.argwhere(self.matches)]
        return serve_all(self.table.multiplicity.tolist(), arcs, range(len(self.patterns)), self.least)

    def solutions(self) -> Iterator[Publication]:
        """Yield every choice of a pattern for each row: |P|^n."""
        for chosen in itertools.product(range(len(self.patterns)), repeat=self.table.rows):
            yield Publication(np.array(chosen, dtype=np.int64))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield five rows with a way that costs less, with no choice, and without a way."""
        table = Table.from_frame(pd.DataFrame({"zip": [1, 1, 1, 2, 2], "age": [30, 30, 40, 40, 40]}), ["zip", "age"])
        for k, patterns in (
            (2, [(1, STAR), (STAR, 40)]),
            (2, [(1, 30), (STAR, 40)]),
            (1, [(1, 30), (1, STAR), (STAR, 40), (STAR, STAR)]),
            (3, [(1, STAR), (2, 40)]),
        ):
            yield cls(table, KAnonymity(k), patterns)

    def as_json(self) -> dict[str, Any]:
        """Return the principle and the patterns."""
        return {"principle": self.principle.as_json(), "patterns": [list(pattern) for pattern in self.patterns]}

    @classmethod
    def from_json(cls, table: Table, data: Mapping[str, Any]) -> Self:
        """Return the problem that `as_json` wrote down; a value that writes the same as one of the column is that one."""
        known = list(map(own_value, table.quasi_columns))
        patterns = [
            tuple(own(value) for own, value in zip(known, _fitting(pattern, table), strict=True))
            for pattern in stated(entry(data, "patterns"), list, "the list of patterns")
        ]
        return cls(table, principle_on(table, entry(data, "principle")), patterns)

    def size(self) -> Mapping[str, int]:
        """Return rows, row types, record types, columns and patterns."""
        return {**super().size(), "patterns": len(self.patterns)}

    @property
    def out_of(self) -> str:
        """The quasi-identifying cells."""
        return f" of {self.table.cells:,} cells"

    def release(self, solution: Publication) -> pd.DataFrame:
        """Return the published table: each row as its pattern."""
        return self.table.release(self.starred[solution.pattern])

    def violations_of_release(self, release: pd.DataFrame) -> list[str]:
        """Say what is wrong with a released table: a cell neither starred nor true, a pattern not given, or with too few rows."""
        false = false_cells(self.table, release)
        if false:
            return false
        image = self._images(release)
        if (image < 0).any():
            row = int((image < 0).argmax())
            return [f"row {row + 1} is published as a pattern that is not among the {len(self.patterns)} given ones"]
        return self.violations(Publication(image))

    def solution_of_release(self, release: pd.DataFrame) -> Publication:
        """Return the patterns that a release publishes the rows as."""
        return Publication(self._images(release))

    def _images(self, release: pd.DataFrame) -> Counts:
        """Return the place of each row's published pattern, -1 where it is none of the given ones."""
        stars = released_stars(self.table, release)
        places: dict[tuple[bytes, int], int] = {
            (self.starred[p].tobytes(), int(kind)): int(p) for p, kind in np.argwhere(self.matches)
        }
        kinds = self.table.type_of_row.tolist()
        return np.array([places.get((stars[i].tobytes(), kinds[i]), -1) for i in range(len(kinds))], dtype=np.int64)


def _fitting(pattern: Any, table: Table) -> Pattern:
    """Return a pattern, once it has a cell for each column."""
    if not isinstance(pattern, Sequence) or isinstance(pattern, str) or len(pattern) != len(table.quasi):
        raise BadInput(
            f"the pattern {pattern!r} does not fit; it must be a tuple with a value or '*' for each of the {len(table.quasi)} columns "
            f"{', '.join(table.quasi)}"
        )
    return tuple(pattern)


def pattern_text(pattern: Pattern) -> str:
    """Write a pattern as a released row.

    >>> pattern_text((9, "*", "Bachelor"))
    '9 * Bachelor'
    """
    return " ".join(map(str, pattern))
