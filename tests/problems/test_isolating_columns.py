"""Keys for a share of the rows, and ratios, against counting by hand."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import anoptima as ao
from anoptima.problems.column_ratios import distinct_ratio, isolated_share, separation_ratio
from tests.column_sets import Choice, class_sizes, table_of
from tests.loops import each
from tests.sizing import asked


@each("seed", range(asked(150, 400)))
def test_optimum_minimal_sets_and_ratios_are_those_counted_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, count, k = int(rng.integers(1, 5)), int(rng.integers(1, 13)), int(rng.integers(1, 5))
    rows = [tuple(row) for row in rng.integers(0, int(rng.integers(1, 5)), (count, columns)).tolist()]
    share = Fraction(int(rng.integers(1, 11)), 10)
    weights = [int(weight) for weight in rng.integers(1, 4, columns)]
    table = table_of(rows, weights)

    def isolated(chosen: tuple[int, ...]) -> Fraction:
        sizes = class_sizes(rows, chosen).values()
        return Fraction(sum(size for size in sizes if size < k), count)

    choice = Choice(ao.IsolatingColumns(table, share, k), lambda chosen: isolated(chosen) >= share, weights)
    for chosen in choice.sets():
        names = [f"q{j}" for j in chosen]
        assert (
            choice.problem.suffices(chosen)
            == choice.good(chosen)
            == choice.problem.is_feasible(choice.problem.solution_of(chosen))
        )
        assert isolated_share(table, names, k) == isolated(chosen)
        images = [tuple(row[j] for j in chosen) for row in rows]
        assert distinct_ratio(table, names) == Fraction(len(set(images)), count)
        apart = [first != second for first, second in itertools.combinations(images, 2)]
        assert separation_ratio(table, names) == (Fraction(sum(apart), len(apart)) if apart else 1)
    optimum = choice.optimum()
    answer = ao.solve(choice.problem, "hitting-set")
    assert (answer.claim, answer.cost) == (ao.Claim.INFEASIBLE if optimum is None else ao.Claim.OPTIMAL, optimum)
    assert answer.verify()
    good = [set(chosen) for chosen in choice.sets() if choice.good(chosen)]
    found = ao.minimal_keys(choice.problem)
    assert set(found) == {
        frozenset(f"q{j}" for j in chosen) for chosen in good if not any(other < chosen for other in good)
    }
    assert found.verify()


def test_bad_input() -> None:
    table = table_of([(0,), (1,)])
    with pytest.raises(ao.BadInput, match="the share is 3/2; it must be above 0 and at most 1"):
        ao.IsolatingColumns(table, "3/2")
    with pytest.raises(ao.BadInput, match="k is 0; it must be at least 1"):
        isolated_share(table, [], 0)
