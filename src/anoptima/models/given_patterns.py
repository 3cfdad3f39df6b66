"""The pattern program for one given set P of open patterns (Chakaravarthy, Pandit, Sabharwal 2010, section 4, repaired).

Sets: row types r with multiplicity s_r; patterns p in P with stars' weight c_p; r ~ p if p matches r. Variables: x_pr, how many rows
of type r are published as p.

    minimise    sum c_p x_pr                    over p in P, r ~ p
    (open)      sum_r x_pr >= k                 for each p in P
    (cover)     sum_{p in P} x_pr = s_r         every row is published, as a pattern of P
    x_pr >= 0

A network flow: continuous, and whole at every vertex. As printed, (cover) sums over all patterns there are; then a pattern outside P
may take rows without having k of them: for rows 0, 0, 1, k = 2 and P = {0} the printed program has value 0, although row 1 has no
pattern in P, and 3 stars are needed whichever patterns are open.

Size, for A pairs r ~ p: A variables, a row for each pattern of P and each row type, 2 A coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.languages import pyo, weighted_sum
from anoptima.models.matrix import IMPLIED
from anoptima.problems.base import Problem
from anoptima.problems.given_patterns import GivenPatterns, Publication
from anoptima.problems.lower_bounds import serve_cheapest
from anoptima.table import Counts

_BYTES_AN_ARC = 1000
_BYTES_A_ROW = 900
"""As in the pattern model: a variable and its two coefficients."""


@models.register
class GivenPatternsModel(Model[Publication]):
    """Rows to given patterns, a network flow; for given patterns under k-anonymity."""

    name = "given-patterns"
    language = Language.PYOMO
    problems = (GivenPatterns,)

    def estimate(self, problem: Problem[Publication]) -> ModelSize:
        """Count the matches."""
        assert isinstance(problem, GivenPatterns)
        arcs, rows = int(problem.matches.sum()), sum(problem.matches.shape)
        return ModelSize(arcs, rows, 2 * arcs, arcs * _BYTES_AN_ARC + rows * _BYTES_A_ROW, {"arcs": arcs})

    def build_unchecked(self, problem: Problem[Publication], size: ModelSize) -> BuiltGivenPatterns:
        """Build the program. O(arcs)."""
        assert isinstance(problem, GivenPatterns)
        return BuiltGivenPatterns(problem, size)


class BuiltGivenPatterns(BuiltModel[Publication]):
    """The program; columns are the pairs of a pattern and a row type that it matches, pattern by pattern."""

    language = Language.PYOMO
    problem: GivenPatterns

    def __init__(self, problem: GivenPatterns, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="cell suppression, given patterns")
        super().__init__(problem, program, size)
        self._pattern, self._type = np.nonzero(problem.matches)
        multiplicity = problem.table.multiplicity
        program.x = pyo.Var(range(len(self._pattern)), domain=pyo.NonNegativeReals)
        setattr(program, IMPLIED, pyo.Suffix())
        getattr(program, IMPLIED)[program.x] = True
        x = list(program.x.values())
        for variable, limit in zip(x, multiplicity[self._type].tolist(), strict=True):
            variable.setub(limit)
        of_pattern = [np.flatnonzero(self._pattern == p) for p in range(len(problem.patterns))]
        of_type = [np.flatnonzero(self._type == r) for r in range(len(multiplicity))]
        program.open = pyo.Constraint(
            range(len(of_pattern)), rule=lambda _, p: (problem.least, _sum([x[a] for a in of_pattern[p]]), None)
        )
        program.cover = pyo.Constraint(
            range(len(of_type)), rule=lambda _, r: (_sum([x[a] for a in of_type[r]]), int(multiplicity[r]))
        )
        costs = problem.scaled_costs[self._pattern].tolist()
        program.stars = pyo.Objective(expr=weighted_sum(costs, x))

    def encode(self, solution: Publication) -> Values:
        """Count the rows of each type that each pattern publishes."""
        arc = np.full(self.problem.matches.shape, -1, dtype=np.int64)
        arc[self._pattern, self._type] = np.arange(len(self._pattern))
        used = arc[solution.pattern, self.problem.table.type_of_row]
        return np.bincount(used, minlength=len(self._pattern)).astype(float)

    def decode(self, values: Values) -> Publication:
        """Deal the rows of each type out to the patterns as x says; by a flow of our own where x is no vertex, and so not whole."""
        table = self.problem.table
        published = np.rint(values[: len(self._pattern)]).astype(np.int64)
        covered = np.bincount(self._type, weights=published, minlength=len(table.types))
        if np.abs(published - values[: len(self._pattern)]).max() > 1e-4 or (covered != table.multiplicity).any():
            published = self._whole()
        order = np.lexsort((self._pattern, self._type))
        pattern = np.empty(table.rows, dtype=np.int64)
        pattern[np.argsort(table.type_of_row, kind="stable")] = np.repeat(self._pattern[order], published[order])
        return Publication(pattern)

    def _whole(self) -> Counts:
        problem = self.problem
        arcs = list(zip(self._pattern.tolist(), self._type.tolist(), strict=True))
        costs = [(p, r, int(problem.scaled_costs[p])) for p, r in arcs]
        served = serve_cheapest(problem.table.multiplicity.tolist(), costs, range(len(problem.patterns)), problem.least)
        return np.array([served.get(arc, 0) for arc in arcs], dtype=np.int64)


def _sum(variables: list[Any]) -> Any:
    return weighted_sum([1] * len(variables), variables)
