"""What 64 bits hold: how fine multipliers may be counted in whole numbers, and which costs are too large to be searched for."""

from __future__ import annotations

import numpy as np

from anoptima.problems.cell_suppression import CellSuppression

DENOMINATOR = 504_000
"""Divisible by 1 to 10: duals of the core program are fractions with small denominators. Those of passes are not, and what rounding loses
adds up over all groups."""
ROOM = 2**62
"""What sums stay below in 64 bits, as those of the checker have to."""
_HEADROOM = 1024
"""This multiple of the weights of all rows is what the multipliers of a table of a million rows come to, mostly through prices of cuts."""


def denominator_of(problem: CellSuppression) -> int:
    """Return D, which multipliers are counted in parts of: `DENOMINATOR`, or less where weights are so large that sums would not fit.

    >>> from anoptima import Table, KAnonymity, ten_rows
    >>> denominator_of(CellSuppression(ten_rows(), KAnonymity(2)))
    504000
    >>> heavy = Table.from_frame(ten_rows().frame, ten_rows().quasi, weights=dict.fromkeys(ten_rows().quasi, 10**12))
    >>> denominator_of(CellSuppression(heavy, KAnonymity(2)))
    56
    """
    most = _HEADROOM * int(problem.table.scaled_weights.sum()) * problem.table.rows
    return max(1, min(DENOMINATOR, ROOM // max(1, most)))


def usual_weight(problem: CellSuppression) -> int:
    """Return the geometric mean of what columns weigh, in which searches count reaches, steps and heats.

    Steps of the weight of one light column would lead nowhere among heavy ones, and a single heavy column must not make them coarse.

    >>> from anoptima import Table, KAnonymity, ten_rows
    >>> weights = dict(zip(ten_rows().quasi, ten_rows().scaled_weights.tolist()))
    >>> usual_weight(CellSuppression(ten_rows(), KAnonymity(2)))
    1
    >>> uneven = Table.from_frame(ten_rows().frame, ten_rows().quasi, weights=dict.fromkeys(weights, 50) | {ten_rows().quasi[0]: 1})
    >>> usual_weight(CellSuppression(uneven, KAnonymity(2)))
    31
    """
    weights = problem.table.scaled_weights.astype(float)
    return max(1, round(float(np.exp(np.log(weights[weights > 0]).mean())))) if (weights > 0).any() else 1


def why_too_heavy(problem: CellSuppression) -> str | None:
    """Return why costs of releases are too large to be searched for, in floating point; None if they are not.

    >>> from anoptima import Table, KAnonymity, ten_rows
    >>> heavy = Table.from_frame(ten_rows().frame, ten_rows().quasi, weights=dict.fromkeys(ten_rows().quasi, 10**15))
    >>> why_too_heavy(CellSuppression(heavy, KAnonymity(2)))
    'all cells together cost 80,000,000,000,000,000, and costs above 2^53 are no longer told apart; give weights with fewer digits'
    """
    everything = int(problem.table.scaled_weights.sum()) * problem.table.rows
    if everything < 2**53:
        return None
    return f"all cells together cost {everything:,}, and costs above 2^53 are no longer told apart; give weights with fewer digits"
