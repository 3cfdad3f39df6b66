"""Patch cover: what is asked for, what is refused, the windows worth having, the bound by blocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems.sources.patch_cover import PatchCover, Windows
from tests.sources import brute_force

CELLS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=7, unique=True)


@pytest.mark.parametrize(
    ("patches", "blocks", "words"),
    [
        ([], [], "there is no patch; there must be at least one"),
        ([(0, 0), (1, 1), (0, 0)], [], r"the patch \(0, 0\) is there twice; a patch is there once"),
        ([(0, 0, 1)], [], r"patch 1 is \(0, 0, 1\); it must be a pair of whole numbers"),
        ([(0, 0.5)], [], r"patches\[0\]\[1\] is 0.5"),
        ([5], [], r"patches\[0\] is 5; it must be a list"),
        ([(0, 0)], [(1,)], "block 1 has the place 1; places are 0 to 0"),
        ([(0, 0)], [()], r"block 1 is \(\); it must name one patch or more, each once"),
        ([(0, 0)], [(0, 0)], r"block 1 is \(0, 0\); it must name one patch or more, each once"),
    ],
)
def test_refusals(patches: Any, blocks: Any, words: str) -> None:
    with pytest.raises(ao.BadInput, match=words):
        PatchCover(patches, blocks)


def test_windows_are_named_by_cells() -> None:
    with pytest.raises(ao.BadInput, match=r"window 2 is \(1,\); it must be a pair of whole numbers"):
        Windows.of([(0, 0), (1,)])


@given(CELLS)
def test_windows_worth_having_hold_what_any_window_holds(patches: list[tuple[int, int]]) -> None:
    cover = PatchCover(patches)
    worth = [set(held) for held in cover.maximal.values()]
    assert all(set(cover.held(corner)) == held for corner, held in zip(cover.maximal, worth, strict=True))
    for x in range(-4, 13):
        for y in range(-4, 13):
            held = set(cover.held((x, y)))
            assert not held or any(held <= other for other in worth)
    assert not any(one < other for one in worth for other in worth)


@given(CELLS, st.data())
def test_bounds_and_optimum(patches: list[tuple[int, int]], data: st.DataObject) -> None:
    places = st.lists(st.integers(0, len(patches) - 1), min_size=1, unique=True)
    cover = PatchCover(patches, data.draw(st.lists(places, max_size=3)))
    masks = [cover.held((x - i, y - j)) for x, y in patches for i in range(5) for j in range(5)]
    optimum = brute_force.covering_sets(len(patches), masks)
    assert cover.lower_bound() <= optimum <= cover.cost(cover.trivial())
    assert min(cover.cost(s) for s in cover.solutions() if cover.is_feasible(s)) == optimum


def test_what_is_missing_is_said() -> None:
    cover = PatchCover([(0, 0), (4, 4), (5, 5)])
    assert cover.violations(Windows.of([(0, 0)])) == ["the patch (5, 5) is in no window"]
    assert cover.violations(Windows.of([])) == [f"the patch {patch} is in no window" for patch in cover.patches]
    assert cover.why_infeasible() is None
