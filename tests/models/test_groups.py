from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from tests.cases import Choose, seeded
from tests.grouping import Instance, anonymity, diameter, diversity
from tests.loops import each
from tests.relaxing import relaxed
from tests.trial import judge_ways


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    make = draw(st.sampled_from([anonymity, diversity, diameter]))
    return make(lambda options: draw(st.sampled_from(options)))


@given(instances(), st.data())
def test_any_feasible_partition_becomes_a_start_that_costs_no_more(instance: Instance, data: st.DataObject) -> None:
    problem = instance.problem
    if instance.problem.why_infeasible() is not None:
        return
    name = "diameter-groups" if isinstance(problem, ao.DiameterSum) else "groups"
    model = models.get(name)
    if model.why_not(problem) is not None:
        return
    solution = instance.partition(lambda options: data.draw(st.sampled_from(options)))
    wrong = list(judge_ways(model.build(problem), [solution]))
    assert not wrong, wrong


@given(instances())
def test_the_estimate_is_the_size(instance: Instance) -> None:
    model = models.get("diameter-groups" if isinstance(instance.problem, ao.DiameterSum) else "groups")
    if instance.problem.why_infeasible() is not None or model.why_not(instance.problem) is not None:
        return
    built = model.build(instance.problem)
    assert built.size.variables == built.matrix.columns
    assert built.size.constraints == built.matrix.rows
    assert built.size.coefficients >= len(built.matrix.column)


def test_the_papers_ten_rows() -> None:
    table = ao.ten_rows()
    for principle, stars in ((ao.KAnonymity(2), 46), (ao.KAnonymity(3), 54), (ao.LDiversity(2), 50)):
        assert ao.solve(ao.CellSuppression(table, principle), "groups/highs").cost == stars


def test_whole_table_starts_are_cut_for_anonymity_and_dealt_for_diversity() -> None:
    for principle in (ao.KAnonymity(2), ao.LDiversity(2)):
        problem = ao.CellSuppression(ao.ten_rows(), principle)
        built = models.get("groups").build(problem)
        back = built.decode(built.encode(problem.trivial()))
        assert not problem.violations(back)
        assert max(len(group) for group in back.groups()) <= 3
        assert problem.cost(back) <= problem.cost(problem.trivial())


@pytest.mark.usefixtures("weak_bound")
def test_a_start_is_taken() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    best = ao.solve(problem, "pattern/highs").solution
    assert ao.solve(problem, "groups/highs", start=best).run.start.value in ("accepted", "never looked at")


def test_conjunctions_and_the_distinct_version_are_refused_in_words() -> None:
    table = ao.ten_rows()
    for principle in (ao.KAnonymity(3) & ao.LDiversity(2), ao.LDiversity(2, version="distinct"), ao.TCloseness("1/5")):
        reason = models.get("groups").why_not(ao.CellSuppression(table, principle))
        assert reason == (
            "the groups model is for k-anonymity, and for frequency l-diversity with l whole, where groups split; "
            f"not for {principle}"
        )
    with pytest.raises(
        ao.NotApplicable, match="the groups model is for cell-suppression, not for attribute-suppression"
    ):
        ao.solve(ao.AttributeSuppression(table, ao.KAnonymity(2)), "groups/highs")
    with pytest.raises(
        ao.NotApplicable, match="the diameter-groups model is for diameter-sum, not for cell-suppression"
    ):
        ao.solve(ao.CellSuppression(table, ao.KAnonymity(2)), "diameter-groups/highs")


def test_anonymity_twice_is_anonymity() -> None:
    twice = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3) & ao.KAnonymity(2))
    assert ao.solve(twice, "groups/highs").cost == 54


def test_a_list_too_long_is_refused_with_the_numbers() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": range(1000), "b": [i % 7 for i in range(1000)]}), ["a", "b"])
    problem = ao.CellSuppression(table, ao.KAnonymity(3))
    with pytest.raises(
        ao.ModelTooLarge, match=r"the groups model would take 8,291,791,\d+ variables|variables, 1,000 constraints"
    ):
        ao.solve(problem, "groups/highs", start=None)


@pytest.mark.parametrize("make", [anonymity, diversity])
@each("seed", range(25))
def test_the_relaxation_is_worth_what_the_pattern_programs_is(make: Callable[[Choose], Instance], seed: int) -> None:
    problem = make(seeded(seed)).problem
    if problem.why_infeasible() is None:
        groups, pattern = (relaxed(models.get(name).build(problem)) for name in ("groups", "pattern"))
        assert groups == pytest.approx(pattern)
