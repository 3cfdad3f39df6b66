"""What a run knows: only better points of the dual are proved, a release is entered once, and it stays over."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from anoptima.answer import Event, Incumbent, Origin
from anoptima.deadline import within
from anoptima.solvers.exact.sifting import standing as standings
from anoptima.solvers.exact.sifting.bound.cuts import Terms
from anoptima.solvers.exact.sifting.bound.dual import first_multipliers
from tests.loops import each
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.cases_under_rules import optimum_of
from tests.solvers.exact.sifting.cases_under_rules import problem_of as problem_under_rules
from tests.solvers.exact.sifting.standings import ascended, under_rules, under_size


@each("seed", range(4))
def test_a_point_is_proved_if_it_is_the_best(seed: int) -> None:
    problem = problem_of(seed)
    standing = under_size(problem)
    arcs = standing.instance.arcs
    terms = Terms(arcs, standing.kernels)
    found = terms.look(arcs, first_multipliers(arcs))
    standing.prove(found, terms)
    assert standing.point is found
    assert standing.ledger.bound is not None
    assert standing.ledger.bound.origin is Origin.PROOF
    assert standing.ledger.bound.value * problem.cost_scale == standing.proved
    assert standing.proved <= min(cost for cost, _ in every_release(problem)) * problem.cost_scale
    lacking = standing.prove(replace(found, value=found.value - 1), terms)
    assert standing.point is found
    assert ((found.values < 0)[arcs.pattern_of[lacking]]).all()


@each("seed", range(3))
def test_worths_are_proved_if_they_are_the_best(seed: int) -> None:
    problem = problem_under_rules(seed)
    standing = under_rules(problem)
    arcs = standing.instance.arcs
    found = standing.pricing.look(arcs, first_multipliers(arcs, len(standing.pricing.steps)))
    standing.prove(found)
    standing.prove(replace(found, value=found.value - 1))
    assert standing.point is found
    assert standing.ledger.bound is not None
    assert standing.ledger.bound.value <= optimum_of(problem)
    assert (standing.forced >= 0).all()
    assert set(standing.worth_opening) <= {0.0, 1.0}


def test_what_has_been_found_by_the_end_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    # No time passes, however slow the machine is.
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    of_size, of_rules = under_size(problem_of(0)), under_rules(problem_under_rules(0))
    arcs = of_size.instance.arcs
    terms = Terms(arcs, of_size.kernels)
    point = terms.look(arcs, first_multipliers(arcs))
    worths = of_rules.pricing.look(
        of_rules.instance.arcs, first_multipliers(of_rules.instance.arcs, len(of_rules.pricing.steps))
    )
    with within(lambda: True):
        of_size.prove(point, terms)
        of_rules.prove(worths)
    for standing in (of_size, of_rules):
        assert standing.ledger.bound is not None
        assert standing.ledger.bound.origin is Origin.PROOF


def test_a_release_is_entered_once() -> None:
    heard: list[object] = []
    standing = ascended(problem_of(3))

    def hear(event: Event) -> bool:
        if isinstance(event, Incumbent):
            heard.append(event)
        return False

    standing.ledger._outside.listener = hear
    for _ in range(2):
        standing.offer(standing.release)
    assert len(heard) <= 1
    assert standing.wanted == (standing.cost - standing.instance.step_of_cost) * standing.instance.d + 1


def test_once_over_it_stays_over_and_is_not_asked_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    standing, asked = under_size(problem_of(0)), []

    def is_over() -> bool:
        asked.append(True)
        return len(asked) == 2

    monkeypatch.setattr(standing.ledger, "is_over", is_over)
    assert not standing.is_over()
    monkeypatch.setattr(standings, "ASKED_AGAIN_S", 1e9)
    assert not standing.is_over()
    assert len(asked) == 1
    monkeypatch.setattr(standings, "ASKED_AGAIN_S", -1.0)
    assert standing.is_over()
    assert standing.is_over()
    assert len(asked) == 2
