from __future__ import annotations

import networkx as nx
import numpy as np

from anoptima.solvers.exact.sifting.releases.region_graph import RegionGraph
from tests.loops import each
from tests.solvers.exact.sifting.cases import arcs_of, problem_of


@each("seed", range(20))
def test_records_are_met_in_the_order_of_their_distance_over_cheap_arcs(seed: int) -> None:
    _, arcs = arcs_of(problem_of(seed, 20))
    chance = np.random.default_rng(seed)
    cheap = chance.random(len(arcs.member)) < 0.5
    graph, records = RegionGraph(arcs, cheap), len(arcs.copies)
    known: nx.Graph[object] = nx.Graph()
    known.add_nodes_from(range(records))
    known.add_edges_from(
        (int(arcs.member[a]), ("pattern", int(arcs.pattern_of[a]))) for a in np.flatnonzero(cheap).tolist()
    )
    start = int(chance.integers(records))
    far = nx.single_source_shortest_path_length(known, start)
    assert graph.arcs_of(np.array([start])).tolist() == np.flatnonzero(cheap & (arcs.member == start)).tolist()
    for budget in (1, 3, records + 1):
        found = graph.around(np.array([start]), budget, chance)
        assert len(found) == min(budget, records)
        reached = sorted(far.get(int(r), records * 2) for r in found)
        nearest = sorted(far.get(r, records * 2) for r in range(records))[: len(found)]
        assert all(one <= records * 2 for one in reached)
        assert [d for d in reached if d < records * 2] == [d for d in nearest if d < records * 2]
