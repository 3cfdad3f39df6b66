from __future__ import annotations

from anoptima.answer import Origin
from anoptima.solvers.exact.sifting.parts import Part
from anoptima.solvers.exact.sifting.stages.branch import Branch
from anoptima.solvers.exact.sifting.stages.close import Close
from tests.solvers.exact.sifting.cases import every_release, problem_of
from tests.solvers.exact.sifting.standings import ascended


def test_the_search_of_what_is_left_ends_at_the_optimum_and_says_whose_word_that_is() -> None:
    claimed = 0
    for seed in range(6):
        problem = problem_of(seed)
        standing = ascended(problem, without={Part.TREE})
        Close(standing, Branch(standing, None)).run(60.0)
        assert standing.is_done or standing.is_over()
        assert standing.ledger.cost == min(cost for cost, _ in every_release(problem))
        assert standing.ledger.bound is not None
        assert standing.ledger.bound.value == standing.ledger.cost
        claimed += standing.ledger.bound.origin is Origin.BACKEND
    assert claimed
