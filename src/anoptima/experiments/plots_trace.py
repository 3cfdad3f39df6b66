"""Pictures of runs over time: the best cost, the bound, and the gap between them. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anoptima.answer import Answer, Trace
from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.exact import Exact, exact_text
from anoptima.experiments.canvas import axes_on, colour_of, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONG = 30.0
"""The time axis is logarithmic if the last step comes at least this many times as late as the first."""
_FLOOR = 0.01
"""Seconds at which logarithmic time begins."""


@checked
def plot_progress(answers: Sequence[Answer[Any]], axes: Axes | None = None, labels: Sequence[str] = ()) -> Axes:
    """Draw cost and bound of one run or several over time, as steps, the gap between them shaded.

    Parameters
    ----------
    answers
        Answers to one problem, or to problems whose costs can be compared.
    axes
        Where to draw; a picture of its own unless given.
    labels
        What to call each answer; its solver unless given.

    Examples
    --------
    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> axes = plot_progress([ao.solve(problem, "mondrian"), ao.solve(problem, "peel")])
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('seconds', 'stars')
    """
    called = list(labels) or [answer.solver for answer in answers]
    if len(called) != len(answers):
        raise BadInput(f"there are {len(called)} labels for {len(answers)} answers; there must be one each")
    traces = [(name, answer, answer.trace) for name, answer in zip(called, answers, strict=True) if answer.trace]
    if not traces:
        raise BadInput("there is nothing to draw: every run ended before anything was known")
    drawn: Axes = axes_on(axes, (7.2, 4.2))
    long = _needs_logarithm([trace for _, _, trace in traces], [answer for _, answer, _ in traces])
    for number, (name, answer, trace) in enumerate(traces):
        _draw_run(drawn, trace, max(answer.run.seconds, trace[-1].seconds), colour_of(number), name, long)
    if long:
        drawn.set_xscale("log")
        drawn.xaxis.set_major_formatter("{x:g}")
    _show_what_matters(drawn, [trace for _, _, trace in traces])
    drawn.yaxis.set_major_formatter("{x:,.10g}")
    drawn.grid(linewidth=0.3)
    drawn.set_xlabel("seconds")
    drawn.set_ylabel(traces[0][1].problem.unit)
    if len(traces) == 1:
        drawn.set_title(_ended(traces[0][1]), fontsize=9, loc="left", pad=22)
    legend_above(drawn, most=2)
    return drawn


def _draw_run(drawn: Any, trace: Trace, end: float, colour: str, name: str, long: bool) -> None:
    costs, bounds = _steps(trace, "cost", end, long), _steps(trace, "bound", end, long)
    if costs[0]:
        # A dot where the run ended: of one that found its release last of all, the line alone would not be seen.
        said = f"{name}: cost {exact_text(_last(trace, 'cost'))}"
        drawn.step(*costs, where="post", color=colour, label=said, marker=".", markevery=[len(costs[0]) - 1])
    if bounds[0]:
        drawn.step(
            *bounds,
            where="post",
            color=colour,
            linestyle="--",
            label=f"{name}: bound {exact_text(_last(trace, 'bound'))}",
        )
    both = [step for step in trace if step.cost is not None and step.bound is not None]
    if both:
        seconds = [*(_shown(step.seconds, long) for step in both), _shown(end, long)]
        low = [float(step.bound or 0) for step in [*both, both[-1]]]
        high = [float(step.cost or 0) for step in [*both, both[-1]]]
        drawn.fill_between(seconds, low, high, step="post", color=colour, alpha=0.15, linewidth=0)


def _steps(trace: Trace, what: str, end: float, long: bool) -> tuple[list[float], list[float]]:
    """Return times and values, the last one drawn out to the end."""
    known = [(_shown(step.seconds, long), float(value)) for step in trace if (value := getattr(step, what)) is not None]
    seconds, values = [second for second, _ in known], [value for _, value in known]
    return ([*seconds, _shown(end, long)], [*values, values[-1]]) if known else ([], [])


def _last(trace: Trace, what: str) -> Exact:
    found: Exact = [value for step in trace if (value := getattr(step, what)) is not None][-1]
    return found


def _shown(seconds: float, long: bool) -> float:
    return max(seconds, _FLOOR) if long else seconds


def _needs_logarithm(traces: Sequence[Trace], answers: Sequence[Answer[Any]]) -> bool:
    first = min(max(step.seconds, _FLOOR) for trace in traces for step in trace)
    return max(answer.run.seconds for answer in answers) > _LONG * first


def _show_what_matters(drawn: Any, traces: Sequence[Trace]) -> None:
    """Leave out of sight how far off the very first costs and bounds were, where that would press all the rest into a line."""
    ends = [[float(value) for value in (trace[-1].cost, trace[-1].bound) if value is not None] for trace in traces]
    low, high = min(map(min, ends)), max(map(max, ends))
    room = max(0.15 * abs(high), *(4 * (max(end) - min(end)) for end in ends), 1.0)
    bottom, top = drawn.get_ylim()
    drawn.set_ylim(max(bottom, low - room), min(top, high + room))


def _ended(answer: Answer[Any]) -> str:
    gap = "" if not answer.gap else f", gap {float(answer.gap):.2%}".replace("%", " %")
    return f"{answer.problem.name}: {answer.claim.value}{gap} after {answer.run.seconds:,.1f} s"
