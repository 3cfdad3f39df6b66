"""Errors in the papers on k-anonymity by cell suppression: bounds, ratios and a program, each with the instance on which it fails."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from anoptima.exact import simplest
from anoptima.instances.errata import Figures, erratum
from anoptima.packages import pd
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.problems.diameter_sum import DiameterSum
from anoptima.solvers.approximate.ball_cover import BallCover, BallCoverPairs
from anoptima.solvers.approximate.classes import by_classes
from anoptima.solvers.approximate.truncated_balls import TruncatedBalls
from anoptima.table import Table

MW, LY, CPS = "Meyerson and Williams 2004", "Liang and Yuan 2013", "Chakaravarthy, Pandit and Sabharwal 2010"


def table_of(rows: Sequence[Sequence[Any]]) -> Table:
    """Return rows as a table with columns 0, 1, ...

    >>> table_of(["00", "01"])
    Table(2 rows, 2 row types, quasi 0, 1)
    """
    frame = pd.DataFrame([list(row) for row in rows]).rename(columns=str)
    return Table.from_frame(frame, list(frame.columns))


def never() -> bool:
    """Return False: there is no hurry."""
    return False


@erratum(
    "diameter-lemma",
    paper=MW,
    place="Lemma 4.1",
    claim="The stars of a group S are at most C(|S|, 2) diam(S).",
    truth="They are at most |S|² diam(S) / 2, and unit vectors reach that. A bad column separates |S| - 1 pairs or more, and all "
    "pairs together are separated by C(|S|, 2) diam(S) columns at most, so |S| bad(S) <= |S|² diam(S) / 2. The paper's final ratio "
    "stands, because (2k - 1)² / 2 < 3k².",
)
def diameter_lemma() -> Figures:
    """Two rows at distance 1, and five unit vectors."""
    found: dict[str, Any] = {}
    for what, rows in (
        ("two rows at distance 1", ["0", "1"]),
        ("five unit vectors", [["1" if i == j else "0" for j in range(5)] for i in range(5)]),
    ):
        table, size = table_of(rows), len(rows)
        one = Partition(np.zeros(size, dtype=np.int64))
        diameter = DiameterSum(table, size).cost(one)
        found[f"{what}: stars"] = CellSuppression(table, KAnonymity(size)).cost(one)
        found[f"{what}: C(s, 2) diam"] = math.comb(size, 2) * diameter
        found[f"{what}: s² diam / 2"] = simplest(Fraction(size**2 * diameter, 2))
    return found


def near_pairs(pairs: int, columns: int, seed: int) -> Table:
    """Return random rows of zeros and ones, each with a partner that differs in one column.

    >>> near_pairs(2, 5, 1)
    Table(4 rows, 4 row types, quasi 0, 1, 2, 3, 4)
    """
    source = np.random.default_rng(seed)
    rows = np.repeat(source.integers(0, 2, (pairs, columns)), 2, axis=0)
    flipped = source.integers(0, columns, pairs)
    rows[np.arange(pairs) * 2 + 1, flipped] ^= 1
    return table_of(rows.tolist())


@erratum(
    "ball-cover-ratio",
    paper=MW,
    place="Theorem 4.2",
    claim="The greedy cover by balls, then Reduce, costs at most 6k (1 + ln m) times the optimum, where m is the number of columns.",
    truth="A ball may have up to n rows, not m, so the greedy cover is within 1 + ln n only; and the step from diameters to stars needs "
    "groups of at most 2k - 1 rows, while cutting large balls into such groups multiplies the diameters. Parts of balls, with at most "
    "2k - 1 new rows each, keep a ratio: ((2k - 1)² / k) H_{2k-1} < 4k (1 + ln 2k), for `truncated-balls`.",
)
def ball_cover_ratio() -> Figures:
    """220 random pairs of rows in {0, 1}^300, partners at distance 1, k = 2."""
    table = near_pairs(220, 300, 1)
    problem = CellSuppression(table, KAnonymity(2))
    optimum = problem.lower_bound()
    pairs = problem.cost(Partition(np.repeat(np.arange(220), 2)))
    whole, other = BallCover().unchopped(problem), BallCoverPairs().unchopped(problem)
    repaired = problem.cost(TruncatedBalls().partition(problem, never))
    cut = problem.cost(Partition(np.arange(440) % 220))
    return {
        "optimum: each row needs a star": optimum,
        "stars of the pairs": pairs,
        "rows in the first ball": int(np.bincount(whole.labels).max()),
        "ratio, balls by radius, not chopped": simplest(Fraction(problem.cost(whole)) / optimum),
        "ratio, balls by pair, not chopped": simplest(Fraction(problem.cost(other)) / optimum),
        "ratio, chopped with no regard to closeness": simplest(Fraction(cut) / optimum),
        "claimed, 6k (1 + ln m), rounded up": simplest(Fraction(math.ceil(10 * 12 * (1 + math.log(300))), 10)),
        "ratio, truncated balls": simplest(Fraction(repaired) / optimum),
        "promised, truncated balls": TruncatedBalls().ratio(problem),
    }


@erratum(
    "ball-cover-radius",
    paper=MW,
    place="section 4.2",
    claim="The balls have radii 1, ..., m.",
    truth="With equal rows, radius 0 is needed, too: otherwise every ball of a table may have rows that differ, and no ratio holds where "
    "the optimum is 0. The paper's other family, a ball for each pair of rows, includes radius 0.",
)
def ball_cover_radius() -> Figures:
    """Rows 0, 0, 1, 1 and k = 2."""
    problem = CellSuppression(table_of("0011"), KAnonymity(2))
    return {
        "optimum": problem.cost(Partition.from_groups([[0, 1], [2, 3]], 4)),
        "the one ball of radius 1": problem.cost(problem.trivial()),
        "with radius 0": problem.cost(BallCover().unchopped(problem)),
    }


@erratum(
    "classes-case-3",
    paper=LY,
    place="Theorem 10, case 3",
    claim="There is a class of k equal rows or more that every feasible partition stars in all of its rows.",
    truth="In every feasible partition there is such a class, and it need not be the same one. With L rows outside such classes that is "
    "enough for OPT >= L + min |C_i|, and for the ratio m.",
)
def classes_case_3() -> Figures:
    """Rows a, a, b, b, c and k = 2."""
    table = table_of("aabbc")
    problem = CellSuppression(table, KAnonymity(2))
    starred = []
    for partition in problem.solutions():
        if problem.is_feasible(partition):
            stars = problem.stars(partition)[:, 0]
            starred.append({name for name, rows in (("a", [0, 1]), ("b", [2, 3])) if stars[rows].all()})
    least = min(problem.cost(partition) for partition in problem.solutions() if problem.is_feasible(partition))
    return {
        "feasible partitions": len(starred),
        "with a big class starred in all of its rows": sum(map(bool, starred)),
        "with class a starred in all of its rows": sum("a" in classes for classes in starred),
        "with class b starred in all of its rows": sum("b" in classes for classes in starred),
        "big classes starred in all rows of every such partition": len(set.intersection(*starred)),
        "optimum": least,
        "L + min |C_i|": 1 + 2,
        "stars of the algorithm": problem.cost(by_classes(table, 2)),
    }


@erratum(
    "suppress-all",
    paper=CPS,
    place="section 5",
    claim="Suppressing every cell is an O(m)-approximation, where m is the number of columns.",
    truth="It is no approximation, whatever the function of m: equal rows in large classes need no stars at all. The m-approximation of "
    "Liang and Yuan (`classes`) leaves them alone.",
)
def suppress_all() -> Figures:
    """Many rows 00, one 01, one 02, and k = 2."""
    found: dict[str, Any] = {}
    for many in (6, 600):
        table = table_of([*["00"] * many, "01", "02"])
        problem = CellSuppression(table, KAnonymity(2))
        apart = Partition(np.array([0] * many + [1, 1]))
        found[f"{many} rows 00: stars of every cell"] = table.cells
        found[f"{many} rows 00: optimum"] = problem.cost(apart)
        found[f"{many} rows 00: its bound"] = problem.lower_bound()
        found[f"{many} rows 00: stars of `classes`"] = problem.cost(by_classes(table, 2))
    return found


@erratum(
    "pattern-program",
    paper=CPS,
    place="section 4",
    claim="For each set P of patterns, minimise the stars of what is published, subject to k rows or more for each pattern of P, and to "
    "every row being published, by *any* pattern. The least value over all P is the optimum.",
    truth="Rows must be published by patterns of P. As printed, patterns outside P take rows and need not have k of them.",
)
def pattern_program() -> Figures:
    """Rows 0, 0, 1 and k = 2."""
    rows, k = {"0": 2, "1": 1}, 2
    problem = CellSuppression(table_of("001"), KAnonymity(k))
    return {
        "optimum": min(problem.cost(p) for p in problem.solutions() if problem.is_feasible(p)),
        "the program as printed, P = {0}": _pattern_value(rows, k, {"0"}, closed_take_rows=True) or 0,
        "the program as printed, least over all P": min(_pattern_values(rows, k, closed_take_rows=True)),
        "the program repaired, least over all P": min(_pattern_values(rows, k, closed_take_rows=False)),
    }


def _pattern_values(rows: dict[str, int], k: int, *, closed_take_rows: bool) -> list[int]:
    patterns = [*rows, "*"]
    sets = itertools.chain.from_iterable(itertools.combinations(patterns, r) for r in range(1, len(patterns) + 1))
    values = [_pattern_value(rows, k, set(opened), closed_take_rows=closed_take_rows) for opened in sets]
    return [value for value in values if value is not None]


def _pattern_value(rows: dict[str, int], k: int, opened: set[str], *, closed_take_rows: bool) -> int | None:
    """Return the value of the program for one column and one set P, by trying everything; None if nothing is feasible."""
    copies = [row for row, count in rows.items() for _ in range(count)]
    best: int | None = None
    for published in itertools.product(*((row, "*") for row in copies)):
        taken = [pattern in opened for pattern in published]
        if all(published.count(pattern) >= k for pattern in opened) and (closed_take_rows or all(taken)):
            value = published.count("*")
            best = value if best is None else min(best, value)
    return best


@erratum(
    "pattern-count",
    paper=CPS,
    place="section 4",
    claim="The program has at most m^(2 |Σ| + 1) variables, one for each pattern and row, for m columns over the alphabet Σ.",
    truth="There are (|Σ| + 1)^m patterns and |Σ|^m rows: (|Σ| + 1)^m |Σ|^m pairs, of which (2 |Σ|)^m match.",
)
def pattern_count() -> Figures:
    """Two letters and four columns."""
    letters, m = "ab", 4
    rows = list(itertools.product(letters, repeat=m))
    patterns = list(itertools.product(letters + "*", repeat=m))
    match = sum(all(p in ("*", r) for p, r in zip(pattern, row, strict=True)) for pattern in patterns for row in rows)
    return {
        "pairs of a pattern and a row": len(patterns) * len(rows),
        "pairs that match": match,
        "claimed": m ** (2 * len(letters) + 1),
    }
