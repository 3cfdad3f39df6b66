"""Every push, every pull and every application is held to what is promised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

import anoptima as ao
from anoptima.exact import Exact
from anoptima.problems.base import Problem
from anoptima.reductions import reductions
from anoptima.reductions.base import Affine, Reduced, Reduction

SQUARE = ao.VertexCover(ao.Graph("abcd", ["ab", "bc", "cd", "da"]))


@dataclass(frozen=True, eq=False)
class Same(Affine[ao.VertexSet, ao.VertexSet]):
    """A reduction to itself that can be told to cheat."""

    lost: str = ""
    promised: int = 0

    def forward(self, solution: ao.VertexSet) -> ao.VertexSet:
        return ao.VertexSet(solution.vertices - set(self.lost))

    backward = forward

    @property
    def offset(self) -> Exact:
        return self.promised


class ToItself(Reduction[ao.VertexSet, ao.VertexSet]):
    name = "cover-to-cover"
    cites = "nobody"

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None

    def target_size(self, problem: Problem[ao.VertexSet]) -> Mapping[str, int]:
        return {"vertices": 5}

    def apply_unchecked(self, problem: Problem[ao.VertexSet]) -> Reduced[ao.VertexSet, ao.VertexSet]:
        return Same(problem, problem)


def test_what_is_no_solution_is_not_carried() -> None:
    for carry in (Same(SQUARE, SQUARE).push, Same(SQUARE, SQUARE).pull):
        with pytest.raises(
            ao.BadInput, match="carries solutions, and this is none of vertex-cover: edge 1 has neither"
        ):
            carry(ao.VertexSet.of("d"))


def test_what_arrives_as_no_solution_is_a_false_claim() -> None:
    cheat = Same(SQUARE, SQUARE, lost="a")
    with pytest.raises(ao.FalseClaim, match="a solution is pushed to what is none of vertex-cover: edge 1"):
        cheat.push(ao.VertexSet.of("ac"))
    with pytest.raises(ao.FalseClaim, match="a solution is pulled to what is none of vertex-cover: edge 1"):
        cheat.pull(ao.VertexSet.of("ac"))


def test_what_costs_more_than_promised_is_a_false_claim() -> None:
    with pytest.raises(ao.FalseClaim, match="a solution is pushed to one of cost 2; 1 is promised"):
        Same(SQUARE, SQUARE, promised=-1).push(ao.VertexSet.of("ac"))
    with pytest.raises(ao.FalseClaim, match="a solution is pulled to one of cost 2; 1 is promised"):
        Same(SQUARE, SQUARE, promised=1).pull(ao.VertexSet.of("ac"))


def test_a_target_of_another_size_than_announced_is_a_false_claim() -> None:
    with pytest.raises(ao.FalseClaim, match="cover-to-cover: the target has 4 vertices, and 5 are announced"):
        ToItself().apply(SQUARE)


def test_a_bound_of_the_target_bounds_the_source() -> None:
    reduced = reductions.get("minimum-bisection-to-half-anonymity").apply(
        ao.MinimumBisection(ao.Graph("acbd", ["ab", "bc", "cd", "da"]))
    )
    assert [reduced.source_bound(bound) for bound in (0, 12, 13, 16)] == [2, 2, 3, 4]
    with pytest.raises(ao.FalseClaim, match="the target is said to cost 17 or more, and a pushed solution costs less"):
        reduced.source_bound(17)


def test_a_question_that_is_not_decided_has_no_threshold() -> None:
    from anoptima.instances.graphs import cycle

    reduced = reductions.get("half-clique-to-share-anonymity").with_parameters(c="5/14").apply(ao.HalfClique(cycle(10)))
    assert not reduced.decides(3)
    with pytest.raises(
        ao.NotApplicable, match="whether the optimum is at most 3 is not decided by the target's optimum"
    ):
        reduced.threshold(3)
    with pytest.raises(ao.BadInput, match="bound is 'x'; it must be"):
        reduced.threshold("x")  # type: ignore[arg-type]


def test_a_copy_with_another_target_checks_against_that() -> None:
    applied = reductions.get("clique-to-half-clique").apply(ao.CliqueOfSize(ao.Graph("abcd", ["ab", "cd"]), 2))
    poorer = replace(applied, target=ao.HalfClique(ao.Graph("abcd", [])))
    with pytest.raises(ao.FalseClaim, match="a solution is pushed to one of cost 1; 0 is promised"):
        poorer.push(ao.VertexSet.of("ab"))
