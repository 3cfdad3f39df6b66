"""Layouts: lengths and parities of wires, the proof's conditions on windows, the formula for the threshold."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.instances import formulas
from anoptima.reductions.planar_boxes.layout import lay_out, threshold
from anoptima.reductions.planar_boxes.line import on_a_line
from anoptima.reductions.planar_boxes.wires import fewest_steps, offsets, straight
from tests.reductions.planar_trial import random_formula


@given(st.sampled_from([12, 15, 16, *range(18, 200)]), st.sampled_from([-1, 0, 1]), st.sampled_from([-1, 0, 1]))
def test_pieces_that_take_either_parity(length: int, first: int, last: int) -> None:
    for number in (fewest_steps(length), fewest_steps(length) + 1):
        row = [(0, first), *straight((0, first), (length, last), number)]
        assert row[-1] == (length, last)
        assert len(row) == number + 1
        for (place, offset), (following, other) in itertools.pairwise(row):
            assert following - place in (3, 4)
            assert offset != other


@pytest.mark.parametrize("length", [13, 14, 17])
def test_pieces_that_take_one_parity_only(length: int) -> None:
    straight((0, 0), (length, 1), fewest_steps(length))
    with pytest.raises(ao.NotApplicable):
        straight((0, 0), (length, 1), fewest_steps(length) + 1)


def test_wires_that_cannot_be() -> None:
    with pytest.raises(ao.NotApplicable, match="a wire of 13 cells cannot have 3 steps; it can have 4 to 4"):
        straight((0, 0), (13, 1), 3)
    with pytest.raises(ao.NotApplicable, match="offsets 1 and 1 cannot be 1 steps apart"):
        offsets(1, 1, 1)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_random_layouts_are_sound_and_as_large_as_the_formula_says(seed: int) -> None:
    lined = on_a_line(random_formula(random.Random(seed), 5).formula)
    layout = lay_out(lined.formula, lined.embedding)
    assert layout.why_unsound() is None
    assert layout.threshold == threshold(lined.formula, lined.embedding) <= layout.cover.lower_bound()
    assert len(layout.patches) == 2 * layout.threshold + len(lined.formula.clauses)


def test_what_is_unsound_is_said() -> None:
    problem = formulas.one_literal()
    assert problem.embedding is not None
    layout = lay_out(problem.formula, problem.embedding)
    loop, clause = layout.rings[0], layout.clauses[0]
    arm, slot = clause.arms[0], loop.slots[0]

    def with_loop(**changes: object) -> str | None:
        return replace(layout, rings=(replace(loop, **changes),)).why_unsound()  # type: ignore[arg-type]

    def with_arm(*patches: tuple[int, int]) -> str | None:
        return replace(layout, clauses=(replace(clause, arms=(replace(arm, patches=patches),)),)).why_unsound()

    row = loop.patches
    assert with_loop(patches=(*row, row[0])) == "two patches are in one place"
    assert with_loop(patches=row[:-1]) == "the loop of variable 1 has an odd number of patches"
    assert with_arm(*arm.patches[1:]) == "an arm of clause 1 has an odd number of patches"
    assert (
        with_loop(slots=(replace(slot, literal=-1),))
        == "the slot of literal -1 in clause 1 has the parity of its negation"
    )
    assert "the window of the slot of literal 1 in clause 1 holds" in str(
        with_loop(slots=(replace(slot, window=(0, 0)),))
    )
    assert with_loop(slots=()) == "the arms do not end at the slots of the clauses' literals"
    assert (
        with_loop(patches=(row[0], (4, 14), *row[2:])) == "the neighbours (0, 8) and (4, 14) do not fit into a window"
    )
    assert "patches of loops that are no neighbours" in str(
        with_loop(patches=(*row[:3], (10, 6), *row[4:25], (12, 3), *row[26:]))
    )
    assert "holds a patch of an arm with what is no neighbour" in str(
        with_arm(*arm.patches[:4], (18, 36), (17, 35), *arm.patches[4:])
    )
