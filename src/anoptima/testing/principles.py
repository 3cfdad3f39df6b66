"""What every principle promises (`principles.principle`), asked of its examples on small random groups and tables."""

from __future__ import annotations

import inspect
import itertools
import json
from collections.abc import Iterator
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anoptima.answer import Claim
from anoptima.documents.writing import to_json
from anoptima.errors import AnoptimaError
from anoptima.packages import pd
from anoptima.principles import Condition, NotLinear, Principle, Splitting
from anoptima.problems.cell_suppression import CellSuppression
from anoptima.proofs.group_pricing import Asked, priced_by
from anoptima.proofs.views import View, whole_numbers
from anoptima.registry import is_for
from anoptima.solvers import algorithms
from anoptima.solvers.base import Kind, Solver
from anoptima.solvers.lookup import get_solver
from anoptima.table import Groups, Table
from anoptima.testing.checks import Check, Checklist, Untrue, demand
from anoptima.testing.examples import describe, optimum

TABLES = 24
"""How many random tables principles are asked about."""

ROWS = 8
"""How many rows these tables have: 255 groups, all of which are asked."""

MODELS = ("pattern/highs", "assignment/cp-sat")
"""The models that are tried beside all algorithms."""

checklist: Checklist[type[Principle]] = Checklist()


def check_principle(kind: type[Principle]) -> Iterator[Check]:
    """Yield a check of every promise that a kind of principle makes; its `examples` are what is asked.

    >>> from anoptima import KAnonymity
    >>> next(check_principle(KAnonymity))().state.value
    'green'
    """
    return checklist.of(kind.kind, kind)


@checklist("it has examples, and some groups satisfy them and some do not")
def has_examples(kind: type[Principle]) -> None:
    """Without them, nothing else here means anything."""
    demand(next(iter(kind.examples()), None), "it has no examples; let `examples` yield principles for small tables")
    for principle, table in _asked(kind):
        principle.require_columns(table)
    truths = np.concatenate([_holds(principle, _every_group(table)[1]) for principle, table in _asked(kind)])
    demand(truths.any(), "no group of eight rows or fewer satisfies any of its examples; let some be weaker")
    demand(not truths.all(), "every group satisfies its examples; let some be stronger")


@checklist("it says why a group fails, and nothing of one that does not")
def says_why(kind: type[Principle]) -> None:
    """In one line of words."""
    for principle, table in _asked(kind):
        _, groups = _every_group(table)
        for group, holds in enumerate(_holds(principle, groups).tolist()):
            reason = principle.why_not(groups, group)
            demand((reason is None) == holds, f"{principle}: a group that {'holds' if holds else 'fails'}: {reason!r}")
            demand(reason is None or (reason and "\n" not in reason), f"{principle}: {reason!r} is no line of words")


@checklist("no group below the least size satisfies it")
def keeps_its_least_size(kind: type[Principle]) -> None:
    """Searches leave such groups out."""
    for principle, table in _asked(kind):
        _, groups = _every_group(table)
        least = principle.least_size(table)
        right = isinstance(least, Integral) and least >= 1
        demand(right, f"{principle}: `least_size` must return a whole number from 1 up, and returned {least!r}")
        below = (groups.sizes[_holds(principle, groups)] < least).any()
        _true(not below, f"{principle}: a group satisfies it with fewer rows than {least}, its least size")


@checklist("where it could not hold, no part holds")
def could_hold(kind: type[Principle]) -> None:
    """Of every group and every part of it."""
    for principle, table in _asked(kind):
        sets, groups = _every_group(table)
        holds, could = _holds(principle, groups), _truths(principle, "could_hold_each", groups)
        for number in np.flatnonzero(~could).tolist():
            inside = (sets & ~sets[number]) == 0
            _true(
                not holds[inside].any(), f"{principle}: `could_hold_each` denies a group of which a part satisfies it"
            )


