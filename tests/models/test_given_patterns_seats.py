from __future__ import annotations

import random
from typing import Any

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from tests.grouping import publication
from tests.loops import each
from tests.trial import evaluate

MODEL: Any = models.get("given-patterns-seats")


@given(st.data())
def test_a_publication_goes_in_and_comes_out_no_dearer(data: st.DataObject) -> None:
    problem: Any = publication(lambda options: data.draw(st.sampled_from(options))).problem
    if problem.why_infeasible() is not None:
        return
    built, solution = MODEL.build(problem), problem.trivial()
    values = built.encode(solution)
    (objective, broken), back = evaluate(built, values), built.decode(values)
    assert broken is None
    assert problem.is_feasible(back)
    assert objective == problem.cost(back) * problem.cost_scale <= problem.cost(solution) * problem.cost_scale
    proto, size = built.program.proto, built.size
    assert (size.variables, size.constraints) == (len(proto.variables), len(proto.constraints))
    assert size.coefficients == sum(len(row.linear.vars) for row in proto.constraints)


def test_a_row_without_a_pattern_leaves_no_solution() -> None:
    table = ao.Table.from_frame(pd.DataFrame({"a": [0, 0, 1]}), ["a"])
    program = MODEL.build(ao.GivenPatterns(table, ao.KAnonymity(2), [(0,)])).program
    from ortools.sat.python import cp_model

    assert cp_model.CpSolver().solve(program) == cp_model.INFEASIBLE


@each("seed", range(4))
def test_both_languages_agree_on_more_than_can_be_tried(seed: int) -> None:
    """Sixty rows, eight patterns of them and the stars alone, weights that no two columns share."""
    chance = random.Random(seed)
    cells = [[chance.randrange(3) for _ in range(4)] for _ in range(60)]
    names = list("abcd")
    table = ao.Table.from_frame(
        pd.DataFrame(cells, columns=names), names, weights=dict(zip(names, (1, 2, 3, 5), strict=True))
    )
    patterns: set[tuple[Any, ...]] = {("*",) * 4}
    while len(patterns) < 9:
        patterns.add(tuple(value if chance.random() < 0.3 else "*" for value in chance.choice(cells)))
    problem = ao.GivenPatterns(table, ao.KAnonymity(3), sorted(patterns, key=repr))
    solvers = ("given-patterns-seats/cp-sat", "given-patterns/highs", "given-patterns/cp-sat")
    found = {name: ao.solve(problem, name, start=None, threads=1) for name in solvers}
    assert len({(answer.claim, answer.cost) for answer in found.values()}) == 1, found


def test_it_is_for_given_patterns() -> None:
    assert MODEL.why_not(ao.DiameterSum(ao.ten_rows(), 2)) == (
        "the given-patterns-seats model is for given-patterns, not for diameter-sum"
    )
