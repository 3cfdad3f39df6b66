"""Shifted grids: the union is feasible for every offset, each cell's answer is the fewest there is, and the mean keeps to the theorem."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

import anoptima as ao
from anoptima.answer import Budget, Clock
from anoptima.solvers.approximate.grid_cells import BuiltCell, CellQuestion, cells
from anoptima.solvers.approximate.shifted_grid import Cells, ShiftedGrid, factor, least_width, without_superfluous
from anoptima.solvers.backends.registry import get_backend
from tests.problems.point_sets import draw, fewest_fakes
from tests.sizing import asked
from tests.strategies import point_problems

problems = point_problems(2)


def grids(problem: ao.FakePoints) -> Cells:
    return Cells(problem, get_backend("cp-sat"), Budget(), Clock())


@given(problems, st.integers(2, 4))
def test_every_union_is_feasible_and_the_mean_within_the_factor(problem: ao.FakePoints, width: int) -> None:
    found = grids(problem)
    sizes = []
    for offsets in itertools.product(range(width), repeat=problem.dimensions):
        union = found.union(width, offsets)
        assert problem.violations(union) == []
        sizes.append(len(union.points))
    mean = Fraction(sum(sizes), len(sizes))
    assert mean <= factor(width, problem.k, problem.dimensions) * fewest_fakes(problem)


@given(st.integers(0, 10**9), st.sampled_from(ao.Regime))
def test_unions_in_space_are_feasible(seed: int, regime: ao.Regime) -> None:
    problem = draw(random.Random(seed), 3, regime)
    found = grids(problem)
    for offsets in random.Random(seed).sample(list(itertools.product(range(2), repeat=3)), 3):
        assert problem.violations(found.union(2, offsets)) == []


def fewest_on_a_fine_grid(question: CellQuestion) -> int:
    """Try fakes at all allowed places of a grid that is twice as fine as it must be, and test every corner of it."""
    step = 6 if len(question.box) > 1 else 24
    axes, corners = [], []
    for i, piece in enumerate(question.box):
        values = [point[i] for point in question.held]
        low = min(values) - 2 if piece.least is None else piece.least
        high = max(values) + 2 if piece.most is None else piece.most
        first, last = int(low * step), int(high * step)
        domain = [Fraction(x, step) for x in range(first, last + 1)]
        if piece.least is None:
            domain = [x for x in domain if x >= piece.before]
        if piece.most is None:
            domain = [x for x in domain if x < piece.last + 1]
        axes.append(domain)
        fine = 2 * step
        inside = [Fraction(c, fine) for c in range(int(piece.before * fine) - 1, int(piece.last * fine) + 2)]
        corners.append([c for c in inside if piece.before < c <= piece.last or (piece.closed and c == piece.before)])
    program = cp_model.CpModel()
    fakes = {place: program.new_int_var(0, question.k, "") for place in itertools.product(*axes)}
    rows = set()
    for corner in itertools.product(*corners):
        held = sum(n for p, n in question.held.items() if all(c <= x < c + 1 for c, x in zip(corner, p, strict=True)))
        inside_box = tuple(p for p in fakes if all(c <= x < c + 1 for c, x in zip(corner, p, strict=True)))
        rows.add((held, inside_box))
    for held, members in rows:
        total = sum(fakes[p] for p in members) + held
        if held:
            program.add(total >= question.k)
        elif members:
            some = program.new_bool_var("")
            program.add(total >= question.k).only_enforce_if(some)
            program.add(total == 0).only_enforce_if(~some)
    program.minimize(sum(fakes.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(program) == cp_model.OPTIMAL
    return round(solver.objective_value)


def fewest(problem: ao.FakePoints, question: CellQuestion) -> int:
    plain = question.immediate()
    if plain is not None:
        return len(plain)
    outcome = get_backend("cp-sat").solve(BuiltCell(problem, question), Budget(threads=1))
    assert outcome.values is not None
    return round(float(outcome.objective or 0))


@settings(max_examples=asked(15, 5_000))
@given(st.integers(0, 10**9), st.integers(1, 2), st.sampled_from(ao.Regime), st.integers(2, 3))
def test_cells_are_solved_to_the_fewest(seed: int, dimensions: int, regime: ao.Regime, width: int) -> None:
    source = random.Random(seed)
    problem = draw(source, dimensions, regime)
    offsets = [source.randrange(width) for _ in range(dimensions)]
    for question in itertools.islice(cells(problem, width, offsets), 2 if dimensions > 1 else 5):
        assert fewest(problem, question) == fewest_on_a_fine_grid(question), (problem, question)


@given(problems)
def test_the_answer_keeps_to_its_ratio_and_its_bound(problem: ao.FakePoints) -> None:
    solver = ShiftedGrid(epsilon=2)
    best = fewest_fakes(problem)
    for view in (problem, ao.FakeBoxes.of(problem)):
        answer = ao.solve(view, solver, start=None)
        assert answer.verify()
        assert answer.cost is not None
        assert answer.bound is not None
        assert answer.bound.value <= best <= answer.cost <= solver.ratio(view) * best


@pytest.mark.parametrize(("width", "points", "sizes"), [(2, 4, [10, 10]), (4, 8, [14] * 4)])
def test_isolated_points_on_a_line(width: int, points: int, sizes: list[int]) -> None:
    problem = ao.FakePoints([(3.5 + 3 * j,) for j in range(points)], 2)
    found = grids(problem)
    assert [len(found.union(width, [r]).points) for r in range(width)] == sizes
    assert fewest_fakes(problem) == points


@pytest.mark.parametrize(
    ("k", "dimensions", "widths"), [(2, 1, [3, 6, 12]), (2, 2, [7, 13, 25]), (3, 2, [11, 21, 41]), (2, 3, [10, 19, 37])]
)
def test_least_widths_of_the_theory(k: int, dimensions: int, widths: list[int]) -> None:
    for epsilon, width in zip((Fraction(1), Fraction(1, 2), Fraction(1, 4)), widths, strict=True):
        assert least_width(epsilon, k, dimensions) == width
        assert factor(width, k, dimensions) <= 1 + epsilon < factor(width - 1, k, dimensions)
        assert factor(int(np.ceil(float(3 * dimensions * k / epsilon))), k, dimensions) <= 1 + epsilon


@pytest.mark.parametrize(("epsilon", "k", "dimensions"), [(18, 2, 6), (150, 20, 5)])
def test_widths_are_enough_for_a_large_epsilon(epsilon: int, k: int, dimensions: int) -> None:
    assert factor(least_width(Fraction(epsilon), k, dimensions), k, dimensions) <= 1 + epsilon


def test_fakes_are_taken_away_together_and_one_by_one() -> None:
    problem = ao.FakePoints([(0,), (0.5,)], 3)
    wasteful = ao.AddedPoints([(0,)] * 3 + [(0.5,)] * 3 + [(9,)] * 4)
    assert without_superfluous(problem, wasteful) == ao.AddedPoints([(0,)] * 2 + [(0.5,)] * 2)


def test_epsilon_has_to_be_above_zero() -> None:
    with pytest.raises(ao.BadInput, match=r"^epsilon is 0; it must be above 0$"):
        ShiftedGrid(0)


def test_too_many_grids_are_refused_with_their_number() -> None:
    problem = ao.FakePoints([(i, 2 * i, 3 * i) for i in range(9)], 3)
    with pytest.raises(
        ao.NotApplicable,
        match=r"^shifted-grid with epsilon = 1/2 tries 31\^3 = 29,791 grids with up to 9 cells or more each; 100,000 in all are the most",
    ):
        ao.solve(problem, ShiftedGrid("1/2"))


def test_it_is_not_for_tables() -> None:
    problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2))
    with pytest.raises(ao.NotApplicable, match=r"^shifted-grid is for fake-points and fake-boxes, not for cell-suppr"):
        ao.solve(problem, "shifted-grid")


def test_without_time_the_start_comes_back() -> None:
    problem = ao.FakePoints([(0, 0), (0.5, 0.5), (1.25, 0)], 3)
    answer = ao.solve(problem, "shifted-grid", time_limit=0)
    assert answer.solution == problem.trivial()
    assert answer.verify()


def test_one_grid_adds_feasible_fakes_and_needs_an_offset_for_each_axis() -> None:
    problem = ao.FakePoints([(Fraction(7, 2) + 3 * j,) for j in range(8)], 2)
    for offset in range(4):
        fakes = ao.grid_fakes(problem, 4, [offset])
        assert not problem.violations(fakes)
        assert problem.cost(fakes) == 14
    with pytest.raises(ao.BadInput, match="2 offsets for 1 axes"):
        ao.grid_fakes(problem, 4, [0, 0])
    with pytest.raises(ao.BadInput, match="width is 0"):
        ao.grid_fakes(problem, 0, [0])