@checklist("it is merge-closed if it says so")
def merges(kind: type[Principle]) -> None:
    """Every two groups without a row in common, that satisfy it."""
    for principle, table in _asked(kind):
        if not principle.survives_merging(table):
            continue
        sets, groups = _every_group(table)
        holds = _holds(principle, groups)
        legal = sets[holds]
        for one, other in itertools.combinations(legal.tolist(), 2):
            if not one & other and not holds[(one | other) - 1]:
                raise Untrue(
                    f"{principle}: two groups of {one.bit_count()} and {other.bit_count()} rows satisfy it, and not together; it says "
                    "that it is merge-closed, or its conditions do: state `NotLinear` and leave `merge_closed` out"
                )


@checklist("groups split as it says")
def splits(kind: type[Principle]) -> None:
    """Anywhere: every split into parts of the least size. Somehow: one of them, for groups of twice the least size."""
    for principle, table in _asked(kind):
        if principle.splitting is Splitting.NOT:
            continue
        sets, groups = _every_group(table)
        holds, least = _holds(principle, groups), principle.least_size(table)
        for whole in sets[holds & (groups.sizes >= 2 * least)].tolist():
            halves = [
                bool(holds[part - 1] and holds[(whole & ~part) - 1])
                for part in sets[(sets & ~whole) == 0].tolist()
                if part.bit_count() >= least and (whole & ~part).bit_count() >= least
            ]
            kept = all(halves) if principle.splitting is Splitting.ANYWHERE else any(halves)
            _true(kept, f"{principle}: a group of {whole.bit_count()} rows does not split {principle.splitting.value}")


@checklist("its conditions state it")
def is_stated(kind: type[Principle]) -> str | None:
    """The same groups satisfy all conditions; with `NotLinear` among them, no group that satisfies it breaks another."""
    for principle, table in _asked(kind):
        _, groups = _every_group(table)
        # As it was written: what is asked elsewhere goes on without conditions that raise an error.
        conditions, holds = inspect.unwrap(type(principle).conditions)(principle, table), _holds(principle, groups)
        right = isinstance(conditions, list) and all(isinstance(one, Condition) for one in conditions)
        demand(right, f"{principle}: `conditions` must return a list of conditions, and returned {conditions!r}")
        known = [condition for condition in conditions if not isinstance(condition, NotLinear)]
        try:
            stated = np.logical_and.reduce([np.ones(len(groups), bool), *(one.holds_each(groups) for one in known)])
        except NotImplementedError as untold:
            return str(untold)
        _true(not (holds & ~stated).any(), f"{principle}: a group satisfies it and breaks its conditions")
        whole = len(known) < len(conditions) or not (stated & ~holds).any()
        _true(
            whole,
            f"{principle}: a group satisfies all its conditions and not the principle; state the rest, or `NotLinear`",
        )
    return None


@checklist("no group is worth more than its conditions are priced at")
def is_priced(kind: type[Principle]) -> None:
    """By the checker of proofs, at random gains: a price too low, or a least size too large, would prove what is not so."""
    chance = np.random.default_rng(0)
    for principle, table in _asked(kind):
        sets, groups = _every_group(table)
        holds, rows = _holds(principle, groups), np.arange(table.rows)
        for number, condition in enumerate(principle.conditions(table)):
            part = priced_by(condition, Asked(table, rows, (), number))
            least = int(chance.integers(1, 4))
            legal = holds & (groups.sizes >= least)
            if part is None or not legal.any():
                continue
            gain = chance.integers(-9, 10, table.rows)
            order = np.argsort(-gain, kind="stable")
            view = View(np.zeros_like(rows), gain[order], np.ones_like(rows), part.value[order], 1)
            size = whole_numbers(part.smallest(view, np.array([least])), 1)
            _true(
                1 <= size[0] <= groups.sizes[legal].min(),
                f"{principle}: of {least} rows or more, {condition} is told to need {size[0]}; "
                f"{groups.sizes[legal].min()} satisfy the principle",
            )
            price, best = (
                whole_numbers(part.price(view, size), 1),
                int(((sets[:, None] >> rows & 1) @ gain)[legal].max()),
            )
            _true(
                price[0] >= part.scale * best,
                f"{principle}: {condition} prices groups at {Fraction(int(price[0]), part.scale)} at most, and one gains {best}",
            )


