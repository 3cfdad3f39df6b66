"""The examples and the values of the theory, the edges of the ranges, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima.instances import graphs, matchings
from anoptima.reductions import reductions
from anoptima.reductions.graph import path
from anoptima.reductions.half_anonymity_to_share_anonymity import HalfAnonymityToShareAnonymity
from anoptima.reductions.half_clique_to_share_anonymity import HalfCliqueToShareAnonymity
from anoptima.reductions.minimum_cover_to_witness_columns import MinimumCoverToWitnessColumns
from anoptima.reductions.three_dimensional_matching_to_looser_t_closeness import (
    ThreeDimensionalMatchingToLooserTCloseness,
    new_rows,
    star_space,
)
from anoptima.reductions.three_dimensional_matching_to_t_closeness import ThreeDimensionalMatchingToTCloseness
from anoptima.reductions.vertex_cover_to_k_anonymity import VertexCoverToKAnonymity
from anoptima.testing.soundness import target_optimum

CUBIC = {
    "K4": (graphs.complete_graph(4), 106, 134, 3),
    "K3,3": (graphs.k33(), 152, 194, 3),
    "prism": (graphs.prism(), 152, 194, 4),
    "cube": (graphs.cube(), 198, 254, 4),
    "Petersen": (graphs.petersen(), 244, 314, 6),
}


@pytest.mark.parametrize("name", CUBIC)
def test_vertex_cover_on_cubic_graphs(name: str) -> None:
    graph, rows, base, cover = CUBIC[name]
    reduced = VertexCoverToKAnonymity().apply(ao.VertexCover(graph))
    assert (reduced.target.size()["rows"], reduced.target_cost(0)) == (rows, base)
    answer = ao.solve(reduced.target, "pattern/highs", start=None, threads=1)
    assert (answer.claim.name, answer.cost) == ("OPTIMAL", base + cover)
    pulled = reduced.pull(answer.require_solution())
    assert (reduced.source.cost(pulled), reduced.source.violations(pulled)) == (cover, [])
    everything = ao.VertexSet.of(graph.vertices)
    pushed = reduced.push(everything)
    assert reduced.target.cost(pushed) <= base + len(graph.vertices)
    assert reduced.source.cost(reduced.pull(reduced.target.trivial())) <= len(graph.vertices)


def test_the_constants_of_the_l_reduction() -> None:
    theorem = VertexCoverToKAnonymity()
    for _, _, base, cover in CUBIC.values():
        assert Fraction(base + cover, cover) <= theorem.alpha(cover)
    assert theorem.gap(Fraction(100, 99), 7) == Fraction(6238, 6237)


def test_matchings_with_and_without_a_perfect_one() -> None:
    cells = reductions.get("hypergraph-matching-to-k-anonymity")
    assert target_optimum(cells.apply(matchings.matching_with_a_perfect_one()).target) == 12
    without = cells.apply(matchings.matching_without_a_perfect_one())
    assert (target_optimum(without.target), without.threshold()) == (9, 6)
    columns = reductions.get("hypergraph-matching-to-attribute-suppression")
    assert target_optimum(columns.apply(matchings.matching_with_a_perfect_one()).target) == 1


def test_a_largest_matching_is_told_from_one_edge_less_where_k_does_not_divide_the_vertices() -> None:
    """One vertex is left over; without more rows beside it, it would break an edge up."""
    edges = [(1, 2, 3), (4, 5, 6), (3, 4, 7), (1, 4, 7)]
    for chosen, least in ((edges, 1), (edges[:2], 1), (edges[1:], 4)):
        problem = ao.HypergraphMatching(ao.Hypergraph(range(1, 8), chosen), 3)
        for name in ("hypergraph-matching-to-k-anonymity", "hypergraph-matching-to-attribute-suppression"):
            reduced = reductions.get(name).apply(problem)
            assert reduced.target.size()["rows"] == 9
            assert target_optimum(reduced.target) == reduced.target_cost(least) == reduced.threshold(least)
            answer = ao.solve(reduced.target)
            assert problem.cost(reduced.pull(answer.require_solution())) == least


def test_triples_lead_on_to_both_theorems_of_meyerson_and_williams() -> None:
    problem = matchings.two_by_two_triples()
    for target, threshold in (("k-anonymity", 12), ("attribute-suppression", 1)):
        reduced = path("3d-matching", target).apply(problem)
        assert target_optimum(reduced.target) == reduced.threshold() == threshold


def test_bisection_of_the_square_and_its_larger_tables() -> None:
    square = ao.MinimumBisection(graphs.cycle(4))
    half = reductions.get("minimum-bisection-to-half-anonymity").apply(square)
    assert target_optimum(half.target) == 12
    share = HalfAnonymityToShareAnonymity("1/4").apply(half.target)
    assert (share.target.size()["rows"], str(share.target.principle)) == (8, "2-anonymity")  # type: ignore[attr-defined]
    assert target_optimum(share.target) == 12


def test_weights_stay_with_their_columns() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    source = ao.CellSuppression(ao.Table.from_frame(frame, ["a", "b"], weights={"a": 3, "b": "1/2"}), ao.KAnonymity(2))
    reduced = HalfAnonymityToShareAnonymity("1/3").apply(source)
    assert target_optimum(reduced.target) == target_optimum(source) == 2


@pytest.mark.parametrize(("graph", "optimum"), [(graphs.cycle(6), 36), (graphs.triangle_with_path(), 33)])
def test_half_cliques_of_six_vertices(graph: ao.Graph, optimum: int) -> None:
    reduced = HalfCliqueToShareAnonymity("3/7").apply(ao.HalfClique(graph))
    assert (reduced.threshold(), target_optimum(reduced.target)) == (33, optimum)


def test_the_clique_is_in_the_mixed_group() -> None:
    reduced = HalfCliqueToShareAnonymity("3/7").apply(ao.HalfClique(graphs.triangle_with_path()))
    best = ao.solve(reduced.target, "pattern/highs", start=None).require_solution()
    assert reduced.pull(best) == ao.VertexSet.of([1, 2, 3])


@pytest.mark.parametrize("t", ["0", "1/6", "33/100"])
def test_closeness_below_a_third_does_not_depend_on_t(t: str) -> None:
    reduced = ThreeDimensionalMatchingToTCloseness(t).apply(matchings.two_by_two_triples())
    assert target_optimum(reduced.target) == reduced.threshold() == 12


def far(counts: list[int], n: int, new: int) -> Fraction:
    """Return how far a group is from the whole table, by the star's closed form."""
    size, whole = sum(counts), 3 * n + new
    shares = [Fraction(count, size) - Fraction(n, whole) for count in counts[:3]]
    return sum(map(abs, shares), Fraction(0)) / 2


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("t", [Fraction(1, 3), Fraction(7, 20), Fraction(2, 5), Fraction(9, 20), Fraction(49, 100)])
def test_the_range_of_new_rows_is_what_the_distances_allow(n: int, t: Fraction) -> None:
    def serves(new: int) -> bool:
        allowed = max(far([1, 1, 1, 0], n, new), far([0, 0, 0, 1], n, new)) <= t
        return allowed and min(far([1, 0, 0, 0], n, new), far([1, 1, 0, 0], n, new), far([2, 0, 0, 0], n, new)) > t

    asked = range(1, new_rows(n, t).stop + 3)
    assert [new for new in asked if serves(new)] == list(new_rows(n, t))


