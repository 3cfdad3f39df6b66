"""What pictures are drawn on: the caller's axes, or new ones. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

import logging
import math
from typing import Any

from anoptima.argument_kinds import described
from anoptima.errors import BadInput, NotApplicable

_LIGHT = ("#aec7e8", "#ffbb78", "#98df8a", "#ff9896", "#c5b0d5", "#c49c94", "#f7b6d2", "#c7c7c7", "#dbdb8d", "#9edae5")


def colour_of(number: int) -> str:
    """Return the colour of the line or bar with a number: the ten of matplotlib, then ten lighter ones, then these again.

    >>> colour_of(3), colour_of(13), colour_of(23)
    ('C3', '#ff9896', 'C3')
    """
    number %= 20
    return f"C{number}" if number < 10 else _LIGHT[number - 10]


def as_written(word: object) -> str:
    r"""Return a word of the user's as a picture shows it, letter by letter and in one line: matplotlib reads dollars as a formula's ends.

    >>> as_written("$10-$20"), as_written("ward 3\nbed 1")
    ('\\$10-\\$20', 'ward 3 bed 1')
    """
    return " ".join(str(word).splitlines()).replace("$", r"\$")


_DECADES = 1000
"""A logarithmic axis of a smaller range has labels between powers of ten, too."""

_PART = 4
"""A logarithmic axis of a smaller range is labelled at every digit."""

_LETTERS = 15
"""Letters of eight points that an inch takes."""


def legend_above(axes: Any, size: int = 8, most: int = 3) -> None:
    """Put the legend above the axes, in up to `most` columns as far as its words leave room, where it covers nothing that is drawn."""
    said = axes.get_legend_handles_labels()[1]
    letters = axes.get_position().width * axes.get_figure(root=True).get_figwidth() * _LETTERS * 8 / size
    room = max(1, int(letters // (5 + max(map(len, said), default=0))))
    axes.legend(
        fontsize=size, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=min(most, room, len(said) or 1)
    )


def plain_ticks(axis: Any) -> None:
    """Label a logarithmic axis with plain numbers: of few decades 2, 3 and 5 as well as the beginning, of a part of one all digits."""
    low, high = axis.get_view_interval()
    axis.set_major_formatter("{x:,g}")
    if high / low < _DECADES:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)))
        digits = (2, 3, 5) if high / low > _PART else range(2, 10)
        axis.set_ticks([digit * 10.0**power for power in decades for digit in digits], minor=True)
        axis.set_minor_formatter("{x:,g}")
        axis.set_view_interval(low, high, ignore=True)
    else:
        axis.set_minor_formatter(lambda value, _: "")


def new_figure(size: tuple[float, float] | None = None) -> Any:
    """Return a new figure, on which no text is cut off; `NotApplicable` names the extra where matplotlib is not there."""
    log = logging.getLogger("matplotlib")
    before = log.level
    # Without a home it warns of the temporary folder that it takes instead, which serves as well.
    log.setLevel(logging.ERROR)
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise NotApplicable("pictures need matplotlib; install anoptima[plots]") from None
    except OSError:
        raise NotApplicable("pictures need a folder for matplotlib's settings; set MPLCONFIGDIR to one") from None
    finally:
        log.setLevel(before)
    return plt.figure(figsize=size, layout="constrained")


def axes_on(axes: Any, size: tuple[float, float] | None = None) -> Any:
    """Return the axes that somebody gave, or those of a new figure."""
    if axes is None:
        return new_figure(size).subplots()
    if not (hasattr(axes, "set_axis_off") and hasattr(axes, "figure")):
        raise BadInput(f"axes is {described(axes)}; it must be the axes of a matplotlib figure, or None")
    return axes
