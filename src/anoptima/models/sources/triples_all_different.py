"""Three-dimensional matching as two functions: every element of W gets one of X and one of Y, no two the same.

For W = X = Y = {0, ..., n - 1} by place. Variables: p_i in {0, ..., n - 1} or n + i, i's partner in X; q_i likewise in Y; n + i is a
dummy of i's own and says that i is left over; l_i = 1 if it is.

    minimise    3 sum_i l_i
    (table)     (p_i, q_i, l_i) is (x, y, 0) for a triple (i, x, y), or it is (n + i, n + i, 1)
    (different) the p_i are all different, the q_i are all different

Size, for n elements of W and t triples: 3 n variables, n + 2 constraints, 3 (t + n) + 2 n entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel
from anoptima.problems.sources.matching import Matching
from anoptima.problems.sources.three_dimensional_matching import ThreeDimensionalMatching


class BuiltTriplesAllDifferent(BuiltModel[Matching]):
    """The program; variables are p_i, q_i, l_i for each i in turn."""

    language = Language.CP_SAT
    problem: ThreeDimensionalMatching

    def __init__(self, problem: ThreeDimensionalMatching, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "three-dimensional matching by partners"
        super().__init__(problem, program, size)
        n = len(problem.w)
        rows: list[dict[tuple[int, int], int]] = [{} for _ in range(n)]
        for number, (w, x, y) in enumerate(problem.members):
            rows[w][x - n, y - 2 * n] = number
        self._triple_of = rows
        partners: tuple[list[Any], list[Any]] = ([], [])
        left = []
        for i, row in enumerate(rows):
            for part, name in enumerate("xy"):
                domain = cp_model.Domain.from_values([*{pair[part] for pair in row}, n + i])
                partners[part].append(program.new_int_var_from_domain(domain, f"{name}_of[{i}]"))
            left.append(program.new_bool_var(f"left_over[{i}]"))
            allowed = [*((x, y, 0) for x, y in row), (n + i, n + i, 1)]
            program.add_allowed_assignments([partners[0][i], partners[1][i], left[i]], allowed)
        for partner in partners:
            program.add_all_different(partner)
        program.minimize(3 * sum(left))

    def encode(self, solution: Matching) -> Values:
        """Give the elements of W their partners, and their dummies to those left over."""
        n = len(self.problem.w)
        values = np.array([[n + i, n + i, 1] for i in range(n)], dtype=float)
        for number in self.problem.numbers(solution):
            w, x, y = self.problem.members[number]
            values[w] = (x - n, y - 2 * n, 0)
        return values.reshape(-1)

    def decode(self, values: Values) -> Matching:
        """Look up the triples."""
        pairs = np.rint(values).astype(int).reshape(-1, 3)[:, :2].tolist()
        found = [row.get((x, y)) for row, (x, y) in zip(self._triple_of, pairs, strict=True)]
        return self.problem.matching(number for number in found if number is not None)


@models.register
class TriplesAllDifferentModel(SourceModel[Matching]):
    """Partners in X and Y for the elements of W, all different; for three-dimensional matching."""

    name = "triples-all-different"
    problems = (ThreeDimensionalMatching,)
    built = BuiltTriplesAllDifferent

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """Three variables and a table an element of W."""
        n = len(problem.w)
        return 3 * n, n + 2, 3 * (len(problem.triples) + n) + 2 * n
