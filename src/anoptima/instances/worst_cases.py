"""Families on which an approximation is as bad as its theorem allows, or arbitrarily bad: a member for every size, and a short proof.

They were read off the champions of hunts (`anoptima hunt`, and what its `--grow` says of them). `CASES` says what a solver pays on each
member and what an optimum costs; the tests solve members, and the library holds some with proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.exact import Exact
from anoptima.instances.numbered import numbered_table
from anoptima.packages import pd
from anoptima.principles import KAnonymity, LDiversity, Principle, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.quasi_identifier import IdentifyingColumns
from anoptima.table import Table


@dataclass(frozen=True)
class WorstCase:
    """A family for one or several solvers.

    Attributes
    ----------
    knob
        What a size counts: 'columns', 'k', 'rows'.
    sizes
        Sizes whose members are small enough to be solved and proved.
    cost, optimum
        What the solvers pay on the member of a size, and what an optimum costs.
    shows
        What follows.
    """

    name: str
    solvers: tuple[str, ...]
    knob: str
    sizes: tuple[int, ...]
    problem: Callable[[int], Problem[Any]]
    cost: Callable[[int], Exact]
    optimum: Callable[[int], Exact]
    shows: str


def far_class(columns: int, k: int = 2) -> Problem[Any]:
    """Return k rows 1...1, k rows 0...01 and one row 0...0, under k-anonymity: `classes` pays its whole ratio, the number of columns m.

    The odd row needs company, and no big class can spare a row, so a whole class of k rows joins it. Both are equally small, and the
    algorithm takes the last: the far one. It pays (k + 1) m; the near one costs k + 1, and no solution costs less (Theorem 10, case 3).

    >>> problem = far_class(3)
    >>> problem.cost(problem.trivial())
    15
    """
    far, near, odd = (1,) * columns, (*(0,) * (columns - 1), 1), (0,) * columns
    return _cells([odd, *[far] * k, *[near] * k], KAnonymity(k))


def crossed_pairs(columns: int, principle: Principle | None = None) -> Problem[Any]:
    """Return two pairs that differ in the first column alone, crossed there: pairing rows by that column's order costs m times too much.

    The rows are (0, 0...0), (1, 1...1), (2, 1...1) and (3, 0...0). The first and the last together, and the two others, cost 4 stars,
    and no grouping of different rows costs less. By the order of the first column 0 goes with 1 and 2 with 3, which stars all 4 m cells.
    Both Mondrians cut there, since all columns are as wide as they can be and the first is tried first. Under 2-diversity, with one
    sensitive value in the first and third row and another in the others, `residue` deals rows out in that order.

    >>> crossed_pairs(5).lower_bound()
    4
    """
    rows = [(0, *[0] * (columns - 1), 0), (1, *[1] * (columns - 1), 1), (2, *[1] * (columns - 1), 0)]
    rows.append((3, *[0] * (columns - 1), 1))
    if principle is None:
        return _cells([row[:columns] for row in rows], KAnonymity(2))
    return CellSuppression(numbered_table(rows, has_sensitive=True), principle)


def odd_row(rows: int) -> Problem[Any]:
    """Return one column with one 0 and otherwise 1, under 2-anonymity: two stars do, and whoever leaves equal rows together stars all n.

    Strict Mondrian cannot cut a column between equal values, `clustering` merges whole row types, and `peel`, `lattice` and
    `small-classes` publish or drop whole classes: the odd row is left over and takes the whole class with it.

    >>> from anoptima import solve
    >>> solve(odd_row(5), "subset-dp").cost, solve(odd_row(5), "peel").cost
    (2, 5)
    """
    return _cells([(0,), *[(1,)] * (rows - 1)], KAnonymity(2))


def odd_diverse(rows: int) -> Problem[Any]:
    """Return one row (0) and n - 1 rows (1) under 2-diversity: two stars do, and whoever cannot choose by sensitive value stars all n.

    With n = 2r + 2, the odd row has the first sensitive value, as have r of the others; r + 1 have the second. So the class of equal rows
    fails as a whole, and the odd row with any row of the second value leaves r of each: 2 stars, and one row alone is no group. Whoever
    moves whole classes has nothing but the table. `local-search` starts from there. No single row may go, and its splits put the odd row
    with the nearest rows: all are equally near, so they come in the table's order, those of the first value first.

    >>> from anoptima import solve
    >>> solve(odd_diverse(8), "subset-dp").cost, solve(odd_diverse(8), "local-search").cost
    (2, 8)
    """
    half = rows // 2
    return CellSuppression(
        numbered_table([(0, 0), *[(1, 0)] * (half - 1), *[(1, 1)] * half], has_sensitive=True), LDiversity(2)
    )


def far_pairs(columns: int) -> Problem[Any]:
    """Return the rows 0...00, 0...01, 1...10 and 1...11 under 2-anonymity: 4 stars do, and no two rows are equal.

    `small-classes` stars whatever is not in a class of its own: all 4 m cells.

    >>> far_pairs(3).lower_bound()
    4
    """
    m = columns - 1
    return _cells([(*[a] * m, b) for a in (0, 1) for b in (0, 1)], KAnonymity(2))


def pairs_apart(columns: int) -> Problem[Any]:
    """Return m pairs of rows under 2-anonymity, the i-th different in column i alone: 2 m stars do, one for each row.

    On any set of columns that keeps one, say i, the rows of the i-th pair are alone. So `lattice` keeps none, and stars all 2 m^2 cells.

    >>> pairs_apart(3).lower_bound()
    6
    """
    rows = [
        tuple(pair + columns * side * (j == pair) for j in range(columns)) for pair in range(columns) for side in (0, 1)
    ]
    return _cells(rows, KAnonymity(2))


def attached(k: int) -> Problem[Any]:
    """Return k classes (0, i) of 2k - 2 rows, and beside each one row (1, i), under k-anonymity: `forest` pays 2k - 1 times the optimum.

    The k odd rows together cost k stars, and no solution costs less, as none equals another row. But each is as near to its class
    as to another odd row, and classes come first. It joins its class, which cannot be cut: all 2k - 1 rows get a star. Of at most 3k - 3
    times, that is all for k = 2, and it grows like it.

    >>> attached(2).lower_bound()
    2
    """
    classes = [(0, i) for i in range(k) for _ in range(2 * k - 2)]
    return _cells([*classes, *((1, i) for i in range(k))], KAnonymity(k))


def doubled_line(doublings: int) -> Problem[Any]:
    """Return 2^p points on a line under 2-anonymity, a gap a column with its length for weight: nearest first leaves the far ends.

    T_1 are two points with gap 2. T_{p+1} are two copies of T_p with a gap between them that is 1 less than T_p is long. Groups of one T_1
    each cost 2^{p+1} in all. But the gap between two T_1 is 1, so `peel` publishes those inner ends first. Of what is left, the inner ends
    across the next gap are nearest, and so on; at last the far ends pay for the whole line. It is (3^p + 1) / 2 long: that grows by a
    factor of 3, and the groups of T_1 by 2 (after Reingold and Tarjan 1981, on greedy matchings).

    >>> problem = doubled_line(2)
    >>> problem.table.weights
    (2, 1, 2)
    """
    gaps = line_gaps(doublings)
    rows = [[int(j < i) for j in range(len(gaps))] for i in range(len(gaps) + 1)]
    names = [f"g{j}" for j in range(len(gaps))]
    table = Table.from_frame(pd.DataFrame(rows, columns=names), names, weights=dict(zip(names, gaps, strict=True)))
    return CellSuppression(table, KAnonymity(2))


def line_gaps(doublings: int) -> list[int]:
    """Return the gaps of `doubled_line`.

    >>> line_gaps(3)
    [2, 1, 2, 4, 2, 1, 2]
    """
    gaps = [2]
    for _ in range(doublings - 1):
        gaps = [*gaps, sum(gaps) - 1, *gaps]
    return gaps


def inner_first(doublings: int) -> int:
    """Return what it costs to match the inner ends of `doubled_line` first, level by level, and the far ends at last.

    >>> [inner_first(p) for p in (1, 2, 3)]
    [4, 12, 40]
    """
    length, inner = 2, 0
    for level in range(doublings - 1):
        inner += (length - 1) * 2 ** (doublings - 2 - level)
        length = 3 * length - 1
    return 2 * (inner + length)


def lines_apart(doublings: int) -> Problem[Any]:
    """Return copies of `doubled_line`, far from one another, under 2-anonymity: one ball takes all rows, and the choice of groups is lost.

    A line of 2^p points is L = (3^p + 1) / 2 long, and two lines differ in a column of weight L + 1, so that all rows have diameter 2L + 1.
    There are as many lines as it takes for (2L + 1) / n < 1/2. No smaller ball is that cheap a row: the least gap is 1, for two rows; a
    ball that leaves its line has its whole line in it and a diameter of more than 3L/2, and of every other line a part. So
    both ball covers as printed begin with all rows, and what cuts them apart is the rule of the last resort: the first row with its
    nearest one. The first rows are the inner ends, as in `doubled_line`, so that the far ends pay for each line. Ratios grow like
    (3/2)^p = n^c, with c > 1/3, for k = 2: no factor in k holds, and none that is logarithmic in n.

    >>> lines_apart(2).table
    Table(24 rows, 24 row types, quasi line, g0, g1, g2)
    """
    gaps = line_gaps(doublings)
    apart, points = sum(gaps) + 1, len(gaps) + 1
    names = ["line", *(f"g{j}" for j in range(len(gaps)))]
    # The far end comes last: row types are in the order in which their values appear.
    rows = [
        [line, *(int(j < i) for j in range(len(gaps)))]
        for line in range(lines_of(doublings))
        for i in (*range(1, points), 0)
    ]
    weights = dict(zip(names, (apart, *gaps), strict=True))
    return CellSuppression(Table.from_frame(pd.DataFrame(rows, columns=names), names, weights=weights), KAnonymity(2))


def lines_of(doublings: int) -> int:
    """Return the least number of lines for which all rows of `lines_apart` are a ball of diameter less than n / 2.

    >>> [lines_of(p) for p in (2, 3)]
    [6, 8]
    """
    lines: int = 2 * (3**doublings + 2) // 2**doublings + 1
    return lines


def key_last(columns: int) -> Problem[Any]:
    """Return the m - 1 unit rows and the row of zeros, numbered in a last column, which is a key alone.

    `greedy-descent` gives up the last column first, since the others suffice; without column i the i-th unit row is like the zeros, so it
    keeps all m - 1.

    >>> key_last(3).lower_bound()
    1
    """
    rows = [(*tuple(int(i == j) for j in range(columns - 1)), i) for i in range(columns)]
    return IdentifyingColumns(numbered_table(rows))


def divided_values(columns: int) -> Problem[Any]:
    """Return two near pairs, each of one sensitive value, under 0-closeness and 2-anonymity: m - 1 times as dear as 2-anonymity alone.

    The pairs differ in the last column alone, 4 stars. A group must have equally many rows of each value, so rows of both pairs are in
    it, and those differ in m - 1 columns at least.

    >>> from anoptima import solve
    >>> solve(divided_values(4), "subset-dp").cost
    12
    """
    m = columns - 1
    rows = [(*[a] * m, b, a) for a in (0, 1) for b in (0, 1)]
    return CellSuppression(numbered_table(rows, has_sensitive=True), TCloseness(Fraction(0)) & KAnonymity(2))


def _cells(rows: Sequence[Sequence[int]], principle: Principle) -> CellSuppression:
    return CellSuppression(numbered_table(rows), principle)


def _diverse(columns: int) -> Problem[Any]:
    return crossed_pairs(columns, LDiversity(2))


CASES: tuple[WorstCase, ...] = (
    WorstCase("far-class", ("classes",), "columns", (2, 3, 5, 8), far_class, lambda m: 3 * m, lambda m: 3, "the ratio m is attained"),
    WorstCase(
        "crossed-values", ("residue", "least-residue"), "columns", (2, 3, 5, 8), _diverse, lambda m: 4 * m, lambda m: 4,
        "the ratio m is attained",
    ),
    WorstCase(
        "attached", ("forest",), "k", (2, 3, 4), attached, lambda k: k * (2 * k - 1), lambda k: k, "the ratio 3k - 3 is of the right order"
    ),
    WorstCase(
        "crossed-pairs", ("mondrian", "mondrian-relaxed"), "columns", (2, 3, 5, 8), crossed_pairs, lambda m: 4 * m, lambda m: 4,
        "there is no ratio, for n = 4 and k = 2 already",
    ),
    WorstCase(
        "odd-row", ("clustering", "lattice", "mondrian", "peel", "small-classes"), "rows", (4, 8, 12), odd_row, lambda n: n, lambda n: 2,
        "there is no ratio in k and m",
    ),
    WorstCase(
        "odd-diverse", ("clustering", "lattice", "local-search", "mondrian", "peel", "small-classes"), "rows", (6, 8, 12), odd_diverse,
        lambda n: n, lambda n: 2, "there is no ratio in l and m",
    ),
    WorstCase("far-pairs", ("small-classes",), "columns", (2, 3, 5, 8), far_pairs, lambda m: 4 * m, lambda m: 4, "there is no ratio in k"),
    WorstCase(
        "pairs-apart", ("lattice",), "columns", (2, 3, 5), pairs_apart, lambda m: 2 * m * m, lambda m: 2 * m, "there is no ratio in k"
    ),
    WorstCase(
        "doubled-line", ("peel",), "doublings", (2, 3), doubled_line, inner_first, lambda p: 2 ** (p + 1), "there is no ratio in k"
    ),
    WorstCase(
        "lines-apart", ("ball-cover", "ball-cover-pairs"), "doublings", (2, 3), lines_apart, lambda p: lines_of(p) * inner_first(p),
        lambda p: lines_of(p) * 2 ** (p + 1), "there is no ratio in k",
    ),
    WorstCase("key-last", ("greedy-descent",), "columns", (3, 5, 8), key_last, lambda m: m - 1, lambda m: 1, "there is no ratio"),
)  # fmt: skip
"""All families; `divided_values` is about a principle, not about a solver."""
