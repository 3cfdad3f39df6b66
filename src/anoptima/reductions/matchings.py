"""The common part of the reductions from matchings to partitions: groups that are edges form the matching, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anoptima.exact import Exact
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.sources.matching import Matching, MatchingProblem
from anoptima.reductions.base import Affine
from anoptima.reductions.tables import groups_of


@dataclass(frozen=True, eq=False)
class EdgesAsGroups(Affine[Matching, Partition]):
    """Rows are members, then rows that are none; a group keeps a column only if it consists of the members of its edge.

    With n members and `added` rows that are in no edge, N in all, and m edges of k members each: a partition with q groups that are
    edges costs (N - k q) m + k q (m - 1) or more, which is N (m - 1) + (N - n) + (n - k q). Hence
    OPT(target) = N (m - 1) + (N - n) + OPT(source), if the N - k q rows that no edge takes may be a group.
    """

    others: int = 0
    """The number of rows, the last ones, that may each be a group of its own at no cost."""
    added: int = 0
    """The number of rows after the members that count as members in no edge."""

    @cached_property
    def matchings(self) -> MatchingProblem:
        """The source."""
        assert isinstance(self.source, MatchingProblem)
        return self.source

    @cached_property
    def _edge(self) -> Mapping[frozenset[int], int]:
        return {frozenset(members): number for number, members in enumerate(self.matchings.members)}

    def forward(self, solution: Matching) -> Partition:
        """Let each edge be a group, the members that are left over and the added ones another, and every other row one of its own."""
        members = len(self.matchings.named) + self.added
        labels = np.zeros(members + self.others, dtype=np.int64)
        for label, number in enumerate(self.matchings.numbers(solution), start=1):
            labels[list(self.matchings.members[number])] = label
        labels[members:] = members + np.arange(self.others)
        return Partition.from_labels(labels)

    def backward(self, solution: Partition) -> Matching:
        """Take the groups that are edges."""
        size = self.matchings.edge_size
        groups = (frozenset(group.tolist()) for group in groups_of(solution.labels) if len(group) == size)
        return self.matchings.matching(self._edge[group] for group in groups if group in self._edge)

    @property
    def offset(self) -> Exact:
        """N (m - 1) + (N - n): what a perfect matching comes to."""
        n, m = len(self.matchings.named), len(self.matchings.choices)
        return n * (m - 1) + self.added * m
