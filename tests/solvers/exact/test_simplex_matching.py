"""Simplex matching against a search over subsets: on every sort of costs, with the relaxation and without its help."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anoptima as ao
from anoptima.solvers.exact.simplex import search
from anoptima.solvers.exact.simplex.costs import ListedCosts
from anoptima.solvers.exact.simplex.prices import Prices
from anoptima.solvers.exact.simplex.relaxation import Relaxation
from tests.simplex_instances import (
    HARD,
    KINDS,
    KNOWN,
    Costs,
    draw_costs,
    hard_copies,
    least_cost,
    points,
    problem_of,
    table,
)

MANY = max(settings().max_examples, 60)


def judge(seed: int, kind: str, most: int = 11) -> None:
    n, costs = draw_costs(random.Random(seed), kind, most)
    answer = ao.solve(problem_of(n, costs), "simplex-matching", start=None)
    best = least_cost(n, costs)
    assert answer.verify()
    assert (answer.claim, answer.cost) == (
        (ao.Claim.OPTIMAL, best) if best is not None else (ao.Claim.INFEASIBLE, None)
    )


@settings(max_examples=MANY)
@given(st.integers(0, 10**9), st.sampled_from(KINDS))
def test_it_finds_the_least_cost(seed: int, kind: str) -> None:
    judge(seed, kind)


@given(st.integers(0, 10**9), st.sampled_from(KINDS))
def test_it_needs_no_odd_sets(seed: int, kind: str) -> None:
    """Without odd sets the bound is weak, and the search around a partition has all to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "violated_sets", lambda n, used: [])
        judge(seed, kind, 8)


@given(st.integers(0, 10**9), st.sampled_from(KINDS))
def test_it_needs_no_rounding_either(seed: int, kind: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "violated_sets", lambda n, used: [])
        patch.setattr(search.Search, "_round", lambda *_: None)
        judge(seed, kind, 8)


@pytest.mark.parametrize("n", [n for n in KNOWN if n < 60])
def test_known_optima(n: int) -> None:
    problems: list[Any] = [
        points(n),
        ao.CellSuppression(table(n), ao.KAnonymity(2)),
        ao.CellSuppression(table(n), ao.LDiversity(2)),
    ]
    assert tuple(ao.solve(problem, "simplex-matching", start=None).cost for problem in problems) == KNOWN[n]


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_copies_on_which_the_relaxation_is_not_whole(copies: int) -> None:
    n, costs = hard_copies(copies)
    answer = ao.solve(problem_of(n, costs), "simplex-matching", start=None)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, copies if copies % 2 else least_cost(n, costs))


