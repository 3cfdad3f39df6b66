"""Minimum cover, element by element.

Variables: x_j = 1 if set j is chosen.

    minimise    sum_j x_j
    (covered)   sum_{j has e} x_j >= 1          for each element e

Size, for s sets, u elements and p = sum |j| places: s variables, u rows, p coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.minimum_cover import ChosenSets, MinimumCover


class BuiltCoverSets(BuiltModel[ChosenSets]):
    """The program; columns are x."""

    language = Language.PYOMO
    problem: MinimumCover

    def __init__(self, problem: MinimumCover, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="minimum cover by sets")
        super().__init__(problem, program, size)
        writer = PyomoWriter(program)
        choose = [writer.flag("choose") for _ in problem.names]
        for holders in problem.holders:
            writer.row("covered", [1] * len(holders), [choose[number] for number in holders], 1, None)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(choose))

    def encode(self, solution: ChosenSets) -> Values:
        """Set x."""
        names = self.problem.names
        return ones(len(names), [number for number, name in enumerate(names) if name in solution.names])

    def decode(self, values: Values) -> ChosenSets:
        """Read x."""
        return ChosenSets(frozenset(self.problem.names[number] for number in chosen(values)))


@models.register
class CoverSetsModel(SourceModel[ChosenSets]):
    """Sets that cover every element; for minimum cover."""

    name = "cover-sets"
    problems = (MinimumCover,)
    built = BuiltCoverSets

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a set, a row an element."""
        return len(problem.names), len(problem.universe), sum(map(len, problem.sets))
