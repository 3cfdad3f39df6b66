"""The self-test in samples, and that the whole of it is thick: `anoptima reduce --selftest` runs that; and it does notice what is wrong."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import anoptima as ao
from anoptima.problems.base import problem_kinds
from anoptima.reductions import reductions
from anoptima.reductions.base import Reduced, Reduction
from anoptima.testing import mutant
from anoptima.testing.data_mutants import data_mutants
from anoptima.testing.examples import examples_for
from anoptima.testing.line_mutants import _unregistered, line_mutants
from anoptima.testing.mutant import Changed, ChangeFailed, Mutant
from anoptima.testing.mutants import mutants_of, relation_mutants
from anoptima.testing.selftest import THICK, Line, SelfTest, selftest
from anoptima.testing.soundness import Trial, more_sources, small_sources, source_optimum, trial
from tests.sizing import asked
from tests.testing.own_reduction import LeastCover, OwnCover, OwnCoverToLeastCover

PLAIN = [reduction for reduction in reductions.all() if not reduction.composed]
"""Those that are not made of others."""


@pytest.mark.parametrize("reduction", PLAIN, ids=lambda reduction: reduction.name)
def test_every_reduction_is_sound_and_broken_ones_are_noticed(reduction: Reduction[Any, Any]) -> None:
    result = selftest(asked(4, 6), asked(5, 6), [reduction], least=1)
    assert result.passed, result.text()


@pytest.mark.parametrize("reduction", PLAIN, ids=lambda reduction: reduction.name)
def test_there_are_enough_yes_and_no_instances(reduction: Reduction[Any, Any]) -> None:
    """Decided on the sources alone; that the targets agree is for the command to test."""
    yes = no = 0
    for problem in more_sources(reduction, 12):
        reduced, least = reduction.apply(problem), source_optimum(problem)
        bounds = [bound for bound in {0, least, least - 1} if bound >= 0 and reduced.decides(bound)]
        yes, no = yes + sum(least <= bound for bound in bounds), no + sum(least > bound for bound in bounds)
        if min(yes, no) >= THICK:
            return
    raise AssertionError(
        f"{yes} yes-instances and {no} no-instances of {reduction.name}; there must be {THICK} of both"
    )


def test_more_problems_are_tried_until_there_are_enough_instances() -> None:
    reduction = reductions.get("minimum-cover-to-identifying-columns")
    few, many = trial(reduction, 4), trial(reduction, 4, least=9)
    assert few.instances == 4
    assert not few.has(9)
    assert many.instances > 4
    assert many.has(9)
    thin = SelfTest((Line(Trial(reduction.name, 40, yes=40, no=29), {}, THICK),))
    assert not thin.passed
    assert thin.text().endswith(f"{reduction.name}: there were 29 no-instances; 30 are asked for")


def test_there_are_mutants_of_every_sort() -> None:
    for reduction in PLAIN:
        changed = list(data_mutants(reduction, next(iter(examples_for(reduction)))))
        shifted = list(relation_mutants(reduction))
        # Every line changed is a module compiled.
        lines = list(itertools.islice(line_mutants(reduction), 10))
        assert changed, reduction.name
        assert shifted, reduction.name
        assert len({*changed, *shifted, *lines}) >= 10, reduction.name
    cover = reductions.get("vertex-cover-to-k-anonymity")
    sorts = Counter(mutant.sort for mutant in mutants_of(cover, next(iter(examples_for(cover)))))
    assert sorts["line"] > 100
    assert sorts.keys() == {"line", "data", "relation"}


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
    result = selftest(6, 3, [reduction], least=1)
    assert not result.passed, "three broken versions are too few"
    assert result.as_dict()["passed"] is False
    assert f"{reduction.name}: there were 3 mutants; 5 are asked for" in result.text()


def test_a_module_that_states_its_own_problem_cannot_pass_by_that() -> None:
    """Run anew it has another class of that name, and every change of a line would seem to be noticed."""
    problem_kinds.add(OwnCover)
    try:
        result = selftest(4, None, [OwnCoverToLeastCover()], least=1)
    finally:
        problem_kinds.remove(OwnCover.name)
    assert not result.passed
    assert "no line changed there is a complaint" in result.text()
    assert "it is for own-cover, not for own-cover; define problems and solutions in another module" in result.text()


def test_a_target_of_a_kind_of_its_own_is_changed_where_it_can_be() -> None:
    """It has a `graph` and a `least` that are nothing that is known here."""
    problem = next(OwnCover.examples())
    assert isinstance(OwnCoverToLeastCover().apply(problem).target, LeastCover)
    assert list(data_mutants(OwnCoverToLeastCover(), problem)) == []


def test_one_that_never_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def circling(reduced: Reduced[Any, Any]) -> Reduced[Any, Any]:
        while True:
            pass

    monkeypatch.setattr(mutant, "LONGEST_S", 0)
    reduction = reductions.get("clique-to-half-clique")
    complaint = Mutant(reduction.name, "line", "circles", Changed(reduction, circling)).noticed(
        small_sources(reduction, 1)
    )
    assert complaint == "it has not come to an end within 0 s"


def test_a_module_run_anew_defines_and_does_nothing_else() -> None:
    said = "'What it says.'\nkinds.add(Own)\nif __name__ == '__main__':\n    main()\n"
    defined = "@frozen\nclass Own:\n    x = 1\ny = 2"
    assert ast.unparse(_unregistered(ast.parse(f"{said}@kinds.register\n{defined}"))) == defined