def test_ranges_of_the_theory() -> None:
    pairs = [(1, "1/3"), (2, "1/3"), (2, "2/5"), (1, "9/20")]
    found = [(rows.start, rows[-1]) for n, t in pairs for rows in [new_rows(n, Fraction(t))]]
    assert found == [(2, 6), (3, 12), (5, 24), (8, 27)]


def test_the_closed_form_of_the_star_is_its_distance() -> None:
    metric = star_space().fit(["W", "X", "Y", "N"])
    for counts in ([1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1], [2, 1, 0, 3]):
        assert metric.emd(counts, [2, 2, 2, 5]) == far(counts, 2, 5)


def test_both_ends_of_the_range_serve_and_outside_is_refused() -> None:
    problem = ao.ThreeDimensionalMatching([1], [1], [1], [(1, 1, 1)])
    for rows in (2, 6):
        reduced = ThreeDimensionalMatchingToLooserTCloseness("1/3", rows).apply(problem)
        assert target_optimum(reduced.target) == reduced.threshold() == 0
    for rows in (1, 7):
        with pytest.raises(ao.NotApplicable, match=f"{rows} new rows are asked for; n = 1 and t = 1/3 allow 2 to 6"):
            ThreeDimensionalMatchingToLooserTCloseness("1/3", rows).apply(problem)


