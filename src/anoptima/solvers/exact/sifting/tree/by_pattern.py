"""Branching on patterns: a tree of cases, each closed by multipliers of its own, until the best release known is the best there is.

A case fixes some patterns as open (they have a group) or shut (they have none). With that, a shut pattern adds nothing to the Lagrangian
bound and an open one its value v_p whatever its sign, and all else stays as it was (`bound.ascent`). If every pattern is fixed, what is
left is a transport, whose vertices are whole, and every whole publication satisfies the cuts: no tree ever must decide on single arcs, and
some finite tree always ends. What is proved at any time is the least bound of all cases that are left, and their multipliers are the proof.

The least proved case is taken up and followed down (`tree.dive`) until each of what it falls into proves the next cost that there could
be: the tree as a whole then proves one such step after the other, and is left at any time with about the best proof of its size.
As many threads as there may be take cases up, each with a core of its own; cuts, and what patterns have gained, they share.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from anoptima.solvers.exact.sifting.arcs import Numbers
from anoptima.solvers.exact.sifting.bound.core import Core, Relaxed
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue, Row, Terms
from anoptima.solvers.exact.sifting.bound.dual import Multipliers
from anoptima.solvers.exact.sifting.instance import Instance
from anoptima.solvers.exact.sifting.proofs import Case, Fixed
from anoptima.solvers.exact.sifting.tree.dive import Dive
from anoptima.solvers.exact.sifting.tree.leaves import Leaves
from anoptima.solvers.exact.sifting.tree.pseudo_costs import PseudoCosts

A_MOMENT = 0.05
"""Seconds after which whoever waits for another thread looks again."""


@dataclass(eq=False)
class Around:
    """What a tree asks of the run that it grows in, and tells it.

    Attributes
    ----------
    is_over
        Whether to leave the tree as it is, for now.
    wanted
        D times the bound that is enough.
    on_whole
        Is told, by one thread at a time, of solutions of a core in which every pattern is open or shut.
    separate
        Returns cuts that a solution violates, with sets of the records that it is told.
    hint
        Hears of the solutions of cases, by arc.
    """

    is_over: Callable[[], bool]
    wanted: Callable[[], int]
    on_whole: Callable[[Relaxed], None]
    separate: Callable[[Numbers, Numbers, NDArray[np.bool_]], list[Row]]
    hint: Callable[[Numbers], None]


class TreeByPattern:
    """A search tree over the patterns of core programs, which nobody else uses: one for each thread."""

    def __init__(self, instance: Instance, kernels: ModuleType, cores: Sequence[Core], around: Around) -> None:
        self._instance, self.around = instance, around
        arcs = instance.arcs
        self._exact = arcs.times(instance.d)
        self.none = Terms(arcs, kernels)
        self.rows: list[Row] = list(cores[0].rows)
        """All cuts that a case may have prices for, in the order of its prices. They hold everywhere."""
        self._place = {id(row): place for place, row in enumerate(self.rows)}
        self.needed = cores[0].chosen()
        """The arcs that any of the cores has, or will have when its next case is taken up."""
        self.past = PseudoCosts(len(arcs.cost))
        self._turn = threading.Condition()
        self._in_hand = 0
        self.cases: Leaves[Case] = Leaves(lambda case: case.proved)
        """The leaves of the tree as it stands, between two runs; the least proved is next."""
        nothing = np.zeros(len(arcs.copies), dtype=np.int64)
        self.leave(self.priced((), Multipliers(nothing, np.zeros(len(self.rows), dtype=np.int64))))
        self._followers = [Dive(self, core) for core in cores]

    def go_on_from(self, rows: Sequence[Row], ends: Sequence[tuple[Fixed, Multipliers]]) -> None:
        """Begin with the cases of an earlier tree in place of the whole, each with its multipliers in parts of D, priced for `rows`."""
        self.enter([row for row in rows if id(row) not in self._place])
        places = [self._place[id(row)] for row in rows]
        self.cases.clear()
        for fixed, at in ends:
            prices = np.zeros(len(self.rows), dtype=np.int64)
            prices[places] = at.prices
            self.leave(self.priced(fixed, Multipliers(at.worth, prices)))
        decided = np.zeros(len(self._exact.cost), dtype=np.bool_)
        decided[[pattern for fixed, _ in ends for pattern, _ in fixed]] = True
        # A core can fix the patterns that it has arcs of.
        self.needed |= decided[self.catalogue.pattern_of]

    @property
    def d(self) -> int:
        """D: multipliers and what they prove are counted in parts of it."""
        return self._instance.d

    @property
    def catalogue(self) -> Catalogue:
        """What cuts are looked up in."""
        return self._instance.catalogue

    @property
    def proved(self) -> int:
        """D times what is proved: the least of all cases."""
        return min((case.proved for case in self.cases), default=0)

    def run(self, threads: int) -> None:
        """Branch on so many threads, until every case reaches what is wanted, or until it is over."""
        errors: list[BaseException] = []

        def work(follower: Dive) -> None:
            try:
                self._work(follower, errors)
            except BaseException as error:  # noqa: BLE001 - it is raised again where the tree is waited for
                errors.append(error)

        others = [threading.Thread(target=work, args=(one,), daemon=True) for one in self._followers[1:threads]]
        for other in others:
            other.start()
        work(self._followers[0])
        for other in others:
            other.join()
        if errors:
            raise errors[0]

    def _work(self, follower: Dive, errors: Sequence[BaseException]) -> None:
        """Take one case up after the other, until there is none that would help, nor will be."""
        while not self.around.is_over() and not errors:
            with self._turn:
                case = self._take()
                if case is None:
                    if not self._in_hand:
                        return
                    self._turn.wait(A_MOMENT)
                    continue
                self._in_hand += 1
            try:
                follower.follow(case, self.next_cost(case.proved))
            finally:
                with self._turn:
                    self._in_hand -= 1
                    self._turn.notify_all()

    def _take(self) -> Case | None:
        """Return the least proved case, if what is wanted is more than that."""
        case = self.cases.next()
        return None if case is None or case.proved >= self.around.wanted() else self.cases.take()

    def next_cost(self, proved: int) -> int:
        """Return D times a bound that says more than `proved`: the first that is above the next cost, or what is wanted."""
        step = self._instance.step_of_cost * self.d
        return min(self.around.wanted(), -(-proved // step) * step + 1)

    def leave(self, case: Case) -> None:
        """Leave a case for later."""
        with self._turn:
            self.cases.leave(case)
            self._turn.notify_all()

    def close(self, case: Case) -> None:
        """Put a case aside in which nothing is left to decide."""
        with self._turn:
            self.cases.close(case)

    def enter(self, rows: Sequence[Row]) -> None:
        """Take new cuts in."""
        with self._turn:
            for row in rows:
                self._place[id(row)] = len(self.rows)
                self.rows.append(row)

    def tell_whole(self, relaxed: Relaxed) -> None:
        """Tell of a solution that is whole."""
        with self._turn:
            self.around.on_whole(relaxed)

    def valued(self, fixed: Fixed, at: Multipliers, rows: Sequence[Row]) -> Case:
        """Return the case with the bound of multipliers in floats, whose prices are of these rows."""
        prices = np.zeros(len(self.rows), dtype=np.int64)
        prices[[self._place[id(row)] for row in rows]] = np.rint(at.prices * self.d).astype(np.int64)
        return self.priced(fixed, Multipliers(np.rint(at.worth * self.d).astype(np.int64), prices))

    def priced(self, fixed: Fixed, at: Multipliers) -> Case:
        """Return the case with the bound that multipliers in parts of D prove of it."""
        arcs = self._exact
        priced = np.flatnonzero(at.prices)
        terms = self.none.of(self.rows[place] for place in priced)
        charge, surcharge = terms.charges(at.prices[priced])
        values, _ = terms.kernels.opened(arcs, at.worth, charge, surcharge)
        counted: Numbers = np.minimum(values, 0)
        for pattern, is_open in fixed:
            counted[pattern] = values[pattern] if is_open else 0
        total = int(arcs.copies @ at.worth) + int(counted.sum()) - int(terms.most @ at.prices[priced])
        return Case(fixed, at, total)
