"""Reductions with one line of their code changed."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from anoptima.reductions.base import Reduction
from anoptima.testing.mutant import Mutant

MARK = "no mutant:"
"""What a line says that is not to be changed."""

SPARED = ("why", "target_size", "__init__", "__post_init__")
"""Functions that no map and no table depends on alone begin with one of these."""


# ---- lines --------------------------------------------------------------------------------------------------------------------
def line_mutants(reduction: Reduction[Any, Any], *, marked: bool = False) -> Iterator[Mutant]:
    """Yield the reduction with one line of its module changed, for every change there is; or only the lines that are not to be changed."""
    module = importlib.import_module(type(reduction).__module__)
    source = inspect.getsource(module)
    lines = source.splitlines()
    tree = ast.parse(source)
    for function in _functions(tree):
        for node in ast.walk(function):
            spot = getattr(node, "lineno", None)
            if spot is None or (MARK in lines[spot - 1]) is not marked:
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
