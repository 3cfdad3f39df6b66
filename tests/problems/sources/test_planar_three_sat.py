"""Planar 3-SAT: formulas, planarity, rectilinear embeddings, cost, bound, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anoptima as ao
from anoptima.instances import formulas
from anoptima.testing.families.formulas import all_formulas
from tests.sources import brute_force

K33 = [(1, 2, 3), (1, 2, 3), (1, 2, -3)]


@pytest.mark.parametrize(
    ("variables", "clauses", "sentence"),
    [
        (0, [], "the number of variables is 0; it must be at least 1"),
        ("2", [], "variables is '2'; it must be a whole number"),
        (2, [(1,), ()], "clause 2 is empty; a clause must have a literal"),
        (2, [(1, 3)], "clause 1 has the literal 3; literals are 1 to 2 and their negatives"),
        (2, [(0,)], "clause 1 has the literal 0; literals are 1 to 2 and their negatives"),
        (2, [("x",)], "clauses[0][0] is 'x'; it must be a whole number"),
        (2, [1], "clauses[0] is 1; it must be a list of whole numbers"),
        (4, [(1, 2, 3, 4)], "clause 1 is (1, 2, 3, 4) and has 4 literals; it may have at most 3"),
        (2, [(1, 2), (1, -1)], "clause 2 is (1, -1); its literals must be of different variables"),
        (3, K33, "the incidence graph is not planar: that of clauses 1, 2, 3 with variables 1, 2, 3 is not"),
    ],
)
def test_what_is_no_problem_is_refused(variables: Any, clauses: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.PlanarThreeSat(ao.Formula(variables, clauses))
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("order", "above", "sentence"),
    [
        ((1, 2), (True, True), "its order is (1, 2); it must name each of the variables 1 to 3 once"),
        ((1, 2, 2), (True, True), "its order is (1, 2, 2); it must name each of the variables 1 to 3 once"),
        ((1, 2, 3), (True,), "its sides are (True,); there must be True or False for each of 2 clauses"),
        ((1, 2, 3), (True, True), "clauses 1 and 2 cross above the line"),
        ((3, 1, 2), (False, False), "clauses 1 and 2 cross below the line"),
    ],
)
def test_what_is_no_embedding_is_refused(order: Any, above: Any, sentence: str) -> None:
    formula = ao.Formula(3, [(1, 2, 3), (-1, -2, -3)])
    with pytest.raises(ao.BadInput) as caught:
        ao.PlanarThreeSat(formula, ao.RectilinearEmbedding(order, above))
    assert str(caught.value).startswith("the embedding is none of this formula: ")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("order", "above", "sentence"),
    [
        ((1, 2, "x"), (True, True), "order[2] is 'x'; it must be a whole number"),
        ((1, 2, 3), (True, 2), "above[1] is 2; it must be True or False"),
    ],
)
def test_what_is_no_order_and_no_sides_is_refused(order: Any, above: Any, sentence: str) -> None:
    with pytest.raises(ao.BadInput) as caught:
        ao.RectilinearEmbedding(order, above)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("problem", "least"),
    [
        (formulas.one_literal(), 0),
        (formulas.contradiction(), 1),
        (formulas.contradiction(both_above=True), 1),
        (formulas.one_clause(), 0),
        (formulas.not_all_equal(), 0),
        (formulas.all_two_literal_clauses(), 1),
        (formulas.three_units(), 1),
        (formulas.three_units(last_holds=False), 0),
    ],
)
def test_formulas_of_the_construction_of_boxes(problem: ao.PlanarThreeSat, least: int) -> None:
    """OPT - l of the fake boxes, which the theory gives as 20/20, 27/26, 37/36, 79/79, 116/116, 176/175, 98/97 and 97/97."""
    assert ao.solve(problem, "sat-clauses/highs").cost == least
    assert ao.solve(problem, "sat-witnesses/cp-sat").cost == least


def test_all_two_literal_clauses_but_one_can_be_satisfied() -> None:
    clauses = formulas.all_two_literal_clauses().formula.clauses
    for left_out in clauses:
        kept = [clause for clause in clauses if clause != left_out]
        assert ao.solve(ao.PlanarThreeSat(ao.Formula(2, kept))).cost == 0


def test_what_is_wrong_is_said() -> None:
    assert formulas.one_clause().violations(ao.TruthAssignment.of([4])) == [
        "4 is no variable; the variables are 1 to 3"
    ]
    assert formulas.not_all_equal().size() == {"variables": 3, "clauses": 2, "literals": 6}


def test_bounds_on_all_formulas_of_two_variables() -> None:
    for problem in all_formulas(2):
        optimum = brute_force.unsatisfied(2, problem.formula.clauses)
        assert problem.lower_bound() <= optimum == min(map(problem.cost, problem.solutions()))


def test_legs_and_levels_of_nested_combs() -> None:
    """1 and 5 are around 1, 3, 5; that one is around the ones at 1, 3 and at 3, 5; a unit clause has one straight leg."""
    formula = ao.Formula(5, [(3,), (1, 3), (1, 3, 5), (3, 4), (1, 5), (1, 5)])
    embedding = ao.RectilinearEmbedding((1, 2, 3, 4, 5), (True,) * 6)
    assert embedding.why_not(formula) is None
    assert embedding.legs(formula, above=True) == [
        *((1, clause) for clause in (4, 5, 2, 1)),
        *((3, clause) for clause in (1, 0, 2, 3)),
        (4, 3),
        *((5, clause) for clause in (2, 5, 4)),
    ]
    assert embedding.legs(formula, above=False) == []
    assert embedding.levels(formula) == (0, 0, 1, 0, 3, 2)


def fits_by_planarity(variables: int, scopes: list[tuple[int, ...]], order: tuple[int, ...]) -> bool:
    """Tell whether combs fit on one side of the line, by other means: bend the line into a rim, and let a hub take its other side."""
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    nx.add_cycle(graph, [("v", variable) for variable in order])
    graph.add_edges_from((("hub", 0), ("v", variable)) for variable in order)
    graph.add_edges_from((("c", c), ("v", variable)) for c, scope in enumerate(scopes) for variable in scope)
    return bool(nx.check_planarity(graph)[0])


@given(
    st.permutations(range(1, 7)),
    st.lists(st.sets(st.integers(1, 6), min_size=1, max_size=3).map(sorted).map(tuple), max_size=6),
)
def test_embeddings_are_those_that_planarity_allows(order: list[int], scopes: list[tuple[int, ...]]) -> None:
    formula = ao.Formula(6, scopes)
    embedding = ao.RectilinearEmbedding(tuple(order), (True,) * len(scopes))
    assert (embedding.why_not(formula) is None) == fits_by_planarity(6, scopes, tuple(order))


def test_embeddings_of_all_small_families_of_combs() -> None:
    """All pairs and triples of scopes on four variables in order."""
    scopes = [scope for size in (1, 2, 3) for scope in itertools.combinations(range(1, 5), size)]
    order = (1, 2, 3, 4)
    for family in (
        *itertools.combinations_with_replacement(scopes, 2),
        *itertools.combinations_with_replacement(scopes, 3),
    ):
        embedding = ao.RectilinearEmbedding(order, (False,) * len(family))
        fits = embedding.why_not(ao.Formula(4, family)) is None
        assert fits == fits_by_planarity(4, list(family), order), family


def test_a_large_formula_that_is_not_planar_is_refused_at_once() -> None:
    clauses = [tuple(sorted({i % 40 + 1, i * i % 40 + 1, (7 * i + 3) % 40 + 1})) for i in range(200)]
    with pytest.raises(ao.BadInput, match=r"^the incidence graph is not planar$"):
        ao.PlanarThreeSat(ao.Formula(40, clauses))
