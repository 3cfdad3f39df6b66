"""Set partition over all groups of k to 2k - 1 rows, for the k-minimum diameter sum.

The program of `groups`, with kinds = row types and c_G = the diameter of G:

    minimise    sum diam(G) u_G
    (cover)     sum_G a_Gr u_G = n_r             every row is in one group
    u_G >= 0 whole

Size: a variable for each multiset of k to 2k - 1 rows, by kinds; a row for each kind; a coefficient for each kind in each group.
"""

from __future__ import annotations

import numpy as np

from anoptima.models import models
from anoptima.models.group_lists import GroupList, RowKinds, kinds_by_type
from anoptima.models.groups import GroupsModel, diameters
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import Partition
from anoptima.problems.diameter_sum import DiameterSum, scaled_distances
from anoptima.table import Counts


@models.register
class DiameterGroupsModel(GroupsModel):
    """All groups of k to 2k - 1 rows, used or not; for the diameter sum."""

    name = "diameter-groups"
    problems = (DiameterSum,)

    def kinds(self, problem: Problem[Partition]) -> RowKinds:
        """Rows of one type are alike, and any may be grouped."""
        assert isinstance(problem, DiameterSum)
        return kinds_by_type(problem.table, problem.k)

    def costs(self, problem: Problem[Partition], groups: GroupList) -> Counts:
        """Return the scaled diameter of each group."""
        assert isinstance(problem, DiameterSum)
        return diameters(scaled_distances(problem.table, np.arange(len(problem.table.types))), groups)
