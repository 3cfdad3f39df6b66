"""Simplex matching as a problem: what it refuses, what it says of solutions, and whether there is one at all."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.problems.sources.packing import pack
from tests.simplex_instances import KINDS, draw_costs, least_cost, problem_of

PAIRS = {"ab": 2, "bc": 2, "ac": 2}


@pytest.mark.parametrize(
    ("vertices", "pairs", "triples", "words"),
    [
        ("", {}, {}, "the graph has no vertex; it must have at least one"),
        ("aba", {}, {}, "vertex 'a' of the graph is named twice, as number 1 and as number 3"),
        ("abc", {"ad": 1}, {}, "pair 'ad' has 'd', which is no vertex; the vertices are 'a', 'b', 'c'"),
        ("abc", {"aa": 1}, {}, "pair 'aa' must have 2 different vertices"),
        ("abc", {"abc": 1}, {}, "pair 'abc' must have 2 different vertices"),
        ("abc", PAIRS, {"ab": 1}, "triple 'ab' must have 3 different vertices"),
        ("abc", {"ab": 1, "ba": 2}, {}, "pair ('a', 'b') is there twice; it has one cost"),
        ("abc", {"ab": -1}, {}, "the cost of pair ('a', 'b') is -1; it must be at least 0"),
        (
            "abc",
            {"ab": "much"},
            {},
            "the cost of pair ('a', 'b') is 'much'; it must be a finite number, such as 2, 0.2 or '1/5'",
        ),
        (
            "abcd",
            {"ab": 10**400 - 1, "cd": 10**400 - 1},
            {},
            "what so many groups could cost together is a number of 1,330 bits; a number may have 400 digits before its point and after it",
        ),
        (
            "abc",
            {"ab": 1, "bc": 1},
            {"abc": 9},
            "triple ('a', 'b', 'c') has no pair ('a', 'c'); the simplex condition asks for all three",
        ),
        (
            "abc",
            PAIRS,
            {"cba": "5/2"},
            (
                "triple ('a', 'b', 'c') costs 5/2 and its pairs 6; by the simplex condition the pairs may cost twice as much as the "
                "triple, and no more"
            ),
        ),
    ],
)
def test_what_is_refused(vertices: str, pairs: Any, triples: Any, words: str) -> None:
    with pytest.raises(ao.BadInput) as refusal:
        ao.SimplexMatching(vertices, pairs, triples)
    assert str(refusal.value) == words


def test_equality_in_the_condition_is_allowed() -> None:
    assert ao.SimplexMatching("abc", PAIRS, {"abc": 3}).cost_of["a", "b", "c"] == 3


def test_what_is_wrong_with_a_solution() -> None:
    problem = ao.SimplexMatching("abcd", {**PAIRS, "cd": 1}, {"abc": 3})
    assert problem.violations(ao.Matching.of(["ab", "cd"])) == []
    assert problem.violations(ao.Matching.of(["ad", "bc"])) == ["('a', 'd') is no pair or triple that there is"]
    assert problem.violations(ao.Matching.of(["abc", "cd"])) == ["vertex 'c' is in ('a', 'b', 'c') and in ('c', 'd')"]
    assert problem.violations(ao.Matching.of(["ab"])) == ["vertex 'c' is in no group", "vertex 'd' is in no group"]


@given(st.integers(0, 10**9), st.sampled_from(KINDS))
def test_it_knows_whether_there_is_a_partition_and_bounds_the_cheapest(seed: int, kind: str) -> None:
    n, costs = draw_costs(random.Random(seed), kind, 9)
    problem = problem_of(n, costs)
    best = least_cost(n, costs)
    assert (problem.why_infeasible() is None) == (best is not None)
    tried = [problem.cost(solution) for solution in problem.solutions() if problem.is_feasible(solution)]
    assert min(tried, default=None) == best
    if best is None:
        with pytest.raises(ao.InfeasibleProblem):
            problem.trivial()
    else:
        assert problem.violations(problem.trivial()) == []
        assert problem.lower_bound() <= best <= problem.cost(problem.trivial())


@given(st.integers(0, 10**9))
def test_sparse_graphs_are_packed_or_have_an_obstacle(seed: int) -> None:
    """Where nothing packs, the parts are odd, more than their neighbours, and none can be packed by itself."""
    source = random.Random(seed)
    n = source.randint(1, 12)
    pairs = {p: 1 for p in itertools.combinations(range(n), 2) if source.random() < source.choice((0.15, 0.25, 0.35))}
    closed = [t for t in itertools.combinations(range(n), 3) if all(p in pairs for p in itertools.combinations(t, 2))]
    triples = [t for t in closed if source.random() < 0.5]
    found = pack(n, list(pairs), triples)
    packs = least_cost(n, dict.fromkeys([*pairs, *triples], 0)) is not None
    assert (found.groups is not None) == packs
    if found.groups is not None:
        assert sorted(itertools.chain.from_iterable(found.groups)) == list(range(n))
        assert all(group in pairs or group in triples for group in found.groups)
        return
    assert len(found.parts) > len(found.around)
    for part in found.parts:
        outside = {b for a, b in [*pairs, *((v, u) for u, v in pairs)] if a in part and b not in part}
        inside = {g: 0 for g in [*pairs, *triples] if set(g) <= set(part)}
        number = {v: i for i, v in enumerate(part)}
        assert outside <= set(found.around)
        assert least_cost(len(part), {tuple(number[v] for v in g): 0 for g in inside}) is None


def test_why_there_is_no_partition() -> None:
    star = ao.SimplexMatching("abcd", {"ab": 1, "ac": 1, "ad": 1}, {})
    assert star.why_infeasible() == (
        "2 odd parts of the graph ('b', ...) cannot be partitioned into pairs and triples on their own, and have no neighbours beside 'a'"
    )
    alone = ao.SimplexMatching("ab", {}, {})
    assert alone.why_infeasible() == (
        "one odd part of the graph ('a') cannot be partitioned into pairs and triples on its own, and has no neighbours"
    )
