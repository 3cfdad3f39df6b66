"""Patch cover, patch by patch.

Variables: g_p, the window that patch p is assigned to, among those that hold it; x_w true if any patch is assigned to window w.

    minimise    sum_w x_w
    (assigned)  g_p = w => x_w                      for each patch p and window w that holds it
    (block)     sum_{w meets S} x_w >= ceil(|S| / c)    for each block S, of which no window holds more than c patches

Written with b_pw = 1 if g_p = w.

Size, for w windows, p patches, b blocks, h pairs of a window and a patch in it and m pairs of a window and a block that it meets: w + h
variables, p + h + b constraints, 3 h + m coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.models import models
from anoptima.models.base import BuiltModel, Language, ModelSize, Values
from anoptima.models.languages import cp_model
from anoptima.models.sources.source_model import SourceModel
from anoptima.problems.sources.patch_cover import PatchCover, Windows


class BuiltWindowAssignment(BuiltModel[Windows]):
    """The program, and where its variables are."""

    language = Language.CP_SAT
    problem: PatchCover

    def __init__(self, problem: PatchCover, size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = "patch cover by assignment"
        super().__init__(problem, program, size)
        self._taken = {corner: program.new_bool_var(f"taken[{corner}]") for corner in problem.maximal}
        self._assigned = {
            (place, corner): program.new_bool_var(f"assigned[{place},{corner}]")
            for place, holders in enumerate(problem.holders)
            for corner in holders
        }
        for place, holders in enumerate(problem.holders):
            program.add_exactly_one(self._assigned[place, corner] for corner in holders)
            for corner in holders:
                program.add_implication(self._assigned[place, corner], self._taken[corner])
        for meeting, least in problem.needs:
            program.add(sum(self._taken[corner] for corner in sorted(meeting)) >= least)
        program.minimize(sum(self._taken.values()))

    def encode(self, solution: Windows) -> Values:
        """Assign every patch to the first window, of those that are taken, that holds it."""
        values = np.zeros(len(self.program.proto.variables))
        taken = self.problem.as_maximal(solution)
        for corner in taken:
            values[self._taken[corner].index] = 1
        for place, holders in enumerate(self.problem.holders):
            values[self._assigned[place, next(corner for corner in holders if corner in taken)].index] = 1
        return values

    def decode(self, values: Values) -> Windows:
        """Read x."""
        return Windows(frozenset(corner for corner, taken in self._taken.items() if values[taken.index] > 0.5))


@models.register
class WindowAssignmentModel(SourceModel[Windows]):
    """Patches assigned to windows that cover them; for patch cover."""

    name = "window-assignment"
    problems = (PatchCover,)
    built = BuiltWindowAssignment

    def counts(self, problem: Any) -> tuple[int, int, int]:
        """A variable a window and a place in a window; a row a patch and a block, an implication a place."""
        held, patches, windows = sum(map(len, problem.maximal.values())), len(problem.patches), len(problem.maximal)
        meeting = sum(len(windows) for windows, _ in problem.needs)
        return windows + held, patches + held + len(problem.blocks), 3 * held + meeting
