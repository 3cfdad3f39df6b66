"""Every principle and every problem keeps what it promises; one that does not is told which promise, and how."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.principles import AtLeastRows, Condition, Splitting, Truths, principle_kinds
from anoptima.problems.base import problem_kinds
from anoptima.proofs.group_pricing import Asked, Part, distinct, enough_values, priced_by
from anoptima.table import Groups, Table
from anoptima.testing import Check, check_principle, check_problem
from anoptima.testing.checks import Fault

OURS = [kind for kind in principle_kinds.all() if kind.kind != "all"]
CHECKS = [check for kind in OURS for check in check_principle(kind)]
CHECKS += [
    check for kind in problem_kinds.all() if kind.__module__.startswith("anoptima.") for check in check_problem(kind)
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.subject}-{check.name}")
def test_promises_are_kept(check: Check) -> None:
    check.require()


class Wrong(ao.KAnonymity):
    kind = "wrong"

    @classmethod
    def examples(cls) -> Iterator[ao.KAnonymity]:
        yield cls(2)


class Even(Wrong):
    """Even sizes, of which any two are even together, and no others."""

    def holds_each(self, groups: Groups) -> Truths:
        return np.asarray(groups.sizes % 2 == 0, dtype=bool)

    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        return None if groups.size(group) % 2 == 0 else "odd"


class Few(Even):
    """At most three rows."""

    def holds_each(self, groups: Groups) -> Truths:
        return np.asarray(groups.sizes <= 3, dtype=bool)

    def conditions(self, table: Table) -> list[Condition]:
        return [AtLeastRows(1)]


class Mute(Wrong):
    def why_not(self, groups: Groups, group: int = 0) -> str | None:
        return "no"


class Loose(Wrong):
    splitting = Splitting.ANYWHERE

    def least_size(self, table: Table) -> int:
        return 1


@dataclass(frozen=True)
class SomeRows(Condition):
    """At least so many rows, priced by what groups gain less `less`, and said to need `more` rows beside."""

    rows: int
    less: int
    more: int
    merge_closed = True

    def holds_each(self, groups: Groups) -> Truths:
        return groups.sizes >= self.rows


@priced_by.register
def _(condition: SomeRows, asked: Asked) -> Part | None:
    price, smallest = distinct(1), enough_values(1)
    return Part(
        np.zeros_like(asked.first),
        lambda view, least: price(view, least) - condition.less,
        lambda view, least: smallest(view, np.maximum(condition.rows, least)) + condition.more,
        1,
    )


class Cheaply(Wrong):
    less, more = 1, 0

    def conditions(self, table: Table) -> list[Condition]:
        return [SomeRows(self.k, self.less, self.more)]


class Largely(Cheaply):
    less, more = 0, 1


class Rightly(Cheaply):
    less = 0


def test_prices_that_are_right_are_green() -> None:
    assert all(check() for check in check_principle(Rightly) if "priced" in check.name)


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (Even, {"its conditions state it", "groups split as it says"}),
        (
            Few,
            {
                "it is merge-closed if it says so",
                "its conditions state it",
                "no group below the least size satisfies it",
            },
        ),
        (Mute, {"it says why a group fails, and nothing of one that does not"}),
        (Loose, {"groups split as it says"}),
        (Cheaply, {"no group is worth more than its conditions are priced at"}),
        (Largely, {"no group is worth more than its conditions are priced at"}),
    ],
)
def test_a_broken_promise_is_red(kind: type[ao.Principle], broken: set[str]) -> None:
    assert broken == {check.name for check in check_principle(kind) if check.name in broken and not check()}


class Numbers(Wrong):
    def could_hold_each(self, groups: Groups) -> Any:
        return (groups.sizes >= self.k).astype(int)

    def least_size(self, table: Table) -> Any:
        return 1.5

    def conditions(self, table: Table) -> Any:
        return (AtLeastRows(self.k),)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "where it could not hold, no part holds",
            "`could_hold_each` must return an array with a truth for each group",
        ),
        (
            "no group below the least size satisfies it",
            "`least_size` must return a whole number from 1 up, and returned 1.5",
        ),
        (
            "its conditions state it",
            "`conditions` must return a list of conditions, and returned (AtLeastRows(rows=2),)",
        ),
    ],
)
def test_a_method_that_returns_something_else_is_named(name: str, words: str) -> None:
    verdict = next(check for check in check_principle(Numbers) if check.name == name)()
    assert verdict.fault is Fault.BUG
    assert words in verdict.words


class Many(ao.KAnonymity):
    """With an example that no group of the suite's tables satisfies: none of them is below its least size."""

    kind = "many"

    @classmethod
    def examples(cls) -> Iterator[ao.KAnonymity]:
        yield cls(2)
        yield cls(9)


def test_an_example_for_larger_tables_is_no_fault() -> None:
    assert next(
        check for check in check_principle(Many) if check.name == "no group below the least size satisfies it"
    )()


class Cheap(ao.CellSuppression):
    name = "cheap"

    def cost(self, solution: ao.Partition) -> Any:
        return float(super().cost(solution)) / 2


class Proud(ao.CellSuppression):
    name = "proud"

    def lower_bound(self) -> int:
        return 1000


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (Cheap, {"costs and the bound are exact", "a release shows its solution at its cost"}),
        (Proud, {"costs and the bound are exact"}),
    ],
)
def test_a_problem_that_is_wrong_is_red(kind: type[ao.CellSuppression], broken: set[str]) -> None:
    assert broken == {check.name for check in check_problem(kind) if check.name in broken and not check()}


class Wavering(ao.CellSuppression):
    """Its costs depend on how often they were asked for."""

    name = "wavering"
    asked = itertools.count()

    def cost(self, solution: ao.Partition) -> Any:
        return super().cost(solution) + next(self.asked) % 2


class Scaleless(ao.CellSuppression):
    name = "scaleless"
    cost_scale = 1.0  # type: ignore[assignment]


class Elsewhere(ao.CellSuppression):
    """What it calls the same question is another one."""

    name = "elsewhere"

    @property
    def plain(self) -> Any:
        return ao.CellSuppression(self.table, ao.KAnonymity(1))


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (Wavering, "costs and the bound are exact", "when asked again"),
        (Scaleless, "costs and the bound are exact", "`cost_scale` must be a whole number from 1 up, and is 1.0"),
        (Elsewhere, "what is wrong with a candidate is said in words", "`plain` asks something else: it judges "),
    ],
)
def test_what_is_wrong_with_a_problem_is_said(kind: type[ao.CellSuppression], name: str, words: str) -> None:
    verdict = next(check for check in check_problem(kind) if check.name == name)()
    assert verdict.fault is Fault.BUG
    assert words in verdict.words
