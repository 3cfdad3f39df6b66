"""Planar 3-SAT as fake boxes: the theory's figures, there and back, refusals, and the full program for fake boxes on small ones."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.instances import formulas
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.reductions import reductions
from anoptima.reductions.patch_cover_to_fake_boxes import PatchCoverToFakeBoxes, box_at
from anoptima.reductions.path import Path
from anoptima.reductions.planar_boxes.compiler import compile_patches
from anoptima.reductions.planar_boxes.rings import loop_length, ring
from anoptima.reductions.planar_three_sat_to_fake_boxes import FormulaInBoxes, PlanarThreeSatToFakeBoxes
from anoptima.reductions.planar_three_sat_to_rectilinear_three_sat import PlanarThreeSatToRectilinearThreeSat
from anoptima.reductions.rectilinear_three_sat_to_patch_cover import FormulaInPatches, RectilinearThreeSatToPatchCover
from anoptima.testing.families.formulas import all_formulas, on_no_line
from tests.loops import each
from tests.reductions.planar_trial import as_set_cover, faults, fewest_windows, off_grid, random_formula
from tests.sizing import asked

SMALLEST_LOOP = [(0, 0), (4, -1), (8, 0), (9, 4), (8, 8), (4, 9), (0, 8), (-1, 4)]

FIGURES: list[tuple[str, ao.PlanarThreeSat, int, int]] = [
    ("(x)", formulas.one_literal(), 20, 20),
    ("(x)(-x), either side", formulas.contradiction(), 27, 26),
    ("(x)(-x), both above", formulas.contradiction(both_above=True), 37, 36),
    ("(x or y or z)", formulas.one_clause(), 79, 79),
    ("not all equal", formulas.not_all_equal(), 116, 116),
    ("all two-literal clauses", formulas.all_two_literal_clauses(), 176, 175),
    ("units, of which one fails", formulas.three_units(), 98, 97),
    ("units, none of which fails", formulas.three_units(last_holds=False), 97, 97),
]


def in_patches(problem: ao.PlanarThreeSat) -> FormulaInPatches:
    reduced = RectilinearThreeSatToPatchCover().apply(problem)
    assert isinstance(reduced, FormulaInPatches)
    return reduced


def without(problem: ao.PlanarThreeSat, number: int) -> ao.PlanarThreeSat:
    assert problem.embedding is not None
    clauses, above = list(problem.formula.clauses), list(problem.embedding.above)
    del clauses[number], above[number]
    embedding = ao.RectilinearEmbedding(problem.embedding.order, tuple(above))
    return ao.PlanarThreeSat(ao.Formula(problem.formula.variables, clauses), embedding)


@pytest.mark.parametrize(
    ("problem", "optimum", "threshold"), [row[1:] for row in FIGURES], ids=[row[0] for row in FIGURES]
)
def test_figures_of_the_theory(problem: ao.PlanarThreeSat, optimum: int, threshold: int) -> None:
    reduced = in_patches(problem)
    assert reduced.threshold() == threshold
    assert reduced.layout.cover.lower_bound() >= threshold
    assert fewest_windows(reduced.layout.cover)[0] == optimum
    assert list(faults(problem)) == []


@each("number", range(4))
def test_dropping_any_of_four_clauses_makes_them_equal(number: int) -> None:
    reduced = in_patches(without(formulas.all_two_literal_clauses(), number))
    optimum, windows = fewest_windows(reduced.layout.cover)
    assert optimum == reduced.threshold()
    assert reduced.source.cost(reduced.pull(windows)) == 0


def test_the_fixture_patch_by_patch() -> None:
    layout = in_patches(formulas.one_literal()).layout
    text = (
        "(0,8)(4,9)(7,8)(10,9)(13,8)(16,7)(20,9)(21,9)(25,7)(29,8)(33,9)(37,8)(41,7)(44,9)(48,8)(49,4)(48,0)(44,-1)(40,0)"
        "(36,-1)(32,0)(28,-1)(24,0)(20,-1)(16,0)(12,-1)(8,0)(4,-1)(0,0)(-1,4)"
        "(16,53)(18,49)(17,45)(18,41)(17,37)(18,33)(17,29)(18,25)(17,21)(18,17)(17,13)"
    )
    pairs = [tuple(map(int, pair.split(","))) for pair in text.strip("()").split(")(")]
    assert list(layout.patches) == pairs
    assert (layout.slots[0].first, layout.slots[0].end) == (6, (17, 13))


def test_a_set_cover_that_knows_nothing_of_loops_agrees() -> None:
    for problem in (formulas.one_literal(), formulas.contradiction()):
        cover = in_patches(problem).layout.cover
        assert ao.solve(as_set_cover(cover), "cover-sets/highs").cost == fewest_windows(cover)[0]


@each("k", [2, 3])
def test_the_smallest_loop_with_fakes_anywhere(k: int) -> None:
    work = compile_patches(SMALLEST_LOOP, everywhere=True, margin=5)
    assert work.boxes(k) == {2: 72, 3: 112}[k]
    answer = ao.solve(FakeBoxes(map(box_at, work.corners(k)), k), "fake-depths/cp-sat")
    assert (answer.claim.name, answer.cost) == ("OPTIMAL", 4)


@pytest.mark.slow
def test_a_whole_formula_with_fakes_anywhere() -> None:
    reduced = PlanarThreeSatToFakeBoxes().apply(formulas.contradiction())
    answer = ao.solve(reduced.target, "fake-depths/cp-sat")
    assert (answer.claim.name, answer.cost) == ("OPTIMAL", 27)
    assert reduced.source.cost(reduced.pull(answer.require_solution())) == 1


def test_every_set_of_short_clauses_on_two_variables_by_cheap_proofs() -> None:
    """A cover at the threshold where the formula is satisfiable; one more window for each clause that must fail."""
    for number, problem in enumerate(all_formulas()):
        if number % 8 or problem.embedding is None:
            continue
        reduced = in_patches(problem)
        best = min(problem.solutions(), key=problem.cost)
        pushed = reduced.push(best)
        assert reduced.target.violations(pushed) == []
        assert reduced.target.cost(pushed) == reduced.threshold() + problem.cost(best)
        assert reduced.target.lower_bound() >= reduced.threshold()
        assert problem.cost(reduced.pull(pushed)) == problem.cost(best)


@each("seed", [3, 14, 16, 20][: asked(2, 4)])
def test_random_formulas_there_and_back(seed: int) -> None:
    problem = random_formula(random.Random(seed), 4)
    assert list(faults(problem, seed, ks=(2, 3, 5))) == []


def test_a_formula_that_fits_on_no_line_as_it_is() -> None:
    problem = on_no_line()
    assert problem.size() == {"variables": 11, "clauses": 27, "literals": 54}
    line = PlanarThreeSatToRectilinearThreeSat().apply(problem)
    target: Any = line.target
    assert target.formula.variables > 11
    assert target.embedding.why_not(target.formula) is None
    for true in ([], [1], [2, 4, 6], [3, 5, 7, 9], range(1, 12)):
        solution = ao.TruthAssignment.of(true)
        pushed = line.push(solution)
        assert target.cost(pushed) == problem.cost(solution)
        assert line.pull(pushed) == solution


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_copies_may_be_anything(seed: int) -> None:
    chance = random.Random(seed)
    problem = on_no_line()
    line = PlanarThreeSatToRectilinearThreeSat().apply(problem)
    target: Any = line.target
    any_values = ao.TruthAssignment.of(x for x in range(1, target.formula.variables + 1) if chance.random() < 0.5)
    assert problem.cost(line.pull(any_values)) <= target.cost(any_values)


def test_refusals() -> None:
    for reduction in (
        PlanarThreeSatToRectilinearThreeSat(),
        RectilinearThreeSatToPatchCover(),
        PlanarThreeSatToFakeBoxes(),
    ):
        assert reduction.why_not(ao.FakePoints([(0, 0)], 2)) == "it is for planar-3-sat, not for fake-points"
    plain = ao.PlanarThreeSat(ao.Formula(1, [(1,)]))
    with pytest.raises(
        ao.NotApplicable, match="it needs a rectilinear embedding; planar-3-sat-to-rectilinear-3-sat finds one"
    ):
        RectilinearThreeSatToPatchCover().apply(plain)
    for make in (PlanarThreeSatToFakeBoxes, PatchCoverToFakeBoxes):
        with pytest.raises(ao.BadInput, match="k is 1; it must be at least 2, because with k = 1 nothing is asked for"):
            make(1)


def test_questions_that_the_threshold_decides() -> None:
    """No variable is in more than three clauses: every question; else the one whether the formula is satisfiable."""
    few = in_patches(formulas.not_all_equal())
    assert all(few.decides(bound) for bound in range(5))
    many = in_patches(formulas.all_two_literal_clauses())
    assert [many.decides(bound) for bound in range(3)] == [True, False, False]
    with pytest.raises(
        ao.NotApplicable, match="whether the optimum is at most 1 is not decided by the target's optimum"
    ):
        many.threshold(1)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_the_size_by_formula(seed: int) -> None:
    chance = random.Random(seed)
    above, below = ([chance.random() < 0.5 for _ in range(chance.randint(0, 4))] for _ in range(2))
    made = ring(1, [(1 if sign else -1, i) for i, sign in enumerate(above)], [(1 if s else -1, 9) for s in below], 0)
    assert loop_length(above, below) == len(made.patches)


def test_the_path_of_the_three_steps_is_the_same() -> None:
    problem = formulas.not_all_equal()
    steps = (PlanarThreeSatToRectilinearThreeSat(), RectilinearThreeSatToPatchCover(), PatchCoverToFakeBoxes())
    way, whole = Path(steps).apply(problem), reductions.get("planar-3-sat-to-fake-boxes").apply(problem)
    assert (way.target, way.threshold()) == (whole.target, whole.threshold())
    for true in ([], [1], [1, 2, 3]):
        solution = ao.TruthAssignment.of(true)
        assert way.push(solution) == whole.push(solution)


def test_fakes_between_the_cells_come_back() -> None:
    reduced = PlanarThreeSatToFakeBoxes().apply(formulas.one_literal())
    assert isinstance(reduced, FormulaInBoxes)
    fakes = reduced.push(ao.TruthAssignment.of([1]))
    moved = off_grid(reduced.boxes, fakes, random.Random(1))
    assert any((5 * x).denominator > 1 for corner in moved.corners for x in corner)
    assert reduced.pull(moved) == reduced.pull(fakes) == ao.TruthAssignment.of([1])
    twice = ao.AddedBoxes([*moved.corners, *fakes.corners, *fakes.corners])
    assert reduced.pull(twice) == ao.TruthAssignment.of([1])
