"""Pictures of a study: ratios beside theorems, proofs over time, profiles, the price of privacy. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from anoptima.arguments import checked
from anoptima.errors import BadInput, NotApplicable
from anoptima.experiments.canvas import as_written, axes_on, colour_of, legend_above, plain_ticks
from anoptima.experiments.studies.sources import ASKED as QUESTIONED
from anoptima.experiments.studies.statistics import honest, profile, tried
from anoptima.packages import pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEEDED = ("instance", "solver", "status", "limit_s", "seed", "rows", "ratio_low", "ratio_high", "solve_s")
"""Columns by which a study's table is known."""

_FLOOR = 0.01
"""Seconds at which logarithmic time begins."""

_LOGARITHMIC = 4.0
"""Ratios are drawn on a logarithmic axis from here on."""

_WORDS = {"k": "anonymity", "l": "diversity", "t": "closeness"}

ASKED = tuple(_WORDS)
"""What the price of privacy is drawn over."""


@checked
def plot_study_ratios(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw cost / optimum of every question, a row a solver, the worst at the bottom; an upright dash is what a theorem guarantees.

    A dot is the median over the seeds, and a line through it reaches from the best of them to the worst. Where the optimum is known only to
    lie between two bounds, a line without a dot is the interval that holds the ratios.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> study = ao.Study("small", instances=("ten-rows-k3",), solvers=("subset-dp", "mondrian",), seconds=(60.0,))
    >>> runs = ao.run_study(study, folder)
    >>> axes = plot_study_ratios(ao.study_frame(folder))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['mondrian', 'subset-dp']
    """
    known = honest(of_study(frame)).dropna(subset=["ratio_low", "ratio_high"])
    if known.empty:
        raise NotApplicable("there are no ratios to draw: no run has a cost whose question has a bound")
    worst = known.groupby("solver")["ratio_high"].max()
    line = {name: place for place, name in enumerate(sorted(worst.index, key=lambda name: (-worst[name], name)))}
    drawn: Axes = axes_on(axes, (7.2, 1.2 + 0.28 * len(line)))
    for solver, runs in known.groupby("solver"):
        height, colour = line[str(solver)], colour_of(line[str(solver)])
        asked = runs.groupby(["instance", "table", "asks", "limit_s"], dropna=False)
        lows, highs = asked["ratio_low"].min(), asked["ratio_high"].max()
        medians = asked["ratio_high"].median()[asked["ratio_low"].median() == asked["ratio_high"].median()]
        wide = lows < highs
        drawn.hlines([height] * int(wide.sum()), lows[wide], highs[wide], colour, alpha=0.35)
        drawn.plot(medians, [height] * len(medians), "o", color=colour, alpha=0.35, markersize=4)
        promised = sorted(set(runs["guaranteed"].dropna()))
        drawn.plot(promised, [height] * len(promised), "|", color="black", markersize=10)
    drawn.axvline(1, color="grey", linewidth=0.8)
    if max(known["ratio_high"].max(), known["guaranteed"].max()) > _LOGARITHMIC:
        drawn.set_xscale("log")
        plain_ticks(drawn.xaxis)
    drawn.set_yticks(list(line.values()), list(line), fontsize=8)
    drawn.grid(axis="x", linewidth=0.3)
    drawn.set_xlabel("cost / optimum (line: seeds or proven interval; dash: theorem)")
    return drawn


@checked
def plot_proofs(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw over time how many runs have proved their optimum, a step line a solver; shaded: from the worst of its seeds to the best.

    Runs are those at the study's longest limit: a shorter one says nothing about what comes after it.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> study = ao.Study("small", instances=("ten-rows-k3",), solvers=("subset-dp",), seconds=(60.0,))
    >>> runs = ao.run_study(study, folder)
    >>> axes = plot_proofs(ao.study_frame(folder))
    >>> axes.lines[0].get_ydata().tolist()
    [1.0, 1.0]
    """
    asked = compared(frame)
    proved = asked[asked["status"] == "proved"].dropna(subset=["solve_s"])
    if proved.empty:
        raise NotApplicable("there are no proofs to draw: no run has proved its optimum")
    drawn: Axes = axes_on(axes, (7.2, 4.2))
    end = float(asked["limit_s"].max())
    for number, (solver, runs) in enumerate(proved.groupby("solver")):
        seconds = sorted(max(second, _FLOOR) for second in runs["solve_s"])
        shares = [done / int((asked["solver"] == solver).sum()) for done in range(1, len(seconds) + 1)]
        places = [*seconds, max(end, seconds[-1])]
        drawn.step(places, [*shares, shares[-1]], where="post", label=str(solver), color=colour_of(number))
        low, high = _over_seeds(asked[asked["solver"] == solver], places)
        drawn.fill_between(places, low, high, step="post", color=colour_of(number), alpha=0.15, linewidth=0)
    drawn.set_xscale("log")
    drawn.xaxis.set_major_formatter("{x:g}")
    drawn.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    drawn.set_ylim(0, 1.03)
    drawn.set_xlabel("seconds of solving")
    drawn.set_ylabel("runs with a proved optimum")
    legend_above(drawn, 7)
    return drawn


@checked
def plot_profiles(frame: pd.DataFrame, reference: str, axes: Axes | None = None) -> Axes:
    """Draw how often a solver proves its optimum within a factor of a reference's time, a step line a solver, at the study's longest limit.

    Each line compares two solvers on the questions that both are for; against the best of all, a line would change with who else is there.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> study = ao.Study("small", instances=("ten-rows-k3",), solvers=("subset-dp", "pattern/highs",), seconds=(60.0,))
    >>> runs = ao.run_study(study, folder)
    >>> axes = plot_profiles(ao.study_frame(folder), "subset-dp")
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['pattern/highs (1)']
    """
    asked = compared(frame)
    times = {str(solver): _times(runs) for solver, runs in asked.groupby("solver")}
    if reference not in times:
        raise BadInput(f"{reference!r} is not in the study, or lied in it; it has {', '.join(times)}")
    drawn: Axes = axes_on(axes, (7.2, 4.2))
    lines: dict[str, list[tuple[float, float]]] = {}
    for solver, own in times.items():
        both = [run for run in own if run in times[reference]]
        steps = profile([own[run] for run in both], [times[reference][run] for run in both])
        if solver != reference and steps:
            lines[f"{solver} ({len(both)})"] = [(max(factor, 1e-3), share) for factor, share in steps]
    end = max((steps[-1][0] for steps in lines.values()), default=1.0)
    for number, (label, steps) in enumerate(lines.items()):
        factors, shares = zip(*steps, (end, steps[-1][1]), strict=True)
        drawn.step(factors, shares, where="post", label=label, color=colour_of(number))
    if not lines:
        raise NotApplicable(f"there is no profile to draw: no other solver has proved what {reference} was asked")
    drawn.axvline(1, color="grey", linewidth=0.8)
    drawn.set_xscale("log")
    plain_ticks(drawn.xaxis)
    drawn.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    drawn.set_ylim(0, 1.03)
    drawn.set_xlabel(f"time to proof / that of {reference} (in brackets: runs that both were asked)")
    drawn.set_ylabel("runs proved within the factor")
    legend_above(drawn, 7)
    return drawn


@checked
def plot_price(frame: pd.DataFrame, over: str = "k", axes: Axes | None = None) -> Axes:
    """Draw the price of privacy: the least cost over k, l or t, a line a table; each point is the interval that is proved to hold it.

    >>> import tempfile
    >>> import anoptima as ao
    >>> folder = tempfile.mkdtemp()
    >>> study = ao.Study("small", instances=("ten-rows-k?",), solvers=("subset-dp",), seconds=(60.0,))
    >>> runs = ao.run_study(study, folder)
    >>> axes = plot_price(ao.study_frame(folder))
    >>> axes.lines[0].get_ydata().tolist()  # stars for k = 2 and 3
    [46.0, 54.0]
    """
    if over not in ASKED:
        raise BadInput(f"over is {over!r}; it must be one of {', '.join(ASKED)}")
    lines = prices(of_study(frame), over)
    if not lines:
        raise NotApplicable(f"there is no price to draw: no table of the study is asked about with several {over}")
    drawn: Axes = axes_on(axes, (7.2, 4.2 + 0.14 * len(lines)))
    for number, (name, points) in enumerate(lines.items()):
        places, low, high = zip(*points, strict=True)
        drawn.fill_between(places, low, high, color=colour_of(number), alpha=0.2, linewidth=0)
        drawn.plot(places, high, "o-", color=colour_of(number), markersize=4, label=as_written(name))
        drawn.plot(places, low, "_", color=colour_of(number))
    if over != "t":
        drawn.set_xticks(sorted({place for points in lines.values() for place, _, _ in points}))
    drawn.set_xlabel(over)
    drawn.set_ylabel("least cost (shaded: what is proved to hold it)")
    drawn.set_ylim(bottom=0)
    drawn.yaxis.set_major_formatter("{x:,.10g}")
    drawn.grid(linewidth=0.3)
    legend_above(drawn, 7)
    return drawn


def prices(frame: pd.DataFrame, over: str) -> dict[str, list[tuple[float, float, float]]]:
    """Return, for each table that is asked about with several k, l or t, those in order, each with the bounds of the least cost.

    Questions on one line differ in that number alone: distinct and frequency diversity have lines of their own, as do two columns.
    """
    known = frame.dropna(subset=[over, "best_cost", "best_proved"])
    # A number alone stands in that column: with several, of different sensitive columns, it is a text.
    known = known.loc[[isinstance(value, int | float) for value in known[over]]]
    word = _WORDS[over]
    known = known.assign(how=known["asks"].str.replace(rf"[\d/,]+-{word}", f"{over}-{word}", regex=True))
    lines: list[tuple[tuple[str, ...], list[tuple[float, float, float]]]] = []
    for (table, how), runs in known.groupby(["table", "how"]):
        points = {
            float(row[over]): (float(_decimal(row["best_proved"])), float(_decimal(row["best_cost"])))
            for _, row in runs.drop_duplicates(over).iterrows()
        }
        if len(points) > 1:
            name = _line_name(runs, [name for name in ASKED if name != over])
            lines.append(
                ((name, f"{name}: {how}", f"{name}: {how}, {table}"), [(at, *points[at]) for at in sorted(points)])
            )
    # The shortest names by which the lines are told apart.
    shown = next((at for at in range(2) if len({names[at] for names, _ in lines}) == len(lines)), 2)
    return {names[shown]: points for names, points in lines}


def _line_name(runs: pd.DataFrame, others: list[str]) -> str:
    row = runs.iloc[0]
    rest = [
        f"{name} = {row[name]:g}" for name in others if isinstance(row[name], int | float) and not math.isnan(row[name])
    ]
    table = " ".join(word for word in row["instance"].split(" ") if word.partition("=")[0] not in QUESTIONED)
    return ", ".join([f"{table} ({row['rows']:,.0f} x {row['columns']:g})", *rest])


def _decimal(text: str) -> float:
    from fractions import Fraction

    return float(Fraction(text))


def of_study(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame; refuse one that is no study's."""
    absent = [name for name in NEEDED if name not in frame.columns]
    if absent:
        raise BadInput(f"the frame has no column {absent[0]!r}; it must be what `study_frame` returned")
    return frame


def compared(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the runs that count, of solvers that never lied, at the longest limit: failures count, and a liar is out."""
    asked = tried(honest(of_study(frame)))
    longest: pd.DataFrame = asked[asked["limit_s"] == asked["limit_s"].max()]
    return longest


def _over_seeds(runs: pd.DataFrame, places: list[float]) -> tuple[list[float], list[float]]:
    """Return the least and the largest share of runs of one seed that are proved by each time."""
    lines = []
    for _, own in runs.groupby("seed"):
        seconds = [max(second, _FLOOR) for second in own[own["status"] == "proved"]["solve_s"].dropna()]
        lines.append([sum(second <= place for second in seconds) / len(own) for place in places])
    return [min(shares) for shares in zip(*lines, strict=True)], [max(shares) for shares in zip(*lines, strict=True)]


def _times(runs: pd.DataFrame) -> dict[tuple[Any, ...], float | None]:
    """Return the time to proof for each question and seed; None where there is no proof."""
    found: dict[tuple[Any, ...], float | None] = {}
    for row in runs.to_dict("records"):
        run = (row["instance"], row["table"], row["asks"], row["seed"])
        found[run] = max(float(row["solve_s"]), _FLOOR) if row["status"] == "proved" else None
    return found
