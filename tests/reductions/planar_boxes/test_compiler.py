"""Stacks and bases: depths, refusals, and the full program for fake boxes against the cover, on random patches."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems.sources.patch_cover import PatchCover, Windows
from anoptima.reductions.patch_cover_to_fake_boxes import PatchCoverToFakeBoxes
from anoptima.reductions.planar_boxes.compiler import compile_patches
from tests.loops import each
from tests.sources import brute_force


@each("k", [2, 3, 5])
@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize("patches", [[(0, 0)], [(0, 0), (3, 1), (6, 0)], [(0, 0), (1, 0), (4, 4)]])
def test_depths(k: int, everywhere: bool, patches: list[tuple[int, int]]) -> None:
    work = compile_patches(patches, everywhere=everywhere)
    assert work.why_wrong(k) is None
    depth, (left, low) = work.depths(k)
    for x, y in patches:
        assert depth[x - left, y - low] == k - 1
    assert depth.sum() == 25 * work.boxes(k)


def test_the_pinwheel() -> None:
    work = compile_patches([(0, 0)])
    assert set(work.stacks) == {(-5, -4), (-4, 1), (1, 0), (0, -5)}
    assert [work.boxes(k) for k in (2, 3, 5)] == [4 * k + k - 1 for k in (2, 3, 5)]


def test_what_does_not_compile() -> None:
    with pytest.raises(
        ao.NotApplicable,
        match=r"the patches \(0, 0\) and \(3, 0\) lie in one row, 3 apart, so that the cell \(1, 0\) between them is in no window "
        r"without a patch; they may be 1 or 6 or more apart",
    ):
        compile_patches([(0, 0), (3, 0)])
    with pytest.raises(ao.NotApplicable, match=r"\(2, 1\) and \(2, 6\) lie in one column, 5 apart"):
        compile_patches([(2, 1), (2, 6)])
    with pytest.raises(
        ao.NotApplicable, match=r"the cell \(0, 0\) is in no window without a patch; the patches around it are"
    ):
        compile_patches([(-1, 0), (1, 1), (0, -1), (-1, 1), (1, -1)])
    with pytest.raises(
        ao.NotApplicable, match=r"every window that holds the patch .* another patch, so it can have no base"
    ):
        compile_patches([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)])
    with pytest.raises(
        ao.NotApplicable, match="spread over 1,000,023 x 1,000,024 cells; at most 50,000,000 cells are compiled"
    ):
        compile_patches([(0, 0), (1_000_000, 1_000_001)])


def test_what_is_wrong_is_said() -> None:
    work = compile_patches([(0, 0)])
    assert work.why_wrong(0) == "k is 0; it must be at least 1"
    assert type(work)(work.patches, work.stacks[1:], work.bases).why_wrong(2) == "the cell (-4, -4) has depth 0"
    assert type(work)(work.patches, work.stacks, ()).why_wrong(3) == "the patch (0, 0) has depth 0"


def draw_patches(chance: random.Random) -> list[tuple[int, int]]:
    """Return up to five patches, close to each other as often as not."""
    x, y, found = 0, 0, [(0, 0)]
    for _ in range(chance.randint(0, 4)):
        x, y = x + chance.randint(-1, 5), y + chance.randint(-5, 5)
        if (x, y) not in found:
            found.append((x, y))
    return found


@settings(max_examples=6)
@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_fakes_anywhere_are_as_many_as_windows(seed: int, k: int) -> None:
    patches = draw_patches(random.Random(seed))
    cover, reduction = PatchCover(patches), PatchCoverToFakeBoxes(k)
    if reduction.why_not(cover) is not None:
        return
    masks = [cover.held((x - i, y - j)) for x, y in patches for i in range(5) for j in range(5)]
    reduced = reduction.apply(cover)
    answer = ao.solve(reduced.target, "fake-depths/cp-sat")
    assert answer.cost == brute_force.covering_sets(len(patches), masks)
    pulled = reduced.pull(answer.require_solution())
    assert cover.cost(pulled) == answer.cost


def test_windows_without_a_patch_are_left_out() -> None:
    reduced = PatchCoverToFakeBoxes().apply(PatchCover([(0, 0)]))
    fakes = reduced.push(Windows.of([(0, 0), (100, 100)]))
    assert fakes == ao.AddedBoxes([(0, 0)])


def test_refusals() -> None:
    reduction = PatchCoverToFakeBoxes()
    assert reduction.why_not(ao.FakePoints([(0, 0)], 2)) == "it is for patch-cover, not for fake-points"
    assert "lie in one row, 4 apart" in (reduction.why_not(PatchCover([(0, 0), (4, 0)])) or "")
