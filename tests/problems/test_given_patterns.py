from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from anoptima.models.given_patterns import BuiltGivenPatterns
from tests.cases import seeded
from tests.grouping import Instance, publication
from tests.loops import each
from tests.trial import judge_ways


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    return publication(lambda options: draw(st.sampled_from(options)))


def one_column(values: list[int], k: int, patterns: list[tuple[Any, ...]]) -> ao.GivenPatterns:
    table = ao.Table.from_frame(pd.DataFrame({"a": values}), ["a"])
    return ao.GivenPatterns(table, ao.KAnonymity(k), patterns)


@given(instances())
def test_the_problem_itself_knows_optimum_bound_and_feasibility(instance: Instance) -> None:
    problem = instance.problem
    assert (problem.why_infeasible() is None) == (instance.optimum is not None), instance.told
    if instance.optimum is None:
        with pytest.raises(ao.InfeasibleProblem):
            problem.trivial()
        return
    assert problem.is_feasible(problem.trivial())
    assert problem.lower_bound() <= instance.optimum <= problem.cost(problem.trivial())
    feasible = [problem.cost(s) for s in problem.solutions() if problem.is_feasible(s)]
    assert min(feasible) == instance.optimum


@given(instances())
def test_a_publication_goes_in_and_out_and_is_read_back_from_its_release(instance: Instance) -> None:
    problem = instance.problem
    assert isinstance(problem, ao.GivenPatterns)
    if problem.why_infeasible() is not None:
        return
    solution = problem.trivial()
    wrong = list(judge_ways(models.get("given-patterns").build(problem), [solution]))
    assert not wrong, wrong
    release = problem.release(solution)
    assert problem.violations_of_release(release) == []
    assert problem.solution_of_release(release) == solution
    assert hash(problem.solution_of_release(release)) == hash(solution)
    assert problem.cost_of_release(release) == problem.cost(solution)


def test_the_program_as_printed_is_wrong() -> None:
    """Chakaravarthy, Pandit, Sabharwal (2010), section 4, sum (cover) over all patterns: then closed ones take rows and owe nothing.

    Rows 0, 0, 1, k = 2, open patterns {0}: the printed program has value 0, although nobody can publish row 1 at all.
    """
    cost = {"0": 0, "1": 0, "*": 1}
    printed = min(
        sum(cost[p] for p in chosen)
        for chosen in itertools.product(("0", "*"), ("0", "*"), ("1", "*"))
        if Counter(chosen)["0"] >= 2
    )
    assert printed == 0

    ours = one_column([0, 0, 1], 2, [(0,)])
    assert ours.why_infeasible() == "row 3 matches none of the given patterns"
    assert ao.solve(ours).claim is ao.Claim.INFEASIBLE
    assert ao.solve(ao.CellSuppression(ours.table, ao.KAnonymity(2))).cost == 3
    assert ao.solve(one_column([0, 0, 1], 2, [("*",)])).cost == 3


@each("seed", range(8))
def test_cell_suppression_is_the_best_over_all_sets_of_patterns(seed: int) -> None:
    choose = seeded(seed)
    cells = [(choose((0, 1)), choose((0, 1))) for _ in range(choose((3, 4, 5)))]
    k = choose((2, 3))
    table = ao.Table.from_frame(pd.DataFrame(cells, columns=["a", "b"]), ["a", "b"])
    patterns = list(itertools.product((0, 1, "*"), repeat=2))
    best: Fraction | int | None = None
    for chosen in itertools.product((False, True), repeat=len(patterns)):
        opened = [pattern for pattern, is_open in zip(patterns, chosen, strict=True) if is_open]
        if not opened or len(opened) * k > len(cells):
            continue
        problem = ao.GivenPatterns(table, ao.KAnonymity(k), opened)
        if problem.why_infeasible() is not None:
            continue
        costs = [problem.cost(s) for s in problem.solutions() if problem.is_feasible(s)]
        best = min(costs) if best is None else min(best, *costs)
    assert best == ao.solve(ao.CellSuppression(table, ao.KAnonymity(k))).cost


def test_a_point_that_is_no_vertex_is_made_whole_at_no_higher_cost() -> None:
    """Half of each of two rows to each of two patterns: an interior point, as a solver without crossover gives."""
    frame = pd.DataFrame({"a": [0, 0], "b": [0, 0], "c": [0, 0]})
    table = ao.Table.from_frame(frame, ["a", "b", "c"])
    problem = ao.GivenPatterns(table, ao.KAnonymity(1), [(0, 0, "*"), (0, "*", 0)])
    built = models.get("given-patterns").build(problem)
    assert isinstance(built, BuiltGivenPatterns)
    assert problem.is_feasible(built.decode(np.array([1.0, 1.0])))
    halves = built.decode(np.array([1.5, 0.5]))
    assert problem.is_feasible(halves)
    assert problem.cost(halves) == 2


