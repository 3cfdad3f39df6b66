"""At least k rows, and at least p different values of the sensitive column: p-sensitive k-anonymity."""

# Yours: say above what a group must satisfy, prove in the class's docstring whether that survives merging groups, and cite it.

from dataclasses import dataclass

import numpy as np

from anoptima.errors import BadInput
from anoptima.exact import as_integer
from anoptima.principles.conditions import AtLeastRows, AtLeastValues
from anoptima.principles.principle import Principle, Splitting, entry
from anoptima.principles.words import column_of


@dataclass(frozen=True)
class Template(Principle):
    """k rows and p values. A union of such groups has them, too: the principle is merge-closed."""

    kind = "template"

    k: int
    p: int
    column: str | None = None

    # Yours: whether a group of twice the least size can be split into two that satisfy the principle. Five rows a, a, a, a, b cannot.
    splitting = Splitting.NOT

    def __post_init__(self):
        for name in ("k", "p"):
            object.__setattr__(self, name, as_integer(getattr(self, name), name))
            if getattr(self, name) < 1:
                raise BadInput(f"{name} is {getattr(self, name)}; it must be at least 1")

    def holds_each(self, groups):
        """Tell, for each group, whether it satisfies the principle. Exact: whole numbers and fractions, no floats."""
        return (groups.sizes >= self.k) & self.could_hold_each(groups)

    def could_hold_each(self, groups):
        """Tell, for each group, whether some part of it might; False only if none can."""
        tally = groups.tally(
            column_of(self.column, groups.sensitive, self.kind)
        )  # (group, value, count), for values that occur
        return (groups.sizes >= self.k) & (np.bincount(tally.group, minlength=len(groups)) >= self.p)

    def why_not(self, groups, group=0):
        """Say in words why one group fails; None if it does not."""
        size = groups.size(group)
        values = int((groups.counts(column_of(self.column, groups.sensitive, self.kind), group) > 0).sum())
        if size >= self.k and values >= self.p:
            return None
        return f"k = {self.k} and p = {self.p} but the group has {size} rows and {values} sensitive values"

    def conditions(self, table):
        """Return what states the principle, as conditions on a group's counts.

        Models and engines go by them: a principle that consists of conditions they know is solved, priced and proved at once.
        """
        return [AtLeastRows(self.k), AtLeastValues(column_of(self.column, table.sensitive, self.kind), self.p)]

    def require_columns(self, table):
        """Raise `BadInput` if the table lacks what the principle speaks of."""
        column_of(self.column, table.sensitive, self.kind)

    def least_size(self, table):
        """Return a size that no group is below."""
        return max(self.k, self.p)

    @classmethod
    def examples(cls):
        """Yield principles of this kind that small tables can satisfy: the suites try them."""
        yield cls(2, 2)

    def as_json(self):
        """Return what `from_json` takes, as plain data."""
        return {"principle": self.kind, "k": self.k, "p": self.p, "column": self.column}

    @classmethod
    def from_json(cls, data):
        """Return the principle that `as_json` wrote down."""
        return cls(entry(data, "k"), entry(data, "p"), entry(data, "column"))

    def __str__(self):
        return f"{self.p}-sensitive {self.k}-anonymity"
