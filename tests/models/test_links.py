"""Links between amounts and what is open: the same optima, and what the relaxations are worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from anoptima.patterns import closed_patterns
from tests.cases import seeded
from tests.grouping import Instance, anonymity, draw_rows, facilities
from tests.loops import each
from tests.relaxing import relaxed
from tests.trial import judge_ways

VARIANTS = {"pattern": ("aggregated", "big-m"), "facilities": ("aggregated", "big-m")}
DRAWN = {"pattern": anonymity, "facilities": facilities}


@st.composite
def instances(draw: st.DrawFn, name: str) -> Instance:
    return DRAWN[name](lambda options: draw(st.sampled_from(options)))


@pytest.mark.parametrize(("k", "strong", "weak"), [(2, 46, 45), (3, 54, 52), (4, 62, 60), (5, 65, 62)])
def test_what_the_relaxations_are_worth_on_the_papers_table(k: int, strong: int, weak: int) -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(k))
    assert relaxed(models.get("pattern").build(problem)) == pytest.approx(strong)
    for links in VARIANTS["pattern"]:
        assert relaxed(models.get(f"pattern-{links}").build(problem)) == pytest.approx(weak)


@pytest.mark.parametrize("name", VARIANTS)
@each("seed", range(12))
def test_weak_links_are_never_worth_more(name: str, seed: int) -> None:
    problem = DRAWN[name](seeded(seed)).problem
    if problem.why_infeasible() is None:
        strong = relaxed(models.get(name).build(problem))
        for links in VARIANTS[name]:
            assert relaxed(models.get(f"{name}-{links}").build(problem)) <= strong + 1e-6


@each("seed", range(12))
def test_weak_links_are_worth_every_rows_cheapest_pattern(seed: int) -> None:
    """As the files say: nothing more than what needs no program."""
    problem = anonymity(seeded(seed)).problem
    assert isinstance(problem, ao.CellSuppression)
    if problem.why_infeasible() is not None:
        return
    patterns = closed_patterns(problem)
    cheapest: dict[int, int] = {}
    for p, r in zip(patterns.pattern_of_arc.tolist(), patterns.member.tolist(), strict=True):
        cheapest[r] = min(cheapest.get(r, int(patterns.cost[p])), int(patterns.cost[p]))
    worth = sum(int(s) * cheapest[r] for r, s in enumerate(problem.table.records.multiplicity))
    for links in VARIANTS["pattern"]:
        assert relaxed(models.get(f"pattern-{links}").build(problem)) == pytest.approx(worth)


@each("seed", range(12))
def test_weak_links_are_worth_every_clients_cheapest_facility(seed: int) -> None:
    problem: Any = facilities(seeded(seed)).problem
    if problem.why_infeasible() is not None:
        return
    there = dict.fromkeys(problem.facilities, 0)
    for f, c, _ in problem.connections:
        there[f] += problem.clients[c]
    for links, least in (("aggregated", problem.least), ("big-m", 0)):
        worth = sum(
            count * min(Fraction(cost) for f, c, cost in problem.connections if c == client and there[f] >= least)
            for client, count in enumerate(problem.clients)
        )
        built = models.get(f"facilities-{links}").build(problem)
        assert relaxed(built) == pytest.approx(float(worth * problem.cost_scale))


@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
def test_solutions_go_in_and_out_and_the_size_is_known(name: str, data: st.DataObject) -> None:
    instance = data.draw(instances(name))
    problem = instance.problem
    if problem.why_infeasible() is not None:
        return
    for links in VARIANTS[name]:
        built = models.get(f"{name}-{links}").build(problem)
        wrong = list(judge_ways(built, [problem.trivial()]))
        assert not wrong, f"{links}: {wrong}\n{instance.told}"
        form, size = built.matrix, built.size
        assert (size.variables, size.constraints) == (form.columns, form.rows)
        assert size.coefficients == len(form.column)


@each("seed", range(6))
def test_numbers_of_values_have_links_too(seed: int) -> None:
    table = draw_rows(seeded(seed)).table()
    problem = ao.CellSuppression(table, ao.LDiversity(2, version="distinct"))
    best = ao.solve(problem, "subset-dp")
    for links in VARIANTS["pattern"]:
        answer = ao.solve(problem, f"pattern-{links}/highs", start=None, threads=1)
        assert (answer.claim, answer.cost) == (best.claim, best.cost)


def test_where_there_are_no_links_it_is_the_pattern_model() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    assert models.get("pattern-big-m").why_not(problem) == (
        "the pattern-big-m model is for least sizes and least numbers of values; "
        "for frequency 2-diversity it is the pattern model, which has no links then"
    )
    assert models.get("pattern-aggregated").why_not(ao.DiameterSum(ao.ten_rows(), 2)) == (
        "the pattern-aggregated model is for cell-suppression, not for diameter-sum"
    )


def test_what_is_for_study_is_listed_on_request_only_and_never_chosen() -> None:
    problem = ao.LowerBoundedFacilities([2, 1], [(0, 0, 0), (1, 0, 1), (1, 1, 1)], 2)
    listed = {solver.name for solver in ao.solvers_for(problem)}
    asked = {solver.name for solver in ao.solvers_for(problem, for_study=True)}
    assert {"facilities/highs", "facility-loads/cp-sat"} <= listed <= asked
    assert "facilities-big-m/highs" in asked - listed
    assert "big-m" not in ao.solve(problem).run.solver
