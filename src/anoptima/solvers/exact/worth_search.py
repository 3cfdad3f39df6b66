"""Best-first search over cases, each with a linear program whose prices are worths: bounds with a proof by `anoptima.proofs.worths`.

A linear program's floats decide nothing: its prices are rounded to worths, and what these prove is computed in whole numbers.
"""

from __future__ import annotations

import heapq
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.packages import loading
from anoptima.proofs.heaviest import Decided
from anoptima.proofs.worths import Pricing, WorthEnd, WorthFork, WorthTree, pricing_of, worth_proof
from anoptima.solvers.ledger import Ledger

NEAR = 1e-6
"""What counts as zero in a linear program; no bound depends on it."""

PARTS = (1, 2, 12, 60, 840, 5_040, 5_040_000, 5_040_000_000)
"""The denominators that worths are tried in. Each divides the next, so that a tree's ends can be written in one of them."""

NONE = 1 << 200
"""The bound of a case that no solution falls under."""


@dataclass(frozen=True)
class Look:
    """What a linear program says of a case: prices, its value, and what to decide next; None if nothing is left to be decided."""

    prices: Sequence[float]
    value: float
    about: tuple[int, ...] | None


@dataclass(eq=False)
class _Case:
    """A case: what is decided, the worths in parts of `d`, the bound in the cost unit; once decided further, the two sides."""

    path: tuple[Decided, ...]
    worth: tuple[int, ...]
    d: int
    bound: int
    about: tuple[int, ...] | None
    sides: tuple[_Case, ...] = ()

    def tree(self, d: int) -> WorthTree:
        """Return the case as a tree in parts of `d`."""
        if not self.sides or self.about is None:
            return WorthEnd(tuple(w * (d // self.d) for w in self.worth))
        low, high = self.sides
        return WorthFork(self.about, low.tree(d), high.tree(d))

    def parts(self) -> int:
        """Return the largest denominator of an end."""
        return max((side.parts() for side in self.sides), default=self.d)


class WorthSearch(ABC):
    """A search that raises a ledger's bound to the cost, as far as time lasts."""

    def __init__(self, problem: Any, ledger: Ledger[Any]) -> None:
        self.problem, self.ledger, self.pricing = problem, ledger, pricing_of(problem)

    @abstractmethod
    def look(self, path: tuple[Decided, ...]) -> Look:
        """Solve a case's linear program, and offer solutions that it leads to."""

    def run(self) -> None:
        """Search until the bound meets the cost, or the time is over."""
        with loading():
            import highspy  # noqa: F401  Which the first case needs.
        number = itertools.count()
        root = self._case((), None)
        waiting = [(root.bound, 0, next(number), root)]
        while waiting:
            bound, _, _, case = heapq.heappop(waiting)
            self._prove(root, bound)
            if self.ledger.is_over() or case.about is None:
                break
            case.sides = tuple(self._case((*case.path, (case.about, is_high)), case) for is_high in (False, True))
            for side in case.sides:
                # Of equal bounds the deepest comes first: that is done with sooner.
                heapq.heappush(waiting, (side.bound, -len(side.path), next(number), side))

    def _prove(self, root: _Case, bound: int) -> None:
        known, cost = self.ledger.proof, self.ledger.cost
        if cost is not None:
            bound = min(bound, int(cost * self.problem.cost_scale))
        proof = worth_proof(self.problem, bound, d := root.parts(), root.tree(d))
        if known is None or proof.value > known.value:
            self.ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)

    def _case(self, path: tuple[Decided, ...], above: _Case | None) -> _Case:
        check_time()
        look = self.look(path)
        worth, d, bound = rounded(self.pricing, look, path)
        if above is not None and bound < above.bound:
            # What has been proved without the last decision is proved with it.
            worth, d, bound = above.worth, above.d, above.bound
        return _Case(path, worth, d, bound, look.about)


def rounded(pricing: Pricing, look: Look, path: tuple[Decided, ...]) -> tuple[tuple[int, ...], int, int]:
    """Return worths near the prices, in the smallest parts that prove as much as the value says, and the bound that they prove."""
    wanted, best = math.ceil(look.value - NEAR), ((0,) * pricing.rows, 1, -1)
    for d in PARTS:
        for worth in dict.fromkeys(
            tuple(math.floor(price * d + shift) for price in look.prices) for shift in (0.5, NEAR, -NEAR)
        ):
            least = pricing.least(worth, d, path)
            if least is None:
                return worth, d, NONE
            bound = -(-least // d)
            if bound > best[2]:
                best = worth, d, bound
            if bound >= wanted:
                return best
    return best
