"""The exact checker: tiles see what a look at every test box sees."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima.problems.depths as depths
from anoptima.problems.depths import Point, sparse_corners

Reaches = list[tuple[Fraction, Fraction]] | None


def cells(points: list[Point], k: int, tested: Reaches) -> set[tuple[int, ...]]:
    """The sets of points in test boxes that hold too few: corners where something changes, and between."""
    axes = []
    for i in range(len(points[0])):
        changes = {p[i] - shift for p in points for shift in (0, 1)}
        if tested is not None:
            low, high = tested[i]
            changes = {low, high, *(x for x in changes if low <= x <= high)}
        ordered = sorted(changes)
        axes.append([*ordered, *((a + b) / 2 for a, b in itertools.pairwise(ordered))])
    found = set()
    for corner in itertools.product(*axes):
        held = tuple(j for j, p in enumerate(points) if all(c <= x < c + 1 for c, x in zip(corner, p, strict=True)))
        if 0 < len(held) < k:
            found.add(held)
    return found


def seen(points: list[Point], k: int, tested: Reaches) -> set[tuple[int, ...]]:
    found = set()
    for corner, depth in sparse_corners(points, k, tested):
        held = tuple(j for j, p in enumerate(points) if all(c <= x < c + 1 for c, x in zip(corner, p, strict=True)))
        assert len(held) == depth
        found.add(held)
    return found


coordinates = st.builds(Fraction, st.integers(-8, 8), st.sampled_from([1, 2, 3, 4]))
point_sets = st.integers(1, 3).flatmap(
    lambda d: st.lists(st.tuples(*[coordinates] * d), min_size=1, max_size=7 - 2 * d + (d == 3))
)


@given(point_sets, st.integers(1, 4))
def test_tiles_see_every_kind_of_sparse_box(points: list[Point], k: int) -> None:
    assert seen(points, k, None) == cells(points, k, None)


@given(point_sets, st.integers(1, 4), st.data())
def test_corners_outside_the_tested_ones_do_not_count(points: list[Point], k: int, data: st.DataObject) -> None:
    tested = []
    for _ in points[0]:
        low, side = data.draw(coordinates), data.draw(coordinates.map(abs))
        tested.append((low, low + side))
    assert seen(points, k, tested) == cells(points, k, tested)


def test_a_tile_is_looked_at_in_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    plane: list[Point] = [(Fraction(i, 7), Fraction(i * i % 11, 11)) for i in range(9)]
    space: list[Point] = [(Fraction(i, 4), Fraction(i * i % 5, 5), Fraction(i * 3 % 4, 4)) for i in range(5)]
    for points in (plane, [*plane, plane[3]], space):
        whole = cells(points, 4, None)
        for most in (1, 5, 40):
            monkeypatch.setattr(depths, "_MOST_CELLS", most)
            assert seen(points, 4, None) == whole
            assert seen(points, 4, [(Fraction(0), Fraction(1))] * len(points[0])) <= whole


@given(point_sets, st.integers(1, 4))
def test_holders_are_the_points_in_every_box_of_a_cell(points: list[Point], k: int) -> None:
    distinct = list(dict.fromkeys(points))
    axes = depths.axes_of(points, None)
    for found in depths.sparse_cells(axes, k):
        numbers, members = found.holders()
        for cell, (low, corner) in enumerate(zip(found.lows, found.corners, strict=True)):
            held = {distinct[member] for member in members[numbers == cell]}
            for near in (corner, low + 1):
                at = [axis.exact(x) for axis, x in zip(axes, near, strict=True)]
                assert held == {p for p in distinct if all(c <= x < c + 1 for c, x in zip(at, p, strict=True))}


@pytest.mark.parametrize("axes", [1, 2])
def test_wide_tiles_have_the_cells_of_unit_tiles_on_a_line_and_parts_of_them_elsewhere(
    axes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = [(Fraction(i * 29 % 61, 3), Fraction(i * i % 97, 10))[:axes] for i in range(60)]
    monkeypatch.setattr(depths, "_MANY_TILES", 1_000)
    by_unit = list(depths.sparse_cells(depths.axes_of(points, None), 4, finer=True))
    monkeypatch.setattr(depths, "_MANY_TILES", 0)
    wide = list(depths.sparse_cells(depths.axes_of(points, None), 4, finer=True))
    assert len(wide) < len(by_unit)

    def volume(found: list[depths.SparseCells]) -> dict[int, int]:
        sizes: dict[int, int] = {}
        for part in found:
            for depth, size in zip(part.depths.tolist(), (part.corners - part.lows).prod(axis=1).tolist(), strict=True):
                sizes[depth] = sizes.get(depth, 0) + size
        return sizes

    def corners(found: list[depths.SparseCells]) -> set[tuple[int, ...]]:
        return {tuple(corner) for part in found for corner in part.corners.tolist()}

    assert volume(by_unit) == volume(wide)
    assert corners(by_unit) <= corners(wide)
    assert axes > 1 or corners(by_unit) == corners(wide)


def test_on_a_grid_hundreds_of_tiles_are_a_few_wide_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes that begin and end at fifths make at most 25 cells in a unit tile, however many they are."""
    looked: list[int] = []
    look = depths._sparse_in

    def counted(*given: Any) -> Iterator[depths.SparseCells]:
        looked.append(given[3])
        return look(*given)

    monkeypatch.setattr(depths, "_sparse_in", counted)
    points: list[Point] = [(Fraction(3 * i, 5), Fraction(i * i % 50, 5)) for i in range(100)]
    by_unit = list(sparse_corners(points, 2, None))
    assert set(looked) == {1}
    units = len(looked)
    looked.clear()
    wide = list(sparse_corners(points, 2, None, finer=True))
    assert min(looked) >= 4
    assert len(looked) < units / 10
    assert set(by_unit) <= set(wide)
    assert not list(sparse_corners(points * 2, 2, None, finer=True))


