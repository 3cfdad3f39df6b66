from __future__ import annotations

from anoptima.solvers.exact.sifting.stages.whole_groups import WholeGroups
from tests.solvers.exact.sifting.cases_under_rules import optimum_of, problem_of
from tests.solvers.exact.sifting.standings import ascended_worths, under_rules


def test_linear_programs_raise_the_bound_and_whole_groups_are_a_start() -> None:
    for seed in (0, 1, 6, 8):
        problem = problem_of(seed)
        standing = ascended_worths(problem)
        lower, cost = standing.point.value, standing.ledger.cost
        WholeGroups(standing).run(0.0)
        best = optimum_of(problem)
        assert lower <= standing.point.value <= best * problem.cost_scale + 1e-6
        assert cost is not None
        assert standing.ledger.cost is not None
        assert best <= standing.ledger.cost <= cost


def test_closeness_has_other_ways() -> None:
    for seed, says in ((0, None), (9, "it is for diversity alone")):
        standing = under_rules(problem_of(seed))
        assert WholeGroups(standing).why_not() == says
