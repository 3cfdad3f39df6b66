"""The linear program of simplex matching, with columns and odd sets made as they are needed, on HiGHS.

    minimise    sum c_e x_e            over the pairs and triples e listed so far
    (cover)     sum of x_e over e with v in e = 1                       every vertex v
    (odd)       sum of x_e over e with |e intersect S| odd >= 1         odd sets S found so far
    x >= 0

Without odd sets it says little: half its pairs take the place of any triple. With all of them it mostly has a whole optimum, but not
always. Its numbers are floats and decide nothing: prices are rounded and looked at exactly (`prices`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from anoptima.errors import SolverFailure
from anoptima.solvers.exact.simplex.costs import Costs, Truths
from anoptima.solvers.exact.simplex.prices import Prices

Group = tuple[int, ...]

_PRIMAL, _DUAL = 4, 1
"""HiGHS's numbers for the simplex method that goes on best after new columns, and after new rows."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """What an optimum of the program uses, and its prices, exact from here on."""

    used: list[tuple[Group, float]]
    prices: Prices


class Relaxation:
    """The program on a growing list of groups and odd sets."""

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        n = len(costs)
        self._groups: list[Group] = []
        self._known: set[Group] = set()
        self._sets = np.zeros((0, n), dtype=bool)
        # Prices are asked for in units of about a thousandth of the dearest pair, whatever the costs are.
        self._scale = max(1, int(costs.pair.max(initial=0)) // 1000)
        self._highs = highspy.Highs()
        for option, value in (("output_flag", False), ("presolve", "off"), ("threads", 1)):
            self._highs.setOptionValue(option, value)
        for _ in range(n):
            self._highs.addRow(1.0, 1.0, 0, np.array([], dtype=np.int32), np.array([], dtype=np.float64))

    @property
    def groups(self) -> list[Group]:
        """The groups listed so far."""
        return self._groups

    def add_groups(self, groups: Iterable[Group], costs: Iterable[int]) -> int:
        """List groups that are not listed yet, and return how many those are."""
        n, before = len(self._costs), len(self._groups)
        for group, cost in zip(groups, costs, strict=True):
            if group in self._known:
                continue
            self._known.add(group)
            self._groups.append(group)
            odd = np.flatnonzero(np.count_nonzero(self._sets[:, list(group)], axis=1) % 2)
            rows = np.concatenate([np.array(group), n + odd]).astype(np.int32)
            self._highs.addCol(float(cost) / self._scale, 0.0, highspy.kHighsInf, len(rows), rows, np.ones(len(rows)))
        if len(self._groups) > before:
            self._highs.setOptionValue("simplex_strategy", _PRIMAL)
        return len(self._groups) - before

    def add_sets(self, sets: list[Truths]) -> int:
        """Add the rows of odd sets that are not there yet, and return how many those are."""
        known = {members.tobytes() for members in self._sets}
        new = [members for members in sets if members.tobytes() not in known]
        for members in new:
            columns = [c for c, group in enumerate(self._groups) if np.count_nonzero(members[list(group)]) % 2]
            index = np.array(columns, dtype=np.int32)
            self._highs.addRow(1.0, highspy.kHighsInf, len(index), index, np.ones(len(index)))
        if new:
            self._sets = np.vstack([self._sets, *new])
            self._highs.setOptionValue("simplex_strategy", _DUAL)
        return len(new)

    def solve(self, seconds: float | None) -> Optimum | None:
        """Solve the program as it is; None if the time is up before that."""
        if seconds is not None:
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + seconds)
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverFailure("simplex-matching", f"HiGHS calls a solvable linear program {status.name}")
        found = self._highs.getSolution()
        values, duals = np.array(found.col_value), np.array(found.row_dual)
        used = [(self._groups[c], float(values[c])) for c in np.flatnonzero(values > 1e-6).tolist()]
        n = len(self._costs)
        weight = np.maximum(0.0, duals[n:])
        return Optimum(used, Prices(self._costs, self._whole(duals[:n]), self._sets, self._whole(weight)))

    def _whole(self, duals: NDArray[np.float64]) -> list[int]:
        """Round duals to units of the prices."""
        return [round(dual * Prices.unit) * self._scale for dual in duals.tolist()]
