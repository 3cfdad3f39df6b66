"""The questions of `benchmarks.auto`: problems on tables of the papers, of the census and of three surveys, and on made-up ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import anoptima as ao
from anoptima.instances import surveys
from anoptima.principles import Principle
from anoptima.problems.base import Problem
from benchmarks.synthetic import census_like, skewed

_SECTORS = {
    "office": ["Adm-clerical", "Exec-managerial", "Prof-specialty", "Tech-support", "Sales"],
    "manual": ["Craft-repair", "Machine-op-inspct", "Transport-moving", "Handlers-cleaners", "Farming-fishing"],
    "service": ["Other-service", "Priv-house-serv", "Protective-serv", "Armed-Forces"],
}
_LARGE = ("t=0.2 tree", "t=0.2 ordered", "l=2 t=0.5")
"""What is asked of large tables, too, beside the few."""
_WITHOUT_AGE = ("sex", "race", "marital-status", "education", "native-country", "workclass", "occupation")
"""The quasi-identifying columns where ages are sensitive."""


def _streets() -> ao.Explicit:
    """Return distances along the streets of four blocks by four, at whose corners the occupations are: no tree has them."""
    jobs = [job for some in _SECTORS.values() for job in some]
    places = [divmod(number, 4) for number in range(len(jobs))]
    apart = [[abs(x - u) + abs(y - v) for u, v in places] for x, y in places]
    return ao.Explicit(jobs, [[Fraction(its, max(map(max, apart))) for its in row] for row in apart])


@dataclass(frozen=True)
class Question:
    """A problem with a name to keep its results by; made when it is asked for."""

    name: str
    make: Callable[[], Problem[Any]]


def questions() -> list[Question]:
    """Return all questions, those on small tables first within each family."""
    return [*_papers(), *_census(), *_surveys(), *_made_up(), *_columns(), *_others()]


def questions_like(patterns: str) -> list[Question]:
    """Return the questions whose names fit one of some patterns, which commas separate.

    >>> [one.name for one in questions_like("cells ten-rows k=2,points 15x1*")]
    ['cells ten-rows k=2', 'points 15x1 k=2']
    """
    return [one for one in questions() if any(fnmatch(one.name, pattern) for pattern in patterns.split(","))]


# ---- tables -------------------------------------------------------------------------------------------------------------------


def sample(table: ao.Table, rows: int) -> ao.Table:
    """Return some rows of a table, the same ones for the same number."""
    chosen = np.sort(np.random.default_rng(rows).permutation(table.rows)[:rows])
    frame = table.frame.iloc[chosen].reset_index(drop=True)
    weights = dict(zip(table.quasi, table.weights, strict=True))
    return ao.Table.from_frame(frame, table.quasi, table.sensitive, weights=weights)


def census(rows: int, columns: str | Sequence[str] = "eight", sensitive: str = "") -> ao.Table:
    """Return a sample of the census."""
    return sample(ao.census(columns, sensitive or ()), rows)


def survey(name: str, rows: int | None) -> ao.Table:
    """Return a survey, or a sample of it."""
    table = surveys.survey(name)
    return table if rows is None else sample(table, rows)


def uniform(rows: int, columns: int, values: int, kinds: int = 0) -> ao.Table:
    """Return a table of columns drawn evenly, the hardest there are; perhaps with a sensitive one of so many values in turn."""
    codes = np.random.default_rng(rows + columns).integers(0, values, (rows, columns))
    frame = pd.DataFrame(codes).rename(columns=lambda j: f"q{j}")
    quasi = [str(name) for name in frame]
    if kinds:
        frame["ill"] = np.arange(rows) % kinds
    return ao.Table.from_frame(frame, quasi, "ill" if kinds else None)


def wide(rows: int, columns: int) -> ao.Table:
    """Return a table of many columns."""
    frame = skewed(rows, (2, 3, 5, 4, 2, 6) * (columns // 6), rows)
    return ao.Table.from_frame(frame, [str(name) for name in frame])


def sparse(rows: int, columns: int) -> ao.Table:
    """Return a table of purchases: three of a hundred cells are 1, the others 0."""
    frame = pd.DataFrame((np.random.default_rng(rows).random((rows, columns)) < 0.03).astype(int)).rename(columns=str)
    return ao.Table.from_frame(frame, [str(name) for name in frame])


def large(rows: int) -> ao.Table:
    """Return a large table of eight columns like a census, and one of a dozen ills, the most frequent of which three tenths have."""
    frame = census_like(rows, seed=rows)
    quasi = [str(name) for name in frame]
    shares = np.array([30, 20, 10, 10, 5, 5, 5, 5, 4, 3, 2, 1]) / 100
    frame["ill"] = np.random.default_rng(rows).choice(len(shares), rows, p=shares)
    return ao.Table.from_frame(frame, quasi, "ill")


def numbers(rows: int) -> ao.Table:
    """Return skewed rows of six columns, and numbers of which most are small."""
    frame = skewed(rows, (2, 5, 7, 3, 16, 4), rows)
    quasi = [str(name) for name in frame]
    frame["paid"] = np.round(np.random.default_rng(rows).lognormal(3, 0.6, rows)).astype(int)
    return ao.Table.from_frame(frame, quasi, "paid")


def weighted(table: ao.Table) -> ao.Table:
    """Return a table whose columns weigh 1, 2, 3, 1/2 in turns."""
    weights = {name: ("1", "2", "3", "1/2")[j % 4] for j, name in enumerate(table.quasi)}
    return ao.Table.from_frame(table.frame, table.quasi, table.sensitive, weights=weights)


# ---- questions ----------------------------------------------------------------------------------------------------------------


def _cells(
    name: str, table: Callable[[], ao.Table], principles: dict[str, Callable[[], Principle]]
) -> Iterator[Question]:
    for text, principle in principles.items():
        yield Question(
            f"cells {name} {text}",
            lambda table=table, principle=principle: ao.CellSuppression(table(), principle()),  # type: ignore[misc]
        )


def _papers() -> Iterator[Question]:
    yield from _cells(
        "ten-rows",
        ao.ten_rows,
        {
            **{f"k={k}": lambda k=k: ao.KAnonymity(k) for k in (2, 3, 4, 5)},  # type: ignore[misc]
            "l=2": lambda: ao.LDiversity(2),
            "l=3 distinct": lambda: ao.LDiversity(3, version="distinct"),
            "t=0.3": lambda: ao.TCloseness("0.3"),
            "t=0.1": lambda: ao.TCloseness("0.1"),
            "k=2 l=2": lambda: ao.KAnonymity(2) & ao.LDiversity(2),
        },
    )


def _census() -> Iterator[Question]:
    for rows in (30, 100, 300, 1_000, 3_000, 10_000, 30_162):
        yield from _cells(
            f"census-{rows}",
            lambda rows=rows: census(rows),  # type: ignore[misc]
            {f"k={k}": lambda k=k: ao.KAnonymity(k) for k in ((2, 3, 5, 10) if rows > 10_000 else (2, 3, 5))},  # type: ignore[misc]
        )
    for rows in (1_000, 30_162):
        yield from _cells(
            f"census-six-{rows}",
            lambda rows=rows: census(rows, "six"),  # type: ignore[misc]
            {f"k={k}": lambda k=k: ao.KAnonymity(k) for k in (2, 5)},  # type: ignore[misc]
        )
    for rows in (30, 100, 300, 1_000, 3_000, 30_162):
        few: dict[str, Callable[[], Principle]] = {
            "l=2": lambda: ao.LDiversity(2),
            "l=3 distinct": lambda: ao.LDiversity(3, version="distinct"),
            "t=0.3": lambda: ao.TCloseness("0.3"),
            "k=3 l=2": lambda: ao.KAnonymity(3) & ao.LDiversity(2),
        }
        more: dict[str, Callable[[], Principle]] = {
            "l=5/2": lambda: ao.LDiversity("5/2"),
            "t=0.5": lambda: ao.TCloseness("0.5"),
            "t=0.2 tree": lambda: ao.TCloseness("0.2", space=ao.Hierarchical(_SECTORS)),
            "t=0.2 ordered": lambda: ao.TCloseness(
                "0.2", space=ao.Ordered([job for jobs in _SECTORS.values() for job in jobs])
            ),
            "k=5 t=0.4": lambda: ao.KAnonymity(5) & ao.TCloseness("0.4"),
            "l=2 t=0.5": lambda: ao.LDiversity(2) & ao.TCloseness("0.5"),
            "k=3 k=2 l=1": lambda: ao.KAnonymity(3) & ao.KAnonymity(2) & ao.LDiversity(1),
        }
        yield from _cells(
            f"census-occupation-{rows}",
            lambda rows=rows: census(rows, "seven", "occupation"),  # type: ignore[misc]
            few | {name: own for name, own in more.items() if rows <= 1_000 or name in _LARGE},
        )
    for rows in (30, 300, 3_000, 30_162):
        yield from _cells(
            f"census-occupation-{rows}",
            lambda rows=rows: census(rows, "seven", "occupation"),  # type: ignore[misc]
            {
                "entropy l=3": lambda: ao.EntropyDiversity(3),
                "recursive c=2 l=3": lambda: ao.RecursiveDiversity(2, 3),
                "alpha=0.2 k=3 of sales": lambda: ao.AlphaKAnonymity("0.2", 3, values=["Sales"]),
                "l=3 and 4 distinct": lambda: ao.LDiversity(3) & ao.LDiversity(4, version="distinct"),
                "t=0.15 streets": lambda: ao.TCloseness("0.15", space=_streets()),
            },
        )
    for rows in (3_000, 30_162):
        yield from _cells(
            f"census-ages-{rows}",
            lambda rows=rows: census(rows, _WITHOUT_AGE, "age"),  # type: ignore[misc]
            {"t=0.2 numeric": lambda: ao.TCloseness("0.2", space=ao.Numeric())},
        )
    for rows in (100, 1_000):
        yield from _cells(
            f"census-weighted-{rows}",
            lambda rows=rows: weighted(census(rows, "seven", "occupation")),  # type: ignore[misc]
            {
                "k=3": lambda: ao.KAnonymity(3),
                "l=2": lambda: ao.LDiversity(2),
                "t=0.4": lambda: ao.TCloseness("0.4"),
            },
        )


def _surveys() -> Iterator[Question]:
    sizes: dict[str, tuple[int | None, ...]] = {
        "fair": (100, 1_000, None),
        "anes96": (100, None),
        "randhie": (300, 1_000, None),
    }
    for name, each in sizes.items():
        for rows in each:
            yield from _cells(
                f"{name}-{rows or 'all'}",
                lambda name=name, rows=rows: survey(name, rows),  # type: ignore[misc]
                {
                    "k=3": lambda: ao.KAnonymity(3),
                    "l=2": lambda: ao.LDiversity(2, version="distinct"),
                    "t=0.3 numeric": lambda: ao.TCloseness("0.3", space=ao.Numeric()),
                    "k=4 l=3/2": lambda: ao.KAnonymity(4) & ao.LDiversity("3/2"),
                },
            )


def _made_up() -> Iterator[Question]:
    for rows, columns, values in ((100, 8, 3), (150, 8, 3), (300, 6, 4)):
        yield from _cells(
            f"uniform-{rows}x{columns}",
            lambda rows=rows, columns=columns, values=values: uniform(rows, columns, values),  # type: ignore[misc]
            {f"k={k}": lambda k=k: ao.KAnonymity(k) for k in (2, 3)},  # type: ignore[misc]
        )
    for rows, columns, k in ((100, 5, 8), (200, 3, 20), (200, 3, 50)):
        yield from _cells(
            f"uniform-{rows}x{columns}",
            lambda rows=rows, columns=columns: uniform(rows, columns, 4),  # type: ignore[misc]
            {f"k={k}": lambda k=k: ao.KAnonymity(k)},  # type: ignore[misc]
        )
    yield from _cells(
        "skewed-200x6",
        lambda: numbers(200),
        {
            "t=0.2 numeric": lambda: ao.TCloseness("0.2", space=ao.Numeric()),
            "k=5 t=0.2 numeric": lambda: ao.KAnonymity(5) & ao.TCloseness("0.2", space=ao.Numeric()),
        },
    )
    for rows, columns in ((50, 30), (300, 30), (1_000, 60)):
        yield from _cells(
            f"wide-{rows}x{columns}",
            lambda rows=rows, columns=columns: wide(rows, columns),  # type: ignore[misc]
            {"k=2": lambda: ao.KAnonymity(2), "k=3": lambda: ao.KAnonymity(3)},
        )
    yield from _cells("wide-uniform-40x16", lambda: uniform(40, 16, 3), {"k=2": lambda: ao.KAnonymity(2)})
    yield from _cells("wide-uniform-200x60", lambda: uniform(200, 60, 2), {"k=2": lambda: ao.KAnonymity(2)})
    yield from _cells("wide-uniform-200x24", lambda: uniform(200, 24, 4, 6), {"l=3": lambda: ao.LDiversity(3)})
    yield from _cells("wide-uniform-1000x24", lambda: uniform(1_000, 24, 4, 6), {"t=0.3": lambda: ao.TCloseness("0.3")})
    yield from _cells("wide-uniform-3000x12", lambda: uniform(3_000, 12, 3, 6), {"l=2": lambda: ao.LDiversity(2)})
    yield from _cells("wide-30000x12", lambda: wide(30_000, 12), {"k=5": lambda: ao.KAnonymity(5)})
    for rows, columns, values, k in ((100_000, 8, 20, 3), (100_000, 12, 3, 5), (50_000, 24, 2, 2)):
        yield from _cells(
            f"large-uniform-{rows}x{columns}",
            lambda rows=rows, columns=columns, values=values: uniform(rows, columns, values),  # type: ignore[misc]
            {f"k={k}": lambda k=k: ao.KAnonymity(k)},  # type: ignore[misc]
        )
    yield from _cells(
        "large-200000x8",
        lambda: large(200_000),
        {
            "k=5": lambda: ao.KAnonymity(5),
            "l=3": lambda: ao.LDiversity(3),
            "t=0.2": lambda: ao.TCloseness("0.2"),
            "entropy l=3": lambda: ao.EntropyDiversity(3),
        },
    )
    distinct: dict[str, Callable[[], Principle]] = {"distinct l=2": lambda: ao.LDiversity(2, version="distinct")}
    yield from _cells("wide-uniform-3000x40", lambda: uniform(3_000, 40, 3, 6), distinct)
    yield from _cells("sparse-3000x100", lambda: sparse(3_000, 100), {"k=5": lambda: ao.KAnonymity(5)})


def _columns() -> Iterator[Question]:
    for rows in (300, 30_162):
        for text, principle in (
            ("k=2", ao.KAnonymity(2)),
            ("k=5", ao.KAnonymity(5)),
            ("l=2", ao.LDiversity(2)),
            ("t=0.3", ao.TCloseness("0.3")),
        ):
            yield Question(
                f"columns census-{rows} {text}",
                lambda rows=rows, principle=principle: ao.AttributeSuppression(
                    census(rows, "seven", "occupation"), principle
                ),  # type: ignore[misc]
            )
        yield Question(f"keys census-{rows}", lambda rows=rows: ao.IdentifyingColumns(census(rows)))  # type: ignore[misc]
    for rows, columns in ((300, 30), (1_000, 60)):
        yield Question(
            f"keys wide-{rows}x{columns}",
            lambda rows=rows, columns=columns: ao.IdentifyingColumns(wide(rows, columns)),  # type: ignore[misc]
        )
        yield Question(
            f"columns wide-{rows}x{columns}",
            lambda rows=rows, columns=columns: ao.AttributeSuppression(wide(rows, columns), ao.KAnonymity(3)),  # type: ignore[misc]
        )
    for rows, columns, k in ((5_000, 24, 5), (10_000, 40, 20)):
        yield Question(
            f"columns skewed-{rows}x{columns} k={k}",
            lambda rows=rows, columns=columns, k=k: ao.AttributeSuppression(_skewed(rows, columns), ao.KAnonymity(k)),  # type: ignore[misc]
        )
    yield Question("keys skewed-10000x40", lambda: ao.IdentifyingColumns(_skewed(10_000, 40)))


def _skewed(rows: int, columns: int) -> ao.Table:
    frame = skewed(rows, [4] * columns, 1)
    return ao.Table.from_frame(frame, list(frame.columns))


def _others() -> Iterator[Question]:
    for rows in (10, 30, 100):
        yield Question(f"diameters census-{rows} k=3", lambda rows=rows: ao.DiameterSum(census(rows), 3))  # type: ignore[misc]
    for count, axes, k in (
        (15, 1, 2),
        (15, 2, 2),
        (40, 2, 3),
        (200, 2, 2),
        (1_000, 3, 3),
        (5_000, 2, 3),
        (20_000, 1, 3),
    ):
        yield Question(f"points {count}x{axes} k={k}", lambda count=count, axes=axes, k=k: _points(count, axes, k))  # type: ignore[misc]


def _points(count: int, axes: int, k: int) -> ao.FakePoints:
    chance = np.random.default_rng(count)
    places = chance.integers(0, 10 * round(count ** (1 / axes)) + 1, (count, axes))
    return ao.FakePoints([[f"{int(x)}/10" for x in place] for place in places], k=k)
