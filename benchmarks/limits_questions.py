"""The questions of `benchmarks.limits`: instances of every problem, from ten rows to a million, by name."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from benchmarks.auto_questions import large
from benchmarks.synthetic import census_like, classed, skewed

K3, K5, L2, L3 = ao.KAnonymity(3), ao.KAnonymity(5), ao.LDiversity(2), ao.LDiversity(3)
LARGE_SIZES = (2, 72, 5, 7, 16, 41, 7, 14)

FILES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "fair.csv": (("age", "yrs_married", "children", "religious", "educ", "occupation"), "rate_marriage"),
    "randhie.csv.gz": (("mdvis", "idp", "physlm", "hlthg", "hlthf", "hlthp", "lpi"), "disea"),
    "census-full.csv.gz": (
        ("age", "workclass", "education", "marital-status", "race", "sex", "native-country", "relationship"),
        "occupation",
    ),
}
"""Tables that `--data FOLDER` adds where they are there, with quasi-identifying columns and a sensitive one."""


def _sample(rows: int, columns: str = "eight", sensitive: str | tuple[str, ...] = ()) -> ao.Table:
    table = ao.census(columns, sensitive)
    chosen = np.random.default_rng(rows).choice(table.rows, rows, replace=False)
    return ao.Table.from_frame(table.frame.iloc[np.sort(chosen)], table.quasi, sensitive)


def incomes(rows: int = 753, seed: int = 1) -> ao.Table:
    """Return a table with a two-valued sensitive column and one in which no two rows have the same number.

    >>> incomes(20).sensitive
    ('work', 'income')
    """
    source = np.random.default_rng(seed)
    frame = skewed(rows, (4, 6, 30, 13, 8), seed)
    frame["work"] = np.where(source.random(rows) < 0.57, "yes", "no")
    income = np.unique(np.round(source.lognormal(3, 0.5, 4 * rows), 4))
    frame["income"] = source.permutation(income)[:rows]
    return ao.Table.from_frame(frame, [c for c in frame if c.startswith("q")], ["work", "income"])


@cache
def _made_up(rows: int) -> ao.Table:
    frame = census_like(rows, 7) if rows <= 200_000 else skewed(rows, LARGE_SIZES, 7)
    return ao.Table.from_frame(frame, list(frame))


def _wide(rows: int, columns: int) -> ao.Table:
    frame = classed(rows, [2 + j % 5 for j in range(columns)], 3)
    return ao.Table.from_frame(frame, list(frame))


def _numbered(rows: int) -> ao.Table:
    frame = ao.census().frame.head(rows).assign(number=range(rows))
    return ao.Table.from_frame(frame, [*ao.census().quasi, "number"])


def _points(count: int, dimensions: int, side: int = 4) -> list[tuple[Fraction, ...]]:
    drawn = np.random.default_rng(count).integers(0, 100 * side, (count, dimensions))
    return [tuple(Fraction(int(x), 100) for x in point) for point in drawn]


def _given(table: ao.Table) -> ao.GivenPatterns:
    frame, starred = table.frame[list(table.quasi)], [("*",) * len(table.quasi)]
    for first, second in itertools.combinations(table.quasi, 2):
        often = frame[[first, second]].value_counts().head(3)
        for values in often[often >= 30].index:
            kept = dict(zip((first, second), values, strict=True))
            starred.append(tuple(kept.get(name, "*") for name in table.quasi))
    return ao.GivenPatterns(table, K3, starred)


def _facilities(count: int) -> ao.LowerBoundedFacilities:
    source = np.random.default_rng(count)
    near = [
        (f, c, int(source.integers(1, 50))) for f in range(count // 10) for c in range(count) if source.random() < 0.2
    ]
    return ao.LowerBoundedFacilities([1] * count, [*((0, c, 60) for c in range(count)), *(n for n in near if n[0])], 8)


def _graph(vertices: int, share: float) -> ao.Graph:
    return ao.Graph.from_networkx(nx.gnp_random_graph(vertices, share, seed=vertices))


def _cover(count: int) -> ao.MinimumCover:
    source = np.random.default_rng(count)
    sets = {f"s{j}": source.choice(count, 12, replace=False).tolist() for j in range(3 * count)}
    return ao.MinimumCover(range(count), {**sets, "rest": list(range(count))})


INSTANCES: Mapping[str, Callable[[], Problem[Any]]] = {
    "ten rows, k 3": lambda: CellSuppression(ao.ten_rows(), K3),
    "ten rows, l 2": lambda: CellSuppression(ao.ten_rows(), L2),
    "census 300, k 3": lambda: CellSuppression(_sample(300), K3),
    "census 1,000 of 7, k 3 and l 2": lambda: CellSuppression(_sample(1000, "seven", "occupation"), K3 & L2),
    "census 2,000 of 4, t 0.2": lambda: CellSuppression(_sample(2000, "four", "occupation"), K3 & ao.TCloseness("0.2")),
    "753 incomes, t 0.3": lambda: CellSuppression(
        incomes(), K3 & ao.TCloseness("0.3", column="work") & ao.TCloseness("0.3", space=ao.Numeric(), column="income")
    ),
    "census, k 5": lambda: CellSuppression(ao.census(), K5),
    "census of 7, l 3": lambda: CellSuppression(ao.census("seven", "occupation"), L3),
    "2,000 x 300, k 3": lambda: CellSuppression(_wide(2000, 300), K3),
    "200,000 x 8, k 5": lambda: CellSuppression(_made_up(200_000), K5),
    "200,000 x 8 with ills, l 3": lambda: CellSuppression(large(200_000), L3),
    "200,000 x 8 with ills, t 0.2": lambda: CellSuppression(large(200_000), ao.TCloseness("0.2")),
    "1,000,000 x 8, k 5": lambda: CellSuppression(_made_up(1_000_000), K5),
    "10,000 rows with a number each, k 5": lambda: CellSuppression(_numbered(10_000), K5),
    "columns of the census, k 5": lambda: ao.AttributeSuppression(ao.census(), K5),
    "columns of 2,000 x 300, k 3": lambda: ao.AttributeSuppression(_wide(2000, 300), K3),
    "columns of 30,000 x 40, k 5": lambda: ao.AttributeSuppression(_wide(30_000, 40), K5),
    "columns of 753 incomes, t 0.3": lambda: ao.AttributeSuppression(
        incomes(), K3 & ao.TCloseness("0.3", space=ao.Numeric(), column="income")
    ),
    "keys of the census": lambda: ao.IdentifyingColumns(ao.census()),
    "keys of 2,000 x 300": lambda: ao.IdentifyingColumns(_wide(2000, 300)),
    "witnesses of the census": lambda: ao.WitnessColumns(ao.census(), 5),
    "diameters of 400 rows": lambda: ao.DiameterSum(_sample(400), 3),
    "given patterns of 500 rows": lambda: _given(_sample(500)),
    "400 clients": lambda: _facilities(400),
    "3,000 clients": lambda: _facilities(3000),
    "400 points": lambda: ao.FakePoints(_points(400, 2), 4),
    "2,000 points": lambda: ao.FakePoints(_points(2000, 2), 5),
    "100 points of 3 coordinates": lambda: ao.FakePoints(_points(100, 3), 3),
    "20,000 points on a line": lambda: ao.FakePoints(_points(20_000, 1, 3_000), 3),
    "20,000 points": lambda: ao.FakePoints(_points(20_000, 2, 100), 3),
    "300 points of 5 coordinates": lambda: ao.FakePoints(_points(300, 5, 3), 3),
    "a cover of 400": lambda: _cover(400),
    "a vertex cover of 400": lambda: ao.VertexCover(_graph(400, 0.05)),
    "a clique of 200": lambda: ao.MaximumClique(_graph(200, 0.5)),
    "a bisection of 60": lambda: ao.MinimumBisection(_graph(60, 0.2)),
}


def instances(folder: Path | None) -> dict[str, Callable[[], Problem[Any]]]:
    """Return the instances, and one under k-anonymity and one under l-diversity for each known table in `folder`."""
    found = dict(INSTANCES)
    if folder is not None:
        for name, (quasi, sensitive) in FILES.items():
            if (folder / name).exists():
                table = cache(
                    lambda path=folder / name, quasi=quasi, sensitive=sensitive: _read(path, quasi, sensitive)
                )
                found[f"{name}, k 5"] = lambda table=table: CellSuppression(table(), K5)
                found[f"{name}, k 3 and l 2"] = lambda table=table: CellSuppression(table(), K3 & L2)
    return found


def _read(path: Path, quasi: tuple[str, ...], sensitive: str) -> ao.Table:
    frame = pd.read_csv(path, dtype=str)
    return ao.Table.from_frame(frame, quasi, sensitive)


def solvers_of(problem: Problem[Any], chosen: str) -> list[str]:
    """Return the names of `auto` and of the solvers that are for a problem, those with `chosen` in them."""
    return [name for name in ("auto", *(solver.name for solver in ao.solvers_for(problem))) if chosen in name]
