"""What random source problems brought to light, shrunk."""

from __future__ import annotations

import pytest

import anoptima as ao
from tests.sources.instances import SourceCase
from tests.sources.trial import verdicts


@pytest.mark.parametrize(
    ("vertices", "edges", "least"),
    [
        (7, [(1, 2, 3), (4, 5, 6), (5, 6, 7), (3, 5, 6), (1, 4, 5), (2, 5, 7)], 1),
        (8, [(1, 2, 5), (1, 2, 3), (1, 4, 5), (3, 7, 8)], 2),
    ],
)
def test_cp_sat_says_whole_objectives_as_fractions(vertices: int, edges: list[tuple[int, ...]], least: int) -> None:
    """CP-SAT divides an objective of n - 3 nu by 3 and multiplies again in floats: 1 + 2^-51, which a bound rounded up to 2."""
    problem = ao.HypergraphMatching(ao.Hypergraph(range(1, vertices + 1), edges), 3)
    for verdict in verdicts(SourceCase(problem, least)):
        assert not verdict.wrong, verdict
