"""The graph of everything, and paths through it that are reductions and solvers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest

import anoptima as ao
from anoptima.answer import Origin
from anoptima.instances import graphs
from anoptima.reductions import reductions
from anoptima.reductions.carried import CarriedProof
from anoptima.reductions.graph import all_edges, kinds, path, problem_edges, reachable, to_dot, walk
from anoptima.reductions.path import Path, Reducing

SQUARE = ao.MinimumBisection(graphs.cycle(4))


def test_every_reduction_is_an_edge_between_known_kinds() -> None:
    assert {edge.name for edge in problem_edges() if edge.name} == {reduction.name for reduction in reductions.all()}
    assert {"half-anonymity", "t-closeness", "planar-3-sat"} <= set(kinds())
    assert reachable("minimum-cover") == ["identifying-columns", "witness-columns"]


def test_a_path_is_a_reduction() -> None:
    way = path("minimum-bisection", "t-closeness")
    reduced = way.apply(SQUARE)
    assert str(reduced.target.principle) == "1/2-closeness"  # type: ignore[attr-defined]
    assert reduced.target.size()["rows"] == way.target_size(SQUARE)["rows"] == 4
    for half in SQUARE.solutions():
        pushed = reduced.push(half)
        assert reduced.target.cost(pushed) == reduced.target_cost(SQUARE.cost(half))
        assert SQUARE.cost(reduced.pull(pushed)) == SQUARE.cost(half)
    assert (reduced.threshold(2), reduced.source_bound(12), reduced.decides(1)) == (12, 2, True)
    assert "Theorem 3" in way.cites
    assert "Lemma 1" in way.cites


def test_a_path_takes_the_parameters_of_its_steps() -> None:
    way = path("clique", "k-anonymity").with_parameters(c="2/5")
    assert str(way.parameters["c"]) == "2/5"
    with pytest.raises(ao.BadInput, match="has no parameter 't'; it has c"):
        way.with_parameters(t=1)
    with pytest.raises(ao.BadInput, match="a path has no step"):
        Path(())


def test_a_path_names_the_step_that_refuses() -> None:
    way = path("clique", "share-anonymity")
    triangle = ao.CliqueOfSize(graphs.cycle(3), 1)
    assert way.why_not(triangle) is None
    alone = ao.CliqueOfSize(ao.Graph("abcd", []), 2)
    assert (
        way.why_not(alone)
        == "half-clique-to-share-anonymity: the graph has no edge, and the table has a column for each of them"
    )
    assert way.why_not(SQUARE) == "it is for clique, not for minimum-bisection"
    with pytest.raises(ao.NotApplicable, match="half-clique-to-share-anonymity: the graph has no edge"):
        way.apply(alone)


def test_a_path_that_there_is_not() -> None:
    with pytest.raises(
        ao.BadInput,
        match="'cliques' is no kind of problem; did you mean clique",
    ):
        path("cliques", "k-anonymity")
    with pytest.raises(ao.BadInput, match="k-anonymity is what there is already"):
        path("k-anonymity", "k-anonymity")
    with pytest.raises(
        ao.NotApplicable, match="no reductions lead from minimum-cover to k-anonymity; from minimum-cover they"
    ):
        path("minimum-cover", "k-anonymity")


@pytest.mark.parametrize("solver", ["pattern/highs", "groups/highs"])
def test_a_reduction_with_a_solver_behind_it_is_a_solver(solver: str) -> None:
    by_way = Reducing(path("minimum-bisection", "k-anonymity"), ao.get_solver(solver))
    prism = ao.MinimumBisection(graphs.prism())
    answer = ao.solve(prism, by_way, threads=1)
    assert (answer.claim.name, answer.cost) == ("OPTIMAL", 3)
    assert answer.verify()
    assert answer.run.solver == f"minimum-bisection-to-half-anonymity, {solver}"
    with pytest.raises(ao.NotApplicable, match="it is for minimum-bisection"):
        ao.solve(ao.VertexCover(graphs.prism()), by_way)


def test_a_gap_of_the_target_is_none_of_the_source() -> None:
    """The target's cost has a large constant in it, beside which half of the source's is little."""
    by_way = Reducing(path("minimum-bisection", "k-anonymity"), ao.get_solver("local-search"))
    answer = ao.solve(ao.MinimumBisection(graphs.cycle(12)), by_way, gap=Fraction(3, 10))
    assert answer.gap is not None
    assert answer.gap > Fraction(3, 10)
    assert answer.stop is ao.Stop.COMPLETE


def test_a_threshold_reduction_leaves_a_gap_where_it_decides_no_more() -> None:
    by_way = Reducing(reductions.get("half-clique-to-share-anonymity"), ao.get_solver("pattern/highs"))
    answer = ao.solve(ao.HalfClique(graphs.cycle(6)), by_way, threads=1)
    assert answer.cost == 1
    assert answer.bound is not None
    assert answer.bound.value >= 1


def test_a_bound_by_way_of_a_target_is_proved_with_the_targets_proof() -> None:
    carried = ao.solve(SQUARE, Reducing(path("minimum-bisection", "k-anonymity"), ao.get_solver("sifting")))
    assert isinstance(carried.proof, CarriedProof)
    assert carried.proof.proved(SQUARE) == carried.proved == 2
    assert carried.bound is not None
    assert carried.bound.origin is Origin.PROOF
    assert carried.verify()
    with pytest.raises(
        ao.BadInput, match=r"^by minimum-bisection-to-half-anonymity, the target's proof proves 2, not 9$"
    ):
        replace(carried.proof, value=9).proved(SQUARE)
    with pytest.raises(ao.BadInput, match=r"^the proof goes by minimum-bisection-to-half-anonymity, and it is for"):
        carried.proof.proved(ao.VertexCover(graphs.prism()))


@pytest.mark.usefixtures("weak_bound")
def test_what_a_backend_claims_of_a_target_stays_a_claim() -> None:
    five = pd.DataFrame({"a": [0, 0, 1, 1, 2], "b": [0, 1, 1, 2, 2], "c": [0, 1, 2, 0, 1]})
    problem = ao.CellSuppression(ao.Table.from_frame(five, ["a", "b", "c"]), ao.KAnonymity(2))
    by_way = Reducing(reductions.get("2-anonymity-to-simplex-matching"), ao.get_solver("simplex-groups/highs"))
    answer = ao.solve(problem, by_way, start=None)
    assert (answer.claim, answer.cost, answer.proof) == (ao.Claim.OPTIMAL, 13, None)
    assert answer.bound is not None
    assert answer.bound.origin is Origin.BACKEND
    assert answer.verify()


def test_ways_to_solvers() -> None:
    assert [edge.end.name for edge in walk("planar-3-sat", "sat-clauses/highs")] == ["sat-clauses", "pyomo", "highs"]
    assert walk("vertex-cover", "cp-sat")
    with pytest.raises(ao.NotApplicable, match="no way leads from minimum-cover to t-closeness"):
        walk("minimum-cover", "t-closeness")
    with pytest.raises(ao.NotApplicable, match="no way leads from minimum-cover to pattern/highs"):
        walk("minimum-cover", "pattern/highs")
    with pytest.raises(ao.BadInput, match="'cover' is no kind of problem"):
        walk("cover", "highs")


def test_graphviz_gets_every_node_once_and_the_way_bold() -> None:
    way = walk("minimum-bisection", "pattern/highs")
    text = to_dot(all_edges(), way)
    assert text.count('[label="k-anonymity"') == 1
    assert text.count("penwidth=3") == len(way)
