"""Every formulation of every source problem, on every backend in its turn, against a brute force that shares nothing with it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import models
from anoptima.models.base import Language, Model
from tests.cases import seeded
from tests.sizing import asked
from tests.sources.instances import SourceCase, make
from tests.sources.strategies import source_cases
from tests.sources.trial import judge_problem, judge_size, some_solutions, verdicts
from tests.trial import judge_ways, models_for

SOURCE_MODELS = [model for model in models.all() if ".sources." in type(model).__module__]


@pytest.mark.parametrize("name", make)
def test_all_methods_agree_with_brute_force(name: str) -> None:
    """Fewer of what `benchmarks/agreement_sources.py` does hundreds of times."""
    for seed in range(1000, 1008):
        case = make[name](seeded(seed))
        for verdict in verdicts(case, seed, turn=seed):
            assert not verdict.wrong, (seed, verdict, case.problem)


@pytest.mark.parametrize("name", make)
@settings(max_examples=asked(8, 20))
@given(data=st.data())
def test_problems_and_ways_in_and_out(name: str, data: st.DataObject) -> None:
    case = data.draw(source_cases(name))
    assert not list(judge_problem(case))
    for model in models_for(case.problem):
        if model.language is Language.PYOMO:  # CP-SAT can only judge values by a search: `verdicts` has those
            built = model.build(case.problem)
            solutions = some_solutions(case, data.draw(st.randoms(use_true_random=False)))
            assert not [*judge_ways(built, solutions), *judge_size(built)]


@pytest.mark.parametrize("name", make)
def test_two_formulations_and_both_languages(name: str) -> None:
    languages = Counter(model.language for model in models_for(make[name](seeded(0)).problem))
    assert languages[Language.PYOMO] >= 1
    assert languages[Language.CP_SAT] >= 1


@pytest.mark.parametrize("name", make)
def test_solve_answers_and_verifies(name: str) -> None:
    case = next(
        case
        for case in (make[name](seeded(seed)) for seed in range(100))
        if case.problem.lower_bound() < case.problem.cost(case.problem.trivial())
    )
    answer = ao.solve(case.problem)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, case.optimum)
    assert answer.verify()
    assert case.problem.describe_cost(case.optimum) in str(answer)
    last = ao.solve(case.problem, time_limit=0)
    assert last.solution == case.problem.trivial()


@pytest.mark.parametrize("model", SOURCE_MODELS, ids=lambda model: model.name)
def test_a_model_names_what_it_is_for(model: Model[Any]) -> None:
    reason = model.why_not(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)))
    assert reason is not None
    assert reason.startswith(f"the {model.name} model is for ")
    assert reason.endswith(", not for cell-suppression")


@pytest.mark.parametrize("model", SOURCE_MODELS, ids=lambda model: model.name)
def test_a_model_too_large_is_refused_with_its_size(model: Model[Any]) -> None:
    case = next(
        case
        for case in (make[name](seeded(seed)) for name in make for seed in range(20))
        if model.why_not(case.problem) is None and model.estimate(case.problem).memory > 0
    )
    with pytest.raises(ao.ModelTooLarge, match=f"the {model.name} model would take [1-9]"):
        model.build(case.problem, memory=1)


@pytest.mark.parametrize(
    "problem",
    [
        ao.HypergraphMatching(ao.Hypergraph("a", []), 1),
        ao.ThreeDimensionalMatching("a", "a", "a", []),
        ao.ThreePartition([0, 0, 1, 0, 0, 3]),
        ao.MinimumBisection(ao.Graph("ab", [])),
        ao.MinimumBisection(ao.Graph("ab", ["ab", "ba"])),
        ao.CliqueOfSize(ao.Graph("a", []), 1),
        ao.HalfClique(ao.Graph("ab", [])),
        ao.MaximumClique(ao.Graph("ab", [])),
        ao.VertexCover(ao.Graph("a", [])),
        ao.MinimumCover("a", {1: "a", 2: ""}),
        ao.PlanarThreeSat(ao.Formula(1, [])),
        ao.PlanarThreeSat(ao.Formula(2, [(1,), (-1,)])),
    ],
    ids=repr,
)
def test_the_smallest_of_all(problem: Any) -> None:
    """Programs without rows, or without variables, or with a constant objective."""
    least = min(problem.cost(solution) for solution in problem.solutions() if problem.is_feasible(solution))
    for verdict in verdicts(SourceCase(problem, least)):
        assert not verdict.wrong, verdict
