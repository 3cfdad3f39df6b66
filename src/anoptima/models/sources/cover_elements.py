"""Minimum cover as elements that name the set they are covered by.

Variables: g_e, the set that element e names, one of those that have it; x_j true if set j is named by any.

    minimise    sum_j x_j
    (named)     g_e = j => x_j                          for each element e and set j that has it
    (counted)   sum_j |j| x_j >= u                       with u elements in all

(counted) follows from the others: a choice that is too small for the universe cannot be named by all of it. Written with b_ej = 1 if
g_e = j.

Size, for s sets, u elements and p = sum |j| places: s + p variables, u + p + 1 constraints, s + 3 p coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel
from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover


class BuiltCoverElements(BuiltModel[ChosenSets]):
    """The program, and where its variables are."""

    language = Language.CP_SAT
    problem: MinimumCover

    def __init__(self, problem: MinimumCover, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "minimum cover by elements"
        super().__init__(problem, program, size)
        self._used = [program.new_bool_var(f"used[{j}]") for j in range(len(problem.names))]
        self._names = {
            (e, j): program.new_bool_var(f"names[{e},{j}]") for e, own in enumerate(problem.holders) for j in own
        }
        for e, own in enumerate(problem.holders):
            program.add_exactly_one(self._names[e, j] for j in own)
            for j in own:
                program.add_implication(self._names[e, j], self._used[j])
        sizes = [len(members) for members in problem.sets]
        program.add(sum(s * used for s, used in zip(sizes, self._used, strict=True)) >= len(problem.universe))
        program.minimize(sum(self._used))

    def encode(self, solution: ChosenSets) -> Values:
        """Let every element name the first chosen set that has it; chosen sets that none names stay chosen."""
        values = np.zeros(len(self.program.proto.variables))
        taken = {j for j, name in enumerate(self.problem.names) if name in solution.names}
        for j in taken:
            values[self._used[j].index] = 1
        for e, own in enumerate(self.problem.holders):
            values[self._names[e, next(j for j in own if j in taken)].index] = 1
        return values

    def decode(self, values: Values) -> ChosenSets:
        """Read x."""
        names = zip(self.problem.names, self._used, strict=True)
        return ChosenSets(frozenset(name for name, used in names if values[used.index] > 0.5))


@models.register
class CoverElementsModel(SourceModel[ChosenSets]):
    """Elements assigned to sets that contain them; for minimum cover."""

    name = "cover-elements"
    problems = (MinimumCover,)
    built = BuiltCoverElements

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a set and a place in a set; a row an element and an implication a place."""
        places, elements, sets = sum(map(len, problem.sets)), len(problem.universe), len(problem.names)
        return sets + places, elements + places + 1, 3 * places + sets
