"""From worths found in floats to a proof in whole numbers."""

from __future__ import annotations

import numpy as np

from anoptima.certificates.groups import GroupProof, record_of_row
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.exact.engine.principled.dual import Dual
from anoptima.solvers.exact.engine.principled.rule import Numbers
from anoptima.solvers.exact.engine.principled.setting import Setting

DENOMINATOR = 5040
"""Divisible by 1 to 10: good worths are often fractions with small denominators."""

_ROOM = 2**62


def proof_at(problem: CellSuppression, setting: Setting, dual: Dual, worth: Numbers) -> GroupProof | None:
    """Round worths to parts of a denominator and return the proof of the bound that they give; None if 64 bits are too few. One pass.

    Any rounding is valid: worths are never wrong, only better or worse.
    """
    table = setting.problem.table
    scale = max(rule.scale for rule in dual.rules)
    most = float(np.abs(worth).max()) + float(table.scaled_weights.sum())
    d = DENOMINATOR
    while (most * d + 1) * table.rows * scale >= _ROOM:
        d //= 2
        if not d:
            return None
    whole = np.rint(worth * d).astype(np.int64)
    bound = dual.exactly(whole, d)
    scaled = -(-bound.numerator // (bound.denominator * d))
    of_row = record_of_row(problem)
    written = np.zeros(int(of_row.max()) + 1, dtype=np.int64)
    written[of_row] = whole[table.records.of_row]
    return GroupProof(
        problem.unscale(scaled), problem.table.digest, problem.principle.as_json(), d, tuple(map(int, written))
    )
