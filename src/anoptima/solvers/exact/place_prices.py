"""Given patterns, and facilities with lower bounds, by prices of rows and cases of a facility open or shut; with a proof.

In each case HiGHS solves the linear program of `facilities`, whose prices, rounded, are worths of a proof. Given patterns are all open:
what is left is a flow, and the program's value is the optimum. Otherwise a facility that is open by a fraction is the next case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anoptima.problems.given_patterns import GivenPatterns, Publication
from anoptima.problems.lower_bounded_facilities import Connections, LowerBoundedFacilities
from anoptima.problems.lower_bounds import serve_all, serve_cheapest
from anoptima.proofs.heaviest import Decided
from anoptima.proofs.worths import Places
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.worth_search import NEAR, Look, WorthSearch
from anoptima.solvers.ledger import Ledger

_SERVING_SHARE = 0.3
"""The share of the time in which facilities that are more open than shut are asked to serve everybody."""

_MANY = 20_000
"""Over more connections the first program takes longer than everybody's nearest facilities: of 20,000 clients with eight each, these are
the optimum after some seconds, and it has not ended by then."""


@algorithms.register
class PlacePrices(Algorithm[Any]):
    """Given patterns and facilities with lower bounds, by prices of rows and cases of a facility open or shut; with a proof.

    A linear program with a variable for each connection and each facility in each case; given patterns are a single case.

    Examples
    --------
    >>> import anoptima as ao
    >>> line = [(f, c, abs(at - place)) for f, at in enumerate((0, 2, 4)) for c, place in enumerate((0, 1, 4))]
    >>> print(ao.solve(ao.LowerBoundedFacilities([2, 1, 2], line, least=2), "place-prices").bound)
    1 (proof)
    """

    name = "place-prices"
    problems = (GivenPatterns, LowerBoundedFacilities)
    kind = Kind.EXACT
    family = "prices"
    gives_proofs = True
    uses_seed = False

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Look at one case after the other, that of the least bound first."""
        large = isinstance(problem, LowerBoundedFacilities) and len(problem.connections) > _MANY
        if large and problem.nearest is not None:
            ledger.offer(problem.nearest)
        if not ledger.is_over():
            _Run(problem, ledger).run()


class _Run(WorthSearch):
    """One search: the program's arrays, and the time that flows took."""

    pricing: Places

    def __init__(self, problem: GivenPatterns | LowerBoundedFacilities, ledger: Ledger[Any]) -> None:
        super().__init__(problem, ledger)
        places = self.pricing
        self.arcs = [(p, r, cost) for p, costs in enumerate(places.costs) for r, cost in costs.items()]
        self._serving = 0.0

    def look(self, path: tuple[Decided, ...]) -> Look:
        """Solve the program, and ask which facility is to be decided on."""
        value, opened, prices, is_whole = self._solved({about[0]: is_open for about, is_open in path})
        apart = [min(amount, 1 - amount) for amount in opened]
        place = int(np.argmax(apart))
        about = (place,) if apart[place] > NEAR else None
        if is_whole and (about is None or self._serving <= _SERVING_SHARE * self.ledger.clock.seconds()):
            began = self.ledger.clock.seconds()
            self._offer([p for p, amount in enumerate(opened) if amount > 0.5])
            self._serving += self.ledger.clock.seconds() - began
        return Look(prices, value, about)

    def _solved(self, decided: dict[int, bool]) -> tuple[float, list[float], list[float], bool]:
        """Return the least cost, how far each place is open, the price of a row, and whether all rows are served."""
        import highspy

        from anoptima.solvers.exact.sifting.native import new_solver, run_to_the_deadline

        places = self.pricing
        sorts, count, size = places.rows, len(places.costs), float(places.size)
        solver = new_solver(presolve="off", solver="simplex")
        if (left := self.ledger.clock.left()) is not None:
            solver.setOptionValue("time_limit", max(0.0, left))
        no_end = highspy.kHighsInf
        for copies in places.copies:
            solver.addRow(float(copies), float(copies), 0, [], [])
        for _ in range(count):
            solver.addRow(0.0, no_end, 0, [], [])
        # A way out that is dearer than any solution: the prices of a case without solutions say so. So each row has it, and each place.
        dear = float(1 + sum(places.copies) * max(cost for _, _, cost in self.arcs))
        for row in range(sorts + count):
            solver.addCol(dear, 0.0, no_end, 1, [row], [1.0])
        first = sorts + count
        for p in range(count):
            lower, upper = (1.0, 1.0) if places.must else (float(decided.get(p, False)), float(decided.get(p, True)))
            solver.addCol(0.0, lower, upper, 1, [sorts + p], [-size])
        for p, r, cost in self.arcs:
            solver.addCol(float(cost), 0.0, no_end, 2, [r, sorts + p], [1.0, 1.0])
        if not places.must:
            for number, (p, r, _) in enumerate(self.arcs):
                columns = [first + p, first + count + number]
                solver.addRow(0.0, no_end, 2, columns, [float(places.copies[r]), -1.0])
        run_to_the_deadline(solver)
        found = solver.getSolution()
        values, prices = list(found.col_value), list(found.row_dual)[:sorts]
        is_whole = max(values[:first]) <= NEAR
        return solver.getInfo().objective_function_value, values[first : first + count], prices, is_whole

    def _offer(self, opened: Sequence[int]) -> None:
        """Serve everybody at the least cost from these places, if they can."""
        places = self.pricing
        arcs = [arc for arc in self.arcs if arc[0] in set(opened)]
        if len({r for _, r, _ in arcs}) < places.rows:
            return
        if not serve_all(places.copies, [(p, r) for p, r, _ in arcs], opened, places.size)[0]:
            return
        served = serve_cheapest(places.copies, arcs, opened, places.size)
        if isinstance(self.problem, LowerBoundedFacilities):
            facilities = self.problem.facilities
            self.ledger.offer(Connections.of({(facilities[p], r): count for (p, r), count in served.items()}))
            return
        order = sorted(served, key=lambda arc: (arc[1], arc[0]))
        pattern = np.empty(self.problem.table.rows, dtype=np.int64)
        rows = np.argsort(self.problem.table.type_of_row, kind="stable")
        pattern[rows] = np.repeat([p for p, _ in order], [served[arc] for arc in order])
        self.ledger.offer(Publication(pattern))
