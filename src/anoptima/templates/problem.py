"""The fewest rows to delete so that every row left is equal to at least k - 1 others."""

# Yours: say above what is asked, and what is known of its complexity.

import itertools
from dataclasses import dataclass

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import as_integer
from anoptima.packages import pd
from anoptima.problems.base import Problem, entry
from anoptima.table import Table


@dataclass(frozen=True)
class DeletedRows:
    """A solution: plain data, here the numbers of the rows that go, from 0."""

    rows: frozenset[int]


@dataclass(frozen=True, eq=False)
class Template(Problem):
    """Fewest deleted rows such that what is left is k-anonymous."""

    name = "template"
    unit = "rows"
    cost_scale = 1  # what makes the cost of every solution whole

    table: Table
    k: int

    def __post_init__(self):
        object.__setattr__(self, "k", as_integer(self.k, "k"))
        if self.k < 1:
            raise BadInput(f"k is {self.k}; it must be at least 1")

    def violations(self, solution):
        """Say what is wrong with a solution, one sentence each; an empty list if nothing is. No claim escapes this check."""
        unknown = [row for row in sorted(solution.rows) if not 0 <= row < self.table.rows]
        if unknown:
            return [f"there is no row {row}; rows are numbered from 0 to {self.table.rows - 1}" for row in unknown]
        left = [row for row in range(self.table.rows) if row not in solution.rows]
        sizes = np.bincount(self.table.type_of_row[left], minlength=len(self.table.types))
        return [
            f"row {int(np.flatnonzero(self.table.type_of_row == one)[0])} is equal to {sizes[one]} rows that are left, k = {self.k}"
            for one in np.flatnonzero((sizes > 0) & (sizes < self.k))
        ]

    def cost(self, solution):
        """Return the exact cost, a whole number or a `Fraction`, from the data alone."""
        return len(solution.rows)

    def trivial(self):
        """Return a solution that is there for the taking."""
        return DeletedRows(frozenset(range(self.table.rows)))

    def lower_bound(self):
        """Return a bound that no solution costs less than."""
        # Yours. Here it is the optimum: rows of small classes must go, and no others.
        sizes = np.asarray(self.table.multiplicity)
        return int(sizes[sizes < self.k].sum())

    def why_infeasible(self):
        """Say why there can be no solution; None if there is one."""
        return

    def solutions(self):
        """Yield every candidate, feasible or not: the suites try them all on small examples."""
        for count in range(self.table.rows + 1):
            for rows in itertools.combinations(range(self.table.rows), count):
                yield DeletedRows(frozenset(rows))

    def size(self):
        """Return the quantities that measure the instance."""
        return {"rows": self.table.rows, "row types": len(self.table.types)}

    @classmethod
    def examples(cls):
        """Yield instances small enough to try every candidate, different in what matters."""
        frame = pd.DataFrame({"zip": [1, 1, 2, 3, 3, 3], "age": [30, 30, 40, 50, 50, 60]})
        for k in (1, 2, 3, 7):
            yield cls(Table.from_frame(frame, ["zip", "age"]), k)

    def as_json(self):
        """Return what states the problem beside its table, as plain data."""
        return {"k": self.k}

    @classmethod
    def from_json(cls, table, data):
        """Return the problem on this table that `as_json` wrote down."""
        return cls(table, entry(data, "k"))


# Yours: a problem needs something that solves it. `anoptima new algorithm` and `anoptima new model` begin one.
