"""Branching on patterns: a tree of cases, each closed by multipliers of its own, until the best release known is the best there is.

A case fixes some patterns as open (they have a group) or shut (they have none). With that, a shut pattern adds nothing to the Lagrangian
bound and an open one its value v_p whatever its sign, and all else stays as it was (`dual`). If every pattern is fixed, what is left is a
transport, whose vertices are whole, and every whole publication satisfies the cuts: no tree ever has to decide on single arcs, and some
finite tree always ends. What is proved at any time is the least bound of all cases that are left, and their multipliers are the proof.

A case is taken up from the least proved one, and followed down, on the side that seems to gain less, until it is closed: the core program
then changes by little from one case to the next. Patterns are chosen by what deciding them has gained before, in this case or another
(pseudo-costs: a decision changes the solution near it, whatever is decided elsewhere), and those without a past are tried out. Cuts are
looked for where a decision has changed the solution. They hold everywhere.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Sequence
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.engine.core import Core, Relaxed
from anoptima.solvers.exact.engine.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.engine.dual import Multipliers
from anoptima.solvers.exact.engine.kernels import Arcs, Numbers
from anoptima.solvers.exact.engine.proving import DENOMINATOR, Case, Fixed

ROUNDS = 6
"""Times that a case's core is solved again, with what it lacked."""
CUT_ROUNDS = 4
"""Rounds of cuts in a case; the next one is worth it if the last has gained so much of what is wanted still, or so much at all:"""
CUT_SHARE, CUT_LEAST = 0.05, 1e-3
FIRST_TRIALS, TRIALS = 24, 3
"""Patterns without a past that are tried out before one is branched on, in the first case and later."""
TRIAL_ITERATIONS = 200
MOST_SLACK = 2
"""Cuts are taken out of the core once there are so many times as many as at first."""
WHOLE = 1e-6
TINY = 1e-6
_SHUT, _OPEN = 0, 1

Separate = Callable[[Numbers, Numbers, NDArray[np.bool_]], list[Row]]


