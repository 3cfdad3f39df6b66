from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from tests.cases import seeded
from tests.grouping import Instance, anonymity, closeness, diversity
from tests.loops import each
from tests.trial import judge_ways

DRAWN = {"k-anonymity": anonymity, "frequency l-diversity": diversity, "t-closeness": closeness}


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    make = DRAWN[draw(st.sampled_from(list(DRAWN)))]
    return make(lambda options: draw(st.sampled_from(options)))


@pytest.mark.parametrize("kind", DRAWN)
@each("seed", range(4))
def test_mip_backends_find_the_optimum(kind: str, seed: int) -> None:
    instance = DRAWN[kind](seeded(seed))
    for backend in ("highs", "cp-sat"):
        answer = ao.solve(instance.problem, f"assignment-mip/{backend}", start=None, threads=1)
        assert answer.cost == instance.optimum, (backend, instance.told)
        assert answer.claim is (ao.Claim.INFEASIBLE if instance.optimum is None else ao.Claim.OPTIMAL), instance.told


@given(instances(), st.data())
def test_a_partition_goes_in_and_out(instance: Instance, data: st.DataObject) -> None:
    if instance.problem.why_infeasible() is not None:
        return
    solution = instance.partition(lambda options: data.draw(st.sampled_from(options)))
    wrong = list(judge_ways(models.get("assignment-mip").build(instance.problem), [solution]))
    assert not wrong, f"{wrong}\n{instance.told}"


@given(instances())
def test_the_twins_have_the_same_columns_and_the_size_is_known(instance: Instance) -> None:
    built, twin = (models.get(name).build(instance.problem) for name in ("assignment-mip", "assignment"))
    problem: Any = instance.problem
    is_size_alone = isinstance(problem.principle, ao.KAnonymity)
    assert sorted(built.names) == sorted(twin.names) or not is_size_alone
    form, size = built.matrix, built.size
    actual = form.columns, form.rows, len(form.column)
    estimated = size.variables, size.constraints, size.coefficients
    assert all(one <= other for one, other in zip(actual, estimated, strict=True)), instance.told
    if is_size_alone and problem.principle.least_size(problem.table) > 1:
        assert actual == estimated, instance.told


def test_it_says_what_it_is_not_for() -> None:
    reason = models.get("assignment-mip").why_not(ao.DiameterSum(ao.ten_rows(), 2))
    assert reason == "the assignment-mip model is for cell-suppression, not for diameter-sum"
