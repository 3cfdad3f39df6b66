"""What a run works on: the table with the columns that the principle speaks of, its rules, and the patterns that can hold a group.

The records are row types with their sensitive values. Closed patterns are told by their quasi-identifying columns alone. A pattern stays
only if a legal group fits inside what it matches, and the least size of such groups is a condition like k.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anoptima.deadline import check_time
from anoptima.origins import OURS, origin_of
from anoptima.patterns import Patterns, closed_patterns
from anoptima.principles import AtLeastEntropy, AtLeastValues, Condition, Outweighed, least_rows, rows_alone
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_cases import has_cases
from anoptima.proofs.group_pricing import is_priced
from anoptima.solvers.exact.sifting.arcs import Arcs
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.releases.region_program import Programs
from anoptima.solvers.exact.sifting.rules.of_conditions import rule_of
from anoptima.solvers.exact.sifting.rules.rule import Counts, Rule
from anoptima.solvers.exact.sifting.rules.total_variation import TotalVariation
from anoptima.solvers.exact.sifting.rules.tree import Tree
from anoptima.solvers.exact.sifting.rules.values import DifferentValues
from anoptima.solvers.exact.sifting.whole_numbers import denominator_of, usual_weight
from anoptima.solvers.exact.sifting.words import Words, words_of
from anoptima.table import Table

_CELLS = 1 << 16
"""How many counts of values are held at a time: half a MB of them, since memory that is used again is quicker than new one. Of the
200,000 rows of `large-200000x8`, l = 3, 7 s leave 547,097 stars so, and 1,206,673 with 32 MB."""


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem as it was `asked`, the same without the columns that play no part, its rules, and arrays over patterns and records.

    Rule i is that of condition number `stated_by[i]` of the principle.
    """

    asked: CellSuppression
    problem: CellSuppression
    patterns: Patterns
    conditions: tuple[Condition, ...]
    rules: tuple[Rule, ...]
    stated_by: tuple[int, ...]
    arcs: Arcs

    @property
    def is_of_size(self) -> bool:
        """Whether the size of groups is all that is asked."""
        return rows_alone(self.conditions) is not None

    @property
    def is_close(self) -> bool:
        """Whether groups must be close to the table, which makes programs large."""
        return any(isinstance(rule, TotalVariation | Tree) for rule in self.rules)

    @property
    def is_equal_closeness(self) -> bool:
        """Whether closeness at equal distance is all that is asked beside sizes: groups are priced by slots then."""
        return len(self.rules) == 1 and isinstance(self.rules[0], TotalVariation)

    @property
    def is_by_value(self) -> bool:
        """Whether a tree prices groups by going through the values: under other closeness along edges, or with diversity."""
        return self.is_close and not self.is_equal_closeness and has_cases(self.conditions)

    @property
    def k(self) -> int:
        """How many rows a group must have, whatever its values."""
        return least_rows(self.conditions)

    @cached_property
    def unit(self) -> int:
        """What a column weighs on average: reaches and steps are counted in it."""
        return usual_weight(self.problem)

    @cached_property
    def step_of_cost(self) -> int:
        """What all scaled costs are multiples of."""
        return math.gcd(*(int(weight) for weight in self.problem.table.scaled_weights)) or 1

    @cached_property
    def d(self) -> int:
        """D: whole multipliers under k-anonymity are counted in parts of it."""
        return denominator_of(self.problem)

    @cached_property
    def catalogue(self) -> Catalogue:
        """What cuts over the arcs are looked up in."""
        return Catalogue(self.arcs)

    @cached_property
    def programs(self) -> Programs:
        """Programs over the arcs."""
        return Programs(self.catalogue, self.problem)

    @cached_property
    def words(self) -> Words:
        """How proofs speak of records and patterns."""
        return words_of(self.asked, self.patterns)

    @cached_property
    def unproved(self) -> list[Condition]:
        """Conditions that have a rule here, and none in the checker."""
        return [condition for condition in self.conditions if not is_priced(condition)]

    @cached_property
    def is_ours(self) -> bool:
        """Whether all conditions are of this package, for which the engine proves no more than the checker: others may price too low."""
        return all(origin_of(condition) == OURS for condition in self.conditions)

    @property
    def checked_rules(self) -> tuple[Rule, ...]:
        """The rules that bounds may rest on: where the checker has none, the least size is all that is asked."""
        if not self.unproved:
            return self.rules
        alone = _size_alone(self.problem.table)
        return tuple(
            rule if is_priced(self.conditions[number]) else alone
            for rule, number in zip(self.rules, self.stated_by, strict=True)
        )