class Branching:
    """A search tree over the patterns of a core program, which nobody else uses.

    `wanted` says D times the bound that is enough. `on_whole` is told of solutions of the core in which every pattern is open or shut.
    `separate` returns cuts that a solution violates, with sets of the records that it is told. A run that is over may be gone on with.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        kernels: ModuleType,
        core: Core,
        is_over: Callable[[], bool],
        wanted: Callable[[], int],
        on_whole: Callable[[Relaxed], None],
        separate: Separate,
    ) -> None:
        self._arcs = catalogue.arcs
        self._exact = Arcs(
            self._arcs.start, self._arcs.member, self._arcs.cost * DENOMINATOR, self._arcs.copies, self._arcs.k
        )
        self._catalogue = catalogue
        self._core = core
        self._is_over = is_over
        self._wanted = wanted
        self._on_whole = on_whole
        self._separate = separate
        self._numbers = itertools.count()
        self.rows: list[Row] = list(core.rows)
        """All cuts that a case may have prices for, in the order of its prices."""
        self._place = {id(row): place for place, row in enumerate(self.rows)}
        self._most_rows = MOST_SLACK * len(self.rows) + 100
        self._none = Terms(self._arcs, kernels)
        self.open: list[tuple[int, int, Case]] = []
        """Cases to be taken up, the least proved first."""
        self.closed: list[Case] = []
        self._past = _Past(len(self._arcs.cost))
        self._opened: set[int] = set()
        self._seen = np.zeros(len(self._arcs.cost))
        nothing = np.zeros(len(self._arcs.copies), dtype=np.int64)
        self._push(self._priced((), Multipliers(nothing, np.zeros(len(self.rows), dtype=np.int64))))
        core.add_shortfall(self._price_of_shortfall)
        core.expect_changes()

    @property
    def _price_of_shortfall(self) -> float:
        return 10.0 * float(self._arcs.cost.max(initial=1))

    @property
    def proved(self) -> int:
        """D times what is proved: the least of all cases."""
        return min((case.proved for case in self.cases), default=0)

    @property
    def cases(self) -> list[Case]:
        """The leaves of the tree as it stands."""
        return [*self.closed, *(entry[2] for entry in self.open)]

    def run(self) -> None:
        """Branch until every case reaches what is wanted, or until it is over."""
        while self.open and self.open[0][0] < self._wanted() and not self._is_over():
            self._follow(heapq.heappop(self.open)[2])

    def _push(self, case: Case) -> None:
        heapq.heappush(self.open, (case.proved, next(self._numbers), case))

    def _follow(self, case: Case) -> None:
        """Take a case up, then one side of it, and so on until one is closed or it is over; leave the other sides for later."""
        before: tuple[float, float] | None = None
        while True:
            case, relaxed = self._examine(case)
            if case.proved >= self._wanted():
                self.closed.append(case)
                return
            if self._is_over():
                self._push(case)
                return
            pattern = self._any_free(case.fixed)
            if relaxed is not None:
                if before is not None:
                    decided, is_open = case.fixed[-1]
                    self._past.note(decided, is_open, relaxed.value - before[0], before[1])
                chosen = self._choose(case.fixed, relaxed)
                if chosen is None:
                    # The solution is whole, so it is one of the problem, and its cost is what this case comes to.
                    self._on_whole(relaxed)
                    if case.proved >= self._wanted():
                        pattern = None
                else:
                    pattern = chosen
                    before = relaxed.value, float(relaxed.y[pattern])
            if pattern is None:
                self.closed.append(case)
                return
            sides = [self._priced((*case.fixed, (pattern, is_open)), case.at) for is_open in (False, True)]
            if relaxed is None:
                for side in sides:
                    self._push(side)
                return
            gains = self._past.gains(np.array([pattern]), relaxed.y)
            first = int(gains[_OPEN, 0] < gains[_SHUT, 0])
            self._push(sides[1 - first])
            case = sides[first]

    def _examine(self, case: Case) -> tuple[Case, Relaxed | None]:
        """Bound a case better, with cuts; return it with the solution of the core, None if that was not found."""
        self._allow(case.fixed)
        case, relaxed = self._solved(case)
        for _ in range(CUT_ROUNDS):
            if relaxed is None or case.proved >= self._wanted() or not self._cut(relaxed):
                break
            before = relaxed.value
            case, relaxed = self._solved(case)
            wanted = self._wanted() / DENOMINATOR - before
            if relaxed is None or relaxed.value - before < max(CUT_LEAST, CUT_SHARE * wanted):
                break
        return case, relaxed

    def _solved(self, case: Case) -> tuple[Case, Relaxed | None]:
        """Solve the core, with what it lacks; return the case with the best multipliers, and the last solution."""
        relaxed = None
        for _ in range(ROUNDS):
            relaxed = self._core.solve()
            if relaxed is None:
                break
            found, missing = self._weigh(case.fixed, relaxed)
            if found.proved > case.proved:
                case = found
            if case.proved >= self._wanted() or not self._core.add_arcs(missing):
                break
            self._core.fix(dict(case.fixed))
        return case, relaxed

    def _cut(self, relaxed: Relaxed) -> int:
        """Look for cuts where the solution is another one than when they were looked for last; return how many were added."""
        changed = np.abs(relaxed.y - self._seen) > TINY
        self._seen = relaxed.y
        near = np.zeros(len(self._arcs.copies), dtype=np.bool_)
        near[self._arcs.member[(relaxed.x > TINY) & changed[self._catalogue.pattern_of]]] = True
        if not near.any():
            return 0
        rows = self._separate(relaxed.x, relaxed.y, near)
        if rows and len(self._core.rows) > self._most_rows:
            self._core.drop_slack(relaxed.x, relaxed.y)
        self._core.add_cuts(rows)
        for row in rows:
            self._place[id(row)] = len(self.rows)
            self.rows.append(row)
        return len(rows)

    def _allow(self, fixed: Fixed) -> None:
        """Set the core to a case."""
        self._prepare([pattern for pattern, is_open in fixed if is_open])
        self._core.fix(dict(fixed))

    def _prepare(self, patterns: Sequence[int]) -> None:
        """Let the groups of patterns that are to be opened for the first time stay too small, at a price."""
        opened = np.array([pattern for pattern in patterns if pattern not in self._opened], dtype=np.int64)
        if len(opened):
            self._opened.update(opened.tolist())
            self._core.add_shortfall(self._price_of_shortfall, opened)

    def _weigh(self, fixed: Fixed, relaxed: Relaxed) -> tuple[Case, NDArray[np.int64]]:
        """Return what multipliers prove of a case, and the arcs that the core lacks for it."""
        at = relaxed.multipliers
        prices = np.zeros(len(self.rows), dtype=np.int64)
        prices[[self._place[id(row)] for row in self._core.rows]] = np.rint(at.prices * DENOMINATOR).astype(np.int64)
        case = self._priced(fixed, Multipliers(np.rint(at.worth * DENOMINATOR).astype(np.int64), prices))
        if case.proved >= (relaxed.value - TINY) * DENOMINATOR:
            return case, np.zeros(0, dtype=np.int64)
        terms = self._none.of(self._core.rows)
        charge, surcharge = terms.charges(at.prices)
        values, least = terms.kernels.opened(self._arcs, at.worth, charge, surcharge)
        counts = values < -TINY
        for pattern, is_open in fixed:
            counts[pattern] = is_open
        lengths = np.diff(self._arcs.start)
        gain = at.worth[self._arcs.member] - np.repeat(self._arcs.cost, lengths)
        if surcharge is not None:
            gain -= surcharge
        return case, np.flatnonzero(
            np.repeat(counts, lengths) & (gain >= np.repeat(np.minimum(least, 0), lengths) - TINY)
        )

    def _priced(self, fixed: Fixed, at: Multipliers) -> Case:
        """Return the case with the bound that whole multipliers prove of it."""
        arcs = self._exact
        priced = np.flatnonzero(at.prices)
        terms = self._none.of(self.rows[place] for place in priced)
        charge, surcharge = terms.charges(at.prices[priced])
        values, _ = terms.kernels.opened(arcs, at.worth, charge, surcharge)
        counted: Numbers = np.minimum(values, 0)
        for pattern, is_open in fixed:
            counted[pattern] = values[pattern] if is_open else 0
        total = int(arcs.copies @ at.worth) + int(counted.sum()) - int(terms.most @ at.prices[priced])
        return Case(fixed, at, total)

    def _any_free(self, fixed: Fixed) -> int | None:
        """Return some pattern of the core that is not fixed."""
        settled = {pattern for pattern, _ in fixed}
        free = [int(p) for p in np.unique(self._catalogue.pattern_of[self._core.chosen()]) if int(p) not in settled]
        return free[0] if free else None

    def _choose(self, fixed: Fixed, relaxed: Relaxed) -> int | None:
        """Return the pattern whose two sides both raise the value most, by its past or tried out; None if all are whole."""
        undecided = np.flatnonzero(np.minimum(relaxed.y, 1 - relaxed.y) > WHOLE)
        if not len(undecided):
            return None
        weight = np.bincount(self._catalogue.pattern_of, relaxed.x, len(relaxed.y))
        distance = np.minimum(relaxed.y, 1 - relaxed.y) * (1 + weight)
        order = undecided[np.argsort(-distance[undecided], kind="stable")]
        unknown = [p for p in order.tolist() if not self._past.knows(p)][: TRIALS if fixed else FIRST_TRIALS]
        self._prepare(unknown)
        for pattern in unknown:
            for is_open in (False, True):
                self._allow((*fixed, (pattern, is_open)))
                tried = self._core.glance(TRIAL_ITERATIONS)
                self._past.note(pattern, is_open, tried - relaxed.value, float(relaxed.y[pattern]))
        return int(undecided[np.argmax(self._worthwhile(undecided, relaxed))])

    def _worthwhile(self, patterns: NDArray[np.int64], relaxed: Relaxed) -> Numbers:
        """Return how much both sides of each pattern are expected to gain: the product of the two, as far as it matters."""
        most = max(self._wanted() / DENOMINATOR - relaxed.value, TINY)
        gains = np.clip(self._past.gains(patterns, relaxed.y), 1e-4, most)
        product: Numbers = gains[_SHUT] * gains[_OPEN]
        return product


class _Past:
    """What deciding a pattern has gained, per unit of what its value changed by; the mean of all where it has not been decided yet."""

    def __init__(self, patterns: int) -> None:
        self._gain = np.zeros((2, patterns))
        self._times = np.zeros((2, patterns))

    def note(self, pattern: int, is_open: bool, gain: float, fraction: float) -> None:
        by = 1 - fraction if is_open else fraction
        if by > WHOLE and np.isfinite(gain):
            self._gain[int(is_open), pattern] += max(gain, 0.0) / by
            self._times[int(is_open), pattern] += 1

    def knows(self, pattern: int) -> bool:
        return bool((self._times[:, pattern] > 0).all())

    def gains(self, patterns: NDArray[np.int64], y: Numbers) -> Numbers:
        """Return what shutting and opening each pattern is expected to gain, in two rows."""
        times, gain = self._times[:, patterns], self._gain[:, patterns]
        mean = (self._gain.sum(axis=1) + TINY) / (self._times.sum(axis=1) + TINY)
        rate = np.where(times > 0, gain / np.maximum(times, 1), mean[:, None])
        found: Numbers = rate * np.stack([y[patterns], 1 - y[patterns]])
        return found
