"""The releases of a study compared: the columns that they star, and the groups that they share with an optimum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.arguments import checked
from anoptima.experiments.studies.frame import exact_of, question_of, solver_of
from anoptima.experiments.studies.results import StudyResults
from anoptima.packages import pd

Partition = Sequence[int] | NDArray[np.int32]
"""The number of each row's group."""


@checked
def starred_columns(folder: str | Path | StudyResults) -> pd.DataFrame:
    """Return the share of each column's cells that the releases of a study star, a row a run and column: instance, solver, limit_s, seed,
    column, starred_share.

    Takes time linear in the cells of all releases that differ; most of it goes into reading them.
    """
    rows = [
        {**_named(record), "column": column, "starred_share": share}
        for record, release in StudyResults.of(folder).releases
        for column, share in release.starred.items()
    ]
    return pd.DataFrame(rows, columns=["instance", "solver", "limit_s", "seed", "column", "starred_share"])


@checked
def agreements(folder: str | Path | StudyResults) -> pd.DataFrame:
    """Return how far each release has the groups of a proved optimum, a row a run: instance, solver, limit_s, seed, ratio, agreement, kept.

    `ratio` is cost / optimum, `agreement` the adjusted Rand index of the groups, and `kept` the share of the pairs of rows in one group of
    the optimum that are in one group of the release. Of several optima that the study proved, the one that agrees best
    counts, as none is better than another; runs that proved theirs are left out. Takes O(rows log rows) for each optimum and release of a
    question that differ as partitions.
    """
    found = StudyResults.of(folder).releases
    optima: dict[str, dict[bytes, Mapping[str, Any]]] = defaultdict(dict)
    for record, release in found:
        if record["status"] == "proved":
            optima[question_of(record)].setdefault(release.groups, record)
    alike: dict[tuple[str, bytes], tuple[Fraction, Fraction]] = {}
    rows = []
    for record, release in found:
        question = question_of(record)
        known = optima.get(question)
        if known and record["status"] != "proved":
            place = question, release.groups
            if place not in alike:
                groups = np.frombuffer(release.groups, dtype=np.int32)
                numbered = [np.frombuffer(best, dtype=np.int32) for best in known]
                alike[place] = max((agreement(best, groups), pairs_kept(best, groups)) for best in numbered)
            ratio = _over(record, next(iter(known.values())))
            one, kept = map(float, alike[place])
            rows.append({**_named(record), "ratio": ratio, "agreement": one, "kept": kept})
    return pd.DataFrame(rows, columns=["instance", "solver", "limit_s", "seed", "ratio", "agreement", "kept"])


def agreement(first: Partition, second: Partition) -> Fraction:
    """Return the adjusted Rand index of two partitions, each given as the group of every row.

    Of N pairs of rows, P are in one group of the first, Q in one of the second, and B in one of both: (B - E) / ((P + Q) / 2 - E) with
    E = PQ / N. It is 1 for equal partitions, and 0 on average for a random one with the second's group sizes, so that large groups earn
    nothing by having many pairs: a release that stars every cell has all pairs of the optimum, and agreement 0. Exact, from counts.

    References
    ----------
    L. Hubert and P. Arabie: Comparing partitions (Journal of Classification 2, 1985).

    Examples
    --------
    >>> agreement([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1]), agreement([0, 0, 1, 1], [5, 5, 5, 5]), agreement([0, 1], [1, 0])
    (Fraction(4, 9), Fraction(0, 1), Fraction(1, 1))
    """
    every = len(first) * (len(first) - 1) // 2
    one, other, both = _pairs(first), _pairs(second), _pairs(first, second)
    apart = every * (one + other) - 2 * one * other
    return Fraction(2 * (every * both - one * other), apart) if apart else Fraction(1)


def pairs_kept(first: Partition, second: Partition) -> Fraction:
    """Return the share of the pairs of one partition that are pairs of another; each is the group of every row.

    >>> pairs_kept([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    Fraction(1, 2)
    """
    together = _pairs(first)
    return Fraction(_pairs(first, second), together) if together else Fraction(1)


def _pairs(*partitions: Partition) -> int:
    """Return how many pairs of rows are in one group of each partition."""
    groups = np.zeros(len(partitions[0]), dtype=np.int64)
    for partition in partitions:
        numbers = np.unique(np.asarray(partition), return_inverse=True)[1]
        groups = np.unique(groups * (numbers.max(initial=0) + 1) + numbers, return_inverse=True)[1]
    sizes = np.bincount(groups).astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


def _named(record: Mapping[str, Any]) -> dict[str, Any]:
    task = record["task"]
    return {
        "instance": task["name"],
        "solver": solver_of(record),
        "limit_s": float(task["seconds"]),
        "seed": task["seed"],
    }


def _over(record: Mapping[str, Any], optimal: Mapping[str, Any]) -> float | None:
    cost, least = exact_of(record, "cost"), exact_of(optimal, "cost")
    return float(Fraction(cost) / Fraction(least)) if cost is not None and least else None
