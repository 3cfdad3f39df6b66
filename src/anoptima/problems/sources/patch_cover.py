"""Patch cover: the fewest windows of 5 by 5 cells that hold all of some cells of the plane, the patches.

Covering points of the plane by the fewest equal squares is NP-hard (Fowler, Paterson, Tanimoto 1981). Here it is the heart of the
construction of fake boxes from formulas: patches are the only places where the depth is one too low, so boxes that cover them are all
that is asked for (Alvarez, Chambers, Kozma, Theorem 1). A *window* is named by its lower left cell.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, as_integer
from anoptima.limits import said, shown
from anoptima.problems.base import every_subset, orderly, problem_kinds
from anoptima.problems.sources.names import members_of
from anoptima.problems.sources.source_problem import SourceProblem

Cell = tuple[int, int]

SIDE = 5
"""Cells along the side of a window."""


@checked
@orderly
@dataclass(frozen=True)
class Windows:
    """Some windows, each by its lower left cell.

    >>> import anoptima as ao
    >>> problem = ao.PatchCover([(0, 0), (4, 1), (8, 0)])
    >>> len(ao.solve(problem).solution.corners)
    2
    """

    corners: frozenset[Cell]

    @classmethod
    def of(cls, corners: Iterable[Iterable[int]]) -> Windows:
        """Make one from any listing.

        >>> Windows.of([(0, 0), [3, 1]]).corners == {(0, 0), (3, 1)}
        True
        """
        return cls(frozenset(exact_cells(corners, "window")))


def exact_cells(cells: Iterable[Any], what: str) -> Iterator[Cell]:
    """Yield cells as pairs of whole numbers; `BadInput` names the one that is none.

    >>> list(exact_cells([[1, 2]], "patch"))
    [(1, 2)]
    """
    for number, given in enumerate(
        members_of(cells, f"the list of {what}es" if what == "patch" else f"the {what}s"), 1
    ):
        cell = members_of(given, f"{what} {number}")
        if len(cell) != 2:
            raise BadInput(f"{what} {number} is {shown(given)}; it must be a pair of whole numbers")
        x, y = (as_integer(value, f"a coordinate of {what} {number}") for value in cell)
        yield x, y


@problem_kinds.register
@checked
@dataclass(frozen=True, init=False)
class PatchCover(SourceProblem[Windows]):
    """Fewest windows of 5 by 5 cells that cover every patch.

    Parameters
    ----------
    patches
        Cells, each once.
    blocks
        Sets of patches, by their places in `patches`, whose size says something: if no window holds more than c of the s patches of a
        block, s / c windows or more meet it. Every choice is valid; a good one makes the bound tight.

    Examples
    --------
    >>> problem = PatchCover([(0, 0), (4, 1), (8, 0)])
    >>> problem.cost(Windows.of([(0, 0), (8, 0)])), problem.violations(Windows.of([(0, 0)]))
    (2, ['the patch (8, 0) is in no window'])
    """

    name = "patch-cover"
    unit = "windows"

    patches: tuple[Cell, ...]
    blocks: tuple[tuple[int, ...], ...]

    def __init__(self, patches: Iterable[Iterable[int]], blocks: Iterable[Iterable[int]] = ()) -> None:
        object.__setattr__(self, "patches", tuple(exact_cells(patches, "patch")))
        if not self.patches:
            raise BadInput("there is no patch; there must be at least one")
        if len(self.position) < len(self.patches):
            twice = next(patch for number, patch in enumerate(self.patches) if self.position[patch] != number)
            raise BadInput(f"the patch {twice} is there twice; a patch is there once")
        given = enumerate(members_of(blocks, "the list of blocks"), start=1)
        object.__setattr__(self, "blocks", tuple(self._block(number, block) for number, block in given))

    def _block(self, number: int, given: Iterable[Any]) -> tuple[int, ...]:
        block = tuple(as_integer(place, f"a place in block {number}") for place in members_of(given, f"block {number}"))
        for place in block:
            if not 0 <= place < len(self.patches):
                raise BadInput(f"block {number} has the place {place}; places are 0 to {len(self.patches) - 1}")
        if not block or len(set(block)) < len(block):
            raise BadInput(f"block {number} is {shown(block)}; it must name one patch or more, each once")
        return block

    @cached_property
    def position(self) -> Mapping[Cell, int]:
        """The place of each patch."""
        return {patch: number for number, patch in enumerate(self.patches)}

    def held(self, corner: Cell) -> tuple[int, ...]:
        """Return the places of the patches in the window with this corner, ascending. O(25)."""
        x, y = corner
        cells = itertools.product(range(x, x + SIDE), range(y, y + SIDE))
        return tuple(sorted(self.position[cell] for cell in cells if cell in self.position))

    @cached_property
    def maximal(self) -> Mapping[Cell, tuple[int, ...]]:
        """The windows that are worth having, with what they hold: one for each set of patches that fits no larger set into a window.

        Any window can go right until a patch is in its first column, and up until one is in its first row; so the corners to look at
        are pairs of coordinates of patches less than a window apart. O(25 n c^2) for c patches around one.
        """
        found: dict[tuple[int, ...], Cell] = {}
        for x, y in self.patches:
            around = itertools.product(range(x - SIDE + 1, x + SIDE), range(y - SIDE + 1, y + SIDE))
            rows = {v for u, v in ((u, v) for u, v in around if (u, v) in self.position) if v <= y}
            for row in rows:
                held = self.held((x, row))
                found.setdefault(held, (x, row))
        by_member: dict[int, list[frozenset[int]]] = {}
        for held in found:
            for place in held:
                by_member.setdefault(place, []).append(frozenset(held))
        return {
            corner: held
            for held, corner in found.items()
            if not any(frozenset(held) < other for other in by_member[held[0]])
        }

    @cached_property
    def holders(self) -> tuple[tuple[Cell, ...], ...]:
        """For each patch the maximal windows that hold it."""
        found: list[list[Cell]] = [[] for _ in self.patches]
        for corner, held in self.maximal.items():
            for place in held:
                found[place].append(corner)
        return tuple(map(tuple, found))

    def as_maximal(self, solution: Windows) -> set[Cell]:
        """Return windows worth having that hold what those of a solution do, one for each that holds a patch.

        >>> PatchCover([(0, 0), (1, 0)]).as_maximal(Windows.of([(-4, 0), (1, 0), (9, 9)]))
        {(0, 0)}
        """
        found = set()
        for held in filter(None, map(self.held, solution.corners)):
            found.add(next(corner for corner in self.holders[held[0]] if set(held).issubset(self.maximal[corner])))
        return found

    @cached_property
    def needs(self) -> tuple[tuple[frozenset[Cell], int], ...]:
        """For each block the maximal windows that meet it, and how many windows have to: its size over the most that one holds."""
        found = []
        for block in self.blocks:
            meeting = frozenset(corner for place in block for corner in self.holders[place])
            members = frozenset(block)
            most = max(len(members.intersection(self.maximal[corner])) for corner in meeting)
            found.append((meeting, -(-len(block) // most)))
        return tuple(found)

    def violations(self, solution: Windows) -> list[str]:
        """Name the patches that are in no window."""
        covered = {place for corner in solution.corners for place in self.held(corner)}
        missed = (patch for number, patch in enumerate(self.patches) if number not in covered)
        return said((f"the patch {patch} is in no window" for patch in missed), "patches are in no window")

    def cost(self, solution: Windows) -> Exact:
        """Count the windows."""
        return len(solution.corners)

    def trivial(self) -> Windows:
        """Take a window a patch."""
        return Windows(frozenset(self.patches))

    def lower_bound(self) -> Exact:
        """Add up what blocks need that no window meets two of; or count patches no two of which are in one window (a greedy choice)."""
        return max(self._by_blocks, self._apart)

    @cached_property
    def _by_blocks(self) -> int:
        used: set[Cell] = set()
        total = 0
        for meeting, least in self.needs:
            if used.isdisjoint(meeting):
                used.update(meeting)
                total += least
        return total

    @cached_property
    def _apart(self) -> int:
        used: set[Cell] = set()
        total = 0
        for holders in sorted(self.holders, key=len):
            if used.isdisjoint(holders):
                used.update(holders)
                total += 1
        return total

    def solutions(self) -> Iterator[Windows]:
        """Yield every choice of maximal windows, the smallest first: 2^w."""
        return (Windows(frozenset(chosen)) for chosen in every_subset([*self.maximal]))

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Yield a patch, a wire, the smallest loop, and three that meet in a window."""
        yield cls([(0, 0)])
        yield cls([(0, 0), (3, 1), (6, 0), (9, 1), (13, 0)], [(0, 2, 4)])
        yield cls([(0, 0), (4, -1), (8, 0), (9, 4), (8, 8), (4, 9), (0, 8), (-1, 4)], [range(8)])
        yield cls([(0, 0), (4, 0), (1, 4), (9, 1)])

    def size(self) -> Mapping[str, int]:
        """Return patches and windows worth having."""
        return {"patches": len(self.patches), "windows": len(self.maximal)}
