"""Errors in the papers on fake points (Alvarez, Chambers, Kozma) and on quasi-identifiers (Yuan, Wang)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

from anoptima.answer import Budget, Clock
from anoptima.exact import simplest
from anoptima.instances.errata import Figures, erratum
from anoptima.instances.matchings import cover_of_five
from anoptima.packages import pd
from anoptima.problems.fake_points import AddedPoints, FakePoints
from anoptima.problems.quasi_identifier import IdentifyingColumns, QuasiIdentifier, WitnessColumns
from anoptima.problems.sources.minimum_cover import MinimumCover
from anoptima.solvers.approximate.grid_cells import cells
from anoptima.solvers.approximate.shifted_grid import Cells, factor
from anoptima.solvers.backends.registry import get_backend
from anoptima.solvers.solving import solve
from anoptima.table import Table

_ACK = "Alvarez, Chambers and Kozma"
_YW = "Yuan and Wang"


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
        "over independent offsets is within (1 - 1/L)^d + k ((1 + 1/L)^d - (1 - 1/L)^d), so L = ⌈3dk/ε⌉ is enough."
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
        "The grid of the main text lacks the domain's residues. A fake that is shifted past the last tested "
        "corner uncovers it, so the "
        "coordinates a whole distance from the upper end belong to the grid; the appendix adds the domain's."
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
    claim="Of n points drawn uniformly from a domain of volume V, v V are expected in a query range of volume v.",
    truth="n v/V are; the other quantities of that paragraph change with it.",
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


def example_of_five_rows() -> Table:
    """Return the example in section 5.2 of Yuan and Wang: five rows, five columns.

    >>> example_of_five_rows()
    Table(5 rows, 5 row types, quasi a, b, c, d, e)
    """
    rows = ["x1x6x", "xx27x", "x3x8x", "xx4x9", "5xxx0"]
    return Table.from_frame(pd.DataFrame([list(row) for row in rows], columns=list("abcde")), quasi=list("abcde"))


@erratum(
    "quasi-identifier-trace",
    paper=_YW,
    place="section 5.2",
    claim=(
        "On the example, {b, c} does not identify the rows, and the algorithm returns the minimal "
        "quasi-identifier {a, b, c}."
    ),
    truth=(
        "The rows on {b, c} are (1, x), (x, 2), (3, x), (x, 4), (x, x), all different. {a, b, c} is not "
        "minimal; the algorithm returns {b, c}."
    ),
)
def quasi_identifier_trace() -> Figures:
    """The algorithm, run on the example."""
    problem = IdentifyingColumns(example_of_five_rows())
    found = solve(problem, "greedy-descent", start=None).require_solution()
    smallest = int(solve(problem, "hitting-set").cost or 0)
    sets = [QuasiIdentifier(frozenset(c)) for c in itertools.combinations("abcde", smallest)]
    minimum = ["".join(sorted(chosen.names)) for chosen in sets if problem.is_feasible(chosen)]
    return {
        "distinct rows on {b, c}": len(set(example_of_five_rows().classes(["b", "c"]).tolist())),
        "the algorithm returns": "".join(sorted(found.names)),
        "fewest columns": smallest,
        "all sets of that many columns that identify": ", ".join(minimum),
    }


@erratum(
    "quasi-identifier-sets",
    paper=_YW,
    place="Definitions 1 and 2",
    claim=(
        "A database is a set of rows; it is k-anonymous if every row has at least k rows equal to it on "
        "every set of columns."
    ),
    truth=(
        "In a set no two rows are equal on all columns, so nothing but the empty database is 2-anonymous. "
        "Rows must be counted as often as they occur."
    ),
)
def quasi_identifier_sets() -> Figures:
    """Two rows, each there twice."""
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]})
    figures = {}
    for words, kept in (("counted as often as they occur", frame), ("as a set", frame.drop_duplicates())):
        problem = WitnessColumns(Table.from_frame(kept, quasi=["a", "b"]), 2)
        figures[f"smallest class of 00, 00, 11, 11, {words}"] = problem.smallest_class([0, 1])
    return figures


@erratum(
    "quasi-identifier-minimal",
    paper=_YW,
    place="Definition 5",
    claim="A quasi-identifier Q is minimal if no Q' ⊆ Q is one.",
    truth="Q is a subset of itself, so nothing is minimal by that. *Proper* subsets are meant.",
)
def quasi_identifier_minimal() -> Figures:
    """Both readings on the example of section 5.2."""
    problem = IdentifyingColumns(example_of_five_rows())
    everything = [frozenset(c) for c in _subsets("abcde")]
    good = {chosen for chosen in everything if problem.is_feasible(QuasiIdentifier(chosen))}
    printed = [q for q in good if not any(part <= q for part in good)]
    meant = [q for q in good if not any(part < q for part in good)]
    return {"minimal sets as printed": len(printed), "minimal sets with proper subsets": len(meant)}


def _subsets(columns: str) -> Iterator[tuple[str, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(columns, size) for size in range(len(columns) + 1))


@erratum(
    "quasi-identifier-notions",
    paper=_YW,
    place="Definition 3 and Proposition 2",
    claim=(
        "Finding a smallest quasi-identifier, a set of columns that shows a violation of k-anonymity, is "
        "NP-hard by reduction from minimum cover."
    ),
    truth=(
        "The reduction is about columns that identify *every* row. Under Definition 3 with k = 2 one column "
        "with one element in it is enough, "
        "whatever the cover. With k copies of every element's row it is right for Definition 3, too."
    ),
)
def quasi_identifier_notions() -> Figures:
    """The paper's example of a cover, five elements by four sets."""
    cover = cover_of_five()
    return {
        "fewest sets that cover": int(solve(cover, "cover-sets/highs").cost or 0),
        "fewest columns that identify every row": int(
            solve(IdentifyingColumns(_of_cover(cover)), "hitting-set").cost or 0
        ),
        "fewest columns that show a violation of 2-anonymity": int(
            solve(WitnessColumns(_of_cover(cover), 2), "hitting-set").cost or 0
        ),
        "the same with two copies of every element's row": int(
            solve(WitnessColumns(_of_cover(cover, 2), 2), "hitting-set").cost or 0
        ),
    }


@erratum(
    "quasi-identifier-cover",
    paper=_YW,
    place="proof of Proposition 2",
    claim="Columns identify all rows exactly if their sets cover all elements.",
    truth=(
        "Only if all sets together do: otherwise an element in no set has the row of the extra one, and "
        "there is nothing to tell apart."
    ),
)
def quasi_identifier_cover() -> Figures:
    """Two elements and one set, which holds one of them."""
    frame = pd.DataFrame({"c1": ["a", "⊥", "⊥"]})
    problem = IdentifyingColumns(Table.from_frame(frame, quasi=["c1"]))
    return {
        "sets that cover a and b by {a}": "none",
        "fewest columns that identify": int(solve(problem, "hitting-set").cost or 0),
    }


def _of_cover(cover: MinimumCover, copies: int = 1) -> Table:
    """Return the table of a cover: an element's row has the element where it is in the column's set; and one row of ⊥."""
    rows = [
        [element if element in members else "⊥" for members in cover.sets]
        for element in cover.universe
        for _ in range(copies)
    ]
    frame = pd.DataFrame([*rows, ["⊥"] * len(cover.names)], columns=list(map(str, cover.names)))
    return Table.from_frame(frame, quasi=list(frame.columns))