def test_from_no_triple_only_two_at_once_help() -> None:
    costs: Costs = {(u, v): 2 if u // 3 == v // 3 else 100 for u in range(6) for v in range(u + 1, 6)}
    problem = problem_of(6, {**costs, (0, 1, 2): 3, (3, 4, 5): 3})
    start = ao.Matching.of([(0, 1), (2, 3), (4, 5)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "violated_sets", lambda n, used: [])
        patch.setattr(search.Search, "_round", lambda *_: None)
        assert ao.solve(problem, "simplex-matching", start=start).cost == 6


@given(st.integers(0, 10**9), st.sampled_from(KINDS))
def test_prices_bound_and_list_what_they_should(seed: int, kind: str) -> None:
    """Any prices: reduced costs by their definition, nothing cheap left out, and a bound that holds."""
    source = random.Random(seed)
    n, drawn = draw_costs(source, kind, 9)
    costs = {group: int(cost * 42) for group, cost in drawn.items()}
    listed = ListedCosts(
        n,
        {(g[0], g[1]): c for g, c in costs.items() if len(g) == 2},
        {(g[0], g[1], g[2]): c for g, c in costs.items() if len(g) == 3},
    )
    vertex = [source.randint(-5, 30) * Prices.unit for _ in range(n)]
    sets = [tuple(source.sample(range(n), source.randrange(1, n + 1, 2))) for _ in range(source.randrange(4))]
    weight = [source.randint(0, 20) * Prices.unit for _ in sets]
    mask = np.array([[v in members for v in range(n)] for members in sets], dtype=bool).reshape(len(sets), n)
    prices = Prices(listed, vertex, mask, weight)
    reduced = {
        group: cost * Prices.unit
        - sum(vertex[v] for v in group)
        - sum(z for members, z in zip(sets, weight, strict=True) if len(set(members) & set(group)) % 2)
        for group, cost in costs.items()
    }
    limit = source.randint(-20, 40) * Prices.unit
    blocks = [prices.pairs_below(limit), *prices.triples_below(limit)]
    found = {
        tuple(group): (int(cost), int(rc))
        for block in blocks
        for group, cost, rc in zip(block.members.tolist(), block.cost.tolist(), block.reduced.tolist(), strict=True)
    }
    assert found == {group: (costs[group], rc) for group, rc in reduced.items() if rc <= limit}
    best = least_cost(n, costs)
    if best is not None:
        assert prices.bound(min(0, *reduced.values())) <= best


def test_the_relaxation_of_the_hard_seven_is_three_quarters() -> None:
    """With all odd sets, as they are found or not: so no bound may be taken for the optimum."""
    n, costs = 7, HARD
    listed = ListedCosts(
        n,
        {(g[0], g[1]): c for g, c in costs.items() if len(g) == 2},
        {(g[0], g[1], g[2]): c for g, c in costs.items() if len(g) == 3},
    )
    relaxation = Relaxation(listed)
    relaxation.add_groups(costs, costs.values())
    masks = [[bool(m >> v & 1) for v in range(n)] for m in range(1 << n) if m.bit_count() % 2]
    relaxation.add_sets([np.array(mask) for mask in masks])
    found = relaxation.solve(None)
    assert found is not None
    assert sum(costs[group] * x for group, x in found.used) == pytest.approx(0.75)
    assert found.prices.base / Prices.unit == pytest.approx(0.75, abs=1e-5)


rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=4)


@given(rows, st.lists(st.integers(1, 8), min_size=4, max_size=4))
def test_rows_of_one_type_may_be_paired_off_down_to_three_or_four(
    kinds: list[tuple[int, ...]], copies: list[int]
) -> None:
    listed = [row for row, number in zip(kinds, copies, strict=False) for _ in range(number)]
    frame = pd.DataFrame(listed, columns=["a", "b", "c"])
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b", "c"]), ao.KAnonymity(2))
    answers: list[Any] = [ao.solve(problem, name, start=None).cost for name in ("simplex-matching", "subset-dp")]
    assert answers[0] == answers[1]


def test_time_and_start_are_kept_to() -> None:
    problem = ao.CellSuppression(table(31), ao.KAnonymity(2))
    best = ao.solve(problem, "simplex-matching", start=None)
    again = ao.solve(problem, "simplex-matching", start=best.solution)
    assert (again.cost, again.claim) == (48, ao.Claim.OPTIMAL)
    short = ao.solve(problem, "simplex-matching", start=best.solution, time_limit=0)
    assert (short.cost, short.claim, short.stop) == (48, ao.Claim.FEASIBLE, ao.Stop.TIME)


@pytest.mark.parametrize("dear", [2**58, 10**20, 10**399])
def test_a_triple_may_cost_any_number_beside_cheap_pairs(dear: int) -> None:
    """Beyond 1e19 HiGHS fails, and beyond 1.8e308 no float is as large."""
    costs: dict[Any, int] = {pair: 1 + sum(pair) % 2 for pair in itertools.combinations(range(5), 2)}
    costs |= {triple: dear + sum(triple) for triple in itertools.combinations(range(5), 3)}
    answer = ao.solve(problem_of(5, costs), "simplex-matching", start=None)
    assert (answer.claim, answer.cost) == (ao.Claim.OPTIMAL, least_cost(5, costs))
    listed = ListedCosts(3, {(0, 1): 1, (0, 2): 1, (1, 2): 1}, {(0, 1, 2): dear})
    prices = Prices(listed, [0, 0, 0], np.zeros((0, 3), dtype=bool), [])
    assert prices.of_triples(np.array([[0, 1, 2]])).reduced.tolist() == [dear * Prices.unit]
