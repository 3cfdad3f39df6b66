"""Patch cover, window by window.

Variables: x_w = 1 if window w is taken, for the windows that hold a set of patches that is in no larger one.

    minimise    sum_w x_w
    (held)      sum_{w holds p} x_w >= 1                for each patch p
    (block)     sum_{w meets S} x_w >= ceil(|S| / c)    for each block S, of which no window holds more than c patches

(block) follows from (held) for whole x: it is the sum of (held) over S, divided by c and rounded up. For the loops and the wires of
the construction of fake boxes it makes the bound of the linear program that of the theorem.

Size, for w windows, p patches, b blocks, h pairs of a window and a patch in it and m pairs of a window and a block that it meets: w
variables, p + b rows, h + m coefficients.
"""

from __future__ import annotations

from typing import Any

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import pyo
from anoptima.models.pyomo_writer import PyomoWriter
from anoptima.models.sources.source_model import SourceModel, chosen, ones
from anoptima.problems.sources.patch_cover import PatchCover, Windows


class BuiltPatchWindows(BuiltModel[Windows]):
    """The program; columns are x."""

    language = Language.PYOMO
    problem: PatchCover

    def __init__(self, problem: PatchCover, size: ModelSize) -> None:
        program = pyo.ConcreteModel(name="patch cover by windows")
        super().__init__(problem, program, size)
        self._corners = list(problem.maximal)
        self._column = {corner: column for column, corner in enumerate(self._corners)}
        writer = PyomoWriter(program)
        taken = {corner: writer.flag("taken") for corner in self._corners}
        for holders in problem.holders:
            writer.row("held", [1] * len(holders), [taken[corner] for corner in holders], 1, None)
        for meeting, least in problem.needs:
            columns = [taken[corner] for corner in sorted(meeting)]
            writer.row("block", [1] * len(columns), columns, least, None)
        writer.finish()
        program.cost = pyo.Objective(expr=pyo.quicksum(taken.values()))

    def encode(self, solution: Windows) -> Values:
        """Set x: a window that holds less than it could stands for one that holds more; what holds nothing stands for nothing."""
        return ones(len(self._corners), (self._column[corner] for corner in self.problem.as_maximal(solution)))

    def decode(self, values: Values) -> Windows:
        """Read x."""
        return Windows(frozenset(self._corners[column] for column in chosen(values)))


@models.register
class PatchWindowsModel(SourceModel[Windows]):
    """Windows that cover every patch, with a cut for each block; for patch cover."""

    name = "patch-windows"
    problems = (PatchCover,)
    built = BuiltPatchWindows

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a window, a row a patch and a block."""
        held = sum(map(len, problem.maximal.values()))
        meeting = sum(len(windows) for windows, _ in problem.needs)
        return len(problem.maximal), len(problem.patches) + len(problem.blocks), held + meeting
