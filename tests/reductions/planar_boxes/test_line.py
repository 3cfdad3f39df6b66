"""Any planar formula on a line: the embedding is one, nothing is lost, and copies are made only where they are needed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.reductions.planar_boxes import line
from anoptima.reductions.planar_boxes.line import on_a_line
from tests.reductions.planar_trial import random_formula
from tests.sources import brute_force


@given(st.integers(0, 10**6))
def test_the_embedding_is_one(seed: int) -> None:
    formula = random_formula(random.Random(seed), 9).formula
    lined = on_a_line(formula)
    assert lined.embedding.why_not(lined.formula) is None
    assert lined.formula.variables == formula.variables + len(lined.original)
    for given_clause, clause in zip(formula.clauses, lined.formula.clauses, strict=False):
        original = {formula.variables + i: x for i, x in enumerate(lined.original, start=1)}
        back = [(1 if x > 0 else -1) * original.get(abs(x), abs(x)) for x in clause]
        assert tuple(back) == given_clause
    if lined.formula.variables <= 12:
        least = brute_force.unsatisfied(formula.variables, formula.clauses)
        assert brute_force.unsatisfied(lined.formula.variables, lined.formula.clauses) == least


def test_components_stand_side_by_side() -> None:
    lined = on_a_line(ao.Formula(5, [(1, 4), (2, 3), (2, -3), (-5,)]))
    assert lined.original == ()
    assert lined.embedding.why_not(lined.formula) is None


def test_a_formula_without_clauses() -> None:
    lined = on_a_line(ao.Formula(2, []))
    assert sorted(lined.embedding.order) == [1, 2]


def test_chains_of_copies_without_a_search_for_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no orders tried, curves cross more; whatever they cross, nothing is lost."""
    monkeypatch.setattr(line, "MOST_ORDERED", 0)
    monkeypatch.setattr(line, "MOST_STARTS", 1)
    copies = 0
    for seed in range(60):
        formula = random_formula(random.Random(seed), 7).formula
        lined = on_a_line.__wrapped__(formula)
        copies += len(lined.original)
        assert lined.embedding.why_not(lined.formula) is None
        if lined.original and lined.formula.variables <= 13:
            least = brute_force.unsatisfied(formula.variables, formula.clauses)
            assert brute_force.unsatisfied(lined.formula.variables, lined.formula.clauses) == least
    assert copies > 10
