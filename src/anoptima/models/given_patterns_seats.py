"""Given patterns by the rows that fill their seats, in CP-SAT.

Sets: row types r with multiplicity s_r; patterns p in P with stars' weight c_p; r ~ p if p matches r; c*_r = min of c_p over r ~ p, at
the pattern p*_r. Every pattern has k seats. Rows without a seat are published as p*_r: more than k rows a pattern never hurt. Variables:
y_pr, how many rows of type r sit in seats of p.

    minimise    sum_r c*_r s_r + sum (c_p - c*_r) y_pr      over p in P, r ~ p
    (seats)     sum_r y_pr = k                              for each p in P
    (rows)      sum_p y_pr <= s_r
    0 <= y_pr <= min(k, s_r) whole

The only decision left is which rows keep an expensive pattern open. Both programs are flows, whole at every vertex, and their
relaxations are worth the optimum.

Size, for A pairs r ~ p: A variables, a row for each pattern of P and each row type, 2 A coefficients.
"""

from __future__ import annotations

import numpy as np

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, Model, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.problems.base import Problem
from anoptima.problems.given_patterns import GivenPatterns, Publication

_BYTES_AN_ENTRY = 220
"""As in the assignment model: a variable, row or coefficient in Python, in the proto and in the solver's process."""


@models.register
class GivenPatternsSeatsModel(Model[Publication]):
    """Rows to k seats of each given pattern, the others to their cheapest; for given patterns under k-anonymity."""

    name = "given-patterns-seats"
    language = Language.CP_SAT
    problems = (GivenPatterns,)

    def estimate(self, problem: Problem[Publication]) -> ModelSize:
        """Count the matches."""
        assert isinstance(problem, GivenPatterns)
        arcs, rows = int(problem.matches.sum()), sum(problem.matches.shape)
        return ModelSize(arcs, rows, 2 * arcs, (3 * arcs + rows) * _BYTES_AN_ENTRY, {"arcs": arcs})

    def build_unchecked(self, problem: Problem[Publication], size: ModelSize) -> BuiltGivenPatternsSeats:
        """Build the program. O(arcs)."""
        assert isinstance(problem, GivenPatterns)
        return BuiltGivenPatternsSeats(problem, size)


class BuiltGivenPatternsSeats(BuiltModel[Publication]):
    """The program; columns are the pairs of a pattern and a row type that it matches, pattern by pattern."""

    language = Language.CP_SAT
    problem: GivenPatterns

    def __init__(self, problem: GivenPatterns, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "cell suppression, given patterns by seats"
        super().__init__(problem, program, size)
        self._pattern, self._type = np.nonzero(problem.matches)
        multiplicity = problem.table.multiplicity
        costs = np.where(problem.matches, problem.scaled_costs[:, None], np.iinfo(np.int64).max)
        self._cheapest = costs.argmin(axis=0)
        least = problem.scaled_costs[self._cheapest]
        sits = [
            program.new_int_var(0, min(problem.least, int(multiplicity[r])), f"sits[{p},{r}]")
            for p, r in zip(self._pattern.tolist(), self._type.tolist(), strict=True)
        ]
        for p in range(len(problem.patterns)):
            check_time()
            program.add(sum(sits[a] for a in np.flatnonzero(self._pattern == p)) == problem.least).with_name("seats")
        for r in range(len(multiplicity)):
            check_time()
            if not problem.matches[:, r].any():
                program.add_bool_or([]).with_name("rows")  # no pattern publishes them
                continue
            program.add(sum(sits[a] for a in np.flatnonzero(self._type == r)) <= int(multiplicity[r])).with_name("rows")
        more = (problem.scaled_costs[self._pattern] - least[self._type]).tolist()
        program.minimize(cp_model.LinearExpr.weighted_sum(sits, more) + int(least @ multiplicity))

    def encode(self, solution: Publication) -> Values:
        """Seat the first k rows of each pattern."""
        published = np.zeros(self.problem.matches.shape, dtype=np.int64)
        np.add.at(published, (solution.pattern, self.problem.table.type_of_row), 1)
        seated = np.diff(np.minimum(published.cumsum(axis=1), self.problem.least), axis=1, prepend=0)
        values: Values = seated[self._pattern, self._type].astype(float)
        return values

    def decode(self, values: Values) -> Publication:
        """Deal the rows of each type out to the seats, and those that are left to their cheapest pattern."""
        table = self.problem.table
        published = np.zeros(self.problem.matches.shape, dtype=np.int64)
        published[self._pattern, self._type] = np.rint(values).astype(np.int64)
        published[self._cheapest, np.arange(len(table.types))] += table.multiplicity - published.sum(axis=0)
        kind, place = np.nonzero(published.T)
        pattern = np.empty(table.rows, dtype=np.int64)
        pattern[np.argsort(table.type_of_row, kind="stable")] = np.repeat(place, published.T[kind, place])
        return Publication(pattern)