def test_where_every_place_has_enough_points_no_cell_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depths, "_sparse_in", None)
    points = [(Fraction(i, 7),) * 9 for i in range(50)]
    assert not list(sparse_corners(points * 3, 3, None))


def test_a_quick_bound_looks_at_a_few_cells_of_each_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    points: list[Point] = [(Fraction(i, 10), Fraction(i * i % 97, 10)) for i in range(60)]
    bound = depths.needed_apart(depths.axes_of(points, None), 4)
    monkeypatch.setattr(depths, "_MOST_SEEN", 10)
    assert 0 < depths.needed_apart(depths.axes_of(points, None), 4) < bound


@given(st.lists(st.fractions(0, 9, max_denominator=6), min_size=1, max_size=12), st.integers(2, 4), st.booleans())
def test_on_a_line_boxes_lack_as_much_as_the_best_of_those_that_a_look_at_all_finds(
    places: list[Fraction], k: int, is_bounded: bool
) -> None:
    points, tested = [(place,) for place in places], [(Fraction(-1), Fraction(7))] if is_bounded else None
    most: dict[Fraction, int] = {}
    for (corner,), held in sorted(sparse_corners(points, k, tested)):
        best = max((most[other] for other in most if other <= corner - 1), default=0)
        most[corner] = max(best + k - held, *most.values(), 0)
    assert depths.needed_apart(depths.axes_of(points, tested), k) >= max(most.values(), default=0)


def test_numbers_of_any_length_are_exact() -> None:
    far, tiny = Fraction(10) ** 30, Fraction(1, 10**30)
    assert not list(sparse_corners([(far,), (far,)], 2, None))
    assert list(sparse_corners([(far,), (far + tiny,)], 2, None)) == [((far - 1 + tiny,), 1), ((far + tiny,), 1)]


def test_no_points_no_corners() -> None:
    assert list(sparse_corners([], 2, None)) == []
