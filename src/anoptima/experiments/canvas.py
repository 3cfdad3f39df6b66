"""What pictures are drawn on: the caller's axes, or new ones. Needs the extra `anoptima[plots]`."""

from __future__ import annotations

import logging
from typing import Any

from anoptima.argument_kinds import described
from anoptima.errors import BadInput, NotApplicable


def new_figure(size: tuple[float, float] | None = None, **options: Any) -> Any:
    """Return a new figure; `NotApplicable` names the extra where matplotlib is not there."""
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
    return plt.figure(figsize=size, **options)


def axes_on(axes: Any, size: tuple[float, float] | None = None, **options: Any) -> Any:
    """Return the axes that somebody gave, or those of a new figure."""
    if axes is None:
        return new_figure(size, **options).subplots()
    if not (hasattr(axes, "set_axis_off") and hasattr(axes, "figure")):
        raise BadInput(f"axes is {described(axes)}; it must be the axes of a matplotlib figure, or None")
    return axes
