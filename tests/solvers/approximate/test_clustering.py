from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao


def bottom_up(frame: pd.DataFrame, k: int, weights: list[int] | None = None) -> int:
    """Agglomeration as it is told: of all pairs with a failing cluster, merge the one that gets dearer least; the cost in the end."""
    counts = Counter(frame.itertuples(index=False, name=None))
    clusters = [[row] * counts[row] for row in sorted(counts)]

    def cost(cluster: list[tuple[int, ...]]) -> int:
        bad = [len(set(column)) > 1 for column in zip(*cluster, strict=True)]
        return len(cluster) * sum(w for w, starred in zip(weights or [1] * len(bad), bad, strict=True) if starred)

    def rise(a: int, b: int) -> int:
        return cost(clusters[a] + clusters[b]) - cost(clusters[a]) - cost(clusters[b])

    while any(len(cluster) < k for cluster in clusters):
        pairs = [(a, b) for a in range(len(clusters)) for b in range(a) if min(len(clusters[a]), len(clusters[b])) < k]
        a, b = min(pairs, key=lambda pair: rise(*pair))
        clusters[a] = clusters[a] + clusters[b]
        del clusters[b]
    return sum(map(cost, clusters))


@given(st.lists(st.tuples(*[st.integers(0, 99)] * 3), min_size=2, max_size=3), st.integers(1, 3))
def test_three_rows_are_merged_as_they_would_be_by_hand(rows: list[tuple[int, ...]], k: int) -> None:
    """With three rows at most, ties lead to one cost."""
    frame = pd.DataFrame(rows).rename(columns=str)
    if len(frame) >= k:
        problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(k))
        assert ao.solve(problem, "clustering").cost == bottom_up(frame, k)


def test_it_merges_as_it_is_told_where_no_two_mergers_are_alike() -> None:
    """Weights of different sizes leave few ties, so that there is nearly always one way to go."""
    chance = np.random.default_rng(3)
    agreed = 0
    for _ in range(20):
        frame = pd.DataFrame(chance.integers(0, 3, (9, 4))).rename(columns=str).drop_duplicates()
        weights = dict(zip(frame.columns, (1000, 311, 97, 31), strict=True))
        for k in (2, 3):
            problem = ao.CellSuppression(
                ao.Table.from_frame(frame, list(frame.columns), weights=weights), ao.KAnonymity(k)
            )
            told = bottom_up(frame, k, list(weights.values()))
            agreed += ao.solve(problem, "clustering").cost == min(told, problem.cost(problem.trivial()))
    assert agreed >= 30


def test_slots_of_the_dead_are_closed_up() -> None:
    frame = pd.DataFrame({"a": range(64), "b": [i // 2 for i in range(64)]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"]), ao.KAnonymity(2))
    answer = ao.solve(problem, "clustering")
    assert (answer.cost, len(answer.require_solution().groups())) == (64, 32)


def test_the_table_is_left_as_it_is() -> None:
    """With one column, its codes lie as the clusters want theirs, and once were starred in the table itself."""
    frame = pd.DataFrame({"a": ["b", "a", "a", "c", "c"]})
    problem = ao.CellSuppression(ao.Table.from_frame(frame, ["a"]), ao.KAnonymity(2))
    before = problem.table.types.copy()
    assert ao.solve(problem, "clustering").verify()
    assert (problem.table.types == before).all()
