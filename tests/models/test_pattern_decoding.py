"""Values that are no vertex are read as whole rows that cost no more: solvers may return any point of an optimal face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import anoptima as ao
from anoptima.models.matrix import MatrixForm
from anoptima.models.relaxation import linear_solvers
from anoptima.solvers.claimed_values import what_is_wrong

Vector = NDArray[np.float64]


def mixture(form: MatrixForm, opened: NDArray[np.bool_], dice: np.random.Generator) -> Vector | None:
    """Return a mixture of vertices of one program that have the same whole columns; those of `opened` are chosen by chance."""
    solver, lower, upper = linear_solvers.get("highs"), form.lower.copy(), form.upper.copy()
    relaxed = replace(form, integer=np.zeros(form.columns, dtype=bool), lower=lower, upper=upper)
    lower[opened] = upper[opened] = dice.random(opened.sum()) < 0.6
    shut = form.integer & ~opened & (dice.random(form.columns) < 0.5)
    upper[shut] = 0
    found = solver.optimum(replace(relaxed, objective=dice.random(form.columns)), None)
    if found is None:
        return None
    lower[form.integer] = upper[form.integer] = np.rint(found.values[form.integer])
    vertices = [solver.optimum(replace(relaxed, objective=dice.normal(size=form.columns)), None) for _ in range(6)]
    values = np.array([vertex.values for vertex in vertices if vertex is not None])
    return dice.dirichlet(np.ones(6)) @ values if len(values) == 6 else None


@pytest.mark.parametrize("seed", [230, 539, 613, 714, 1, 4, 8])
@pytest.mark.parametrize("least", [2, 3])
def test_mixtures_of_vertices_cost_no_more_as_whole_rows(seed: int, least: int) -> None:
    """The first four: a value of which less than one row is published as a pattern need not be there."""
    dice = np.random.default_rng(seed)
    frame = pd.DataFrame(dice.integers(0, (3, 2, 4), (dice.integers(4, 10), 3)), columns=["a", "b", "s"])
    table = ao.Table.from_frame(frame, ["a", "b"], sensitive="s")
    problem = ao.CellSuppression(table, ao.LDiversity(least, "s", "distinct"))
    if problem.why_infeasible() is not None:
        return
    built = ao.get_model("pattern").build(problem)
    opened = np.array([name.startswith("z[") for name in built.names])
    for _ in range(6):
        values = mixture(built.matrix, opened, dice)
        if values is not None and what_is_wrong(built.read(), values, None) is None:
            solution = built.decode(values)
            assert not problem.violations(solution)
            assert problem.cost(solution) <= float(built.matrix.objective @ values) + 1e-6
