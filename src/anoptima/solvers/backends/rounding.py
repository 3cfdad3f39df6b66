"""From a solver's floating-point numbers to whole ones, on the safe side.

A built model's objective is whole at every optimum (`models.base`). A solver sees floats with an error of about its feasibility
tolerance. Two rules turn them into exact numbers; neither ever overstates:

- a *bound* b is raised to ceil(b - e): if every whole objective is at least b, up to an error e, it is at least that;
- an *objective* within e of a whole number is that number, and otherwise stays the fraction that it is.

with e = 1e-6 + 1e-9 |b|: the first part is the absolute feasibility tolerance that solvers work to, the second the relative error
of summing an objective in double precision. Beyond |b| = 1e9 the rounding can no longer tell neighbours apart, and bounds get weaker.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational

from anoptima.exact import Exact, simplest

Reported = int | Fraction | float
"""An objective or a bound as a solver gives it."""


def tolerance(value: float) -> float:
    """Return the error that is granted to a solver's float.

    >>> tolerance(54.0) < 1.1e-6
    True
    """
    return 1e-6 + 1e-9 * abs(value)


def float_at_most(value: Fraction) -> float:
    """Return the largest double that is not above `value`: a gap that is asked for in floats is not wider than it was meant.

    >>> Fraction(float_at_most(Fraction(1, 10))) <= Fraction(1, 10)
    True
    """
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def bound_from(reported: Reported | None) -> Exact | None:
    """Return the whole bound that a solver's bound proves; None if it proves nothing.

    >>> bound_from(52.3), bound_from(53.0000001), bound_from(-math.inf), bound_from(7)
    (53, 53, None, 7)
    """
    if reported is None:
        return None
    if isinstance(reported, Rational):
        return math.ceil(reported)
    return math.ceil(reported - tolerance(reported)) if math.isfinite(reported) else None


def objective_from(reported: Reported) -> Exact:
    """Return the exact number that a solver's objective stands for.

    >>> objective_from(53.9999999), objective_from(53.5), objective_from(54)
    (54, Fraction(107, 2), 54)
    """
    if isinstance(reported, Rational):
        return simplest(Fraction(reported))
    nearest = round(reported)
    if abs(reported - nearest) <= tolerance(reported):
        return nearest
    return simplest(Fraction(reported).limit_denominator(10**6))
