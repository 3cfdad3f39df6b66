"""Reductions whose targets are changed in one place."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from anoptima.exact import Exact
from anoptima.packages import pd
from anoptima.principles import KAnonymity, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.lower_bounded_facilities import LowerBoundedFacilities
from anoptima.problems.quasi_identifier import WitnessColumns
from anoptima.problems.sources.formula import Formula
from anoptima.problems.sources.graph import Graph
from anoptima.problems.sources.hypergraph_matching import Hypergraph, HypergraphMatching
from anoptima.problems.sources.patch_cover import PatchCover
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat
from anoptima.problems.sources.simplex_matching import SimplexMatching
from anoptima.reductions.base import Reduced, Reduction
from anoptima.table import Table
from anoptima.testing.mutant import Changed, Mutant

Cells: TypeAlias = "Callable[[pd.DataFrame, list[str]], pd.DataFrame]"


def data_mutants(reduction: Reduction[Any, Any], problem: Problem[Any]) -> Iterator[Mutant]:
    """Yield the reduction with its target changed, for every change that targets of this sort have."""
    target = reduction.apply(problem).target

    def mutant(words: str, change: Callable[[Any], Any]) -> Mutant:
        def changed(reduced: Reduced[Any, Any]) -> Reduced[Any, Any]:
            return replace(reduced, target=change(reduced.target))

        return Mutant(reduction.name, "data", words, Changed(reduction, changed))

    if isinstance(getattr(target, "table", None), Table):
        for words, cells in _TABLE_CHANGES.items():
            if len(target.table.quasi) > 1 or words not in _OF_SEVERAL_COLUMNS:  # type: ignore[attr-defined]
                yield mutant(words, functools.partial(_with_table_changed, change=cells))
        if isinstance(target, ColumnChoice):
            words = "the first and the last column change places"
            yield mutant(words, functools.partial(_with_table_changed, change=_columns_swapped))
        if target.table.sensitive:  # type: ignore[attr-defined]
            yield mutant("the last sensitive value is the first one", _with_sensitive_value_copied)
    principle = getattr(target, "principle", None)
    if isinstance(principle, KAnonymity) or isinstance(target, WitnessColumns):
        yield mutant("k is one more", lambda target: _with_k(target, 1))
        yield mutant("k is one less", lambda target: _with_k(target, -1))
    if isinstance(principle, TCloseness):
        yield mutant("t is 1/6 more", lambda target: _with_t(target, Fraction(1, 6)))
    changes = (_change_of_graph, _change_of_hypergraph, _change_of_formula, _change_of_cells, _change_of_groups)
    for words, change in (pair for changing in changes for pair in changing(target)):
        yield mutant(words, change)
    if isinstance(target, LowerBoundedFacilities):
        yield mutant("the lower bound is one less", lambda target: replace(target, least=target.least - 1))
        free = "connections cost nothing"
        yield mutant(free, lambda target: replace(target, connections=[(f, c, 0) for f, c, _ in target.connections]))
        yield mutant(
            "the last connection is missing", lambda target: replace(target, connections=target.connections[:-1])
        )


def _column_copied(frame: pd.DataFrame, quasi: list[str]) -> pd.DataFrame:
    return frame.assign(**{quasi[-1]: frame[quasi[0]]})


def _columns_swapped(frame: pd.DataFrame, quasi: list[str]) -> pd.DataFrame:
    return frame.assign(**{quasi[-1]: frame[quasi[0]], quasi[0]: frame[quasi[-1]]})


def _row_copied(frame: pd.DataFrame, quasi: list[str], onto: int, of: int) -> pd.DataFrame:
    frame = frame.copy()
    frame.loc[frame.index[onto], quasi] = frame.loc[frame.index[of], quasi].to_numpy()
    return frame


def _symbol_copied(frame: pd.DataFrame, quasi: list[str], column: str) -> pd.DataFrame:
    """Copy the first value that differs from the first row's to the first row."""
    frame = frame.copy()
    others = frame[column][frame[column] != frame[column].iloc[0]]
    if len(others):
        frame.loc[frame.index[0], column] = others.iloc[0]
    return frame


_TABLE_CHANGES: dict[str, Cells] = {
    "the first row's first symbol is another row's": lambda frame, quasi: _symbol_copied(frame, quasi, quasi[0]),
    "the first row's last symbol is another row's": lambda frame, quasi: _symbol_copied(frame, quasi, quasi[-1]),
    "the last column is the first one again": _column_copied,
    "the last row is the first one again": lambda frame, quasi: _row_copied(frame, quasi, -1, 0),
    "the first row is the last one again": lambda frame, quasi: _row_copied(frame, quasi, 0, -1),
}

_OF_SEVERAL_COLUMNS = ("the first row's last symbol is another row's", "the last column is the first one again")
"""Changes that a table of one column does not have."""


def _with_cells(table: Table, change: Cells) -> Table:
    frame = change(table.frame, list(table.quasi))
    weights = dict(zip(table.quasi, table.weights, strict=True))
    return Table.from_frame(frame, table.quasi, table.sensitive, keep=table.keep, weights=weights)


