"""Fake points and fake boxes by depths with gaps, as a constraint program in CP-SAT.

Candidates and cells as in `fake_grid`; in boxes, y_a boxes lie at position a, and the fakes' depth of cell tau is the sum of y_a over
the positions that cover it. A literal f_a says that there is a fake at a, and d_tau that tau is covered:

    minimise    sum y_a
    (need)      sum_{a covers tau} y_a >= k - b_tau        cells with 1 <= b_tau < k
    (place)     not f_a => y_a = 0
    (cover)     f_a => d_tau                              where a covers tau, cells with b_tau = 0
    (depth)     d_tau => sum_{a covers tau} y_a >= k      cells with b_tau = 0
    y_a in {0, ..., u_a}

Implications and enforced rows take the place of products with k: nothing here has a coefficient other than 1. A cell that no fake
covers needs no row, because nothing forces d_tau.

Size, for A candidates, N cells with need, E empty cells, L pairs of a candidate and an empty cell that it covers, and I entries of (need)
and (depth): 2 A + E variables, A + N + E + L rows, 2 A + I + 2 L coefficients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anoptima.deadline import check_time
from anoptima.models import models
from anoptima.models.base import Language, Model, ModelSize, Values
from anoptima.models.fake_arrangement import BuiltFakes, extent_of
from anoptima.models.languages import cp_model
from anoptima.problems.base import Problem
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.fake_points import FakePoints

_BYTES_AN_ENTRY = 220
"""A variable, a short row or a member of a long one: in Python, in the proto and in the solver's process."""


@models.register
class FakeDepthsModel(Model[Any]):
    """Depths that are 0 or at least k, by implications; for fake points and fake boxes."""

    name = "fake-depths"
    language = Language.CP_SAT
    problems = (FakePoints, FakeBoxes)

    def estimate(self, problem: Problem[Any]) -> ModelSize:
        """Count from the arrangement: exactly, or from above where that would take too long."""
        assert isinstance(problem, FakePoints | FakeBoxes)
        extent = extent_of(problem.as_points())
        variables = 2 * extent.candidates + extent.choices
        rows = extent.candidates + extent.needs + extent.choices + extent.links
        coefficients = 2 * extent.candidates + extent.entries + 2 * extent.links
        memory = (variables + rows + coefficients) * _BYTES_AN_ENTRY
        detail = {"candidates": extent.candidates, "cells": extent.needs + extent.choices}
        return ModelSize(variables, rows, coefficients, memory, detail)

    def build_unchecked(self, problem: Problem[Any], size: ModelSize) -> BuiltFakeDepths:
        """Build the program. O(coefficients)."""
        return BuiltFakeDepths(problem, size)


class BuiltFakeDepths(BuiltFakes[Any]):
    """The program; columns are y, then d, then f."""

    language = Language.CP_SAT

    def __init__(self, problem: Problem[Any], size: ModelSize) -> None:
        program = cp_model.CpModel()
        program.name = f"{problem.name}, depths with gaps"
        super().__init__(problem, program, size)
        found, k = self.arrangement, self._view.k
        fakes = [program.new_int_var(0, cap, f"fakes[{a}]") for a, cap in enumerate(found.caps)]
        covered = [program.new_bool_var(f"covered[{c}]") for c in range(len(found.choices))]
        placed = [program.new_bool_var(f"placed[{a}]") for a in range(len(found.places))]
        for fake, here in zip(fakes, placed, strict=True):
            program.add(fake == 0).only_enforce_if(~here).with_name("place")
        for need in found.needs:
            check_time()
            program.add(sum(fakes[a] for a in need.members) >= need.least).with_name("need")
        for deep, choice in zip(covered, found.choices, strict=True):
            program.add(sum(fakes[a] for a in choice.members) >= k).only_enforce_if(deep).with_name("depth")
            for a in choice.linked:
                program.add_implication(placed[a], deep)
        program.minimize(sum(fakes))

    def encode(self, solution: Any) -> Values:
        """Carry the fakes to the candidates."""
        values = super().encode(solution)
        placed = values[: len(self.arrangement.places)] > 0
        return np.concatenate([values, placed.astype(np.float64)])