def test_the_cover_of_five_both_ways() -> None:
    cover = matchings.cover_of_five()
    for name in ("minimum-cover-to-identifying-columns", "minimum-cover-to-witness-columns"):
        reduced = reductions.get(name).apply(cover)
        assert target_optimum(reduced.target) == 2
        pushed = reduced.push(ao.ChosenSets.of(["c1", "c4"]))
        assert reduced.pull(pushed) == ao.ChosenSets.of(["c1", "c4"])


def test_the_printed_construction_shows_nothing_for_witnesses() -> None:
    table = reductions.get("minimum-cover-to-identifying-columns").apply(matchings.cover_of_five()).target.table  # type: ignore[attr-defined]
    assert target_optimum(ao.WitnessColumns(table, 2)) == 1


GRAPH = ao.Graph("abcd", ["ab"])
REFUSED: dict[str, tuple[Any, str]] = {
    "vertex-cover-to-k-anonymity": (
        ao.VertexCover(graphs.cycle(4)),
        "vertex 1 is in 2 edges, and every vertex of a cubic",
    ),
    "hypergraph-matching-to-k-anonymity": (
        ao.HypergraphMatching(ao.Hypergraph("abcd", []), 3),
        "the hypergraph has no edge",
    ),
    "hypergraph-matching-to-attribute-suppression": (
        ao.HypergraphMatching(ao.Hypergraph("abc", []), 3),
        "the hypergraph has no edge",
    ),
    "minimum-bisection-to-half-anonymity": (
        ao.MinimumBisection(ao.Graph("ab", ["ab"])),
        "2 vertices, and four are needed",
    ),
    "half-clique-to-share-anonymity": (ao.HalfClique(ao.Graph("abcd", [])), "the graph has no edge"),
    "half-anonymity-to-share-anonymity": (
        ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)),
        "k is 3 and there are 10 rows; k must be half of them",
    ),
    "3d-matching-to-t-closeness": (ao.ThreeDimensionalMatching("a", "b", "c", []), "there is no triple"),
    "3d-matching-to-looser-t-closeness": (ao.VertexCover(GRAPH), "it is for 3d-matching, not for vertex-cover"),
    "clique-to-half-clique": (ao.HalfClique(GRAPH), "it is for clique, not for half-clique"),
    "minimum-cover-to-identifying-columns": (ao.HalfClique(GRAPH), "it is for minimum-cover, not for half-clique"),
    "minimum-cover-to-witness-columns": (ao.HalfClique(GRAPH), "it is for minimum-cover, not for half-clique"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_theorem_does_not_speak_of_is_refused_with_the_reason(name: str) -> None:
    problem, words = REFUSED[name]
    with pytest.raises(ao.NotApplicable) as refusal:
        reductions.get(name).apply(problem)
    assert str(refusal.value).startswith(f"{name}: ")
    assert words in str(refusal.value)


def test_more_refusals() -> None:
    cells = reductions.get("hypergraph-matching-to-k-anonymity")
    with pytest.raises(ao.NotApplicable, match="k is 1"):
        cells.apply(ao.HypergraphMatching(ao.Hypergraph("ab", ["a"]), 1))
    with pytest.raises(
        ao.NotApplicable, match=r"4 vertices leave no room for a new row at c = 9/20; 10 do, or a smaller c"
    ):
        HalfCliqueToShareAnonymity("9/20").apply(ao.HalfClique(GRAPH))
    doubled = ao.VertexCover(ao.Graph("abcd", ["ab", "ab", "cd", "cd", "ac", "bd"]))
    with pytest.raises(ao.NotApplicable, match="edges 1 and 2 both join"):
        VertexCoverToKAnonymity().apply(doubled)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: HalfAnonymityToShareAnonymity("2/5"), "c is 2/5; it must be above 0 and at most 1/3"),
        (lambda: HalfCliqueToShareAnonymity("1/3"), "c is 1/3; it must be above 1/3 and below 1/2"),
        (lambda: ThreeDimensionalMatchingToTCloseness("1/3"), "t is 1/3; it must be at least 0 and below 1/3"),
        (
            lambda: ThreeDimensionalMatchingToLooserTCloseness("1/2"),
            "t is 1/2; it must be at least 1/3 and below 1/2",
        ),
        (lambda: MinimumCoverToWitnessColumns(1), "k is 1; it must be at least 2"),
        (
            lambda: reductions.get("clique-to-half-clique").with_parameters(c=1),
            "has no parameter 'c'; it has none at all",
        ),
    ],
)
def test_parameters_outside_a_theorem_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ao.BadInput) as refusal:
        make()
    assert words in str(refusal.value)
