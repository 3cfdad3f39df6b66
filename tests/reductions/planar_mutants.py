"""Broken ways of turning formulas into boxes: each changes one thing, and says which. `faults` must notice every one.

The constructions' own look at themselves (`Layout.why_unsound`) and the sizes that are announced are switched off, so that it is the
promises about solutions and optima that notice.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import anoptima as ao
from anoptima.instances import formulas
from anoptima.problems.sources.patch_cover import Windows
from anoptima.reductions.planar_boxes.compiler import Stackwork, compile_patches
from anoptima.reductions.planar_boxes.layout import Layout
from anoptima.reductions.planar_boxes.line import Lined
from anoptima.reductions.planar_boxes.rings import Ring
from anoptima.reductions.planar_three_sat_to_fake_boxes import PlanarThreeSatToFakeBoxes
from anoptima.reductions.planar_three_sat_to_rectilinear_three_sat import PlanarThreeSatToRectilinearThreeSat
from anoptima.reductions.rectilinear_three_sat_to_patch_cover import FormulaInPatches, RectilinearThreeSatToPatchCover
from tests.reductions.planar_trial import faults

REDUCTIONS = "anoptima.reductions"
clauses, layout, rings, to_boxes, to_line = (
    importlib.import_module(f"{REDUCTIONS}.{name}")
    for name in (
        "planar_boxes.clauses",
        "planar_boxes.layout",
        "planar_boxes.rings",
        "patch_cover_to_fake_boxes",
        "planar_three_sat_to_rectilinear_three_sat",
    )
)

Patch = pytest.MonkeyPatch


def sources() -> list[ao.PlanarThreeSat]:
    """Return formulas, satisfiable and not, small ones first."""
    return [
        formulas.one_literal(),
        with_copies(),
        formulas.contradiction(),
        formulas.one_clause(),
        formulas.three_units(),
    ]


def with_copies() -> ao.PlanarThreeSat:
    """Return a formula that cannot be satisfied, and of which mutants draw the curve so that it crosses an edge."""
    return ao.PlanarThreeSat(ao.Formula(2, [(1, 2), (-1,), (-2,)]))


def noticed(patch: Patch) -> str | None:
    """Return what is complained of first; None if nothing is. Caches are left aside."""
    patch.setattr(Layout, "why_unsound", lambda self: None)
    for reduction in (
        PlanarThreeSatToRectilinearThreeSat,
        RectilinearThreeSatToPatchCover,
        to_boxes.PatchCoverToFakeBoxes,
    ):
        patch.setattr(reduction, "target_size", lambda self, problem: {})
    patch.setattr(PlanarThreeSatToFakeBoxes, "target_size", lambda self, problem: {})
    patch.setattr(to_boxes, "_compiled", to_boxes._compiled.__wrapped__)
    for problem in sources():
        try:
            complaint = next(faults(problem), None)
        except (AssertionError, ao.AnoptimaError) as refusal:
            complaint = f"{type(refusal).__name__}: {refusal}"
        if complaint is not None:
            return complaint
    return None


def _ring(change: Callable[[Ring], Ring]) -> Callable[[Patch], None]:
    def apply(patch: Patch) -> None:
        made = layout.ring
        patch.setattr(layout, "ring", lambda *given: change(made(*given)))

    return apply


def _shifted(loop: Ring) -> Ring:
    (x, y), *others = loop.patches[1:]
    return replace(loop, patches=(loop.patches[0], (x, y + 4), *others))


def _one_more(loop: Ring) -> Ring:
    x, y = loop.patches[-1]
    return replace(loop, patches=(*loop.patches, (x - 1, y + 1)))


def _negated(patch: Patch) -> None:
    made = layout.ring

    def ring(variable: int, above: Any, below: Any, left: int) -> Ring:
        flipped = [[(-literal, clause) for literal, clause in side] for side in (above, below)]
        loop: Ring = made(variable, *flipped, left)
        return replace(loop, slots=tuple(replace(slot, literal=-slot.literal) for slot in loop.slots))

    patch.setattr(layout, "ring", ring)


def _wire(patch: Patch) -> None:
    patch.setattr(clauses, "fewest_steps", lambda length: -(-length // 4) + 1)


def _condensed(patch: Patch) -> None:
    kept = rings.with_parity
    patch.setattr(rings, "with_parity", lambda number, odd: kept(number, not odd))


def _bend(patch: Patch) -> None:
    kept = clauses._descent
    patch.setattr(clauses, "_descent", lambda corner, outward, height: kept(corner, -outward, height))


def _short_arm(patch: Patch) -> None:
    kept = clauses._down
    patch.setattr(clauses, "_down", lambda rise: kept(rise)[:-2])


def _slot(patch: Patch) -> None:
    patch.setattr(rings, "TIP", rings.TIP + 1)
    patch.setattr(clauses, "TIP", clauses.TIP + 1)


def _work(change: Callable[[Stackwork], Stackwork]) -> Callable[[Patch], None]:
    def apply(patch: Patch) -> None:
        patch.setattr(to_boxes, "compile_patches", lambda patches: change(compile_patches(patches)))

    return apply


def _moved_stack(work: Stackwork) -> Stackwork:
    (x, y), *others = work.stacks
    return replace(work, stacks=((x + 3, y + 3), *others))


def _threshold(patch: Patch) -> None:
    kept: Any = Layout.threshold
    patch.setattr(Layout, "threshold", property(lambda self: kept.fget(self) - 1))


def _middle(patch: Patch) -> None:
    made = FormulaInPatches
    kept = made._windows_of
    patch.setattr(made, "_windows_of", staticmethod(lambda clause, solution: kept(clause, solution)[1:]))


def _states(patch: Patch) -> None:
    made = FormulaInPatches
    kept = made.backward

    def backward(self: Any, solution: Windows) -> ao.TruthAssignment:
        true = kept(self, solution).true
        return ao.TruthAssignment.of(loop.variable for loop in self.layout.rings if loop.variable not in true)

    patch.setattr(made, "backward", backward)


def _crossing_curve(patch: Patch) -> None:
    """Draw a curve that crosses the edge from x1 to the first clause: a copy, as good formulas need them."""
    copied = ao.Formula(3, [(3, 2), (-1,), (-2,), (1, -3)])
    embedding = ao.RectilinearEmbedding((1, 3, 2), (True, False, False, False))
    patch.setattr(to_line, "on_a_line", lambda formula: Lined(copied, embedding, (1,)))


def _copy(change: Callable[[Lined], Lined]) -> Callable[[Patch], None]:
    def apply(patch: Patch) -> None:
        _crossing_curve(patch)
        kept = to_line.on_a_line
        patch.setattr(to_line, "on_a_line", lambda formula: change(kept(formula)))

    return apply


def _without_a_clause(lined: Lined) -> Lined:
    formula = ao.Formula(3, lined.formula.clauses[:-1])
    return replace(lined, formula=formula, embedding=replace(lined.embedding, above=lined.embedding.above[:-1]))


def _turned_round(lined: Lined) -> Lined:
    return replace(lined, formula=ao.Formula(3, [*lined.formula.clauses[:3], (-1, 3)]))


def _opposite(lined: Lined) -> Lined:
    return replace(lined, formula=ao.Formula(3, [*lined.formula.clauses[:3], (-1, -3)]))


def _wrong_copy(lined: Lined) -> Lined:
    return replace(lined, original=(2,))


MUTANTS: Mapping[str, Callable[[Patch], None]] = {
    "wires have a step more": _wire,
    "wires are condensed to the other parity": _condensed,
    "a patch of every loop is shifted by four cells": _ring(_shifted),
    "every loop has a patch more": _ring(_one_more),
    "slots have the parity of the negated literal": _negated,
    "slots and wires' ends are a cell too high": _slot,
    "bends go to the inner side": _bend,
    "straight arms end two patches early": _short_arm,
    "the threshold is one less": _threshold,
    "a stack is missing": _work(lambda work: replace(work, stacks=work.stacks[1:])),
    "a stack is three cells off": _work(_moved_stack),
    "a base is missing": _work(lambda work: replace(work, bases=work.bases[1:])),
    "a base is there twice": _work(lambda work: replace(work, bases=(*work.bases, work.bases[0]))),
    "a base is as deep as a stack": _work(lambda work: replace(work, stacks=(*work.stacks, work.bases[0]))),
    "the first window of every clause is left out": _middle,
    "states are read the wrong way round": _states,
    "the clause that ties a copy is missing": _copy(_without_a_clause),
    "the clause that ties a copy is turned round": _copy(_turned_round),
    "a copy is tied to the opposite": _copy(_opposite),
    "a copy is taken for another variable's": _copy(_wrong_copy),
}
"""What is broken, and how."""

UNBROKEN: Mapping[str, Callable[[Patch], None]] = {
    "nothing": lambda patch: None,
    "a copy where none is needed": _crossing_curve,
}
"""What must pass: the formulas are right, and so is a copy."""
