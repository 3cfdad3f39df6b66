from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import anoptima as ao
from anoptima.spaces import MatrixMetric, matrix_metric, near_trees_of, path_lengths
from tests import brute_force
from tests.loops import each


def shortest_ways(distances: Any) -> Any:
    """Return the distances with every way round tried."""
    for k in range(len(distances)):
        distances = np.minimum(distances, distances[:, k : k + 1] + distances[k : k + 1])
    return distances


def on_a_tree(chance: Any, values: int) -> Any:
    """Return distances in a random tree, in which some nodes are no values."""
    nodes = values + 3
    sides, lengths = np.zeros((nodes - 1, nodes), dtype=bool), chance.integers(1, 9, nodes - 1).tolist()
    parent = [0, *(int(chance.integers(0, node)) for node in range(1, nodes))]
    for node in range(1, nodes):
        above = node
        while above:
            sides[above - 1, node] = True
            above = parent[above]
    chosen = chance.permutation(nodes)[:values]
    return path_lengths(sides, lengths)[np.ix_(chosen, chosen)]


def of_ways(chance: Any, values: int) -> Any:
    """Return the lengths of shortest ways between random places."""
    upper = np.triu(chance.integers(1, 9, (values, values)), 1)
    return shortest_ways(upper + upper.T)


def on_a_grid(chance: Any, values: int) -> Any:
    """Return distances along streets."""
    places = np.array(np.unravel_index(chance.permutation(16)[:values], (4, 4))).T
    return np.abs(places[:, None] - places[None]).sum(axis=2)


def alike(chance: Any, values: int) -> Any:
    """Return equal distances."""
    return 1 - np.eye(values, dtype=np.int64)


def metric_of(distances: Any) -> MatrixMetric:
    scale = max(1, int(distances.max()))
    return MatrixMetric([[Fraction(int(apart), scale) for apart in row] for row in distances])


@pytest.mark.parametrize("draw", [on_a_tree, of_ways, on_a_grid, alike])
@each("seed", range(12))
def test_one_tree_is_nowhere_longer_and_one_is_nowhere_shorter(seed: int, draw: Any) -> None:
    chance = np.random.default_rng(seed)
    metric = metric_of(draw(chance, 1 + seed))
    below, above = near_trees_of(metric)
    own = metric.distances()
    assert (below.distances().astype(object) * metric.scale <= own * below.scale).all()
    assert (above.distances().astype(object) * metric.scale >= own * above.scale).all()
    if draw in (on_a_tree, alike) or seed < 2:
        assert metric.is_tree
        assert below is above


@pytest.mark.parametrize("most", [0, 64])
@pytest.mark.parametrize("draw", [on_a_tree, of_ways, on_a_grid])
@each("seed", range(6))
def test_groups_are_within_a_limit_as_the_transport_of_each_says(
    seed: int, draw: Any, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix_metric, "MOST_CARRIED", most)
    chance = np.random.default_rng(seed)
    values = 3 + seed % 3
    metric = metric_of(draw(chance, values))
    held = np.concatenate([np.arange(values), chance.integers(0, values, 30)])
    frame = pd.DataFrame({"q": chance.integers(0, 12, len(held)), "s": held})
    table = ao.Table.from_frame(frame, ["q"], "s")
    groups, whole = table.groups(table.classes()), table.sensitive_column("s").counts.tolist()
    place = [int(value) for value in table.sensitive_column("s").values]
    ordered = MatrixMetric([[Fraction(int(metric.distances()[v, w]), metric.scale) for w in place] for v in place])
    apart = [[Fraction(int(its), ordered.scale) for its in row] for row in ordered.distances()]
    expected = []
    for group in range(len(groups)):
        counts = groups.counts("s", group).tolist()
        p, q = ([Fraction(count, sum(its)) for count in its] for its in (counts, whole))
        expected.append(brute_force.earth_mover(p, q, apart))
    for limit in (*expected, *(its - Fraction(1, 10**6) for its in expected)):
        assert ordered.within(groups, "s", limit).tolist() == [its <= limit for its in expected]


def test_many_values_far_beyond_64_bits_have_trees() -> None:
    tiny = Fraction(1, 3**45)
    metric = MatrixMetric(
        [[Fraction(0) if v == w else Fraction(1, 2) + tiny * (v + w) for w in range(5)] for v in range(5)]
    )
    below, above = near_trees_of(metric)
    assert metric.scale > 2**64
    assert (below.distances().astype(object) * metric.scale <= metric.distances() * below.scale).all()
    assert (above.distances().astype(object) * metric.scale >= metric.distances() * above.scale).all()


@each("digits", [2, 7, 12, 17])
def test_distances_of_a_tree_are_exact_with_small_and_large_denominators(digits: int) -> None:
    unit, times = Fraction(1, 3 * 10**digits), 200
    lengths = [Fraction(1, 3), Fraction(1, 6) + unit, Fraction(1, 4)]
    metric = MatrixMetric([[Fraction(0) if v == w else lengths[v] + lengths[w] for w in range(3)] for v in range(3)])
    table = ao.Table.from_frame(pd.DataFrame({"q": [0, 0, 1] * times, "s": [0, 1, 2] * times}), ["q"], "s")
    place = [int(value) for value in table.sensitive_column("s").values]
    own = MatrixMetric([[Fraction(int(metric.distances()[v, w]), metric.scale) for w in place] for v in place])
    assert own.is_tree
    numerators = own.emd_numerators(table.groups(table.classes()), "s")
    # One third is carried from the last value to the others, half of it to each; and the other way, all that there is.
    expected = [Fraction(1, 3) * lengths[2] + Fraction(1, 6) * (lengths[0] + lengths[1])]
    expected += [Fraction(2, 3) * lengths[2] + Fraction(1, 3) * (lengths[0] + lengths[1])]
    sizes = table.groups(table.classes()).sizes.tolist()
    found = [Fraction(int(its), own.scale * size * 3 * times) for its, size in zip(numerators, sizes, strict=True)]
    assert found == expected
