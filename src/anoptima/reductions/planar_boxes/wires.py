"""Wires: rows of patches, 3 or 4 cells apart, that zigzag about an axis.

Neighbours are at most 4 apart (along both axes), so that a window of 5 x 5 holds both; any two others at least 5, so that none holds
three. And no two patches lie in one row or column 2 to 5 apart: a cell between them would lie in no window without a patch, and could
not be made deep. Hence the zigzag: *offsets* from the axis are -1, 0 or 1 and differ at each step.

*Condensing.* Twelve cells are three steps of 4 or four of 3. A straight piece of 12, 15 or 16 cells, or of 18 or more, takes either
parity; 13, 14 and 17 cells do not. So two points of a wire that are far enough from each other can be joined by an even or by an odd
number of patches.
"""

from __future__ import annotations

from anoptima.errors import NotApplicable

LEAST_STEP, LARGEST_STEP = 3, 4


def fewest_steps(length: int) -> int:
    """Return how many steps a straight piece takes at least.

    >>> fewest_steps(19)
    5
    """
    return -(-length // LARGEST_STEP)


def steps(length: int, number: int) -> list[int]:
    """Split a length into steps of 4 and 3, the long ones first; `NotApplicable` if it cannot be.

    >>> steps(19, 5), steps(12, 4)
    ([4, 4, 4, 4, 3], [3, 3, 3, 3])
    """
    if not number * LEAST_STEP <= length <= number * LARGEST_STEP:
        raise NotApplicable(
            f"a wire of {length} cells cannot have {number} steps; "
            f"it can have {fewest_steps(length)} to {length // LEAST_STEP}"
        )
    long = length - number * LEAST_STEP
    return [LARGEST_STEP] * long + [LEAST_STEP] * (number - long)


def offsets(first: int, last: int, number: int) -> list[int]:
    """Return the offsets at the `number` steps after one at `first`, the last of which is at `last`; neighbours differ.

    >>> offsets(1, -1, 4), offsets(-1, 1, 5), offsets(1, 0, 3)
    ([0, 1, 0, -1], [0, 1, 0, -1, 1], [0, 1, 0])
    """
    found: list[int] = []
    here = first
    for left in range(number - 1, -1, -1):
        fits = [offset for offset in (0, 1, -1) if offset != here and _can_end(offset, last, left)]
        if not fits:
            raise NotApplicable(f"offsets {first} and {last} cannot be {number} steps apart")
        here = fits[0]
        found.append(here)
    return found


def _can_end(offset: int, last: int, left: int) -> bool:
    return offset == last if left == 0 else (offset != last or left > 1)


def straight(start: tuple[int, int], end: tuple[int, int], number: int) -> list[tuple[int, int]]:
    """Return the (place along the axis, offset) of the patches after `start` up to `end`.

    >>> straight((4, 1), (16, -1), 4)
    [(7, 0), (10, 1), (13, 0), (16, -1)]
    """
    place = start[0]
    found = []
    for step, offset in zip(steps(end[0] - place, number), offsets(start[1], end[1], number), strict=True):
        place += step
        found.append((place, offset))
    return found


def with_parity(number: int, odd: bool) -> int:
    """Return `number`, or one more if that is what has the parity.

    >>> with_parity(4, odd=True), with_parity(5, odd=True)
    (5, 5)
    """
    return number + (number % 2 != odd)
