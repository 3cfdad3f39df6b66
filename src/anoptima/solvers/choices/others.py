"""What `auto` takes for everything but cell suppression: an exact algorithm, or the first model that has room, with a search beside it.

Choices of columns go to `hitting-set`, with branch and bound ahead of it where many columns may be dropped, many places on a line to
`line-layers`, and sums of diameters to `group-prices`, mostly after a search. Solvers are looked for in the order in which they would be
taken, and no further: nothing is imported for those that are not needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import Any, TypeVar

from anoptima.answer import Budget, Clock
from anoptima.deadline import within
from anoptima.errors import ModelTooLarge, NotApplicable, OutOfTime
from anoptima.machine import available_memory
from anoptima.problems.attribute_suppression import AttributeSuppression
from anoptima.problems.base import Problem
from anoptima.problems.table_problem import TableProblem
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.algorithm import Algorithm
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.choices.choice import Choice, able
from anoptima.solvers.ledger import Ledger
from anoptima.solvers.portfolio import Portfolio

S = TypeVar("S")

_PREFERRED = (
    "hitting-set", "subset-dp", "group-prices", "place-prices", "attributes/highs", "line-layers", "box-cases", "fake-grid/highs",
    "pattern/highs",
)  # fmt: skip
"""Other problems: what is taken before all models in the order of their names."""
_BESIDE = ("box-cases", "group-prices", "place-prices")
"""Exact algorithms that are asked beside a model, even though they give proofs: it may be the one that is done."""
_BOXES = "box-cases"
"""The one of them that is left out where every model is too large: approximations end by themselves."""
_BESIDE_BOXES = 100_000
"""The most coefficients of a model that stands beside box-cases: of 47 questions about 8 to 40 points in the plane, 3 s each, box-cases
leaves nine open; models close one of them, with 9,000 coefficients, and have a better bound for one, with 28,000. They take half of the
time: alone box-cases has 40 points, k = 3, between 65 and 69 after 2 s, with a model between 62 and 70."""
_FEW_GROUPS, _SOON_S = 1_000_000, 0.9
"""Up to so many groups of k to 2k - 1 rows their prices soon prove a sum of diameters, if there are these seconds, half of the limit: of 30
census rows, k = 3, in 1 s; with a search beside them not in 2 (`python -m benchmarks.small_choices --only diameters`)."""
_MANY_GROUPS, _PRICED_S, _BEFORE_PRICES_SHARE = 10_000_000, 2.0, 0.2
"""Of more groups, what the search finds in this share of the time comes first, since neither leaves the other much: of 60 rows, k = 3, 46
are proved in 4 s, and not in 10 if both run at once. More than this number are not priced with less than these seconds, half of the
limit: of 100 rows, k = 3, nothing is proved in 5 s, and 65 of 68 in 10."""
_MANY_COLUMNS = 16
"""Where columns are dropped and there are more than this number, branch and bound goes ahead of the hitting set: if few can be kept, it has
few sets to try, and barriers are too many. What it claims, the hitting set mostly proves at once. Side by side both mostly run Python
code, and wait for each other: of `skewed-10000x40`, k = 20, the optimum is not proved in 4 s then, and in 3.5 s if they take turns
(`python -m benchmarks.auto --limits 4,10 --questions 'columns skewed*,columns wide*'`)."""
_PROVED_ON_A_LINE = 60
"""The most places on a line that go to box-cases, which proves what line-layers knows: 60 within 7 s, mostly 1."""
_BACKENDS = ("highs", "cp-sat", "scip")
"""The backends that a model is taken to, the first that is here; after these come all others."""


class WithoutSearch(Algorithm[Any]):
    """What is left where every model is too large: the start, or the solution that is there for the taking, and the problem's own bound."""

    name = "no search"
    problems = (Problem,)
    kind = Kind.APPROXIMATE

    def search(self, problem: Any, ledger: Ledger[Any], start: Any | None) -> None:
        """Look for nothing."""


def choose_proving(problem: Problem[S]) -> Choice[S] | None:
    """Return a solver whose bounds come with proofs, a preferred one if there is any; None if there is none for the problem."""
    places = {name: place for place, name in enumerate(_PREFERRED)}
    for solver in sorted(algorithms.all(), key=lambda one: places.get(one.name, len(places))):
        if solver.gives_proofs and able(solver.name, problem) is not None:
            lattice = able("column-lattice", problem) if _has_many(problem) else None
            if lattice is not None and lattice is not solver:
                why = f"{solver.name}, and {lattice.name} beside it: their bounds come with a proof"
                return Choice(Portfolio(solver, lattice), f"auto chose {why}")
            return Choice(solver, f"auto chose {solver.name}: its bounds come with a proof")
    return None


def _has_many(problem: Problem[Any]) -> bool:
    """Tell whether there are many columns that may be dropped."""
    return isinstance(problem, AttributeSuppression) and len(problem.table.quasi) > _MANY_COLUMNS


