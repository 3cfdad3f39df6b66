"""Broken reductions, and whether the checks of `soundness` notice: one change each, made by rule, so that no reduction is let off.

Three sorts of change:

- *a line*: in the code of the construction and of its maps a number is one more or one less, a sum becomes a difference, a product a
  quotient, a comparison is turned round, a principle's parameter is off. Functions named `why...` and `target_size` are left alone.
- *the data*: in every table that is built, a symbol is copied to another row, a row or a column takes the place of another, two columns
  change places, a sensitive value is another row's, a principle asks for a row more or less.
- *the relation*: a cost function promises one more or one less.

A change that changes nothing that matters (one fresh symbol for another) is no break. Lines with the comment `no mutant: why` are
therefore left alone; the comment says why any other value does as well.
"""

from __future__ import annotations

import ast
import copy
import functools
import importlib
import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import ModuleType
from typing import Any, TypeAlias

from anoptima.exact import Exact
from anoptima.packages import pd
from anoptima.principles import KAnonymity, TCloseness
from anoptima.problems.base import Problem
from anoptima.problems.column_choice import ColumnChoice
from anoptima.problems.fake_boxes import FakeBoxes
from anoptima.problems.quasi_identifier import WitnessColumns
from anoptima.problems.sources.formula import Formula
from anoptima.problems.sources.patch_cover import PatchCover
from anoptima.problems.sources.planar_three_sat import PlanarThreeSat
from anoptima.problems.sources.simplex_matching import SimplexMatching
from anoptima.reductions.base import Reduced, Reduction
from anoptima.table import Table
from anoptima.testing.soundness import questions

MARK = "no mutant:"
"""What a line says that is not to be changed."""

SPARED = ("why", "target_size", "__init__", "__post_init__")
"""Functions that no map and no table depends on alone begin with one of these."""


@dataclass(frozen=True)
class Mutant:
    """A reduction with one change. `noticed` says by what complaint; None if nobody did."""

    reduction: str
    sort: str
    change: str
    broken: Reduction[Any, Any] = field(repr=False, compare=False)

    def noticed(self, problems: list[Problem[Any]], seed: int = 0) -> str | None:
        """Put the broken reduction to the test on each source until somebody complains; return the complaint."""
        for problem in problems:
            try:
                for _ in questions(self.broken, problem, random.Random(seed)):
                    pass
            except Exception as complaint:  # noqa: BLE001  (whatever breaks is what is wanted here)
                return f"{type(complaint).__name__}: {complaint}"
        return None


def mutants_of(reduction: Reduction[Any, Any], problem: Problem[Any]) -> Iterator[Mutant]:
    """Yield every mutant of `reduction`; which changes of data there are depends on what `problem` is mapped to."""
    yield from line_mutants(reduction)
    yield from data_mutants(reduction, problem)
    yield from relation_mutants(reduction)


# ---- lines --------------------------------------------------------------------------------------------------------------------


def line_mutants(reduction: Reduction[Any, Any]) -> Iterator[Mutant]:
    """Yield the reduction with one line of its module changed, for every change there is."""
    module = importlib.import_module(type(reduction).__module__)
    source = inspect.getsource(module)
    lines = source.splitlines()
    tree = ast.parse(source)
    for function in _functions(tree):
        for node in ast.walk(function):
            spot = getattr(node, "lineno", None)
            if spot is None or MARK in lines[spot - 1]:
                continue
            for changed in _changes(node):
                words = f"line {spot}, column {getattr(node, 'col_offset', 0)}: {ast.unparse(node)} -> {ast.unparse(changed)}"
                broken = _compiled(_swapped(tree, node, changed), module, type(reduction).__name__)
                yield Mutant(reduction.name, "line", words, broken(**reduction.parameters))


