"""Implicit hitting sets: the lightest sufficient set of columns, for any choice of columns, with a proof.

A set of columns suffices exactly when it meets every barrier (`problems/column_choice.py`). Barriers are not listed but asked for:

1. H := a lightest set that meets all barriers found so far. Its weight is a bound. (The search for H goes up to a target between bound
   and cost. If there is no such H, the target is the new bound.)
2. If H suffices, it is optimal. Otherwise find barriers that H does not meet, add them, and go on with 1.

Each turn raises the bound or adds a new barrier, so the search ends. Before each lightest H, it tests some cheap hitting sets, until one
suffices: these bring most of the barriers, and better and better solutions. Step 1 is solved exactly, in whole numbers; its result and the
barriers that it rests on become a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeVar

from anoptima.answer import Origin
from anoptima.deadline import check_time
from anoptima.exact import Exact, simplest
from anoptima.packages import loading
from anoptima.problems.column_choice import ColumnChoice
from anoptima.proofs.hitting import Branch, End, HittingProof, Tree
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.approximate.greedy_pairs import GreedyPairs, columns_by_pairs
from anoptima.solvers.base import Kind
from anoptima.solvers.exact.barriers import barriers_of
from anoptima.solvers.exact.covering import Proof, Split, bits, greedy_hit, lightest_hit, with_minimal
from anoptima.solvers.exact.descents import Descents
from anoptima.solvers.ledger import Ledger

S = TypeVar("S")

_CHEAP_TURNS = 20
"""How many greedy hitting sets are asked about, at most, before a lightest one is: one at first, then twice as many each time."""
_STEPS = 4
"""In how many steps the bound is to rise to the cost; in more, where the proof of one step has too many shares."""
_SHARES_PER_S = 200_000
"""Shares that a proof may have for each second of the run so far. A million are read in about a second."""


@algorithms.register
class HittingSet(Algorithm[Any]):
    """Optimal choices of columns by implicit hitting sets: identifying columns, witness columns, attribute suppression.

    As many turns as barriers are needed, in the worst case exponentially many in the number of columns; the rows cost O(n m) or
    O(n m^2) a turn.

    References
    ----------
    E. Moreno-Centeno and R. M. Karp: The implicit hitting set approach to solve combinatorial optimization problems with an
    application to multigenome alignment. Operations Research 61 (2013).
    """

    name = "hitting-set"
    problems = (ColumnChoice,)
    joins_groups = True
    family = "columns"
    kind = Kind.EXACT
    gives_proofs = True
    uses_start = True

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Go on from the solution that the ledger has."""
        assert isinstance(problem, ColumnChoice)
        run = _Run(problem, ledger)
        run.descents.descend(problem.columns_of(ledger.solution))
        if start is None and is_for(GreedyPairs(), problem):
            run.descents.descend(columns_by_pairs(problem))
        run.run()


class _Run:
    """One search: the barriers found so far, and the ledger."""

    def __init__(self, problem: ColumnChoice[Any], ledger: Ledger[Any]) -> None:
        self._problem = problem
        self._ledger = ledger
        self._oracle = barriers_of(problem, ledger.budget.seed)
        self._oracle.meanwhile = self._meanwhile
        self.descents = Descents(problem, ledger)
        self._weights: list[int] = problem.table.scaled_weights.tolist()
        self._barriers: list[int] = []
        self._cheap = 1
        self._steps, self._pause = _STEPS, 0.0
        """The steps from the bound to the cost, and when a step of one unit is tried again."""

    def run(self) -> None:
        """Go on until the ledger is over."""
        while not self._ledger.is_over():
            self._cheap_turns()
            if not self._ledger.is_over() and self._ledger.clock.seconds() >= self._pause:
                self._exact_turn()

    def _meanwhile(self) -> None:
        check_time()
        self.descents.go_on()

    def _cheap_turns(self) -> None:
        """Ask about greedy hitting sets until one suffices, or the bound has waited long enough."""
        rank = self._oracle.chance.random(len(self._weights)).tolist()
        turns, self._cheap = self._cheap, min(2 * self._cheap, _CHEAP_TURNS)
        for _ in range(turns):
            if self._ledger.is_over():
                return
            chosen = greedy_hit(self._barriers, self._weights, rank)
            unmet = self._oracle.unmet(list(bits(chosen)))
            if not unmet:
                self._offer(chosen)
                return
            self._add(unmet)
            self.descents.go_on()

    def _exact_turn(self) -> None:
        """Solve the master problem below a target, keep the bound, and ask about the solution if there is one."""
        assert self._ledger.cost is not None
        assert self._ledger.bound is not None
        cost, enough = self._scaled(self._ledger.cost), self._scaled(self._ledger.bound.value)
        every = self._oracle.every()
        if every is not None and every is not self._barriers:
            # Nothing will be added. The cases of a search differ in what they keep, which can be kept but for the last column: they are
            # hardly more than the sets that were gone through, and smaller steps would look at them again and again.
            self._barriers, self._steps = every, 1
        # A step of the way to the cost at a time: that raises the bound while time lasts, and the last step is the dearest by far.
        step, passed = max(1, (cost - enough) // self._steps), self._ledger.clock.seconds()
        below, most = enough + step, _SHARES_PER_S * max(1.0, passed)
        try:
            hit = lightest_hit(self._barriers, self._weights, below, enough, self._ledger.note_loops, most)
        except OverflowError:
            self._steps *= 2
            self._pause = 2 * self._ledger.clock.seconds() if step == 1 else 0.0
            return
        value = below if hit.weight is None else hit.weight
        if hit.proof is not None and value > enough:
            with loading():
                proof = hitting_proof(self._problem, self._barriers, value, hit.proof)
            self._ledger.raise_bound(proof.value, Origin.PROOF, proof=proof)
        self._ledger.log(f"{len(self._barriers)} barriers, met at {value} of {cost} scaled units")
        if hit.chosen is not None:
            unmet = self._oracle.unmet(list(bits(hit.chosen)))
            if unmet:
                self._add(unmet)
            else:
                self._offer(hit.chosen)

    def _add(self, found: list[int]) -> None:
        """Keep barriers that contain no other one."""
        self._barriers = with_minimal(self._barriers, found, len(self._weights))

    def _offer(self, chosen: int) -> None:
        self._ledger.offer(self._problem.solution_of(bits(chosen)))

    def _scaled(self, cost: Exact) -> int:
        return int(cost * self._problem.cost_scale)


def hitting_proof(problem: ColumnChoice[Any], barriers: Sequence[int], value: int, proof: Proof) -> HittingProof:
    """Return the proof that nothing that meets `barriers`, bit masks, costs less than `value` scaled units.

    It names the columns, and keeps no barrier that `proof` does not use.
    """
    names = problem.table.quasi
    used: dict[int, int] = {}
    tree = _tree(proof, names, used)
    sets = tuple(frozenset(names[c] for c in bits(barriers[number])) for number in used)
    return HittingProof(simplest(Fraction(value, problem.cost_scale)), sets, problem.cost_scale, tree)


def _tree(proof: Proof, names: tuple[str, ...], used: dict[int, int]) -> Tree:
    check_time()
    if isinstance(proof, Split):
        return Branch(names[proof.column], _tree(proof.taken, names, used), _tree(proof.left, names, used))
    return End(tuple((used.setdefault(number, len(used)), share) for number, share in proof.shares))
