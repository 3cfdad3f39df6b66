"""Errors in the paper on fake points (Alvarez, Chambers, Kozma)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

from anoptima.answer import Budget, Clock
from anoptima.exact import simplest
from anoptima.instances.errata import Figures, erratum
from anoptima.problems.added_points import AddedPoints
from anoptima.problems.fake_points import FakePoints
from anoptima.solvers.approximate.grid_cells import cells
from anoptima.solvers.approximate.shifted_grid import Cells, factor
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.solving import solve

_ACK = "Alvarez, Chambers and Kozma"


def isolated_points(count: int, width: int = 0) -> FakePoints:
    """Return points so far apart that each needs one fake of its own for k = 2, half way between lines at whole numbers.

    On a line the lines that cut their boxes are 3 apart. In the plane, for a `width`, they are at j and at j + 1 modulo `width`, so that
    lines with one offset for both axes cut a box along one axis at most.

    >>> [str(x) for x, in isolated_points(4).points]
    ['7/2', '13/2', '19/2', '25/2']
    """
    half = Fraction(1, 2)
    if not width:
        return FakePoints([(3 + half + 3 * j,) for j in range(count)], 2)
    return FakePoints([(2 * width * j + j % width + half, (j + 1) % width + half) for j in range(count)], 2)


def _sizes(problem: FakePoints, width: int, offsets: Iterable[tuple[int, ...]]) -> list[int]:
    grids = Cells(problem, get_backend("cp-sat"), Budget(), Clock())
    return [len(grids.union(width, offset).points) for offset in offsets]


@erratum(
    "grid-ratio",
    paper=_ACK,
    place="Theorems 5 and 6",
    claim="The best of the grids of width L = 2d/ε adds at most (1 + ε) times the fewest fakes.",
    truth=(
        "A box that a line cuts is not replaced by one copy on each side: a copy covers ground that was "
        "bare, and there it takes k. The mean "
        "over independent offsets is within (1 - 1/L)^d + k ((1 + 1/L)^d - (1 - 1/L)^d), so L = max(d, ⌈3dk/ε⌉) is enough."
    ),
)
def grid_ratio() -> Figures:
    """Points on a line and in the plane, each alone, of which every grid with one offset cuts the same share."""
    figures: dict[str, Fraction | int | str] = {}
    for epsilon, dimensions, width in (
        (Fraction(1), 1, 2),
        (Fraction(1, 2), 1, 4),
        (Fraction(1), 2, 4),
        (Fraction(1, 2), 2, 8),
    ):
        problem = isolated_points(2 * width) if dimensions == 1 else isolated_points(width, width)
        best = min(_sizes(problem, width, [(r,) * dimensions for r in range(width)]))
        fewest = _fewest(problem)
        words = f"d = {dimensions}, ε = {epsilon}, L = {width}"
        figures |= {
            f"{words}: ratio claimed": simplest(1 + epsilon),
            f"{words}: ratio of the best grid, {best} fakes where {fewest} are enough": simplest(
                Fraction(best, fewest)
            ),
            f"{words}: ratio proved for independent offsets": simplest(factor(width, 2, dimensions)),
        }
    return figures


@erratum(
    "grid-common-offset",
    paper=_ACK,
    place="proof of Theorem 6",
    claim=(
        "With one random offset for all axes, a box is cut along different axes independently: 2^d cells "
        "meet it with probability 1/L^d."
    ),
    truth=(
        "One offset cuts a box whose coordinates have equal residues along all axes at once, with "
        "probability 1/L. So even the paper's own sum "
        "of penalties is (2^d - 1)/L, above ε for d >= 3 and L = 2d/ε. Independent offsets mend it."
    ),
)
def grid_common_offset() -> Figures:
    """One box in space, half way between lines: in how many cells it lies, on average."""
    width, dimensions = 6, 3
    problem = FakePoints([(Fraction(1, 2),) * dimensions], 2)

    def met(offsets: Iterable[tuple[int, ...]]) -> Fraction:
        counts = [sum(1 for _ in cells(problem, width, offset)) for offset in offsets]
        return Fraction(sum(counts), len(counts))

    together = met((r,) * dimensions for r in range(width))
    apart = met(itertools.product(range(width), repeat=dimensions))
    return {
        "ε, with L = 2d/ε = 6 in space": 1,
        "mean penalty of a box with one offset for all axes": simplest(together - 1),
        "mean penalty with independent offsets": simplest(apart - 1),
    }


@erratum(
    "primal-dual-border",
    paper=_ACK,
    place="section 2",
    claim=(
        "The dual setting, in which every point of a box that holds all unit boxes is tested, is equivalent "
        "to the original one."
    ),
    truth=(
        "They differ at the border. Test boxes of the original problem lie in the domain; in the dual "
        "setting no test position is left out, so "
        "it is the problem without a domain."
    ),
)
def primal_dual_border() -> Figures:
    """Two points of a line whose domain is barely wider than a test box."""
    points = [("0.5",), ("0.7",)]
    return {
        "fewest fakes for 0.5 and 0.7 in [0, 1.2), k = 2, test boxes in the domain": _fewest(
            FakePoints(points, 2, [(0, "1.2")])
        ),
        "fewest fakes with all test boxes": _fewest(FakePoints(points, 2)),
    }


def _fewest(problem: FakePoints) -> int:
    return int(solve(problem, "fake-grid/highs").cost or 0)


@erratum(
    "grid-residues",
    paper=_ACK,
    place="Lemma 3",
    claim="Some optimum has all its fakes on the grid that the data's coordinates span.",
    truth=(
        "The grid of the main text lacks the domain's residues. Moving a fake onto that grid may take it past the last corner of a "
        "test box, and the box there loses it. So coordinates at a whole distance from the domain's upper end belong to the grid, too; "
        "the appendix adds them."
    ),
)
def grid_residues() -> Figures:
    """Points 0 and 1 in [0, 3/2): a fake half way is in every test box."""
    problem = FakePoints([(0,), (1,)], 2, [(0, "3/2")])
    spanned = [(Fraction(0),), (Fraction(1),)]
    on_grid = next(
        size
        for size in itertools.count()
        if any(
            problem.is_feasible(AddedPoints(fakes)) for fakes in itertools.combinations_with_replacement(spanned, size)
        )
    )
    return {
        "fewest fakes for 0 and 1 in [0, 3/2), k = 2, on the data's grid": on_grid,
        "fewest fakes": _fewest(problem),
    }


@erratum(
    "loop-states",
    paper=_ACK,
    place="section 3, the variable gadget",
    claim="The other optimal cover of a loop of 2m patches pairs (2, 3), (3, 4), ..., (2m, 1).",
    truth="It pairs (2, 3), (4, 5), ..., (2m, 1): the printed pairs overlap, and there are 2m - 1 of them.",
)
def loop_states() -> Figures:
    """Loops of six patches."""
    patches = 6
    printed = [(i, i % patches + 1) for i in range(2, patches + 1)]
    meant = printed[::2]
    return {
        "pairs printed for six patches": len(printed),
        "pairs that are enough": len(meant),
        "patches that these cover": len(set(itertools.chain.from_iterable(meant))),
    }


@erratum(
    "query-count",
    paper=_ACK,
    place="section 1",
    claim="Of n points drawn uniformly from a domain of volume V, a query range of volume v is expected to hold v V.",
    truth="It is expected to hold n v/V; the other quantities of that paragraph change with it.",
)
def query_count() -> Figures:
    """All 8 places of a grid in a domain of volume 8, and a query range of volume 2."""
    places = list(itertools.product(range(2), repeat=3))
    held = sum(place[:2] == (0, 0) for place in places)
    return {"v V for n = 8, V = 8, v = 2": 2 * 8, "points of the grid in such a range": held, "n v/V": 8 * 2 // 8}


@erratum(
    "bare-patch",
    paper=_ACK,
    place="section 3, Figure 2",
    claim=(
        "k - 1 boxes with k more shifted right and k shifted up leave one patch that is not covered k times, "
        "and safe ground around it."
    ),
    truth=(
        "Its left and lower sides border on places that no box covers, so most boxes that cover the patch "
        "would make new sparse places. The "
        "gadget needs further boxes around it; a patch then can be covered by any box within the safe ground."
    ),
)
def bare_patch() -> Figures:
    """Which shifts of one more box, by steps of a fifth, cover the patch, and which of them leave everything anonymous."""
    k, fifth = 3, Fraction(1, 5)
    here = Fraction(0)
    points = [(here, here)] * (k - 1) + [(here + fifth, here)] * k + [(here, here + fifth)] * k
    problem = FakePoints(points, k)
    shifts = [(i * fifth, j * fifth) for i in range(-4, 1) for j in range(-4, 1)]
    good = [shift for shift in shifts if problem.is_feasible(AddedPoints([shift]))]
    return {
        "fewest fakes, k = 3": _fewest(problem),
        "boxes on the grid of fifths that cover the patch": len(shifts),
        "of these, boxes that repair it alone": len(good),
    }
