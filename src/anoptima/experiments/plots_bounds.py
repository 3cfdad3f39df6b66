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
    """Draw the bounds of `lp_bounds` as bars, the best on top, with a line at the optimum.

    Parameters
    ----------
    bounds
        What `lp_bounds` returned.
    optimum
        The optimal cost, for a line; none unless given.
    axes
        Where to draw; a picture of its own unless given.
    """
    if "LP bound" not in bounds.columns or "for study" not in bounds.columns:
        raise BadInput("bounds is another DataFrame; it must be what `lp_bounds` returned")
    known: Any = bounds[bounds["LP bound"].notna()].sort_values("LP bound", kind="stable")
    if not len(known):
        raise BadInput("there is nothing to draw: no formulation has a bound")
    drawn: Axes = axes_on(axes, (7.2, 0.9 + 0.34 * len(known)))
    colours = ["C7" if weak else "C0" for weak in known["for study"]]
    bars = drawn.barh(list(known.index), known["LP bound"], color=colours)
    labels = drawn.bar_label(bars, [f"{value:.4g}" for value in known["LP bound"]], padding=3, fontsize=8, zorder=3)
    for label in labels:  # the optimum's line may run through them
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.6})
    if optimum is not None:
        drawn.axvline(float(optimum), color="C3", linewidth=1.2)
        drawn.set_title(
            f"bounds of the relaxations; the line is the optimum, {float(optimum):g}; grey is for study", fontsize=9
        )
    drawn.set_xlabel("LP bound")
    drawn.margins(x=0.12)
    return drawn
