"""Quarries: what a hunt looks for, each a score of questions that the hunt maximises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from anoptima.arguments import checked
from anoptima.errors import BadInput, ModelTooLarge
from anoptima.exact import Exact, as_fraction, simplest
from anoptima.experiments.hunting.asked import EXACT, THREADS, Asked, solved
from anoptima.experiments.hunting.score import Score
from anoptima.models import models
from anoptima.models.base import Language
from anoptima.principles import KAnonymity, Principle
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.solvers.base import Solver
from anoptima.solvers.lookup import get_solver
from anoptima.solvers.solving import solve

Oracle = Callable[[Problem[Any]], Exact]
"""What knows the optimum of the problem in hand."""


def _optimum(oracle: Oracle, problem: Problem[Any]) -> Exact:
    """Return what an oracle says, held to be an exact number."""
    return simplest(as_fraction(oracle(problem), "the optimum"))


class Quarry(ABC):
    """Something to look for. `score` says how much of it a problem has.

    >>> import anoptima as ao
    >>> class Dearest(ao.Quarry):
    ...     name, seeks = "dearest", "stars / cells"
    ...
    ...     def score(self, problem, optimum, above=None):
    ...         return Score(optimum(problem), problem.table.cells)
    >>> found = ao.hunt(Dearest(), sizes=ao.HuntSizes(rows=3, columns=2), limits=ao.HuntLimits(steps=20))
    >>> str(found.worst.score)
    '1 (2 / 2)'
    """

    name: str
    seeks: str
    """What the score is, in words."""

    @abstractmethod
    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Return the score of a problem that has solutions; None if it has none, or if it is plain that it is not above `above`."""

    def promised(self, problem: Problem[Any]) -> Exact | None:
        """Return what no score exceeds, by theorem; None where there is none."""
        return None

    def asked(self, asked: Asked) -> Asked:
        """Return what is to be asked where a person asks this."""
        return asked


@checked
class WorstRatio(Quarry):
    """A solver's cost over the optimum. The solver breaks ties as it does on the table in the given order.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> str(ao.WorstRatio("mondrian").score(problem, optimum=lambda problem: 54))
    '19/18 (57 / 54)'
    """

    def __init__(self, solver: Solver[Any] | str) -> None:
        self.solver = get_solver(solver) if isinstance(solver, str) else solver
        self.name = self.solver.name
        self.seeks = f"cost of {self.name} / optimum"

    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Run the solver; ask for the optimum only if the cost over the problem's own bound is high enough."""
        if self.solver.why_not(problem) is not None:
            return None
        cost, bound = solved(self.solver, problem)
        if above is not None and not Score(cost, max(bound, problem.lower_bound())) > above:
            return None
        return Score(cost, _optimum(optimum, problem))

    def promised(self, problem: Problem[Any]) -> Exact | None:
        """Return the solver's ratio."""
        return None if self.solver.why_not(problem) is not None else self.solver.ratio(problem)