def _functions(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield what runs when a reduction is applied or a solution is carried: the bodies of functions, without their docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith(SPARED):
            documented = ast.get_docstring(node) is not None
            yield from node.body[documented:]


_OTHER: dict[type[Any], type[Any]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _changes(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        if node.value:
            yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.BinOp) and type(node.op) in _OTHER:
        yield ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
        yield ast.Compare(node.left, [_OTHER[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def _swapped(tree: ast.Module, node: ast.AST, changed: ast.expr) -> ast.Module:
    """Return a copy of the tree with `changed` in the place of `node`."""

    class Swap(ast.NodeTransformer):
        def visit(self, here: ast.AST) -> Any:
            return changed if here is node else self.generic_visit(here)

    # Copying with the node among what is remembered keeps it the same object in the copy.
    whole: ast.Module = Swap().visit(copy.deepcopy(tree, {id(node): node}))
    return ast.fix_missing_locations(whole)


def _compiled(tree: ast.Module, module: ModuleType, name: str) -> Any:
    """Run a changed module, without registering anything, and return its class called `name`."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.decorator_list = [d for d in node.decorator_list if ast.unparse(d) != "reductions.register"]
    namespace: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(tree, module.__file__ or name, "exec"), namespace)
    return namespace[name]


# ---- data ---------------------------------------------------------------------------------------------------------------------


class Changed(Reduction[Any, Any]):
    """A reduction whose result is changed."""

    def __init__(self, inner: Reduction[Any, Any], change: Callable[[Reduced[Any, Any]], Reduced[Any, Any]]) -> None:
        self.name = inner.name
        self.cites = inner.cites
        self._inner = inner
        self._change = change

    def why_not(self, problem: Problem[Any]) -> str | None:
        """As it was."""
        return self._inner.why_not(problem)

    def target_size(self, problem: Problem[Any]) -> dict[str, int]:
        """As it was."""
        return dict(self._inner.target_size(problem))

    def apply_unchecked(self, problem: Problem[Any]) -> Reduced[Any, Any]:
        """Change what comes out."""
        return self._change(self._inner.apply_unchecked(problem))


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
    changes = (_change_of_graph, _change_of_formula, _change_of_cells, _change_of_groups)
    for words, change in (pair for changing in changes for pair in changing(target)):
        yield mutant(words, change)
    if hasattr(target, "least"):
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
    graph = getattr(target, "graph", None)
    if graph is None:
        return
    yield (
        "the first edge is missing",
        lambda target: replace(target, graph=type(graph)(target.graph.vertices, target.graph.edges[1:])),
    )
    yield (
        "the last edge is missing",
        lambda target: replace(target, graph=type(graph)(target.graph.vertices, target.graph.edges[:-1])),
    )
    yield (
        "the first pair without an edge has one",
        lambda target: replace(
            target, graph=type(graph)(target.graph.vertices, [*target.graph.edges, *_first_missing(target.graph)])
        ),
    )


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


# ---- relations ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Shifted(Reduced[Any, Any]):
    """A reduction applied that promises too much or too little."""

    inner: Reduced[Any, Any]
    more_forward: int
    more_back: int

    def forward(self, solution: Any) -> Any:
        """As it was."""
        return self.inner.forward(solution)

    def backward(self, solution: Any) -> Any:
        """As it was."""
        return self.inner.backward(solution)

    def target_cost(self, source_cost: Exact) -> Exact:
        """Shift."""
        return self.inner.target_cost(source_cost) + self.more_forward

    def source_cost(self, target_cost: Exact) -> Exact:
        """Shift."""
        return self.inner.source_cost(target_cost) + self.more_back


def relation_mutants(reduction: Reduction[Any, Any]) -> Iterator[Mutant]:
    """Yield the reduction with cost functions that are one off."""
    for forward, back, words in (
        (1, 0, "pushed solutions may cost one more"),
        (-1, 0, "pushed solutions may cost one less"),
        (0, 1, "pulled solutions may cost one more"),
        (0, -1, "pulled solutions may cost one less"),
    ):

        def shifted(reduced: Reduced[Any, Any], forward: int = forward, back: int = back) -> Reduced[Any, Any]:
            return Shifted(reduced.source, reduced.target, reduced, forward, back)

        yield Mutant(reduction.name, "relation", words, Changed(reduction, shifted))
