from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model

import anoptima as ao
from anoptima.models import models
from tests.grouping import Instance, diameter


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    return diameter(lambda options: draw(st.sampled_from(options)))


@given(instances(), st.data())
def test_a_partition_goes_in_and_comes_out_at_its_cost(instance: Instance, data: st.DataObject) -> None:
    problem = instance.problem
    if problem.why_infeasible() is not None:
        return
    solution = instance.partition(lambda options: data.draw(st.sampled_from(options)))
    built = models.get("diameter-assignment").build(problem)
    values = built.encode(solution)
    assert built.decode(values) == solution
    fixed = built.program.clone()
    for j, value in enumerate(values.astype(int).tolist()):
        fixed.add(fixed.get_int_var_from_proto_index(j) == value)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(fixed) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    assert round(solver.objective_value) == problem.cost(solution) * problem.cost_scale


def test_the_estimate_is_not_below_the_size() -> None:
    built = models.get("diameter-assignment").build(ao.DiameterSum(ao.ten_rows(), 3))
    proto = built.program.proto
    assert built.size.variables >= len(proto.variables)
    assert built.size.constraints >= len(proto.constraints)


def test_it_is_for_the_diameter_sum() -> None:
    with pytest.raises(ao.NotApplicable, match="the diameter-assignment model is for diameter-sum, not for cell-supp"):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), "diameter-assignment/cp-sat")


def test_equal_rows_need_no_widths() -> None:
    problem = ao.DiameterSum(ao.Table.from_frame(pd.DataFrame({"a": np.zeros(5, dtype=int)}), ["a"]), 2)
    built = models.get("diameter-assignment").build(problem)
    assert problem.cost(built.decode(built.encode(problem.trivial()))) == 0
