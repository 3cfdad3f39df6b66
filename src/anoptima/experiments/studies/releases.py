"""What the releases of a study have in common: which columns are starred, and who shares groups with whom."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    """Return how far each release has the groups of a proved optimum: instance, solver, limit_s, seed, cost / optimum and agreement.

    The agreement is the share of pairs of rows with equal cells in the optimum's release that have equal cells in the other, too. Optima
    differ among themselves, so that an optimum other than the one compared with has less than 1. Takes time linear in the cells.
    """
    best: dict[str, tuple[Any, list[Any]]] = {}
    found = list(_releases(Path(folder)))
    for record, release in found:
        if record["status"] == "proved":
            best.setdefault(question_of(record), (record, _classes(release)))
    rows = []
    for record, release in found:
        optimal = best.get(question_of(record))
        if optimal is not None and optimal[0]["key"] != record["key"]:
            ratio = _over(record, optimal[0])
            rows.append({**_named(record), "ratio": ratio, "agreement": agreement(optimal[1], _classes(release))})
    return pd.DataFrame(rows, columns=["instance", "solver", "limit_s", "seed", "ratio", "agreement"])


def agreement(first: Sequence[Any], second: Sequence[Any]) -> float:
    """Return the share of the pairs of one partition that are pairs of another; each is the group of every row.

    >>> agreement([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    0.5
    """
    together = _pairs(Counter(first).values())
    return _pairs(Counter(zip(first, second, strict=True)).values()) / together if together else 1.0


def _pairs(sizes: Any) -> int:
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
