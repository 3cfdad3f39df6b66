"""The self-test: whole for what is quick, in samples for the others; and it does notice what is wrong."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

import anoptima as ao
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.testing.mutant import Changed, ChangeFailed, Mutant
from anoptima.testing.mutants import mutants_of
from anoptima.testing.selftest import selftest
from anoptima.testing.soundness import small_sources, trial

PLAIN = [reduction for reduction in reductions.all() if not reduction.composed]
"""Those that are not made of others."""


@pytest.mark.parametrize("reduction", PLAIN, ids=lambda reduction: reduction.name)
def test_every_reduction_is_sound_and_broken_ones_are_noticed(reduction: Reduction[Any, Any]) -> None:
    result = selftest(6, 6, [reduction])
    assert result.passed, result.text()


def test_there_are_mutants_of_every_sort() -> None:
    for reduction in PLAIN:
        mutants = list(mutants_of(reduction, small_sources(reduction, 1)[0]))
        assert {mutant.sort for mutant in mutants} >= {"data", "relation"}, reduction.name
        assert len(set(mutants)) >= 10, reduction.name
    cover = reductions.get("vertex-cover-to-k-anonymity")
    assert sum(m.sort == "line" for m in mutants_of(cover, small_sources(cover, 1)[0])) > 100


def test_an_unsound_reduction_is_found_out() -> None:
    """Its target always has a clique."""

    def filled(reduced: Reduced[Any, Any]) -> Reduced[Any, Any]:
        vertices = reduced.target.graph.vertices  # type: ignore[attr-defined]
        return replace(reduced, target=ao.HalfClique(ao.Graph(vertices, itertools.combinations(vertices, 2))))

    found = trial(Changed(reductions.get("clique-to-half-clique"), filled), 10)
    assert not found.sound
    assert any("FalseClaim" in fault for fault in found.faults)


def test_a_change_that_cannot_be_made_is_not_called_noticed() -> None:
    reduction = reductions.get("clique-to-half-clique")
    failing = Changed(reduction, lambda reduced: replace(reduced, target=reduced.target.no_such_thing))  # type: ignore[attr-defined]
    with pytest.raises(ChangeFailed, match="no_such_thing"):
        Mutant(reduction.name, "data", "fails", failing).noticed(small_sources(reduction, 1))


def test_a_change_that_changes_nothing_is_missed_and_said() -> None:
    reduction = reductions.get("clique-to-half-clique")
    unchanged = Changed(reduction, lambda reduced: reduced)
    assert trial(unchanged, 6).sound
    result = selftest(6, 3, [reduction])
    assert not result.passed, "three broken versions are too few"
    assert result.as_dict()["passed"] is False
