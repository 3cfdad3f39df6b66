"""What a second backend says of the last arcs: the same, nothing, or an error that names both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from anoptima.answer import Budget, StartFate, Stop
from anoptima.errors import FalseClaim
from anoptima.exact import Exact
from anoptima.models.base import BuiltModel, Language
from anoptima.solvers.backends.base import Availability, Backend, Outcome
from anoptima.solvers.exact.sifting import second_opinion as second
from anoptima.solvers.exact.sifting.bound.cuts import Catalogue
from anoptima.solvers.exact.sifting.releases.region_program import Programs, Region
from anoptima.solvers.exact.sifting.releases.release import Release, release_of
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, every_release, problem_of


class Says(Backend):
    """A backend that has solved everything before."""

    name = "says"
    languages = frozenset({Language.PYOMO})
    capabilities = frozenset()

    def __init__(
        self, stop: Stop, objective: Exact | None, bound: Exact | None, infeasible: bool = False, here: bool = True
    ) -> None:
        self._outcome = Outcome(stop, infeasible, None, objective, bound, StartFate.UNUSED, 0.0, {})
        self._here = here

    def availability(self) -> Availability:
        return Availability(self._here)

    def versions(self) -> Mapping[str, str]:
        return {}

    def solve(self, model: BuiltModel[Any], budget: Budget, start: Any = None, listener: Any = None) -> Outcome:
        form = model.matrix
        assert budget.seconds is not None
        assert (start >= form.lower).all()
        assert (start <= form.upper).all()
        return self._outcome


def never() -> bool:
    return False


def solved(seed: int) -> tuple[Programs, Region, Release, int]:
    problem = problem_of(seed)
    patterns, arcs = arcs_of(problem)
    cost, partition = min(every_release(problem), key=lambda found: found[0])
    everything = Region(np.arange(len(arcs.member)), arcs.copies)
    return (
        Programs(Catalogue(arcs), problem),
        everything,
        release_of(problem, patterns, partition),
        int(cost * problem.cost_scale),
    )


@each("seed", range(4))
def test_scip_agrees_on_every_arc(seed: int) -> None:
    programs, region, best, _ = solved(seed + 700)
    assert second.second_opinion(programs, region, best, 20.0, never) in ("scip", None)


def test_a_disagreement_names_both() -> None:
    programs, region, best, cost = solved(701)
    words = "highs and says disagree on .* arcs: the optimum is .* for highs, "
    for outcome in (Says(Stop.PROVED, cost - 1, cost - 1), Says(Stop.TIME, cost - 1, 0)):
        with pytest.raises(FalseClaim, match=f"{words}{cost - 1} for says"):
            second.second_opinion(programs, region, best, 1.0, never, outcome)
    with pytest.raises(FalseClaim, match=f"{words}{cost + 1} for says"):
        second.second_opinion(programs, region, best, 1.0, never, Says(Stop.TIME, None, cost + 1))
    with pytest.raises(FalseClaim, match=f"{words}nothing at all for says"):
        second.second_opinion(programs, region, best, 1.0, never, Says(Stop.PROVED, None, None, infeasible=True))


def test_no_end_is_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    programs, region, best, cost = solved(702)
    proved = Says(Stop.PROVED, cost, cost)
    assert second.second_opinion(programs, region, best, 1.0, never, proved) == "says"
    assert second.second_opinion(programs, region, best, 1.0, never, Says(Stop.TIME, cost, 0)) is None
    assert second.second_opinion(programs, region, best, 1.0, never, Says(Stop.PROVED, cost, cost, here=False)) is None
    assert second.second_opinion(programs, region, best, 0.0, never, proved) is None
    monkeypatch.setattr(second, "FEW_ARCS", len(region.arcs) - 1)
    assert second.second_opinion(programs, region, best, 1.0, never, proved) is None
