"""The self-test: whole for what is quick, in samples for the others; and it does notice what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import anoptima as ao
from anoptima.problems.base import Problem
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.testing.mutants import Changed, mutants_of
from anoptima.testing.selftest import selftest
from anoptima.testing.soundness import small_sources, trial


@pytest.mark.parametrize("reduction", reductions.all(), ids=lambda reduction: reduction.name)
def test_every_reduction_is_sound_and_broken_ones_are_noticed(reduction: Reduction[Any, Any]) -> None:
    result = selftest(6, 6, [reduction])
    assert result.passed, result.text()


def test_there_are_mutants_of_every_sort() -> None:
    for reduction in reductions.all():
        mutants = list(mutants_of(reduction, small_sources(reduction, 1)[0]))
        assert {mutant.sort for mutant in mutants} == {"line", "data", "relation"}, reduction.name
        assert len(mutants) >= 10


class Undisturbed(Reduction[Any, Any]):
    """A reduction that says yes to everything: its target has every edge."""

    name = "half-clique-to-half-clique"
    cites = "nobody"

    def why_not(self, problem: Problem[Any]) -> str | None:
        return None if isinstance(problem, ao.HalfClique) else "it is for half-clique"

    def target_size(self, problem: Problem[Any]) -> Mapping[str, int]:
        return {}

    def apply_unchecked(self, problem: Problem[Any]) -> Reduced[Any, Any]:
        k4 = ao.CliqueOfSize(ao.Graph("abcd", ["ab", "cd", "ac"]), 2)
        return replace(reductions.get("clique-to-half-clique").apply(k4), source=problem, target=problem)


def test_an_unsound_reduction_is_found_out() -> None:
    assert trial(Undisturbed(), 4).faults


def test_a_change_that_changes_nothing_is_missed_and_said() -> None:
    reduction = reductions.get("clique-to-half-clique")
    unchanged = Changed(reduction, lambda reduced: reduced)
    assert trial(unchanged, 6).sound
    result = selftest(6, 3, [reduction])
    assert not result.passed, "three broken versions are too few"
    assert result.as_dict()["passed"] is False
