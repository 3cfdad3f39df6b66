from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from tests.grouping import Instance, closeness
from tests.trial import judge_ways


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    return closeness(lambda options: draw(st.sampled_from(options)))


@pytest.mark.parametrize("name", ["pattern", "pattern-flows"])
@given(data=st.data())
def test_starts_are_complete(name: str, data: st.DataObject) -> None:
    instance = data.draw(instances())
    solution = instance.partition(lambda options: data.draw(st.sampled_from(options)))
    wrong = list(judge_ways(models.get(name).build(instance.problem), [solution]))
    assert not wrong, f"{wrong}\n{instance.told}"


@given(instances())
def test_estimates_are_not_below_the_size(instance: Instance) -> None:
    for name in ("pattern", "pattern-flows"):
        built = models.get(name).build(instance.problem)
        assert built.size.variables >= built.matrix.columns, name
        assert built.size.constraints >= built.matrix.rows, name
        assert built.size.coefficients >= len(built.matrix.column), name


def test_it_is_for_what_differs_from_the_pattern_model() -> None:
    model, table = models.get("pattern-flows"), ao.ten_rows()
    assert model.why_not(ao.CellSuppression(table, ao.KAnonymity(2) & ao.TCloseness("1/5"))) is None
    assert model.why_not(ao.CellSuppression(table, ao.KAnonymity(2))) == (
        "the pattern-flows model is for t-closeness in an equal, ordered, numeric or hierarchical space; "
        "for 2-anonymity it is the pattern model"
    )
    assert model.why_not(ao.AttributeSuppression(table, ao.TCloseness("1/5"))) == (
        "the pattern-flows model is for cell-suppression, not for attribute-suppression"
    )


def test_both_forms_agree_where_a_group_sits_on_the_limit() -> None:
    """At t = 1/10 groups of Liang and Yuan's table are exactly at the limit."""
    problem = ao.CellSuppression(ao.ten_rows(), ao.TCloseness("1/10"))
    assert ao.solve(problem, "pattern/highs").cost == ao.solve(problem, "pattern-flows/highs").cost
