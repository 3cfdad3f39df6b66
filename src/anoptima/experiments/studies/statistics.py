"""Summary figures over many runs that do not flatter: failures count, with a stated value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from anoptima.packages import pd

SHIFT_S = 1.0
"""Seconds added to every time before the geometric mean and subtracted after it, so that times near 0 do not dominate."""

SEVERAL = 2
"""Seeds from which on there is a spread."""

FAILURE = 10.0
"""A run without a proof counts as this many times its limit (PAR10)."""

ASIDE = ("unsupported", "infeasible")
"""Statuses of runs that tell nothing of a solver: it is not for the question, or the question has no solution."""


@dataclass(frozen=True)
class Spread:
    """What the seed changes in the costs of a solver that was asked with several.

    Attributes
    ----------
    seeds, questions, varied
        How many seeds; questions with a solution for each of them; those whose costs differ.
    median_low, median_high
        The least and the largest of the seeds' median ratios over these questions; None where no ratio is known.
    widest, where
        The largest (dearest - cheapest) / cheapest over the seeds, and the question that has it; None and '' where every cost is 0.
    """

    solver: str
    limit_s: float
    seeds: int
    questions: int
    varied: int
    median_low: float | None
    median_high: float | None
    widest: float | None
    where: str


@dataclass(frozen=True)
class Summary:
    """A solver over all of its runs.

    Attributes
    ----------
    runs, proved, solved, failed, lied
        How many runs there were; had a proof; had a checked solution; ran out of time or memory, or crashed; claimed a falsehood.
    seconds_to_proof
        Shifted geometric mean over *all* runs that the solver is for; one without a proof counts `FAILURE` times its limit. None for a
        solver that lied: it is out.
    median_ratio, worst_low, worst_high
        The median of cost / optimum over its solutions, at least; the largest: at least, and at most.
    """

    solver: str
    limit_s: float
    runs: int
    proved: int
    solved: int
    failed: int
    lied: int
    seconds_to_proof: float | None
    median_ratio: float | None
    worst_low: float | None
    worst_high: float | None


def shifted_mean(seconds: Iterable[float], shift: float = SHIFT_S) -> float:
    """Return the geometric mean of seconds + shift, less the shift.

    >>> round(shifted_mean([0.0, 3.0]), 6)
    1.0
    """
    logs = [math.log(value + shift) for value in seconds]
    return math.exp(sum(logs) / len(logs)) - shift


def tried(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that count: those of a solver that is for the question, on questions that have a solution."""
    return frame[~frame["status"].isin(ASIDE)]


def honest(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of solvers that never lied: a liar is out altogether."""
    return frame[~frame["solver"].isin(frame[frame["status"] == "lied"]["solver"])]


def summaries(frame: pd.DataFrame) -> list[Summary]:
    """Return a summary of each solver at each limit, over the questions that it is for and that have a solution."""
    found = []
    honest_ones = set(honest(frame)["solver"])
    groups: Any = tried(frame).groupby(["solver", "limit_s"], sort=True)
    for (solver, limit), runs in groups:
        status = runs["status"]
        times = [
            float(seconds) if proved and seconds == seconds else FAILURE * max(float(limit), 1.0)
            for seconds, proved in zip(runs["solve_s"].astype(float), status == "proved", strict=True)
        ]
        is_out = solver not in honest_ones
        highs, lows = runs["ratio_high"].dropna(), runs["ratio_low"].dropna()
        found.append(
            Summary(
                str(solver),
                float(limit),
                len(runs),
                int((status == "proved").sum()),
                int(status.isin(["proved", "claimed", "feasible"]).sum()),
                int(status.isin(["time", "memory", "crashed"]).sum()),
                int((status == "lied").sum()),
                None if is_out else shifted_mean(times),
                None if is_out or lows.empty else float(lows.median()),
                None if is_out or lows.empty else float(lows.max()),
                None if is_out or highs.empty else float(highs.max()),
            )
        )
    return found


def spreads(frame: pd.DataFrame) -> list[Spread]:
    """Return what the seed changes, for each solver and limit with several seeds; a solver that lied is out."""
    found = []
    groups: Any = tried(honest(frame)).groupby(["solver", "limit_s"], sort=True)
    for (solver, limit), runs in groups:
        seeds = runs["seed"].nunique()
        solved = runs[runs["cost"].notna()]
        asked = solved.groupby(["instance", "table", "asks"], dropna=False)
        whole = [own for _, own in asked if own["seed"].nunique() == seeds]
        if seeds < SEVERAL or not whole:
            continue
        widths = [(_width(own["cost"]), str(own["instance"].iloc[0])) for own in whole]
        widest, where = max(((width, name) for width, name in widths if width is not None), default=(None, ""))
        medians = (
            [] if (together := pd.concat(whole)).empty else together.groupby("seed")["ratio_high"].median().dropna()
        )
        found.append(
            Spread(
                str(solver),
                float(limit),
                seeds,
                len(whole),
                sum(own["cost"].nunique() > 1 for own in whole),
                float(min(medians)) if len(medians) else None,
                float(max(medians)) if len(medians) else None,
                None if widest is None else float(widest),
                where if widest else "",
            )
        )
    return found


def _width(costs: Iterable[str]) -> Fraction | None:
    """Return (dearest - cheapest) / cheapest of exact costs; None where the cheapest is 0."""
    exact = [Fraction(cost) for cost in costs]
    return (max(exact) - min(exact)) / min(exact) if min(exact) else None


def profile(times: Sequence[float | None], reference: Sequence[float | None]) -> list[tuple[float, float]]:
    """Return a performance profile against one reference: for each factor, the share of questions solved within it.

    The reference alone decides the factors, so that the curve of a solver does not change with who else is in the picture, as it does in
    profiles against the best of all. None stands for a failure. A question that the reference failed and the solver did not has factor 0.

    >>> profile([1.0, 4.0, None], [2.0, 2.0, 2.0])
    [(0.5, 0.3333333333333333), (2.0, 0.6666666666666666)]
    """
    factors = sorted(
        0.0 if base is None else own / base if base else math.inf if own else 1.0
        for own, base in zip(times, reference, strict=True)
        if own is not None
    )
    return [(factor, (number + 1) / len(times)) for number, factor in enumerate(factors)]


def slope(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float]:
    """Return the slope of the line of least squares, half the width of its 95 % interval (Student's t), and the line's height at x = 0.

    >>> slope([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    (2.0, 0.0, 1.0)
    """
    n = len(x)
    mean_x, mean_y = sum(x) / n, sum(y) / n
    spread = sum((value - mean_x) ** 2 for value in x)
    steep = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / spread
    start = mean_y - steep * mean_x
    rest = sum((b - start - steep * a) ** 2 for a, b in zip(x, y, strict=True))
    if n <= 2:
        return steep, math.inf, start
    return steep, _student(n - 2) * math.sqrt(rest / (n - 2) / spread), start


def _student(freedom: int) -> float:
    """Return Student's 97.5 % point: a table for up to 4 degrees of freedom; within 1 % beyond, by Cornish and Fisher's expansion."""
    small = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}
    z = 1.959964
    z3, z5 = z**3, z**5
    return small.get(freedom, z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom**2))