@checklist("what it says is stricter asks for more")
def is_stricter(kind: type[Principle]) -> None:
    """No group satisfies that and not the principle."""
    for principle, table in _asked(kind):
        stricter = principle.stricter(table)
        if stricter is not None:
            _, groups = _every_group(table)
            wrong = _holds(stricter, groups) & ~_holds(principle, groups)
            _true(
                not wrong.any(),
                f"{principle}: a group satisfies {stricter}, which it says is stricter, and not the principle",
            )


@checklist("it is written down and read back")
def is_written(kind: type[Principle]) -> None:
    """As JSON, the same principle."""
    for principle in kind.examples():
        data = json.loads(to_json(principle.as_json()))
        demand(data.get("principle") == kind.kind, f"{principle}: `as_json` must have {kind.kind!r} as 'principle'")
        back = kind.from_json(data)
        demand(back == principle, f"{principle!r} comes back as {back!r}")


@checklist("who takes it finds what brute force finds")
def is_solved(kind: type[Principle]) -> None:
    """Every algorithm, and models on HiGHS and CP-SAT, on tables of six rows."""
    for principle, table in _asked(kind, tables=2, rows=6):
        problem = CellSuppression(table, principle)
        best = optimum(problem)
        for solver in _solvers(problem):
            answer = solver.solve(problem)
            what = f"{describe(problem)}: {solver.name}"
            _true(not answer.verify().wrong, f"{what}: {'; '.join(answer.verify().wrong)}")
            if best is None:
                _true(answer.claim is Claim.INFEASIBLE, f"{what} claims {answer.claim.value}; there is no solution")
            else:
                exact = solver.kind is not Kind.APPROXIMATE
                kept = answer.cost == best if exact else answer.cost is not None and answer.cost >= best
                _true(kept, f"{what} comes to {answer.cost}; the optimum is {best}")
                bound = best if answer.bound is None else answer.bound.value
                _true(bound <= best, f"{what} claims that nothing costs less than {bound}; the optimum is {best}")


def _solvers(problem: CellSuppression) -> list[Solver[Any]]:
    found = algorithms.all()
    for name in MODELS:
        try:
            found.append(get_solver(name))
        except AnoptimaError:
            continue
    return [solver for solver in found if is_for(solver, problem)]


def _asked(kind: type[Principle], tables: int = TABLES, rows: int = ROWS) -> Iterator[tuple[Principle, Table]]:
    for principle in kind.examples():
        for seed in range(tables):
            yield principle, _table(seed, rows)


def _table(seed: int, rows: int) -> Table:
    dice = np.random.default_rng(seed)
    frame = pd.DataFrame({"zip": dice.integers(0, 3, rows), "age": dice.integers(0, 2, rows)})
    frame["ill"] = dice.choice([*"abcd"][: 2 + seed % 3], rows)
    return Table.from_frame(frame, ["zip", "age"], "ill")


def _every_group(table: Table) -> tuple[NDArray[np.int64], Groups]:
    """Return every set of rows but the empty one: as bits, in order from 1, and as groups."""
    sets = np.arange(1, 1 << table.rows)
    label, row = np.nonzero(sets[:, None] >> np.arange(table.rows) & 1)
    codes = {name: table.sensitive_column(name).codes[row] for name in table.sensitive}
    columns = {name: table.sensitive_column(name) for name in table.sensitive}
    sizes = np.bincount(label)
    return sets, Groups(sizes, columns, label.astype(np.int64), np.ones(len(label), np.int64), codes)


def _holds(principle: Principle, groups: Groups) -> NDArray[np.bool_]:
    return _truths(principle, "holds_each", groups)


def _truths(principle: Principle, method: str, groups: Groups) -> NDArray[np.bool_]:
    found = getattr(principle, method)(groups)
    right = isinstance(found, np.ndarray) and found.dtype == np.bool_ and found.shape == (len(groups),)
    demand(right, f"{principle}: `{method}` must return an array with a truth for each group, and returned {found!r}")
    truths: NDArray[np.bool_] = found
    return truths


def _true(kept: object, otherwise: str) -> None:
    if not kept:
        raise Untrue(otherwise)