def choose_that_fits(problem: Problem[S], budget: Budget, clock: Clock) -> Choice[S]:
    """Return the first of the preferred solvers and of all models that is for the problem, and whose model has room; else an algorithm.

    `clock` is for choosing: it has half of the time.

    Beside an exact algorithm without proofs, or one that may not be done, a model is asked, too: which of the two is done first
    depends on the table. Diameters are searched for instead, before the algorithm or beside the model: of 100 census rows, k = 3, in
    2 s a program leaves 89, the search 69.
    """
    from anoptima.solvers.modelled import Modelled

    allowed = budget.memory if budget.memory is not None else available_memory()
    refused, exact = "", None
    for solver in _candidates(problem):
        if not isinstance(solver, Modelled):
            if solver.name == "line-layers":
                if problem.size()["locations"] > _PROVED_ON_A_LINE:
                    return _alone(solver, start=False)
                continue
            search = able("diameter-descent", problem) if solver.name == "group-prices" else None
            if search is not None:
                return _for_diameters(problem, solver, search, clock.left())
            exact = solver
            cases = able("attribute-branch-and-bound", problem) if _has_many(problem) else None
            if cases is not None:
                return _both(cases, solver, beside=False)
            if solver.gives_proofs and solver.name not in _BESIDE:
                break
            continue
        try:
            with within(clock.is_over, clock.left()):
                size = solver.model.estimate(problem.plain)
        except (ModelTooLarge, OutOfTime) as refusal:
            refused += f"; {solver.name}: {refusal}"
            continue
        if size.memory <= allowed:
            if exact is not None and exact.name == _BOXES and size.coefficients > _BESIDE_BOXES:
                return _alone(exact)
            if exact is not None:
                return _both(exact, solver)
            search = able("diameter-descent", problem)
            if search is not None:
                return _both(solver, search)
            return Choice(solver, f"auto chose {solver.name}: it proves optimality; its model has {size}{refused}")
        refused += f"; {solver.name} would take {size.memory / 2**20:,.0f} MiB of {allowed / 2**20:,.0f}"
    if exact is not None:
        return _alone(exact, refused)
    search = able("near-patterns", problem) or able("local-search", problem) or able("diameter-descent", problem)
    if search is not None:
        return Choice(search, f"auto chose {search.name}: no model fits{refused}", improver="")
    small = [solver for solver in algorithms.all() if not solver.for_study and is_for(solver, problem)]
    if small:
        # Those that large tables are known to suit come first, and of them the most thorough one.
        fit = max(small, key=lambda solver: -1 if solver.quick is None else solver.quick)
        return Choice(fit, f"auto chose {fit.name}: no model fits{refused}")
    if refused:
        return Choice(WithoutSearch(), f"auto searches for nothing better than a start: no model fits{refused}")
    under = f" under {problem.principle}" if isinstance(problem, TableProblem) else ""
    raise NotApplicable(f"no solver here is for {problem.name}{under}")


def _for_diameters(problem: Any, prices: Solver[S], search: Solver[S], left: float | None) -> Choice[S]:
    """Choose by the number of groups that may have to be priced."""
    groups = sum(comb(problem.table.rows, size) for size in range(problem.k, 2 * problem.k))
    if groups <= _FEW_GROUPS:
        return _alone(prices, start=False) if left is None or left >= _SOON_S else _both(prices, search)
    if left is not None and left < _PRICED_S and groups > _MANY_GROUPS:
        return Choice(search, f"auto chose {search.name}: there is too little time to prove anything", improver="")
    why = f"it proves optimality, and begins with what {search.name} finds"
    return Choice(prices, f"auto chose {prices.name}: {why}", improver=search.name, share=_BEFORE_PRICES_SHARE)


def _alone(exact: Solver[S], refused: str = "", start: bool = True) -> Choice[S]:
    why = f"it proves optimality, and needs no model{refused}"
    return _briefly_started(exact, Choice(exact, f"auto chose {exact.name}: {why}", start))


def _briefly_started(exact: Solver[S], choice: Choice[S]) -> Choice[S]:
    """Return a choice whose start has the least time if box-cases is in it: that begins with what its start would find."""
    return replace(choice, improver="", share=0.0) if exact.name == _BOXES else choice


def _both(exact: Solver[S], other: Solver[S], *, beside: bool = True) -> Choice[S]:
    both = Portfolio(exact, other, beside=beside)
    from anoptima.solvers.modelled import Modelled

    alone = "" if isinstance(exact, Modelled) else ", and needs no model"
    why = f"it proves optimality{alone}; and {other.name} {'beside' if beside else 'after'} it"
    return _briefly_started(exact, Choice(both, f"auto chose {exact.name}: {why}"))


def _candidates(problem: Problem[Any]) -> Iterator[Solver[Any]]:
    """Yield what may be taken, in order: a model once, on the first backend that takes it."""
    from anoptima.models import models
    from anoptima.solvers.backends.registry import backend_names

    for name in _PREFERRED:
        solver = able(name, problem)
        if solver is not None:
            yield solver
    for model in models.all():
        preferred = any(name.startswith(f"{model.name}/") for name in _PREFERRED)
        if preferred or model.for_study or not is_for(model, problem.plain):
            continue
        found = (able(f"{model.name}/{backend}", problem) for backend in _BACKENDS)
        solver = next((solver for solver in found if solver is not None), None)
        if solver is None:
            others = (
                able(f"{model.name}/{backend}", problem) for backend in backend_names() if backend not in _BACKENDS
            )
            solver = next((solver for solver in others if solver is not None), None)
        if solver is not None:
            yield solver
