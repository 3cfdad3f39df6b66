"""From a champion to a family: which of its columns or rows to repeat, so that the score grows every time.

Every set of columns, and every set of row types, is repeated 1, 2, 3, ... times, and each member is scored again, with an exact optimum.
What grows every time is a guess at a family; if it grows by the same amount, so is a formula. A proof is for people: see
`anoptima.instances.worst_cases`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from anoptima.exact import exact_text, simplest
from anoptima.experiments.hunting.archive import HuntArchive
from anoptima.experiments.hunting.grids import Grid
from anoptima.experiments.hunting.quarry import Quarry
from anoptima.experiments.hunting.score import Score
from anoptima.problems.base import every_subset

MOST_SETS = 64
"""How many sets of columns, and of row types, are tried: the smallest ones of a champion that has more."""

MOST_ROWS = 40
"""Members with more rows are not scored."""


@dataclass(frozen=True)
class Growth:
    """What was repeated, and the scores with 1, 2, 3, ... copies."""

    repeated: str
    scores: tuple[Score, ...]

    @property
    def step(self) -> Fraction | None:
        """By how much the score grows each time; None if not by the same, or without bound."""
        values = [score.value for score in self.scores]
        if any(value is None for value in values):
            return None
        steps = {Fraction(b or 0) - Fraction(a or 0) for a, b in itertools.pairwise(values)}
        return steps.pop() if len(steps) == 1 else None

    def __str__(self) -> str:
        shown = ", ".join("unbounded" if score.value is None else exact_text(score.value) for score in self.scores)
        by = "" if self.step is None else f": {exact_text(simplest(self.step))} more each time"
        return f"{self.repeated} repeated: {shown}{by}"


def growths(archive: HuntArchive, quarry: Quarry, copies: int = 4) -> list[Growth]:
    """Return the ways to repeat parts of the worst table by which its score grows every time, the fastest first.

    >>> import anoptima as ao
    >>> found = ao.hunt("clustering", sizes=ao.HuntSizes(rows=4, columns=1), limits=ao.HuntLimits(steps=30))
    >>> print(growths(found, ao.WorstRatio("clustering"))[0])
    rows like 2 repeated: 2, 7/2, 5, 13/2: 3/2 more each time
    """
    if archive.worst is None or not isinstance(archive.worst.subject, Grid):
        return []
    found = []
    for repeated, member in _ways(archive.worst.subject):
        scores: list[Score] = []
        for number in range(1, copies + 1):
            score = _scored(archive, quarry, member(number))
            if score is None or (scores and not score > scores[-1]):
                break
            scores.append(score)
        if len(scores) == copies:
            found.append(Growth(repeated, tuple(scores)))
    return sorted(found, key=lambda growth: growth.scores[-1], reverse=True)


def _scored(archive: HuntArchive, quarry: Quarry, grid: Grid) -> Score | None:
    if len(grid.rows) > MOST_ROWS:
        return None
    problem = archive.asked.problem(grid)
    return None if problem.why_infeasible() is not None else quarry.score(problem, archive.asked.optimum)


def _ways(grid: Grid) -> Iterator[tuple[str, Callable[[int], Grid]]]:
    """Yield the name of each repeatable part, with a function that makes the table with a given number of copies of it."""
    for chosen in _subsets(range(grid.columns)):
        what = "column" if len(chosen) == 1 else "columns"
        yield f"{what} {_numbers(chosen)}", partial(_wider, grid, chosen)
    kinds = list(dict.fromkeys(grid.rows))
    for chosen in _subsets(range(len(kinds))):
        rows = [kinds[i] for i in chosen]
        first = [grid.rows.index(row) for row in rows]
        yield f"rows like {_numbers(first)}", partial(_longer, grid, rows)


def _subsets(things: range) -> list[tuple[int, ...]]:
    return list(itertools.islice(every_subset(things, 1), MOST_SETS))


def _numbers(places: Sequence[int]) -> str:
    return ", ".join(str(place + 1) for place in places)


def _wider(grid: Grid, chosen: Sequence[int], copies: int) -> Grid:
    places = [j for j in range(grid.columns) for _ in range(copies if j in chosen else 1)]
    return Grid(tuple((*(row[j] for j in places), *row[grid.columns :]) for row in grid.rows), grid.has_sensitive)


def _longer(grid: Grid, chosen: Sequence[tuple[int, ...]], copies: int) -> Grid:
    rows = (row for row in grid.rows for _ in range(copies if row in chosen else 1))
    return Grid(tuple(rows), grid.has_sensitive)