def instance_of(problem: CellSuppression) -> Instance:
    """Return what a run on a problem works on. O(2^m R (m + log R)) for R records, as for all patterns."""
    plain = without_others(problem)
    patterns = closed_patterns(plain)
    conditions = tuple(plain.principle.conditions(plain.table))
    found = [
        (number, rule_of(condition, plain.table))
        for number, condition in enumerate(conditions)
        if not _is_implied(condition, conditions)
    ]
    known = [(number, rule) for number, rule in found if rule is not None] or [(0, _size_alone(plain.table))]
    stated_by, rules = zip(*known, strict=True)
    # As the checker: the principle may know more than its conditions say of sizes alone.
    fewest = max(least_rows(conditions), plain.principle.least_size(plain.table))
    least = np.full(len(patterns), fewest, dtype=np.int64)
    if rows_alone(conditions) is None:
        _raise_to_legal(least, patterns, rules)
        patterns, least = patterns.only(least > 0), least[least > 0]
    copies = plain.table.records.multiplicity.astype(np.int64)
    arcs = Arcs(patterns.start, patterns.member, patterns.cost, copies, least)
    return Instance(problem, plain, patterns, conditions, rules, stated_by, arcs)


def _is_implied(condition: Condition, others: Sequence[Condition]) -> bool:
    """Tell whether another condition asks for all that this one does."""
    return isinstance(condition, AtLeastValues) and any(
        isinstance(other, Outweighed | AtLeastEntropy)
        and other.column == condition.column
        and other.values >= condition.values
        for other in others
    )


def _raise_to_legal(least: Counts, patterns: Patterns, rules: Sequence[Rule]) -> None:
    """Raise the least sizes of groups to such as rules allow, each of which raises what others must allow; 0 where there is none."""
    for _ in range(min(2, len(rules))):
        for rule in rules:
            for block, counts in counts_of(patterns, rule):
                check_time()
                wanted = least[block]
                found = rule.smallest(counts, np.maximum(1, wanted))
                least[block] = np.where(wanted > 0, found, 0)


def _size_alone(table: Table) -> Rule:
    """Return a rule that asks for nothing but the least size that all are told."""
    return DifferentValues("", np.zeros(len(table.records), dtype=np.int32), 1, 1)


def counts_of(patterns: Patterns, rule: Rule) -> Iterator[tuple[slice, Counts]]:
    """Yield how many rows of each value every pattern matches, a block of patterns at a time."""
    copies = patterns.table.records.multiplicity
    step = max(1, _CELLS // rule.values)
    for first in range(0, len(patterns), step):
        last = min(len(patterns), first + step)
        arcs = slice(int(patterns.start[first]), int(patterns.start[last]))
        member = patterns.member[arcs]
        group = np.repeat(np.arange(last - first), np.diff(patterns.start[first : last + 1]))
        yield slice(first, last), rule.counts(group, member, copies[member], last - first)


def without_others(problem: CellSuppression) -> CellSuppression:
    """Return the same question without the sensitive columns that the principle does not speak of."""
    table = problem.table
    named = {name for condition in problem.principle.conditions(table) for name in condition.columns}
    if named == set(table.sensitive):
        return problem
    sensitive = [name for name in table.sensitive if name in named]
    weights = dict(zip(table.quasi, table.weights, strict=True))
    frame = table.frame[[*table.quasi, *sensitive]]
    return CellSuppression(Table.from_frame(frame, table.quasi, sensitive, weights=weights), problem.principle)
