"""A question of cell suppression as `auto` sees it: how large it is, what its principle asks for, and what there is time for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from anoptima.principles import (
    AtLeastRows,
    AtLeastValues,
    AtMostShare,
    Close,
    Condition,
    LimitedShares,
    rows_alone,
)
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.base import Solver
from anoptima.solvers.choices.choice import able
from anoptima.spaces import BranchMetric, StarMetric

_LOOKS_A_SECOND, _LISTING_SHARE = 4e6, 0.6
"""Listing patterns looks at this many pairs of a column set and a record in a second, and may take this share of the time."""
_LOOKS_A_SET = 200
"""A column set takes as long as looks at so many records, however few there are: 120 records of 16 columns take 5 s, not 2. With 5 s,
l = 2 distinct, near patterns leave 735 stars of them, sifting, which was still listing patterns, 1,097."""
_MANY_RECORDS, _LOOKS_A_SECOND_OF_MANY = 50_000, 8e6
"""Of more records than this it looks at more, as every column set costs something of its own. So few seconds are enough for the 200,000
rows of `large-200000x8`: after 7 s l = 3 leaves 547,097 stars and not 1,206,608, and t = 0.2 819,065 and not 1,108,646."""
_OWN_START_SHARE = 0.2
"""Sifting has a first release of its own soon enough if listing patterns takes at most this share of the time. Otherwise groups of two and
three are matched instead (3,000 uniform rows of 12 columns, l = 2: 6,751 stars, proved in 10 s, and 7,155 by sifting), or near patterns
stand beside it: for their releases where groups need a size alone, and under closeness for their bound (2,000 such rows, t = 0.3, 10 s:
10,893 of 12,308 stars, and 7,936 with local search). Under l-diversity a search only slows it down, unless records are few: of 3,000 such
rows, l = 3, it leaves 15,865 stars and a bound of 15,074 in 10 s alone, and 16,106 and 11,979 with local search beside it; of 300 rows of
14 columns, entropy 2, on a busy machine 2,839 and 1,233 alone, and 1,484 and 1,290 with near patterns.
"""
_SMALL_LOOKS = 1 << 14
"""Questions with at most this many looks have their patterns listed in any time, and the pattern program is asked them, too."""


class Asked:
    """A question: the problem, the seconds that are left (None: any), threads, and whether a proof is asked for (None: where it comes)."""

    def __init__(
        self, problem: CellSuppression, left: float | None = None, threads: int = 1, proof: bool | None = None
    ) -> None:
        self.problem = problem
        self.left = left
        self.threads = threads
        self.proof = proof
        self.rows = problem.table.rows

    def able(self, name: str) -> Solver[Any] | None:
        """Return the solver called `name` if it is here and for the problem."""
        return able(name, self.problem)

    # ------------------------------------------------------------------------------------------------------------- How large it is

    @cached_property
    def records(self) -> int:
        """How many distinct rows there are."""
        return len(self.problem.table.records)

    @cached_property
    def looks(self) -> int:
        """How many pairs of a column set and a record listing all patterns looks at: it is the measure of how large a question is."""
        return self.records << len(self.problem.table.quasi)

    def has_time(self, seconds: float) -> bool:
        """Tell whether so many seconds are left."""
        return self.left is None or self.left >= seconds

    def takes_at_most(self, share: float) -> bool:
        """Tell whether listing all patterns takes at most this share of the time."""
        looks_a_second = _LOOKS_A_SECOND_OF_MANY if self.records > _MANY_RECORDS else _LOOKS_A_SECOND
        looks = self.looks + (_LOOKS_A_SET << len(self.problem.table.quasi))
        return self.left is None or looks <= share * self.left * looks_a_second

    @property
    def is_small(self) -> bool:
        """Whether all patterns are listed in next to no time."""
        return self.looks <= _SMALL_LOOKS

    @property
    def is_listed(self) -> bool:
        """Whether there is time to list all patterns."""
        return self.is_small or self.takes_at_most(_LISTING_SHARE)

    @property
    def is_listed_soon(self) -> bool:
        """Whether sifting has a release of its own early on."""
        return self.takes_at_most(_OWN_START_SHARE)

    # --------------------------------------------------------------------------------------------------- What its principle asks for

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """What is asked of every group."""
        return tuple(self.problem.plain.principle.conditions(self.problem.table))

    @cached_property
    def closeness(self) -> list[Close]:
        """The conditions of closeness."""
        return [condition for condition in self.conditions if isinstance(condition, Close)]

    @cached_property
    def besides(self) -> list[Condition]:
        """The conditions that are neither about closeness nor a size."""
        return [condition for condition in self.conditions if not isinstance(condition, Close | AtLeastRows)]

    @cached_property
    def is_of_sizes(self) -> bool:
        """Whether groups need a size and nothing else, as under k-anonymity."""
        return rows_alone(self.conditions) is not None

    @cached_property
    def is_of_values(self) -> bool:
        """Whether groups need values, none of them in too large a share, as under l-diversity."""
        return any(isinstance(condition, LimitedShares | AtLeastValues) for condition in self.conditions)

    @cached_property
    def is_close_at_equal_distance(self) -> bool:
        """Whether closeness at equal distance is all that is asked, perhaps with a size: there sifting's bounds beat the program's."""
        return bool(self.closeness) and not self.besides and all(one.metric.is_equal for one in self.closeness)

    @cached_property
    def is_close_on_a_line(self) -> bool:
        """Whether groups must be close to the table at a distance that is neither equal nor that of a hierarchy."""
        return any(not isinstance(one.metric, StarMetric | BranchMetric) for one in self.closeness)

    @cached_property
    def is_repaired(self) -> bool:
        """Whether sifting makes small changes to releases: under closeness, with a size and a largest share at most."""
        if len(self.closeness) != 1:
            return False
        return all(isinstance(one, AtMostShare) and one.columns == self.closeness[0].columns for one in self.besides)

    @cached_property
    def least_size(self) -> int:
        """How many rows a group must have, as far as its principle tells."""
        return self.problem.principle.least_size(self.problem.table)

    @property
    def may_be_single(self) -> bool:
        """Whether a row alone may be a group, as far as the least size of groups tells."""
        return self.least_size == 1

    # ------------------------------------------------------------------------------------------------------ What answers it, if it is here

    @cached_property
    def sifting(self) -> Solver[Any] | None:
        """The engine, which lists all patterns."""
        return self.able("sifting")

    @cached_property
    def bracketing(self) -> Solver[Any] | None:
        """The engine between a principle that is implied and one that implies what is asked."""
        return self.able("bracketing")

    @property
    def is_between_sizes(self) -> bool:
        """Whether what bracketing can price is a size alone."""
        # Imported by itself, since only what has no rule of pricing needs it.
        from anoptima.solvers.approximate.either_side import weaker_question

        return rows_alone(weaker_question(self.problem.plain).principle.conditions(self.problem.table)) is not None

    @cached_property
    def near_patterns(self) -> Solver[Any] | None:
        """The engine on patterns near each other, as many as there is time for."""
        return self.able("near-patterns")

    @property
    def bounded(self) -> Solver[Any] | None:
        """Near patterns where groups need a size alone, since there they bound what is best."""
        return self.near_patterns if self.is_of_sizes else None

    @property
    def local_search(self) -> Solver[Any] | None:
        """The search that moves rows between groups."""
        return self.able("local-search")

    @cached_property
    def matching(self) -> Solver[Any] | None:
        """Simplex matching, which is exact for groups of two and three."""
        return self.able("simplex-matching")
