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

import numpy as np
from numpy.typing import NDArray

from anoptima.deadline import check_time
from anoptima.errors import SolverFailure
from anoptima.solvers.exact.simplex.costs import Costs, Truths
from anoptima.solvers.exact.simplex.prices import Prices

Group = tuple[int, ...]

_PRIMAL, _DUAL = 4, 1
"""HiGHS's numbers for the simplex method that goes on best after new columns, and after new rows."""

_DEAREST = 1_000_000_000
"""What no group costs more than in the program, about: HiGHS fails at costs of 1e19."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """What an optimum of the program uses, and its prices, exact from here on."""

    used: list[tuple[Group, float]]
    prices: Prices


class Relaxation:
    """The program on a growing list of groups and odd sets."""

    def __init__(self, costs: Costs) -> None:
        import highspy

        self._native = highspy
        self._costs = costs
        n = len(costs)
        self._groups: list[Group] = []
        self._known: set[Group] = set()
        self._sets = np.zeros((0, n), dtype=bool)
        # Prices are asked for in units of about a thousandth of the dearest pair, whatever the costs are.
        self._scale = max(1, int(costs.pair.max(initial=0)) // 1000, costs.dearest // _DEAREST)
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
        new = {group: cost for group, cost in zip(groups, costs, strict=True) if group not in self._known}
        if not new:
            return 0
        check_time()
        n, listed = len(self._costs), list(new)
        self._known.update(listed)
        self._groups += listed
        vertices = _padded(listed, n)
        inside = np.column_stack([self._sets, np.zeros(len(self._sets), dtype=bool)])
        odd, odd_group = np.nonzero(np.bitwise_xor.reduce(inside[:, vertices], axis=2))
        group, place = np.nonzero(vertices < n)
        of_group = np.concatenate([group, odd_group])
        rows = np.concatenate([vertices[group, place], n + odd])[np.argsort(of_group, kind="stable")].astype(np.int32)
        starts = np.searchsorted(np.sort(of_group), np.arange(len(listed))).astype(np.int32)
        price = np.array([cost / self._scale for cost in new.values()])
        zero, most = np.zeros(len(listed)), np.full(len(listed), self._native.kHighsInf)
        self._highs.addCols(len(listed), price, zero, most, len(rows), starts, rows, np.ones(len(rows)))
        self._highs.setOptionValue("simplex_strategy", _PRIMAL)
        return len(listed)

    def add_sets(self, sets: list[Truths]) -> int:
        """Add the rows of odd sets that are not there yet, and return how many those are."""
        known = {members.tobytes() for members in self._sets}
        new = [members for members in sets if members.tobytes() not in known]
        vertices = _padded(self._groups, len(self._costs))
        for members in new:
            odd = np.bitwise_xor.reduce(np.append(members, False)[vertices], axis=1)
            index = np.flatnonzero(odd).astype(np.int32)
            self._highs.addRow(1.0, self._native.kHighsInf, len(index), index, np.ones(len(index)))
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
        if status == self._native.HighsModelStatus.kTimeLimit:
            return None
        if status != self._native.HighsModelStatus.kOptimal:
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


def _padded(groups: list[Group], n: int) -> NDArray[np.int64]:
    """Return groups as rows of three; behind a pair comes `n`, which is no vertex."""
    return np.array([(*group, n)[:3] for group in groups], dtype=np.int64).reshape(-1, 3)
