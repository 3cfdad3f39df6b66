"""Theorem 1 of Liang and Yuan: t-closeness is as hard as bisection, or half-clique, for every t."""

from __future__ import annotations

from fractions import Fraction

import pytest

import anoptima as ao
from anoptima.instances import graphs
from anoptima.reductions import reductions
from anoptima.reductions.graph import path
from anoptima.reductions.half_clique_to_t_closeness import HalfCliqueToTCloseness
from anoptima.reductions.k_anonymity_to_t_closeness import KAnonymityToTCloseness, at_distance, nearer
from anoptima.reductions.minimum_bisection_to_t_closeness import MinimumBisectionToTCloseness
from anoptima.testing.soundness import source_optimum, target_optimum
from tests.sizing import asked

EVERY = [Fraction(t) for t in ("1/100", "1/6", "1/3", "9/20", "1/2", "51/100", "3/5", "2/3", "7/10", "3/4", "9/10")]


def test_bisection_for_every_t() -> None:
    for graph in (graphs.cycle(4), graphs.complete_graph(4), graphs.triangle_with_path()):
        problem = ao.MinimumBisection(graph)
        for t in EVERY[:: asked(2, 1)] if len(graph.vertices) == 4 else EVERY[2::3]:
            reduced = path("minimum-bisection", "t-closeness", t=t).apply(problem)
            assert isinstance(reduced.target, ao.CellSuppression)
            assert isinstance(reduced.target.principle, ao.TCloseness)
            assert reduced.target.principle.t == t
            least = source_optimum(problem)
            assert target_optimum(reduced.target) == reduced.target_cost(least) == reduced.threshold(least)


def test_half_clique_between_a_half_and_two_thirds() -> None:
    for t in (Fraction(4, 7), Fraction(3, 5), Fraction(13, 20)):
        for graph, clique in ((graphs.triangle_with_path(), True), (graphs.cycle(6), False)):
            reduced = path("half-clique", "t-closeness", t=t).apply(ao.HalfClique(graph))
            assert (target_optimum(reduced.target) <= reduced.threshold()) == clique
    assert path("clique", "t-closeness", t="3/5").target_kind == "t-closeness"


def test_groups_of_k_are_close_and_groups_of_one_row_less_are_not() -> None:
    for rows in range(2, 9):
        for k in range(1, rows):
            for t in EVERY:
                if t >= 1 - Fraction(k, rows):
                    continue
                metric = at_distance(rows, nearer(rows, k, t)).fit(range(rows))
                for size in range(1, rows + 1):
                    counts = [1] * size + [0] * (rows - size)
                    assert (metric.emd(counts, [1] * rows) <= t) == (size >= k), (rows, k, t, size)


def test_the_largest_distance_of_the_hierarchy_is_one() -> None:
    metric = at_distance(3, Fraction(2, 5)).fit([0, 1, 2, "no row"])
    assert metric.emd([1, 0, 0, 0], [0, 1, 0, 0]) == Fraction(2, 5)
    assert metric.emd([1, 0, 0, 0], [0, 0, 0, 1]) == 1


def test_what_t_leaves_open_is_refused() -> None:
    with pytest.raises(
        ao.NotApplicable, match="t is 9/10; with k = 3 and 10 rows it must be below 4/5, or groups of 2"
    ):
        KAnonymityToTCloseness("9/10").apply(ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3)))
    for t in (0, 1):
        with pytest.raises(ao.BadInput, match=f"t is {t}; it must be above 0 and below 1"):
            MinimumBisectionToTCloseness(t)
    with pytest.raises(ao.BadInput, match="t is 4/5 and c is 1/3; t must be at most 1 - c"):
        MinimumBisectionToTCloseness("4/5", "1/3")
    with pytest.raises(ao.BadInput, match="c is 2/5; it must be above 0 and at most 1/3"):
        MinimumBisectionToTCloseness(c="2/5")
    with pytest.raises(ao.BadInput, match="t is 2/3; it must be above 1/2 and below 2/3"):
        HalfCliqueToTCloseness("2/3")


def test_both_parameters_may_be_given() -> None:
    square = ao.MinimumBisection(graphs.cycle(4))
    reduced = reductions.get("minimum-bisection-to-t-closeness").with_parameters(t="1/2", c="1/4").apply(square)
    assert reduced.target.size()["rows"] == 8
    assert target_optimum(reduced.target) == 12
