"""What `auto` chooses: by what a problem asks and how large it is, never by its name; the figures are those of `benchmarks.auto`.

Cell suppression of a dozen rows goes to `subset-dp`, which is done at once. Larger tables go to `sifting`, which has the best bounds under
every principle that it is for, each with a proof. Small questions are also asked of the pattern program on HiGHS beside it, which
proves some optima that sifting does not reach, and those of few rows and many columns of `group-prices` and `subset-dp`. Where listing the
patterns takes much of the time, a search stands beside sifting; where they cannot be listed in the time, tables go to `near-patterns`, or
to `local-search` where single rows may be groups, with `simplex-matching` beside it where groups of two and three are enough. Choices of
columns go to `hitting-set`, and sums of diameters to `group-prices` with a search beside it. For everything else the first model that fits
is taken, on the first backend that is here.

Solvers are looked for in the order in which they would be taken, and no further: nothing is imported for those that are not needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, TypeVar

from anoptima.answer import Budget, Clock
from anoptima.deadline import within
from anoptima.errors import AnoptimaError, ModelTooLarge, NotApplicable, OutOfTime
from anoptima.machine import available_memory, usable_threads
from anoptima.principles import AtLeastRows, AtLeastValues, AtMostShare, Close, rows_alone
from anoptima.problems.base import Problem
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.problems.table_problem import TableProblem
from anoptima.proofs.all_partitions import MOST_ROWS
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.asked import WithoutSearch, closeness, is_close_at_equal_distance, is_close_on_a_line
from anoptima.solvers.base import Solver
from anoptima.solvers.portfolio import Portfolio
from anoptima.solvers.starts import INSURANCE_SHARE, SHARE, half

S = TypeVar("S")

_LOOKS_A_SECOND, _LISTING_SHARE = 4e6, 0.6
"""Listing patterns looks at this many pairs of a column set and a record in a second, and may take this share of the time."""
_TINY_LOOKS = 1 << 12
"""Sifting answers questions with at most this many looks before any start would be found, unless they ask for closeness: ten rows and
eight columns take 2,560."""
_SMALL_LOOKS = 1 << 14
"""The pattern program, too, is asked questions with at most this many looks."""
_LOOKS_ON_A_LINE = 1 << 17
"""The same under closeness on a line: of 300 rows its bounds are the better ones after some seconds."""
_ON_A_LINE_A_SECOND = 8_500
"""And only with a second for this many looks: 643 records of randhie, t = 0.3, 82,304 looks, are proved by it in 4 s, and not by sifting
in 10."""
_PARTITIONED_ROWS = 20
"""Up to this many rows, where there are too many columns for the program, `subset-dp` is asked as well: 18 rows of 16 to 40 columns, k = 3,
take it a second, and others more than ten; prices of rows prove most of them in a tenth of a second, and others not in thirty."""
_NEAR_RECORDS = 3_000
"""Near patterns improve the starts of tables with at most this many records: of more they find no release in a tenth of a few seconds. Of
20,000, in 5 s, a search beside sifting costs it 5 % of the stars."""
_BOUNDED_RECORDS = 1_000
"""Without time to list patterns, near ones prove something under l-diversity of at most this many records: 3,683 of 4,145 stars of 500
uniform rows of 16 columns, l = 3, in 20 s. Of 3,000 rows of 12 columns, l = 2, in 2 s, they leave 16,265 stars beside simplex matching,
and local search 7,185."""
_NEAR_LONG_S = 30.0
"""And of more records with this much time, while sifting lists patterns: 30,000 rows of 12 columns, k = 5, have 73,177 stars after 60 s
and a bound of 58,889, where sifting alone comes to 75,372 and 59,553."""
_OWN_START_SHARE = 0.2
"""Sifting has a first release of its own soon enough if listing patterns takes at most this share of the time. Otherwise groups of two and
three are matched instead (3,000 uniform rows of 12 columns, l = 2: 6,751 stars, proved in 10 s, and 7,155 by sifting), or a search stands
beside it: of 3,000 uniform rows of 12 columns, l = 2, it leaves 18,269 stars in 6 s alone, and 7,161 with local search beside it. Under
closeness it is near patterns, for their bound: of 2,000 such rows, t = 0.3, 10,893 of 12,308 stars in 10 s, and 7,936 with local search."""
_STARTED_RECORDS, _SEARCHED_RECORDS, _OWN_RECORDS = 300, 100, 150
"""Up to the first number of records sifting gains from a start under equal closeness, and under k-anonymity, above the last number, from
one of near patterns: of 300 it finds 866 census stars instead of 871 in 2 s, k = 5; of 150 the start only costs time. Up to the second
number, near patterns, or sifting under equal closeness with a size, gain from a start that local search has improved."""
_MOVED_S = 5.0
"""With less time than this, sifting under equal closeness gains from such a start, too: of 100 census rows, t = 0.3, it leaves 389 stars
after 2 s without, where local search finds 355. And so do near patterns of wide tables: of 1,000 rows of 24 columns, t = 0.3, by 7 %."""
_ROOM_FOR_TWO_S, _ROOM_FOR_TINY_S = 5.0, 1.0
"""With less time than this, a program beside sifting would only slow it down; and the same for tiny questions about closeness."""
_BEFORE_SEARCH_SHARE = 0.5
"""The part of the time that quick approximations may take before local search, or near patterns of many records: of 3,000 uniform rows of
12 columns, l = 2, they leave 18,269 stars after a tenth of 2 s, and local search makes that 14,396; peeling takes half a second, and leaves
7,246. Of 30,000 rows of 12 columns, k = 5, near patterns find 95,051 in 10 s, and peeling 76,053."""
_PROGRAM, _MATCHING, _PRICES = "pattern/highs", "simplex-matching", "group-prices"
_PRICED_ROWS = 60
"""Up to this many rows of a wide table are asked for by prices of rows, too: of 50 rows of 24 columns, k = 3, they prove 661 stars in 20 s,
near patterns 543; and 40 rows of 16 columns, k = 2, are proved at once, which take sifting seconds."""
_PREFERRED = (
    "hitting-set", "subset-dp", "group-prices", "place-prices", "attributes/highs", "box-cases", "fake-grid/highs", _PROGRAM,
)  # fmt: skip
"""Other problems: what is taken before all models in the order of their names."""
_BESIDE = ("box-cases", "group-prices", "place-prices")
"""Exact algorithms that are asked beside a model, even though they give proofs: it may be the one that is done."""
_NEVER_ALONE = "box-cases"
"""The one of them that is left out where every model is too large."""
_BACKENDS = ("highs", "cp-sat", "scip")
"""The backends that a model is taken to, the first that is here; after these come all others."""


@dataclass(frozen=True)
class Choice(Generic[S]):
    """A solver, why it was chosen, whether it is to be given a start, what improves that ('' for nothing), and its share of the time."""

    solver: Solver[S]
    reason: str
    start: bool = True
    improver: str = "local-search"
    share: float = SHARE


def choose(problem: Problem[S], budget: Budget, clock: Clock, proof: bool | None) -> Choice[S]:
    """Return what answers `problem` best in the time that `clock` has left.

    `proof` is that of `solve`: True asks for solvers whose bounds come with proofs, where there is one.

    >>> import anoptima as ao
    >>> choose(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)), Budget(), Clock(), True).reason
    'auto chose subset-dp: it proves optimality at once, by trying every partition of so few rows'
    """
    threads = usable_threads() if budget.threads is None else budget.threads
    chosen = _for_cells(problem, clock, threads, proof) if isinstance(problem, CellSuppression) else None
    if chosen is None and proof:
        chosen = _proving(problem)
    if chosen is None:
        chosen = _first_that_fits(problem, budget, half(clock))
    return chosen


def comes_to(problem: Problem[Any]) -> str:
    """Say what a problem's principle amounts to, if that is less than it says; '' if not.

    >>> import anoptima as ao
    >>> comes_to(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3) & ao.KAnonymity(2)))
    '3-anonymity and 2-anonymity amount to 3-anonymity'
    """
    if not isinstance(problem, TableProblem) or problem.plain is problem:
        return ""
    amounts = "amount" if len(problem.principle.parts) > 1 else "amounts"
    return f"{problem.principle} {amounts} to {problem.plain.principle}"


def _for_cells(problem: Any, clock: Clock, threads: int, proof: bool | None) -> Choice[Any] | None:
    if problem.table.rows <= MOST_ROWS:
        # Imported by itself, since importing all algorithms takes longer than the answer.
        from anoptima.solvers.exact.subset_dp import SubsetDp

        why = "it proves optimality at once, by trying every partition of so few rows"
        return Choice(SubsetDp(), f"auto chose subset-dp: {why}", start=False, improver="")
    table = problem.table
    sifting, bounding = _able("sifting", problem), _able("near-patterns", problem)
    near = bounding if rows_alone(problem.plain.principle.conditions(table)) is not None else None
    looks = len(table.records) << len(table.quasi)
    left = clock.left()
    listed = left is None or looks <= _LISTING_SHARE * left * _LOOKS_A_SECOND or looks <= _SMALL_LOOKS
    first = near if sifting is None or (near is not None and not listed) else sifting
    prices = _priced(problem) if looks > _SMALL_LOOKS else None
    if first is not None and table.rows <= _PARTITIONED_ROWS and looks > _SMALL_LOOKS and not proof:
        partitions = _able("subset-dp", problem)
        if partitions is not None:
            proving = prices or first
            reason = f"auto chose {proving.name}: it has a proof where it can; and beside it subset-dp, for so few rows of so many columns"
            both = Portfolio(proving, partitions, patient=proof is not False, head_start=False)
            return Choice(both, reason, improver=near.name if near is not None else "")
    if sifting is not None and listed and prices is not None:
        reason = f"auto chose {prices.name}: it has a proof where it can; and beside it sifting, for so few rows of so many columns"
        both = Portfolio(prices, sifting, head_start=False)
        return Choice(both, reason, improver=near.name if near is not None else "")
    is_long = left is not None and looks > max(_SMALL_LOOKS, _OWN_START_SHARE * left * _LOOKS_A_SECOND)
    is_matched = is_long and _able(_MATCHING, problem) is not None
    if sifting is not None and ((listed and not is_matched) or (near is None and proof)):
        why = "it searches to optimality, with a proof where it can"
        needed, share = _needed_start(problem, near, looks, left), SHARE
        if needed is None and left is not None and looks > _SMALL_LOOKS:
            needed, share = "", INSURANCE_SHARE
        few = _LOOKS_ON_A_LINE if is_close_on_a_line(problem) else _SMALL_LOOKS
        small = looks <= few and (left is None or left >= _room_for_two(problem, looks))
        is_equal = is_close_at_equal_distance(problem)
        program = _able(_PROGRAM, problem) if small and not is_equal and not proof else None
        late = is_long and (len(table.records) <= _NEAR_RECORDS or left is None or left >= _NEAR_LONG_S)
        beside = near or (bounding if late and closeness(problem) else None)
        if beside is None and (late or (needed == "local-search" and not is_equal)):
            beside = _able("local-search", problem)
        if program is None and threads > 1 and left is not None and beside is not None and (late or near is None):
            both = Portfolio(sifting, beside, head_start=False)
            return Choice(
                both,
                f"auto chose sifting: {why}; and beside it {beside.name}, which soon has good releases",
                improver="",
            )
        if program is None:
            return Choice(sifting, f"auto chose sifting: {why}", needed is not None, needed or "", share)
        both = Portfolio(sifting, program, patient=proof is not False, head_start=not is_close_on_a_line(problem))
        reason = f"auto chose sifting: {why}; and beside it {program.name}, for so small a table"
        return Choice(both, reason, needed is not None, needed or "", share)
    is_bounded = near is not None or sifting is None or len(table.records) <= _BOUNDED_RECORDS or closeness(problem)
    search = (bounding if is_bounded else None) or _able("local-search", problem)
    if search is None:
        return None
    lacking = "listing all patterns takes long" if listed else "there is no time to list all patterns"
    if sifting is None:
        lacking = "of so wide a table patterns cannot be listed"
    why = "it proves a bound at any size, and optimality where it can; " if near is not None else ""
    reason = f"auto chose {search.name}: {why}{lacking}"
    few = len(table.records) <= _SEARCHED_RECORDS
    matched = _beside_matching(search, problem, reason, proof)
    if matched is not None or (near is None and sifting is None and few):
        # Of few rows a model may prove more.
        return matched
    is_short = search is bounding and near is None and left is not None and left < _MOVED_S
    improver = "local-search" if is_short or (near is not None and sifting is not None and few) else ""
    return Choice(search, reason, improver=improver, share=_share_before(search, problem))


def _beside_matching(first: Solver[Any], problem: Any, reason: str, proof: bool | None) -> Choice[Any] | None:
    """Return `first` with what looks at groups of rows beside it, however wide the table is; None if nothing of that is for the problem.

    That is simplex matching for groups of two and three, and prices of rows for a few dozen of them.
    """
    matching = _able(_MATCHING, problem)
    if matching is not None:
        both = Portfolio(first, matching, patient=proof is not False, head_start=False)
        reason += f"; and beside it {matching.name}, which is exact for groups of two and three"
        return Choice(both, reason, improver="", share=_share_before(first, problem))
    pricing = _priced(problem)
    if pricing is None:
        return None
    both = Portfolio(first, pricing, patient=proof is not False, head_start=False)
    return Choice(
        both, f"{reason}; and beside it {pricing.name}, whose bounds are the better ones of few rows", improver=""
    )


def _share_before(search: Solver[Any], problem: CellSuppression) -> float:
    """Return the part of the time that a start may take before a search."""
    is_slow = search.name == "local-search" or len(problem.table.records) > _NEAR_RECORDS
    return _BEFORE_SEARCH_SHARE if is_slow else SHARE


def _needed_start(problem: CellSuppression, near: Solver[Any] | None, looks: int, left: float | None) -> str | None:
    """Return what improves the start of sifting, '' for nothing; None where sifting begins as well by itself.

    The time that more than a quick start takes is worth more wherever its own first release comes soon: under k-anonymity of tables that
    are neither tiny nor large for the time, and under l-diversity. On some hundred rows near patterns find better releases in a tenth of
    the time. Under closeness local search makes the start better, unless closeness at equal distance or over a hierarchy is all that is
    asked, perhaps with a size; then sifting moves single rows until little of a start is left. Only small tables with a size, or a
    hierarchy, or little time, gain from local search all the same.
    """
    if near is not None:
        records = len(problem.table.records)
        if left is not None and looks > _SMALL_LOOKS and _OWN_RECORDS < records <= _STARTED_RECORDS:
            return near.name
        own = looks <= _TINY_LOOKS or left is None or looks <= _OWN_START_SHARE * left * _LOOKS_A_SECOND
        return None if own or records > _NEAR_RECORDS else near.name
    conditions = problem.plain.principle.conditions(problem.table)
    close = closeness(problem)
    if not close:
        return None if any(isinstance(condition, AtMostShare | AtLeastValues) for condition in conditions) else ""
    others = [condition for condition in conditions if not isinstance(condition, Close | AtLeastRows)]
    if others or len(close) > 1 or is_close_on_a_line(problem):
        return "local-search"
    few = len(problem.table.records) <= _SEARCHED_RECORDS
    if few and (len(conditions) > 1 or not close[0].metric.is_equal or (left is not None and left < _MOVED_S)):
        return "local-search"
    return "" if len(problem.table.records) <= _STARTED_RECORDS else None


def _room_for_two(problem: CellSuppression, looks: int) -> float:
    """Return how many seconds there must be for the pattern program beside sifting.

    Tiny questions need it under closeness alone; under closeness on a line its bounds are the better ones up to some hundred rows.
    """
    if is_close_on_a_line(problem):
        return max(_ROOM_FOR_TINY_S, looks / _ON_A_LINE_A_SECOND)
    if looks > _TINY_LOOKS:
        return _ROOM_FOR_TWO_S
    return _ROOM_FOR_TINY_S if closeness(problem) else inf


def _proving(problem: Problem[S]) -> Choice[S] | None:
    for solver in algorithms.all():
        if solver.gives_proofs and _able(solver.name, problem) is not None:
            return Choice(solver, f"auto chose {solver.name}: its bounds come with a proof")
    return None


def _first_that_fits(problem: Problem[S], budget: Budget, clock: Clock) -> Choice[S]:
    """Return the first of the preferred solvers and of all models that is for the problem, and whose model has room; else an algorithm.

    Beside an exact algorithm without proofs, or one that may not be done, a model is asked, too: which of the two is done first
    depends on the table. Diameters are searched for instead, beside the algorithm or the model: of 100 census rows, k = 3, in 2 s a
    program leaves 89, the search 69.
    """
    from anoptima.solvers.modelled import Modelled

    allowed = budget.memory if budget.memory is not None else available_memory()
    refused, exact = "", None
    for solver in _candidates(problem):
        if not isinstance(solver, Modelled):
            exact = solver
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
            search = _able("diameter-descent", problem)
            if exact is not None:
                return _both(exact, search or solver)
            if search is not None:
                return _both(solver, search)
            return Choice(solver, f"auto chose {solver.name}: it proves optimality; its model has {size}{refused}")
        refused += f"; {solver.name} would take {size.memory / 2**20:,.0f} MiB of {allowed / 2**20:,.0f}"
    if exact is not None and exact.name != _NEVER_ALONE:
        return Choice(exact, f"auto chose {exact.name}: it proves optimality, and needs no model{refused}")
    search = _able("near-patterns", problem) or _able("local-search", problem) or _able("diameter-descent", problem)
    if search is not None:
        return Choice(search, f"auto chose {search.name}: no model fits{refused}", improver="")
    small = [solver for solver in algorithms.all() if not solver.for_study and is_for(solver, problem)]
    if small:
        # Those that large tables are known to suit come first, and of them the most thorough one.
        fit = max(small, key=lambda solver: -1 if solver.quick is None else solver.quick)
        return Choice(fit, f"auto chose {fit.name}: no model fits{refused}")
    if refused:
        return Choice(WithoutSearch(), f"auto searches for nothing better than a start: no model fits{refused}")
    raise NotApplicable(f"no solver here is for {problem.name}")


def _both(exact: Solver[S], other: Solver[S]) -> Choice[S]:
    both = Portfolio(exact, other)
    from anoptima.solvers.modelled import Modelled

    alone = "" if isinstance(exact, Modelled) else ", and needs no model"
    return Choice(both, f"auto chose {exact.name}: it proves optimality{alone}; and {other.name} beside it")


def _candidates(problem: Problem[Any]) -> Iterator[Solver[Any]]:
    """Yield what may be taken, in order: a model once, on the first backend that takes it."""
    from anoptima.models import models
    from anoptima.solvers.backends.registry import backend_names

    for name in _PREFERRED:
        solver = _able(name, problem)
        if solver is not None:
            yield solver
    for model in models.all():
        preferred = any(name.startswith(f"{model.name}/") for name in _PREFERRED)
        if preferred or model.for_study or not is_for(model, problem.plain):
            continue
        found = (_able(f"{model.name}/{backend}", problem) for backend in _BACKENDS)
        solver = next((solver for solver in found if solver is not None), None)
        if solver is None:
            others = (
                _able(f"{model.name}/{backend}", problem) for backend in backend_names() if backend not in _BACKENDS
            )
            solver = next((solver for solver in others if solver is not None), None)
        if solver is not None:
            yield solver


def _priced(problem: Any) -> Solver[Any] | None:
    """Return the search by prices of rows if it is for the problem, and rows are few."""
    return _able(_PRICES, problem) if problem.table.rows <= _PRICED_ROWS else None


def _able(name: str, problem: Problem[Any]) -> Solver[Any] | None:
    """Return the solver called `name` if it is here and for the problem."""
    from anoptima.solvers.lookup import get_solver

    try:
        solver = get_solver(name)
    except AnoptimaError:
        return None
    return solver if is_for(solver, problem) else None