@checked
class LpGap(Quarry):
    """Optimum over the bound of a formulation's linear relaxation, proved in exact arithmetic.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> str(ao.LpGap("assignment").score(problem, optimum=lambda problem: 54))
    '243/7 (54 / 14/9)'
    """

    def __init__(self, model: str) -> None:
        stated = models.get(model)
        if stated.language is not Language.PYOMO and stated.twin is None:
            raise BadInput(f"{model} is written for CP-SAT and has no twin in Pyomo, so it has no linear relaxation")
        self._model = stated if stated.language is Language.PYOMO or stated.twin is None else models.get(stated.twin)
        self.name = f"lp-gap {model}"
        self.seeks = f"optimum / LP bound of {self._model.name}"

    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Build the model and relax it. No gap where nothing is proved."""
        if self._model.why_not(problem) is not None:
            return None
        try:
            built = self._model.build(problem.plain)
        except ModelTooLarge:
            return None
        try:
            bound = built.relaxation().bound
        finally:
            built.discard()
        return (
            None if bound is None else Score(_optimum(optimum, problem), max(simplest(bound / problem.cost_scale), 0))
        )


@checked
class Disagreement(Quarry):
    """The largest over the smallest optimum that exact methods claim, the hunt's own among them: anything but 1 is a mistake.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
    >>> exact = ao.Disagreement(["subset-dp", "pattern/highs"])
    >>> str(exact.score(problem, optimum=lambda problem: 54)), str(exact.score(problem, optimum=lambda problem: 53))
    ('1 (54 / 54)', '54/53 (54 / 53)')
    """

    name = "disagreement"

    def __init__(self, solvers: Sequence[str | Solver[Any]]) -> None:
        if not solvers:
            raise BadInput("no solver is named that may disagree; name one or more")
        self._solvers = [get_solver(one) if isinstance(one, str) else one for one in solvers]
        self.name = f"disagreement {','.join(solver.name for solver in self._solvers)}"
        self.seeks = "largest / smallest optimum claimed"

    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Ask every method that is for the problem; one that stops short claims that the optimum lies between its bound and its cost."""
        low = high = _optimum(optimum, problem)
        for solver in self._solvers:
            if solver.why_not(problem) is None:
                cost, bound = solved(solver, problem)
                low, high = min(low, cost), max(high, bound)
        return Score(high, low)

    def promised(self, problem: Problem[Any]) -> Exact | None:
        """Return 1: they are exact."""
        return 1


@checked
class LongestRun(Quarry):
    """Milliseconds that a solver takes until it has proved its answer. A clock decides: a hunt for it is not repeatable.

    >>> import anoptima as ao
    >>> limits = ao.HuntLimits(steps=5)
    >>> ao.hunt(ao.LongestRun("subset-dp"), sizes=ao.HuntSizes(rows=4, columns=2), limits=limits).seeks
    'milliseconds of solving by subset-dp'
    """

    def __init__(self, solver: str = "auto") -> None:
        self._solver = solver
        self.name = f"longest {solver}"
        self.seeks = f"milliseconds of solving by {solver}"

    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Solve once, and again if that was long: the shorter counts, since a busy machine or a first run is no hard table."""
        longest = self._milliseconds(problem)
        if above is None or Score(longest, 1) > above:
            longest = min(longest, self._milliseconds(problem))
        return Score(longest, 1)

    def _milliseconds(self, problem: Problem[Any]) -> int:
        answer = solve(problem, self._solver, threads=THREADS)
        return round(1000 * answer.run.solving_seconds)


@checked
class DearestPrinciple(Quarry):
    """What a principle costs over what k-anonymity alone costs: finds tables on which closeness or diversity is dear.

    >>> import anoptima as ao
    >>> problem = ao.CellSuppression(ao.ten_rows(), ao.LDiversity(2))
    >>> str(ao.DearestPrinciple(2).score(problem, optimum=lambda problem: ao.solve(problem).cost))
    '25/23 (50 / 46)'
    """

    def __init__(self, k: int) -> None:
        self._weaker = KAnonymity(k)
        self.name = f"dearest over k={k}"
        self.seeks = f"optimum / optimum under {self._weaker} alone"

    def asked(self, asked: Asked) -> Asked:
        """Ask for k-anonymity, too, so that the principle never costs less than that alone."""
        if not asked.needs_values:
            raise BadInput("what may be dear is closeness or diversity; give t or l")
        principle: Principle = asked.principle & self._weaker if asked.principle is not None else self._weaker
        return Asked(asked.kind, principle)

    def score(self, problem: Problem[Any], optimum: Oracle, above: Score | None = None) -> Score | None:
        """Solve both; tables that are free under k-anonymity are left out."""
        if not isinstance(problem, CellSuppression) or not problem.table.sensitive:
            return None
        cheap = CellSuppression(problem.table, self._weaker)
        if cheap.why_infeasible() is not None:
            return None
        cost, _ = solved(get_solver(EXACT[problem.name]), cheap)
        return Score(_optimum(optimum, problem), cost) if cost else None
