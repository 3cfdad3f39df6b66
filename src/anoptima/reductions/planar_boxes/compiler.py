"""From patches to boxes: stacks that make every cell around the patches deep, bases that leave the patches one short.

A *patch* is a cell of depth exactly k - 1. Every other cell near a patch has depth k or more, every further cell none or k or more.
Then a fake box on the grid that holds a patch makes no cell sparse, and the only thing that is asked for is to cover the patches.

- *Stacks* are k boxes in one place that hold no patch. Wherever they lie, they make no cell sparse. They are chosen greedily, until
  every cell near a patch lies in one: first those that hold most cells that no other does. All lie in the window W, the patches'
  bounding box and 6 cells more on every side.
- *Bases* are k - 1 boxes in one place that hold exactly one patch; each patch has one.

*Near* is what a window that holds a patch can reach: 4 cells. With `everywhere`, all of W is made deep, as in the paper's picture.

Not every set of patches compiles: a cell between two patches of a row, 2 to 5 apart, is in no window without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from anoptima.errors import NotApplicable
from anoptima.problems.sources.patch_cover import SIDE, Cell

MARGIN = 6
"""W is larger than the patches' bounding box by this many cells, on every side."""

REACH = SIDE - 1
"""The distance from a patch that a window over it can reach."""

MOST_CELLS = 50_000_000
"""Of W, at most; an array of them is held a few times."""


@dataclass(frozen=True)
class Stackwork:
    """Stacks and bases by the corners of their windows.

    Attributes
    ----------
    patches
        The patches.
    stacks
        Where there are k boxes.
    bases
        Where there are k - 1; base i holds patch i.
    """

    patches: tuple[Cell, ...]
    stacks: tuple[Cell, ...]
    bases: tuple[Cell, ...]

    def corners(self, k: int) -> list[Cell]:
        """Return the corners of all boxes: k at each stack, k - 1 at each base."""
        return [corner for corner in self.stacks for _ in range(k)] + [
            corner for corner in self.bases for _ in range(k - 1)
        ]

    def boxes(self, k: int) -> int:
        """Return how many boxes there are."""
        return k * len(self.stacks) + (k - 1) * len(self.bases)

    @cached_property
    def _ground(self) -> _Ground:
        return _Ground(self.patches, MARGIN)

    def depths(self, k: int) -> tuple[NDArray[np.int64], Cell]:
        """Return the depth of every cell of W and of those around it, column by column, and the cell that comes first."""
        ground = self._ground
        depth = np.zeros(ground.patch.shape, dtype=np.int64)
        for x, y in self.corners(k):
            depth[ground.window((x, y))] += 1
        return depth, ground.first

    def why_wrong(self, k: int) -> str | None:
        """Say which cell has not the depth that it should have; None if all do. O(cells of W)."""
        ground = self._ground
        if k < 1:
            return f"k is {k}; it must be at least 1"
        depth, _ = self.depths(k)
        near = ground.near(REACH)
        low = (depth < k) & near & ~ground.patch
        wrong = low | (ground.patch & (depth != k - 1)) | ((depth > 0) & (depth < k) & ~ground.patch)
        if not wrong.any():
            return None
        i, j = np.argwhere(wrong)[0].tolist()
        what = "patch" if ground.patch[i, j] else "cell"
        return f"the {what} {ground.cell(i, j)} has depth {depth[i, j]}"


def compile_patches(patches: Sequence[Cell], *, everywhere: bool = False, margin: int = MARGIN) -> Stackwork:
    """Choose stacks and bases, or raise `NotApplicable` with the cell that makes it impossible. O(cells of W + 25 windows near patches).

    >>> work = compile_patches([(0, 0)])
    >>> work.stacks, work.bases, work.boxes(3)
    (((-5, -4), (-4, 1), (0, -5), (1, 0)), ((0, 0),), 14)
    """
    ground = _Ground(patches, margin)
    wanted = (ground.inside if everywhere else ground.near(REACH)) & ~ground.patch
    free = (_sums(ground.patch) == 0) & ground.windows
    reachable = _spread(free)
    lost = np.argwhere(wanted & ~reachable)
    if len(lost):
        raise NotApplicable(_why_lost(ground, ground.cell(*lost[0].tolist())))
    stacks = _greedy(wanted, free)
    stacked = np.zeros(wanted.shape, dtype=bool)
    for i, j in stacks:
        stacked[i : i + SIDE, j : j + SIDE] = True
    return Stackwork(
        tuple(ground.patches),
        tuple(sorted(ground.cell(i, j) for i, j in stacks)),
        tuple(_base(ground, patch, stacked) for patch in ground.patches),
    )


