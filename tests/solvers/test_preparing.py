"""A solver's process starts before anything else is done, and not where there is nothing to solve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import anoptima as ao
from anoptima.answer import Budget, Listener
from anoptima.models.base import BuiltModel, Language, Values
from anoptima.solvers import solving
from anoptima.solvers.backends.base import Availability, Backend, Outcome
from anoptima.solvers.modelled import Modelled

pytestmark = pytest.mark.usefixtures("weak_bound")


class Recording(Backend):
    """Notes what is asked of it, and cannot solve anything."""

    name = "recording"
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset()

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def availability(self) -> Availability:
        return Availability(True)

    def versions(self) -> Mapping[str, str]:
        return {}

    def prepare(self) -> None:
        self.seen.append("prepare")

    def solve(
        self,
        model: BuiltModel[Any],
        budget: Budget,
        start: Values | None = None,
        listener: Listener | None = None,
    ) -> Outcome:
        raise ao.SolverFailure(self.name, "is no solver")


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def solver(seen: list[str]) -> Modelled[ao.Partition]:
    return Modelled(ao.get_model("pattern"), Recording(seen))


def test_the_process_starts_before_the_start_is_looked_for(
    seen: list[str], solver: Modelled[ao.Partition], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "quick_start", lambda *_: seen.append("start"))
    with pytest.raises(ao.SolverFailure, match="is no solver"):
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), solver)
    assert seen[:2] == ["prepare", "start"]


def test_no_process_starts_without_need(seen: list[str], solver: Modelled[ao.Partition]) -> None:
    impossible = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(11))
    assert ao.solve(impossible, solver).claim is ao.Claim.INFEASIBLE
    assert (
        ao.solve(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(2)), solver, time_limit=0).claim is ao.Claim.FEASIBLE
    )
    assert seen == []
