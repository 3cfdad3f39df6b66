"""The findings of a study: true ratios by algorithm, by k and by family of instances; stars that an optimum saves; the price of l and t.

Everything is computed from the table of runs (`study_frame`, or the file that `anoptima study report --table` writes), over proved optima
alone, and each figure about one run has its key.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from anoptima.arguments import checked
from anoptima.exact import short_text
from anoptima.experiments.studies.statistics import honest
from anoptima.packages import pd

EXACT_TEXTS = ("cost", "bound", "proved", "best_cost", "best_proved", "key", "repeats", "table")
"""Columns of a table of runs that hold exact numbers or digests: read as texts."""


@checked
def read_runs(path: str | Path) -> pd.DataFrame:
    """Return the table of runs that `anoptima study report --table` wrote as CSV or Parquet."""
    if Path(path).suffix in (".parquet", ".pq"):
        return pd.read_parquet(path)
    return pd.read_csv(path, dtype=dict.fromkeys(EXACT_TEXTS, "object"), keep_default_na=True)


@checked
def true_ratios(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with a solution to a question whose optimum is proved and not 0, with the columns `ratio` (a Fraction) and `family`.

    Every run of a solver that lied is left out. The family of an instance is the first word of its name.

    >>> import anoptima as ao, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = ao.run_study(ao.Study("small", instances=("ten-rows-k3",), solvers=("peel",), seconds=(5.0,)), folder)
    >>> true_ratios(ao.study_frame(folder))[["family", "ratio"]].values.tolist()
    [['ten', Fraction(29, 27)]]
    """
    runs = honest(runs)
    known = runs[runs["cost"].notna() & (runs["best_cost"] == runs["best_proved"]) & (runs["best_cost"] != "0")]
    ratios: Any = [
        Fraction(cost) / Fraction(least) for cost, least in zip(known["cost"], known["best_cost"], strict=True)
    ]
    return known.assign(ratio=ratios, family=known["instance"].str.partition("-")[0])


@checked
def at_first_limit(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the true ratios of the runs under the shortest limit: figures over all limits would count a solver that ends early twice."""
    known = true_ratios(runs)
    first: pd.DataFrame = known[known["limit_s"] == known["limit_s"].min()]
    return first


@checked
def by_algorithm(runs: pd.DataFrame) -> pd.DataFrame:
    """Return each solver's true ratios at each limit: runs, median, worst, the share of optima, and the run that is worst.

    A limit under which a solver made no run of its own is left out: those under a shorter limit stand for it.
    """
    rows = []
    for (solver, limit), own in _groups(true_ratios(runs), ["solver", "limit_s"]):
        if own["repeats"].notna().all():
            continue
        worst = own.loc[max(own.index, key=lambda place: own["ratio"][place])]
        rows.append(
            {
                "solver": solver,
                "limit, s": f"{limit:g}",
                "runs": len(own),
                "median": _decimal(median(own["ratio"])),
                "worst": _decimal(worst["ratio"]),
                "optimal": f"{int((own['ratio'] == 1).sum()) / len(own):.0%}",
                "worst on": worst["instance"],
                "record": worst["key"],
            }
        )
    rows.sort(key=lambda row: (float(row["median"]), float(row["worst"])))
    return pd.DataFrame(rows)


@checked
def by_part(runs: pd.DataFrame, part: str) -> pd.DataFrame:
    """Return the median and the worst true ratio of each solver (a row) for each value of a column such as `k` or `family` (a column)."""
    known = at_first_limit(runs)
    cells = {
        (solver, value): f"{_decimal(median(own['ratio']))}, {_decimal(max(own['ratio']))}"
        for (solver, value), own in _groups(known[known[part].notna()], ["solver", part])
    }
    values = sorted({value for _, value in cells}, key=lambda value: (isinstance(value, str), value))
    return pd.DataFrame(
        [
            {"solver": solver, **{_heading(part, value): cells.get((solver, value), "") for value in values}}
            for solver in sorted({solver for solver, _ in cells})
        ]
    )


@checked
def hardest(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the family on which each solver's median ratio is largest, of those with two questions, beside its median elsewhere."""
    rows = []
    for solver, own in _groups(at_first_limit(runs), "solver"):
        medians = {
            family: median(part["ratio"]) for family, part in _groups(own, "family") if part["instance"].nunique() > 1
        }
        if len(medians) > 1:
            family = max(medians, key=lambda one: medians[one])
            rest = own[own["family"] != family]["ratio"]
            rows.append(
                {
                    "solver": solver,
                    "hardest": family,
                    "median": _decimal(medians[family]),
                    "elsewhere": _decimal(median(rest)),
                }
            )
    return pd.DataFrame(rows)


@checked
def saved(runs: pd.DataFrame, families: tuple[str, ...] = ("census", "survey")) -> pd.DataFrame:
    """Return the stars of each solver's releases of real tables, those of the optima, and the share of stars that an optimum saves."""
    known = at_first_limit(runs)
    known = known[known["family"].isin(families) & (known["problem"] == "cell-suppression")]
    rows = []
    for solver, own in _groups(known, "solver"):
        cost = sum(map(Fraction, own["cost"]), Fraction(0))
        least = sum(map(Fraction, own["best_cost"]), Fraction(0))
        rows.append(
            {
                "solver": solver,
                "runs": len(own),
                "its stars": f"{cost}",
                "stars of optima": f"{least}",
                "saved": f"{float((cost - least) / cost):.1%}",
            }
        )
    return pd.DataFrame(rows)


@checked
def prices(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the proved least cells of each question about l or t, beside those for k alone on the same table.

    That is the question's own k, or its l rounded up, since a group of l-diverse rows has l rows or more; 2 where it has neither. A
    question is left out if the optimum for this k is not among the runs.
    """
    known = at_first_limit(runs)
    known = known[known["problem"] == "cell-suppression"].drop_duplicates(["table", "asks"])
    rows = []
    for _, own in _groups(known, "table"):
        alone = own[own["l"].isna() & own["t"].isna() & own["k"].notna()]
        for _, asked in own[own["l"].notna() | own["t"].notna()].iterrows():
            # Several l, of different sensitive columns, are a text: "2, 3".
            each = [
                Fraction(one) for value in (asked["k"], asked["l"]) if pd.notna(value) for one in str(value).split(", ")
            ]
            beside = alone[alone["k"] == math.ceil(max([*each, Fraction(2)]))]
            if beside.empty:
                continue
            base = beside.iloc[0]
            price = Fraction(asked["best_cost"]) / Fraction(base["best_cost"])
            rows.append(
                {
                    "instance": asked["instance"],
                    "asks": asked["asks"].partition(", ")[2],
                    "optimum": asked["best_cost"],
                    "for k alone": f"{base['best_cost']} (k = {base['k']:g})",
                    "price": _decimal(price),
                }
            )
    return pd.DataFrame(rows).sort_values("instance", ignore_index=True) if rows else pd.DataFrame()


def _groups(frame: pd.DataFrame, by: str | list[str]) -> Any:
    return frame.groupby(by, sort=True)


def _heading(part: str, value: Any) -> str:
    return f"{part} = {value:g}" if isinstance(value, float | int) else str(value)


def _decimal(ratio: Fraction) -> str:
    return short_text(float(ratio), ".3f")