def test_what_is_wrong_is_said() -> None:
    problem = one_column([0, 0, 1, 1], 2, [(0,), ("*",)])
    assert problem.violations(ao.Publication(np.array([0, 0, 0, 1]))) == [
        "row 3 does not match the pattern '0'",
        "the pattern '*' gets 1 rows; k = 2",
    ]
    assert problem.violations(ao.Publication(np.array([1, 1, 1, 1]))) == ["the pattern '0' gets 0 rows; k = 2"]
    assert problem.violations(ao.Publication(np.array([0, 0, 1, 2]))) == [
        "patterns are numbered from 0 to 1; this has 0 to 2"
    ]
    assert problem.violations(ao.Publication(np.array([0, 1]))) == [
        "a publication of this table has 4 whole numbers, one a row; this has shape (2,)"
    ]
    release = problem.release(ao.Publication(np.array([0, 0, 1, 1])))
    release.loc[0, "a"] = 7
    assert problem.violations_of_release(release) == ["row 1, column 'a': published 7 where the table has 0"]
    only_stars = one_column([0, 0, 1, 1], 2, [("*",)])
    published = problem.release(ao.Publication(np.array([0, 0, 1, 1])))
    assert only_stars.violations_of_release(published) == [
        "row 1 is published as a pattern that is not among the 1 given ones"
    ]
    assert dict(problem.size())["patterns"] == 2
    assert problem.describe_cost(2) == "2 stars of 4 cells"


@pytest.mark.parametrize(
    ("values", "k", "patterns", "reason"),
    [
        ([0, 1], 3, [("*",)], "k = 3 but there are only 2 rows"),
        ([0, 1], 1, [(0,)], "row 2 matches none of the given patterns"),
        ([0, 1, 1], 2, [(0,), (1,)], "the given pattern '0' matches 1 rows, and 1 x 2 are needed"),
        ([0, 1, 1], 1, [(5,), ("*",)], "the given pattern '5' matches 0 rows, and 1 x 1 are needed"),
        ([0, 0, 0], 2, [(0,), ("*",)], "the given patterns '0', '*' match 3 rows between them, and 2 x 2 are needed"),
    ],
)
def test_the_impossible_is_explained(values: list[int], k: int, patterns: list[tuple[Any, ...]], reason: str) -> None:
    answer = ao.solve(one_column(values, k, patterns))
    assert (answer.claim, answer.reason) == (ao.Claim.INFEASIBLE, reason)


def test_bad_input_is_refused_in_words() -> None:
    with pytest.raises(
        ao.BadInput, match=r"the pattern \(0, 1\) does not fit; it must be a tuple .* each of the 1 columns a"
    ):
        one_column([0], 1, [(0, 1)])
    with pytest.raises(ao.BadInput, match="the pattern '0' is given twice; each may be given once"):
        one_column([0], 1, [(0,), (0,)])
    with pytest.raises(ao.BadInput, match="no pattern is given; rows can be published as nothing"):
        one_column([0], 1, [])
    table = ao.Table.from_frame(pd.DataFrame({"a": [0], "s": [1]}), ["a"], "s")
    with pytest.raises(ao.BadInput, match="given patterns are for k-anonymity, not for frequency 2-diversity"):
        ao.GivenPatterns(table, ao.LDiversity(2), [("*",)])
    with pytest.raises(
        ao.NotApplicable, match="the given-patterns model is for given-patterns, not for cell-suppression"
    ):
        ao.solve(ao.CellSuppression(table, ao.KAnonymity(1)), "given-patterns/highs")


def test_the_estimate_is_the_size() -> None:
    built = models.get("given-patterns").build(one_column([0, 0, 1, 1], 2, [(0,), ("*",)]))
    form, size = built.matrix, built.size
    assert (size.variables, size.constraints, size.coefficients) == (form.columns, form.rows, len(form.column))


def test_a_pattern_keeps_the_value_that_is_written_as_its_own() -> None:
    frame = pd.DataFrame({"a": pd.Series([1, 1, True, True], dtype=object), "b": list("pppp")})
    patterns = [(1, "p"), (True, "p")]
    problem = ao.GivenPatterns(ao.Table.from_frame(frame, ["a", "b"]), ao.KAnonymity(2), patterns)
    assert problem.matches.tolist() == [[True, False], [False, True]]
    assert ao.solve(problem).cost == 0
