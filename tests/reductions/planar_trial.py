"""Planar 3-SAT as patches and as boxes, held against brute force: what is wrong, in words. Tests, mutants and a benchmark use it.

The truth of a formula is found by trying all assignments; the fewest windows by a set cover that knows nothing of loops and clauses.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import anoptima as ao
from anoptima.problems.sources.patch_cover import PatchCover, Windows
from anoptima.reductions.patch_cover_to_fake_boxes import PatchesAsBoxes
from anoptima.reductions.planar_three_sat_to_fake_boxes import FormulaInBoxes, PlanarThreeSatToFakeBoxes
from anoptima.reductions.rectilinear_three_sat_to_patch_cover import FormulaInPatches
from tests.sources import brute_force

COVER = "patch-windows/highs"
TENTH = Fraction(1, 10)
MOST_BOXES = 3_000
"""With more boxes, the checker of fake boxes is left out: depths are counted on the grid, and windows checked as windows."""


def fewest_windows(cover: PatchCover, solver: str = COVER) -> tuple[int, Windows]:
    """Return the optimum and a cover that has it."""
    answer = ao.solve(cover, solver)
    assert answer.claim.name == "OPTIMAL", answer
    return int(answer.cost or 0), answer.require_solution()


def as_set_cover(cover: PatchCover) -> ao.MinimumCover:
    """Return the same question with every window that holds a patch as a set, worth having or not: another model, no blocks."""
    sets = {
        f"{x - i} {y - j}": cover.held((x - i, y - j)) for x, y in cover.patches for i in range(5) for j in range(5)
    }
    return ao.MinimumCover(range(len(cover.patches)), sets)


def faults(
    problem: ao.PlanarThreeSat, seed: int = 0, ks: Sequence[int] = (2, 3), reduced: FormulaInBoxes | None = None
) -> Iterator[str]:
    """Hold the whole way from a formula to boxes and back against brute force."""
    reduced = reduced or PlanarThreeSatToFakeBoxes(ks[0]).apply_unchecked(problem)
    fails = brute_force.unsatisfied(problem.formula.variables, problem.formula.clauses)
    yield from _faults_of_line(reduced, fails)
    yield from _faults_of_patches(reduced.patches, fails, random.Random(seed))
    yield from _faults_of_boxes(reduced, ks, random.Random(seed))


def _faults_of_line(reduced: FormulaInBoxes, fails: int) -> Iterator[str]:
    target = reduced.line.target
    assert isinstance(target, ao.PlanarThreeSat)
    if target.embedding is None or target.embedding.why_not(target.formula) is not None:
        yield "the formula on the line has no embedding"
    if target.formula.variables <= 16:
        on_line = brute_force.unsatisfied(target.formula.variables, target.formula.clauses)
        if on_line != fails:
            yield f"on the line {on_line} clauses must fail, and {fails} in the formula"


def _faults_of_patches(reduced: FormulaInPatches, fails: int, chance: random.Random) -> Iterator[str]:
    problem, cover, least = reduced.source, reduced.layout.cover, reduced.threshold()
    assert isinstance(problem, ao.PlanarThreeSat)
    if cover.lower_bound() < least:
        yield f"the bound is {cover.lower_bound()}, the threshold {least}"
    best, windows = fewest_windows(cover)
    if best < least or (best == least) != (fails == 0) or best > least + fails:
        yield f"{best} windows for a threshold of {least}, and {fails} clauses must fail"
    pulled = reduced.pull(windows)
    if fails == 0 and problem.cost(pulled):
        yield f"a cover at the threshold comes back as {pulled}, which is none that satisfies"
    for assignment in _assignments(problem, chance):
        pushed, cost = reduced.push(assignment), problem.cost(assignment)
        yield from cover.violations(pushed)
        if cover.cost(pushed) != least + cost:
            yield f"{assignment} leaves {cost} clauses and is pushed to {cover.cost(pushed)} windows, threshold {least}"
        if problem.cost(reduced.pull(pushed)) > cost:
            yield f"{assignment} comes back as {reduced.pull(pushed)}"
        worse = worsened(cover, pushed, chance)
        if problem.cost(reduced.pull(worse)) > reduced.source_cost(cover.cost(worse)):
            yield f"{cover.cost(worse)} windows come back as {reduced.pull(worse)}, threshold {least}"
    if len(cover.patches) != 2 * least + len(problem.formula.clauses):
        yield f"{len(cover.patches)} patches for a threshold of {least} and {len(problem.formula.clauses)} clauses"


def _assignments(problem: ao.PlanarThreeSat, chance: random.Random) -> list[ao.TruthAssignment]:
    found = []
    variables = range(1, problem.formula.variables + 1)
    for _ in range(4):
        found.append(ao.TruthAssignment.of(x for x in variables if chance.random() < 0.5))
    return [*found, problem.trivial()]


def worsened(cover: PatchCover, windows: Windows, chance: random.Random) -> Windows:
    """Return another cover: some windows taken out, and patches that are then in none covered one by one or two by two."""
    kept = {corner for corner in windows.corners if chance.random() < 0.8}
    covered = {place for corner in kept for place in cover.held(corner)}
    missing = [place for place in range(len(cover.patches)) if place not in covered]
    chance.shuffle(missing)
    for place in missing:
        if place not in covered:
            corner = chance.choice([*cover.holders[place], cover.patches[place]])
            kept.add(corner)
            covered.update(cover.held(corner))
    worse = Windows(frozenset(kept))
    assert cover.violations(worse) == []
    return worse


def _faults_of_boxes(reduced: FormulaInBoxes, ks: Sequence[int], chance: random.Random) -> Iterator[str]:
    for k in ks:
        wrong = reduced.boxes.work.why_wrong(k)
        if wrong is not None:
            yield f"k = {k}: {wrong}"
    problem = reduced.source
    assert isinstance(problem, ao.PlanarThreeSat)
    if reduced.target.size()["boxes"] > MOST_BOXES:
        return
    for assignment in _assignments(problem, chance)[-2:]:
        fakes = reduced.push(assignment)
        yield from reduced.target.violations(fakes)
        if reduced.target.cost(fakes) != reduced.target_cost(problem.cost(assignment)):
            yield f"{assignment} is pushed to {reduced.target.cost(fakes)} fakes"
        off = off_grid(reduced.boxes, fakes, chance)
        yield from reduced.target.violations(off)
        pulled = reduced.pull(off)
        if problem.violations(pulled) or problem.cost(pulled) > problem.cost(assignment):
            yield f"{assignment}, pushed and moved off the grid, comes back as {pulled}"


def off_grid(reduced: PatchesAsBoxes, fakes: ao.AddedBoxes, chance: random.Random) -> ao.AddedBoxes:
    """Return fakes that hold the same patches and lie at tenths of cells, where one can move; and some twice."""
    source: Any = reduced.source
    moved = []
    for corner in reduced.pull(fakes).corners:
        held = [source.patches[place] for place in source.held(corner)]
        place = []
        for axis in (0, 1):
            # A box from q to q + 5 holds the cell at c whole if q <= c and c + 1 <= q + 5.
            least, most = max(p[axis] for p in held) - 4, min(p[axis] for p in held)
            place.append((Fraction(least) + chance.randint(0, 10 * (most - least)) * TENTH) / 5)
        moved.append(tuple(place))
    return ao.AddedBoxes(moved)


def sat_of(formula: ao.Formula) -> bool:
    """Tell whether a formula is satisfiable, by trying everything."""
    return brute_force.unsatisfied(formula.variables, formula.clauses) == 0


def random_formula(chance: random.Random, most_variables: int = 7) -> ao.PlanarThreeSat:
    """Return a planar formula, half of them with so many clauses on few variables that no assignment may satisfy them."""
    variables = chance.randint(1, most_variables)
    clauses: list[tuple[int, ...]] = []
    dense = chance.random() < 0.5
    for _ in range(chance.randint(1, 4 * variables if dense else 2 * variables)):
        sizes = (1, 2, 2, 2, 3) if dense else (1, 2, 3, 3, 3)
        scope = chance.sample(range(1, variables + 1), min(variables, chance.choice(sizes)))
        more = [*clauses, tuple(x if chance.random() < 0.5 else -x for x in scope)]
        if ao.Formula(variables, more).why_not_planar() is None:
            clauses = more
    return ao.PlanarThreeSat(ao.Formula(variables, clauses))


def triangulated(chance: random.Random, variables: int = 11) -> ao.PlanarThreeSat:
    """Return the edges of a random stacked triangulation as clauses of two literals: the larger, the surer it has no Hamiltonian cycle."""
    faces, edges = [(1, 2, 3), (1, 2, 3)], [(1, 2), (2, 3), (1, 3)]
    for vertex in range(4, variables + 1):
        a, b, c = faces.pop(chance.randrange(len(faces)))
        faces += [(a, b, vertex), (b, c, vertex), (a, c, vertex)]
        edges += [(a, vertex), (b, vertex), (c, vertex)]
    signs = (-1, 1)
    return ao.PlanarThreeSat(
        ao.Formula(variables, [(chance.choice(signs) * x, chance.choice(signs) * y) for x, y in edges])
    )
