"""Branching on patterns: a tree of cases, each closed by multipliers of its own, until the best release known is the best there is.

A case fixes some patterns as open (they have a group) or shut (they have none). With that, a shut pattern adds nothing to the Lagrangian
bound and an open one its value v_p whatever its sign, and all else stays as it was (`dual`). If every pattern is fixed, what is left is a
transport, so some finite tree always ends. The open case with the least bound is taken next; what is proved at any time is the least
bound of all cases that are left, and those multipliers are the proof.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.core import Core, Relaxed
from anoptima.solvers.exact.engine.cuts import Catalogue, Terms
from anoptima.solvers.exact.engine.dual import Multipliers
from anoptima.solvers.exact.engine.kernels import Arcs, Numbers
from anoptima.solvers.exact.engine.proving import DENOMINATOR, Case, Fixed

ROUNDS = 4
"""Times that a case's core is solved again, with what it lacked."""
CANDIDATES = 6
"""Patterns that are tried out before one is branched on."""
WHOLE = 1e-6
TINY = 1e-6


class Branching:
    """A search tree over the patterns of a core program, which nobody else uses.

    `on_whole` is told of solutions of the core in which every pattern is open or shut; it returns D times the bound that is wanted then.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        kernels: ModuleType,
        core: Core,
        is_over: Callable[[], bool],
        on_whole: Callable[[Relaxed], int],
    ) -> None:
        self._arcs = catalogue.arcs
        self._catalogue = catalogue
        self._kernels = kernels
        self._core = core
        self._is_over = is_over
        self._on_whole = on_whole
        self._numbers = itertools.count()
        self._first = Multipliers(
            np.zeros(len(self._arcs.copies), dtype=np.int64), np.zeros(len(core.rows), dtype=np.int64)
        )
        self._terms = Terms(self._arcs, kernels, core.rows)
        self.open: list[tuple[int, int, Case, int]] = []
        """Cases with a pattern to branch on, the least proved first."""
        self.closed: list[Case] = []
        self._opened: set[int] = set()
        core.add_shortfall(self._price_of_shortfall)

    @property
    def _price_of_shortfall(self) -> float:
        return 10.0 * float(self._arcs.cost.max(initial=1))

    @property
    def proved(self) -> int:
        """D times what is proved: the least of all cases."""
        return min((case.proved for case in (*self.closed, *(entry[2] for entry in self.open))), default=0)

    @property
    def cases(self) -> list[Case]:
        """The leaves of the tree as it stands."""
        return [*self.closed, *(entry[2] for entry in self.open)]

    def run(self, enough: int) -> None:
        """Branch until every case reaches `enough`, D times the bound that is wanted, or until it is over."""
        self._enough = enough
        self._enter(self._examine(()))
        while self.open and self.open[0][0] < self._enough and not self._is_over():
            _, _, case, pattern = heapq.heappop(self.open)
            for side in (True, False):
                self._enter(self._examine((*case.fixed, (pattern, side)), case))

    def _enter(self, found: tuple[Case, int | None]) -> None:
        case, pattern = found
        if pattern is None:
            self.closed.append(case)
        else:
            heapq.heappush(self.open, (case.proved, next(self._numbers), case, pattern))

    def _examine(self, fixed: Fixed, parent: Case | None = None) -> tuple[Case, int | None]:
        """Bound a case, and say what to branch on; None where it is closed."""
        self._allow(fixed)
        best = self._priced(fixed, self._first if parent is None else parent.at)
        relaxed = None
        for _ in range(ROUNDS):
            relaxed = self._core.solve()
            if relaxed is None:
                break
            case, missing = self._weigh(fixed, relaxed.multipliers)
            if case.proved > best.proved:
                best = case
            if best.proved >= self._enough:
                return best, None
            added = self._core.add_arcs(missing)
            if not added:
                break
            self._core.fix(dict(fixed))
        if relaxed is None:
            return best, self._any_free(fixed)
        pattern = self._choose(fixed, relaxed)
        if pattern is None:
            # The solution is whole, so it is one of the problem, and its cost is what this case comes to.
            self._enough = min(self._enough, self._on_whole(relaxed))
            return best, None if best.proved >= self._enough else self._any_free(fixed)
        return best, pattern

    def _allow(self, fixed: Fixed) -> None:
        """Set the core to a case; a pattern that is opened for the first time brings all its arcs along."""
        opened = np.array([p for p, is_open in fixed if is_open and p not in self._opened], dtype=np.int64)
        if len(opened):
            self._opened.update(opened.tolist())
            self._core.add_arcs(np.flatnonzero(np.isin(self._catalogue.pattern_of, opened)))
            self._core.add_shortfall(self._price_of_shortfall, opened)
        self._core.fix(dict(fixed))

    def _weigh(self, fixed: Fixed, at: Multipliers) -> tuple[Case, NDArray[np.int64]]:
        """Return what multipliers prove of a case, and the arcs that the core lacks for it."""
        charge, surcharge = self._terms.charges(at.prices)
        values, least = self._kernels.opened(self._arcs, at.worth, charge, surcharge)
        counts = values < 0
        for pattern, is_open in fixed:
            counts[pattern] = is_open
        lengths = np.diff(self._arcs.start)
        gain = at.worth[self._arcs.member] - np.repeat(self._arcs.cost, lengths)
        if surcharge is not None:
            gain -= surcharge
        wanted = np.repeat(counts, lengths) & (gain >= np.repeat(np.minimum(least, 0), lengths) - TINY)
        case = self._priced(
            fixed,
            Multipliers(
                np.rint(at.worth * DENOMINATOR).astype(np.int64), np.rint(at.prices * DENOMINATOR).astype(np.int64)
            ),
        )
        return case, np.flatnonzero(wanted)

    def _priced(self, fixed: Fixed, at: Multipliers) -> Case:
        """Return the case with the bound that whole multipliers prove of it."""
        arcs = self._arcs
        charge, surcharge = self._terms.charges(at.prices)
        values, _ = self._kernels.opened(
            Arcs(arcs.start, arcs.member, arcs.cost * DENOMINATOR, arcs.copies, arcs.k),
            at.worth,
            charge,
            surcharge,
        )
        counted: Numbers = np.minimum(values, 0)
        for pattern, is_open in fixed:
            counted[pattern] = values[pattern] if is_open else 0
        total = int(arcs.copies @ at.worth) + int(counted.sum()) - int(self._terms.most @ at.prices)
        return Case(fixed, at, total)

    def _any_free(self, fixed: Fixed) -> int | None:
        """Return some pattern of the core that is not fixed."""
        settled = {pattern for pattern, _ in fixed}
        free = [int(p) for p in np.unique(self._catalogue.pattern_of[self._core.chosen()]) if int(p) not in settled]
        return free[0] if free else None

    def _choose(self, fixed: Fixed, relaxed: Relaxed) -> int | None:
        """Return the pattern whose two sides both raise the value most, tried out on the most undecided; None if all are whole."""
        distance = np.minimum(relaxed.y, 1 - relaxed.y)
        undecided = np.flatnonzero(distance > WHOLE)
        if not len(undecided):
            return None
        weight = np.bincount(self._catalogue.pattern_of, relaxed.x, len(relaxed.y))
        order = undecided[np.argsort(-(distance * (1 + weight))[undecided])][:CANDIDATES]
        best, chosen = -1.0, int(order[0])
        for pattern in order.tolist():
            gains = []
            for side in (True, False):
                self._allow((*fixed, (pattern, side)))
                tried = self._core.solve()
                gains.append(np.inf if tried is None else max(tried.value - relaxed.value, 0) + 1e-4)
            if gains[0] * gains[1] > best:
                best, chosen = gains[0] * gains[1], pattern
        return chosen
