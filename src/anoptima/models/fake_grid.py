"""Fake points and fake boxes by counts on the grid, as a mixed-integer program (Alvarez, Chambers, Kozma; repaired at the border).

In points: candidates a are aligned places; cells tau are the kinds of test boxes that differ in the candidates they hold; b_tau is the
number of data points in tau. In boxes: candidates are positions of boxes on the grid that the data's sides span, cells are the cells of
the arrangement of all those sides, and b_tau is the depth of the data's boxes there. Either way, with y_a fakes at a, at most u_a = k -
(data at a), and w_tau = 1 if tau holds a fake:

    minimise    sum y_a
    (need)      sum_{a in tau} y_a >= k - b_tau        cells with 1 <= b_tau < k
    (company)   sum_{a in tau} y_a >= k w_tau          cells with b_tau = 0
    (link)      y_a <= u_a w_tau  for a in tau         cells with b_tau = 0
    0 <= y_a <= u_a whole,  w_tau in {0, 1}

Without (company) and (link) the fakes could make sparse cells of their own. Redundant cells and candidates are left out: see
`fake_arrangement`. All border regimes are in the cells, which are those of the tested corners alone.

Size, for A candidates, N cells with need, E empty cells, L pairs of a candidate and an empty cell that it covers, and I entries of (need)
and (company): A + E variables, N + E + L rows, I + E + 2 L coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.base import Language, Model, ModelSize
from anoptima.models.fake_arrangement import BuiltFakes, extent_of
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints

_BYTES_A_VARIABLE = 700
_BYTES_A_ROW = 900
_BYTES_A_COEFFICIENT = 150


@models.register
class FakeGridModel(Model[Any]):
    """Counts of fakes on the grid, a 0/1 variable for each cell without data; for fake points and fake boxes."""

    name = "fake-grid"
    language = Language.PYOMO
    problems = (FakePoints, FakeBoxes)

    def estimate(self, problem: Problem[Any]) -> ModelSize:
        """Count from the arrangement: exactly, or from above where that would take too long."""
        assert isinstance(problem, FakePoints | FakeBoxes)
        extent = extent_of(problem.as_points())
        variables = extent.candidates + extent.choices
        rows = extent.needs + extent.choices + extent.links
        coefficients = extent.entries + extent.choices + 2 * extent.links
        memory = variables * _BYTES_A_VARIABLE + rows * _BYTES_A_ROW + coefficients * _BYTES_A_COEFFICIENT
        detail = {"candidates": extent.candidates, "cells": extent.needs + extent.choices}
        return ModelSize(variables, rows, coefficients, memory, detail)

    def build_unchecked(self, problem: Problem[Any], size: ModelSize) -> BuiltFakeGrid:
        """Build the program. O(coefficients)."""
        return BuiltFakeGrid(problem, size)


class BuiltFakeGrid(BuiltFakes[Any]):
    """The program; columns are y, then w."""

    language = Language.PYOMO

    def __init__(self, problem: Problem[Any], size: ModelSize) -> None:
        program = pyo.ConcreteModel(name=f"{problem.name}, grid program")
        super().__init__(problem, program, size)
        found, k = self.arrangement, self._view.k
        program.fakes = pyo.Var(range(len(found.places)), domain=pyo.NonNegativeIntegers)
        fakes = list(program.fakes.values())
        for variable, cap in zip(fakes, found.caps, strict=True):
            variable.setub(cap)
        program.chosen = pyo.Var(range(len(found.choices)), domain=pyo.Binary)
        writer = PyomoWriter(program)
        for need in found.needs:
            check_time()
            writer.row("need", [1] * len(need.members), [fakes[a] for a in need.members], need.least, None)
        for chosen, choice in zip(program.chosen.values(), found.choices, strict=True):
            members = [fakes[a] for a in choice.members]
            writer.row("company", [*([1] * len(members)), -k], [*members, chosen], 0, None)
            for a in choice.linked:
                writer.row("link", [1, -found.caps[a]], [fakes[a], chosen], None, 0)
        writer.finish()
        program.count = pyo.Objective(expr=sum(fakes))
