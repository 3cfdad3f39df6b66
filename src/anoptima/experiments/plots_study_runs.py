"""Pictures of the runs of a study: gaps and growth over time, and agreement with an optimum's groups. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from anoptima.arguments import checked
from anoptima.errors import NotApplicable
from anoptima.exact import Exact
from anoptima.experiments.canvas import as_written, axes_on, colour_of, legend_above, plain_ticks
from anoptima.experiments.plots_study import compared
from anoptima.experiments.studies.frame import question_of, solver_of
from anoptima.experiments.studies.releases import agreements, starred_columns
from anoptima.experiments.studies.results import StudyResults
from anoptima.experiments.studies.statistics import slope
from anoptima.packages import pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PLACES = 60
"""Points in time at which gaps are looked at."""

_FLOOR = 0.05
"""Seconds at which logarithmic time begins."""

LEAST_SIZES = 4
"""Different numbers of rows from which on growth is fitted."""


@checked
def plot_gaps(folder: str | Path | StudyResults, axes: Axes | None = None) -> Axes:
    """Draw the gap (cost - bound) / cost over time: the median of each solver's runs, the half of them around it shaded.

    Runs are those at the study's longest limit; one that has no cost or no bound yet, or was ended and left none, has gap 1. Time is that
    since the solver was called, with what it took to build a model and start a backend.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> study = ao.Study("small", instances=("ten-rows-k3",), solvers=("subset-dp", "mondrian",), seconds=(60.0,))
    >>> runs = ao.run_study(study, folder)
    >>> axes = plot_gaps(folder)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['mondrian (1)', 'subset-dp (1)']
    """
    drawn = _over_time(folder, lambda record, best: gaps_of(record), "no run has told a cost and a bound", axes)
    drawn.set_ylabel("gap (median; shaded: the middle half)")
    return drawn


@checked
def plot_excess(folder: str | Path | StudyResults, axes: Axes | None = None) -> Axes:
    """Draw costs over time, each as (cost - best) / cost: the median of each solver's runs, the half of them around it shaded.

    The best cost of a question is the least of any run and of the library's record, at the study's longest limit as at any other; a run
    that has no cost yet counts as 100 %.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> runs = ao.run_study(ao.Study("small", instances=("ten-rows-k3",), solvers=("peel",), seconds=(60.0,)), folder)
    >>> [text.get_text() for text in plot_excess(folder).get_legend().get_texts()]
    ['peel (1)']
    """
    drawn = _over_time(folder, excess_of, "no run has told a cost", axes)
    drawn.set_ylabel("share of the cost above the best known\n(median; shaded: the middle half)")
    return drawn


Steps = list[tuple[float, float]]
"""When a run told what share."""


def _over_time(
    folder: str | Path | StudyResults,
    of: Callable[[Mapping[str, Any], Exact | None], Steps],
    nothing: str,
    axes: Axes | None,
) -> Axes:
    results = StudyResults.of(folder)
    kept = compared(results.frame)
    longest, keys = float(kept["limit_s"].max()), set(kept["key"])
    steps: dict[str, list[Steps]] = defaultdict(list)
    for record in results.records:
        if record["key"] in keys:
            steps[solver_of(record)].append(of(record, results.known[question_of(record)][1]))
    several = {
        solver: runs for solver, runs in sorted(steps.items()) if any(share < 1 for run in runs for _, share in run)
    }
    if not several:
        raise NotApplicable(f"there is nothing to draw over time: {nothing}")
    drawn: Axes = axes_on(axes, (7.2, 4.2))
    ratio = (longest / _FLOOR) ** (1 / (_PLACES - 1))
    places = [_FLOOR * ratio**number for number in range(_PLACES)]
    for number, (solver, runs) in enumerate(several.items()):
        low, middle, high = zip(*(_quartiles([_at(run, place) for run in runs]) for place in places), strict=True)
        drawn.plot(places, middle, color=colour_of(number), label=f"{solver} ({len(runs)})")
        drawn.fill_between(places, low, high, color=colour_of(number), alpha=0.12, linewidth=0)
    drawn.set_xscale("log")
    drawn.xaxis.set_major_formatter("{x:g}")
    drawn.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    drawn.set_ylim(0, 1.03)
    drawn.set_xlabel("seconds")
    legend_above(drawn, 7)
    return drawn


def excess_of(record: Mapping[str, Any], best: Exact | None) -> Steps:
    """Return when a run told a cost, and what share of it lies above the best.

    >>> excess_of({"trace": [[0.1, None, "42"], [0.2, "60", None], [0.5, "56", "42"]]}, 54)
    [(0.1, 1.0), (0.2, 0.1), (0.5, 0.03571428571428571)]
    """
    found = []
    for seconds, cost, _ in record.get("trace", ()):
        share = 1.0
        if cost is not None and best is not None:
            paid = Fraction(cost)
            share = float((paid - best) / paid) if paid else 0.0
        found.append((float(seconds), share))
    return found


def gaps_of(record: Mapping[str, Any]) -> Steps:
    """Return when a run told what gap.

    >>> gaps_of({"trace": [[0.1, "60", None], [0.5, "56", "42"]], "status": "feasible"})
    [(0.1, 1.0), (0.5, 0.25)]
    """
    found = []
    for seconds, cost, bound in record.get("trace", ()):
        gap = 1.0
        if cost is not None and bound is not None:
            least, most = Fraction(bound), Fraction(cost)
            gap = float((most - least) / most) if most else 0.0
        found.append((float(seconds), gap))
    if record["status"] == "proved" and record.get("seconds") is not None:
        found.append((float(record["seconds"]) + float(record.get("setup seconds") or 0), 0.0))
    return found


@checked
def plot_agreement(folder: str | Path | StudyResults, axes: Axes | None = None) -> Axes:
    """Draw how far each solver's groups are those of a proved optimum: a row a solver, the least alike at the bottom.

    The measure is the adjusted Rand index: 1 for the optimum's groups, 0 for groups that have no more pairs of rows in common with them
    than chance gives. A dot is the median over the seeds on one question, a line through it reaches from the least of them to the largest,
    and an upright dash is the median over all runs. The optimum need not be unique: less than 1 is no proof of a higher cost.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> study = ao.Study("small", instances=("ten-rows-k3",), solvers=("subset-dp", "mondrian",), seconds=(60.0,))
    >>> runs = ao.run_study(study, folder)
    >>> axes = plot_agreement(folder)
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['mondrian']
    """
    found = agreements(folder)
    if found.empty:
        raise NotApplicable("there is no agreement to draw: no other run shares its question with a proved optimum")
    middle = found.groupby("solver")["agreement"].median()
    line = {name: place for place, name in enumerate(sorted(middle.index, key=lambda name: (middle[name], name)))}
    drawn: Axes = axes_on(axes, (7.2, 1.2 + 0.28 * len(line)))
    for solver, runs in found.groupby("solver"):
        height, colour = line[str(solver)], colour_of(line[str(solver)])
        asked = runs.groupby(["instance", "limit_s"])["agreement"]
        lows, medians, highs = asked.min(), asked.median(), asked.max()
        wide = lows < highs
        drawn.hlines([height] * int(wide.sum()), lows[wide], highs[wide], colour, alpha=0.35)
        drawn.plot(medians, [height] * len(medians), "o", color=colour, alpha=0.35, markersize=4)
    drawn.plot([middle[name] for name in line], list(line.values()), "|", color="black", markersize=10)
    drawn.axvline(1, color="grey", linewidth=0.8)
    drawn.axvline(0, color="grey", linewidth=0.8, linestyle=":")
    drawn.set_yticks(list(line.values()), list(line), fontsize=8)
    drawn.grid(axis="x", linewidth=0.3)
    drawn.set_xlabel("agreement: adjusted Rand index (line: over seeds; black dash: median)")
    return drawn


@checked
def plot_starred(folder: str | Path | StudyResults, instance: str | None = None, axes: Axes | None = None) -> Axes:
    """Draw which cells the releases of one question star: a row a column of the table, a dot a solver, at the share of its cells.

    Parameters
    ----------
    instance
        The question; by default, the one that most solvers released, and of several the first by name.

    A dot is the mean over limits and seeds. The columns that are starred most, on average, are on top.

    Examples
    --------
    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> runs = ao.run_study(ao.Study("small", instances=("ten-rows-k3",), solvers=("peel",), seconds=(60.0,)), folder)
    >>> len(plot_starred(folder).get_yticklabels())
    8
    """
    found = starred_columns(folder)
    if instance is not None:
        found = found[found["instance"] == instance]
    if found.empty:
        raise NotApplicable("there are no starred columns to draw: no run has left a release of the question")
    solvers = found.groupby("instance")["solver"].nunique()
    name = min(solvers.index, key=lambda one: (-solvers[one], one))
    shares = found[found["instance"] == name].groupby(["column", "solver"])["starred_share"].mean().unstack("solver")
    shares = shares.loc[shares.mean(axis=1).sort_values(kind="stable").index]
    drawn: Axes = axes_on(axes, (7.2, 1.6 + 0.32 * len(shares)))
    for number, solver in enumerate(shares.columns):
        drawn.plot(shares[solver], range(len(shares)), "o", color=colour_of(number), alpha=0.7, label=solver)
    drawn.set_yticks(range(len(shares)), list(map(as_written, shares.index)), fontsize=8)
    drawn.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    drawn.set_xlim(-0.02, 1.02)
    drawn.grid(axis="x", linewidth=0.3)
    drawn.set_xlabel(f"cells starred, {as_written(name)}")
    legend_above(drawn, 7)
    return drawn


@checked
def plot_growth(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw seconds to proof against rows, both logarithmic, with the fitted exponent of each solver and its 95 % interval.

    Runs are those at the study's longest limit, of sizes of which a solver proved every run: where the harder ones ran out of time, the
    others would make growth look slower than it is. So an exponent says nothing about larger sizes.

    >>> import tempfile
    >>> import anoptima as ao
    >>> sizes = {"generator": "uniform", "rows": [6, 8, 10, 12], "columns": 3, "values": 2, "seed": 1, "ask": [{"k": 2}]}
    >>> folder = tempfile.mkdtemp()
    >>> runs = ao.run_study(ao.Study("growth", drawn=[sizes], solvers=("subset-dp",), seconds=(60.0,)), folder)
    >>> axes = plot_growth(ao.study_frame(folder))
    >>> len(axes.lines)  # the runs, and the line that is fitted to them
    2
    """
    fitted = list(growths(compared(frame)))
    if not fitted:
        raise NotApplicable(
            f"there is no growth to draw: no solver has proved all runs of {LEAST_SIZES} different numbers of rows"
        )
    drawn: Axes = axes_on(axes, (7.2, 4.2))
    for number, growth in enumerate(fitted):
        colour = colour_of(number)
        drawn.plot(growth.rows, growth.seconds, "o", color=colour, alpha=0.4, markersize=4)
        ends = [min(growth.rows), max(growth.rows)]
        label = f"{growth.solver}: rows^{growth.exponent:.2g} ({growth.low:.2g} to {growth.high:.2g})"
        drawn.plot(ends, [growth.factor * rows**growth.exponent for rows in ends], color=colour, label=label)
    drawn.set_xscale("log")
    drawn.set_yscale("log")
    plain_ticks(drawn.xaxis)
    plain_ticks(drawn.yaxis)
    drawn.set_xlabel("rows")
    drawn.set_ylabel("seconds to proof")
    legend_above(drawn, 7, 2)
    return drawn


@dataclass(frozen=True)
class Growth:
    """Seconds of a solver as factor · rows^exponent, with an interval for the exponent."""

    solver: str
    rows: Sequence[float]
    seconds: Sequence[float]
    factor: float
    exponent: float
    low: float
    high: float


def growths(tried: pd.DataFrame) -> Iterable[Growth]:
    """Yield the growth of each solver with enough different sizes of which every run is proved."""
    for solver, own in tried.dropna(subset="rows").groupby("solver"):
        runs = own[~own["rows"].isin(own[own["status"] != "proved"]["rows"])]
        rows = [float(value) for value in runs["rows"]]
        seconds = [max(float(value), 1e-3) for value in runs["solve_s"]]
        if len(set(rows)) >= LEAST_SIZES:
            exponent, half, start = slope([math.log(value) for value in rows], [math.log(value) for value in seconds])
            yield Growth(str(solver), rows, seconds, math.exp(start), exponent, exponent - half, exponent + half)


def _at(run: Sequence[tuple[float, float]], place: float) -> float:
    told = bisect_right([seconds for seconds, _ in run], place)
    return run[told - 1][1] if told else 1.0


def _quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high
