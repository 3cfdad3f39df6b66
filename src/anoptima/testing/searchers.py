"""What every searcher promises (`solvers.exact.sifting.searchers`), asked with the turns that the engine gives it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from anoptima.exact import Exact
from anoptima.packages import pd
from anoptima.principles import KAnonymity
from anoptima.problems.cell_suppression import CellSuppression, Partition
from anoptima.solvers.exact.sifting import Sifting
from anoptima.solvers.exact.sifting.instance import instance_of
from anoptima.solvers.exact.sifting.outside_searchers import OutsideSearchers
from anoptima.solvers.exact.sifting.releases.regions import Guide, RegionSearch
from anoptima.solvers.exact.sifting.releases.release import partition_of, release_of
from anoptima.solvers.exact.sifting.searchers import GRACE_S, Outcome, Searcher, one_turn
from anoptima.table import Table
from anoptima.testing.checks import Broken, Check, Checklist, demand, demand_true
from anoptima.testing.examples import describe, feasible_solutions, optimum

STARTS = 3
"""Releases of each example that a searcher is asked to go on from: the trivial one, and others over the whole range of costs."""
TURN_S, LONG_TURN_S = 0.3, 30.0
"""Seconds of a turn on an example; and of one that is ended early."""
STOP_S = 0.2
"""Seconds after which a long turn is ended."""
ROWS = 3000
"""Rows of the table on which time is kept."""
STEPS = 4
"""Steps of the engine on an example, of which the searcher has some."""

checklist: Checklist[Searcher] = Checklist()


def check_searcher(searcher: Searcher) -> Iterator[Check]:
    """Yield a check of every promise that `searcher` makes.

    >>> from anoptima.solvers.exact.sifting.searchers import Searcher
    >>> class Idle(Searcher):
    ...     name = "idle"
    ...     def search(self, problem, partition, turn):
    ...         return None
    >>> [check.name for check in check_searcher(Idle()) if not check()]
    ['some release becomes better']
    """
    return checklist.of(searcher.name, searcher)


@checklist("there are examples that it is for")
def has_examples(searcher: Searcher) -> None:
    """Without one, nothing else here means anything."""
    demand(_examples(searcher), "it is for none of the examples of cell suppression")


@checklist("what it hands over is a release")
def hands_over_releases(searcher: Searcher) -> None:
    """A partition that the problem accepts, whatever release it goes on from."""
    for problem, _, start in _starts(searcher):
        outcome = _turn(searcher, problem, start)
        words = f"{describe(problem)}: {outcome.wrong}"
        demand_true(not outcome.is_false, words)
        demand(not outcome.wrong, words)


@checklist("some release becomes better")
def makes_better(searcher: Searcher) -> None:
    """One that never finds anything is no way to a better release."""
    for problem, cost, start in _starts(searcher):
        found = _turn(searcher, problem, start).partition
        if found is not None and problem.cost(found) < cost:
            return
    raise Broken("it has made no release of any example better, though some cost far more than the best")


@checklist("it keeps to its seconds")
def keeps_time(searcher: Searcher) -> str | None:
    """On a larger table, too."""
    return _demand_back(searcher, TURN_S, lambda: False)


@checklist("it ends when the run does")
def is_stopped(searcher: Searcher) -> str | None:
    """Soon, with what there is."""
    ends = time.monotonic() + STOP_S
    return _demand_back(searcher, LONG_TURN_S, lambda: time.monotonic() > ends)


@checklist("the engine goes on with it")
def serves_the_engine(searcher: Searcher) -> None:
    """It is not left out beside the engine's own search; the two come to a release that costs no less than the optimum."""
    for problem in _examples(searcher):
        instance = instance_of(problem)
        chance = np.random.default_rng(0)
        outside: OutsideSearchers[RegionSearch] = OutsideSearchers(problem, instance.patterns, [searcher], chance)
        release = release_of(instance.problem, instance.patterns, problem.trivial())
        guide = Guide(np.zeros(len(instance.arcs.member)))
        search = RegionSearch(instance.programs, release, guide, chance)
        for _ in range(STEPS):
            outside.step(search, TURN_S, lambda: False)
        demand(
            not any("left out" in note for note in outside.notes), f"{describe(problem)}: {'; '.join(outside.notes)}"
        )
        come_to = partition_of(instance.patterns, search.release)
        wrong, best = problem.violations(come_to), optimum(problem)
        demand_true(
            not wrong, f"{describe(problem)}: with it the engine comes to what is no release: {' '.join(wrong)}"
        )
        demand_true(
            best is None or problem.cost(come_to) >= best, f"{describe(problem)}: it costs less than the optimum"
        )


def _examples(searcher: Searcher) -> list[CellSuppression]:
    """Return the examples that have a release, and that both the searcher and the engine are for."""
    engine = Sifting()
    return [
        problem
        for problem in CellSuppression.examples()
        if problem.why_infeasible() is None and engine.why_not(problem) is None and searcher.why_not(problem) is None
    ]


def _starts(searcher: Searcher) -> Iterator[tuple[CellSuppression, Exact, Partition]]:
    """Yield releases to go on from, the dearest of each example first, with their costs."""
    for problem in _examples(searcher):
        found = feasible_solutions(problem) or [(problem.cost(problem.trivial()), problem.trivial())]
        ordered = sorted(found, key=lambda pair: pair[0], reverse=True)
        step = max(1, -(-len(ordered) // STARTS))
        for cost, start in ordered[::step]:
            yield problem, cost, start


def _turn(searcher: Searcher, problem: CellSuppression, start: Partition) -> Outcome:
    return one_turn(searcher, problem, start, TURN_S, lambda: False, np.random.default_rng(0))


def _demand_back(searcher: Searcher, seconds: float, is_over: Callable[[], bool]) -> str | None:
    """Demand that it comes back from a turn on a larger table, and nothing wrong; say why it is not for that."""
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(chance.integers(0, [3, 4, 5, 6], (ROWS, 4)), columns=list("abcd"))
    problem = CellSuppression(Table.from_frame(frame, list("abcd")), KAnonymity(3))
    reason = searcher.why_not(problem)
    if reason is None:
        outcome = one_turn(searcher, problem, problem.trivial(), seconds, is_over, chance)
        came_back = outcome.running is None or outcome.running.wait(GRACE_S)
        demand(
            came_back, f"with {ROWS:,} rows, {outcome.wrong or 'it had not come back a second after the run was over'}"
        )
        demand_true(not outcome.is_false, outcome.wrong)
        demand(not outcome.wrong, outcome.wrong)
    return reason
