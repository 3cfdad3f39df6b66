"""Every principle and every problem keeps what it promises; one that does not is told which promise, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import anoptima as ao
from anoptima.principles import AtLeastRows, Condition, Splitting, Truths, principle_kinds
from anoptima.problems.base import problem_kinds
from anoptima.table import Groups, Table
from anoptima.testing import Check, check_principle, check_problem

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
    ],
)
def test_a_broken_promise_is_red(kind: type[ao.Principle], broken: set[str]) -> None:
    assert broken == {check.name for check in check_principle(kind) if check.name in broken and not check()}


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
