"""A picture of formulations: the bounds of their relaxations beside the optimum. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anoptima.arguments import checked
from anoptima.errors import BadInput
from anoptima.experiments.canvas import axes_on
from anoptima.packages import pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@checked
def plot_bounds(bounds: pd.DataFrame, optimum: float | None = None, axes: Axes | None = None) -> Axes:
    """Draw the bounds of `lp_bounds` as bars, the best on top, with a line at the optimum. Formulations for study are grey.

    Parameters
    ----------
    bounds
        What `lp_bounds` returned.
    optimum
        The optimal cost, for a line; none unless given.
    axes
        Where to draw; a picture of its own unless given.

    Examples
    --------
    >>> import anoptima as ao
    >>> bounds = ao.lp_bounds(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    >>> plot_bounds(bounds, 54).get_title()
    'red line: the optimum, 54; grey: for study only'
    """
    if "LP bound" not in bounds.columns or "for study" not in bounds.columns:
        raise BadInput("bounds is another DataFrame; it must be what `lp_bounds` returned")
    known: Any = bounds[bounds["LP bound"].notna()].sort_values("LP bound", kind="stable")
    if not len(known):
        raise BadInput("there is nothing to draw: no formulation has a bound")
    drawn: Axes = axes_on(axes, (7.2, 0.9 + 0.34 * len(known)))
    colours = ["C7" if weak else "C0" for weak in known["for study"]]
    bars = drawn.barh(list(known.index), known["LP bound"], color=colours)
    longest = known["LP bound"].max()
    for bar, value in zip(bars, known["LP bound"], strict=True):
        # Inside its bar, where the optimum's line cannot run through it; beside it, where the bar is too short.
        inside = value > longest / 2
        drawn.annotate(
            f"{value:.4g}",
            (value, bar.get_y() + bar.get_height() / 2),
            (-4 if inside else 4, 0),
            textcoords="offset points",
            ha="right" if inside else "left",
            va="center",
            color="white" if inside else "black",
            fontsize=9,
        )
    if optimum is not None:
        drawn.axvline(float(optimum), color="C3", linewidth=1.2)
        drawn.set_title(f"red line: the optimum, {float(optimum):g}; grey: for study only", fontsize=9)
    drawn.set_xlabel("bound of the linear relaxation")
    drawn.set_xlim(0, max(1.0, 1.12 * longest, 1.12 * float(optimum or 0)))
    return drawn