class _Ground:
    """Arrays over W and a border as wide as a window, column by column (x first)."""

    def __init__(self, patches: Sequence[Cell], margin: int) -> None:
        self.patches = [(int(x), int(y)) for x, y in patches]
        cells = np.array(self.patches, dtype=np.int64)
        border = margin + SIDE
        low, high = cells.min(axis=0) - border, cells.max(axis=0) + border + 1
        self.first: Cell = (int(low[0]), int(low[1]))
        shape = (int(high[0] - low[0]), int(high[1] - low[1]))
        if shape[0] * shape[1] > MOST_CELLS:
            raise NotApplicable(
                f"the patches spread over {shape[0]:,} x {shape[1]:,} cells; at most {MOST_CELLS:,} cells are compiled"
            )
        self.patch = np.zeros(shape, dtype=bool)
        self.patch[tuple((cells - low).T)] = True
        self.inside = np.zeros(shape, dtype=bool)
        self.inside[SIDE:-SIDE, SIDE:-SIDE] = True
        self.windows = np.zeros(shape, dtype=bool)
        self.windows[SIDE : -2 * SIDE + 1, SIDE : -2 * SIDE + 1] = True

    def cell(self, i: int, j: int) -> Cell:
        return self.first[0] + i, self.first[1] + j

    def window(self, corner: Cell) -> tuple[slice, slice]:
        i, j = corner[0] - self.first[0], corner[1] - self.first[1]
        return slice(i, i + SIDE), slice(j, j + SIDE)

    def near(self, reach: int) -> NDArray[np.bool_]:
        near = np.zeros(self.patch.shape, dtype=bool)
        for i, j in np.argwhere(self.patch):
            near[i - reach : i + reach + 1, j - reach : j + reach + 1] = True
        return near


def _sums(cells: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for each corner, how many of the cells its window holds; windows that stick out hold what is there."""
    total = np.zeros((cells.shape[0] + SIDE, cells.shape[1] + SIDE), dtype=np.int64)
    total[: cells.shape[0], : cells.shape[1]] = cells
    for axis in (0, 1):
        summed = np.cumsum(total, axis=axis)
        zero = np.zeros_like(np.take(summed, [0], axis=axis))
        padded = np.concatenate([zero, summed], axis=axis)
        length = cells.shape[axis]
        total = np.take(padded, range(SIDE, SIDE + length), axis=axis) - np.take(padded, range(length), axis=axis)
    return total


def _spread(corners: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells that the windows at these corners hold."""
    held: NDArray[np.bool_] = _sums(corners[::-1, ::-1])[::-1, ::-1] > 0
    return held


def _greedy(wanted: NDArray[np.bool_], free: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Choose free windows until all that is wanted is held: one that holds most of what is left, the first of them by its corner.

    In rounds, by how much a window still holds: 25 of them.
    """
    left = wanted.copy()
    chosen = []
    for gain in range(SIDE * SIDE, 0, -1):
        for i, j in np.argwhere((_sums(left) >= gain) & free).tolist():
            window = left[i : i + SIDE, j : j + SIDE]
            if np.count_nonzero(window) >= gain:
                window[...] = False
                chosen.append((i, j))
        if not left.any():
            break
    return chosen


def _base(ground: _Ground, patch: Cell, stacked: NDArray[np.bool_]) -> Cell:
    for x in range(patch[0], patch[0] - SIDE, -1):
        for y in range(patch[1], patch[1] - SIDE, -1):
            window = ground.window((x, y))
            if np.count_nonzero(ground.patch[window]) == 1 and np.count_nonzero(stacked[window]) == SIDE * SIDE - 1:
                return x, y
    raise NotApplicable(f"every window that holds the patch {patch} holds another patch, so it can have no base")


def _why_lost(ground: _Ground, cell: Cell) -> str:
    x, y = cell
    close = [p for p in ground.patches if max(abs(p[0] - x), abs(p[1] - y)) < SIDE]
    for i, (a, b) in enumerate(close):
        for c, d in close[i + 1 :]:
            if (a == c == x and 2 <= abs(b - d) <= SIDE) or (b == d == y and 2 <= abs(a - c) <= SIDE):
                line = "column" if a == c else "row"
                return (
                    f"the patches {(a, b)} and {(c, d)} lie in one {line}, {max(abs(a - c), abs(b - d))} apart, "
                    f"so that the cell {cell} between them is in no window without a patch; they may be 1 or 6 or more apart"
                )
    return f"the cell {cell} is in no window without a patch; the patches around it are {close}"
