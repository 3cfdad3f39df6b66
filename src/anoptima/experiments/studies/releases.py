"""The releases of a study compared: the columns that they star, and the groups that they share with an optimum."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from anoptima.arguments import checked
from anoptima.experiments.studies.frame import SOLVED, exact_of, question_of
from anoptima.experiments.studies.store import Store
from anoptima.packages import pd
from anoptima.table import STAR

RELEASE = "release.csv"
"""The name under which a run leaves its release."""


@checked
def starred_columns(folder: str | Path) -> pd.DataFrame:
    """Return the share of each column's cells that the releases of a study star, a row a run and column: instance, solver, limit_s, seed,
    column, starred_share.

    Takes time linear in the cells of all releases; most of it goes into reading them.
    """
    rows = []
    for record, release in _releases(Path(folder)):
        for column in release.columns:
            share = float((release[column] == STAR).mean())
            rows.append({**_named(record), "column": column, "starred_share": share})
    return pd.DataFrame(rows, columns=["instance", "solver", "limit_s", "seed", "column", "starred_share"])


@checked
def agreements(folder: str | Path) -> pd.DataFrame:
    """Return how far each release has the groups of a proved optimum, a row a run: instance, solver, limit_s, seed, ratio, agreement, kept.

    `ratio` is cost / optimum, `agreement` the adjusted Rand index of the groups, and `kept` the share of the pairs of rows in one group of
    the optimum that are in one group of the release. Of several optima that the study proved, the one that agrees best
    counts, as none is better than another; runs that proved theirs are left out. Takes time linear in the cells.
    """
    optima: dict[str, dict[tuple[Any, ...], Mapping[str, Any]]] = defaultdict(dict)
    found = list(_releases(Path(folder)))
    for record, release in found:
        if record["status"] == "proved":
            optima[question_of(record)].setdefault(tuple(_classes(release)), record)
    rows = []
    for record, release in found:
        known = optima.get(question_of(record))
        if known and record["status"] != "proved":
            groups = _classes(release)
            alike, kept = max((agreement(best, groups), pairs_kept(best, groups)) for best in known)
            ratio = _over(record, next(iter(known.values())))
            rows.append({**_named(record), "ratio": ratio, "agreement": float(alike), "kept": float(kept)})
    return pd.DataFrame(rows, columns=["instance", "solver", "limit_s", "seed", "ratio", "agreement", "kept"])


def agreement(first: Sequence[Any], second: Sequence[Any]) -> Fraction:
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
    every = _pairs([len(first)])
    one, other, both = (_pairs(Counter(groups).values()) for groups in (first, second, zip(first, second, strict=True)))
    apart = every * (one + other) - 2 * one * other
    return Fraction(2 * (every * both - one * other), apart) if apart else Fraction(1)


def pairs_kept(first: Sequence[Any], second: Sequence[Any]) -> Fraction:
    """Return the share of the pairs of one partition that are pairs of another; each is the group of every row.

    >>> pairs_kept([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    Fraction(1, 2)
    """
    together = _pairs(Counter(first).values())
    return Fraction(_pairs(Counter(zip(first, second, strict=True)).values()), together) if together else Fraction(1)


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def _classes(release: pd.DataFrame) -> list[Any]:
    return [tuple(row) for row in release.to_numpy()]


def _releases(folder: Path) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    """Yield each run's record with its release's quasi-identifying columns as texts; each file is read once."""
    store = Store(folder)
    known: dict[str, pd.DataFrame] = {}
    for record in store.records():
        digest = record.get("files", {}).get(RELEASE)
        if digest is not None and record["status"] in SOLVED:
            if digest not in known:
                known[digest] = pd.read_csv(io.BytesIO(store.content(digest)), dtype=str, keep_default_na=False)
            yield record, known[digest][record["quasi"]]


def _named(record: Mapping[str, Any]) -> dict[str, Any]:
    task = record["task"]
    return {"instance": task["name"], "solver": task["solver"], "limit_s": float(task["seconds"]), "seed": task["seed"]}


def _over(record: Mapping[str, Any], optimal: Mapping[str, Any]) -> float | None:
    cost, least = exact_of(record, "cost"), exact_of(optimal, "cost")
    return float(Fraction(cost) / Fraction(least)) if cost is not None and least else None