def _with_table_changed(target: Any, change: Cells) -> Any:
    return replace(target, table=_with_cells(target.table, change))


def _with_sensitive_value_copied(target: Any) -> Any:
    def copied(frame: pd.DataFrame, quasi: list[str]) -> pd.DataFrame:
        values = frame[target.table.sensitive[0]].to_list()
        return frame.assign(**{target.table.sensitive[0]: [*values[:-1], values[0]]})

    return replace(target, table=_with_cells(target.table, copied))


def _with_k(target: Any, more: int) -> Any:
    if isinstance(target, WitnessColumns):
        return replace(target, k=target.k + more)
    return replace(target, principle=KAnonymity(target.principle.k + more))


def _with_t(target: Any, more: Fraction) -> Any:
    principle = target.principle
    return replace(
        target, principle=TCloseness(min(1, max(0, principle.t + more)), space=principle.space, column=principle.column)
    )


def _change_of_graph(target: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    if not isinstance(getattr(target, "graph", None), Graph):
        return
    yield (
        "the first edge is missing",
        lambda target: replace(target, graph=Graph(target.graph.vertices, target.graph.edges[1:])),
    )
    yield (
        "the last edge is missing",
        lambda target: replace(target, graph=Graph(target.graph.vertices, target.graph.edges[:-1])),
    )
    yield (
        "the first pair without an edge has one",
        lambda target: replace(
            target, graph=Graph(target.graph.vertices, [*target.graph.edges, *_first_missing(target.graph)])
        ),
    )


def _change_of_hypergraph(target: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    if isinstance(target, HypergraphMatching):
        yield "the first edge is missing", lambda target: _with_edges(target, target.hypergraph.edges[1:])
        yield "the last edge is missing", lambda target: _with_edges(target, target.hypergraph.edges[:-1])
        yield "every group of k vertices is an edge", _with_all_edges


def _with_edges(target: HypergraphMatching, edges: Iterable[Iterable[Any]]) -> HypergraphMatching:
    return replace(target, hypergraph=Hypergraph(target.hypergraph.vertices, edges))


def _with_all_edges(target: HypergraphMatching) -> HypergraphMatching:
    return _with_edges(target, itertools.combinations(target.hypergraph.vertices, target.k))


def _change_of_formula(target: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    if not isinstance(target, PlanarThreeSat) or not target.formula.clauses:
        return

    def changed(problem: PlanarThreeSat, clauses: list[tuple[int, ...]]) -> PlanarThreeSat:
        return PlanarThreeSat(Formula(problem.formula.variables, clauses))

    yield "the last clause is missing", lambda target: changed(target, [*target.formula.clauses[:-1]])
    yield (
        "the literals of the last clause are negated",
        lambda target: changed(target, [*target.formula.clauses[:-1], tuple(-x for x in target.formula.clauses[-1])]),
    )
    yield (
        "the first clause is there twice",
        lambda target: changed(target, [*target.formula.clauses, target.formula.clauses[0]]),
    )


def _change_of_cells(target: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    if isinstance(target, PatchCover):
        yield "the last patch is missing", lambda target: PatchCover(target.patches[:-1])
        yield (
            "the first patch is nine cells lower",
            lambda target: PatchCover([_lower(target.patches[0], 9), *target.patches[1:]]),
        )
        yield "there is a patch more", lambda target: PatchCover([*target.patches, _lower(min(target.patches), 99)])
    if isinstance(target, FakeBoxes):
        yield "k is one more", lambda target: FakeBoxes(target.corners, target.k + 1)
        yield "the first box is missing", lambda target: FakeBoxes(target.corners[1:], target.k)
        yield "the last box is missing", lambda target: FakeBoxes(target.corners[:-1], target.k)
        yield "the first box is nine cells lower", lambda target: _with_box_lower(target, 0)
        yield "the last box is nine cells lower", lambda target: _with_box_lower(target, -1)


def _change_of_groups(target: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    if isinstance(target, SimplexMatching):
        yield "all costs are one more", lambda target: _with_groups(target, lambda cost: cost + 1)
        yield "all costs are doubled and one more", lambda target: _with_groups(target, lambda cost: 2 * cost + 1)
        yield "groups cost nothing", lambda target: _with_groups(target, lambda cost: 0)


def _with_groups(target: SimplexMatching, change: Callable[[Exact], Exact]) -> SimplexMatching:
    pairs, triples = ({edge: change(cost) for edge, cost in groups} for groups in (target.pairs, target.triples))
    return SimplexMatching(target.vertices, pairs, triples)


def _lower(cell: tuple[int, int], by: int) -> tuple[int, int]:
    return cell[0], cell[1] - by


def _with_box_lower(target: Any, place: int) -> FakeBoxes:
    corners = list(target.corners)
    corners[place] = (corners[place][0], corners[place][1] - Fraction(9, 5))
    return FakeBoxes(corners, target.k)


def _first_missing(graph: Any) -> list[tuple[Any, Any]]:
    return [(graph.vertices[u], graph.vertices[v]) for u, v in graph.missing_pairs[:1]]
