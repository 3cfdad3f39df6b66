"""Both programs for fake points and fake boxes against the free search, and what the arrangement leaves out."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.models import fake_arrangement
from anoptima.models.fake_arrangement import Arrangement, cut_into_blocks, extent_of
from anoptima.solvers.backends.linear import objective_at, why_infeasible
from anoptima.solvers.backends.registry import get_backend
from tests.problems.free_search import least_fakes
from tests.problems.point_sets import draw, fewest_fakes
from tests.sizing import asked
from tests.strategies import point_problems

SOLVERS = [("fake-grid", "highs"), ("fake-grid", "cp-sat"), ("fake-depths", "cp-sat")]
FEW = asked(10, settings().max_examples)
ONE_THREAD = ao.Budget(threads=1)

problems = point_problems(3)


@pytest.mark.parametrize(("model", "backend"), SOLVERS)
@settings(max_examples=FEW)
@given(problem=problems)
def test_programs_find_the_free_optimum(model: str, backend: str, problem: ao.FakePoints) -> None:
    """The program alone: `solve` would be done as soon as a cheap bound meets a cheap solution."""
    built = ao.get_model(model).build(problem)
    outcome = get_backend(backend).solve(built, ONE_THREAD)
    assert outcome.stop is ao.Stop.PROVED
    assert outcome.values is not None
    solution = built.decode(outcome.values)
    assert problem.violations(solution) == []
    assert problem.cost(solution) == outcome.objective == fewest_fakes(problem)


@pytest.mark.parametrize(("model", "backend"), SOLVERS)
@settings(max_examples=FEW)
@given(seed=st.integers(0, 10**9), regime=st.sampled_from(ao.Regime))
def test_boxes_are_solved_as_points_are(model: str, backend: str, seed: int, regime: ao.Regime) -> None:
    points = draw(random.Random(seed), 2, regime)
    answers = [ao.solve(view, f"{model}/{backend}", threads=1) for view in (points, ao.FakeBoxes.of(points))]
    assert answers[0].cost == answers[1].cost == fewest_fakes(points)
    assert all(answer.verify() for answer in answers)


@given(problems, st.data())
def test_any_solution_is_carried_to_the_grid(problem: ao.FakePoints, data: st.DataObject) -> None:
    """Feasible fakes that are not aligned, and where no candidate is, make a start that is no dearer."""
    fakes = list(problem.trivial().points)
    for _ in range(data.draw(st.integers(1, 3))):
        spot = tuple(x + Fraction(data.draw(st.integers(-9, 9)), 7) for x in data.draw(st.sampled_from(problem.points)))
        more = ao.AddedPoints([*fakes, *[spot] * problem.k])
        if problem.is_feasible(more):
            fakes = list(more.points)
    shift = Fraction(data.draw(st.integers(0, 3)), 21)
    shifted = ao.AddedPoints([tuple(x + shift for x in point) for point in fakes])
    start = shifted if problem.is_feasible(shifted) else ao.AddedPoints(fakes)
    built = ao.get_model("fake-grid").build(problem)
    values = built.encode(start)
    assert why_infeasible(built.matrix, values) is None
    assert objective_at(built.matrix, values) <= problem.cost(start)
    carried = built.decode(values)
    assert problem.violations(carried) == []
    assert problem.cost(carried) == values[: len(built.arrangement.places)].sum()  # type: ignore[attr-defined]


@pytest.mark.parametrize("model", ["fake-grid", "fake-depths"])
def test_a_start_is_accepted(model: str) -> None:
    backend = "highs" if model == "fake-grid" else "cp-sat"
    problem = ao.FakePoints([(1, 1), (1.4, 1.2), (1.2, 1.6)], 2)
    built = ao.get_model(model).build(problem)
    outcome = get_backend(backend).solve(built, ONE_THREAD, built.encode(problem.trivial()))
    assert outcome.start.value == "accepted"
    assert outcome.objective == 3


def test_four_dimensions_agree_with_the_free_optimum() -> None:
    half, widest = Fraction(1, 2), Fraction(3, 2)
    cases: list[tuple[list[Any], Any, str]] = [
        ([(0, 0, 0, 0), (1, 0, 1, 0)], None, "unrestricted"),
        ([(half,) * 4, (1, half, 1, half)], widest, "primal"),
        ([(0, half, 0, 0), (0, 0, 0, half)], widest, "primal"),
        ([(half, 0, half, 0), (0, half, 0, 0)], 1, "primal"),
        ([(half,) * 4, (1, half, 1, half)], widest, "dual"),
    ]
    found = []
    for points, side, regime in cases:
        problem = ao.FakePoints(points, 2, side and [(0, side)] * 4, regime)
        least = least_fakes(problem.points, problem.k, problem.domain, regime)
        for solver in ("fake-grid/highs", "fake-depths/cp-sat"):
            answer = ao.solve(problem, solver, start=None)
            assert answer.verify()
            assert answer.cost == least, (problem, solver)
        rough = ao.solve(problem, "one-offset-grid", start=None)
        assert rough.cost is not None
        assert rough.cost >= least
        found.append(least)
    assert found == [2, 1, 2, 0, 2]


def test_far_points_are_blocks_of_their_own() -> None:
    near = [(0, 0), (0.5, 0.5)]
    problem = ao.FakePoints([*near, *((x + 9, y) for x, y in near), *((x, y + 9) for x, y in near)], 2)
    blocks, _ = cut_into_blocks(problem)
    assert sorted(len(block.held) for block in blocks) == [2, 2, 2]
    assert ao.solve(problem, "fake-grid/highs").cost == 3 * fewest_fakes(ao.FakePoints(near, 2))


def test_a_gap_below_two_is_no_cut() -> None:
    assert len(cut_into_blocks(ao.FakePoints([(0,), (Fraction(199, 100),)], 2))[0]) == 1
    assert len(cut_into_blocks(ao.FakePoints([(0,), (2,)], 2))[0]) == 2


@given(problems)
def test_nothing_is_left_out_that_matters(problem: ao.FakePoints) -> None:
    """Counts on all candidates satisfy the kept needs and choices exactly when the checker has no complaint."""
    found = Arrangement(problem)
    source = random.Random(len(found.places))
    for _ in range(20):
        counts = np.array([source.choice((0, 0, 0, cap)) for cap in found.caps], dtype=np.int64)
        met = all(counts[list(need.members)].sum() >= need.least for need in found.needs)
        kept = all(
            counts[list(choice.members)].sum() >= problem.k
            for choice in found.choices
            if counts[list(choice.linked)].any()
        )
        assert (met and kept) == problem.is_feasible(found.solution(counts))


def test_the_upper_end_of_the_domain_makes_candidates() -> None:
    """A fake at 1 is in every test box; on the coordinates of the data alone, two fakes are needed."""
    problem = ao.FakePoints([("1/2",), ("3/2",)], 2, [("1/2", 2)])
    assert fewest_fakes(problem) == 1
    for name in ("fake-grid/highs", "fake-depths/cp-sat"):
        assert ao.solve(problem, name).require_solution() == ao.AddedPoints([(1,)])


def test_sizes_are_known_before_building() -> None:
    problem = ao.FakePoints([(1, 1), (1.4, 1.2), (1.2, 1.6)], 2, [(0, 3), (0, 3)])
    for name in ("fake-grid", "fake-depths"):
        model = ao.get_model(name)
        size = model.estimate(problem)
        program: Any = model.build(problem).program
        if name == "fake-grid":
            assert size.variables == program.nvariables()
            assert size.constraints == program.nconstraints()
        else:
            assert size.variables == len(program.proto.variables)
            assert size.constraints == len(program.proto.constraints)


def test_a_program_too_large_is_refused_unbuilt() -> None:
    source = random.Random(1)
    points = [tuple(Fraction(source.randrange(3_000), 1_000) for _ in range(3)) for _ in range(40)]
    problem = ao.FakePoints(points, 2)
    assert extent_of(problem).entries > fake_arrangement._MOST_ENTRIES
    for name in ("fake-grid", "fake-depths"):
        with pytest.raises(ao.ModelTooLarge, match=f"^the {name} model would take .* and 1,024 MiB are allowed"):
            ao.get_model(name).build(problem, memory=1 << 30)


def test_a_grid_of_too_many_places_is_refused_before_it_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ao.FakePoints([(Fraction(i * 7919 % 10007, 10007), Fraction(i)) for i in range(700)], 2)
    monkeypatch.setattr(fake_arrangement, "aligned_coordinates", None)
    monkeypatch.setattr(fake_arrangement, "_MOST_ALONG", 699)
    with pytest.raises(ao.ModelTooLarge, match=r"its grid has 700 places along an axis, and at most 699 are allowed"):
        extent_of(problem)


def test_other_problems_are_refused() -> None:
    other = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    for name in ("fake-grid", "fake-depths"):
        reason = ao.get_model(name).why_not(other)
        assert reason == f"the {name} model is for fake-points and fake-boxes, not for cell-suppression"


def test_thousands_of_windows_are_no_burden() -> None:
    # Pairs of windows were compared with each other, of which there are millions here.
    source = random.Random(1)
    problem = ao.FakePoints([(Fraction(source.randint(0, 5000), 100),) for _ in range(2000)], 10)
    answer = ao.solve(problem)
    assert answer.bound is not None
    assert (answer.cost, answer.bound.value) == (18, 18)
