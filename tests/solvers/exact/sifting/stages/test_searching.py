from __future__ import annotations

from anoptima.solvers.exact.sifting.stages.searching import BOUND, RELEASE, both_sides, search_a_turn, search_once
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.standings import ascended


def test_steps_lower_the_cost_to_the_optimum_and_never_raise_it() -> None:
    reached = 0
    for seed in range(5):
        problem = problem_of(seed)
        standing = ascended(problem)
        costs = [standing.cost]
        for _ in range(12):
            search_once(standing)
            costs.append(standing.cost)
        assert costs == sorted(costs, reverse=True)
        best = min(cost for cost, _ in every_release(problem))
        assert costs[-1] >= best * problem.cost_scale
        reached += standing.ledger.cost == best
    assert reached >= 4


def test_both_sides_begin_with_the_bound_and_a_turn_is_noted() -> None:
    sides = both_sides()
    assert sides.next() == BOUND
    sides.note(BOUND, 1.0, 1.0)
    assert sides.next() == RELEASE
    search_a_turn(ascended(problem_of(1)), sides)
    assert sides.spent > 1.0
